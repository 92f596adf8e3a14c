/* lanczos.h — the top singular pair of a matrix that is known by passes, or the least eigenpair of a symmetric one
 *
 * Lanczos on M = A'A from a random start v_1: a step costs one pass (u = A v, w = A' u). Only the v_j are kept
 * orthogonal. A full basis is restarted thick: its best Ritz vectors y_i stay in front,
 *
 *     M V = V H + b_k v_{k+1} e_k'      H = [ diag(t_i)  s    ]     M y_i = t_i y_i + s_i v_{r+1}
 *                                           [ s'         T    ]     T tridiagonal, diagonal a_j, off-diagonal b_j
 *
 * With theta^2 the largest eigenvalue of H and y its vector, v = V y and u = A v / theta is the pair;
 * |A' u - theta v| = b_k |y_k| / theta is its residual.
 *
 * A small residual says only that some singular value is near theta. Two bounds say how far sigma_1 can be above:
 *
 *   always     sigma_1^2 <= theta^2 + |A|_F^2 - |A V_k|_F^2      (what V_k has not seen of the Frobenius norm)
 *   probably   every basis vector is a polynomial of M applied to the start, v_j = p_j(M) v_1, and the p_j grow beyond
 *              theta^2. The top right vector has length 1, so sum_j p_j(sigma_1^2)^2 <v_1, top>^2 <= 1. A uniform
 *              random v_1 in n dimensions has |<v_1, top>| >= c with probability >= 1 - delta for
 *              c = delta sqrt(pi / 2n): so sigma_1^2 is at most the point where sum_j p_j^2 reaches 1/c^2, with
 *              probability >= 1 - delta, whatever the matrix is.
 *              (after van Dorsselaer, Hochstenbach, van der Vorst, SIAM J. Matrix Anal. Appl. 22, 2000, who use p_k
 *              alone; a restart carries the p_j on, since (x - t_i) p_{y_i}(x) = s_i p_{r+1}(x))
 *
 * If b_k falls to rounding, the basis spans an invariant space and is continued from another random vector
 * orthogonal to it; the second bound then speaks of that sequence.
 *
 * For a symmetric S the same is done with M = c I - S, c above every |eigenvalue|: theta is M's largest eigenvalue itself,
 * c - theta the least of S, and tr M takes the place of |A|_F^2 in the first bound, which then proves little before the
 * basis spans the space. Polynomials of M are those of S, so the second bound is as sharp as ever.
 */
#pragma once

#include "base/ranks.h"

#include <ofw/vec.h>

/* The probability that `above` fails, for one call, on the worst of matrices. */
#define OFW_LANCZOS_DELTA 1e-3

typedef struct ofw_lanczos ofw_lanczos; /* room for a basis, and the last search */

enum {
  OFW_LANCZOS_BASIS = 128, /* vectors of a basis, at most */
  OFW_LANCZOS_SMALL = 32   /* so few columns are always taken to the end: exactness costs next to nothing */
};

/* How rough passes are: they are of a B with |A - B|_F <= apart |A|_F, |u - B v| <= grain |A|_F and |w - B' u| <= grain |A|_F |u|.
 * grain = 0: they are passes of B as exact as others are of A. */
typedef struct ofw_rough {
  double apart, grain;
} ofw_rough;

/* What a search reads where the vectors are kept: the matrix, or copies of it of 32 or 16 bits. */
typedef enum ofw_grade { OFW_ALL_DIGITS, OFW_32_BITS, OFW_16_BITS, OFW_GRADES } ofw_grade;

/* The vectors of a search, if they are kept where the matrix is and not here: on a device. Slot j has v_j, and A v_j. */
typedef struct ofw_krylov {
  /* Slot k is a random direction, drawn by the key, made orthogonal to the slots before it and of length 1. A is 2^-exponent
   * times the matrix from now on, or, for a rough search, a B near to it. How long the direction's orthogonal part was, of 1. */
  double (*begin)(const struct ofw_krylov *at, ofw_grade grade, int exponent, size_t k, ofw_rng_key start);
  /* w = A' A v_k, made orthogonal to slots 0 .. k: |A v_k|^2, and b = |w| */
  double (*extend)(const struct ofw_krylov *at, size_t k, double *b);
  void (*accept)(const struct ofw_krylov *at, size_t k); /* slot k is w / b */
  /* The first n slots become sum_j y_ij of the first k; y_i begins at y + (n - 1 - i) k. Then w is as it was. */
  void (*rotate)(const struct ofw_krylov *at, size_t k, size_t n, const double *y);
  /* v = sum_j y_j v_j and u likewise of the A v_j, each divided by its length; valid until the next call */
  void (*compose)(const struct ofw_krylov *at, size_t k, const double *y, const double **u, const double **v);
  ofw_rough rough[OFW_GRADES]; /* of its searches; a grain of 0: rounded alone, or, of a copy, there is none */
  void *ctx;
} ofw_krylov;

typedef struct ofw_singular {
  double value;        /* theta */
  const double *u, *v; /* unit vectors; valid until the next call */
  double above;        /* sigma_1 <= value + above */
  int proven;          /* 1: by the first bound; 0: by the second, with probability 1 - OFW_LANCZOS_DELTA */
  size_t passes;
} ofw_singular;

/* It is own's. `rows` are those that are here: if ranks share them, so do the u, and all ranks search together. */
ofw_status ofw_lanczos_open(ofw_owned *own, size_t rows, size_t cols, const ofw_split *split, ofw_lanczos **out,
                            ofw_error *err);

/* pass(ctx, v, u, w): u = A v, w = A' u; square = |A|_F^2 > 0. Goes on until
 *
 *     the residual is at most 3 relative * theta, and the last pass raised theta by at most a quarter of the relative
 *         accuracy: if every pass still gains much, the next one is well spent,
 *     sigma_1 <= (1 + relative) theta, but for a probability of 500 relative, which is taken to lie between 1e-3 and 1/2,
 *     above <= absolute,
 *
 * or until it has restarted too often: `above` says what was reached. Who asks for little need not be sure of it: at
 * 1e-2 the even odds are those of the worst matrix, and docs/performance.md has what is measured. Small matrices are
 * always solved to the last digit. */
ofw_status ofw_lanczos_top(ofw_lanczos *l, void (*pass)(const void *ctx, const double *v, double *u, double *w),
                           const void *ctx, double square, ofw_rng_key start, double relative, double absolute,
                           ofw_singular *out, ofw_error *err);
/* The same with vectors that are kept elsewhere, of 2^-exponent times the matrix that is there; by a rough search, as below, if a
 * copy is to be read. */
ofw_status ofw_lanczos_top_at(ofw_lanczos *l, const ofw_krylov *at, ofw_grade grade, int exponent, double square,
                              ofw_rng_key start, double relative, double absolute, ofw_singular *out, ofw_error *err);

/* The same with passes that are off by more than rounding, such as those over a rough copy. `above` counts that, so it holds for A itself,
 * and <u, A v> is at least value - above. The second bound takes it that the errors of passes do not conspire with the first vector,
 * which they may depend on: that is not proved. If grain = 0 there are no such errors, and the bounds are those of B.
 * OFW_UNSUPPORTED, with no error set: the accuracy was not reached, because the passes are too rough or, if grain > 0, the basis is
 * full or spans an invariant space; *out has the passes alone, and a search with better ones starts from the beginning. */
ofw_status ofw_lanczos_rough(ofw_lanczos *l, void (*pass)(const void *ctx, const double *v, double *u, double *w),
                             const void *ctx, double square, ofw_rough how, ofw_rng_key start, double relative,
                             double absolute, ofw_singular *out, ofw_error *err);

/* The last search of a top pair, which gave an answer, goes on to these accuracies. The matrix is the same, and so is the answer as
 * if they had been asked for at once; *out has the passes since then. */
ofw_status ofw_lanczos_further(ofw_lanczos *l, double relative, double absolute, ofw_singular *out, ofw_error *err);

/* The least eigenvalue of S and its vector v; there is no u, and none is below value - above. Opened with no rows.
 * times(ctx, v, w): w = S v; size > 0 is at least every |eigenvalue|, trace is that of S. Goes on as
 * above, `relative` being that of |value|, or until what is left is rounding of numbers of that size. */
ofw_status ofw_lanczos_least(ofw_lanczos *l, void (*times)(const void *ctx, const double *v, double *w),
                             const void *ctx, double size, double trace, ofw_rng_key start, double relative,
                             double absolute, ofw_singular *out, ofw_error *err);
