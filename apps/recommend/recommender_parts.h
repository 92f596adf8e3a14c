/* recommender_parts.h — the parts of a recommender */
#pragma once

#include "cap.h"
#include "mixing.h"
#include "recommender.h"
#include "row_step.h"

#include "linalg/lanczos.h"

#define RECOMMENDER_SCALE 2.0 /* within, ratings are from -2 to 2 */

/* A rating that was seen, on the scale within. */
typedef struct seen {
  uint32_t user, item;
  double value;
} seen;

struct recommender {
  ofw_owned own;
  recommender_settings s;
  size_t width;        /* 1 + rank: numbers of a row */
  double middle, unit; /* of the caller's scale: a rating is (rating - middle) / unit within */
  recommender_account account;

  seen *history; /* in the order in which they came */
  size_t count, room;
  size_t loading;       /* how many a state that has been checked holds */
  uint64_t next_replay; /* how many ratings will have been seen then */
  uint64_t replays;

  double sum;           /* of all ratings: mu = sum / (1 + count), as if there had been one more, of 0 */
  double logs;          /* sum of ln(1 + n_j) over all predictions */
  double *row, *column; /* users x width: b_i, p_i; items x width: c_j, q_j */
  double *equations;    /* of the users' rows, row_words(width) each */
  double *misses;       /* per item: (n_j + item_ridge) c_j, the sum that its bias is made of */
  double *times;        /* per item: n_j */
  double *log_times;    /* per item: ln(1 + n_j) */
  double *session;      /* per user: two sums, of how far the row was off, and of what that counts */
  mixing mixing;
  cap_state cap;

  ofw_lanczos *lanczos;     /* NULL: no atoms are asked for */
  double *column_equations; /* room for a replay: as `equations`, of the columns */
  double *residual;         /* the same, per rating */
  size_t residual_room;
};

/* Goes over all ratings seen; there is room for it. */
ofw_status replay(recommender *r, ofw_error *err);

/* A pair's score before the cap, on the scale within and not clipped. */
double score_within(const recommender *r, size_t user, size_t item);

ofw_status cap_open(recommender *r, ofw_error *err);
/* The price of a user's scores; an item pays it times its share. 0: there is no cap. */
double cap_price(const recommender *r, size_t user);
/* The same of a prediction that is made: the round has met the user. */
double cap_meet(recommender *r, size_t user);
/* A rating has been learned; a round may be over. */
void cap_count(recommender *r);

static inline double mean_of(const recommender *r)
{
  return r->sum / (1.0 + (double)r->count);
}
static inline double *row_of(const recommender *r, size_t user)
{
  return r->row + user * r->width;
}
static inline double *column_of(const recommender *r, size_t item)
{
  return r->column + item * r->width;
}
/* <p_i, q_j> */
static inline double taste_of(const recommender *r, size_t user, size_t item)
{
  const double *row = row_of(r, user), *column = column_of(r, item);
  double x = 0.0;
  for (size_t a = 1; a < r->width; a++)
    x += row[a] * column[a];
  return x;
}
/* An observation of a row: 1 and the factors of the other side. */
static inline void features_of(const recommender *r, const double *other, double f[ROW_MOST])
{
  f[0] = 1.0;
  for (size_t a = 1; a < r->width; a++)
    f[a] = other[a];
}
