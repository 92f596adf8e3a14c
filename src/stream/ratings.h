/* ratings.h — generated ratings: users, items, 1..5, from a low-rank truth
 *
 * truth_ij = 3.5 + b_i + c_j + <p_i, q_j>, a rating is the truth plus noise, rounded and kept in 1..5. Which pairs are
 * rated follows long-tailed activities of users and popularities of items.
 */
#ifndef OFW_SRC_RATINGS_H
#define OFW_SRC_RATINGS_H

#include "base/base.h"

typedef struct ofw_ratings {
  size_t users, items, count;
  size_t *cell; /* user * items + item, increasing */
  float *value; /* what was rated */
  float *truth; /* what it was drawn from */
} ofw_ratings;

ofw_status ofw_ratings_generate(ofw_ratings *r, size_t users, size_t items, size_t count, size_t rank, uint64_t seed,
                                ofw_error *err);
void ofw_ratings_free(ofw_ratings *r);

#endif
