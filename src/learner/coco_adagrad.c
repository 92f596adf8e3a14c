/* coco_adagrad.c — projected gradient descent on losses and priced constraints
 *
 * Problem   losses f_t and constraints g_t, convex and G-Lipschitz, over a set K that can be projected on
 * Feedback  full information
 * Oracle    none: one projection a round
 * Promise   regret O(sqrt T), violation O(sqrt T log T); if the losses are alpha-strongly convex, regret O(log T),
 *           violation O(sqrt(T log T))
 * Source    Sinha, Vaze, "Optimal Algorithms for Online Convex Optimization with Adversarial Constraints", NeurIPS 2024
 *
 * What projections buy: the same surrogate f~ = gamma beta f + w beta g^+, w = Phi'(beta Q), as in ofw_tvc.c, its beta and
 * gamma being the source's alpha and V. Only rho = w / gamma enters:
 *
 *     h = grad f + rho grad g^+
 *     convex            x - (sqrt(2)/2) D h_t / sqrt(sum |h|^2)       AdaGrad: beta gamma cancels
 *     strongly convex   x - h_t / (alpha t)
 *
 * and rho overflows, so h is kept over 1 + rho, and the sum of squares over its square.
 */
#include "learner/price.h"
#include "learner/projected.h"

#include <math.h>

typedef struct coco_options {
  int losses, lyapunov;
  double beta, gamma, gamma_scale, lambda, step;
} coco_options;

typedef struct coco {
  /* constants */
  ofw_price price;
  ofw_shares shares; /* of the last round */
  /* state */
  double squares;    /* sum of |h|^2, over (1 + rho)^2 */
  double log2_total; /* log2(1 + rho) of the last round */
} coco;

/* How far to go along h / (1 + rho), which d holds, by AdaGrad. */
static double adaptive_rate(ofw_learner *l, double log2_total)
{
  coco *s = l->state;
  double length = l->engine->ops->norm(l->engine) / l->G;
  s->squares = s->squares * exp2(2.0 * (s->log2_total - log2_total)) + length * length;
  s->log2_total = log2_total;
  return s->squares > 0.0 ? sqrt(0.5) * l->D / (l->G * sqrt(s->squares)) : 0.0;
}

static ofw_status observe(ofw_learner *l, const ofw_round *now)
{
  const coco_options *o = l->options;
  coco *s = l->state;
  ofw_engine *E = l->engine;
  ofw_shares_at(&s->shares, ofw_price_at(l, &s->price, l->Q));
  E->ops->pull(E, 0.0, 0.0, 0.0, (ofw_sum){0, NULL});
  ofw_learner_pull_gradients(l, now, s->shares.f, s->shares.g);
  double eta = o->losses == OFW_LOSSES_CONVEX ? adaptive_rate(l, s->shares.log2_total)
                                              : exp2(s->shares.log2_total) / (l->alpha * (double)ofw_learner_tau(l));
  E->ops->pull(E, -fmin(o->step * eta, ofw_learner_far(l) / l->G), 1.0, 0.0, (ofw_sum){0, NULL}); /* x - eta h */
  return ofw_project(l);
}

static ofw_status start(ofw_learner *l)
{
  coco_options *o = l->options;
  coco *s = l->state;
  OFW_TRY(ofw_projected_start(l, &o->losses));
  int convex = o->losses == OFW_LOSSES_CONVEX;
  if (o->lyapunov < 0)
    o->lyapunov = convex ? OFW_LYAPUNOV_EXP : OFW_LYAPUNOV_QUADRATIC;
  ofw_resolve(&o->beta, convex ? 1.0 / (2.0 * l->G * l->D) : 1.0);
  ofw_resolve(&o->gamma, convex ? 1.0 : 8.0 * l->G * l->G * (1.0 + log(l->T)) / l->alpha);
  ofw_resolve(&o->lambda, 0.5 / sqrt(l->T));
  s->price = ofw_price_of(o->lyapunov, o->lambda, o->beta, o->gamma * o->gamma_scale);
  return OFW_OK;
}

static const ofw_field fields[] = {{OFW_SAME(coco, squares)}, {OFW_SAME(coco, log2_total)}, {0}};

#define AT(field) offsetof(coco_options, field)
static const ofw_option options[] = {
    OFW_LOSSES_ROW(AT(losses)),
    OFW_POSITIVE_ROW(AT(step), "step", "1", NULL, "multiplies the learning rate"),
    OFW_CHOICE_ROW(AT(lyapunov), "lyapunov", NULL, "exp; quadratic for strongly convex losses", OFW_LYAPUNOV_WORDS,
                   "Phi, whose slope is the price of violation"),
    OFW_POSITIVE_ROW(AT(lambda), "lambda", NULL, "1/(2 sqrt T)",
                     "the rate in Phi = exp(lambda x) - 1, with lyapunov=exp"),
    OFW_BETA_ROW(AT(beta), "1/(2 G D); 1 for strongly convex losses"),
    OFW_POSITIVE_ROW(AT(gamma), "gamma", NULL, "1; 8 G^2 ln(e T)/alpha for strongly convex losses",
                     "the weight of the loss relative to the price"),
    OFW_GAMMA_SCALE_ROW(AT(gamma_scale)),
    {0},
};

/* for convex losses */
static const ofw_promise promise = {.regret = {0.5, 0.0}, .ccv = {0.5, 1.0}, .tuned = {"step", "gamma-scale"}};

const ofw_method ofw_coco_adagrad_method = {
    .type = {.name = "coco-adagrad",
             .summary = "projected gradient descent with a price on violation, full information; needs a projection",
             .source = "Sinha, Vaze, NeurIPS 2024",
             .options = options,
             .promise = &promise},
    .options_size = sizeof(coco_options),
    .state_size = sizeof(coco),
    .start = start,
    .observe = observe,
    .fields = fields,
};
