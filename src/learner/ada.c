/* ada.c — the round of ofw-ada and ofw-ada-sc, parts of which bfw-ada shares; ada.h has the formulas */
#include "learner/ada.h"

#include "learner/hint.h"
#include "learner/price.h"
#include "linalg/lanczos.h"
#include "vector/vec_arithmetic.h"

#include <math.h>

/* Of shorter gradients the inverse would not be finite: they count as none. */
#define SHORTEST 1e-290
#define MOST     1e290

/* experiments/ada/README.md has how these were chosen */
#define FALL   4.0 /* of 1 + P within an epoch, at most */
#define GROWTH 8.0 /* of Gf since an epoch's first violation, at most */

double ofw_ada_inverse(double G)
{
  return G > SHORTEST ? 1.0 / G : 0.0;
}

/* ---- units ---- */

double ofw_ada_unit(const ofw_ada *s)
{
  return s->Gf > 0.0 ? s->Gf * exp2(-s->shift) : 1.0;
}

/* What is over 2^(shift + k) as if it were over 2^shift, and back. */
static double without_price(const ofw_ada *s, double x)
{
  return ldexp(x, (int)fmin(s->k, 4096.0));
}

static double with_price(const ofw_ada *s, double x)
{
  return ldexp(x, (int)fmax(-s->k, -4096.0));
}

/* What is kept over 2^(shift + k), but d. */
static void rescale(ofw_ada *s, double by)
{
  s->B *= by;
  s->A *= by;
  s->extra *= by;
  s->told *= by;
  s->taken *= by;
  s->paid *= by;
  s->pays *= by;
  s->left *= by;
  s->left_sure *= by;
  s->C *= by;
  if (s->late)
    *s->late *= by;
}

/* The q_i, multiplied. */
static void set_levels(ofw_accounts *a, double by)
{
  for (size_t i = 0; a && i < a->count; i++)
    a->level[i] *= by;
}

/* What is kept over 2^shift. */
static void rescale_unpriced(ofw_learner *l, double by)
{
  ofw_ada *s = l->state;
  set_levels(l->accounts, by);
  s->q *= by;
  s->b *= by;
  s->raised *= by;
  s->before *= by;
  s->bound *= by;
  s->ended *= by;
}

void ofw_ada_set_unit(ofw_learner *l, double Gf)
{
  ofw_ada *s = l->state;
  int shift;
  double by = frexp(Gf, &shift);
  ofw_learner_pull_back(l, by, 0.0);
  ofw_hint_scale(l, by);
  rescale(s, by);
  s->shift = shift;
  s->Gf = Gf;
}

/* ---- the price ---- */

/* ln w and ln P at q/b */
static double log_exponential(double x)
{
  return x / 1.5;
}

static double log_cubic(double x)
{
  return 3.0 * log1p(x / 6.0);
}

static double log_cubic_paid(double x)
{
  return 4.0 * log1p(x / 6.0);
}

static double log_pay(const ofw_ada *s, double log_w)
{
  return s->cubic ? 4.0 / 3.0 * log_w : log_w;
}

/* constraints=each: ln of the mean of the prices, which is ln P too */
static double log_mean_price(const ofw_accounts *a, double b)
{
  double top = 0.0, total = 0.0;
  for (size_t i = 0; i < a->count; i++)
    top = fmax(top, log_exponential(a->level[i] / b));
  for (size_t i = 0; i < a->count; i++)
    total += exp(log_exponential(a->level[i] / b) - top);
  return a->count ? top + log(total / (double)a->count) : 0.0;
}

/* ln P at this b; `with` is the learner. */
static double log_pay_at(const void *with, double b)
{
  const ofw_learner *l = with;
  const ofw_ada *s = l->state;
  if (l->accounts)
    return log_mean_price(l->accounts, b);
  return s->cubic ? log_cubic_paid(s->q / b) : log_exponential(s->q / b);
}

/* ln(1 + e^x) */
static double log_one_more(double x)
{
  return fmax(x, 0.0) + log1p(exp(-fabs(x)));
}

double ofw_ada_least(double b, double log_certain, double (*pay_at)(const void *with, double b), const void *with)
{
  enum { TRIES = 64 };
  for (int i = 0; i < TRIES; i++) {
    double x = pay_at(with, b), needed = exp(log_certain - fmax(x, 0.0) - log1p(exp(-fabs(x))));
    if (!(needed > b * (1.0 + 1e-12)))
      break;
    b = needed;
  }
  return b;
}

/* The same to rounding. If b (1 + P) is about its least those tries do not suffice; it is convex in b, and P >= 1, so that
 * from there the rest is halved. */
static double least_enough(const ofw_learner *l, double b, double log_certain)
{
  enum { TRIES = 64 };
  double low = ofw_ada_least(b, log_certain, log_pay_at, l), high = fmin(exp(log_certain) / 2.0, MOST);
  if (!(log(low) + log_one_more(log_pay_at(l, low)) < log_certain - 1e-11))
    return low;
  for (int i = 0; i < TRIES && high > low * (1.0 + 1e-12); i++) {
    double middle = low * sqrt(high / low);
    if (log(middle) + log_one_more(log_pay_at(l, middle)) < log_certain)
      low = middle;
    else
      high = middle;
  }
  return high;
}

double ofw_ada_scaled_price(ofw_learner *l, double log_w)
{
  ofw_ada *s = l->state;
  double before = s->k;
  s->log_w = l->info.log_price = log_w;
  double w = ofw_scaled(l, log_w, &s->k); /* which sees to d */
  ofw_hint_scale(l, exp2(before - s->k));
  rescale(s, exp2(before - s->k));
  return w;
}

/* ---- epochs ---- */

double ofw_ada_first_weight(const ofw_learner *l)
{
  return fmin(fmax(((const ofw_ada_options *)l->options)->first * l->D, SHORTEST), MOST);
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
  s->pays = fmax(-MOST, fmin(without_price(s, s->pays), MOST));
  s->k = 0.0;
  s->A = s->extra = s->told = s->taken = s->paid = s->q = s->log_top = s->left = s->left_sure = s->C = 0.0;
  s->B = ofw_ada_first_weight(l) * ofw_ada_unit(s);
  s->b = b;
  s->before = s->raised;
  s->ended = s->bound;
  set_levels(l->accounts, 0.0);
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

/* What came before the first loss with a gradient was in the unit 1. */
static void begin_units(ofw_learner *l, double length)
{
  ofw_ada *s = l->state;
  ofw_ada_set_unit(l, length);
  rescale_unpriced(l, ofw_ada_unit(s));
  if (s->since > 0.0)
    s->since = length;
}

double ofw_ada_keep_units(ofw_learner *l, double length)
{
  ofw_ada *s = l->state;
  int shift;
  frexp(length, &shift);
  if (shift - s->shift <= ofw_scale_room(l))
    return 1.0;
  double by = exp2(s->shift - shift);
  ofw_learner_pull_back(l, by, 0.0);
  ofw_hint_scale(l, by);
  rescale(s, by);
  rescale_unpriced(l, by);
  s->shift = shift;
  return by;
}

/* The first loss with a gradient sets the unit; with a longer one B grows. */
static void see_loss(ofw_learner *l, double length)
{
  ofw_ada *s = l->state;
  if (!(length > s->Gf) || length <= SHORTEST)
    return;
  if (s->Gf == 0.0)
    begin_units(l, length);
  else if (s->since > 0.0 && length > GROWTH * s->since) {
    begin_epoch(l, ofw_ada_first_weight(l) * ofw_ada_unit(s) / 2.0);
    s->since = 0.0;
  }
  ofw_ada_keep_units(l, length);
  s->B += ofw_ada_first_weight(l) * (length - s->Gf) * exp2(-s->shift - s->k);
  s->Gf = length;
  s->b = fmax(s->b, ofw_ada_first_weight(l) * ofw_ada_unit(s) / 2.0);
}

/* The gradient of g^+: of the one constraint that counts, or of the sum of those that are broken. */
static double constraint_length(const ofw_round *now)
{
  double length = 0.0;
  for (size_t i = now->first; i < now->last; i++)
    if (now->fb->values.constraint[i] > 0.0)
      length += ofw_sum_norm(now->fb->constraint_gradient[i]);
  return length;
}

/* What a round's constraints weigh in p: w over 2^k, and what their gradients, as weighted, are multiplied by. */
typedef struct priced {
  double w, times;
  int counts; /* one has a gradient */
} priced;

/* The price at this logarithm, for constraints that are this far away, by their shares in it. */
static double pay(ofw_learner *l, double log_w, double distance)
{
  ofw_ada *s = l->state;
  if (s->since == 0.0 && distance > 0.0)
    s->since = s->Gf > 0.0 ? s->Gf : 1.0;
  double w = ofw_ada_scaled_price(l, log_w);
  s->log_top = fmax(s->log_top, s->log_w);
  s->paid += w * ofw_ada_unit(s) * distance;
  return w;
}

/* No point of K keeps a constraint that is farther than D away: that far it counts. */
static priced see_constraint(ofw_learner *l, const ofw_round *now)
{
  ofw_ada *s = l->state;
  double length = constraint_length(now), inverse = ofw_ada_inverse(length);
  double distance = fmin(now->violation * inverse, l->D);
  s->Gg = fmax(s->Gg, length);
  s->q = fmin(s->q + ofw_ada_unit(s) * distance, MOST);
  double w = pay(l, s->cubic ? log_cubic(s->q / s->b) : log_exponential(s->q / s->b), distance);
  return (priced){w, w * ofw_ada_unit(s) * inverse, inverse > 0.0};
}

typedef struct levels {
  const double *q;
  double b;
} levels;

static double log_price_of(const void *with, size_t i)
{
  const levels *at = with;
  return log_exponential(at->q[i] / at->b);
}

/* The same for constraints that each have a q and a price. */
static priced see_each(ofw_learner *l, const ofw_round *now)
{
  ofw_ada *s = l->state;
  ofw_accounts *a = l->accounts;
  double distance = 0.0, *far = a->value;
  int counts = 0;
  for (size_t i = 0; i < a->count; i++) {
    double length = far[i] > 0.0 ? ofw_sum_norm(now->fb->constraint_gradient[i]) : 0.0;
    s->Gg = fmax(s->Gg, length);
    far[i] = fmin(far[i] * ofw_ada_inverse(length), l->D);
    a->level[i] = fmin(a->level[i] + ofw_ada_unit(s) * far[i], MOST);
  }
  double log_w = a->count ? ofw_accounts_share(a, log_price_of, &(levels){a->level, s->b}) : 0.0;
  for (size_t i = 0; i < a->count; i++) {
    double inverse = now->last && now->fb->values.constraint[i] > 0.0
                         ? ofw_ada_inverse(ofw_sum_norm(now->fb->constraint_gradient[i]))
                         : 0.0;
    distance += a->weight[i] * far[i];
    a->weight[i] *= inverse;
    counts |= inverse > 0.0;
  }
  double w = pay(l, log_w, distance);
  return (priced){w, w * ofw_ada_unit(s), counts};
}

/* The share of this round in a mean in which round s weighs s (s + 1). */
static double share(const ofw_learner *l)
{
  return 3.0 / ((double)ofw_learner_tau(l) + 2.0);
}

/* As much of this, over 2^(shift + k), as a and e may still be raised by, times D^2/2; it is counted. */
static double raise(ofw_learner *l, double by)
{
  ofw_ada *s = l->state;
  double room = OFW_ADA_ROOM * ofw_ada_unit(s) * l->D * pow((double)ofw_learner_tau(l), s->cubic ? 2.0 / 3.0 : 0.75);
  by = fmin(by, with_price(s, fmax(0.0, room - s->raised)));
  s->raised += without_price(s, by);
  return by;
}

/* p as it was pulled, against y: how much more convex than alpha the losses show themselves, or less. By how much that lowers
 * Phi at most is returned. */
static double see_curvature(ofw_learner *l, const ofw_round *now, double cf, double cg, double alpha)
{
  const ofw_engine *E = l->engine;
  ofw_ada *s = l->state;
  double pays = cf * E->ops->lead->dot(E, now->fb->loss_gradient), part = share(l), half = l->D * l->D / 2.0;
  for (size_t i = now->first; i < now->last; i++)
    if (ofw_round_weight(now, i) > 0.0)
      pays += cg * ofw_round_weight(now, i) * E->ops->lead->dot(E, now->fb->constraint_gradient[i]);
  s->pays += part * (pays - s->pays);
  s->spread += part * (s->lead2 - s->spread);
  double a = s->spread > 0.0 ? OFW_ADA_STRONGER * s->pays / s->spread - alpha : 0.0;
  double less = fmin(fmax(0.0, -a), s->A);
  s->A += a > 0.0 ? raise(l, a * half) / half : -less;
  return less * half;
}

/* What Phi is above its minimum at most, with a gradient of this length more, if it was `left` above it before and C is its
 * curvature, times D^2/2, without that: Lemma 5 of docs/theory.md. Before the first gradient C is 0. */
static double thrown_back(double left, double length, double C)
{
  double root = sqrt(left) + length / (2.0 * sqrt(C));
  return fmin(root * root, left + length);
}

/* Lemma 6 of docs/theory.md, for q over what a violation counted for at least. */
static double most_reached(const ofw_learner *l)
{
  const ofw_ada *s = l->state;
  double error = without_price(s, s->left_sure - s->left), all = (double)l->t * ofw_ada_unit(s) * l->D;
  double P = 5.0 + 2.0 * (all + s->raised - s->before + error) / s->b;
  double several = l->accounts ? fmax(1.0, (double)l->accounts->count) : 1.0;
  double q = s->cubic ? 6.0 * s->b * (pow(P, 0.25) - 1.0) : 1.5 * s->b * log(P * several);
  return s->since > 0.0 ? q / (s->since * exp2(-s->shift)) : 0.0;
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
  l->info.regret_bound = refuted ? NAN : s->bound * exp2(s->shift);
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
  double before = 2.0 * s->C / (l->D * l->D);
  return s->late ? fmin(l->D, (steep + fabs(curvature - before) * l->open->near) / curvature) : 0.0;
}

/* b, and the regret's bound, which counts the oracle's error, from what is certain after this round; a new epoch if the price
 * would fall too far. */
static void certify(ofw_learner *l, double loss_length)
{
  ofw_ada *s = l->state;
  double lost = s->B + s->taken + (s->late ? *s->late : 0.0), log_certain = log(lost + s->left) + s->k * M_LN2;
  double round = loss_length * exp2(-s->shift) * l->D;
  double b = least_enough(l, s->b, log_certain);
  s->bound = fmin(s->bound + round, s->ended + without_price(s, lost + s->left_sure - s->paid) + s->raised - s->before);
  if (b > s->b && log_one_more(log_pay_at(l, b)) < log_one_more(log_pay(s, s->log_top)) - log(FALL))
    begin_epoch(l, 2.0 * s->b);
  else {
    s->b = b;
    s->reach = most_reached(l);
  }
}

ofw_status ofw_ada_observe(ofw_learner *l, const ofw_round *now)
{
  const ofw_ada_options *o = l->options;
  ofw_ada *s = l->state;
  double loss_length = ofw_sum_norm(now->fb->loss_gradient), half = l->D * l->D / 2.0;
  int changed = 0;
  if (s->watch.kept)
    OFW_TRY(ofw_watch_round(l, &s->watch, now, &changed));
  see_loss(l, loss_length);
  priced g = l->accounts ? see_each(l, now) : see_constraint(l, now);
  double one = exp2(-s->shift - s->k);
  double alpha = s->Gf > 0.0 ? s->alpha * one : 0.0; /* before there is a unit it would be a choice of one */
  double steep = loss_length * one + (g.counts ? g.w * ofw_ada_unit(s) : 0.0), length = l->D * steep;
  ofw_learner_pull_gradients(l, now, one, g.times);
  ofw_hint_price(l, now, g.times);
  double lowered = see_curvature(l, now, one, g.times, alpha);
  s->told += alpha;
  see_delay(l, steep);
  double curvature = (s->B + s->extra) / half + s->told + s->A, aim = moved_aim(l, steep, curvature);
  ofw_move move;
  OFW_TRY(ofw_learner_minimise(l, l->sigma, INFINITY, exp2(s->shift + s->k), curvature, &move));
  double sigma = ofw_line_search(&move, curvature), gap = fmax(0.0, -move.slope);
  double dec = fmax(0.0, -sigma * (move.slope + sigma * curvature / 2.0 * move.length2));
  s->left = fmax(0.0, fmin(gap, thrown_back(s->left, length, s->C) + lowered) - dec);
  s->left_sure = fmax(0.0, fmin(gap + move.error, thrown_back(s->left_sure, length, s->C) + lowered) - dec);
  s->C = half * curvature;
  if (s->late)
    ofw_open_rounds_aim(l->open, aim, fmin(l->D, l->D * sqrt(s->left_sure / s->C)));
  ofw_hint_curve(l, curvature);
  s->lead2 = l->engine->ops->lead->step(l->engine, move.v, sigma, 1.0 - share(l));
  ofw_learner_step(l, &move, sigma, curvature);
  s->B += dec;
  s->taken += dec;
  if (s->pays > 0.0)
    s->extra += raise(l, fmax(0.0, o->kappa - 1.0) * dec);
  s->unproven += !l->info.oracle_proven;
  s->chances += move.chances;
  certify(l, loss_length);
  ofw_hint_bound(l, s->bound * exp2(s->shift));
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
