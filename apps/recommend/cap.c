/* cap.c — the price that keeps the mean score of a group below its cap */
#include "recommender_parts.h"

#include <math.h>
#include <string.h>

static const double most_share = 4.0, base_share = 0.9, base_rate = 0.1;
enum { MOST_TRIES = 200 };
static const double tolerance = 1e-9; /* of a mean score */

/* When a round begins. */
static void share_out(cap_state *c, const double *times)
{
  double mean = 0.0, sum = 0.0;
  for (size_t k = 0; k < c->group; k++)
    mean += times[c->item[k]] / (double)c->group;
  for (size_t k = 0; k < c->group; k++) {
    double a = (1.0 + mean) / (1.0 + times[c->item[k]]);
    c->share[k] = fmin(most_share, fmax(1.0 / most_share, a));
    sum += c->share[k];
  }
  for (size_t k = 0; k < c->group; k++) {
    c->share[k] *= (double)c->group / sum;
    c->item_share[c->item[k]] = c->share[k];
  }
}

static ofw_status take_group(cap_state *c, const recommender_settings *s, ofw_error *err)
{
  for (size_t k = 0; k < s->group; k++) {
    uint32_t item = s->grouped[k];
    if (item >= s->items || c->item_share[item] > 0.0)
      return ofw_fail(err, OFW_USAGE, "recommender: item %lu of the group is %s", (unsigned long)item,
                      item >= s->items ? "too large" : "in it twice");
    c->item[k] = item;
    c->item_share[item] = 1.0;
  }
  return OFW_OK;
}

ofw_status cap_open(recommender *r, ofw_error *err)
{
  const recommender_settings *s = &r->s;
  cap_state *c = &r->cap;
  ofw_owned *own = &r->own;
  if (s->group == 0)
    return OFW_OK;
  if (!(s->cap >= s->lowest) || !(s->cap <= s->highest) || s->round < 1)
    return ofw_fail(err, OFW_USAGE, "recommender: expected a cap within the scale and at least 1 rating per round");
  *c = (cap_state){.group = s->group, .round = 1};
  c->cap = (s->cap - r->middle) / r->unit;
  c->slack = s->constants.slack / r->unit;
  c->item = ofw_owned_array(own, c->group, sizeof *c->item);
  c->share = ofw_owned_doubles(own, c->group);
  c->scores = ofw_owned_doubles(own, c->group);
  c->item_share = ofw_owned_doubles(own, s->items);
  c->met = ofw_owned_array(own, s->users, sizeof *c->met);
  c->paid = ofw_owned_doubles(own, s->users);
  c->free = ofw_owned_doubles(own, s->users);
  OFW_TRY(ofw_owned_check(own, err));
  memset(c->met, 0, s->users * sizeof *c->met);
  OFW_TRY(take_group(c, s, err));
  share_out(c, r->times);
  return OFW_OK;
}

/* The user's mean score at a price; *slope: how fast it falls. */
static double mean_at(const cap_state *c, double price, double *slope)
{
  double sum = 0.0, falls = 0.0;
  for (size_t k = 0; k < c->group; k++) {
    double x = c->scores[k] - price * c->share[k];
    falls += x > -RECOMMENDER_SCALE && x < RECOMMENDER_SCALE ? c->share[k] : 0.0;
    x = x < -RECOMMENDER_SCALE ? -RECOMMENDER_SCALE : x;
    sum += x > RECOMMENDER_SCALE ? RECOMMENDER_SCALE : x;
  }
  *slope = falls / (double)c->group;
  return sum / (double)c->group;
}

/* The least price from `low` on at which the mean is at most `most`, to the tolerance and never below: Newton steps, and the
 * middle if one leads out of the interval. */
static double least_price(const cap_state *c, double low, double most, double *mean)
{
  double slope, high = low, at = mean_at(c, low, &slope);
  if (at <= most) {
    *mean = at;
    return low;
  }
  for (size_t k = 0; k < c->group; k++) /* all of them at the bottom, rounding or not */
    high = fmax(high, tolerance + (c->scores[k] + RECOMMENDER_SCALE) / c->share[k]);
  *mean = mean_at(c, high, &slope);
  at = mean_at(c, low, &slope);
  for (int i = 0; i < MOST_TRIES && most - *mean > 2.0 * tolerance && high > low; i++) {
    double price = slope > 0.0 ? low + (at - most + tolerance) / slope : high;
    if (!(price > low && price < high))
      price = low + (high - low) / 2.0;
    double steep, there = mean_at(c, price, &steep);
    if (there > most) {
      low = price;
      at = there;
      slope = steep;
    } else {
      high = price;
      *mean = there;
    }
  }
  return high;
}

/* The price of a user's next prediction, and the two means. */
static double price_of(const recommender *r, size_t user, double *paid, double *free)
{
  const cap_state *c = &r->cap;
  int met = c->met[user] == c->round;
  double slope, users = c->users - met, others = c->sum_paid - (met ? c->paid[user] : 0.0);
  double all = (c->cap + c->slack) * (users + 1.0), most = all - others;
  if (!met)
    most = fmin(most, all - c->sum_first);
  for (size_t k = 0; k < c->group; k++)
    c->scores[k] = score_within(r, user, c->item[k]);
  *free = mean_at(c, 0.0, &slope);
  return least_price(c, base_share * c->base, most, paid);
}

double cap_price(const recommender *r, size_t user)
{
  double paid, free;
  return r->cap.group ? price_of(r, user, &paid, &free) : 0.0;
}

double cap_meet(recommender *r, size_t user)
{
  cap_state *c = &r->cap;
  double paid, free;
  if (!c->group)
    return 0.0;
  double price = price_of(r, user, &paid, &free);
  int met = c->met[user] == c->round;
  c->users += !met;
  c->sum_first += met ? 0.0 : paid;
  c->sum_paid += paid - (met ? c->paid[user] : 0.0);
  c->sum_free += free - (met ? c->free[user] : 0.0);
  c->met[user] = c->round;
  c->paid[user] = paid;
  c->free[user] = free;
  return price;
}

void cap_count(recommender *r)
{
  cap_state *c = &r->cap;
  if (!c->group || ++c->ratings < r->s.round)
    return;
  r->account.rounds++;
  r->account.violation += r->unit * fmax(0.0, fmax(c->sum_first, c->sum_paid) / c->users - c->cap);
  c->base += base_rate * (fmax(0.0, c->sum_free / c->users - c->cap - c->slack) - c->base);
  c->round++;
  c->ratings = 0;
  c->users = c->sum_first = c->sum_paid = c->sum_free = 0.0;
  share_out(c, r->times);
}
