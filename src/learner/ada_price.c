/* ada_price.c — the price of ofw-ada: w and P at q/b, the least b that is enough, and what a round's constraints weigh
 *
 * One constraint has q; with constraints=each every one has its own, and P is the mean of their prices.
 */
#include "learner/ada.h"

#include "vector/vec_arithmetic.h"

#include <math.h>

/* ln w and ln P at q/b */
static double log_exponential(double x)
{
  return x * (1.0 / 1.5);
}

static double log_cubic(double x)
{
  return 3.0 * log1p(x / 6.0);
}

static double log_cubic_paid(double x)
{
  return 4.0 * log1p(x / 6.0);
}

double ofw_ada_log_pay(const ofw_ada *s, double log_w)
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
double ofw_ada_log_pay_at(const void *with, double b)
{
  const ofw_learner *l = with;
  const ofw_ada *s = l->state;
  if (l->accounts)
    return log_mean_price(l->accounts, b);
  return s->cubic ? log_cubic_paid(s->q / b) : log_exponential(s->q / b);
}

/* ln(1 + e^x) */
double ofw_ada_log_one_more(double x)
{
  return fmax(x, 0.0) + log1p(exp(-fabs(x)));
}

/* What b has to be if P is as at this one: exp(log_certain) / (1 + P) */
static double needed_at(double b, double log_certain, double (*pay_at)(const void *with, double b), const void *with)
{
  double x = pay_at(with, b);
  return exp(log_certain - ofw_at_least(x, 0.0)) / (1.0 + exp(-fabs(x)));
}

static int is_enough(double needed, double b)
{
  return !(needed > b * (1.0 + 1e-12));
}

/* b (1 + P) is convex, so from where it is not enough there is one root. What is needed is no more than that; then come
 * secants, or halves if one leaves the range. A secant may end beside the first b, which is nearly a root if it is nearly enough; so
 * the last b is taken only if it is. */
double ofw_ada_least(double b, double log_certain, double (*pay_at)(const void *with, double b), const void *with)
{
  enum { TRIES = 100 };
  double low = b, high = fmin(exp(log_certain), OFW_ADA_MOST), before = b;
  double needed = needed_at(b, log_certain, pay_at, with), needed_before = needed;
  if (is_enough(needed, b))
    return b;
  b = needed;
  for (int i = 0; i < TRIES; i++) {
    if (!(b > low && b < high))
      b = low * sqrt(high / low);
    needed = needed_at(b, log_certain, pay_at, with);
    double slope = (needed - needed_before) / (b - before), next = b + (needed - b) / (1.0 - slope);
    if (needed == b || high <= low * (1.0 + 1e-15))
      return b;
    if (fabs(needed - b) < 1e-9 * b && next > low && next < high &&
        is_enough(needed_at(next, log_certain, pay_at, with), next))
      return next;
    *(needed > b ? &low : &high) = b;
    before = b;
    needed_before = needed;
    b = next;
  }
  return high;
}

/* The gradient of g^+: of the one constraint that counts, or of the sum of those that are broken. */
static double constraint_length(const ofw_learner *l, const ofw_round *now)
{
  double length = 0.0;
  if (now->fb->values.constraints == 1)
    return now->violation > 0.0 ? now->constraint_length : 0.0;
  for (size_t i = now->first; i < now->last; i++)
    if (now->fb->values.constraint[i] > 0.0)
      length += ofw_engine_length(l->engine, now->fb->constraint_gradient[i]);
  return length;
}

/* The price at this logarithm, for constraints that are this far away, by their shares in it; the unit is Gf. */
static double pay(ofw_learner *l, double unit, double log_w, double distance)
{
  ofw_ada *s = l->state;
  if (s->since == 0.0 && distance > 0.0)
    s->since = s->Gf > 0.0 ? s->Gf : 1.0;
  double w = ofw_ada_scaled_price(l, log_w);
  s->log_top = ofw_at_least(s->log_top, s->log_w);
  s->paid += w * unit * distance;
  return w;
}

/* No point of K keeps a constraint that is farther than D away: that far it counts. */
static ofw_ada_priced see_constraint(ofw_learner *l, const ofw_round *now)
{
  ofw_ada *s = l->state;
  double length = constraint_length(l, now), inverse = ofw_ada_inverse(length), unit = ofw_ada_unit(s);
  double distance = ofw_at_most(now->violation * inverse, l->D);
  s->Gg = ofw_at_least(length, s->Gg);
  s->q = ofw_at_most(s->q + unit * distance, OFW_ADA_MOST);
  double w = pay(l, unit, s->cubic ? log_cubic(s->q / s->b) : log_exponential(s->q / s->b), distance);
  return (ofw_ada_priced){w, w * unit * inverse, inverse > 0.0};
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
static ofw_ada_priced see_each(ofw_learner *l, const ofw_round *now)
{
  ofw_ada *s = l->state;
  ofw_accounts *a = l->accounts;
  double distance = 0.0, unit = ofw_ada_unit(s), *far = a->value;
  int counts = 0;
  for (size_t i = 0; i < a->count; i++) {
    double length = far[i] > 0.0 ? ofw_engine_length(l->engine, now->fb->constraint_gradient[i]) : 0.0;
    s->Gg = fmax(s->Gg, length);
    far[i] = fmin(far[i] * ofw_ada_inverse(length), l->D);
    a->level[i] = fmin(a->level[i] + unit * far[i], OFW_ADA_MOST);
  }
  double log_w = a->count ? ofw_accounts_share(a, log_price_of, &(levels){a->level, s->b}) : 0.0;
  for (size_t i = 0; i < a->count; i++) {
    double inverse = now->last && now->fb->values.constraint[i] > 0.0
                         ? ofw_ada_inverse(ofw_engine_length(l->engine, now->fb->constraint_gradient[i]))
                         : 0.0;
    distance += a->weight[i] * far[i];
    a->weight[i] *= inverse;
    counts |= inverse > 0.0;
  }
  double w = pay(l, unit, log_w, distance);
  return (ofw_ada_priced){w, w * unit, counts};
}

ofw_ada_priced ofw_ada_see_constraints(ofw_learner *l, const ofw_round *now)
{
  return l->accounts ? see_each(l, now) : see_constraint(l, now);
}
