/* recommend.h — ratings predicted one by one, each before it is learned from
 *
 *     ofw_error err;
 *     ofw_recommender *r = ofw_recommender_create("users=943,items=1682,lowest=1,highest=5", &err);
 *     ofw_recommender_predict(r, user, item, &score);            what the user would give
 *     ofw_recommender_rate(r, user, item, rating, &prediction);  what they gave: it is predicted, then learned from
 *     ofw_recommender_top(r, user, 10, items, scores, &n);       what to show them
 *     ofw_recommender_free(r);
 *
 * This application has its own library, libofw-recommend (`pkg-config ofw-recommend`, in CMake ofw::recommend). It does the
 * same as `ofw recommend`; docs/recommend.md explains the method. No bound on its errors is proved.
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

/* A handle on a recommender with its memory. */
typedef struct ofw_recommender ofw_recommender;

/* How good its predictions were so far. */
typedef struct ofw_recommender_account {
  uint64_t ratings;    /* predicted and learned from */
  uint64_t rounds;     /* finished rounds of the cap */
  double square_error; /* sum of (prediction - rating)^2 */
  double error;        /* sum of |prediction - rating| */
  double violation;    /* sum over rounds of (mean score - cap)^+ */
} ofw_recommender_account;

/* Makes a recommender from a spec, key=value,key=value:
 *
 *     users, items       the number of each; both are required
 *     lowest, highest    the scale of ratings; left out: 1 and 5. Predictions stay on the scale
 *     seed               of the oracle's start vectors; left out: 1
 *
 * The constants of the method are further keys; `man ofw-recommend` lists them with their defaults.
 * Returns NULL on failure; err (may be NULL) says why. */
OFW_API ofw_recommender *ofw_recommender_create(const char *spec, ofw_error *err);
/* NULL is accepted. */
OFW_API void ofw_recommender_free(ofw_recommender *r);
/* Keeps the mean score of a group of items at or below a cap: the mean over the group and over the users of a round, which
 * has per_round ratings. OFW_USAGE: a rating has been learned already, the cap is off the scale, or the group is empty,
 * names an item twice or names one that does not exist. The items are copied. */
OFW_API ofw_status ofw_recommender_cap(ofw_recommender *r, double cap, size_t items, const size_t *item,
                                       size_t per_round);

/* The score of a pair; nothing is learned. OFW_BAD_DATA: there is no such user or item. */
OFW_API ofw_status ofw_recommender_predict(ofw_recommender *r, size_t user, size_t item, double *score);
/* Predicts a rating, adds the error to the account, and learns from the rating; prediction may be NULL. OFW_BAD_DATA: there
 * is no such user or item, or the rating is off the scale. OFW_FAILED, OFW_NUMERICAL: the rating was learned, but a replay
 * that was due failed; you can still use the recommender. */
OFW_API ofw_status ofw_recommender_rate(ofw_recommender *r, size_t user, size_t item, double rating,
                                        double *prediction);
/* The k items with the largest scores among those that a user has not rated yet, the largest first; of equal scores the lower
 * item comes first. *n is the number of results, at most k. item and score need room for k. */
OFW_API ofw_status ofw_recommender_top(ofw_recommender *r, size_t user, size_t k, size_t *item, double *score,
                                       size_t *n);
/* Up to date after every call; valid until the recommender is freed or given a cap. */
OFW_API const ofw_recommender_account *ofw_recommender_accounts(const ofw_recommender *r);
/* Why the last call on this handle failed; "" if it did not. */
OFW_API const char *ofw_recommender_error(const ofw_recommender *r);

/* Writes the recommender's state to a file, bit for bit. When this returns, the file is on the disk and the previous one is
 * path.1; on failure the old file is unchanged. */
OFW_API ofw_status ofw_recommender_save(ofw_recommender *r, const char *path);
/* Reads a state into a recommender that was made from the same spec, with the same cap; it then continues as the saved one
 * would have. A file that is damaged or does not fit is refused and changes nothing (OFW_BAD_DATA). OFW_END: there is no
 * such file. */
OFW_API ofw_status ofw_recommender_load(ofw_recommender *r, const char *path);

#ifdef __cplusplus
}
#endif
#endif
