/* hint.c — the decision that keeps limits known by hints, and its cost; hint.h has the formulas */
#include "learner/hint.h"

#include "linalg/kernels.h"
#include "vector/vec_arithmetic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 4 };                                /* towards an atom, at most: as many oracle calls */
static const double firm = 4.0;                    /* the price of a limit, over |Psi'| */
static const double near = 1e-9, rounding = 1e-12; /* what counts as 0, over D */
static const double enough = 1e-6;                 /* the shortest step */
static const double worth = 4.0;                   /* of a violation less, in rounds of loss */
static const double least_slope = 1e-6;            /* that counts beside a limit, over curvature D */

void ofw_hint_close(ofw_hinted *h)
{
  if (!h)
    return;
  free(h->by);
  free(h->price);
  free(h->at);
  free(h->room);
  free(h->value);
  free(h->limit);
  free(h->rise);
  free(h->inverse);
  free(h);
}

ofw_status ofw_hint_make(ofw_learner *l, ofw_error *err)
{
  ofw_hinted *h = calloc(1, sizeof *h);
  if (h) {
    h->dim = l->dim;
    h->by = ofw_doubles(l->dim);
    h->price = ofw_doubles(l->dim);
    h->at = ofw_doubles(l->dim);
    h->room = ofw_doubles(l->dim);
  }
  if (!h || !h->by || !h->price || !h->at || !h->room) {
    ofw_hint_close(h);
    return ofw_fail_memory(err, 4 * l->dim * sizeof(double));
  }
  l->hinted = h;
  return OFW_OK;
}

static ofw_status grow(ofw_learner *l, size_t constraints, size_t told)
{
  ofw_hinted *h = l->hinted;
  size_t room = h->limit_room;
  OFW_TRY(ofw_grow(&h->value, 0, constraints, &h->value_room, sizeof *h->value, &l->err));
  OFW_TRY(ofw_grow(&h->limit, 0, told, &room, sizeof *h->limit, &l->err));
  room = h->limit_room;
  OFW_TRY(ofw_grow(&h->rise, 0, told, &room, sizeof *h->rise, &l->err));
  return ofw_grow(&h->inverse, 0, told, &h->limit_room, sizeof *h->inverse, &l->err);
}

ofw_status ofw_hint_open(ofw_learner *l, size_t constraints, const ofw_hint *hint)
{
  /* d is read as doubles: floats and factors go on without. So do a sampled vertex, whose expectation
   * is x, and constraints with accounts. */
  int uses = l->method->hinted && l->common.storage == OFW_STORE_DOUBLE && !l->common.sample && !l->accounts,
      first = !l->hinted;
  if (first && (!hint || !uses))
    return OFW_OK;
  if (first)
    OFW_TRY(ofw_hint_make(l, &l->err));
  ofw_status st = grow(l, constraints, hint ? hint->constraints : 0);
  if (st != OFW_OK && first) { /* no hint has come */
    ofw_hint_close(l->hinted);
    l->hinted = NULL;
  }
  return st;
}

/* ---- what the method says of its d ---- */

void ofw_hint_scale(ofw_learner *l, double by)
{
  for (size_t i = 0; l->hinted && by != 1.0 && i < l->dim; i++)
    l->hinted->price[i] *= by;
}

void ofw_hint_price(ofw_learner *l, const ofw_round *now, double c)
{
  for (size_t i = now->first; l->hinted && i < now->last; i++)
    if (ofw_round_weight(now, i) > 0.0)
      ofw_sum_add(now->fb->constraint_gradient[i], c * ofw_round_weight(now, i), 0, l->dim, l->hinted->price);
}

/* ---- the account ---- */

static double inverse_length(double length)
{
  return length > 1e-290 ? 1.0 / length : 0.0;
}

/* delta: how far the limit is, at most D; of a sum, in the length of all that is broken. */
static double distance(const ofw_learner *l, const ofw_round *now)
{
  double length = 0.0;
  for (size_t i = now->first; i < now->last; i++)
    if (now->fb->values.constraint[i] > 0.0)
      length += ofw_sum_norm(now->fb->constraint_gradient[i]);
  return fmin(now->violation * inverse_length(length), l->D);
}

/* The round as it is linear about z, at x. */
static void move_back(ofw_learner *l, ofw_round *now)
{
  ofw_hinted *h = l->hinted;
  const ofw_full *fb = now->fb;
  double cost = ofw_sum_dot(fb->loss_gradient, h->by), there = distance(l, now);
  ofw_round played = *now;
  for (size_t i = 0; i < fb->values.constraints; i++) {
    h->value[i] = fb->values.constraint[i] - ofw_sum_dot(fb->constraint_gradient[i], h->by);
    if (!isfinite(h->value[i])) /* numbers near the largest there are */
      h->value[i] = fb->values.constraint[i];
  }
  h->seen = *fb; /* the loss itself is nothing that the method asks for */
  h->seen.values.constraint = h->value;
  *now = ofw_learner_combine(l, &h->seen.values);
  now->fb = &h->seen;
  now->Q_before = played.Q_before;
  now->loss_length = played.loss_length;
  now->constraint_length = played.constraint_length;
  h->cost += cost;
  h->worse += there - distance(l, now);
  h->more += played.violation - now->violation;
}

ofw_status ofw_hint_see(ofw_learner *l, ofw_round *now, const ofw_hint *hint)
{
  ofw_hinted *h = l->hinted;
  for (size_t i = 0; hint && i < hint->constraints; i++) { /* h_i at 0, while z is at hand */
    double at_z;
    OFW_TRY(ofw_point_dot(&l->point, hint->constraint_gradient[i], &at_z));
    h->limit[i] = hint->constraint[i] - at_z;
  }
  h->longest = fmax(h->longest, ofw_sum_norm(now->fb->loss_gradient));
  if (h->moved)
    move_back(l, now);
  h->own += distance(l, now);
  return OFW_OK;
}

void ofw_hint_report(ofw_learner *l)
{
  ofw_hinted *h = l->hinted;
  h->term = ofw_vec_dense(l->dim, h->by);
  l->point.probe = h->moved ? (ofw_sum){1, &h->term} : (ofw_sum){0, NULL};
  l->point.moved = 1;
  l->info.regret_bound += h->cost;
  l->info.ccv_bound += h->more;
}

/* ---- the next decision ---- */

/* room = Psi'(z), and a price for each limit that z is at or beyond; 0: it is beyond all numbers. */
static int find_direction(ofw_learner *l, const ofw_hint *hint, const double *d)
{
  ofw_hinted *h = l->hinted;
  for (size_t i = 0; i < l->dim; i++)
    h->room[i] = (d ? d[i] : 0.0) - h->price[i] + h->curvature * h->by[i];
  /* at an interior minimum Psi' is what rounding left, and the limits alone say where to go */
  double price = firm * (ofw_norm(l->dim, h->room) + least_slope * h->curvature * l->D);
  if (price == 0.0)
    price = 1.0;
  for (size_t i = 0; i < hint->constraints; i++)
    if (h->limit[i] >= -near * l->D)
      ofw_sum_add(hint->constraint_gradient[i], price * h->inverse[i], 0, l->dim, h->room);
  return isfinite(ofw_norm(l->dim, h->room));
}

static int any_broken(const ofw_learner *l, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (l->hinted->limit[i] > near * l->D)
      return 1;
  return 0;
}

/* What is broken at the k-th candidate of the segment, a point on a limit or an end; not a number if there is no such point. */
static double broken_at(const ofw_hinted *h, size_t n, size_t k, double *sigma)
{
  double sum = 0.0;
  *sigma = k == n ? 0.0 : k == n + 1 ? 1.0 : -h->limit[k] / h->rise[k];
  for (size_t i = 0; i < n; i++)
    sum += fmax(0.0, h->limit[i] + *sigma * h->rise[i]);
  return *sigma >= 0.0 && *sigma <= 1.0 ? sum : NAN;
}

/* The first place where that is least, but for rounding. */
static double least_broken(const ofw_learner *l, size_t n)
{
  const ofw_hinted *h = l->hinted;
  double least = INFINITY, first = 1.0, sigma;
  for (size_t k = 0; k < n + 2; k++)
    least = fmin(least, broken_at(h, n, k, &sigma));
  for (size_t k = 0; k < n + 2; k++)
    if (broken_at(h, n, k, &sigma) <= least + rounding * l->D)
      first = fmin(first, sigma);
  return first;
}

/* As far as Psi falls and no limit is broken. */
static double least_psi(const ofw_hinted *h, size_t n, double slope, double length2)
{
  if (!(slope < 0.0))
    return 0.0;
  double sigma = fmin(1.0, -slope / (h->curvature * length2));
  for (size_t i = 0; i < n; i++)
    if (h->rise[i] > 0.0)
      sigma = fmin(sigma, fmax(0.0, -h->limit[i] / h->rise[i]));
  return sigma;
}

/* z goes towards one atom; 0: it stays. */
static int step(ofw_learner *l, const ofw_hint *hint, const double *d)
{
  ofw_hinted *h = l->hinted;
  ofw_answer answer = {0};
  size_t n = hint->constraints;
  double slope = 0.0, length2 = 0.0;
  double accuracy = isnan(l->common.oracle_tolerance) ? 1e-3 : l->common.oracle_tolerance;
  if (!find_direction(l, hint, d))
    return 0;
  ofw_direction towards = ofw_direction_dense(l->K, h->room, (ofw_accuracy){accuracy, INFINITY, 0});
  if (l->K->ops->minimise(l->K, l->work, &towards, &answer, NULL) != OFW_OK)
    return 0; /* x is a decision, too */
  ofw_sum_dense(answer.atom, l->dim, h->room);
  for (size_t i = 0; i < l->dim; i++) {
    double e = h->room[i] - h->at[i] - h->by[i];
    slope += ((d ? d[i] : 0.0) - h->price[i] + h->curvature * h->by[i]) * e;
    length2 += e * e;
    h->room[i] = e;
  }
  for (size_t i = 0; i < n; i++)
    h->rise[i] = h->inverse[i] * ofw_sum_dot(hint->constraint_gradient[i], h->room);
  double sigma = any_broken(l, n) ? least_broken(l, n) : least_psi(h, n, slope, length2);
  if (!(sigma > enough))
    return 0;
  ofw_axpy(l->dim, sigma, h->room, h->by);
  for (size_t i = 0; i < n; i++)
    h->limit[i] += sigma * h->rise[i];
  h->moved = 1;
  return 1;
}

static void find_decision(ofw_learner *l, const ofw_hint *hint)
{
  ofw_hinted *h = l->hinted;
  const ofw_direction *kept = l->engine->ops->direction(l->engine);
  (void)l->engine->ops->view->dense(l->engine, h->at); /* it can: x is doubles */
  for (size_t i = 0; i < hint->constraints; i++) {
    h->inverse[i] = inverse_length(ofw_sum_norm(hint->constraint_gradient[i]));
    h->limit[i] = h->inverse[i] * (h->limit[i] + ofw_sum_dot(hint->constraint_gradient[i], h->at));
  }
  for (int k = 0; k < STEPS && step(l, hint, kept ? kept->dense : NULL); k++)
    ;
}

void ofw_hint_use(ofw_learner *l, const ofw_hint *hint)
{
  ofw_hinted *h = l->hinted;
  int trusted = h->cost <= fmax(0.0, h->bound) && h->worse <= h->own &&
                h->cost + worth * h->longest * h->worse <= h->longest * l->D;
  if (h->moved)
    memset(h->by, 0, l->dim * sizeof *h->by);
  h->moved = 0;
  if (hint && trusted)
    find_decision(l, hint);
  ofw_hint_report(l);
}

#define ROW(member) OFW_SAME(ofw_hinted, member)
const ofw_field ofw_hinted_fields[] = {{OFW_ARRAY("hinted_by", ofw_hinted, by, dim)},
                                       {OFW_ARRAY("hinted_price", ofw_hinted, price, dim)},
                                       {ROW(moved)},
                                       {ROW(cost)},
                                       {ROW(worse)},
                                       {ROW(own)},
                                       {ROW(more)},
                                       {ROW(longest)},
                                       {ROW(curvature)},
                                       {0}};
