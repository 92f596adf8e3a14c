/* cuda_table.h — what libofw-cuda.so does for the engine of storage=cuda: the table by which one calls the other
 *
 * The library is opened at run time, so that ofw neither needs it nor is built with it. x, d and all else of their size are
 * on the device. Calls are queued in their order; those that return numbers wait for them. A call that fails on the device
 * is remembered (`failed`), and every number after it is NaN.
 */
#pragma once

#include <ofw/vec.h>

enum {
  OFW_CUDA_VERSION = 5, /* of this table: another one is refused */
  OFW_CUDA_TEXT = 256,  /* characters of a reason */
  OFW_CUDA_BASIS = 128  /* vectors of a search */
};
#define OFW_CUDA_LIBRARY "libofw-cuda.so.0"
#define OFW_CUDA_SYMBOL  "ofw_cuda_table_1"
#define OFW_CUDA_MOST    4294967292u /* numbers of a matrix: a kernel counts them in 32 bits, four at a time */

typedef struct ofw_cuda ofw_cuda;             /* one play's arrays */
typedef struct ofw_cuda_share ofw_cuda_share; /* a device that one process has for several */

/* Which of its arrays; OFW_ON_E is x - d. */
typedef enum ofw_on { OFW_ON_X, OFW_ON_D, OFW_ON_Y, OFW_ON_E } ofw_on;

typedef struct ofw_cuda_table {
  unsigned version;

  /* x = d = 0 for a matrix of this shape, as doubles or as floats; NULL: why. */
  ofw_cuda *(*open)(size_t rows, size_t cols, int floats, char why[OFW_CUDA_TEXT]);
  void (*close)(ofw_cuda *c);
  const char *(*failed)(const ofw_cuda *c); /* why; NULL: nothing has */
  int (*keep_y)(ofw_cuda *c);               /* room for y, which is 0; 0: there is none */

  /* An array, or a part of it, to here and from here. Whether it was. */
  int (*read)(ofw_cuda *c, ofw_on from, size_t first, size_t n, double *out);
  int (*write)(ofw_cuda *c, ofw_on to, const double *in);
  /* of x, or of x + probe, a vector of draws */
  int (*entries)(ofw_cuda *c, const ofw_vec *probe, size_t n, const size_t *index, double *out);

  /* The engine's operations (engine.h), with e = v - x. */
  void (*clear)(ofw_cuda *c, ofw_on what);
  void (*blend)(ofw_cuda *c, double a, double b);            /* d = a d + b x */
  void (*add)(ofw_cuda *c, double factor, const ofw_vec *v); /* d += factor v */
  void (*segment)(ofw_cuda *c, ofw_sum v, double *slope, double *length2);
  void (*step)(ofw_cuda *c, ofw_sum v, double sig, double curv); /* x += sig e, d += curv e */
  double (*lead)(ofw_cuda *c, ofw_sum v, double sig, double keep);
  double (*dot)(ofw_cuda *c, ofw_on with, const ofw_vec *v);
  double (*inner)(ofw_cuda *c, ofw_sum a, ofw_sum b);
  /* max |a_i|, in which NaN does not count, and the sum of (2^-exponent a_i)^2 */
  void (*measure)(ofw_cuda *c, ofw_on what, int exponent, double *largest, double *square);
  /* With D = 2^-exponent d:  u = D v, w = D' u */
  void (*pass)(ofw_cuda *c, int exponent, const double *v, double *u, double *w);

  /* The vectors of a search, as linalg/lanczos.h has them. A search may read a copy of so many bits, 16 or 32, and not d (0): how
   * rough it is then; a grain of 0: there is none. */
  void (*narrow)(const ofw_cuda *c, int bits, double *apart, double *grain);
  double (*begin)(ofw_cuda *c, int bits, int exponent, size_t k, ofw_rng_key start);
  double (*extend)(ofw_cuda *c, size_t k, double *b);
  void (*accept)(ofw_cuda *c, size_t k);
  void (*rotate)(ofw_cuda *c, size_t k, size_t n, const double *y);
  void (*compose)(ofw_cuda *c, size_t k, const double *y, const double **u, const double **v);

  /* Several processes on one device. The parent of all maps a share for so many plays, before it forks them and uses no device
   * itself. One child serves, and returns only if it cannot; `begun` says that it does. Whatever the others open after they
   * have joined is done by that one, several operations at a time. NULL: there is no memory. */
  ofw_cuda_share *(*share)(size_t plays);
  void (*unshare)(ofw_cuda_share *share);
  void (*serve)(ofw_cuda_share *share);
  int (*begun)(const ofw_cuda_share *share);
  void (*join)(ofw_cuda_share *share);
} ofw_cuda_table;
