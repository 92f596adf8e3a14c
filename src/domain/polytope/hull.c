/* hull.c — the convex hull of listed points p_1 .. p_N
 *
 * Oracle  the first p_i with the least <d, p_i>; one read of all points, with d scaled by a power of two
 * Project the nearest point (mixture.h); its distance is what a point outside has as its excess
 * R = max |p_i|   centre c = the mean of the points   r >= s^2 / (N D), with s the least singular value, but for those that
 *         are 0, of the matrix whose rows are p_i - c, and D = max |p_i - c|. For let u be a unit vector of the hull's
 *         directions and a_i = <u, p_i - c>. Their mean is 0, they are in [-D, M] with M their largest, so their variance is
 *         at most M D (Bhatia, Davis 2000); it is at least s^2 / N. So K reaches from c by s^2 / (N D) along every u. That
 *         is exact for a regular simplex. Singular values below 1e-12 of the largest count as 0: there the hull is flat.
 */
#include "base/source.h"
#include "domain/polytope/mixture.h"
#include "domain/set.h"
#include "linalg/kernels.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double FLAT = 1e-12;

typedef struct hull_work {
  ofw_owned own;
  double *d;
  ofw_vec atom;
  ofw_mixture nearest; /* empty if nothing is projected */
} hull_work;

static ofw_status open(const ofw_domain *K, uint64_t seed, void **work, ofw_error *err)
{
  (void)seed;
  OFW_TRY(ofw_work_open(sizeof(hull_work), work, err));
  hull_work *w = *work;
  w->d = ofw_owned_doubles(&w->own, K->dim);
  return ofw_owned_check(&w->own, err);
}

static ofw_status minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_answer *out, ofw_error *err)
{
  (void)err;
  const ofw_points *p = K->data;
  hull_work *w = work;
  int exponent;
  double least = INFINITY;
  size_t best = 0;
  frexp(ofw_largest(d->dim, d->dense), &exponent);
  for (size_t i = 0; i < d->dim; i++)
    w->d[i] = ldexp(d->dense[i], -exponent);
  for (size_t i = 0; i < p->count; i++) {
    double here = ofw_dot(p->dim, w->d, p->x + i * p->dim);
    if (here < least) {
      least = here;
      best = i;
    }
  }
  w->atom = ofw_vec_dense(p->dim, p->x + best * p->dim);
  *out = (ofw_answer){.atom = {1, &w->atom}, .value = ldexp(least, exponent), .proven = 1};
  return OFW_OK;
}

static double excess(const ofw_domain *K, const double *x)
{
  const ofw_points *p = K->data;
  ofw_owned own = {0};
  ofw_mixture nearest;
  double out = OFW_NO_MEMORY;
  if (ofw_mixture_make(&own, p, &nearest, NULL) == OFW_OK)
    out = ofw_mixture_nearest(p, &nearest, x);
  ofw_owned_free(&own);
  return out;
}

static ofw_status reserve(const ofw_domain *K, void *work, ofw_error *err)
{
  hull_work *w = work;
  return w->nearest.at ? ofw_owned_check(&w->own, err) : ofw_mixture_make(&w->own, K->data, &w->nearest, err);
}

static ofw_status project(const ofw_domain *K, void *work, double *x, ofw_error *err)
{
  (void)err;
  ofw_mixture *nearest = &((hull_work *)work)->nearest;
  if (ofw_mixture_nearest(K->data, nearest, x) > 0.0)
    memcpy(x, nearest->at, K->dim * sizeof *x);
  return OFW_OK;
}

static const ofw_domain_ops ops = {.open = open,
                                   .minimise = minimise,
                                   .close = ofw_work_close,
                                   .excess = excess,
                                   .project = project,
                                   .reserve = reserve};

/* ---- reading ---- */

static ofw_status add_number(ofw_numbers *v, const ofw_source *s, const char *word, ofw_error *err)
{
  double x = 0.0;
  OFW_TRY(ofw_source_number(s, word, &x, err));
  if (fabs(x) > OFW_LARGEST_RADIUS)
    return ofw_source_refuse(s, err, "%g is larger than %g", x, OFW_LARGEST_RADIUS);
  if (v->count == OFW_MOST_HULL_NUMBERS)
    return ofw_source_refuse(s, err, "more than %d numbers", OFW_MOST_HULL_NUMBERS);
  return ofw_numbers_add(v, x, err);
}

/* All points' numbers, and how many of them a point has. Lines that are empty or begin with # are passed over. */
typedef struct listed {
  ofw_numbers read;
  size_t dim;
} listed;

static ofw_status read_point(void *ctx, const ofw_source *s, char *line, ofw_error *err)
{
  listed *p = ctx;
  size_t before = p->read.count;
  if (!line && before == 0)
    return ofw_fail(err, s->path ? OFW_BAD_DATA : OFW_USAGE, "hull: expected points in %.200s, found none",
                    s->path ? s->path : "points");
  for (char *word; line && *line != '#' && (word = ofw_source_word(&line)) != NULL;)
    OFW_TRY(add_number(&p->read, s, word, err));
  size_t numbers = p->read.count - before;
  if (before == 0)
    p->dim = numbers;
  if (numbers > OFW_MOST_HULL_DIM)
    return ofw_source_refuse(s, err, "the point has more than %d numbers", OFW_MOST_HULL_DIM);
  if (numbers && numbers != p->dim)
    return ofw_source_refuse(s, err, "the point has %zu numbers, but the first point has %zu", numbers, p->dim);
  return OFW_OK;
}

/* ---- shape ---- */

/* R and the centre; each point's weight in the mean is small enough for no sum to overflow. */
static ofw_status find_centre(ofw_domain *K, ofw_points *p, ofw_error *err)
{
  OFW_TRY(ofw_domain_set_even_centre(K, 0.0, err));
  for (size_t i = 0; i < p->count; i++) {
    K->R = fmax(K->R, ofw_norm(K->dim, p->x + i * p->dim));
    ofw_axpy(K->dim, 1.0 / (double)p->count, p->x + i * p->dim, K->centre);
  }
  p->reach = K->R;
  if (!(K->R >= OFW_LEAST_RADIUS))
    return ofw_fail(err, OFW_USAGE, "hull: expected a point at least %g away from the origin, found none",
                    OFW_LEAST_RADIUS);
  return OFW_OK;
}

/* The p_i - c by columns, over R; D over R. */
static double centred(const ofw_domain *K, const ofw_points *p, double *out)
{
  double widest = 0.0;
  for (size_t i = 0; i < p->count; i++) {
    for (size_t k = 0; k < p->dim; k++)
      out[i * p->dim + k] = (p->x[i * p->dim + k] - K->centre[k]) / K->R;
    widest = fmax(widest, ofw_norm(p->dim, out + i * p->dim));
  }
  return widest;
}

/* Normal to it are the left singular vectors beyond the rank. */
static ofw_status find_hull(ofw_domain *K, const ofw_points *p, ofw_error *err)
{
  size_t n = p->dim, N = p->count, least = n < N ? n : N, rank = 0;
  double *x = ofw_owned_doubles(&K->room, n * N), *s = ofw_owned_doubles(&K->room, least), unused;
  double *super = ofw_owned_doubles(&K->room, least), *vectors = ofw_owned_doubles(&K->own, n * n);
  OFW_TRY(ofw_owned_check(&K->room, err));
  OFW_TRY(ofw_owned_check(&K->own, err));
  double widest = centred(K, p, x);
  if (LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'A', 'N', (lapack_int)n, (lapack_int)N, x, (lapack_int)n, s, vectors,
                     (lapack_int)n, &unused, 1, super) != 0)
    return ofw_fail_memory(err, (n * N + n * n) * sizeof(double));
  while (rank < least && s[rank] > fmax(FLAT * s[0], DBL_EPSILON))
    rank++;
  if (rank)
    K->r = s[rank - 1] * s[rank - 1] / ((double)N * widest) * K->R;
  return ofw_domain_set_normals(K, n - rank, vectors + rank * n, err);
}

typedef struct hull_options {
  char *points;
} hull_options;

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  listed p = {0};
  ofw_status st = ofw_source_read("hull", ((const hull_options *)options)->points, &K->content, read_point, &p, err);
  ofw_points points = {.dim = p.dim, .count = p.dim ? p.read.count / p.dim : 0};
  if (p.read.x)
    points.x = ofw_owned_take(&K->own, p.read.x, p.read.count * sizeof *p.read.x);
  OFW_TRY(st);
  OFW_TRY(ofw_owned_check(&K->own, err));
  OFW_TRY(ofw_domain_set_vector(K, &ops, p.dim, &points, sizeof points, err));
  OFW_TRY(find_centre(K, K->data, err));
  OFW_TRY(find_hull(K, K->data, err));
  return ofw_domain_set_start(K, err);
}

static const ofw_option options[] = {
    OFW_TEXT_ROW(offsetof(hull_options, points), "points", "the points, as (0 0;1 0;0 1), or @FILE with one per line"),
    {0},
};

const ofw_domain_kind ofw_hull_kind = {
    {.name = "hull",
     .summary = "mixtures of listed points",
     .example = "hull:points=(1,0.2,-0.4;-0.3,1.1,0.5;0.4,-0.9,1.2;-1.2,-0.5,-0.3;0.6,0.7,0.9;0.1,-0.2,-1.3)",
     .options = options},
    build};
