/* lanczos.h — the top singular pair of a matrix that is known by passes
 *
 * Lanczos on A'A from a random start v_1 with full reorthogonalisation: a step costs one pass (u = A v, w = A' u).
 *
 *     A'A V_k = V_k T_k + b_k v_{k+1} e_k'      T_k tridiagonal, diagonal a_j, off-diagonal b_j
 *
 * With theta^2 the largest eigenvalue of T_k and y its vector, v = V_k y and u = A v / theta is the pair;
 * |A' u - theta v| = b_k |y_k| / theta is its residual.
 *
 * A small residual says only that some singular value is near theta. Two bounds say how far sigma_1 can be above:
 *
 *   always     sigma_1^2 <= theta^2 + |A|_F^2 - sum_j a_j      (what V_k has not seen of the Frobenius norm)
 *   probably   v_{k+1} = p_k(A'A) v_1 with the Lanczos polynomial p_k, so p_k(sigma_1^2)^2 <v_1, top>^2 <= 1. A uniform
 *              random v_1 in n dimensions has |<v_1, top>| >= c with probability >= 1 - delta for
 *              c = delta sqrt(pi / 2n), and p_k grows beyond its largest root theta^2: so sigma_1^2 is at most
 *              the point where p_k reaches 1/c, with probability >= 1 - delta.
 *              (van Dorsselaer, Hochstenbach, van der Vorst, SIAM J. Matrix Anal. Appl. 22, 2000)
 *
 * Where b_k falls to rounding, the basis spans an invariant space and is continued from another random vector
 * orthogonal to it; the second bound then speaks of that sequence.
 */
#ifndef OFW_SRC_LANCZOS_H
#define OFW_SRC_LANCZOS_H

#include "base/base.h"

#include <ofw/vec.h>

/* The probability that the second bound fails, for one call. */
#define OFW_LANCZOS_DELTA 1e-6

typedef struct ofw_lanczos ofw_lanczos; /* room for a basis; no state outlasts a call */

typedef struct ofw_singular {
  double value;        /* theta */
  const double *u, *v; /* unit vectors; valid until the next call */
  double above;        /* sigma_1 <= value + above */
  int proven;          /* 1: by the first bound; 0: by the second */
  size_t passes;
} ofw_singular;

ofw_status ofw_lanczos_open(size_t rows, size_t cols, ofw_lanczos **out, ofw_error *err);
void ofw_lanczos_close(ofw_lanczos *l);

/* pass(ctx, v, u, w): u = A v, w = A' u; square = |A|_F^2 > 0. Goes on until the residual is at most `relative` * theta
 * and `above` at most min(relative * theta, absolute), or until it has begun anew too often: `above` says what was
 * reached. Small matrices are always solved to the last digit. */
ofw_status ofw_lanczos_top(ofw_lanczos *l, void (*pass)(const void *ctx, const double *v, double *u, double *w),
                           const void *ctx, double square, ofw_rng_key start, double relative, double absolute,
                           ofw_singular *out, ofw_error *err);

#endif
