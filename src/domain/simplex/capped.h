/* capped.h — sets with a cap on each coordinate and one on their sum
 *
 *     hypersimplex       0 <= x_i <= a     sum x_i  = k a
 *     unit-hypersimplex  0 <= x_i <= a     sum x_i <= k a
 *     k-sparse           |x_i| <= a        sum |x_i| <= k a
 *     capped-simplex     0 <= x_i <= u_i   sum x_i  = s
 *
 * Oracle  the coordinates are filled in the order of d_i (with signs: of -|d_i|), of equal ones the lowest index first,
 *         each as far as its cap goes, until they sum up; if the sum may be less, those alone along which <d, x>
 *         falls. At most eight reads of d find the last that is filled, two more fill; nothing is sorted
 * Project the t with sum clip(y_i - t, 0, u_i) = s, by halving between numbers (a pass each, about log2 n and a dozen)
 *         until no y_i is left in between, then by Newton's steps
 */
#pragma once

#include "domain/set.h"

/* Caps and sum are in units, so that equal caps sum up exactly. */
typedef struct ofw_capped {
  double unit, sum;
  const double *caps; /* K's; NULL: 1 for all */
  int at_most;        /* the sum is at most that; else it is that */
  int signs;          /* caps and sum are of |x_i| */
} ofw_capped;

/* K with its functions. Radii and centre are left to the caller. */
ofw_status ofw_capped_build(ofw_domain *K, size_t dim, ofw_capped c, ofw_error *err);

/* What sets with equal caps are given by. */
typedef struct ofw_capped_options {
  uint64_t dim, k;
  double radius;
} ofw_capped_options;
extern const ofw_option ofw_capped_table[];

/* k is no more than dim, or a message that begins with the set's name. */
ofw_status ofw_capped_check(const char *owner, const ofw_capped_options *o, ofw_error *err);
