/* recommend.h — ratings predicted one by one, each before it is learned from
 *
 *     ofw_error err;
 *     ofw_recommender *r = ofw_recommender_create("users=943,items=1682,lowest=1,highest=5", &err);
 *     ofw_recommender_predict(r, user, item, &score);            what the user would give
 *     ofw_recommender_rate(r, user, item, rating, &prediction);  what they gave: it is predicted, then learned from
 *     ofw_recommender_top(r, user, 10, items, scores, &n);       what to show them
 *     ofw_recommender_free(r);
 *
 * This is an application of the library, in a library of its own: libofw-recommend (`pkg-config ofw-recommend`, in CMake
 * ofw::recommend). It does what `ofw recommend` does; docs/recommend.md says how. No bound is proved for its errors.
 *
 * Users and items are numbered from 0. A refusal (OFW_USAGE, OFW_BAD_DATA) changes nothing. One recommender belongs to one
 * thread at a time; two recommenders may run in two threads.
 */
#ifndef OFW_RECOMMEND_H
#define OFW_RECOMMEND_H

#include <ofw/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A handle on a recommender and all that it remembers. */
typedef struct ofw_recommender ofw_recommender;

/* How good its predictions were so far. */
typedef struct ofw_recommender_account {
  uint64_t ratings;    /* predicted and learned from */
  uint64_t rounds;     /* of the cap, those that are over */
  double square_error; /* sum of (prediction - rating)^2 */
  double error;        /* sum of |prediction - rating| */
  double violation;    /* sum over rounds of (mean score - cap)^+ */
} ofw_recommender_account;

/* The recommender that a spec describes, key=value,key=value:
 *
 *     users, items       how many there are; both are needed
 *     lowest, highest    the scale of ratings; left out: 1 and 5. Predictions are never off the scale
 *     seed               of the oracle's start vectors; left out: 1
 *
 * and the constants of the method, of which `ofw help recommend` has the list; left out: the defaults.
 * NULL if it cannot be made; err (may be NULL) says why. */
OFW_API ofw_recommender *ofw_recommender_create(const char *spec, ofw_error *err);
/* NULL is accepted. */
OFW_API void ofw_recommender_free(ofw_recommender *r);
/* Keeps the mean score of a group of items at or below a cap: the mean over the group and over the users of a round, and a
 * round is so many ratings. OFW_USAGE: a rating has been learned already, the cap is off the scale, or the group is
 * empty, has an item twice or has one that is too large. The items are copied. */
OFW_API ofw_status ofw_recommender_cap(ofw_recommender *r, double cap, size_t items, const size_t *item,
                                       size_t per_round);

/* The score of a pair; nothing is learned. OFW_BAD_DATA: there is no such user or item. */
OFW_API ofw_status ofw_recommender_predict(ofw_recommender *r, size_t user, size_t item, double *score);
/* Predicts a rating, notes how far off that was, and learns from it; prediction may be NULL. OFW_BAD_DATA: there is no such
 * user or item, or the rating is off the scale. OFW_FAILED, OFW_NUMERICAL: it was learned, and a pass over all ratings
 * that was due failed; the recommender can be used on. */
OFW_API ofw_status ofw_recommender_rate(ofw_recommender *r, size_t user, size_t item, double rating,
                                        double *prediction);
/* The k items with the largest scores that a user has not rated yet, largest first; of two alike the lower number.
 * *n: how many there were. item and score have room for k. */
OFW_API ofw_status ofw_recommender_top(ofw_recommender *r, size_t user, size_t k, size_t *item, double *score,
                                       size_t *n);
/* Up to date after every call; valid until the recommender is freed or given a cap. */
OFW_API const ofw_recommender_account *ofw_recommender_accounts(const ofw_recommender *r);
/* Why the last call on this handle failed; "" if it did not. */
OFW_API const char *ofw_recommender_error(const ofw_recommender *r);

/* Writes all that it remembers to a file, bit for bit. The file is on the disk when this returns, and the one before it is
 * kept as path.1; if it fails, the old file is unchanged. */
OFW_API ofw_status ofw_recommender_save(ofw_recommender *r, const char *path);
/* Reads it back into a recommender that was made from the same spec, with the same cap. It continues as the saved one would
 * have. A file that is damaged or does not fit is refused and changes nothing (OFW_BAD_DATA). OFW_END: there is no such
 * file. */
OFW_API ofw_status ofw_recommender_load(ofw_recommender *r, const char *path);

#ifdef __cplusplus
}
#endif
#endif
