/* bfw_tvc.c — Bandit Frank-Wolfe with time-varying constraints
 *
 * Problem   losses f_t and constraints g_t, convex and G-Lipschitz, |f_t| <= M, over a set K with a linear oracle
 * Feedback  bandit: the numbers f_t(x_t) and g_t(x_t) at the point that was played
 * Oracle    as many calls at the end of a block of K = sqrt T rounds as its inner loop needs
 * Promise   expected regret O(T^3/4), violation O(T^3/4 log T)
 * Source    Algorithm 3 of Wang, Wan, Zhang, "Revisiting Projection-Free Online Learning with Time-Varying
 *           Constraints", AAAI 2025; its lines are tagged below
 * Differs   the first guess is beta gamma G, not 1 (erratum 3); constants are in one unit (erratum 8; units=printed
 *           gives the print); the inner loop has a cap, which is counted; K_delta is about the set's centre, in its
 *           affine hull
 *
 * As in ofw_tvc.c everything is relative to beta gamma G, and with delta = c T^(-1/4)
 *
 *     eta (n / delta) f~_t u_t = step D / (m G T^(1/2)) (f_t + rho_t g_t^+) / 2^k  u_t
 *
 * A restart drops the old sum and keeps the block's, so what a block saw is kept until it ends.
 */
#include "learner/price.h"
#include "learner/probe.h"

#include <math.h>

enum { UNITS_REPAIRED, UNITS_PRINTED };

typedef struct bfw_tvc_options {
  int lyapunov, price, units;
  double beta, gamma, gamma_scale, step, lambda, c;
  uint64_t block, inner_cap;
} bfw_tvc_options;

/* What one round of the block saw. */
typedef struct seen {
  double loss, violation, log_rho;
} seen;

typedef struct bfw_tvc {
  /* constants */
  ofw_price price;
  double scale;      /* step D / (m G T^(1/2)) over delta, since a probe is delta u */
  double eps;        /* the gap that ends the inner loop */
  ofw_shares shares; /* of the last block */
  /* state */
  double k;      /* doublings of the guess */
  double *block; /* per round of the block: a `seen` and the scales of its probe */
  size_t words;  /* of it */
} bfw_tvc;

static size_t row_size(const ofw_learner *l)
{
  return sizeof(seen) / sizeof(double) + 1 + l->normals;
}

/* line 6: the one-point estimate of the gradient, as what it is made of */
static void remember(ofw_learner *l, const ofw_round *now, double log_rho)
{
  const bfw_tvc_options *o = l->options;
  bfw_tvc *s = l->state;
  double *row = s->block + (ofw_learner_tau(l) - 1) % o->block * row_size(l);
  *(seen *)row = (seen){now->loss, now->violation, log_rho};
  ofw_probe_scales(l, row + sizeof(seen) / sizeof(double));
}

/* line 8-10: while Gt < beta G (gamma + w): Gt = 2 Gt, for the block's largest w, its last. 1: it has doubled. */
static int doubling(bfw_tvc *s, double log_rho)
{
  double before = s->k;
  ofw_shares_at(&s->shares, log_rho);
  s->k = fmax(before, ceil(s->shares.log2_total));
  return s->k > before;
}

/* line 11-12: the block's estimates into d, the gradient of F at y */
static void set_direction(ofw_learner *l, int restart)
{
  const bfw_tvc_options *o = l->options;
  bfw_tvc *s = l->state;
  double most = ofw_probe_most(l);
  if (restart)
    ofw_learner_pull_back(l, 0.0, 0.0); /* S = 0, the centre is y */
  for (uint64_t i = 0; i < o->block; i++) {
    const double *row = s->block + i * row_size(l);
    const seen *was = (const seen *)row;
    double h = was->loss * exp2(-s->k);
    if (was->violation > 0.0)
      h += was->violation * exp2(was->log_rho / M_LN2 - s->k);
    h = fmax(-most, fmin(h, most));
    ofw_probe_pull(l, l->t - o->block + 1 + i, row + sizeof(seen) / sizeof(double), s->scale * h);
  }
}

/* line 13-19: Frank-Wolfe with exact line search until the gap, and what the oracle may have missed of it, is at most
 * eps */
static ofw_status descend(ofw_learner *l)
{
  const bfw_tvc_options *o = l->options;
  const bfw_tvc *s = l->state;
  for (uint64_t tau = 1;; tau++) { /* line 15 */
    ofw_move move;
    OFW_TRY(ofw_learner_minimise(l, l->sigma, s->eps / 4.0, 1.0, 2.0, &move)); /* line 16 */
    ofw_learner_step(l, &move, ofw_line_search(&move, 2.0), 2.0);              /* line 17 */
    if (-move.slope + move.error <= s->eps)                                    /* line 18 */
      return OFW_OK;
    if (tau >= o->inner_cap) {
      l->info.capped++;
      return OFW_OK;
    }
  }
}

static ofw_status observe(ofw_learner *l, const ofw_round *now)
{
  const bfw_tvc_options *o = l->options;
  bfw_tvc *s = l->state;

  /* line 5: Q_t and the price in f~_t = gamma beta f_t + w beta g_t^+ */
  double log_rho = ofw_price_at(l, &s->price, o->price == OFW_PRICE_PREVIOUS ? now->Q_before : l->Q);
  /* line 6: the estimate */
  remember(l, now, log_rho);
  /* line 7: the end of a block */
  if (ofw_learner_tau(l) % o->block != 0)
    return OFW_OK;
  /* lines 8-10: the guess Gt */
  int restart = doubling(s, log_rho);
  l->info.log2_guess = s->k + log2(o->beta * l->G) + s->price.log_gamma / M_LN2;
  /* lines 11-12: the sum over the block, eta_k and F */
  set_direction(l, restart);
  /* lines 13-19: the next block's y */
  return descend(l);
}

/* m, in whose units the losses are; C2; c */
static ofw_status set_constants(ofw_learner *l, double *m, double *C2)
{
  bfw_tvc_options *o = l->options;
  int printed = o->units == UNITS_PRINTED;
  double D = l->D, r = l->r, n = l->n;
  if (printed && !(l->M > 0.0))
    return ofw_fail(&l->err, OFW_USAGE, "bfw-tvc: units=printed needs a loss bound above 0");
  *m = fmax(l->M / l->G, D);
  ofw_resolve(&o->c, ofw_probe_balanced(l, *m));
  if (printed)
    *m = l->M; /* in eta and C2 */
  double c = o->c;
  *C2 = 16.0 * l->G * (c * D / r + 3.0 * c + (printed ? 1.0 : D) + 2.0 * c * D / (n * *m) + n * *m * D / c);
  return ofw_probe_reach(l, c, c * pow(l->T, -0.25));
}

/* line 1: y_1 is where the engine starts, the centre; the first guess. lines 2-4, the loop and the play, are the
 * caller's. */
static ofw_status start(ofw_learner *l)
{
  bfw_tvc_options *o = l->options;
  bfw_tvc *s = l->state;
  double m = 0.0, C2 = 0.0, root = sqrt(l->T);
  OFW_TRY(set_constants(l, &m, &C2));
  ofw_resolve(&o->beta, 1.0 / C2);
  ofw_resolve(&o->lambda, 0.5 / pow(l->T, 0.75));
  ofw_resolve(&o->gamma, 1.0);
  if (o->gamma == OFW_GAMMA_LAMBDA)
    o->gamma = o->lambda;
  ofw_resolve_count(&o->block, root);
  ofw_resolve_count(&o->inner_cap, fmax(10000.0, 4.0 * root));
  s->price = ofw_price_of(o->lyapunov, o->lambda, o->beta, o->gamma * o->gamma_scale);
  s->scale = o->step * l->D / (m * l->G * root) / l->delta;
  s->eps = 4.0 * l->D * l->D / root;
  s->words = (size_t)o->block * row_size(l);
  s->block = ofw_owned_doubles(&l->own, o->block > SIZE_MAX / row_size(l) ? SIZE_MAX : s->words);
  return ofw_owned_check(&l->own, &l->err);
}

static const ofw_field fields[] = {{OFW_SAME(bfw_tvc, k)}, {OFW_ARRAY("block", bfw_tvc, block, words)}, {0}};

#define AT(field) offsetof(bfw_tvc_options, field)
static const ofw_option options[] = {
    OFW_POSITIVE_ROW(AT(c), "c", NULL, "min(r T^(1/4)/2, sqrt(n m D / (D/r + 3 + 2D/(n m)))), m = max(M/G, D)",
                     "the probe's length is delta = c T^(-1/4), which must be below r"),
    OFW_POSITIVE_ROW(AT(step), "step", "1", NULL, "multiplies the learning rate eta"),
    OFW_CHOICE_ROW(AT(units), "units", "repaired", NULL, "repaired|printed",
                   "repaired: constants with consistent units, so that scaling losses, constraints, G and M alike "
                   "changes nothing; printed: the paper's, with M in place of m (docs/errata.md, 8)"),
    OFW_PRICE_ROW(AT(price)),
    OFW_COUNT_ROW(AT(block), "block", NULL, "round(sqrt T)", 1, 1e12, "K, rounds between updates"),
    OFW_COUNT_ROW(
        AT(inner_cap), "inner-cap", NULL, "max(10 000, 4 sqrt T)", 1, 1e15,
        "limit on the oracle calls of the inner loop at the end of a block; a warning says when it is reached"),
    OFW_LYAPUNOV_ROW(AT(lyapunov), "exp"),
    OFW_LAMBDA_ROW(AT(lambda)),
    OFW_BETA_ROW(AT(beta), "1/C2, C2 = 16 G (cD/r + 3c + D + 2cD/(n m) + n m D/c)"),
    OFW_GAMMA_EXP_ROW(AT(gamma)),
    OFW_GAMMA_SCALE_ROW(AT(gamma_scale)),
    {0},
};

static const ofw_promise promise = {.regret = {0.75, 0.0}, .ccv = {0.75, 1.0}, .tuned = {"step", "gamma-scale"}};

const ofw_method ofw_bfw_tvc_method = {
    .type = {.name = "bfw-tvc",
             .summary = "bandit Frank-Wolfe for convex losses, from numbers alone",
             .source = "Algorithm 3 of Wang, Wan, Zhang, AAAI 2025",
             .options = options,
             .promise = &promise},
    .options_size = sizeof(bfw_tvc_options),
    .state_size = sizeof(bfw_tvc),
    .bandit = 1,
    .start = start,
    .observe = observe,
    .fields = fields,
};
