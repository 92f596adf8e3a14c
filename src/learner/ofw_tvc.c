/* ofw_tvc.c — Online Frank-Wolfe with time-varying constraints
 *
 * Problem   losses f_t and constraints g_t, convex and G-Lipschitz, over a set K with a linear oracle
 * Feedback  full information
 * Oracle    one call per round
 * Promise   regret O(T^3/4), violation O(T^3/4 log T)
 * Source    Algorithm 1 of Wang, Wan, Zhang, "Revisiting Projection-Free Online Learning with Time-Varying
 *           Constraints", AAAI 2025; its lines are tagged below
 * Differs   the step is clipped at 1 (erratum 1); the first guess of the gradient bound is beta gamma G, not 1
 *           (erratum 3; guess=paper gives the print). Options go further: see docs/algorithms.md
 *
 * Everything is relative to beta gamma G, because w and Gt overflow (erratum 4):
 *
 *     rho = w / gamma                                       by its logarithm
 *     Gt  = beta gamma G first 2^k                          by k
 *     eta grad f~ = step D / (2 G T^3/4) * (grad f + rho grad g^+) / (first 2^k)
 *
 * and d, the gradient of F_{s:t} at x_t, is carried forward: the new p is added to it, and a step moves it by
 * 2 sig (v - x).
 */
#include "learner/frank_wolfe.h"
#include "learner/price.h"

#include <float.h>
#include <math.h>

enum { GUESS_SCALE, GUESS_PAPER, GUESS_TRACK };
enum { RESTART_FULL, RESTART_KEEP };
enum { PRESET_THEOREM, PRESET_TIGHT };

typedef struct ofw_tvc_options {
  int preset, guess, sigma, restart, lyapunov;
  double beta, gamma, gamma_scale, step, lambda;
} ofw_tvc_options;

typedef struct ofw_tvc {
  /* constants */
  ofw_price price;
  double scale; /* step D / (2 G T^3/4) */
  double first; /* log2 of the first guess over beta gamma G */
  double log2_beta_G, log2_gamma;
  ofw_shares shares; /* of the last round */
  /* state */
  double k;       /* doublings of the guess; a double, because it may exceed any integer */
  double log_rho; /* the highest so far, which is the last round's unless budgets have credit */
  uint64_t s;     /* the round in which this phase began */
} ofw_tvc;

/* What the guess does to the round's gradient: shares of f and g in it, and how much of the old sum stays. */
typedef struct rates {
  double f, g; /* eta p = f grad f + g grad g^+ */
  double keep; /* eta / the previous eta */
} rates;

/* guess=track: Gt = beta G (gamma + w_t) for the highest w so far, so eta shrinks with every violation. */
static rates track(ofw_tvc *s, double log_rho)
{
  rates r;
  double top = s->log_rho < INFINITY ? ofw_at_least(log_rho, s->log_rho) : log_rho;
  ofw_shares_at(&s->shares, top);
  double grown = log_rho > s->log_rho ? -expm1(s->log_rho - log_rho) : 0.0; /* (w_t - w_{t-1}) / w_t */
  r.f = s->shares.f;
  r.g = s->shares.g;
  r.keep = 1.0 - r.g * grown;
  if (log_rho < top)
    r.g *= exp(log_rho - top);
  s->k = s->shares.log2_total;
  s->log_rho = top;
  return r;
}

/* line 5: while Gt < beta G (gamma + w): Gt = 2 Gt, in closed form */
static rates doubling(ofw_tvc *s, double log_rho)
{
  rates r;
  ofw_shares_at(&s->shares, log_rho);
  double before = s->k, needed = s->shares.log2_total - s->first;
  s->k = ofw_at_least(ceil(needed), before); /* line 6 */
  double over = exp2(needed - s->k);         /* line 7: beta G (gamma + w) / Gt, in (1/2, 1] after a doubling */
  r.f = s->shares.f * over;
  r.g = s->shares.g * over;
  r.keep = ofw_two_to(before - s->k);
  s->log_rho = log_rho;
  return r;
}

/* ---- constraints that each have a price: the mean of the potentials Phi(beta Q_i) ---- */

typedef struct queues {
  const ofw_price *price;
  const double *Q;
} queues;

/* Phi of a sum with credit is that of its positive part, but for exp, which is convex in all of it. */
static double log_price_of(const void *with, size_t i)
{
  const queues *all = with;
  const ofw_lyapunov *phi = &all->price->phi;
  double Q = phi->kind == OFW_LYAPUNOV_EXP ? all->Q[i] : fmax(all->Q[i], 0.0);
  return ofw_lyapunov_log_price(phi, all->price->beta, Q);
}

/* ln rho of all together. Without credit a constraint that is kept has no weight in this round. */
static double price_accounts(ofw_learner *l, const ofw_round *now)
{
  const ofw_tvc *s = l->state;
  ofw_accounts *a = l->accounts;
  for (size_t i = 0; i < a->count; i++)
    a->level[i] = fmax(-DBL_MAX, fmin(a->level[i] + a->value[i], DBL_MAX));
  l->info.log_price = ofw_lyapunov_log_price(&s->price.phi, s->price.beta, 0.0);
  if (a->count)
    l->info.log_price = ofw_accounts_share(a, log_price_of, &(queues){&s->price, a->level});
  for (size_t i = 0; i < now->last && !a->credit; i++)
    if (!(now->fb->values.constraint[i] > 0.0))
      a->weight[i] = 0.0;
  return l->info.log_price - s->price.log_gamma;
}

/* line 8: eta and the gradient d of F_{s:t} at x_t */
static void set_direction(ofw_learner *l, const ofw_round *now, const rates *r)
{
  const ofw_tvc_options *o = l->options;
  ofw_tvc *s = l->state;
  if (r->keep < 1.0 && o->guess != GUESS_TRACK && o->restart == RESTART_FULL) {
    s->s = ofw_learner_tau(l);
    ofw_learner_pull_back(l, 0.0, 0.0); /* S = 0, c = x_t */
  } else if (r->keep < 1.0)
    ofw_learner_pull_back(l, r->keep, 2.0 * (1.0 - r->keep)); /* eta S + 2 (x - c) with the smaller eta */
  ofw_learner_pull_gradients(l, now, s->scale * r->f, s->scale * r->g);
}

static ofw_status observe(ofw_learner *l, const ofw_round *now)
{
  const ofw_tvc_options *o = l->options;
  ofw_tvc *s = l->state;

  /* line 4: Q_t and the price in f~_t = gamma beta f_t + w beta g_t^+ */
  double log_rho = l->accounts ? price_accounts(l, now) : ofw_price_at(l, &s->price, l->Q);
  /* lines 5-7: the guess Gt */
  rates r = o->guess == GUESS_TRACK ? track(s, log_rho) : doubling(s, log_rho);
  /* line 8: eta_k and F_{s:t} */
  set_direction(l, now, &r);
  /* lines 9-10: v_t, sigma, x_{t+1} = x_t + sigma (v_t - x_t) */
  OFW_TRY(ofw_fw_step(l, ofw_learner_tau(l) - s->s + 1, o->sigma, 0.0));
  l->info.log2_guess = s->k + s->first + s->log2_beta_G + s->log2_gamma;
  return OFW_OK;
}

/* beta = 1/(c G D): the c of the bounds on T^(3/4) (docs/theory.md), with the cost of late feedback, d/sqrt T, in it */
static double bound_constant(const ofw_learner *l, int tight)
{
  double late = (double)l->common.delay / sqrt(l->T);
  if (tight)
    return l->open ? 10.0 + 2.0 * late : 4.0;
  return 64.0 * fmax(1.0, late);
}

/* line 1: x_1 is where the engine starts; the first guess. lines 2-3, the loop and the play, are the caller's. */
static ofw_status start(ofw_learner *l)
{
  ofw_tvc_options *o = l->options;
  ofw_tvc *s = l->state;
  double T34 = pow(l->T, 0.75), GD = l->G * l->D;
  int tight = o->preset == PRESET_TIGHT;
  if (o->guess < 0)
    o->guess = tight ? GUESS_TRACK : GUESS_SCALE;
  if (o->sigma < 0)
    o->sigma = tight ? OFW_SIGMA_LINE_SEARCH : OFW_SIGMA_PRINTED;
  ofw_resolve(&o->beta, 1.0 / (bound_constant(l, tight) * GD));
  ofw_resolve(&o->lambda, 0.5 / T34);
  ofw_resolve(&o->gamma, tight ? OFW_GAMMA_LAMBDA : 1.0);
  ofw_resolve(&o->step, tight ? 2.0 : 1.0);
  if (o->gamma == OFW_GAMMA_LAMBDA)
    o->gamma = o->lambda;
  s->price = ofw_price_of(o->lyapunov, o->lambda, o->beta, o->gamma * o->gamma_scale);
  s->scale = o->step * l->D / (2.0 * l->G * T34);
  s->log2_beta_G = log2(o->beta * l->G);
  s->log2_gamma = s->price.log_gamma / M_LN2;
  s->first = o->guess == GUESS_PAPER ? -log2(o->beta * s->price.gamma * l->G) : 0.0;
  l->returns = o->guess == GUESS_TRACK || o->restart != RESTART_FULL;
  s->log_rho = INFINITY; /* the first round has no price before it */
  s->s = 1;
  return ofw_learner_open_accounts(l, 1.0, 0);
}

static const ofw_field fields[] = {{OFW_SAME(ofw_tvc, k)}, {OFW_SAME(ofw_tvc, log_rho)}, {OFW_SAME(ofw_tvc, s)}, {0}};

#define AT(field) offsetof(ofw_tvc_options, field)
static const ofw_option options[] = {
    OFW_CHOICE_ROW(AT(preset), "preset", "theorem", NULL, "theorem|tight",
                   "theorem: constants as in Theorem 1; tight: ours, with smaller bounds: guess=track, beta=1/(4 G D), "
                   "gamma=lambda, step=2, sigma=line-search"),
    OFW_CHOICE_ROW(AT(sigma), "sigma", NULL, "printed", "printed|line-search",
                   "printed: the paper's step min(1, 2/sqrt(t-s+1)), the default; line-search: the exact minimiser on "
                   "the segment. line-search is recommended: Theorem 1 holds with the same constants, it costs "
                   "nothing, and it avoids the full jumps to a vertex at the start of every phase"),
    OFW_CHOICE_ROW(
        AT(guess), "guess", NULL, "scale", "scale|paper|track",
        "the first guess of the gradient bound. scale: beta gamma G; paper: 1 as printed, which makes the bound on the "
        "regret 32 D times larger (docs/errata.md, 3); track: no guess but the bound itself in every round"),
    OFW_CHOICE_ROW(AT(restart), "restart", "full", NULL, "full|keep",
                   "when the guess doubles. full: start a new phase; keep: keep the sum, and only eta shrinks"),
    OFW_LYAPUNOV_ROW(AT(lyapunov), "exp"),
    OFW_LAMBDA_ROW(AT(lambda)),
    OFW_BETA_ROW(AT(beta), "1/(64 G D)"),
    OFW_GAMMA_EXP_ROW(AT(gamma)),
    OFW_GAMMA_SCALE_ROW(AT(gamma_scale)),
    OFW_POSITIVE_ROW(AT(step), "step", NULL, "1", "multiplies the learning rate eta"),
    {0},
};

static const ofw_promise promise = {.regret = {0.75, 0.0}, .ccv = {0.75, 1.0}, .tuned = {"step", "gamma-scale"}};

const ofw_method ofw_ofw_tvc_method = {
    .type = {.name = "ofw-tvc",
             .summary = "online Frank-Wolfe for convex losses, full information",
             .source = "Algorithm 1 of Wang, Wan, Zhang, AAAI 2025",
             .options = options,
             .promise = &promise},
    .options_size = sizeof(ofw_tvc_options),
    .state_size = sizeof(ofw_tvc),
    .accounts = 1,
    .delays = 1,
    .start = start,
    .observe = observe,
    .fields = fields,
};
