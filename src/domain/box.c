/* box.c — {x : lower_i <= x_i <= upper_i}
 *
 * Oracle  lower_i where d_i >= 0 (so ties go to the lower bound), else upper_i; a read and a write of n numbers
 * Project the nearer bound where x_i is beyond one
 * R = sqrt(sum max(lower_i^2, upper_i^2))   r = min (upper_i - lower_i)/2   centre (lower + upper)/2
 */
#include "domain/domain.h"

#include "linalg/kernels.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct box {
  double *lower, *upper;
} box;

static ofw_status minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_accuracy wanted,
                           ofw_answer *out, ofw_error *err)
{
  (void)wanted, (void)err;
  const box *b = K->data;
  ofw_dense_atom *w = work;
  for (size_t i = 0; i < d->dim; i++)
    w->value[i] = d->dense[i] >= 0.0 ? b->lower[i] : b->upper[i];
  *out = ofw_dense_atom_answer(w, ofw_dot(d->dim, d->dense, w->value));
  return OFW_OK;
}

static double excess(const ofw_domain *K, const double *x)
{
  const box *b = K->data;
  double most = 0.0;
  for (size_t i = 0; i < K->dim; i++)
    most = fmax(most, fmax(b->lower[i] - x[i], x[i] - b->upper[i]));
  return most;
}

static ofw_status project(const ofw_domain *K, void *work, double *x, ofw_error *err)
{
  (void)work, (void)err;
  const box *b = K->data;
  for (size_t i = 0; i < K->dim; i++)
    x[i] = x[i] < b->lower[i] ? b->lower[i] : x[i] > b->upper[i] ? b->upper[i] : x[i];
  return OFW_OK;
}

static void destroy(void *data)
{
  box *b = data;
  if (b) {
    free(b->lower);
    free(b->upper);
    free(b);
  }
}

static const ofw_domain_ops ops = {.open = ofw_dense_atom_open,
                                   .minimise = minimise,
                                   .close = ofw_dense_atom_close,
                                   .excess = excess,
                                   .project = project,
                                   .destroy = destroy};

static ofw_status check_bounds(size_t i, double lower, double upper, ofw_error *err)
{
  if (lower > upper)
    return ofw_fail(err, OFW_USAGE, "box: coordinate %zu has lower bound %g above its upper bound %g", i + 1, lower,
                    upper);
  if (lower < -OFW_LARGEST_RADIUS || upper > OFW_LARGEST_RADIUS)
    return ofw_fail(err, OFW_USAGE, "box: coordinate %zu has a bound larger than %g", i + 1, OFW_LARGEST_RADIUS);
  return OFW_OK;
}

ofw_status ofw_box_build(ofw_domain *K, size_t dim, double *lower, double *upper, ofw_error *err)
{
  box *b = malloc(sizeof *b);
  double *corner = ofw_doubles(dim);
  K->centre = ofw_doubles(dim);
  if (!b || !corner || !K->centre) {
    free(b), free(corner), free(lower), free(upper);
    return ofw_fail_memory(err, dim * sizeof(double));
  }
  *b = (box){lower, upper};
  K->ops = &ops;
  K->data = b;
  K->dim = K->rows = dim;
  K->cols = 1;
  K->r = INFINITY;
  for (size_t i = 0; i < dim; i++) {
    ofw_status st = check_bounds(i, lower[i], upper[i], err);
    if (st != OFW_OK) {
      free(corner);
      return st;
    }
    corner[i] = fmax(fabs(lower[i]), fabs(upper[i]));
    K->centre[i] = lower[i] / 2 + upper[i] / 2;
    K->r = fmin(K->r, upper[i] / 2 - lower[i] / 2);
    K->from_centre |= lower[i] > 0.0 || upper[i] < 0.0;
  }
  K->R = ofw_norm(dim, corner);
  free(corner);
  if (!(K->R >= OFW_LEAST_RADIUS))
    return ofw_fail(err, OFW_USAGE, "box: it must reach beyond the origin, by %g at least", OFW_LEAST_RADIUS);
  return OFW_OK;
}

typedef struct box_options {
  uint64_t dim;
  char *lower, *upper;
} box_options;

static ofw_status cannot_read(const char *path, ofw_error *err)
{
  return ofw_fail(err, errno == ENOMEM ? OFW_FAILED : OFW_BAD_DATA, "box: cannot read %s: %s", path, strerror(errno));
}

/* One number a line. Reads up to `most` into out (NULL: counts only); *count is how many the file holds. */
static ofw_status read_file(const char *path, size_t most, double *out, size_t *count, ofw_error *err)
{
  FILE *in = fopen(path, "r");
  char *line = NULL;
  size_t room = 0;
  ofw_status st = OFW_OK;
  if (!in)
    return cannot_read(path, err);
  for (*count = 0; st == OFW_OK && getline(&line, &room, in) >= 0; ++*count) {
    double x;
    char *text = line + strspn(line, " \t"), *end = text + strlen(text);
    while (end > text && strchr(" \t\r\n", end[-1]))
      *--end = 0;
    if (!ofw_read_real(text, &x))
      st = ofw_fail(err, OFW_BAD_DATA, "%s:%zu: '%.60s' is not a finite number", path, *count + 1, text);
    else if (out && *count < most)
      out[*count] = x;
  }
  if (st == OFW_OK && !feof(in))
    st = cannot_read(path, err);
  free(line);
  (void)fclose(in);
  return st;
}

/* A bound is a number for all coordinates or "@FILE". */
static ofw_status read_bounds(const char *key, const char *text, size_t dim, double **out, ofw_error *err)
{
  double x;
  *out = ofw_doubles(dim);
  if (!*out)
    return ofw_fail_memory(err, dim * sizeof(double));
  if (text[0] == '@') {
    size_t count;
    OFW_TRY(read_file(text + 1, dim, *out, &count, err));
    if (count != dim)
      return ofw_fail(err, OFW_BAD_DATA, "box: %s holds %zu numbers, the dimension is %zu", text + 1, count, dim);
    return OFW_OK;
  }
  if (!ofw_read_real(text, &x))
    return ofw_fail(err, OFW_USAGE, "box: %s=%s is neither a finite number nor @FILE", key, text);
  for (size_t i = 0; i < dim; i++)
    (*out)[i] = x;
  return OFW_OK;
}

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  const box_options *o = options;
  size_t dim = (size_t)o->dim;
  double *lower = NULL, *upper = NULL;
  const char *file = o->lower[0] == '@' ? o->lower + 1 : o->upper[0] == '@' ? o->upper + 1 : NULL;
  if (!dim && !file)
    return ofw_fail(err, OFW_USAGE, "box: dim is required where neither bound comes from a file");
  if (!dim)
    OFW_TRY(read_file(file, 0, NULL, &dim, err));
  if (!dim)
    return ofw_fail(err, OFW_BAD_DATA, "box: %s holds no numbers", file);
  ofw_status st = read_bounds("lower", o->lower, dim, &lower, err);
  if (st == OFW_OK)
    st = read_bounds("upper", o->upper, dim, &upper, err);
  if (st == OFW_OK)
    return ofw_box_build(K, dim, lower, upper, err);
  free(lower);
  free(upper);
  return st;
}

static const ofw_option options[] = {
    OFW_COUNT_ROW(offsetof(box_options, dim), "dim", NULL, "the numbers in a bound's file", 1, 1e12, "dimension n"),
    OFW_TEXT_ROW(offsetof(box_options, lower), "lower", "a number for all coordinates, or @FILE with one a line"),
    OFW_TEXT_ROW(offsetof(box_options, upper), "upper", "a number for all coordinates, or @FILE with one a line"),
    {0},
};

const ofw_domain_kind ofw_box_kind = {{.name = "box",
                                       .summary = "vectors between a lower and an upper bound in each coordinate",
                                       .example = "box:dim=6,lower=-1,upper=2",
                                       .options = options},
                                      sizeof(box_options),
                                      build};
