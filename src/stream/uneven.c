/* uneven.c — a limit that comes late, rarely or in turns, or whose constraints change in length
 *
 *     f_t(x) = <c_t, x> + (L alpha/2) |x - x*|^2,     c_t = L (a_t c + noise)
 *     g_t(x) = L r_t <b, x - x*>     in constrained rounds; the others have no constraint at all
 *
 * c, b and x* are tradeoff.h's: the losses pull across the limit <b, x> <= <b, x*>. Every g_t is a positive multiple of
 * that one limit, and every way to choose the losses gives a sum of all c_t that is c times a number >= 0. So x* is the
 * best fixed point whatever the lengths r_t are:
 *
 *     noisy       the noise adds up to nothing over the horizon (noise.h)
 *     switching   the signs are 1 for TURN rounds, then -1 for as many, and so on: the 1s are never fewer
 *     others      a_t > 0
 *
 * The quadratic part has no gradient at x*, so it does not move x*.
 *
 * If no round of the horizon has a constraint, x* minimises <c, .> over K, and the multiplier is 0.
 *
 * Lognormal and Pareto draws have no bound. They are clipped at values that about one draw in 30 000 and one in 20 000
 * exceed. So G, L times the largest length there can be, is a true bound.
 */
#include "stream/noise.h"
#include "stream/place.h"
#include "stream/tradeoff.h"

#include "linalg/kernels.h"
#include "linalg/rng.h"
#include "vector/vec_arithmetic.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* As the options' words have them. */
enum { ALWAYS, EVERY, IN_TURNS, RARE };
enum { CONSTANT, HALVED, LOGNORMAL, OUTLIER, SEASONAL, SHRINKING, GROWING, PARETO, SWITCHING };
enum { STEADY, NOISY, TURNING, RISING, RANDOM };

enum { LOSS, CURVED, LIMIT }; /* of uneven.term */
enum { TURN = 997, WHOLE = 100, SEASON = 1257, STAY = 300 };
static const double noise_share = 0.3, risen = 10.0, outlier = 10.0, most_sigmas = 4.0, most_pareto = 1e3;

typedef struct uneven_options {
  double quiet, spread, pull, depth, lipschitz, convexity;
  uint64_t period;
  int times, lengths, losses;
} uneven_options;

typedef struct uneven {
  uneven_options o;
  ofw_tradeoff f;
  uint64_t quiet;  /* rounds before the first that may have a constraint */
  double *loss;    /* c_t over term[LOSS].scale */
  double *curved;  /* L alpha (x - x*); NULL if alpha is 0 */
  int constrained; /* this round */
  double value;    /* g_t at the decision */
  ofw_vec term[3]; /* c_t, the quadratic part's gradient, the limit's */
  ofw_sum limit_gradient;
} uneven;

/* exp(sigma N(0, 1)), clipped */
static double lognormal(ofw_rng_key key, double sigma)
{
  double z;
  ofw_rng_normal(key, 0, 1, &z);
  return exp(sigma * fmin(z, most_sigmas));
}

/* ---- when there is a constraint, and how long it is ---- */

/* Whether the k-th round after the quiet ones, from 1, is the one that is drawn of its `period`. */
static int is_drawn(const ofw_stream *s, uint64_t k)
{
  uint64_t period = ((const uneven *)s->data)->o.period;
  ofw_rng_key key = {s->seed, OFW_RNG_ORDER, (k - 1) / period};
  return (uint64_t)(ofw_rng_unit(key, 0) * (double)period) == (k - 1) % period;
}

/* How many constrained rounds there have been with that of round t; 0: it has none. */
static uint64_t constrained_so_far(const ofw_stream *s, uint64_t t)
{
  const uneven *u = s->data;
  uint64_t period = u->o.period;
  if (t <= u->quiet)
    return 0;
  uint64_t k = t - u->quiet, before = (k - 1) / period;
  switch (u->o.times) {
  case EVERY:
    return k % period == 0 ? k / period : 0;
  case IN_TURNS:
    return before % 2 == 0 ? before / 2 * period + (k - 1) % period + 1 : 0;
  case RARE:
    return is_drawn(s, k) ? before + 1 : 0;
  default:
    return k;
  }
}

/* r_t of the n-th constrained round */
static double limit_length(const ofw_stream *s, uint64_t t, uint64_t n)
{
  const uneven *u = s->data;
  ofw_rng_key key = {s->seed, OFW_RNG_CONSTRAINT, t};
  uint64_t k = t - u->quiet;
  switch (u->o.lengths) {
  case HALVED:
    return n <= WHOLE ? 1.0 : 0.5;
  case LOGNORMAL:
    return lognormal(key, u->o.spread);
  case OUTLIER:
    return n == 1 ? outlier : 1.0;
  case SEASONAL:
    return 0.6 + 0.4 * sin(2.0 * M_PI * (double)(k % SEASON) / SEASON);
  case SHRINKING:
    return 1.0 / sqrt((double)n);
  case GROWING:
    return n < s->rounds ? sqrt((double)n / (double)s->rounds) : 1.0;
  case PARETO:
    return fmin(pow(ofw_rng_unit(key, 0), -0.7), most_pareto);
  case SWITCHING:
    return (k - 1) / STAY % 2 ? 1.0 : 0.1;
  default:
    return 1.0;
  }
}

static double most_limit_length(const uneven_options *o)
{
  return o->lengths == LOGNORMAL ? exp(most_sigmas * o->spread)
         : o->lengths == OUTLIER ? outlier
         : o->lengths == PARETO  ? most_pareto
                                 : 1.0;
}

/* ---- the losses ---- */

/* a_t */
static double loss_length(const ofw_stream *s, uint64_t t)
{
  switch (((const uneven *)s->data)->o.losses) {
  case NOISY:
    return 1.0 - noise_share;
  case TURNING:
    return (t - 1) / TURN % 2 ? -1.0 : 1.0;
  case RISING:
    return t > s->rounds / 2 ? risen : 1.0;
  case RANDOM:
    return lognormal((ofw_rng_key){s->seed, OFW_RNG_LOSS, t}, 1.0);
  default:
    return 1.0;
  }
}

static double most_loss_length(const uneven_options *o)
{
  return o->losses == RISING ? risen : o->losses == RANDOM ? exp(most_sigmas) : 1.0;
}

static void make_round(ofw_stream *s, uint64_t t)
{
  uneven *u = s->data;
  size_t n = s->K->dim;
  double L = u->o.lipschitz, of_c = loss_length(s, t);
  uint64_t so_far = constrained_so_far(s, t);
  u->term[LOSS].scale = u->o.losses == NOISY ? L : L * of_c;
  if (u->o.losses == NOISY) {
    ofw_noise_direction((ofw_rng_key){s->seed, OFW_RNG_LOSS, t}, s->rounds, noise_share, n, u->loss);
    ofw_axpy(n, of_c, u->f.c, u->loss);
  }
  u->constrained = so_far > 0;
  if (u->constrained)
    u->term[LIMIT].scale = L * limit_length(s, t, so_far);
}

/* The quadratic part's gradient, and its value on top of the loss. */
static ofw_status curve(ofw_stream *s, const ofw_point *x, double *loss)
{
  uneven *u = s->data;
  double alpha = u->o.lipschitz * u->o.convexity;
  OFW_TRY(ofw_point_dense(x, u->curved));
  *loss += alpha / 2.0 * ofw_place_square(s->K->dim, u->curved, u->f.best);
  for (size_t i = 0; i < s->K->dim; i++)
    u->curved[i] = alpha * (u->curved[i] - u->f.best[i]);
  return OFW_OK;
}

static ofw_status reveal(ofw_stream *s, uint64_t t, const ofw_point *x, ofw_full *out)
{
  (void)t;
  uneven *u = s->data;
  double at_x;
  out->loss_gradient = (ofw_sum){u->curved ? 2 : 1, u->term};
  OFW_TRY(ofw_point_dot(x, (ofw_sum){1, u->term}, &out->values.loss));
  if (u->curved)
    OFW_TRY(curve(s, x, &out->values.loss));
  if (!u->constrained)
    return OFW_OK;
  OFW_TRY(ofw_point_dot(x, u->limit_gradient, &at_x));
  u->value = at_x - ofw_sum_dot(u->limit_gradient, u->f.best); /* at x*: 0, to the last bit */
  ofw_full_constrain(out, &u->value, &u->limit_gradient);
  return OFW_OK;
}

static ofw_status comparator(ofw_stream *s, uint64_t t, double *loss)
{
  (void)t;
  *loss = ofw_sum_dot((ofw_sum){1, ((const uneven *)s->data)->term}, s->best);
  return OFW_OK;
}

static const ofw_stream_ops ops = {.make = make_round, .reveal = reveal, .comparator = comparator};

/* ---- how it is built ---- */

/* The multiplier, what a unit of violation saves of loss, is mu sum_t a_t / sum_t r_t; x* moves if nothing limits it. */
static ofw_status settle(ofw_stream *s, ofw_error *err)
{
  const uneven *u = s->data;
  double losses = 0.0, limits = 0.0;
  char number[OFW_REAL_TEXT];
  for (uint64_t t = 1; t <= s->rounds; t++) {
    uint64_t so_far = constrained_so_far(s, t);
    losses += loss_length(s, t);
    limits += so_far ? limit_length(s, t, so_far) : 0.0;
  }
  if (limits == 0.0)
    OFW_TRY(ofw_domain_minimise(s->K, u->f.c, 1e-13, u->f.best, NULL, err));
  double multiplier = limits > 0.0 ? u->f.mu * losses / limits : 0.0;
  snprintf(s->facts, sizeof s->facts, " multiplier=%s", ofw_print_real(multiplier, number));
  return OFW_OK;
}

static void resolve_period(uneven_options *o)
{
  static const double usual[] = {[ALWAYS] = 1, [EVERY] = 10, [IN_TURNS] = 500, [RARE] = 50};
  ofw_resolve_count(&o->period, usual[o->times]);
}

static ofw_status build(ofw_stream *s, void *options, ofw_error *err)
{
  uneven *u = s->data;
  resolve_period(options);
  u->o = *(const uneven_options *)options;
  u->quiet = (uint64_t)round(u->o.quiet * (double)s->rounds);
  size_t n = s->K->dim;
  u->loss = ofw_owned_doubles(&s->own, n);
  u->curved = u->o.convexity > 0.0 ? ofw_owned_doubles(&s->own, n) : NULL;
  OFW_TRY(ofw_tradeoff_open(&u->f, s, "uneven", u->o.pull, u->o.depth, err));
  memcpy(u->loss, u->f.c, n * sizeof *u->loss);
  u->term[LOSS] = ofw_vec_dense(n, u->loss);
  if (u->curved)
    u->term[CURVED] = ofw_vec_dense(n, u->curved);
  u->term[LIMIT] = ofw_vec_dense(n, u->f.b);
  u->limit_gradient = (ofw_sum){1, &u->term[LIMIT]};
  double most_loss = u->o.lipschitz * most_loss_length(&u->o), R = s->K->R;
  double alpha = u->curved ? u->o.lipschitz * u->o.convexity : 0.0;
  s->constants =
      (ofw_constants){.lipschitz = fmax(most_loss + 2.0 * alpha * R, u->o.lipschitz * most_limit_length(&u->o)),
                      .loss_bound = most_loss * R + 2.0 * alpha * R * R,
                      .strong_convexity = alpha};
  return settle(s, err);
}

#define AT(field) offsetof(uneven_options, field)
static const ofw_option options[] = {
    OFW_REAL_ROW(AT(quiet), "quiet", "0.1", NULL, 0, 0.9, "the share of the horizon before the first constraint"),
    OFW_CHOICE_ROW(AT(times), "times", "always", NULL, "always|every|switching|rare",
                   "which of the later rounds have a constraint. always: all; every: each period-th; switching: period "
                   "rounds on, as many off; rare: one random round per period"),
    OFW_COUNT_ROW(AT(period), "period", NULL, "10 for every, 500 for switching, 50 for rare", 1, 1e9,
                  "the period of times, in rounds; always has none"),
    OFW_CHOICE_ROW(AT(lengths), "lengths", "halved", NULL,
                   "constant|halved|lognormal|outlier|seasonal|shrinking|growing|pareto|switching",
                   "how the lengths of the constraints change"),
    OFW_REAL_ROW(AT(spread), "spread", "1", NULL, 0, 3, "sigma of lengths=lognormal"),
    OFW_CHOICE_ROW(AT(losses), "losses", "steady", NULL, "steady|noisy|switching|growing|lognormal",
                   "how the losses change"),
    OFW_REAL_ROW(AT(convexity), "convexity", NULL, "0", 0, 1e6,
                 "alpha over lipschitz, the strong convexity of the losses, by a quadratic around the best point"),
    OFW_PULL_OPTION(uneven_options, "1"),
    OFW_DEPTH_OPTION(uneven_options, "0.75"),
    OFW_REAL_ROW(AT(lipschitz), "lipschitz", "1", NULL, 1e-100, 1e100,
                 "multiplies all gradients; G is this times the largest length"),
    {0},
};

const ofw_stream_kind ofw_uneven_kind = {.type = {.name = "uneven",
                                                  .summary = "linear losses against a limit that comes late, rarely, "
                                                             "in turns or with changing lengths; exact comparator",
                                                  .example = "uneven:quiet=0.2,period=5",
                                                  .options = options},
                                         .data_size = sizeof(uneven),
                                         .ops = &ops,
                                         .build = build};
