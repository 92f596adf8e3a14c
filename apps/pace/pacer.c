/* pacer.c — slots, the learner's rounds, and days; pacer.h has the formulas */
#include "pacer_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A slot is never planned for more than this times what it was planned for at the day's beginning. If a budget cannot be spent, the plan
 * would otherwise grow without end, the price fall to 0, and the next day begin with bids that are far too high. */
#define CATCH_UP 1.5
#define WIDEST   32.0 /* the grid reaches from the unit over this to the unit times this */

/* ---- plans ---- */

static double shares(const campaign *c, size_t from, size_t to)
{
  double sum = 0.0;
  for (size_t s = from; s < to; s++)
    sum += c->share[s];
  return sum;
}

static double remaining(const campaign *c)
{
  return fmax(0.0, c->today.budget - c->today.spend);
}

/* For this slot, and for those before it in which nobody had an opportunity. */
static double plan_now(const pacer *p, const campaign *c)
{
  double mine = shares(c, p->planned, p->slot + 1), rest = shares(c, p->planned, p->slots);
  double at_first = c->today.budget * mine / shares(c, 0, p->slots);
  return fmin(rest > 0.0 ? remaining(c) * mine / rest : 0.0, CATCH_UP * at_first);
}

/* Of the day up to the end of this slot, as it was planned at the day's beginning. */
static double planned(const pacer *p, const campaign *c)
{
  return c->today.budget * shares(c, 0, p->slot + 1) / shares(c, 0, p->slots);
}

/* The multiplier of the grid that would have spent about the day's budget. */
static size_t fitting_point(const pacer *p, const campaign *c)
{
  size_t best = 0;
  double nearest = INFINITY;
  for (size_t k = 0; k < PACER_POINTS; k++) {
    double sum = 0.0;
    for (size_t s = 0; s < p->slots; s++)
      sum += c->curve[s * PACER_POINTS + k];
    if (fabs(sum - c->today.budget) < nearest) {
      nearest = fabs(sum - c->today.budget);
      best = k;
    }
  }
  return best;
}

/* What that multiplier spent in each slot, smoothed over an hour or so, joins the mean of the days, in which yesterday counts most. */
static void learn_shares(const pacer *p, campaign *c)
{
  size_t k = fitting_point(p, c), reach = p->slots / 24;
  double sum = 0.0, weight = p->days == 0 ? 1.0 : 0.5;
  for (size_t s = 0; s < p->slots; s++)
    sum += c->curve[s * PACER_POINTS + k];
  for (size_t s = 0; s < p->slots && sum > 0.0; s++) {
    double near = 0.0, weights = 0.0;
    for (size_t j = s > reach ? s - reach : 0; j <= s + reach && j < p->slots; j++) {
      double w = (double)(reach + 1) - fabs((double)j - (double)s);
      near += w * c->curve[j * PACER_POINTS + k];
      weights += w;
    }
    c->share[s] += weight * (near / (weights * sum) - c->share[s]);
  }
}

/* ---- a slot ---- */

static int by_ratio(const void *a, const void *b)
{
  const auction *x = a, *y = b;
  double left = x->cost * y->value, right = y->cost * x->value;
  return (left > right) - (left < right);
}

/* The multiplier by which the slot's plan would have been spent. */
static double fitting_ratio(const campaign *c)
{
  double spend = 0.0, ratio = 0.0;
  qsort(c->auction, c->seen, sizeof *c->auction, by_ratio);
  for (size_t i = 0; i < c->seen && (ratio == 0.0 || spend < c->plan); i++)
    if (c->auction[i].value > 0.0 && c->auction[i].cost > 0.0) {
      ratio = c->auction[i].cost / c->auction[i].value;
      spend += c->auction[i].cost;
    }
  return ratio;
}

static void make_grid(campaign *c)
{
  double ratio = fitting_ratio(c);
  if (!(ratio > 1e-100) || ratio > 1e100)
    return;
  c->unit = ratio;
  for (size_t k = 0; k < PACER_POINTS; k++)
    c->point[k] = ratio * pow(WIDEST, 2.0 * (double)k / (PACER_POINTS - 1) - 1.0);
}

/* The first point of the grid that wins it; PACER_POINTS: none does. */
static size_t winning_point(const campaign *c, const auction *a)
{
  size_t low = 0, high = PACER_POINTS;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (c->point[middle] * a->value >= a->cost)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/* V and S of the slot, per unit of an even plan. */
static void see_slot(const pacer *p, campaign *c, double *loss, double *spend)
{
  double even = c->today.budget / (double)p->slots, value = 0.0, cost = 0.0;
  memset(loss, 0, PACER_POINTS * sizeof *loss);
  memset(spend, 0, PACER_POINTS * sizeof *spend);
  if (c->seen > 0 && c->unit == 0.0)
    make_grid(c);
  if (c->unit == 0.0 || !(even > 0.0))
    return;
  for (size_t i = 0; i < c->seen; i++) {
    size_t k = winning_point(c, &c->auction[i]);
    if (k < PACER_POINTS) {
      loss[k] += c->auction[i].value;
      spend[k] += c->auction[i].cost;
    }
  }
  for (size_t k = 0; k < PACER_POINTS; k++) {
    value += loss[k];
    cost += spend[k];
    loss[k] = -(p->s.profit ? value - cost : value * c->unit) / even;
    spend[k] = cost / even;
    c->curve[p->slot * PACER_POINTS + k] = cost;
  }
}

static ofw_status fail_learner(pacer *p, ofw_status st, ofw_error *err)
{
  return ofw_fail(err, st, "the learner: %s", ofw_learner_error(p->l));
}

/* The slot is the learner's round. */
static ofw_status tell_learner(pacer *p, ofw_error *err)
{
  double loss = 0.0;
  for (size_t i = 0; i < p->campaigns; i++) {
    campaign *c = &p->of[i];
    double even = c->today.budget / (double)p->slots;
    see_slot(p, c, p->loss + i * PACER_POINTS, p->spend + i * PACER_POINTS);
    p->g[i] = c->unit > 0.0 && even > 0.0 ? (c->spend - c->plan) / even : 0.0;
  }
  for (size_t k = 0; k < p->campaigns * PACER_POINTS; k++)
    loss += p->loss[k] * p->x[k];
  ofw_full round = {{loss, p->campaigns, p->g}, {1, &p->loss_vec}, p->spend_sum};
  ofw_status st = ofw_learner_observe(p->l, &round);
  return st == OFW_OK ? st : fail_learner(p, st, err);
}

static ofw_status begin_slot(pacer *p, ofw_error *err)
{
  ofw_status st = ofw_learner_ask(p->l, p->x);
  if (st != OFW_OK)
    return fail_learner(p, st, err);
  for (size_t i = 0; i < p->campaigns; i++) {
    campaign *c = &p->of[i];
    const double *x = p->x + i * PACER_POINTS;
    double mean = 0.0, all = 0.0;
    for (size_t k = 0; k < PACER_POINTS; k++) {
      mean += x[k] * (double)k;
      all += x[k];
    }
    if (c->unit > 0.0)
      c->multiplier = c->unit * pow(WIDEST, 2.0 * mean / (all * (PACER_POINTS - 1)) - 1.0);
    c->plan = plan_now(p, c);
    c->value = c->spend = 0.0;
    c->seen = 0;
  }
  return OFW_OK;
}

static ofw_status end_slot(pacer *p, ofw_error *err)
{
  OFW_TRY(tell_learner(p, err));
  double begins = p->s.midnight + p->s.day * (double)p->day + p->s.slot * (double)p->slot;
  for (size_t i = 0; i < p->campaigns; i++) {
    campaign *c = &p->of[i];
    pacer_slot slot = {.campaign = i,
                       .begins = begins,
                       .multiplier = c->multiplier,
                       .value = c->value,
                       .spend = c->spend,
                       .plan = c->plan,
                       .spent = c->today.spend,
                       .planned = planned(p, c),
                       .budget = c->today.budget};
    if (p->on_slot)
      p->on_slot(p->ctx, &slot);
  }
  return OFW_OK;
}

/* ---- a day ---- */

static void begin_day(pacer *p, int64_t day)
{
  p->day = day;
  for (size_t i = 0; i < p->campaigns; i++) {
    campaign *c = &p->of[i];
    double budget = pace_budgets_on(&p->budgets->campaign[i], day);
    c->today = (pacer_account){.budget = isnan(budget) ? 0.0 : budget};
    memset(c->curve, 0, p->slots * PACER_POINTS * sizeof *c->curve);
  }
}

static void end_day(pacer *p)
{
  for (size_t i = 0; i < p->campaigns; i++) {
    campaign *c = &p->of[i];
    c->today.over = fmax(0.0, c->today.spend - c->today.budget);
    if (p->on_day)
      p->on_day(p->ctx, i, p->day, &c->today);
    learn_shares(p, c);
  }
  p->days++;
}

/* The slot that this time is in; slots without any opportunity are no rounds. */
static ofw_status move_to(pacer *p, int64_t day, size_t slot, ofw_error *err)
{
  if (p->started && p->day == day && p->slot == slot)
    return OFW_OK;
  if (p->started)
    OFW_TRY(end_slot(p, err));
  p->planned = p->slot + 1;
  if (p->started && p->day != day)
    end_day(p);
  if (!p->started || p->day != day) {
    begin_day(p, day);
    p->planned = 0;
  }
  p->started = 1;
  p->slot = slot;
  return begin_slot(p, err);
}

/* As a number, and as a date if days are those of a calendar. */
static ofw_status refuse_day(const pacer *p, size_t campaign_, int64_t day, ofw_error *err)
{
  char date[32] = "";
  int has_date = p->s.day == 86400.0 && llabs(day) < 1000000;
  time_t begins = has_date ? (time_t)(day * 86400) : 0;
  struct tm utc;
  if (has_date && gmtime_r(&begins, &utc))
    (void)strftime(date, sizeof date, " (%Y-%m-%d)", &utc);
  return ofw_fail(err, OFW_BAD_DATA,
                  "the campaign \"%.200s\" has no budget for day %lld%s; a budget without a day is for every other day",
                  p->budgets->campaign[campaign_].name, (long long)day, date);
}

/* ---- what callers see ---- */

ofw_status pacer_bid(pacer *p, double time, size_t campaign_, double value, double *multiplier, double *bid,
                     ofw_error *err)
{
  double since = time - p->s.midnight, day = floor(since / p->s.day);
  size_t slot = (size_t)fmax(0.0, floor((since - day * p->s.day) / p->s.slot));
  slot = slot < p->slots ? slot : p->slots - 1;
  if (p->started && time < p->time)
    return ofw_fail(err, OFW_BAD_DATA, "time goes back by %g seconds; sort the opportunities by time", p->time - time);
  if (isnan(pace_budgets_on(&p->budgets->campaign[campaign_], (int64_t)day)))
    return refuse_day(p, campaign_, (int64_t)day, err);
  OFW_TRY(move_to(p, (int64_t)day, slot, err));
  p->time = time;
  campaign *c = &p->of[campaign_];
  c->today.opportunities++;
  *multiplier = c->multiplier;
  *bid = c->multiplier * value;
  if (p->s.guard)
    *bid = fmin(*bid, remaining(c));
  return OFW_OK;
}

ofw_status pacer_outcome(pacer *p, size_t campaign_, double value, double cost, int won, double paid, ofw_error *err)
{
  campaign *c = &p->of[campaign_];
  OFW_TRY(ofw_grow(&c->auction, c->seen, 1, &c->room, sizeof *c->auction, err));
  c->auction[c->seen++] = (auction){value, cost};
  if (!won)
    return OFW_OK;
  c->today.won++;
  c->today.value += value;
  c->today.spend += paid;
  c->value += value;
  c->spend += paid;
  return OFW_OK;
}

ofw_status pacer_finish(pacer *p, ofw_error *err)
{
  if (!p->started)
    return OFW_OK;
  OFW_TRY(end_slot(p, err));
  end_day(p);
  p->started = 0;
  return OFW_OK;
}

void pacer_listen(pacer *p, pacer_on_slot *slot, pacer_on_day *day, void *ctx)
{
  p->on_slot = slot;
  p->on_day = day;
  p->ctx = ctx;
}

const char *pacer_config(const pacer *p)
{
  return p->config;
}

/* ---- making one ---- */

static ofw_status make_domain(pacer *p, ofw_error *err)
{
  ofw_text spec = {0};
  ofw_text_add(&spec, "product:parts=(");
  for (size_t i = 0; i < p->campaigns; i++)
    ofw_text_add(&spec, "%ssimplex:dim=%d", i ? ";" : "", PACER_POINTS);
  ofw_text_add(&spec, ")");
  p->K = spec.failed ? NULL : ofw_domain_create(spec.chars, err);
  ofw_status st = p->K ? OFW_OK : spec.failed ? ofw_fail_memory(err, spec.length) : err->status;
  free(spec.chars);
  return st;
}

static ofw_status make_learner(pacer *p, ofw_error *err)
{
  ofw_learner_settings settings = {.size = sizeof settings, .seed = 1, .options = p->s.options, .option = p->s.option};
  OFW_TRY(make_domain(p, err));
  p->l = ofw_learner_create_over(p->s.learner, p->K, &settings, err);
  if (!p->l)
    return err->status;
  p->config = ofw_format("pace slot=%.17g day=%.17g midnight=%.17g first=%.17g profit=%d guard=%d %s", p->s.slot,
                         p->s.day, p->s.midnight, p->s.first, p->s.profit, p->s.guard, ofw_learner_config(p->l));
  return p->config ? OFW_OK : ofw_fail_memory(err, 1);
}

static ofw_status make_arrays(pacer *p, ofw_error *err)
{
  size_t n = p->campaigns, numbers = n * PACER_POINTS;
  p->x = ofw_doubles(numbers);
  p->loss = ofw_doubles(numbers);
  p->spend = ofw_doubles(numbers);
  p->g = ofw_doubles(n);
  p->spend_vec = ofw_array(n, sizeof *p->spend_vec);
  p->spend_sum = ofw_array(n, sizeof *p->spend_sum);
  p->of = calloc(n, sizeof *p->of);
  p->index = ofw_array(numbers, sizeof *p->index);
  if (!p->index || !p->x || !p->loss || !p->spend || !p->g || !p->spend_vec || !p->spend_sum || !p->of)
    return ofw_fail_memory(err, numbers * sizeof *p->x);
  p->loss_vec = ofw_vec_dense(numbers, p->loss);
  for (size_t k = 0; k < numbers; k++)
    p->index[k] = k;
  for (size_t i = 0; i < n; i++) {
    campaign *c = &p->of[i];
    c->multiplier = p->s.first;
    c->share = ofw_doubles(p->slots);
    c->curve = ofw_array(p->slots * PACER_POINTS, sizeof *c->curve);
    if (!c->share || !c->curve)
      return ofw_fail_memory(err, p->slots * PACER_POINTS * sizeof *c->curve);
    for (size_t s = 0; s < p->slots; s++)
      c->share[s] = 1.0 / (double)p->slots;
    p->spend_vec[i] = ofw_vec_sparse(PACER_POINTS, p->index + i * PACER_POINTS, p->spend + i * PACER_POINTS);
    p->spend_sum[i] = (ofw_sum){1, &p->spend_vec[i]};
  }
  return OFW_OK;
}

pacer *pacer_create(const pacer_settings *s, const pace_budgets *budgets, ofw_error *err)
{
  pacer *p = calloc(1, sizeof *p);
  if (!p) {
    ofw_fail_memory(err, sizeof *p);
    return NULL;
  }
  p->s = *s;
  p->budgets = budgets;
  p->campaigns = budgets->campaigns;
  p->slots = (size_t)ceil(s->day / s->slot);
  if (make_arrays(p, err) != OFW_OK || make_learner(p, err) != OFW_OK) {
    pacer_free(p);
    return NULL;
  }
  return p;
}

void pacer_free(pacer *p)
{
  if (!p)
    return;
  for (size_t i = 0; p->of && i < p->campaigns; i++) {
    free(p->of[i].share);
    free(p->of[i].curve);
    free(p->of[i].auction);
  }
  free(p->of);
  free(p->x);
  free(p->loss);
  free(p->spend);
  free(p->g);
  free(p->index);
  free(p->spend_vec);
  free(p->spend_sum);
  free(p->config);
  ofw_learner_free(p->l);
  ofw_domain_free(p->K);
  free(p);
}
