/* scofw_tvc.c — the strongly convex variant of online Frank-Wolfe with time-varying constraints
 *
 * Problem   losses f_t alpha-strongly convex, constraints g_t convex, all G-Lipschitz, over a set K with a linear oracle
 * Feedback  full information
 * Oracle    one call per round
 * Promise   regret O(T^2/3), violation O(T^5/6)
 * Source    Algorithm 2 of Wang, Wan, Zhang, "Revisiting Projection-Free Online Learning with Time-Varying
 *           Constraints", AAAI 2025; its lines are tagged below
 * Differs   line 7 steps by the line search of line 6, while the print names another sigma (erratum 2).
 *           params=proof gives the constants of the proof, which differ from the theorem's (erratum 5)
 *
 * d is carried forward over gamma beta, and over a power of two that grows with the price, so that it cannot overflow:
 *
 *     d / (gamma beta) = sum (grad f + rho grad g^+) + alpha (t x_t - sum x_tau)
 *
 * with rho = w / gamma and 2 C1 = gamma beta alpha.
 */
#include "learner/frank_wolfe.h"
#include "learner/price.h"

#include <math.h>

enum { PARAMS_THEOREM, PARAMS_PROOF };

typedef struct scofw_tvc_options {
  int params, lyapunov;
  double beta, gamma, beta_scale, gamma_scale, lambda;
} scofw_tvc_options;

typedef struct scofw_tvc {
  /* constants */
  ofw_price price;
  /* state */
  double exponent; /* d is kept over 2^exponent */
} scofw_tvc;

static ofw_status observe(ofw_learner *l, const ofw_round *now)
{
  scofw_tvc *s = l->state;

  /* line 4: Q_t and the price in f~_t = gamma beta f_t + w beta g_t^+ */
  double rho = ofw_scaled(l, ofw_price_at(l, &s->price, l->Q), &s->exponent);
  /* line 5: the gradient d of F^sc_t at x_t */
  ofw_learner_pull_gradients(l, now, ofw_two_to(-s->exponent), rho);
  /* lines 6-7: v_t, sigma^sc, x_{t+1} = x_t + sigma^sc (v_t - x_t) */
  return ofw_fw_step_sc(l, s->exponent, s->price.gamma * s->price.beta);
}

/* line 1: x_1 is where the engine starts. lines 2-3, the loop and the play, are the caller's. */
static ofw_status start(ofw_learner *l)
{
  scofw_tvc_options *o = l->options;
  scofw_tvc *s = l->state;
  OFW_TRY(ofw_learner_need_alpha(l, "ofw-tvc"));
  double T23 = cbrt(l->T) * cbrt(l->T), G = l->G, D = l->D, alpha = l->alpha;
  ofw_resolve(&o->beta, o->params == PARAMS_PROOF ? alpha / (500.0 * G * (G + alpha * D) * T23) : 1.0 / (G * D * T23));
  ofw_resolve(&o->gamma, G / (G + alpha * D));
  ofw_resolve(&o->lambda, 0.5 / pow(l->T, 0.75));
  s->price = ofw_price_of(o->lyapunov, o->lambda, o->beta * o->beta_scale, o->gamma * o->gamma_scale);
  return OFW_OK;
}

static const ofw_field fields[] = {{OFW_SAME(scofw_tvc, exponent)}, {0}};

#define AT(field) offsetof(scofw_tvc_options, field)
static const ofw_option options[] = {
    OFW_CHOICE_ROW(AT(params), "params", "theorem", NULL, "theorem|proof",
                   "theorem: beta as in Theorem 2; proof: alpha/(500 G (G + alpha D) T^(2/3)), as its proof uses"),
    OFW_LYAPUNOV_ROW(AT(lyapunov), "quadratic-linear"),
    OFW_LAMBDA_ROW(AT(lambda)),
    OFW_BETA_ROW(AT(beta), "1/(G D T^(2/3))"),
    OFW_GAMMA_SC_ROW(AT(gamma)),
    OFW_BETA_SCALE_ROW(AT(beta_scale)),
    OFW_GAMMA_SCALE_ROW(AT(gamma_scale)),
    {0},
};

static const ofw_promise promise = {
    .regret = {2.0 / 3.0, 0.0}, .ccv = {5.0 / 6.0, 0.0}, .tuned = {"beta-scale", "gamma-scale"}};

const ofw_method ofw_scofw_tvc_method = {
    .type = {.name = "scofw-tvc",
             .summary = "online Frank-Wolfe for strongly convex losses, full information",
             .source = "Algorithm 2 of Wang, Wan, Zhang, AAAI 2025",
             .options = options,
             .promise = &promise},
    .options_size = sizeof(scofw_tvc_options),
    .state_size = sizeof(scofw_tvc),
    .start = start,
    .observe = observe,
    .fields = fields,
};
