/* trace_ball.c — {X in R^(m x n) : |X|_* <= a}, the sum of its singular values at most a
 *
 * Oracle  -a u v' with u, v the top singular pair of d, by Lanczos (linalg/lanczos.h) from a seeded random start at
 *         each call. The answer's error is a bound if `proven`; otherwise it holds with probability 1 - 1e-3 per call.
 * Project a full singular value decomposition; every singular value less the same amount, at least 0
 * R = a   r = a / sqrt(min(m, n))   centre 0
 */
#include "domain/set.h"

#include "linalg/kernels.h"
#include "linalg/lanczos.h"
#include "linalg/rng.h"
#include "linalg/svd.h"

#include <float.h>
#include <math.h>

/* What passes read: d itself, a copy of which there is none in more digits, or one of which there is (ofw_direction.copy). */
enum grade { DOUBLES, BETTER_COPY, COPY };

/* What is searched: d / 2^exponent, so that squares of its entries are safe. */
typedef struct asked {
  const ofw_direction *d;
  int exponent;
  double largest, square; /* max |d_i|, or more of a rough search; |d|^2 / 4^exponent */
  enum grade grade;       /* what passes read; the roughest that can be as accurate as is wanted, at first */
  ofw_rough off;          /* how far they are off, if that is a copy */
  ofw_grade there;        /* the roughest copy that can be, if the vectors of a search are kept elsewhere */
} asked;

typedef struct trace_work {
  ofw_owned own;
  ofw_lanczos *lanczos;
  uint64_t seed, calls; /* which start vector is next */
  asked asked;
  int answered; /* the last search can go on */
  ofw_vec atom;
  ofw_svd svd; /* empty if nothing is projected */
} trace_work;

static ofw_status open(const ofw_domain *K, uint64_t seed, void **work, ofw_error *err)
{
  OFW_TRY(ofw_work_open(sizeof(trace_work), work, err));
  trace_work *w = *work;
  w->seed = seed;
  ofw_status st = ofw_lanczos_open(&w->own, K->rows, K->cols, K->split, &w->lanczos, err);
  return ofw_ranks_agree(K->split ? K->split->ranks : NULL, st, err);
}

static ofw_status visit(void *work, ofw_visitor *v)
{
  return ofw_visit_u64(v, "trace-ball.calls", &((trace_work *)work)->calls, 1);
}

static void pass(const void *ctx, const double *v, double *u, double *w)
{
  const asked *of = ctx;
  of->d->pass(of->d, of->exponent, v, u, w);
}

static void rough_pass(const void *ctx, const double *v, double *u, double *w)
{
  const asked *of = ctx;
  of->d->rough(of->d, v, u, w);
}

/* Sharper answers than these, which long steps ask for, are searched for in more digits, where the vectors of a search are kept. */
#define NARROW_FROM 1e-3
#define WIDE_FROM   1e-6

/* Of the copies that are there, the roughest that can be as accurate as is wanted and is no rougher than `most`. */
static ofw_grade grade_there(const asked *of, ofw_grade most)
{
  const ofw_direction *d = of->d;
  int may = d->krylov && d->cols > OFW_LANCZOS_SMALL && of->exponent == 0;
  if (may && most >= OFW_16_BITS && d->wanted.relative >= NARROW_FROM && d->krylov->rough[OFW_16_BITS].grain > 0.0)
    return OFW_16_BITS;
  if (may && most >= OFW_32_BITS && d->wanted.relative >= WIDE_FROM && d->krylov->rough[OFW_32_BITS].grain > 0.0)
    return OFW_32_BITS;
  return OFW_ALL_DIGITS;
}

static asked look_at(const ofw_direction *d, enum grade grade)
{
  asked of = {.d = d};
  double norm;
  if (grade != DOUBLES)
    of.grade = (enum grade)d->copy(d, grade == BETTER_COPY, &of.off, &norm);
  if (of.grade != DOUBLES)
    of.largest = norm; /* no square of these sizes needs to be made safe */
  else
    d->size(d, &of.largest, &norm);
  of.exponent = ofw_safe_exponent(of.largest);
  of.there = grade_there(&of, OFW_16_BITS);
  norm = ldexp(norm, -of.exponent);
  of.square = norm * norm;
  return of;
}

static ofw_status search(trace_work *w, double relative, double absolute, ofw_singular *top, ofw_error *err)
{
  const asked *of = &w->asked;
  ofw_rng_key start = {w->seed, OFW_RNG_ORACLE, w->calls++};
  if (of->d->krylov)
    return ofw_lanczos_top_at(w->lanczos, of->d->krylov, of->there, of->exponent, of->square, start, relative, absolute,
                              top, err);
  if (of->grade != DOUBLES)
    return ofw_lanczos_rough(w->lanczos, rough_pass, of, of->square, of->off, start, relative, absolute, top, err);
  return ofw_lanczos_top(w->lanczos, pass, of, of->square, start, relative, absolute, top, err);
}

/* A sharper answer about the same d continues the search; one that a copy cannot give is searched for in more digits. */
static ofw_status find_top(trace_work *w, const ofw_direction *d, double absolute, ofw_singular *top, ofw_error *err)
{
  int further = d->wanted.again && w->answered;
  w->answered = 0;
  w->asked.d = d;
  ofw_status st = further ? ofw_lanczos_further(w->lanczos, d->wanted.relative, absolute, top, err)
                          : search(w, d->wanted.relative, absolute, top, err);
  while (st == OFW_UNSUPPORTED) { /* not of d itself */
    size_t passes = top->passes;
    if (d->krylov)
      w->asked.there = grade_there(&w->asked, w->asked.there == OFW_16_BITS ? OFW_32_BITS : OFW_ALL_DIGITS);
    else
      w->asked = look_at(d, w->asked.grade == COPY ? BETTER_COPY : DOUBLES);
    st = search(w, d->wanted.relative, absolute, top, err);
    top->passes += passes;
  }
  w->answered = st == OFW_OK;
  return st;
}

static ofw_status minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_answer *out, ofw_error *err)
{
  const ofw_matrix_ball *ball = K->data;
  trace_work *w = work;
  ofw_singular top;
  if (!d->wanted.again || !w->answered)
    w->asked = look_at(d, d->copy ? COPY : DOUBLES);
  if (w->asked.largest == 0.0) {
    *out = (ofw_answer){.proven = 1}; /* every X minimises it: take 0 */
    return OFW_OK;
  }
  int exponent = w->asked.exponent;
  OFW_TRY(find_top(w, d, ldexp(d->wanted.absolute / ball->radius, -exponent), &top, err));
  w->atom = ofw_vec_rank_one(K->rows, K->cols, top.u, top.v);
  w->atom.scale = -ball->radius;
  *out = (ofw_answer){.atom = {1, &w->atom},
                      .value = -ball->radius * ldexp(top.value, exponent),
                      .error = ball->radius * ldexp(top.above, exponent),
                      .proven = top.proven,
                      .chances = 1,
                      .passes = top.passes};
  return OFW_OK;
}

static double sum_of(size_t n, const double *s)
{
  double sum = 0.0;
  for (size_t i = 0; i < n; i++)
    sum += s[i];
  return sum;
}

/* By a full singular value decomposition: a check, not a step of any method. */
static double excess(const ofw_domain *K, const double *x)
{
  double sum = ofw_singular_values(K->rows, K->cols, x, sum_of);
  return sum < 0.0 ? -1.0 : fmax(0.0, sum - ((const ofw_matrix_ball *)K->data)->radius);
}

static ofw_status reserve(const ofw_domain *K, void *work, ofw_error *err)
{
  trace_work *w = work;
  return w->svd.x ? ofw_owned_check(&w->own, err) : ofw_svd_open(&w->own, K->rows, K->cols, "trace-ball", &w->svd, err);
}

static ofw_status project(const ofw_domain *K, void *work, double *x, ofw_error *err)
{
  double radius = ((const ofw_matrix_ball *)K->data)->radius, sum = 0.0, top;
  ofw_svd *svd = &((trace_work *)work)->svd;
  size_t k = K->rows < K->cols ? K->rows : K->cols, left = 0;
  if (sqrt((double)k) * ofw_norm(K->dim, x) <= radius)
    return OFW_OK; /* |X|_* <= sqrt(k) |X|_F */
  OFW_TRY(ofw_svd_set(svd, x, err));
  for (size_t l = 0; l < k; l++)
    sum += svd->s[l] = fmin(ldexp(svd->s[l], svd->exponent), DBL_MAX);
  if (sum <= radius)
    return OFW_OK;
  double t = ofw_threshold(k, svd->s, 0, radius, &top);
  for (; left < k && (svd->s[left] - top) - t > 0.0; left++)
    svd->s[left] = (svd->s[left] - top) - t;
  ofw_svd_compose(svd, left, svd->s, x);
  return OFW_OK;
}

static const ofw_domain_ops ops = {open, minimise, visit, ofw_work_close, excess, project, reserve, NULL};

ofw_status ofw_matrix_ball_check(const ofw_matrix_ball *ball, const char *name, ofw_error *err)
{
  if (ball->rows <= OFW_MOST_ENTRIES / ball->cols)
    return OFW_OK;
  return ofw_fail(err, OFW_USAGE, "%s: %llu x %llu is more than %g entries", name, (unsigned long long)ball->rows,
                  (unsigned long long)ball->cols, (double)OFW_MOST_ENTRIES);
}

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  const ofw_matrix_ball *ball = options;
  double rank = (double)(ball->rows < ball->cols ? ball->rows : ball->cols);
  K->R = ball->radius;
  K->r = ball->radius / sqrt(rank);
  OFW_TRY(ofw_matrix_ball_check(ball, "trace-ball", err));
  OFW_TRY(ofw_split_open(&K->own, K->among ? K->among->ranks : NULL, (size_t)ball->rows, &K->split, err));
  size_t rows = K->split ? K->split->here : (size_t)ball->rows, cols = (size_t)ball->cols;
  OFW_TRY(ofw_domain_set_vector(K, &ops, rows * cols, ball, sizeof *ball, err));
  K->rows = rows;
  K->cols = cols;
  K->passes_only = 1;
  return OFW_OK;
}

const ofw_option ofw_matrix_ball_options[] = {
    OFW_COUNT_ROW(offsetof(ofw_matrix_ball, rows), "rows", NULL, NULL, 1, OFW_MOST_ROWS, "rows m"),
    OFW_COUNT_ROW(offsetof(ofw_matrix_ball, cols), "cols", NULL, NULL, 1, OFW_MOST_ROWS, "columns n"),
    OFW_RADIUS_ROW(offsetof(ofw_matrix_ball, radius), "radius", "radius a"),
    {0},
};

const ofw_domain_kind ofw_trace_ball_kind = {
    {.name = "trace-ball",
     .summary = "matrices whose singular values sum to at most the radius; coordinates row by row",
     .example = "trace-ball:rows=6,cols=4,radius=3",
     .options = ofw_matrix_ball_options},
    build};
