/* recommender.c — makes a recommender, computes scores and learns from ratings */
#include "recommender_parts.h"

#include "base/limits.h"

#include <math.h>
#include <stdlib.h>

#define AT(field) offsetof(recommender_constants, field)
const ofw_option recommender_options[] = {
    OFW_COUNT_ROW(AT(rank), "rank", "8", NULL, 0, ROW_MOST - 1, "number of factors of users and items; 0: only biases"),
    OFW_REAL_ROW(AT(ridge), "ridge", "8", NULL, 1e-3, 1e9, "weight of the trace norm, and of the squared factors"),
    OFW_REAL_ROW(AT(user_ridge), "user_ridge", "4", NULL, 1e-3, 1e9, "weight of a user's squared bias"),
    OFW_REAL_ROW(AT(item_ridge), "item_ridge", "4", NULL, 1e-3, 1e9, "weight of an item's squared bias"),
    OFW_REAL_ROW(AT(forget), "forget", "0.99", NULL, 0, 1,
                 "weight of a rating in the user's row after the user's next rating"),
    OFW_REAL_ROW(AT(session), "session", "0.8", NULL, 0, 1, "the same in the row of the user's session"),
    OFW_COUNT_ROW(AT(batch), "batch", "500", NULL, 1, OFW_MOST_RATINGS, "least number of ratings between two replays"),
    OFW_REAL_ROW(AT(growth), "growth", "0.05", NULL, 0, 100, "the same, as a share of the ratings seen so far"),
    OFW_REAL_ROW(AT(slack), "slack", "0", NULL, -1e100, 1e100,
                 "how far above the cap a round's mean score may be; negative: a margin below it"),
    OFW_CHOICE_ROW(AT(atoms), "atoms", "on", NULL, "off|single|on",
                   "new atoms in replays. off: none; single: each with its own weight; on: with fully corrective "
                   "weights of all atoms"),
    OFW_CHOICE_ROW(AT(row_step), "row_step", "on", NULL, "off|on", "off: rows are solved only in replays"),
    OFW_CHOICE_ROW(AT(mixing), "mixing", "on", NULL, "off|on", "weigh the parts of a prediction by least squares"),
    {0},
};
static const double session_ridge = 2.0;

/* ---- making one ---- */

static ofw_status check_settings(const recommender_settings *s, ofw_error *err)
{
  if (s->users < 1 || s->users > OFW_MOST_SIDE || s->items < 1 || s->items > OFW_MOST_SIDE)
    return ofw_fail(err, OFW_USAGE, "recommender: found %zu users and %zu items, expected 1 to %d of each", s->users,
                    s->items, OFW_MOST_SIDE);
  if (!isfinite(s->lowest) || !isfinite(s->highest) || !(s->lowest < s->highest) || s->highest - s->lowest > 1e100)
    return ofw_fail(err, OFW_USAGE, "recommender: expected a scale from a lower number to a higher one");
  if (s->constants.rank >= ROW_MOST)
    return ofw_fail(err, OFW_USAGE, "recommender: found rank %llu, expected at most %d",
                    (unsigned long long)s->constants.rank, ROW_MOST - 1);
  return OFW_OK;
}

static ofw_status open_parts(recommender *r, ofw_error *err)
{
  ofw_owned *own = &r->own;
  size_t m = r->s.users, n = r->s.items, words = row_words(r->width);
  if (!ofw_fits((double)(m + n) * (double)(words + r->width) * sizeof(double)))
    return ofw_fail_memory(err, (m + n) * (words + r->width) * sizeof(double));
  r->row = ofw_owned_doubles(own, m * r->width);
  r->column = ofw_owned_doubles(own, n * r->width);
  r->equations = ofw_owned_doubles(own, m * words);
  r->column_equations = ofw_owned_doubles(own, n * words);
  r->misses = ofw_owned_doubles(own, n);
  r->times = ofw_owned_doubles(own, n);
  r->log_times = ofw_owned_doubles(own, n);
  r->session = ofw_owned_doubles(own, 2 * m);
  OFW_TRY(ofw_owned_check(own, err));
  OFW_TRY(cap_open(r, err));
  mixing_open(&r->mixing);
  r->next_replay = r->s.constants.batch;
  return r->s.constants.rank && r->s.constants.atoms ? ofw_lanczos_open(own, m, n, NULL, &r->lanczos, err) : OFW_OK;
}

recommender *recommender_create(const recommender_settings *s, ofw_error *err)
{
  if (check_settings(s, err) != OFW_OK)
    return NULL;
  recommender *r = calloc(1, sizeof *r);
  if (!r) {
    ofw_fail_memory(err, sizeof *r);
    return NULL;
  }
  r->s = *s;
  r->width = 1 + (size_t)s->constants.rank;
  r->middle = s->lowest + (s->highest - s->lowest) / 2.0;
  r->unit = (s->highest - s->lowest) / (2.0 * RECOMMENDER_SCALE);
  if (open_parts(r, err) != OFW_OK) {
    recommender_free(r);
    return NULL;
  }
  r->s.grouped = NULL; /* the caller's */
  return r;
}

void recommender_free(recommender *r)
{
  if (!r)
    return;
  free(r->history);
  free(r->residual);
  ofw_owned_free(&r->own);
  free(r);
}

const recommender_account *recommender_accounts(const recommender *r)
{
  return &r->account;
}

/* ---- scores ---- */

/* The parts of a score beside mu, as mixing.h weighs them. */
static void parts_of(const recommender *r, size_t user, size_t item, double f[MIXED])
{
  const double *session = r->session + 2 * user;
  f[0] = 1.0;
  f[1] = row_of(r, user)[0];
  f[2] = column_of(r, item)[0];
  f[3] = taste_of(r, user, item);
  f[4] = session[0] / (session[1] + session_ridge);
  f[5] = r->log_times[item] - r->logs / (1.0 + (double)r->count);
  f[6] = 1.0 / (1.0 + r->times[item]);
}

static double mix(const recommender *r, const double f[MIXED])
{
  return mean_of(r) + (r->s.constants.mixing ? mixing_of(&r->mixing, f) : f[1] + f[2] + f[3]);
}

double score_within(const recommender *r, size_t user, size_t item)
{
  double f[MIXED];
  parts_of(r, user, item, f);
  return mix(r, f);
}

/* As it is shown: the price off, on the caller's scale, clipped. */
static double shown(const recommender *r, size_t item, double score, double price)
{
  score -= r->cap.group ? price * r->cap.item_share[item] : 0.0;
  return fmin(r->s.highest, fmax(r->s.lowest, r->middle + r->unit * score));
}

ofw_status recommender_check_pair(const recommender *r, size_t user, size_t item, ofw_error *err)
{
  if (user < r->s.users && item < r->s.items)
    return OFW_OK;
  return ofw_fail(err, OFW_BAD_DATA, "recommender: found user %zu and item %zu, expected numbers below %zu and %zu",
                  user, item, r->s.users, r->s.items);
}

double recommender_predict(const recommender *r, size_t user, size_t item)
{
  return shown(r, item, score_within(r, user, item), cap_price(r, user));
}

ofw_status recommender_top(const recommender *r, size_t user, size_t k, size_t *item, double *score, size_t *found,
                           ofw_error *err)
{
  size_t n = 0;
  double price = cap_price(r, user);
  unsigned char *rated = calloc(r->s.items, 1);
  if (!rated)
    return ofw_fail_memory(err, r->s.items);
  for (size_t s = 0; s < r->count; s++)
    if (r->history[s].user == user)
      rated[r->history[s].item] = 1;
  for (size_t j = 0; j < r->s.items; j++) {
    double x = rated[j] ? 0.0 : shown(r, j, score_within(r, user, j), price);
    if (rated[j] || (n == k && (k == 0 || x <= score[k - 1])))
      continue;
    size_t at = n < k ? n++ : k - 1;
    for (; at > 0 && score[at - 1] < x; at--) {
      score[at] = score[at - 1];
      item[at] = item[at - 1];
    }
    score[at] = x;
    item[at] = j;
  }
  free(rated);
  *found = n;
  return OFW_OK;
}

/* ---- learning ---- */

/* How far the row was off, lately. */
static void learn_session(recommender *r, size_t user, double off)
{
  double *sum = r->session + 2 * user;
  sum[0] = r->s.constants.session * sum[0] + off;
  sum[1] = r->s.constants.session * sum[1] + 1.0;
}

/* The row step; then the item's bias follows. */
static void learn_row(recommender *r, size_t user, size_t item, double value)
{
  const recommender_constants *c = &r->s.constants;
  double f[ROW_MOST], *row = row_of(r, user), *column = column_of(r, item), mu = mean_of(r);
  double *equations = r->equations + user * row_words(r->width);
  features_of(r, column, f);
  row_add(r->width, equations, c->forget, f, value - mu - column[0]);
  if (c->row_step)
    row_solve(r->width, equations, c->user_ridge, c->ridge, row);
  r->times[item] += 1.0;
  r->log_times[item] = log1p(r->times[item]);
  r->misses[item] += value - mu - row[0] - taste_of(r, user, item);
  column[0] = r->misses[item] / (r->times[item] + c->item_ridge);
}

static void learn(recommender *r, size_t user, size_t item, double value, const double f[MIXED])
{
  double above = value - mean_of(r);
  mixing_learn(&r->mixing, f, above);
  learn_session(r, user, above - f[1] - f[2] - f[3]);
  r->logs += r->log_times[item];
  r->sum += value;
  r->history[r->count++] = (seen){(uint32_t)user, (uint32_t)item, value};
  learn_row(r, user, item, value);
}

static void account(recommender *r, double off)
{
  r->account.ratings++;
  r->account.square_error += off * off;
  r->account.error += fabs(off);
}

static ofw_status check_rating(recommender *r, size_t user, size_t item, double rating, ofw_error *err)
{
  OFW_TRY(recommender_check_pair(r, user, item, err));
  if (!(rating >= r->s.lowest && rating <= r->s.highest))
    return ofw_fail(err, OFW_BAD_DATA, "recommender: found a rating of %g, expected one from %g to %g", rating,
                    r->s.lowest, r->s.highest);
  if (r->count == OFW_MOST_RATINGS)
    return ofw_fail(err, OFW_BAD_DATA, "recommender: more than %d ratings", OFW_MOST_RATINGS);
  OFW_TRY(ofw_grow(&r->history, r->count, 1, &r->room, sizeof *r->history, err));
  return ofw_grow(&r->residual, r->count, 1, &r->residual_room, sizeof *r->residual, err);
}

ofw_status recommender_rate(recommender *r, size_t user, size_t item, double rating, double *prediction, ofw_error *err)
{
  double f[MIXED];
  OFW_TRY(check_rating(r, user, item, rating, err));
  parts_of(r, user, item, f);
  double x = shown(r, item, mix(r, f), cap_meet(r, user));
  if (prediction)
    *prediction = x;
  account(r, x - rating);
  learn(r, user, item, (rating - r->middle) / r->unit, f);
  cap_count(r);
  return r->count >= r->next_replay ? replay(r, err) : OFW_OK;
}
