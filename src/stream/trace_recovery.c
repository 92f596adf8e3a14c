/* trace_recovery.c — a low-rank matrix from some of its entries at a time, with a comparator that is known exactly
 *
 *     X* = (inside a / rank) U V' in the ball |X|_* <= a;  U and V have `rank` orthonormal columns, so |X*|_* = inside a
 *
 *     f_t(X) = sum over the batch of (X_ij - X*_ij - n_ij)^2 / 2  -  (pull a / sqrt(rank)) <U V', X>
 *     g_t(X) = G (<p_t q_t', X - X*>) - slack_t,   p_t and q_t random unit vectors
 *
 * Rounds t and T + 1 - t show the same entries with opposite noise (the middle round of an odd horizon has none), so at
 * X* the squares' gradients add up to 0 to the last bit. What remains is a multiple of -U V': with pull = 0 nothing, so
 * X* is best among all matrices; else inside must be 1, and U V' is normal to the ball at X*, so the losses pull
 * straight out of K there and X* is the best of K. Every half-space holds it.
 *
 * A batch has one entry from each of as many stretches of the matrix, row by row, equal but for one cell: in the long
 * run all entries are shown about equally often. The noise is uniform and |n_t| <= spread a. f_t is strongly convex on
 * its batch only: alpha is 0 unless that is the whole matrix, then 1.  G = (2 + spread + pull) a.
 */
#include "stream/half_space.h"
#include "stream/noise.h"

#include "base/limits.h"
#include "linalg/kernels.h"
#include "linalg/rng.h"
#include "vector/vec_arithmetic.h"

#include <math.h>
#include <string.h>

typedef struct tr_options {
  uint64_t rows, cols, rank, batch;
  double radius, inside, pull, spread, tight;
} tr_options;

typedef struct tr {
  tr_options o;
  ofw_half_space half;
  double *u, *v; /* the columns of U and V, one after the other */
  size_t *cell;  /* this round's, in order */
  double *noise; /* n_t */
  double *value; /* of the squares' gradient */
  ofw_vec *term; /* the gradient: the batch, then -pull u v' for each column */
  size_t terms;
} tr;

/* A number below n. */
static size_t below(ofw_rng_key key, size_t at, size_t n)
{
  return (size_t)((double)n * ofw_rng_unit(key, at));
}

static void make_batch(ofw_stream *s, uint64_t t)
{
  const tr *m = s->data;
  size_t cells = s->K->dim, batch = (size_t)m->o.batch, wide = cells / batch, extra = cells % batch;
  ofw_mirrored mirror = ofw_mirror(t, s->rounds);
  ofw_rng_key order = {s->seed, OFW_RNG_ORDER, mirror.round}, loss = {s->seed, OFW_RNG_LOSS, mirror.round};
  ofw_rng_uniform(loss, 0, batch, m->noise);
  for (size_t k = 0; k < batch; k++) {
    size_t from = k * wide + k * extra / batch, to = (k + 1) * wide + (k + 1) * extra / batch;
    m->cell[k] = from + below(order, k, to - from);
    m->noise[k] *= mirror.sign * m->o.spread * s->K->R / sqrt((double)batch);
  }
}

static ofw_status reveal(ofw_stream *s, uint64_t t, const ofw_point *x, ofw_full *out)
{
  tr *m = s->data;
  size_t batch = (size_t)m->o.batch;
  double squares = 0.0, linear = 0.0;
  OFW_TRY(ofw_point_entries(x, batch, m->cell, m->value));
  for (size_t k = 0; k < batch; k++) {
    m->value[k] = m->value[k] - s->best[m->cell[k]] - m->noise[k];
    squares += m->value[k] * m->value[k];
  }
  OFW_TRY(ofw_point_dot(x, (ofw_sum){m->terms - 1, m->term + 1}, &linear));
  out->values.loss = squares / 2.0 + linear;
  out->loss_gradient = (ofw_sum){m->terms, m->term};
  return ofw_half_space_reveal(&m->half, t, x, out);
}

static ofw_status comparator(ofw_stream *s, uint64_t t, double *loss)
{
  (void)t;
  const tr *m = s->data;
  size_t batch = (size_t)m->o.batch;
  *loss = ofw_dot(batch, m->noise, m->noise) / 2.0 + ofw_sum_dot((ofw_sum){m->terms - 1, m->term + 1}, s->best);
  return OFW_OK;
}

static const ofw_stream_ops ops = {.make = make_batch, .reveal = reveal, .comparator = comparator};

/* `count` orthonormal columns of n random numbers; twice over, since once leaves rounding in a short remainder. */
static void draw_columns(ofw_rng_key key, size_t n, size_t count, double *columns)
{
  for (size_t k = 0; k < count; k++, key.round += 2) {
    double *column = columns + k * n;
    ofw_rng_direction(key, n, column);
    for (int pass = 0; pass < 2; pass++) {
      for (size_t j = 0; j < k; j++)
        ofw_axpy(n, -ofw_dot(n, columns + j * n, column), columns + j * n, column);
      double length = ofw_norm(n, column);
      for (size_t i = 0; i < n; i++)
        column[i] /= length;
    }
  }
}

/* X*, and the gradient's terms. */
static void place_comparator(ofw_stream *s)
{
  tr *m = s->data;
  size_t rows = s->K->rows, cols = s->K->cols, rank = (size_t)m->o.rank;
  double a = s->K->R;
  draw_columns((ofw_rng_key){s->seed, OFW_RNG_TARGET, 0}, rows, rank, m->u);
  draw_columns((ofw_rng_key){s->seed, OFW_RNG_TARGET, 1}, cols, rank, m->v);
  m->term[0] = ofw_vec_sparse((size_t)m->o.batch, m->cell, m->value);
  for (size_t k = 0; k < rank; k++) {
    ofw_vec *pair = &m->term[k + 1];
    *pair = ofw_vec_rank_one(rows, cols, m->u + k * rows, m->v + k * cols);
    ofw_sum_add((ofw_sum){1, pair}, m->o.inside * a / (double)rank, 0, s->K->dim, m->half.point);
    pair->scale = -m->o.pull * a / sqrt((double)rank);
  }
  m->terms = m->o.pull > 0.0 ? rank + 1 : 1;
}

/* By its name, within wrappers too: counted, or shrunk about 0, a trace-ball is one again, of radius R. */
static int is_trace_ball(const ofw_domain *K)
{
  static const char name[] = "trace-ball:";
  const char *within = strrchr(K->spec, '(');
  return strncmp(within ? within + 1 : K->spec, name, sizeof name - 1) == 0 && !K->centre;
}

static ofw_status check(const ofw_stream *s, const tr_options *o, ofw_error *err)
{
  if (s->K && !is_trace_ball(s->K))
    return ofw_fail(err, OFW_USAGE, "trace-recovery: expected a trace-ball as the domain, found %.200s", s->K->spec);
  if (s->K && (o->rows || o->cols || !isnan(o->radius)))
    return ofw_fail(err, OFW_USAGE,
                    "trace-recovery: rows, cols and radius do not work with a domain; leave them or the domain out");
  if (o->pull > 0.0 && o->inside < 1.0)
    return ofw_fail(err, OFW_USAGE, "trace-recovery: pull=%g needs inside=1: only then does the ball resist the pull",
                    o->pull);
  return OFW_OK;
}

static ofw_status check_sizes(const ofw_domain *K, const tr_options *o, ofw_error *err)
{
  size_t least = K->rows < K->cols ? K->rows : K->cols;
  if (o->rank > least)
    return ofw_fail(err, OFW_USAGE, "trace-recovery: rank=%llu is more than a %zu x %zu matrix has",
                    (unsigned long long)o->rank, K->rows, K->cols);
  if (o->batch > K->dim)
    return ofw_fail(err, OFW_USAGE, "trace-recovery: batch=%llu is more than the %zu entries there are",
                    (unsigned long long)o->batch, K->dim);
  return OFW_OK;
}

static void make_room(ofw_stream *s, tr *m)
{
  size_t batch = (size_t)m->o.batch, rank = (size_t)m->o.rank;
  m->u = ofw_owned_doubles(&s->own, s->K->rows * rank);
  m->v = ofw_owned_doubles(&s->own, s->K->cols * rank);
  m->noise = ofw_owned_doubles(&s->own, batch);
  m->value = ofw_owned_doubles(&s->own, batch);
  m->cell = ofw_owned_array(&s->own, batch, sizeof *m->cell);
  m->term = ofw_owned_array(&s->own, rank + 1, sizeof *m->term);
}

static ofw_status build(ofw_stream *s, void *options, ofw_error *err)
{
  tr_options *o = options;
  OFW_TRY(check(s, o, err));
  if (!s->K) {
    ofw_resolve_count(&o->rows, 30);
    ofw_resolve_count(&o->cols, 20);
    ofw_resolve(&o->radius, 1.0);
    OFW_TRY(ofw_stream_make_trace_ball(s, o->rows, o->cols, o->radius, err));
  }
  ofw_resolve_count(&o->batch, ceil((double)s->K->dim / 4.0));
  OFW_TRY(check_sizes(s->K, o, err));
  tr *m = s->data;
  m->o = *o;
  s->terms = OFW_TERMS_STRUCTURED;
  make_room(s, m);
  double a = s->K->R, G = (2.0 + o->spread + o->pull) * a, far = (2.0 + o->spread) * a;
  s->constants = (ofw_constants){.lipschitz = G,
                                 .loss_bound = far * far / 2.0 + o->pull * a * a,
                                 .strong_convexity = m->o.batch == s->K->dim ? 1.0 : 0.0};
  OFW_TRY(ofw_half_space_open(&m->half, s, 1, G, o->tight, err));
  place_comparator(s);
  return OFW_OK;
}

#define AT(field) offsetof(tr_options, field)
static const ofw_option options[] = {
    OFW_COUNT_ROW(AT(rows), "rows", NULL, "30", 1, OFW_MOST_ROWS, "rows of the trace-ball, if no domain is given"),
    OFW_COUNT_ROW(AT(cols), "cols", NULL, "20", 1, OFW_MOST_ROWS, "columns of the trace-ball, if no domain is given"),
    OFW_REAL_ROW(AT(radius), "radius", NULL, "1", 1e-100, 1e100, "radius of the trace-ball, if no domain is given"),
    OFW_COUNT_ROW(AT(rank), "rank", "2", NULL, 1, 1000, "rank of the hidden matrix"),
    OFW_COUNT_ROW(AT(batch), "batch", NULL, "a quarter of the entries", 1, OFW_MOST_RATINGS, "entries seen per round"),
    OFW_REAL_ROW(AT(inside), "inside", "1", NULL, 0, 1, "trace norm of the hidden matrix, in units of the radius"),
    OFW_REAL_ROW(AT(pull), "pull", "0", NULL, 0, 1e6,
                 "how hard the losses pull out of the ball, in units of the radius; needs inside=1"),
    OFW_REAL_ROW(AT(spread), "spread", "0.5", NULL, 0, 1e6,
                 "largest length of a round's noise, in units of the radius"),
    OFW_TIGHT_OPTION(tr_options, "0.5"),
    {0},
};

const ofw_stream_kind ofw_trace_recovery_kind = {
    .type = {.name = "trace-recovery",
             .summary = "entries of a low-rank matrix in batches, on a trace-ball, with an exact comparator",
             .example = "trace-recovery:rows=6,cols=4,batch=8",
             .options = options},
    .data_size = sizeof(tr),
    .ops = &ops,
    .brings_domain = 1,
    .build = build};
