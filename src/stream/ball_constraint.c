/* ball_constraint.c — curved constraints: balls whose centre moves back and forth, all of which contain the best point
 *
 *     f_t(x) = (alpha/2) |x - z_t|^2                             z_t = x* - pull R e + n_t
 *     g_t(x) = (kappa/2) (|x - c_t|^2 - |x* - c_t|^2) - slack_t    c_t = x* + ball R e_t
 *
 * e_t = cos(a_t) p + sin(a_t) q goes through half a circle and back, a_t = (pi/2) sin(2 pi swings (t - 1) / T), for
 * orthonormal p and q. slack_t is 0, and x* on the ball's surface, in a share of the rounds; else it is uniform in
 * (0, G R). n_t is noise of length spread R that adds up to nothing over the horizon.
 *
 * e is the sum of e_t over the tight rounds, over T: the losses pull away from the centres, and with the same
 * multiplier mu in every tight round
 *
 *     sum_t grad f_t(x*) + mu sum_tight grad g_t(x*) = T (alpha pull R e - mu kappa ball R e) = 0
 *
 * for mu = alpha pull / (kappa ball). So x*, which is inside K, is the best fixed point; the configuration tells mu as
 * the multiplier. The constraints' gradients kappa (x - c_t) turn with the round and grow with the violation.
 * With |x - x*| <= 2R:  G = alpha (2 + pull + spread) R,  kappa = G / ((2 + ball) R).
 */
#include "stream/noise.h"
#include "stream/place.h"
#include "stream/scene.h"

#include "linalg/kernels.h"
#include "linalg/rng.h"

#include <math.h>
#include <stdio.h>

typedef struct ball_options {
  uint64_t swings;
  double ball, pull, strength, spread, tight;
} ball_options;

typedef struct balls {
  ofw_loss loss; /* about z_t */
  ball_options o;
  double kappa;
  double *best, *shift;    /* x*; -pull R e */
  double *p, *q, *c;       /* c: this round's */
  double *gradient, value; /* of the constraint; g_t at the decision */
  ofw_vec term;
  ofw_sum sum;
} balls;

static double angle(const ofw_stream *s, uint64_t t)
{
  uint64_t T = s->rounds ? s->rounds : 1, at = (t - 1) % T * ((const balls *)s->data)->o.swings % T;
  return M_PI / 2.0 * sin(2.0 * M_PI * (double)at / (double)T);
}

static double slack(const ofw_stream *s, uint64_t t)
{
  ofw_rng_key key = {s->seed, OFW_RNG_CONSTRAINT, t};
  if (ofw_rng_unit(key, 0) < ((const balls *)s->data)->o.tight)
    return 0.0;
  return s->constants.lipschitz * s->K->R * ofw_rng_unit(key, 1);
}

static void make_round(ofw_stream *s, uint64_t t)
{
  const balls *b = s->data;
  size_t n = s->K->dim;
  double a = angle(s, t), along_p = b->o.ball * s->K->R * cos(a), along_q = b->o.ball * s->K->R * sin(a);
  ofw_noise_direction((ofw_rng_key){s->seed, OFW_RNG_LOSS, t}, s->rounds, b->o.spread * s->K->R, n, b->loss.a);
  for (size_t i = 0; i < n; i++) {
    b->loss.a[i] += b->best[i] + b->shift[i];
    b->c[i] = b->best[i] + along_p * b->p[i] + along_q * b->q[i];
  }
}

static ofw_status reveal(ofw_stream *s, uint64_t t, const ofw_point *x, ofw_full *out)
{
  balls *b = s->data;
  size_t n = s->K->dim;
  OFW_TRY(ofw_point_dense(x, b->gradient));
  b->value = b->kappa / 2.0 * (ofw_place_square(n, b->gradient, b->c) - ofw_place_square(n, b->best, b->c)) -
             slack(s, t); /* at x*: -slack */
  for (size_t i = 0; i < n; i++)
    b->gradient[i] = b->kappa * (b->gradient[i] - b->c[i]);
  ofw_full_constrain(out, &b->value, &b->sum);
  return ofw_loss_reveal(&b->loss, x, out);
}

static const ofw_stream_ops ops = {.make = make_round, .reveal = reveal, .comparator = ofw_loss_comparator};

/* p and q, orthonormal; q is 0 if K extends along a line only. */
static void draw_plane(const ofw_stream *s)
{
  const balls *b = s->data;
  size_t n = s->K->dim;
  ofw_place_direction(s->K, (ofw_rng_key){s->seed, OFW_RNG_DATA, 1}, b->p);
  ofw_place_direction(s->K, (ofw_rng_key){s->seed, OFW_RNG_DATA, 2}, b->q);
  ofw_axpy(n, -ofw_dot(n, b->p, b->q), b->p, b->q);
  double length = ofw_norm(n, b->q);
  for (size_t i = 0; i < n; i++)
    b->q[i] = length > 1e-10 ? b->q[i] / length : 0.0;
}

/* -pull R e */
static void set_shift(const ofw_stream *s)
{
  const balls *b = s->data;
  uint64_t T = s->rounds ? s->rounds : 1;
  double on_p = 0.0, on_q = 0.0, by = -b->o.pull * s->K->R / (double)T;
  for (uint64_t t = 1; t <= s->rounds; t++)
    if (slack(s, t) == 0.0) {
      on_p += cos(angle(s, t));
      on_q += sin(angle(s, t));
    }
  for (size_t i = 0; i < s->K->dim; i++)
    b->shift[i] = by * (on_p * b->p[i] + on_q * b->q[i]);
}

static ofw_status build(ofw_stream *s, void *options, ofw_error *err)
{
  balls *b = s->data;
  b->o = *(const ball_options *)options;
  double **all[] = {&b->best, &b->shift, &b->p, &b->q, &b->c, &b->gradient};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    *all[k] = ofw_owned_doubles(&s->own, s->K->dim);
  double alpha = b->o.strength, G = alpha * (2.0 + b->o.pull + b->o.spread) * s->K->R;
  OFW_TRY(ofw_loss_open(&b->loss, s, alpha, G, err));
  b->term = ofw_vec_dense(s->K->dim, b->gradient);
  b->sum = (ofw_sum){1, &b->term};
  b->kappa = G / ((2.0 + b->o.ball) * s->K->R);
  s->best = b->best;
  char number[OFW_REAL_TEXT];
  snprintf(s->facts, sizeof s->facts, " multiplier=%s",
           ofw_print_real(alpha * b->o.pull / (b->kappa * b->o.ball), number));
  draw_plane(s);
  set_shift(s);
  return ofw_place_inside(s->K, s->seed, b->best, err);
}

#define AT(field) offsetof(ball_options, field)
static const ofw_option options[] = {
    OFW_COUNT_ROW(AT(swings), "swings", "3", NULL, 1, 1e6,
                  "how often the centre moves back and forth over the horizon"),
    OFW_REAL_ROW(AT(ball), "ball", "1", NULL, 1e-6, 1e6, "distance of the centre from the comparator, in units of R"),
    OFW_REAL_ROW(
        AT(pull), "pull", "0.5", NULL, 0, 1e6,
        "how far outside the balls the losses pull, in units of R; 0: their minimiser satisfies the constraints"),
    OFW_STRENGTH_OPTION(ball_options),
    OFW_REAL_ROW(AT(spread), "spread", "0.5", NULL, 0, 1e6, "length of the noise in z_t, in units of R"),
    OFW_TIGHT_OPTION(ball_options, "0.5"),
    {0},
};

const ofw_stream_kind ofw_ball_constraint_kind = {
    .type = {.name = "ball-constraint",
             .summary = "strongly convex losses, and balls with a moving centre that all contain the exact comparator",
             .example = "ball-constraint:swings=2,pull=1",
             .options = options},
    .data_size = sizeof(balls),
    .ops = &ops,
    .build = build};
