/* kernels.h — the loops over dense numbers that everything else is made of
 *
 * Each variant is a table of the same functions, and the best that the processor can run is chosen once. One variant
 * gives the same bits always, for arrays at the same place within 64 bytes; two may differ in the last ones. A number that is written
 * to an array has the same bits however the array is cut into calls; a sum over it may not.
 *
 * A table is for arrays of one kind of number, doubles or floats: those that are `void` below. All else is in doubles, and so is every
 * sum unless a line below says otherwise: a float is widened when it is read, and a result is rounded when it is written.
 */
#pragma once

#include <ofw/vec.h>

/* A matrix B in whole numbers of 16 bits, two per word, and one in floats. Rows have `stride` numbers, a multiple of OFW_ROUGH_EDGE,
 * of which those behind `cols` do not count: the v of a pass is as long and ends in zeros, and so long is its room. Row i of the first is
 * c[i] times whole numbers:
 *
 *     word k of a group of OFW_ROUGH_EDGE / 2     its lower 16 bits, times 2^16, for column k of the group's OFW_ROUGH_EDGE;
 *                                                 the word itself for column k + OFW_ROUGH_EDGE / 2
 *
 * so the upper 16 bits are such that the word is as near as can be, whatever the lower ones are. A pass goes over the rows before
 * `to` from `from` on, with products and short sums in floats:
 *
 *     |u - B v| <= OFW_ROUGH_GRAIN |B|_F |v|   |w - B' u| <= OFW_ROUGH_GRAIN |B|_F |u|   v being rounded to floats by the caller
 *
 * A number of a row made by `pack` is off by at most OFW_SHORTS_APART c[i], and one of floats by OFW_FLOATS_APART of itself. */
typedef struct ofw_shorts {
  size_t cols, stride;
  uint32_t *word;
  double *c;
} ofw_shorts;

typedef struct ofw_floats {
  size_t cols, stride;
  float *number;
} ofw_floats;

enum {
  OFW_ROUGH_TERMS = 128, /* of a sum in floats; next to it there are the roundings of the factors and of the sum */
  OFW_ROUGH_EDGE = 32
};
#define OFW_ROUGH_GRAIN  ((OFW_ROUGH_TERMS + 8) * 0x1p-24)
#define OFW_SHORTS_APART 0x1.04p15
#define OFW_FLOATS_APART 0x1.01p-24

/* What numbers of a row become whole ones by, and its c; 0: all of it is to be 0. */
float ofw_shorts_scale(float largest, double square, double *c);

typedef struct ofw_kernels {
  const char *name;
  const struct ofw_kernels *floats; /* the same variant over floats; its own is NULL */
  size_t size;                      /* of a number, in bytes */

  void (*read)(size_t n, const void *a, double *out);
  void (*write)(size_t n, const double *a, void *out);
  double (*dot)(size_t n, const void *a, const double *b);
  void (*axpy)(size_t n, double c, const double *a, void *y);          /* y += c a */
  void (*blend)(size_t n, double a, void *y, double b, const void *x); /* y = a y + b x; a = 0 clears any y */
  /* max |a_i|, in which NaN does not count, and the sum of a_i^2, which may overflow or underflow */
  void (*measure)(size_t n, const void *a, double *largest, double *square);
  /* A row of an ofw_shorts; the sum of a_i^2, to five digits and n 2^-148, so that it may be infinite if sizes are beyond 2^60, and is
   * not finite if a number is not. All of the row is 0 then, and if no size is beyond 2^-90. */
  double (*pack)(size_t n, const void *a, uint32_t *out, double *c);
  /* Moves: v has numbers of the same kind as x and d. With floats, products and short sums may be floats too, as may those of the
   * uniform draws below. */
  /* e = c v - x: slope += <d, e>, length2 += |e|^2 */
  void (*segment)(size_t n, const void *x, const void *d, double c, const void *v, double *slope, double *length2);
  /* e = c v - x: x += sig e, d += curv e */
  void (*step)(size_t n, void *x, void *d, double c, const void *v, double sig, double curv);
  /* e = c v - x: y = keep y + pace e, keep = 0 clears any y; the sum of y_i^2 */
  double (*follow)(size_t n, const void *x, void *y, double c, const void *v, double pace, double keep);
  /* the same, and then step, in one read of x */
  double (*lead)(size_t n, void *x, void *d, void *y, double c, const void *v, double sig, double curv, double pace,
                 double keep);
  /* both with a y of floats, whatever x and d are */
  double (*follow_narrow)(size_t n, const void *x, void *y, double c, const void *v, double pace, double keep);
  double (*lead_narrow)(size_t n, void *x, void *d, void *y, double c, const void *v, double sig, double curv,
                        double pace, double keep);
  /* u = A v, w = A' u in one read of A, rows x cols by rows */
  void (*pass)(size_t rows, size_t cols, const void *a, const double *v, double *u, double *w);
  /* The same over whole numbers of 16 bits, and over floats, in either table, for searches that need not be sharp */
  void (*rough)(const ofw_shorts *a, size_t from, size_t to, const float *v, float *room, double *u, double *w);
  void (*rough_floats)(const ofw_floats *a, size_t from, size_t to, const float *v, float *room, double *u, double *w);
  /* with r_i the uniform draw that word i is: <r, x>, and y += c r */
  double (*uniform_dot)(size_t n, const uint32_t *word, const void *x);
  void (*uniform_axpy)(size_t n, double c, const uint32_t *word, void *y);

  /* Of doubles in either table: the least of n > 0 numbers, the largest |a_i|, and the first i with a_i, or |a_i| if
   * `sizes`, equal to x (n - 1 if none is, as of NaN); and v_i = lower if d_i >= 0, else upper, with <d, v>. Bounds are one number
   * each if every = 0, and n if it is 1. */
  double (*least)(size_t n, const double *a);
  double (*peak)(size_t n, const double *a);
  size_t (*find)(size_t n, const double *a, int sizes, double x);
  double (*choose)(size_t n, const double *d, size_t every, const double *lower, const double *upper, double *v);

  /* Philox-4x32-10: the words 4 first .. 4 (first + blocks) - 1 of a sequence. These and the normals below are the same
   * numbers in every variant. */
  void (*words)(ofw_rng_key key, size_t first, size_t blocks, uint32_t *out);
  /* 2 pairs normal draws from as many words */
  void (*normal)(size_t pairs, const uint32_t *word, double *out);
} ofw_kernels;

/* One number of an array, and the place where it begins. */
static inline double ofw_number(const ofw_kernels *kernels, const void *a, size_t i)
{
  return kernels->size == sizeof(float) ? (double)((const float *)a)[i] : ((const double *)a)[i];
}

static inline void ofw_add_number(const ofw_kernels *kernels, void *a, size_t i, double x)
{
  if (kernels->size == sizeof(float))
    ((float *)a)[i] = (float)((double)((float *)a)[i] + x);
  else
    ((double *)a)[i] += x;
}

static inline void *ofw_at(const ofw_kernels *kernels, const void *a, size_t i)
{
  return (char *)(uintptr_t)a + i * kernels->size;
}

/* Asks for number i to be in the second-level cache soon. A walk over the numbers that a list of indices names does so
 * OFW_AHEAD places before it reaches them, because no processor predicts such a list. Any i will do. */
enum { OFW_AHEAD = 256 };
static inline void ofw_fetch(const ofw_kernels *kernels, const void *a, size_t i)
{
  __builtin_prefetch((const void *)((uintptr_t)a + i * kernels->size), 0, 2);
}

enum { OFW_PASS_ROWS = 8 }; /* rows of a pass that are read together: parts of a matrix are best multiples of it */

extern const ofw_kernels ofw_kernels_portable;
/* NULL: not built for this kind of processor. The second is the first with random words by AVX-512, which are the same numbers:
 * so it gives the same bits, and has the same name. */
extern const ofw_kernels *const ofw_kernels_avx2, *const ofw_kernels_avx2_wide_words, *const ofw_kernels_avx512;
void ofw_words_avx512(ofw_rng_key key, size_t first, size_t blocks, uint32_t *out);
/* Words by a function for blocks whose numbers agree in all but the lower 32 bits. */
void ofw_words_near(void (*near)(ofw_rng_key key, uint64_t first, size_t blocks, uint32_t *out), ofw_rng_key key,
                    size_t first, size_t blocks, uint32_t *out);

/* The variant in use, over doubles. */
const ofw_kernels *ofw_kernels_chosen(void);

/* The same with the variant in use, over doubles. */
double ofw_dot(size_t n, const double *a, const double *b);
void ofw_axpy(size_t n, double c, const double *a, double *y);
double ofw_largest(size_t n, const double *a); /* max |a_i| */
/* With A = 2^-exponent * a:  u = A v,  w = A' u. An exponent other than 0 is for rare sizes, and slower. */
void ofw_pass(size_t rows, size_t cols, const double *a, int exponent, const double *v, double *u, double *w);

/* The first i with the least a_i, and the first with the largest |a_i|: what oracles over vertices on the axes look for. */
size_t ofw_lowest(size_t n, const double *a);
size_t ofw_steepest(size_t n, const double *a);

/* |a| without overflow or underflow on the way */
double ofw_norm(size_t n, const double *a);
/* the same of any table's numbers, from what `measure` said of all of them */
double ofw_norm_measured(const ofw_kernels *kernels, size_t n, const void *a, double largest, double square);
/* The e at which numbers up to `largest`, divided by 2^e, have squares that are doubles; 0 if they have anyway. */
int ofw_safe_exponent(double largest);
/* the position of the first NaN or infinity; n: none */
size_t ofw_first_not_finite(size_t n, const double *a);
