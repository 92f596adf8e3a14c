/* recommender.h — ratings predicted one by one, each before it is learned from
 *
 * An application of the library, and none of the paper's learners. Ratings are put on a scale four wide around 0, then
 *
 *     x_ij = mu + w . (1, b_i, c_j, <p_i, q_j>, s_i, ln(1 + n_j) - mean, 1 / (1 + n_j))
 *
 * b_i, p_i  the user's row: a ridge regression of their ratings on the items' factors, in which old ratings count less; it is
 *           solved again after each of their ratings (row_step.h)
 * c_j, q_j  the item's column: the bias is corrected after each rating, both are solved again in a replay (recommender_replay.c)
 * s_i       the user's session: how far the row was off lately
 * n_j       how often the item was rated
 * w         least squares over all predictions so far, from (0, 1, 1, 1, 0, 0, 0) on (mixing.h)
 *
 * A replay goes over all ratings seen: an atom from the trace-norm oracle, fully corrective weights, columns, rows. Replays are made
 * after `batch` ratings, and when the number of ratings has grown by `growth`, so they cost a constant factor per rating.
 *
 * A cap limits the mean score of a group of items (cap.h). ofw/recommend.h is what programs outside of the tree use (recommend.c).
 */
#pragma once

#include "base/option_table.h"

#include <ofw/recommend.h>
#include <ofw/state.h>

enum { RECOMMENDER_SINGLE = 1 };
/* Constants: chosen on generated ratings and on the first tenth of one stream (docs/recommend.md). */
typedef struct recommender_constants {
  uint64_t rank;                        /* factors; 0: biases alone */
  double ridge, user_ridge, item_ridge; /* of factors and of the two biases */
  double forget, session;               /* what a rating counts after the user's next one: in the row, in the session */
  uint64_t batch;                       /* ratings between replays, at least */
  double growth;                        /* the same as a share of those seen */
  double slack;                         /* on the cap */
  int atoms;                            /* 0: off; RECOMMENDER_SINGLE; 2: on */
  int row_step, mixing;                 /* 0: off, for comparison */
} recommender_constants;
/* Their table: names, defaults, ranges, help. */
extern const ofw_option recommender_options[];

typedef struct recommender_settings {
  size_t users, items;
  double lowest, highest; /* of the scale; predictions are in it */
  uint64_t seed;          /* of the oracle's start vectors */
  recommender_constants constants;
  size_t group;            /* items whose scores are capped; 0: none are */
  const uint32_t *grouped; /* which they are; only read by recommender_create */
  double cap;              /* on the mean score of the group */
  size_t round;            /* ratings per round, over which the mean is taken */
} recommender_settings;

typedef struct recommender recommender;

typedef ofw_recommender_account recommender_account;

/* NULL: err says why. */
recommender *recommender_create(const recommender_settings *s, ofw_error *err);
void recommender_free(recommender *r);

/* OFW_BAD_DATA: there is no such user or item. Both count from 0. */
ofw_status recommender_check_pair(const recommender *r, size_t user, size_t item, ofw_error *err);
/* The score of a pair; nothing changes. */
double recommender_predict(const recommender *r, size_t user, size_t item);
/* Predicts a rating, notes how far off that was, and learns from it. OFW_BAD_DATA: it is not on the scale, or an id is too large;
 * nothing has changed then. OFW_FAILED, OFW_NUMERICAL: it was learned, and a replay failed. prediction may be NULL. */
ofw_status recommender_rate(recommender *r, size_t user, size_t item, double rating, double *prediction,
                            ofw_error *err);
/* The k items that a user has not rated yet with the largest scores, largest first; of two alike the lower number. *n: how many
 * there were. item and score have room for k. */
ofw_status recommender_top(const recommender *r, size_t user, size_t k, size_t *item, double *score, size_t *n,
                           ofw_error *err);
const recommender_account *recommender_accounts(const recommender *r);

/* Bit for bit: a loaded one goes on as the saved one would have. Loading needs the settings of the saved one, and `config` the same
 * text, which says what else matters, such as the ratings to come. */
ofw_status recommender_save(recommender *r, const char *config, ofw_state *state, ofw_error *err);
ofw_status recommender_load(recommender *r, const char *config, const ofw_state *state, ofw_error *err);
