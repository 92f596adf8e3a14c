/* alternating.c — linear losses that turn round as soon as a learner follows them
 *
 *     f_t(x) = <a_t, x>,   a_t = G (drift m + (1 - drift) s_t w),   m and w random unit vectors, so |a_t| <= G
 *
 * s_t is 1 for half a block, -1 for a block, 1 for a block, and so on (the first round of an odd block counts half), so
 * that the sum of s swings between block/2 and -block/2. Playing the best point of the past means to change sides once
 * a block, always too late: with block = 1 it costs up to G R in every round, with longer blocks once per block. What the
 * losses ask for in the long run is drift m, and nothing if drift is 0: then only the constraints say where to go.
 *
 * x* minimises sum_t a_t over K (that sum has a closed form), and every half-space holds it: so no point that keeps all
 * constraints has a smaller total loss. If the sum is 0 every point does as well, and x* is the one for w.
 */
#include "stream/place.h"
#include "stream/scene.h"

#include "linalg/rng.h"

typedef struct alternating_options {
  uint64_t block;
  double drift, tight, lipschitz;
} alternating_options;

typedef struct alternating {
  ofw_scene scene;
  alternating_options o;
  double *m, *w;
} alternating;

/* s_t; the first half block has (block + 1) / 2 rounds. */
static double side(uint64_t block, uint64_t t)
{
  uint64_t first = (block + 1) / 2;
  if (t <= first)
    return t == 1 && block % 2 ? 0.5 : 1.0;
  return (t - first - 1) / block % 2 ? 1.0 : -1.0;
}

/* s_1 + .. + s_T: at a block's end it is block/2 or -block/2, and then goes the other way. */
static double side_sum(uint64_t block, uint64_t T)
{
  uint64_t first = (block + 1) / 2;
  if (T <= first)
    return (double)T - (T > 0 && block % 2 ? 0.5 : 0.0);
  uint64_t whole = (T - first) / block, part = (T - first) % block;
  double from = whole % 2 ? -1.0 : 1.0;
  return from * ((double)block / 2.0 - (double)part);
}

/* out = G (count drift m + sides (1 - drift) w) */
static void combine(const alternating *l, size_t n, double count, double sides, double *out)
{
  double along_m = count * l->o.drift, along_w = sides * (1.0 - l->o.drift);
  for (size_t i = 0; i < n; i++)
    out[i] = l->o.lipschitz * (along_m * l->m[i] + along_w * l->w[i]);
}

static void make_loss(ofw_stream *s, uint64_t t)
{
  const alternating *l = s->data;
  combine(l, s->K->dim, 1.0, side(l->o.block, t), l->scene.loss.a);
}

static const ofw_stream_ops ops = {.make = make_loss, .reveal = ofw_scene_reveal, .comparator = ofw_loss_comparator};

static ofw_status place_comparator(ofw_stream *s, ofw_error *err)
{
  alternating *l = s->data;
  double sides = side_sum(l->o.block, s->rounds);
  int nothing = l->o.drift == 0.0 && sides == 0.0;
  combine(l, s->K->dim, (double)s->rounds, nothing ? 1.0 : sides, l->scene.loss.a);
  return ofw_domain_minimise(s->K, l->scene.loss.a, 1e-13, l->scene.half.point, NULL, err);
}

static ofw_status build(ofw_stream *s, void *options, ofw_error *err)
{
  alternating *l = s->data;
  l->o = *(const alternating_options *)options;
  l->m = ofw_owned_doubles(&s->own, s->K->dim);
  l->w = ofw_owned_doubles(&s->own, s->K->dim);
  OFW_TRY(ofw_scene_open(s, 0.0, l->o.lipschitz, l->o.tight, err));
  ofw_place_direction(s->K, (ofw_rng_key){s->seed, OFW_RNG_TARGET, 0}, l->m);
  ofw_place_direction(s->K, (ofw_rng_key){s->seed, OFW_RNG_LOSS, 0}, l->w);
  return place_comparator(s, err);
}

static const ofw_option options[] = {
    OFW_COUNT_ROW(offsetof(alternating_options, block), "block", "1", NULL, 1, 1e12,
                  "rounds between two changes of sign; 1 is the worst for follow-the-leader"),
    OFW_REAL_ROW(offsetof(alternating_options, drift), "drift", "0", NULL, 0, 1,
                 "the share of the loss that does not change sign"),
    OFW_TIGHT_OPTION(alternating_options, "0.5"),
    OFW_LIPSCHITZ_OPTION(alternating_options),
    {0},
};

const ofw_stream_kind ofw_alternating_kind = {
    .type = {.name = "alternating",
             .summary =
                 "linear losses that change sign in blocks, hard for learners that follow the past; exact comparator",
             .example = "alternating:block=5,drift=0.1",
             .options = options},
    .data_size = sizeof(alternating),
    .ops = &ops,
    .build = build};
