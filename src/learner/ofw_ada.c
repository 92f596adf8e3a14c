/* ofw_ada.c — online Frank-Wolfe that needs no horizon, no bounds and no tuning
 *
 * Problem   losses f_t and constraints g_t, convex, over a set K with a linear oracle, in any units
 * Feedback  full information
 * Oracle    one call a round
 * Promise   regret and violation by a number b that it measures while it plays; b = O(T^3/4), and less where the rounds
 *           are kind (docs/theory.md)
 * Source    ours, in the frame of Wang, Wan, Zhang, "Revisiting Projection-Free Online Learning with Time-Varying
 *           Constraints", AAAI 2025
 *
 *     p = grad f / Gf + w grad g^+ / Gg                      Gf, Gg: the longest gradients so far
 *     Phi(x) = sum <p_s, x> + (1/D^2) sum beta_s |x - x_s|^2        B = sum beta_s
 *     v = LMO(Phi'(x)), line search, dec = what that takes off Phi
 *     beta of the next round = kappa dec
 *     w = exp(q / 4b),   q = sum g^+ / Gg,   b: the most that (B (1 + 1/kappa) + gap) / (1 + w) has been
 *
 * sum <p_s, x_s - x*> is at most B + sum dec + gap, so B follows what was lost, and not what might be: the steps stay
 * long as long as that costs nothing. A new beta adds nothing to Phi' at x, so d = Phi'(x) is carried forward as it is.
 * d, B and w are kept over a power of two, because the price has no bound where no point keeps the constraints.
 */
#include "learner/learner.h"
#include "learner/price.h"

#include "base/vec.h"

#include <math.h>

typedef struct ofw_ada_options {
  double kappa, first, units, sc;
} ofw_ada_options;

typedef struct ofw_ada {
  double Gf, Gg;
  double q;
  double B, exponent; /* B over 2^exponent, and so d */
  double b, log_w, A;
} ofw_ada;

/* Shorter gradients than these count as none: their inverse would not be finite. */
#define SHORTEST 1e-290

static double inverse(double length)
{
  return length > SHORTEST ? 1.0 / length : 0.0;
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

/* ln(1 + w) */
static double log_one_and(double log_w)
{
  return fmax(log_w, 0.0) + log1p(exp(-fabs(log_w)));
}

/* b grows until b (1 + exp(q / 4b)) is what is certain of the regret; the price falls with it. */
static void set_price(ofw_ada *s, double log_certain)
{
  enum { MOST = 64 };
  for (int i = 0; i < MOST; i++) {
    s->log_w = s->q / (4.0 * s->b);
    double needed = exp(log_certain - log_one_and(s->log_w));
    if (!(needed > s->b * (1.0 + 1e-12)))
      return;
    s->b = needed;
  }
}

static ofw_status observe(ofw_learner *l, const ofw_round *now)
{
  const ofw_ada_options *o = l->options;
  ofw_ada *s = l->state;
  double Gf = ofw_sum_norm(now->fb->loss_gradient);
  if (Gf > s->Gf && s->Gf > 0.0 && o->units > 0.5) {
    ofw_learner_pull_back(l, s->Gf / Gf, 0.0);
    s->A *= s->Gf / Gf;
    if (o->units > 1.5)
      s->B *= s->Gf / Gf;
  }
  s->Gf = fmax(s->Gf, Gf);
  s->Gg = fmax(s->Gg, constraint_length(now));
  if (o->units > 0.5)
    s->q = l->Q * inverse(s->Gg);
  else
    s->q += now->violation * inverse(s->Gg);
  s->log_w = s->q / (4.0 * s->b);
  double before = s->exponent, w = ofw_scaled(l, s->log_w, &s->exponent), one = exp2(-s->exponent);
  s->B *= exp2(before - s->exponent);
  ofw_learner_pull_gradients(l, now, one * inverse(s->Gf), w * inverse(s->Gg));
  s->A *= exp2(before - s->exponent);
  s->A += (o->sc > 0.5 ? l->alpha : 0.0) * one * inverse(s->Gf);
  double curvature = 2.0 * s->B / (l->D * l->D) + s->A;
  ofw_move move;
  OFW_TRY(ofw_learner_minimise(l, INFINITY, exp2(s->exponent), curvature, &move));
  double sigma = ofw_line_search(&move, curvature);
  double dec = -sigma * (move.slope + sigma * curvature / 2.0 * move.length2);
  ofw_learner_step(l, &move, sigma, curvature);
  s->B += o->kappa * fmax(dec, 0.0);
  double left = fmax(-move.slope - dec, 0.0);
  l->info.log_price = s->log_w;
  set_price(s, log(s->B * (1.0 + 1.0 / o->kappa) + left) + s->exponent * M_LN2);
  return OFW_OK;
}

static ofw_status start(ofw_learner *l)
{
  const ofw_ada_options *o = l->options;
  ofw_ada *s = l->state;
  s->B = o->first * l->D;
  s->b = s->B / 2.0;
  return OFW_OK;
}

static ofw_status visit(ofw_learner *l, ofw_visitor *v)
{
  ofw_ada *s = l->state;
  OFW_TRY(ofw_visit_f64(v, "Gf", &s->Gf, 1));
  OFW_TRY(ofw_visit_f64(v, "Gg", &s->Gg, 1));
  OFW_TRY(ofw_visit_f64(v, "q", &s->q, 1));
  OFW_TRY(ofw_visit_f64(v, "B", &s->B, 1));
  OFW_TRY(ofw_visit_f64(v, "exponent", &s->exponent, 1));
  OFW_TRY(ofw_visit_f64(v, "b", &s->b, 1));
  return ofw_visit_f64(v, "log_w", &s->log_w, 1);
}

#define AT(field) offsetof(ofw_ada_options, field)
static const ofw_option options[] = {
    OFW_POSITIVE_ROW(AT(kappa), "kappa", "10", NULL, "how much of what a round cost is held against longer steps"),
    OFW_POSITIVE_ROW(AT(first), "first", "1", NULL, "B at the start, in diameters: what may be lost before steps shorten"),
    OFW_POSITIVE_ROW(AT(units), "units", "1", NULL, "x"),
    OFW_POSITIVE_ROW(AT(sc), "sc", "0.1", NULL, "x"),
    {0},
};

static const ofw_promise promise = {.regret = {0.75, 0.0}, .ccv = {0.75, 1.0}};

const ofw_method ofw_ofw_ada_method = {
    {.name = "ofw-ada",
     .summary = "online Frank-Wolfe in any units: no horizon, no bounds, no tuning; full information",
     .source = "ours; docs/theory.md",
     .options = options,
     .promise = &promise},
    sizeof(ofw_ada_options),
    sizeof(ofw_ada),
    0,
    start,
    observe,
    visit,
    NULL};
