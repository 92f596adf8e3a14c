/* box.c — {x : lower_i <= x_i <= upper_i}
 *
 * Oracle  lower_i if d_i >= 0 (so ties go to the lower bound), else upper_i; a read and a write of n numbers
 * Project the nearer bound if x_i is beyond one
 * R = sqrt(sum max(lower_i^2, upper_i^2))   r = min (upper_i - lower_i)/2   centre (lower + upper)/2
 */
#include "base/source.h"
#include "domain/ball/ball.h"
#include "linalg/kernels.h"

#include <math.h>

typedef struct box {
  double *lower, *upper;
  size_t every; /* 1: of each coordinate; 0: one for all */
} box;

static ofw_status minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_answer *out, ofw_error *err)
{
  (void)err;
  const box *b = K->data;
  ofw_dense_atom *w = work;
  double dot = ofw_kernels_chosen()->choose(d->dim, d->dense, b->every, b->lower, b->upper, w->value);
  *out = ofw_dense_atom_answer(w, dot);
  return OFW_OK;
}

static double excess(const ofw_domain *K, const double *x)
{
  const box *b = K->data;
  double most = 0.0;
  for (size_t i = 0; i < K->dim; i++)
    most = fmax(most, fmax(b->lower[i * b->every] - x[i], x[i] - b->upper[i * b->every]));
  return most;
}

static ofw_status project(const ofw_domain *K, void *work, double *x, ofw_error *err)
{
  (void)work, (void)err;
  const box *b = K->data;
  for (size_t i = 0; i < K->dim; i++) {
    double lower = b->lower[i * b->every], upper = b->upper[i * b->every];
    x[i] = x[i] < lower ? lower : x[i] > upper ? upper : x[i];
  }
  return OFW_OK;
}

static const ofw_domain_ops ops = {
    .open = ofw_dense_atom_open, .minimise = minimise, .close = ofw_work_close, .excess = excess, .project = project};

static ofw_status check_bounds(size_t i, double lower, double upper, ofw_error *err)
{
  if (lower > upper)
    return ofw_fail(err, OFW_USAGE, "box: coordinate %zu has lower bound %g above its upper bound %g", i + 1, lower,
                    upper);
  if (lower < -OFW_LARGEST_RADIUS || upper > OFW_LARGEST_RADIUS)
    return ofw_fail(err, OFW_USAGE, "box: coordinate %zu has a bound larger than %g", i + 1, OFW_LARGEST_RADIUS);
  return OFW_OK;
}

static ofw_status build_box(ofw_domain *K, size_t dim, const box *b, ofw_error *err)
{
  OFW_TRY(ofw_domain_set_vector(K, &ops, dim, b, sizeof *b, err));
  OFW_TRY(ofw_domain_set_even_centre(K, 0.0, err));
  for (size_t i = 0; i < dim; i++) { /* at first the farthest corner */
    double low = b->lower[i * b->every], high = b->upper[i * b->every];
    OFW_TRY(check_bounds(i, low, high, err));
    K->centre[i] = fmax(fabs(low), fabs(high));
  }
  K->R = ofw_norm(dim, K->centre);
  K->r = INFINITY;
  for (size_t i = 0; i < dim; i++) {
    double low = b->lower[i * b->every], high = b->upper[i * b->every];
    K->centre[i] = low / 2 + high / 2;
    K->r = fmin(K->r, high / 2 - low / 2);
    K->from_centre |= low > 0.0 || high < 0.0;
  }
  if (!(K->R >= OFW_LEAST_RADIUS))
    return ofw_fail(err, OFW_USAGE,
                    "box: expected a point at least %g away from the origin, found none; widen the bounds",
                    OFW_LEAST_RADIUS);
  return OFW_OK;
}

ofw_status ofw_box_build_cube(ofw_domain *K, size_t dim, double lower, double upper, ofw_error *err)
{
  double *bound = ofw_owned_doubles(&K->own, 2);
  OFW_TRY(ofw_owned_check(&K->own, err));
  bound[0] = lower;
  bound[1] = upper;
  return build_box(K, dim, &(box){bound, bound + 1, 0}, err);
}

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  const ofw_bounds *o = options;
  size_t dim = (size_t)o->dim;
  ofw_list bound[2] = {{.key = "lower", .text = o->lower}, {.key = "upper", .text = o->upper}};
  OFW_TRY(ofw_lists_read("box", 2, bound, "neither bound is a list", &K->own, &K->content, &dim, err));
  return build_box(K, dim, &(box){bound[0].x, bound[1].x, !bound[0].one || !bound[1].one}, err);
}

const ofw_option ofw_bounds_options[] = {
    OFW_COUNT_ROW(offsetof(ofw_bounds, dim), "dim", NULL, "the numbers in a bound's list", 1, OFW_MOST_DIM,
                  "dimension n"),
    OFW_TEXT_ROW(offsetof(ofw_bounds, lower), "lower",
                 "a number for all coordinates, (a,b,..), or @FILE with one per line"),
    OFW_TEXT_ROW(offsetof(ofw_bounds, upper), "upper",
                 "a number for all coordinates, (a,b,..), or @FILE with one per line"),
    {0},
};

const ofw_domain_kind ofw_box_kind = {{.name = "box",
                                       .summary = "vectors between a lower and an upper bound in each coordinate",
                                       .example = "box:dim=6,lower=-1,upper=2",
                                       .options = ofw_bounds_options},
                                      build};
