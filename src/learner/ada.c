/* ada.c — the round of ofw-ada and ofw-ada-sc, parts of which bfw-ada shares; ada.h has the formulas */
#include "learner/ada.h"

#include "learner/hint.h"
#include "learner/price.h"
#include "linalg/lanczos.h"
#include "vector/vec_arithmetic.h"

#include <math.h>

/* experiments/ada/README.md has how these were chosen */
#define FALL   4.0 /* of 1 + P within an epoch, at most */
#define GROWTH 8.0 /* of Gf since an epoch's first violation, at most */

/* ---- epochs ---- */

double ofw_ada_first_weight(const ofw_learner *l)
{
  return fmin(fmax(((const ofw_ada_options *)l->options)->first * l->D, OFW_ADA_SHORTEST), OFW_ADA_MOST);
}

/* Every point minimises a Phi of 0; x is the nearest. */
static void aim_anew(ofw_learner *l)
{
  ofw_ada *s = l->state;
  if (!s->late)
    return;
  *s->late = 0.0;
  ofw_open_rounds_aim(l->open, l->open->near, 0.0);
}

/* Phi = 0 at the decision where the last epoch ended; what that one has cost stays in the account. */
static void begin_epoch(ofw_learner *l, double b)
{
  ofw_ada *s = l->state;
  ofw_learner_pull_back(l, 0.0, 0.0);
  ofw_hint_scale(l, 0.0);
  s->pays = fmax(-OFW_ADA_MOST, fmin(ofw_ada_without_price(s, s->pays), OFW_ADA_MOST));
  s->k = 0.0;
  s->A = s->extra = s->told = s->taken = s->paid = s->q = s->log_top = s->left = s->left_sure = s->C = 0.0;
  s->B = ofw_ada_first_weight(l) * ofw_ada_unit(s);
  s->b = b;
  s->before = s->raised;
  s->ended = s->bound;
  ofw_ada_set_levels(l->accounts, 0.0);
  s->limit += s->reach + l->D; /* the last round's is at most D */
  s->reach = 0.0;
  s->epochs++;
  aim_anew(l);
}

/* A new learner takes over at this decision; it knows the longest loss gradient, and the account goes on. */
static void begin_window(ofw_learner *l)
{
  ofw_ada *s = l->state;
  begin_epoch(l, ofw_ada_first_weight(l) * ofw_ada_unit(s) / 2.0);
  s->since = s->raised = s->before = s->pays = s->spread = 0.0;
  s->lead2 = l->engine->ops->lead->step(l->engine, (ofw_sum){0, NULL}, 0.0, 0.0); /* y = 0 */
  l->since = l->t;
  if (s->watch.kept)
    ofw_watch_begin(&s->watch);
}

/* ---- the round ---- */

/* The first loss with a gradient sets the unit; with a longer one B grows. */
static void see_loss(ofw_learner *l, double length)
{
  ofw_ada *s = l->state;
  if (!(length > s->Gf) || length <= OFW_ADA_SHORTEST)
    return;
  if (s->Gf == 0.0)
    ofw_ada_begin_units(l, length);
  else if (s->since > 0.0 && length > GROWTH * s->since) {
    begin_epoch(l, ofw_ada_first_weight(l) * ofw_ada_unit(s) / 2.0);
    s->since = 0.0;
  }
  ofw_ada_keep_units(l, length);
  s->B += ofw_ada_first_weight(l) * (length - s->Gf) * ofw_two_to(-s->shift - s->k);
  s->Gf = length;
  s->b = fmax(s->b, ofw_ada_first_weight(l) * ofw_ada_unit(s) / 2.0);
}

/* The share of this round in a mean in which round s weighs s (s + 1). */
static double share(const ofw_learner *l)
{
  return 3.0 / ((double)ofw_learner_tau(l) + 2.0);
}

/* What a and e may have been raised by after this round, times D^2/2. */
static double room_to_raise(const ofw_learner *l, double unit)
{
  const ofw_ada *s = l->state;
  double t = (double)ofw_learner_tau(l), grows = s->cubic ? pow(t, 2.0 / 3.0) : sqrt(t * sqrt(t));
  return OFW_ADA_ROOM * unit * l->D * grows;
}

/* As much of this, over 2^(shift + k), as fits into the room; it is counted. */
static double raise(ofw_ada *s, double room, double by)
{
  double left = room - s->raised;
  if (!(left > 0.0))
    return 0.0;
  by = ofw_at_most(by, ofw_ada_with_price(s, left));
  s->raised += ofw_ada_without_price(s, by);
  return by;
}

/* p as it was pulled, against y: how much more convex than alpha the losses show themselves, or less. By how much that lowers
 * Phi at most is returned. */
static double see_curvature(ofw_learner *l, const ofw_round *now, double cf, double cg, double alpha, double room,
                            double part)
{
  const ofw_engine *E = l->engine;
  ofw_ada *s = l->state;
  double pays = cf * E->ops->lead->dot(E, now->fb->loss_gradient), half = l->D * l->D / 2.0;
  for (size_t i = now->first; i < now->last; i++)
    if (ofw_round_weight(now, i) > 0.0)
      pays += cg * ofw_round_weight(now, i) * E->ops->lead->dot(E, now->fb->constraint_gradient[i]);
  s->pays += part * (pays - s->pays);
  s->spread += part * (s->lead2 - s->spread);
  double a = s->spread > 0.0 ? OFW_ADA_STRONGER * s->pays / s->spread - alpha : 0.0;
  double less = ofw_at_most(ofw_at_least(-a, 0.0), s->A);
  s->A += a > 0.0 ? raise(s, room, a * half) / half : -less;
  return less * half;
}

/* What Phi is above its minimum at most, with a gradient of this length more, if it was `left` above it before, C is its
 * curvature, times D^2/2, without that, and `way` is length / 2 sqrt(C): Lemma 5 of docs/theory.md. Before the first gradient C is 0. */
static double thrown_back(double left, double length, double way)
{
  double root = sqrt(left) + way;
  return ofw_at_most(root * root, left + length);
}

/* Lemma 6 of docs/theory.md, for q over what a violation counted for at least. */
static double most_reached(const ofw_learner *l, double unit)
{
  const ofw_ada *s = l->state;
  double error = ofw_ada_without_price(s, s->left_sure - s->left), all = (double)l->t * unit * l->D;
  double P = 5.0 + 2.0 * (all + s->raised - s->before + error) / s->b;
  double several = l->accounts ? fmax(1.0, (double)l->accounts->count) : 1.0;
  double q = s->cubic ? 6.0 * s->b * (pow(P, 0.25) - 1.0) : 1.5 * s->b * log(P * several);
  return s->since > 0.0 ? q / (s->since * ofw_two_to(-s->shift)) : 0.0;
}

static double most_violated(const ofw_ada *s)
{
  return s->Gg > 0.0 ? s->Gg * (s->limit + s->reach) : 0.0;
}

/* If the violation is larger than Lemma 6 allows, no point keeps every constraint, or some loss is steeper at another point than
 * at any decision so far: from then on nothing is proved. */
static void refute(ofw_learner *l)
{
  ofw_ada *s = l->state;
  double own = l->Q - (l->hinted ? l->hinted->more : 0.0); /* as it would have been at x */
  if (own > most_violated(s) * (1.0 + 1e-9))
    s->limit = NAN;
}

void ofw_ada_report(ofw_learner *l)
{
  const ofw_ada *s = l->state;
  int refuted = isnan(s->limit);
  l->info.regret_bound = refuted ? NAN : s->bound * ofw_two_to(s->shift);
  l->info.ccv_bound = refuted ? NAN : most_violated(s);
  l->info.bound_failure = refuted ? NAN : s->unproven ? fmin(1.0, (double)s->chances * OFW_LANCZOS_DELTA) : 0.0;
}

/* What it costs at most that this p, no longer than `steep`, is not of x; with late feedback B follows that too. */
static void see_delay(ofw_learner *l, double steep)
{
  ofw_ada *s = l->state;
  if (!s->late)
    return;
  *s->late += l->open->late * steep;
  s->B += l->open->late * steep;
}

/* How far the minimiser of Phi moves at most by a p no longer than `steep`, before C is the new one. A price may be so high
 * that p alone says nothing, and sums of such ways would lose all digits. */
static double moved_aim(const ofw_learner *l, double steep, double curvature)
{
  const ofw_ada *s = l->state;
  if (!s->late)
    return 0.0;
  double before = 2.0 * s->C / (l->D * l->D);
  return fmin(l->D, (steep + fabs(curvature - before) * l->open->near) / curvature);
}

/* b, and the regret's bound, which counts the oracle's error, from what is certain after this round; a new epoch if the price
 * would fall too far. */
static void certify(ofw_learner *l, double unit, double loss_length, double w)
{
  ofw_ada *s = l->state;
  double lost = s->B + s->taken + (s->late ? *s->late : 0.0), certain = lost + s->left;
  double round = loss_length * ofw_two_to(-s->shift) * l->D;
  int enough = s->b * (w + ofw_two_to(-s->k)) >= certain * (1.0 + 1e-9); /* P >= w, which is over 2^k, too */
  double b = enough ? s->b : ofw_ada_least(s->b, log(certain) + s->k * M_LN2, ofw_ada_log_pay_at, l);
  s->bound = ofw_at_most(s->ended + ofw_ada_without_price(s, lost + s->left_sure - s->paid) + s->raised - s->before,
                         s->bound + round);
  if (b > s->b &&
      ofw_ada_log_one_more(ofw_ada_log_pay_at(l, b)) < ofw_ada_log_one_more(ofw_ada_log_pay(s, s->log_top)) - log(FALL))
    begin_epoch(l, 2.0 * s->b);
  else {
    s->b = b;
    if (!isnan(s->limit)) /* else it is refuted for good */
      s->reach = most_reached(l, unit);
  }
}

ofw_status ofw_ada_observe(ofw_learner *l, const ofw_round *now)
{
  const ofw_ada_options *o = l->options;
  ofw_ada *s = l->state;
  double loss_length = now->loss_length, half = l->D * l->D / 2.0;
  int changed = 0;
  if (s->watch.kept)
    OFW_TRY(ofw_watch_round(l, &s->watch, now, &changed));
  see_loss(l, loss_length);
  ofw_ada_priced g = ofw_ada_see_constraints(l, now);
  double one = ofw_two_to(-s->shift - s->k), unit = ofw_ada_unit(s);
  double alpha = s->Gf > 0.0 ? s->alpha * one : 0.0; /* before there is a unit it would be a choice of one */
  double steep = loss_length * one + (g.counts ? g.w * unit : 0.0), length = l->D * steep;
  ofw_learner_pull_gradients(l, now, one, g.times);
  if (l->hinted)
    ofw_hint_price(l, now, g.times);
  double room = room_to_raise(l, unit), part = share(l);
  double lowered = see_curvature(l, now, one, g.times, alpha, room, part);
  s->told += alpha;
  see_delay(l, steep);
  double curvature = (s->B + s->extra) / half + s->told + s->A, aim = moved_aim(l, steep, curvature);
  ofw_move move;
  OFW_TRY(ofw_learner_minimise(l, l->sigma, INFINITY, ofw_two_to(s->shift + s->k), curvature, &move));
  double sigma = ofw_line_search(&move, curvature), gap = ofw_at_least(-move.slope, 0.0);
  double dec = ofw_at_least(-sigma * (move.slope + sigma * curvature / 2.0 * move.length2), 0.0),
         way = length / (2.0 * sqrt(s->C));
  s->left = ofw_at_least(ofw_at_most(thrown_back(s->left, length, way) + lowered, gap) - dec, 0.0);
  s->left_sure =
      ofw_at_least(ofw_at_most(thrown_back(s->left_sure, length, way) + lowered, gap + move.error) - dec, 0.0);
  s->C = half * curvature;
  if (s->late)
    ofw_open_rounds_aim(l->open, aim, fmin(l->D, l->D * sqrt(s->left_sure / s->C)));
  ofw_hint_curve(l, curvature);
  s->lead2 = ofw_learner_step_leading(l, &move, sigma, curvature, 1.0 - part);
  s->B += dec;
  s->taken += dec;
  if (s->pays > 0.0)
    s->extra += raise(s, room, ofw_at_least(o->kappa - 1.0, 0.0) * dec);
  s->unproven += !l->info.oracle_proven;
  s->chances += move.chances;
  certify(l, unit, loss_length, g.w);
  ofw_hint_bound(l, s->bound * ofw_two_to(s->shift));
  if (changed || ofw_learner_tau(l) == o->window)
    begin_window(l);
  refute(l);
  ofw_ada_report(l);
  return OFW_OK;
}

ofw_status ofw_ada_start(ofw_learner *l)
{
  ofw_ada *s = l->state;
  s->B = ofw_ada_first_weight(l); /* in the unit 1 */
  s->b = s->B / 2.0;
  l->leads = 1;
  if (l->open && l->common.constraints != OFW_BUDGETS) { /* which have no bounds */
    s->late = ofw_owned_doubles(&l->own, s->lates = 1);
    OFW_TRY(ofw_owned_check(&l->own, &l->err));
    l->open->near = 0.0;
  }
  return ((const ofw_ada_options *)l->options)->window == OFW_ADA_WATCH ? ofw_watch_open(l, &s->watch) : OFW_OK;
}

const ofw_promise ofw_ada_promise = {.anytime = 1, .regret = {0.75, 0.0}, .ccv = {0.75, 1.0}};
const ofw_promise ofw_ada_sc_promise = {.anytime = 1, .regret = {2.0 / 3.0, 0.0}, .ccv = {0.75, 0.0}};

#define ROW(member) OFW_SAME(ofw_ada, member)
const ofw_field ofw_ada_fields[] = {{ROW(Gf)},
                                    {ROW(since)},
                                    {ROW(shift)},
                                    {ROW(k)},
                                    {ROW(B)},
                                    {ROW(A)},
                                    {ROW(extra)},
                                    {ROW(told)},
                                    {ROW(taken)},
                                    {ROW(paid)},
                                    {ROW(left)},
                                    {ROW(left_sure)},
                                    {ROW(C)},
                                    {ROW(pays)},
                                    {ROW(spread)},
                                    {ROW(lead2)},
                                    {ROW(q)},
                                    {ROW(b)},
                                    {ROW(raised)},
                                    {ROW(before)},
                                    {ROW(bound)},
                                    {ROW(ended)},
                                    {ROW(log_w)},
                                    {ROW(log_top)},
                                    {ROW(reach)},
                                    {ROW(limit)},
                                    {ROW(Gg)},
                                    {ROW(unproven)},
                                    {ROW(chances)},
                                    {ROW(epochs)},
                                    {OFW_ARRAY("watch", ofw_ada, watch.kept, watch.words)},
                                    {OFW_ARRAY("late", ofw_ada, late, lates)},
                                    {0}};
