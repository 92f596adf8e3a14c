/* trace_ball.c — {X in R^(m x n) : |X|_* <= a}, the sum of its singular values at most a
 *
 * Oracle  -a u v' with u, v the top singular pair of d, by Lanczos (linalg/lanczos.h) from a seeded random start at
 *         each call. The answer's error is a bound where `proven`; otherwise it holds with probability 1 - 1e-3 a call.
 * Project a full singular value decomposition; every singular value less the same amount, at least 0
 * R = a   r = a / sqrt(min(m, n))   centre 0
 */
#include "domain/domain.h"

#include "base/rng.h"
#include "linalg/kernels.h"
#include "linalg/lanczos.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <lapacke.h>

typedef struct trace_ball {
  uint64_t rows, cols;
  double radius;
} trace_ball;

/* Room for a decomposition X = sum_l s_l u_l v_l', of min(m, n) terms. */
typedef struct svd_room {
  double *x, *s, *v, *u; /* X, overwritten; the v_l one after the other; the l-th entries of a row of X together */
  double *work;
  lapack_int *integers, length; /* of work */
} svd_room;

typedef struct trace_work {
  ofw_lanczos *lanczos;
  uint64_t seed, calls; /* which start vector is next */
  ofw_vec atom;
  svd_room svd; /* empty where nothing is projected */
} trace_work;

static ofw_status open(const ofw_domain *K, uint64_t seed, void **work, ofw_error *err)
{
  trace_work *w = calloc(1, sizeof *w);
  *work = w;
  if (!w)
    return ofw_fail_memory(err, sizeof *w);
  w->seed = seed;
  return ofw_lanczos_open(K->rows, K->cols, &w->lanczos, err);
}

static void drop_room(svd_room *svd)
{
  free(svd->x), free(svd->s), free(svd->v), free(svd->u), free(svd->work), free(svd->integers);
  *svd = (svd_room){0};
}

static void close(void *work)
{
  trace_work *w = work;
  ofw_lanczos_close(w->lanczos);
  drop_room(&w->svd);
  free(w);
}

static ofw_status visit(void *work, ofw_visitor *v)
{
  return ofw_visit_u64(v, "trace-ball.calls", &((trace_work *)work)->calls, 1);
}

/* d / 2^exponent, so that squares of its entries are safe. */
typedef struct scaled {
  const ofw_direction *d;
  int exponent;
} scaled;

static void pass(const void *ctx, const double *v, double *u, double *w)
{
  const scaled *s = ctx;
  s->d->pass(s->d, s->exponent, v, u, w);
}

static int safe_exponent(double largest)
{
  int e;
  frexp(largest, &e);
  return e > -200 && e < 200 ? 0 : e;
}

static ofw_status minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_accuracy wanted,
                           ofw_answer *out, ofw_error *err)
{
  const trace_ball *ball = K->data;
  trace_work *w = work;
  double largest, norm;
  d->size(d, &largest, &norm);
  scaled s = {d, safe_exponent(largest)};
  ofw_rng_key start = {w->seed, OFW_RNG_ORACLE, w->calls++};
  ofw_singular top;
  if (largest == 0.0) {
    *out = (ofw_answer){.proven = 1}; /* every X minimises it: take 0 */
    return OFW_OK;
  }
  norm = ldexp(norm, -s.exponent);
  OFW_TRY(ofw_lanczos_top(w->lanczos, pass, &s, norm * norm, start, wanted.relative,
                          ldexp(wanted.absolute / ball->radius, -s.exponent), &top, err));
  w->atom = ofw_vec_rank_one(K->rows, K->cols, top.u, top.v);
  w->atom.scale = -ball->radius;
  *out = (ofw_answer){.atom = {1, &w->atom},
                      .value = -ball->radius * ldexp(top.value, s.exponent),
                      .error = ball->radius * ldexp(top.above, s.exponent),
                      .proven = top.proven,
                      .passes = top.passes};
  return OFW_OK;
}

/* By a full singular value decomposition: a check, not a step of any method. */
static double excess(const ofw_domain *K, const double *x)
{
  const trace_ball *ball = K->data;
  size_t rank = K->rows < K->cols ? K->rows : K->cols;
  double *copy = ofw_doubles(K->dim), *values = ofw_doubles(rank), sum = 0.0, unused = 0.0;
  int failed = !copy || !values;
  if (!failed) {
    for (size_t i = 0; i < K->dim; i++)
      copy[i] = x[i];
    failed = LAPACKE_dgesdd(LAPACK_ROW_MAJOR, 'N', (lapack_int)K->rows, (lapack_int)K->cols, copy, (lapack_int)K->cols,
                            values, &unused, (lapack_int)K->rows, &unused, (lapack_int)K->cols) != 0;
    for (size_t i = 0; i < rank; i++)
      sum += values[i];
  }
  free(copy);
  free(values);
  return failed ? -1.0 : fmax(0.0, sum - ball->radius);
}

/* X by rows is X' by columns, which is what LAPACK takes without copying. With length -1 it only asks for the room. */
static lapack_int decompose(const ofw_domain *K, svd_room *svd, double *work, lapack_int length)
{
  lapack_int m = (lapack_int)K->rows, n = (lapack_int)K->cols, k = m < n ? m : n;
  return LAPACKE_dgesdd_work(LAPACK_COL_MAJOR, 'S', n, m, svd->x, n, svd->s, svd->v, n, svd->u, k, work, length,
                             svd->integers);
}

static ofw_status reserve(const ofw_domain *K, void *work, ofw_error *err)
{
  svd_room *svd = &((trace_work *)work)->svd;
  size_t k = K->rows < K->cols ? K->rows : K->cols;
  double length = 0.0;
  if (svd->integers)
    return OFW_OK;
  if (decompose(K, svd, &length, -1) != 0 || length >= INT_MAX)
    return ofw_fail(err, OFW_UNSUPPORTED, "trace-ball: %zu x %zu is too large to be decomposed", K->rows, K->cols);
  svd->length = (lapack_int)length;
  svd->x = ofw_doubles(K->dim);
  svd->s = ofw_doubles(k);
  svd->v = ofw_doubles(k * K->cols);
  svd->u = ofw_doubles(k * K->rows);
  svd->work = ofw_doubles((size_t)svd->length);
  svd->integers = ofw_array(8 * k, sizeof *svd->integers);
  if (svd->x && svd->s && svd->v && svd->u && svd->work && svd->integers)
    return OFW_OK;
  drop_room(svd);
  return ofw_fail_memory(err, 2 * K->dim * sizeof(double));
}

static ofw_status project(const ofw_domain *K, void *work, double *x, ofw_error *err)
{
  double radius = ((const trace_ball *)K->data)->radius, sum = 0.0, top;
  svd_room *svd = &((trace_work *)work)->svd;
  size_t k = K->rows < K->cols ? K->rows : K->cols;
  int exponent = safe_exponent(ofw_largest(K->dim, x));
  if (sqrt((double)k) * ofw_norm(K->dim, x) <= radius)
    return OFW_OK; /* |X|_* <= sqrt(k) |X|_F */
  for (size_t i = 0; i < K->dim; i++)
    svd->x[i] = ldexp(x[i], -exponent);
  if (decompose(K, svd, svd->work, svd->length) != 0)
    return ofw_fail(err, OFW_NUMERICAL, "trace-ball: the singular value decomposition does not converge");
  for (size_t l = 0; l < k; l++)
    sum += svd->s[l] = fmin(ldexp(svd->s[l], exponent), DBL_MAX);
  if (sum <= radius)
    return OFW_OK;
  double t = ofw_threshold(k, svd->s, 0, radius, &top);
  memset(x, 0, K->dim * sizeof *x);
  for (size_t l = 0; l < k && (svd->s[l] - top) - t > 0.0; l++)
    for (size_t i = 0; i < K->rows; i++)
      ofw_axpy(K->cols, ((svd->s[l] - top) - t) * svd->u[l + i * k], svd->v + l * K->cols, x + i * K->cols);
  return OFW_OK;
}

static const ofw_domain_ops ops = {open, minimise, visit, close, excess, project, reserve, NULL};

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  const trace_ball *ball = options;
  double rank = (double)(ball->rows < ball->cols ? ball->rows : ball->cols);
  K->R = ball->radius;
  K->r = ball->radius / sqrt(rank);
  OFW_TRY(ofw_domain_set_vector(K, &ops, (size_t)(ball->rows * ball->cols), ball, sizeof *ball, err));
  K->rows = (size_t)ball->rows;
  K->cols = (size_t)ball->cols;
  K->passes_only = 1;
  return OFW_OK;
}

static const ofw_option options[] = {
    OFW_COUNT_ROW(offsetof(trace_ball, rows), "rows", NULL, NULL, 1, OFW_MOST_SIDE, "rows m"),
    OFW_COUNT_ROW(offsetof(trace_ball, cols), "cols", NULL, NULL, 1, OFW_MOST_SIDE, "columns n"),
    OFW_RADIUS_ROW(offsetof(trace_ball, radius), "radius", "radius a"),
    {0},
};

const ofw_domain_kind ofw_trace_ball_kind = {
    {.name = "trace-ball",
     .summary = "matrices whose singular values sum to at most the radius; coordinates row by row",
     .example = "trace-ball:rows=6,cols=4,radius=3",
     .options = options},
    sizeof(trace_ball),
    build};
