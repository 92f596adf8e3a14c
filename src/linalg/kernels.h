/* kernels.h — the loops over dense numbers that everything else is made of
 *
 * Each variant is a table of the same functions, and the best that the processor can run is chosen once. One variant
 * gives the same bits always; two may differ in the last ones.
 */
#ifndef OFW_SRC_KERNELS_H
#define OFW_SRC_KERNELS_H

#include <ofw/vec.h>

typedef struct ofw_kernels {
  const char *name;
  double (*dot)(size_t n, const double *a, const double *b);
  void (*axpy)(size_t n, double c, const double *a, double *y); /* y += c a */
  double (*largest)(size_t n, const double *a);                 /* max |a_i|; NaN does not count */
  /* e = c v - x: slope += <d, e>, length2 += |e|^2 */
  void (*segment)(size_t n, const double *x, const double *d, double c, const double *v, double *slope,
                  double *length2);
  /* e = c v - x: x += sig e, d += curv e */
  void (*step)(size_t n, double *x, double *d, double c, const double *v, double sig, double curv);
  /* u = A v, w = A' u in one read of A, rows x cols by rows */
  void (*pass)(size_t rows, size_t cols, const double *a, const double *v, double *u, double *w);
  /* Philox-4x32-10: the words 4 first .. 4 (first + blocks) - 1 of a sequence. These and the normals below are the same
   * numbers in every variant. */
  void (*words)(ofw_rng_key key, size_t first, size_t blocks, uint32_t *out);
  /* 2 pairs normal draws from as many words */
  void (*normal)(size_t pairs, const uint32_t *word, double *out);
  /* with r_i the uniform draw that word i is: <r, x>, and y += c r */
  double (*uniform_dot)(size_t n, const uint32_t *word, const double *x);
  void (*uniform_axpy)(size_t n, double c, const uint32_t *word, double *y);
} ofw_kernels;

extern const ofw_kernels ofw_kernels_portable;
extern const ofw_kernels *const ofw_kernels_avx2; /* NULL: not built for this kind of processor */

/* The variant in use. */
const ofw_kernels *ofw_kernels_chosen(void);
/* "portable" or "avx2"; NULL: there is none of that name, or this processor cannot run it. */
const ofw_kernels *ofw_kernels_named(const char *name);

/* The same with the variant in use. */
double ofw_dot(size_t n, const double *a, const double *b);
void ofw_axpy(size_t n, double c, const double *a, double *y);
double ofw_largest(size_t n, const double *a);
void ofw_segment(size_t n, const double *x, const double *d, double c, const double *v, double *slope, double *length2);
void ofw_step(size_t n, double *x, double *d, double c, const double *v, double sig, double curv);
/* With A = 2^-exponent * a:  u = A v,  w = A' u. An exponent other than 0 is for rare sizes, and slower. */
void ofw_pass(size_t rows, size_t cols, const double *a, int exponent, const double *v, double *u, double *w);

/* |a| without overflow or underflow on the way */
double ofw_norm(size_t n, const double *a);
/* the position of the first NaN or infinity; n: none */
size_t ofw_first_not_finite(size_t n, const double *a);

#endif
