/* ada.c — the round of ofw-ada and ofw-ada-sc, and what bfw-ada shares with it; ada.h has the formulas */
#include "learner/ada.h"

#include "learner/price.h"
#include "vector/vec_arithmetic.h"

#include <math.h>

/* Of shorter gradients the inverse would not be finite: they count as none. */
#define SHORTEST 1e-290
#define MOST     1e290

#define STRONGER 3.0 /* than was seen: experiments/ada/README.md has how these were chosen */
#define ROOM     32.0

double ofw_ada_inverse(double G)
{
  return G > SHORTEST ? 1.0 / G : 0.0;
}

double ofw_ada_unit(const ofw_ada *s)
{
  return s->Gf > 0.0 ? s->Gf * exp2(-s->shift) : 1.0;
}

/* All but d over another power of two. */
static void rescale(ofw_ada *s, double by)
{
  s->B *= by;
  s->A *= by;
  s->told *= by;
  s->raised *= by;
  s->taken *= by;
  s->pays *= by;
}

void ofw_ada_set_unit(ofw_learner *l, double Gf)
{
  ofw_ada *s = l->state;
  int shift;
  double by = frexp(Gf, &shift);
  ofw_learner_pull_back(l, by, 0.0);
  rescale(s, by);
  s->shift = shift;
  s->Gf = Gf;
}

/* B at the start over Gf, which is a number and not 0 whatever the option and the domain's size are. */
static double first_weight(const ofw_learner *l)
{
  return fmin(fmax(((const ofw_ada_options *)l->options)->first * l->D, SHORTEST), MOST);
}

/* The first loss with a gradient sets the unit; with a longer one B grows. */
static void see_loss(ofw_learner *l, double length)
{
  ofw_ada *s = l->state;
  if (!(length > s->Gf) || length <= SHORTEST)
    return;
  if (s->Gf == 0.0)
    ofw_ada_set_unit(l, length);
  s->B += first_weight(l) * (length - s->Gf) * exp2(-s->shift - s->k);
  s->Gf = length;
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

/* q = Q / Gg */
static double relative_violation(const ofw_learner *l)
{
  return fmin(l->Q * ofw_ada_inverse(((const ofw_ada *)l->state)->Gg), MOST);
}

double ofw_ada_price(ofw_learner *l)
{
  ofw_ada *s = l->state;
  double before = s->k;
  s->log_w = l->info.log_price = relative_violation(l) / (s->c * s->b);
  double w = ofw_scaled(l, s->log_w, &s->k); /* which sees to d */
  rescale(s, exp2(before - s->k));
  return w;
}

void ofw_ada_certify(ofw_learner *l, double certain)
{
  enum { TRIES = 64 };
  ofw_ada *s = l->state;
  double q = relative_violation(l), log_certain = log(certain / ofw_ada_unit(s)) + s->k * M_LN2;
  for (int i = 0; i < TRIES; i++) {
    double log_w = q / (s->c * s->b), needed = exp(log_certain - fmax(log_w, 0.0) - log1p(exp(-fabs(log_w))));
    if (!(needed > s->b * (1.0 + 1e-12)))
      return;
    s->b = needed;
  }
}

/* The share of this round in a mean in which round s weighs s (s + 1). */
static double share(const ofw_learner *l)
{
  return 3.0 / ((double)ofw_learner_tau(l) + 2.0);
}

/* p as it was pulled, against y: how much more convex than alpha the losses show themselves, or less. */
static void see_curvature(ofw_learner *l, const ofw_round *now, double cf, double cg, double alpha)
{
  const ofw_engine *E = l->engine;
  ofw_ada *s = l->state;
  double pays = cf * E->ops->lead->dot(E, now->fb->loss_gradient), part = share(l);
  for (size_t i = now->first; i < now->last; i++)
    if (now->fb->values.constraint[i] > 0.0)
      pays += cg * E->ops->lead->dot(E, now->fb->constraint_gradient[i]);
  s->pays += part * (pays - s->pays);
  s->spread += part * (s->lead2 - s->spread);
  double a = s->spread > 0.0 ? STRONGER * s->pays / s->spread - alpha : 0.0;
  double room = 2.0 * ROOM * ofw_ada_unit(s) * exp2(-s->k) * pow((double)ofw_learner_tau(l), 0.75) / l->D;
  a = fmax(-s->A, fmin(a, fmax(0.0, room - s->raised)));
  s->A += a;
  s->raised += fmax(0.0, a);
}

ofw_status ofw_ada_observe(ofw_learner *l, const ofw_round *now)
{
  const ofw_ada_options *o = l->options;
  ofw_ada *s = l->state;
  see_loss(l, ofw_sum_norm(now->fb->loss_gradient));
  s->Gg = fmax(s->Gg, constraint_length(now));
  double w = ofw_ada_price(l), one = exp2(-s->shift - s->k), cg = w * ofw_ada_unit(s) * ofw_ada_inverse(s->Gg);
  double alpha = s->Gf > 0.0 ? s->alpha * one : 0.0; /* before there is a unit it would be a choice of one */
  ofw_learner_pull_gradients(l, now, one, cg);
  see_curvature(l, now, one, cg, alpha);
  s->told += alpha;
  double curvature = 2.0 * s->B / (l->D * l->D) + s->told + s->A;
  ofw_move move;
  OFW_TRY(ofw_learner_minimise(l, l->sigma, INFINITY, exp2(s->shift + s->k), curvature, &move));
  double sigma = ofw_line_search(&move, curvature);
  double dec = fmax(0.0, -sigma * (move.slope + sigma * curvature / 2.0 * move.length2));
  s->lead2 = l->engine->ops->lead->step(l->engine, move.v, sigma, 1.0 - share(l));
  ofw_learner_step(l, &move, sigma, curvature);
  s->B += (s->pays > 0.0 ? o->kappa : 1.0) * dec;
  s->taken += dec;
  ofw_ada_certify(l, s->B + s->taken + fmax(0.0, -move.slope - dec));
  return OFW_OK;
}

ofw_status ofw_ada_start(ofw_learner *l)
{
  ofw_ada *s = l->state;
  s->c = 1.5;
  s->B = first_weight(l); /* in the unit 1 */
  s->b = s->B / 2.0;
  l->leads = 1;
  return OFW_OK;
}

/* No rate: what is proved is a bound by b, and of b only while the price is bounded. */
const ofw_promise ofw_ada_promise = {.anytime = 1};

#define ROW(member) OFW_SAME(ofw_ada, member)
const ofw_field ofw_ada_fields[] = {{ROW(Gf)},     {ROW(Gg)},    {ROW(shift)},  {ROW(k)},     {ROW(B)},
                                    {ROW(A)},      {ROW(told)},  {ROW(raised)}, {ROW(taken)}, {ROW(pays)},
                                    {ROW(spread)}, {ROW(lead2)}, {ROW(b)},      {ROW(log_w)}, {0}};
