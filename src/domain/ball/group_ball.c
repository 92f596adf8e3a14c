/* group_ball.c — {x : the lengths |x_g| of groups of consecutive coordinates sum to at most a}
 *
 * Oracle  -a d_g / |d_g| on the first group g with the largest |d_g|, 0 elsewhere; a read of d
 * Project every |x_g| less the same amount, at least 0
 * R = a   r = a / sqrt(groups)   centre 0
 */
#include "base/source.h"
#include "domain/set.h"
#include "linalg/kernels.h"

#include <float.h>
#include <math.h>

typedef struct group_ball {
  double radius;
  size_t groups, largest; /* how many, and the most coordinates of one */
  size_t *first;          /* groups + 1: group g is first[g] .. first[g + 1] - 1 */
} group_ball;

typedef struct group_work {
  ofw_owned own;
  double *value; /* of the atom, on its group */
  ofw_vec atom;
  double *low; /* a number for each group, for projections; NULL: there are none */
} group_work;

static ofw_status open(const ofw_domain *K, uint64_t seed, void **work, ofw_error *err)
{
  (void)seed;
  OFW_TRY(ofw_work_open(sizeof(group_work), work, err));
  group_work *w = *work;
  w->value = ofw_owned_doubles(&w->own, ((const group_ball *)K->data)->largest);
  return ofw_owned_check(&w->own, err);
}

static size_t size_of(const group_ball *ball, size_t g)
{
  return ball->first[g + 1] - ball->first[g];
}

/* |scale x_g|^2 */
static double square(const group_ball *ball, size_t g, const double *x, double scale)
{
  double sum = 0.0;
  for (size_t i = ball->first[g]; i < ball->first[g + 1]; i++)
    sum += scale * x[i] * (scale * x[i]);
  return sum;
}

static ofw_status minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_answer *out, ofw_error *err)
{
  (void)err;
  const group_ball *ball = K->data;
  group_work *w = work;
  double scale = ofw_unit_scale(d->dim, d->dense), most = 0.0;
  size_t best = 0;
  for (size_t g = 0; g < ball->groups; g++) {
    double here = square(ball, g, d->dense, scale);
    if (here > most) {
      most = here;
      best = g;
    }
  }
  double length = sqrt(most), divisor = length > 0.0 ? length : 1.0;
  for (size_t i = 0; i < size_of(ball, best); i++)
    w->value[i] = -ball->radius * (scale * d->dense[ball->first[best] + i] / divisor);
  w->atom = ofw_vec_dense(size_of(ball, best), w->value);
  w->atom.offset = ball->first[best];
  *out = (ofw_answer){.atom = {1, &w->atom}, .value = -fmin(ball->radius * length / scale, DBL_MAX), .proven = 1};
  return OFW_OK;
}

static double excess(const ofw_domain *K, const double *x)
{
  const group_ball *ball = K->data;
  double sum = 0.0;
  for (size_t g = 0; g < ball->groups; g++)
    sum += ofw_norm(size_of(ball, g), x + ball->first[g]);
  return fmax(0.0, sum - ball->radius);
}

static ofw_status reserve(const ofw_domain *K, void *work, ofw_error *err)
{
  group_work *w = work;
  if (!w->low)
    w->low = ofw_owned_doubles(&w->own, ((const group_ball *)K->data)->groups);
  return ofw_owned_check(&w->own, err);
}

/* low_g is by how much |x_g| is below the longest, since that may be beyond all doubles. */
static ofw_status project(const ofw_domain *K, void *work, double *x, ofw_error *err)
{
  (void)err;
  const group_ball *ball = K->data;
  double *low = ((group_work *)work)->low, scale = ofw_unit_scale(K->dim, x), longest = 0.0, top;
  if (excess(K, x) == 0.0)
    return OFW_OK;
  for (size_t g = 0; g < ball->groups; g++)
    longest = fmax(longest, low[g] = sqrt(square(ball, g, x, scale)));
  for (size_t g = 0; g < ball->groups; g++)
    low[g] = (low[g] - longest) / scale;
  double t = ofw_threshold(ball->groups, low, 0, ball->radius, &top);
  for (size_t g = 0; g < ball->groups; g++) {
    double left = (low[g] - top) - t, length = sqrt(square(ball, g, x, scale));
    for (size_t i = ball->first[g]; i < ball->first[g + 1]; i++)
      x[i] = left > 0.0 && length > 0.0 ? left * (scale * x[i] / length) : 0.0;
  }
  return OFW_OK;
}

static const ofw_domain_ops ops = {.open = open,
                                   .minimise = minimise,
                                   .close = ofw_work_close,
                                   .excess = excess,
                                   .project = project,
                                   .reserve = reserve};

typedef struct group_options {
  uint64_t dim, size;
  char *groups;
  double radius;
} group_options;

static ofw_status make_groups(ofw_domain *K, size_t groups, group_ball *ball, ofw_error *err)
{
  ball->groups = groups;
  ball->first = ofw_owned_array(&K->own, groups + 1, sizeof *ball->first);
  return ofw_owned_check(&K->own, err);
}

/* From a list of sizes. */
static ofw_status set_sizes(ofw_domain *K, const ofw_numbers *read, const group_options *o, group_ball *ball,
                            ofw_error *err)
{
  size_t sum = 0;
  OFW_TRY(make_groups(K, read->count, ball, err));
  for (size_t g = 0; g < ball->groups; g++) {
    double size = read->x[g];
    if (!(size >= 1.0 && size <= (double)(OFW_MOST_DIM - sum) && size == floor(size)))
      return ofw_fail(
          err, OFW_USAGE,
          "group-ball: group %zu has size %g; expected a whole number >= 1, and at most %g coordinates in all", g + 1,
          size, (double)OFW_MOST_DIM);
    ball->first[g] = sum;
    ball->largest = (size_t)size > ball->largest ? (size_t)size : ball->largest;
    sum += (size_t)size;
  }
  ball->first[ball->groups] = sum;
  if (o->size || (o->dim && o->dim != sum))
    return o->size
               ? ofw_fail(err, OFW_USAGE, "group-ball: size needs groups to be a number, found a list; leave size out")
               : ofw_fail(err, OFW_USAGE, "group-ball: the groups have %zu coordinates, but dim is %zu", sum,
                          (size_t)o->dim);
  return OFW_OK;
}

/* From two of dim, size and the number of groups, which is NULL if it was not given. */
static ofw_status set_equal(ofw_domain *K, const double *given, const group_options *o, group_ball *ball,
                            ofw_error *err)
{
  double size = (double)o->size, dim = (double)o->dim, most = (double)OFW_MOST_DIM;
  if (!given && !(o->size && o->dim))
    return ofw_fail(err, OFW_USAGE, "group-ball: groups is required unless dim and size are both given");
  if (given && !(*given >= 1.0 && *given <= most && *given == floor(*given)))
    return ofw_fail(err, OFW_USAGE, "group-ball: groups=%g is not a whole number in [1, %g]", *given, most);
  if (given && !o->size && !o->dim)
    return ofw_fail(err, OFW_USAGE, "group-ball: dim or size is required when groups is a number");
  double groups = given ? *given : floor(dim / size);
  size = o->size ? size : floor(dim / groups);
  if (groups * size > most)
    return ofw_fail(err, OFW_USAGE, "group-ball: %.15g groups of %.15g are more than %g coordinates", groups, size,
                    most);
  if (o->dim && groups * size != dim)
    return ofw_fail(err, OFW_USAGE, "group-ball: %.15g groups of size %.15g do not make dim=%.15g", groups, size, dim);
  ball->largest = (size_t)size;
  OFW_TRY(make_groups(K, (size_t)groups, ball, err));
  for (size_t g = 0; g <= ball->groups; g++)
    ball->first[g] = g * ball->largest;
  return OFW_OK;
}

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  const group_options *o = options;
  ofw_numbers read = {0};
  group_ball ball = {.radius = o->radius};
  ofw_status st = o->groups ? ofw_numbers_read("group-ball", "groups", o->groups, &K->content, &read, err) : OFW_OK;
  if (st == OFW_OK && o->groups && !read.one)
    st = set_sizes(K, &read, o, &ball, err);
  else if (st == OFW_OK)
    st = set_equal(K, o->groups ? read.x : NULL, o, &ball, err);
  ofw_numbers_free(&read);
  OFW_TRY(st);
  K->R = ball.radius;
  K->r = ball.radius / sqrt((double)ball.groups);
  return ofw_domain_set_vector(K, &ops, ball.first[ball.groups], &ball, sizeof ball, err);
}

static const ofw_option options[] = {
    OFW_COUNT_ROW(offsetof(group_options, dim), "dim", NULL, "the sum of the groups' sizes", 1, OFW_MOST_DIM,
                  "dimension n"),
    OFW_TEXT_OR_ROW(offsetof(group_options, groups), "groups", "dim / size",
                    "the number of groups of equal size, or their sizes: (a,b,..) or @FILE with one per line"),
    OFW_COUNT_ROW(offsetof(group_options, size), "size", NULL, "dim / groups", 1, OFW_MOST_DIM,
                  "coordinates per group, if groups is not a list"),
    OFW_RADIUS_ROW(offsetof(group_options, radius), "radius", "radius a"),
    {0},
};

const ofw_domain_kind ofw_group_ball_kind = {
    {.name = "group-ball",
     .summary = "vectors whose Euclidean lengths over groups of consecutive coordinates sum to at most the radius",
     .example = "group-ball:groups=(2,3,1,4),radius=2.5",
     .options = options},
    build};
