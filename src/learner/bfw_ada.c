/* bfw_ada.c — parameter-free bandit Frank-Wolfe: no horizon, no bounds, no unit, no constants
 *
 * Problem   losses f_t and constraints g_t, convex, over a set K with a linear oracle
 * Feedback  bandit: the numbers f_t(x_t) and g_t(x_t) at the point that was played
 * Oracle    one call at the end of a block of 8 rounds
 * Promise   in expectation, against rounds that do not look at the play: regret and priced violation are at most what it
 *           measures while it plays and what its probes cost (docs/theory.md); no rate
 * Source    ours, in the frame of Wang, Wan, Zhang, "Revisiting Projection-Free Online Learning with Time-Varying
 *           Constraints", AAAI 2025; ofw_ada.c if gradients are seen
 *
 *     every round       x = y + delta u;  S += (n / delta) [(f - mean f) + w (Gf / Gg) (g^+ - mean g^+)] u
 *                       the means are of earlier rounds, the later ones counting more: no u that they know is this one
 *     a block's end     Phi(y) = <S, y> + sum over blocks of (beta / D^2) |y - y_block|^2,  B = sum of the betas
 *                       v = LMO of K_delta (Phi'(y)), line search; this block's beta is kappa times what that takes off
 *     the next block's  Gf = max f - min f,  Gg = max g^+,  of all that was seen
 *                       w = exp(q / 2b),  q = sum g^+ / Gg,  b: the most that (B (1 + 1/kappa) + gap - dec) / (Gf (1 + w))
 *                       has been, in rounds
 *                       delta / r = max(share b / t, 1 / sqrt t), at most 1/2 and never more than before
 *
 * A constant that is added to the losses is in the mean and not in Gf. Shrinking K by delta / r costs a share delta / r of
 * Gf a round, so delta goes with what was lost otherwise. A smaller delta makes estimates longer, and b with them: under
 * steady noise the two are in balance when b grows like t^3/4 and delta falls like t^-1/4.
 */
#include "learner/ada.h"
#include "learner/probe.h"

#include <float.h>
#include <math.h>

typedef struct bfw_ada_options {
  double kappa, share;
  uint64_t block;
} bfw_ada_options;

typedef struct bfw_ada {
  ofw_ada ada;           /* of ada.h's the units, B, b and the price; Gf and Gg are measured from values, b in rounds */
  double low, high;      /* the losses' */
  double most;           /* g^+ */
  double mean_f, mean_g; /* of about two blocks */
  double cf, cg;         /* what loss and violation count for in this block */
  double delta;          /* the probe's length in it, as l->delta */
} bfw_ada;

/* S += (n / delta) [..] u, by a probe that is delta u */
static void add_estimate(ofw_learner *l, const ofw_round *now)
{
  const bfw_ada *s = l->state;
  double most = ofw_probe_most(l);
  double f = s->cf * now->loss - s->cf * s->mean_f, g = s->cg * now->violation - s->cg * s->mean_g;
  double length = fmax(-most, fmin(l->n / l->delta * (f + g), most));
  if (length != 0.0)
    l->engine->ops->pull(l->engine, 1.0, 0.0, length / l->delta, l->point.probe);
}

static void remember(ofw_learner *l, const ofw_round *now)
{
  const bfw_ada_options *o = l->options;
  bfw_ada *s = l->state;
  double n = fmin((double)l->t, 2.0 * (double)o->block);
  s->most = fmax(s->most, now->violation);
  s->mean_f += now->loss / n - s->mean_f / n;
  s->mean_g += now->violation / n - s->mean_g / n;
}

static double range(const bfw_ada *s)
{
  return fmin(s->high - s->low, DBL_MAX);
}

/* The first loss that differs from those before sets the unit, which changes how d is kept and not what it is, unless
 * constraints alone have filled it: then they count as if it had been known. */
static void see_loss(ofw_learner *l, double loss)
{
  bfw_ada *s = l->state;
  s->low = l->t == 1 ? loss : fmin(s->low, loss);
  s->high = l->t == 1 ? loss : fmax(s->high, loss);
  if (s->ada.Gf > 0.0 || ofw_ada_inverse(range(s)) == 0.0)
    return;
  ofw_ada_set_unit(l, range(s));
  s->cf = exp2(-s->ada.shift - s->ada.k);
  s->cg *= ofw_ada_unit(&s->ada);
}

/* Solves B - B_before = kappa dec; a step with this B takes off dec = gap^2 / (4 B rho), or gap - B rho if it is a whole one */
static double next_weight(double before, double kappa, double gap, double rho)
{
  double B = before / 2.0 + hypot(before / 2.0, gap * sqrt(kappa / rho) / 2.0);
  return 2.0 * B * rho >= gap ? B : (before + kappa * gap) / (1.0 + kappa * rho);
}

/* Gf and Gg, which stay as they are for a block. */
static void measure(bfw_ada *s)
{
  if (s->ada.Gf > 0.0)
    s->ada.Gf = range(s);
  s->ada.Gg = s->most;
}

static double log_price(double x)
{
  return x / 2.0;
}

static double log_price_at(const void *q, double b)
{
  return log_price(*(const double *)q / b);
}

/* q = Q / Gg */
static double relative_violation(const ofw_learner *l)
{
  return fmin(l->Q * ofw_ada_inverse(((const bfw_ada *)l->state)->ada.Gg), 1e290);
}

/* The beta that the step is taken with adds nothing to Phi' at y. */
static ofw_status descend(ofw_learner *l)
{
  const bfw_ada_options *o = l->options;
  ofw_ada *s = l->state;
  double D2 = l->D * l->D, dec = 0.0;
  ofw_move move;
  OFW_TRY(ofw_learner_minimise(l, l->sigma, INFINITY, exp2(s->shift + s->k), 2.0 * s->B / D2, &move));
  double gap = fmax(0.0, -move.slope);
  if (gap > 0.0) {
    s->B = next_weight(s->B, o->kappa, gap, move.length2 / D2);
    double curvature = 2.0 * s->B / D2, sigma = ofw_line_search(&move, curvature);
    dec = sigma * (gap - sigma * curvature / 2.0 * move.length2);
    ofw_learner_step(l, &move, sigma, curvature);
  }
  double certain = s->B * (1.0 + 1.0 / o->kappa) + fmax(0.0, gap - dec);
  double log_certain = log(certain / ofw_ada_unit(s)) + s->k * M_LN2;
  double q = relative_violation(l);
  s->b = ofw_ada_least(s->b, log_certain, log_price_at, &q);
  return OFW_OK;
}

/* What the next block goes by is all known before its first probe. */
static void begin_block(ofw_learner *l)
{
  const bfw_ada_options *o = l->options;
  bfw_ada *s = l->state;
  ofw_ada *a = &s->ada;
  double t = (double)l->t, w = ofw_ada_scaled_price(l, log_price(relative_violation(l) / a->b));
  s->cf = a->Gf > 0.0 ? exp2(-a->shift - a->k) : 0.0;
  s->cg = w * ofw_ada_unit(a) * ofw_ada_inverse(s->ada.Gg);
  double widest = l->r * fmin(0.5, fmax(o->share * a->b / t, 1.0 / sqrt(t)));
  s->delta = fmin(l->delta, widest);
  ofw_probe_set(l, s->delta); /* y is in K_delta still */
}

static ofw_status observe(ofw_learner *l, const ofw_round *now)
{
  const bfw_ada_options *o = l->options;
  see_loss(l, now->loss);
  add_estimate(l, now);
  remember(l, now);
  if (l->t % o->block != 0)
    return OFW_OK;
  measure(l->state);
  OFW_TRY(descend(l));
  begin_block(l);
  return OFW_OK;
}

static ofw_status start(ofw_learner *l)
{
  bfw_ada *s = l->state;
  s->ada.b = 1.0;
  s->delta = l->delta = l->r / 2.0;
  return OFW_OK;
}

/* As 0.2.0 wrote them; those of ada.h that this method has no use for are 0. */
static const ofw_field fields[] = {
    {OFW_WORD("Gf", bfw_ada, ada.Gf)},
    {OFW_WORD("Gg", bfw_ada, ada.Gg)},
    {OFW_WORD("shift", bfw_ada, ada.shift)},
    {OFW_WORD("k", bfw_ada, ada.k)},
    {OFW_WORD("B", bfw_ada, ada.B)},
    {OFW_WORD("A", bfw_ada, ada.A)},
    {OFW_WORD("told", bfw_ada, ada.told)},
    {OFW_WORD("raised", bfw_ada, ada.raised)},
    {OFW_WORD("taken", bfw_ada, ada.taken)},
    {OFW_WORD("pays", bfw_ada, ada.pays)},
    {OFW_WORD("spread", bfw_ada, ada.spread)},
    {OFW_WORD("lead2", bfw_ada, ada.lead2)},
    {OFW_WORD("b", bfw_ada, ada.b)},
    {OFW_WORD("log_w", bfw_ada, ada.log_w)},
    {OFW_SAME(bfw_ada, low)},
    {OFW_SAME(bfw_ada, high)},
    {OFW_SAME(bfw_ada, most)},
    {OFW_SAME(bfw_ada, mean_f)},
    {OFW_SAME(bfw_ada, mean_g)},
    {OFW_SAME(bfw_ada, cf)},
    {OFW_SAME(bfw_ada, cg)},
    {OFW_SAME(bfw_ada, delta)},
    {0},
};

static void loaded(ofw_learner *l)
{
  ofw_probe_set(l, ((bfw_ada *)l->state)->delta);
}

#define AT(field) offsetof(bfw_ada_options, field)
static const ofw_option options[] = {
    OFW_POSITIVE_ROW(
        AT(kappa), "kappa", "16", NULL,
        "weight of a block's regulariser per unit of its step's progress; a larger one makes steps shorter"),
    OFW_POSITIVE_ROW(AT(share), "share", "0.2", NULL, "the cost allowed to the probes, as a share of all other losses"),
    OFW_COUNT_ROW(AT(block), "block", "8", NULL, 1, 1e12, "rounds between updates"),
    {0},
};

/* No rate: what is proved is a bound in expectation by what it measures. */
static const ofw_promise promise = {.anytime = 1};

const ofw_method ofw_bfw_ada_method = {
    .type = {.name = "bfw-ada",
             .summary =
                 "parameter-free bandit Frank-Wolfe, from numbers alone: no horizon, no bounds, no tuning, any units",
             .source = "ours; docs/theory.md",
             .options = options,
             .promise = &promise},
    .options_size = sizeof(bfw_ada_options),
    .state_size = sizeof(bfw_ada),
    .bandit = 1,
    .start = start,
    .observe = observe,
    .fields = fields,
    .loaded = loaded,
};
