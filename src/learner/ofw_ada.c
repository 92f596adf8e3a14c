/* ofw_ada.c — online Frank-Wolfe that needs no horizon, no bounds and no tuning
 *
 * Problem   losses f_t and constraints g_t, convex, over a set K with a linear oracle, in any units; ofw-ada-sc: losses
 *           alpha-strongly convex
 * Feedback  full information
 * Oracle    one call a round
 * Promise   regret and violation by a number b that it measures while it plays; b = O(T^3/4), and less where the rounds
 *           are kind (docs/theory.md)
 * Source    ours, in the frame of Wang, Wan, Zhang, "Revisiting Projection-Free Online Learning with Time-Varying
 *           Constraints", AAAI 2025
 *
 *     p = grad f + w (Gf / Gg) grad g^+                                 Gf, Gg: the longest gradients so far
 *     Phi(x) = sum <p_s, x> + (beta_s / D^2 + alpha / 2) |x - x_s|^2    B = sum beta_s
 *     v = LMO(Phi'(x)), line search, dec = what that takes off Phi
 *     the next beta = kappa dec, and first D times what Gf grows by
 *     w = exp(q / 4b),   q = sum g^+ / Gg,   b: the most that (B (1 + 1/kappa) + gap) / (Gf (1 + w)) has been
 *
 * sum <p_s, x_s - x*> is at most B + sum dec + gap, so B follows what was lost, not what might be: steps stay long as long
 * as that costs nothing. A new beta adds nothing to Phi' at x, so d = Phi'(x) is carried forward as it is. d, B and the
 * weight of alpha are kept over a power of two: the unit of the loss is anybody's, and the price has no bound where no point
 * keeps the constraints.
 */
#include "learner/learner.h"
#include "learner/price.h"

#include "base/vec.h"

#include <math.h>

typedef struct ofw_ada_options {
  double kappa, first;
} ofw_ada_options;

typedef struct ofw_ada {
  double Gf, Gg;
  double shift, k; /* d, B and A are kept over 2^(shift + k): for the unit, and for the price */
  double B, A;     /* A: the sum of the alphas */
  double b, log_w;
} ofw_ada;

/* Of shorter gradients the inverse would not be finite: they count as none. */
#define SHORTEST 1e-290
#define MOST     1e290

static double inverse(double length)
{
  return length > SHORTEST ? 1.0 / length : 0.0;
}

/* What a loss is measured in, over 2^shift: Gf, or 1 before there is one. Of all units it has the same digits. */
static double unit(const ofw_ada *s)
{
  return s->Gf > 0.0 ? s->Gf * exp2(-s->shift) : 1.0;
}

/* d, B and A over another power of two. */
static void rescale(ofw_learner *l, double by)
{
  ofw_ada *s = l->state;
  ofw_learner_pull_back(l, by, 0.0);
  s->B *= by;
  s->A *= by;
}

/* The first loss with a gradient sets the unit, in which what came before counts; with a longer one B grows. */
static void see_loss(ofw_learner *l, double length)
{
  const ofw_ada_options *o = l->options;
  ofw_ada *s = l->state;
  if (!(length > s->Gf) || length <= SHORTEST)
    return;
  if (s->Gf == 0.0) {
    int shift;
    rescale(l, frexp(length, &shift));
    s->shift = shift;
  } else
    s->B += o->first * l->D * (length - s->Gf) * exp2(-s->shift - s->k);
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

/* w over 2^k, which is raised where w has outgrown it. */
static double price(ofw_learner *l, double q)
{
  ofw_ada *s = l->state;
  double before = s->k;
  s->log_w = q / (4.0 * s->b);
  double w = ofw_scaled(l, s->log_w, &s->k); /* which sees to d */
  s->B *= exp2(before - s->k);
  s->A *= exp2(before - s->k);
  return w;
}

/* b grows until b (1 + exp(q / 4b)) is what is certain of the regret; the price falls with it. */
static void certify(ofw_ada *s, double q, double log_certain)
{
  enum { TRIES = 64 };
  for (int i = 0; i < TRIES; i++) {
    double log_w = q / (4.0 * s->b), needed = exp(log_certain - fmax(log_w, 0.0) - log1p(exp(-fabs(log_w))));
    if (!(needed > s->b * (1.0 + 1e-12)))
      return;
    s->b = needed;
  }
}

static ofw_status observe(ofw_learner *l, const ofw_round *now, double alpha)
{
  const ofw_ada_options *o = l->options;
  ofw_ada *s = l->state;
  see_loss(l, ofw_sum_norm(now->fb->loss_gradient));
  s->Gg = fmax(s->Gg, constraint_length(now));
  double q = fmin(l->Q * inverse(s->Gg), MOST), w = price(l, q), one = exp2(-s->shift - s->k);
  ofw_learner_pull_gradients(l, now, one, w * unit(s) * inverse(s->Gg));
  s->A += s->Gf > 0.0 ? alpha * one : 0.0; /* before there is a unit it would be a choice of one */
  double curvature = 2.0 * s->B / (l->D * l->D) + s->A;
  ofw_move move;
  OFW_TRY(ofw_learner_minimise(l, INFINITY, exp2(s->shift + s->k), curvature, &move));
  double sigma = ofw_line_search(&move, curvature);
  double dec = fmax(0.0, -sigma * (move.slope + sigma * curvature / 2.0 * move.length2));
  ofw_learner_step(l, &move, sigma, curvature);
  s->B += o->kappa * dec;
  l->info.log_price = s->log_w;
  double certain = s->B * (1.0 + 1.0 / o->kappa) + fmax(0.0, -move.slope - dec);
  certify(s, q, log(certain / unit(s)) + s->k * M_LN2);
  return OFW_OK;
}

static ofw_status observe_convex(ofw_learner *l, const ofw_round *now)
{
  return observe(l, now, 0.0);
}

static ofw_status observe_strongly_convex(ofw_learner *l, const ofw_round *now)
{
  return observe(l, now, l->alpha);
}

static ofw_status start(ofw_learner *l)
{
  const ofw_ada_options *o = l->options;
  ofw_ada *s = l->state;
  s->B = o->first * l->D; /* in the unit 1 */
  s->b = s->B / 2.0;
  return OFW_OK;
}

static ofw_status start_strongly_convex(ofw_learner *l)
{
  if (!(l->alpha > 0.0))
    return ofw_fail(&l->err, OFW_USAGE,
                    "ofw-ada-sc: a strong convexity above 0 is needed; for other losses use ofw-ada");
  return start(l);
}

static ofw_status visit(ofw_learner *l, ofw_visitor *v)
{
  ofw_ada *s = l->state;
  OFW_TRY(ofw_visit_f64(v, "Gf", &s->Gf, 1));
  OFW_TRY(ofw_visit_f64(v, "Gg", &s->Gg, 1));
  OFW_TRY(ofw_visit_f64(v, "shift", &s->shift, 1));
  OFW_TRY(ofw_visit_f64(v, "k", &s->k, 1));
  OFW_TRY(ofw_visit_f64(v, "B", &s->B, 1));
  OFW_TRY(ofw_visit_f64(v, "A", &s->A, 1));
  OFW_TRY(ofw_visit_f64(v, "b", &s->b, 1));
  return ofw_visit_f64(v, "log_w", &s->log_w, 1);
}

#define AT(field) offsetof(ofw_ada_options, field)
#define ROWS(kappa_value)                                                                               \
  {                                                                                                     \
    OFW_POSITIVE_ROW(AT(kappa), "kappa", kappa_value, NULL,                                             \
                     "how much of what a round cost is held against longer steps"),                     \
        OFW_POSITIVE_ROW(AT(first), "first", "1", NULL,                                                 \
                         "what may be lost before steps shorten, in rounds: B at the start over Gf D"), \
        {0},                                                                                            \
  }
static const ofw_option convex_options[] = ROWS("20"), strongly_convex_options[] = ROWS("1");

static const ofw_promise promise = {.regret = {0.75, 0.0}, .ccv = {0.75, 1.0}, .anytime = 1};

const ofw_method ofw_ofw_ada_method = {
    {.name = "ofw-ada",
     .summary = "online Frank-Wolfe in any units: no horizon, no bounds, no tuning; full information",
     .source = "ours; docs/theory.md",
     .options = convex_options,
     .promise = &promise},
    sizeof(ofw_ada_options),
    sizeof(ofw_ada),
    0,
    start,
    observe_convex,
    visit,
    NULL};

const ofw_method ofw_ofw_ada_sc_method = {
    {.name = "ofw-ada-sc",
     .summary = "the same for strongly convex losses, of which alpha alone must be known",
     .source = "ours; docs/theory.md",
     .options = strongly_convex_options,
     .promise = &promise},
    sizeof(ofw_ada_options),
    sizeof(ofw_ada),
    0,
    start_strongly_convex,
    observe_strongly_convex,
    visit,
    NULL};
