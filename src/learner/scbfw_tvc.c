/* scbfw_tvc.c — the strongly convex variant of bandit Frank-Wolfe with time-varying constraints
 *
 * Problem   losses f_t alpha-strongly convex, constraints g_t convex, all G-Lipschitz, over a set K with a linear oracle
 * Feedback  bandit: the numbers f_t(x_t) and g_t(x_t) at the point that was played
 * Oracle    at most L = T^(2/3) calls at the end of a block of K = T^(2/3) rounds
 * Promise   expected regret O(T^2/3 log T), violation O(T^5/6 log T)
 * Source    Algorithm 4 of Wang, Wan, Zhang, "Revisiting Projection-Free Online Learning with Time-Varying
 *           Constraints", AAAI 2025; its lines are tagged below
 * Differs   F pulls towards the past decisions, as in the proof, not towards 0 (erratum 6; regulariser=printed gives
 *           the print); the inner loop ends early if only rounding is left; params=proof gives the proof's
 *           constants (erratum 5)
 *
 * As in scofw_tvc.c, d is carried over gamma beta and a power of two:
 *
 *     default   F / (gamma beta) = sum_m [ <H_m, y> + (alpha K / 2) |y - y_m|^2 ]
 *     printed   F / (gamma beta) = <sum_m H_m, y> + (alpha t / 2) |y|^2
 *
 * with H_m the sum over the block of (n/delta) (f + rho g^+) u.
 */
#include "learner/price.h"
#include "learner/probe.h"

#include <float.h>
#include <math.h>

enum { PARAMS_THEOREM, PARAMS_PROOF };
enum { REGULARISER_DEFAULT, REGULARISER_PRINTED };

typedef struct scbfw_tvc_options {
  int params, lyapunov, price, regulariser;
  double beta, gamma, beta_scale, gamma_scale, lambda, c;
  uint64_t block, steps;
} scbfw_tvc_options;

typedef struct scbfw_tvc {
  /* constants */
  ofw_price price;
  double scale; /* n / delta^2, since a probe is delta u */
  /* state */
  double exponent; /* d is kept over 2^exponent */
} scbfw_tvc;

/* line 6: the one-point estimate of the gradient, (n/delta) (f + rho g^+) u, added to d at once. Here the numbers
 * themselves count, of which g may be as large as it likes. */
static void add_estimate(ofw_learner *l, const ofw_round *now, double log_rho)
{
  scbfw_tvc *s = l->state;
  double log_f = log(fabs(now->loss)), log_g = now->violation > 0.0 ? log_rho + log(now->violation) : -INFINITY;
  ofw_scaled(l, fmax(log_f, log_g), &s->exponent);
  double h = now->loss * exp2(-s->exponent) + exp2(log_g / M_LN2 - s->exponent);
  l->engine->ops->pull(l->engine, 1.0, 0.0, s->scale * h, l->point.probe);
}

/* lines 10-14: L steps of Frank-Wolfe with exact line search */
static ofw_status descend(ofw_learner *l, double curvature)
{
  const scbfw_tvc_options *o = l->options;
  const scbfw_tvc *s = l->state;
  double unit = fmin(s->price.gamma * s->price.beta * exp2(s->exponent), DBL_MAX);
  for (uint64_t tau = 1; tau <= o->steps; tau++) {
    ofw_move move;
    OFW_TRY(ofw_learner_minimise(l, l->sigma, INFINITY, unit, curvature, &move)); /* line 11 */
    if (-move.slope <= 1e-14 * l->engine->ops->norm(l->engine) * l->D / 2.0)
      break;                                                                  /* the rest is rounding */
    ofw_learner_step(l, &move, ofw_line_search(&move, curvature), curvature); /* lines 12-13 */
  }
  return OFW_OK;
}

static ofw_status observe(ofw_learner *l, const ofw_round *now)
{
  const scbfw_tvc_options *o = l->options;
  scbfw_tvc *s = l->state;

  /* line 5: Q_t and the price in f~_t = gamma beta f_t + w beta g_t^+ */
  double log_rho = ofw_price_at(l, &s->price, o->price == OFW_PRICE_PREVIOUS ? now->Q_before : l->Q);
  /* line 6: the estimate */
  add_estimate(l, now, log_rho);
  /* line 7: the end of a block */
  if (ofw_learner_tau(l) % o->block != 0)
    return OFW_OK;
  /* lines 8-9: F^sc_m; d holds the sum of the estimates already */
  double one = exp2(-s->exponent), curvature = l->alpha * (double)ofw_learner_tau(l) * one;
  if (o->regulariser == REGULARISER_PRINTED)
    l->engine->ops->pull(l->engine, 1.0, l->alpha * (double)o->block * one, 0.0, (ofw_sum){0, NULL});
  /* lines 10-15: the next block's y */
  return descend(l, curvature);
}

/* line 1: y_1 is where the engine starts, the centre. lines 2-4, the loop and the play, are the caller's. */
static ofw_status start(ofw_learner *l)
{
  scbfw_tvc_options *o = l->options;
  scbfw_tvc *s = l->state;
  OFW_TRY(ofw_learner_need_alpha(l, "bfw-tvc"));
  double T13 = cbrt(l->T), T23 = T13 * T13, G = l->G, D = l->D, alpha = l->alpha, r = l->r;
  ofw_resolve(&o->c, r / 2.0);
  double c = o->c, log13 = log(T13), C3 = 8.0 + 3.0 * c + c * D / r + 12.0 * D;
  OFW_TRY(ofw_probe_reach(l, c, c / T13));
  if (o->params == PARAMS_PROOF) {
    ofw_resolve(&o->beta, 1.0);
    ofw_resolve(&o->gamma,
                16.0 * G * G * T23 / alpha * (8.0 * log13 + C3 + 8.0 * l->n * l->n * D * D * (1.0 + log13) / (c * c)));
  }
  ofw_resolve(&o->beta, 1.0 / (G * D * T23));
  ofw_resolve(&o->gamma, G / (G + alpha * D));
  ofw_resolve(&o->lambda, 0.5 / pow(l->T, 0.75));
  ofw_resolve_count(&o->block, T23);
  ofw_resolve_count(&o->steps, T23);
  s->price = ofw_price_of(o->lyapunov, o->lambda, o->beta * o->beta_scale, o->gamma * o->gamma_scale);
  s->scale = l->n / (l->delta * l->delta);
  return OFW_OK;
}

static const ofw_field fields[] = {{OFW_SAME(scbfw_tvc, exponent)}, {0}};

#define AT(field) offsetof(scbfw_tvc_options, field)
static const ofw_option options[] = {
    OFW_POSITIVE_ROW(AT(c), "c", NULL, "r/2", "the probe's length is delta = c T^(-1/3), which must be below r"),
    OFW_CHOICE_ROW(AT(params), "params", "theorem", NULL, "theorem|proof",
                   "theorem: beta and gamma as in Theorem 4; proof: beta = 1 and the gamma of its proof"),
    OFW_CHOICE_ROW(
        AT(regulariser), "regulariser", "default", NULL, "default|printed",
        "default: pulls towards the past decisions; printed: towards 0, as in the paper (docs/errata.md, 6)"),
    OFW_PRICE_ROW(AT(price)),
    OFW_COUNT_ROW(AT(block), "block", NULL, "round(T^(2/3))", 1, 1e12, "K, rounds between updates"),
    OFW_COUNT_ROW(AT(steps), "steps", NULL, "round(T^(2/3))", 1, 1e15,
                  "L, the most oracle calls at the end of a block"),
    OFW_LYAPUNOV_ROW(AT(lyapunov), "quadratic"),
    OFW_LAMBDA_ROW(AT(lambda)),
    OFW_BETA_ROW(AT(beta), "1/(G D T^(2/3))"),
    OFW_GAMMA_SC_ROW(AT(gamma)),
    OFW_BETA_SCALE_ROW(AT(beta_scale)),
    OFW_GAMMA_SCALE_ROW(AT(gamma_scale)),
    {0},
};

static const ofw_promise promise = {.regret = {2.0 / 3.0, 1.0}, .ccv = {5.0 / 6.0, 1.0}, .tuned = {"beta-scale", "c"}};

const ofw_method ofw_scbfw_tvc_method = {
    .type = {.name = "scbfw-tvc",
             .summary = "bandit Frank-Wolfe for strongly convex losses, from numbers alone",
             .source = "Algorithm 4 of Wang, Wan, Zhang, AAAI 2025",
             .options = options,
             .promise = &promise},
    .options_size = sizeof(scbfw_tvc_options),
    .state_size = sizeof(scbfw_tvc),
    .bandit = 1,
    .start = start,
    .observe = observe,
    .fields = fields,
};
