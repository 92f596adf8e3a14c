/* matrix_completion.c — ratings revealed by batches, with the paper's dense random constraint
 *
 *     f_t(X) = sum over the batch of (X_ij - M_ij)^2 / 2        g_t(X) = <P_t, X>,   P_t uniform on (-1, 1)^(m x n)
 *
 * The ratings are generated (ratings.h), shuffled anew for every pass over them. The best feasible point is not known;
 * the target is the truth that the ratings were drawn from. f_t is strongly convex on the entries of its batch only;
 * alpha = 1 is the paper's choice (erratum 12). G bounds both gradients over the trace-norm ball of radius a:
 *
 *     |grad f_t| <= |X|_F + |M on the batch|_F <= a + 5 sqrt(batch)       |P_t|_F <= sqrt(m n)
 */
#include "base/rng.h"
#include "stream/ratings.h"
#include "stream/stream.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct mc_options {
  uint64_t users, items, ratings, rank, batch;
  double radius;
} mc_options;

typedef struct mc {
  ofw_ratings ratings;
  size_t batch;
  size_t *order;  /* a permutation of the ratings, for the pass it was made for */
  uint64_t pass;  /* from 1; 0: none made yet */
  uint64_t ready; /* the round that the arrays below belong to */
  size_t *rating, *cell;
  double *gradient, constraint;
  ofw_vec sparse, random;
  ofw_sum constraint_gradient;
} mc;

static void shuffle(ofw_stream *s, uint64_t pass)
{
  mc *m = s->data;
  size_t n = m->ratings.count;
  ofw_rng_key key = {s->seed, OFW_RNG_ORDER, pass};
  for (size_t k = 0; k < n; k++)
    m->order[k] = k;
  for (size_t k = n - 1; k > 0; k--) {
    size_t other = (size_t)((uint64_t)ofw_rng_word(key, k) * (k + 1) >> 32);
    size_t kept = m->order[k];
    m->order[k] = m->order[other];
    m->order[other] = kept;
  }
  m->pass = pass;
}

static int by_number(const void *a, const void *b)
{
  size_t x = *(const size_t *)a, y = *(const size_t *)b;
  return (x > y) - (x < y);
}

/* The batch of round t, in the order of its cells. A pass ends where no whole batch is left. */
static void make_batch(ofw_stream *s, uint64_t t)
{
  mc *m = s->data;
  if (m->ready == t)
    return;
  uint64_t a_pass = m->ratings.count / m->batch, pass = 1 + (t - 1) / a_pass, at = (t - 1) % a_pass;
  if (m->pass != pass)
    shuffle(s, pass);
  for (size_t k = 0; k < m->batch; k++)
    m->rating[k] = m->order[at * m->batch + k];
  qsort(m->rating, m->batch, sizeof *m->rating, by_number);
  for (size_t k = 0; k < m->batch; k++)
    m->cell[k] = m->ratings.cell[m->rating[k]];
  m->ready = t;
}

static ofw_status reveal(ofw_stream *s, uint64_t t, const ofw_point *x, ofw_full *out)
{
  mc *m = s->data;
  double loss = 0.0;
  make_batch(s, t);
  OFW_TRY(ofw_point_entries(x, m->batch, m->cell, m->gradient));
  for (size_t k = 0; k < m->batch; k++) {
    m->gradient[k] -= m->ratings.value[m->rating[k]];
    loss += m->gradient[k] * m->gradient[k] / 2.0;
  }
  m->random = ofw_vec_random(s->K->dim, (ofw_rng_key){s->seed, OFW_RNG_CONSTRAINT, t}, OFW_UNIFORM);
  OFW_TRY(ofw_point_dot(x, m->constraint_gradient, &m->constraint));
  *out = (ofw_full){.values = {loss, 1, &m->constraint},
                    .loss_gradient = {1, &m->sparse},
                    .constraint_gradient = &m->constraint_gradient};
  return OFW_OK;
}

static ofw_status target(ofw_stream *s, uint64_t t, double *loss)
{
  mc *m = s->data;
  make_batch(s, t);
  *loss = 0.0;
  for (size_t k = 0; k < m->batch; k++) {
    double miss = (double)m->ratings.truth[m->rating[k]] - m->ratings.value[m->rating[k]];
    *loss += miss * miss / 2.0;
  }
  return OFW_OK;
}

static void destroy(void *data)
{
  mc *m = data;
  if (m) {
    ofw_ratings_free(&m->ratings);
    free(m->order);
    free(m->rating);
    free(m->cell);
    free(m->gradient);
    free(m);
  }
}

static const ofw_stream_ops ops = {reveal, NULL, target, NULL, destroy};

static ofw_status check(const ofw_stream *s, const mc_options *o, ofw_error *err)
{
  if (o->ratings > o->users * o->items / 2)
    return ofw_fail(err, OFW_USAGE, "matrix-completion: ratings=%llu is more than half of users * items",
                    (unsigned long long)o->ratings);
  if (o->batch > o->ratings)
    return ofw_fail(err, OFW_USAGE, "matrix-completion: batch=%llu is more than ratings=%llu",
                    (unsigned long long)o->batch, (unsigned long long)o->ratings);
  if (s->K && (s->K->rows != o->users || s->K->cols != o->items))
    return ofw_fail(err, OFW_USAGE, "matrix-completion: the domain is %zu x %zu, the ratings are %llu x %llu",
                    s->K->rows, s->K->cols, (unsigned long long)o->users, (unsigned long long)o->items);
  return OFW_OK;
}

static ofw_status own_domain(ofw_stream *s, const mc_options *o, ofw_error *err)
{
  char spec[160], radius[OFW_REAL_TEXT];
  double cells = (double)o->users * (double)o->items;
  ofw_print_real(isnan(o->radius) ? 8.0 * sqrt(cells) : o->radius, radius);
  snprintf(spec, sizeof spec, "trace-ball:rows=%llu,cols=%llu,radius=%s", (unsigned long long)o->users,
           (unsigned long long)o->items, radius);
  ofw_error inner = {0};
  s->K = ofw_domain_create(spec, &inner);
  return s->K ? OFW_OK : ofw_fail(err, inner.status, "%s", inner.message);
}

static ofw_status build(ofw_stream *s, const void *options, ofw_error *err)
{
  const mc_options *o = options;
  OFW_TRY(check(s, o, err));
  if (!s->K)
    OFW_TRY(own_domain(s, o, err));
  mc *m = calloc(1, sizeof *m);
  if (!m)
    return ofw_fail_memory(err, sizeof *m);
  s->ops = &ops;
  s->data = m;
  m->batch = (size_t)o->batch;
  OFW_TRY(ofw_ratings_generate(&m->ratings, (size_t)o->users, (size_t)o->items, (size_t)o->ratings, (size_t)o->rank,
                               s->seed, err));
  m->order = ofw_array(m->ratings.count, sizeof *m->order);
  m->rating = ofw_array(m->batch, sizeof *m->rating);
  m->cell = ofw_array(m->batch, sizeof *m->cell);
  m->gradient = ofw_doubles(m->batch);
  if (!m->order || !m->rating || !m->cell || !m->gradient)
    return ofw_fail_memory(err, m->ratings.count * sizeof *m->order);
  m->sparse = ofw_vec_sparse(m->batch, m->cell, m->gradient);
  m->constraint_gradient = (ofw_sum){1, &m->random};
  double G = fmax(s->K->R + 5.0 * sqrt((double)m->batch), sqrt((double)s->K->dim));
  s->constants = (ofw_constants){.lipschitz = G, .loss_bound = G * G / 2.0, .strong_convexity = 1.0};
  return OFW_OK;
}

#define AT(field) offsetof(mc_options, field)
static const ofw_option options[] = {
    OFW_COUNT_ROW(AT(users), "users", "943", NULL, 1, 1e6, "rows"),
    OFW_COUNT_ROW(AT(items), "items", "1682", NULL, 1, 1e6, "columns"),
    OFW_COUNT_ROW(AT(ratings), "ratings", "100000", NULL, 1, 1e9, "how many are generated"),
    OFW_COUNT_ROW(AT(rank), "rank", "5", NULL, 1, 1000, "of the taste behind them"),
    OFW_COUNT_ROW(AT(batch), "batch", "250", NULL, 1, 1e9, "ratings revealed a round"),
    OFW_REAL_ROW(AT(radius), "radius", NULL, "8 sqrt(users items)", 1e-100, 1e100,
                 "of the trace-ball, where no domain is named"),
    {0},
};

const ofw_stream_kind ofw_matrix_completion_kind = {
    {.name = "matrix-completion",
     .summary = "generated ratings by batches, with the paper's dense random constraint",
     .example = "matrix-completion:users=30,items=20,ratings=250,rank=2,batch=25",
     .options = options},
    sizeof(mc_options),
    build};
