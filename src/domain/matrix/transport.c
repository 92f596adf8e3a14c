/* transport.c — {X in R^(m x n) : X >= 0, row i sums to a_i, column j to b_j}
 *
 * The two sums agree to 1e-12 of them, and b is scaled so that they are the same.
 *
 * Oracle  the cheapest transport, by the network simplex method (graph/network.h) over the m + n vertices. Of several
 *         vertices of K that are least, the one for which the sum of k^2 x_k, with entries numbered row by row from 1, is least
 * Project none
 * R = sqrt(max_X sum of min(a_i, b_j) x_ij), a bound, since x_ij <= min(a_i, b_j); above 2^16 entries the coarser
 *     sqrt(min(sum a_i^2, sum b_j^2))
 * r = min c_ij / sqrt((1 - 1/m)(1 - 1/n)) in its hull, the largest about the centre; m and n without the rows and
 *     columns that are 0. If the hull's normals are too many to work with (m n^2 > 2^26, or more than 2^20), r = 0,
 *     not known
 * centre  c_ij = a_i b_j / sum a
 */
#include "base/source.h"
#include "domain/graph/flow_set.h"
#include "linalg/kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct transport {
  ofw_flow_set flows;
  double *across, *down; /* 1/sqrt(how many) in the columns and in the rows that are not 0 */
  double *steps;         /* orthonormal directions of those columns that sum to 0, one per row */
  size_t *zero;          /* entries that are 0 */
  double one;
  ofw_vec *normal;
} transport;

/* ---- the hull: every row's sum, and those sums of columns that the rows do not fix ---- */

/* 1/sqrt(how many of the n sums are not 0) if they are not; gives how many. */
static size_t spread_ones(size_t n, const double *sum, double *ones)
{
  size_t count = 0;
  for (size_t i = 0; i < n; i++)
    count += sum[i] != 0.0;
  for (size_t i = 0; i < n; i++)
    ones[i] = sum[i] != 0.0 ? 1.0 / sqrt((double)count) : 0.0;
  return count;
}

/* Helmert's basis: the k-th direction is 1 in the first k of the columns, -k in the next one, over its length. */
static void helmert(size_t n, const double *ones, double *steps)
{
  size_t k = 0;
  for (size_t j = 0; j < n; j++) {
    if (ones[j] == 0.0)
      continue;
    if (k > 0) {
      double size = (double)k, *row = steps + (k - 1) * n;
      for (size_t i = 0; i < j; i++)
        row[i] = ones[i] != 0.0 ? 1.0 / sqrt(size * (size + 1.0)) : 0.0;
      row[j] = -size / sqrt(size * (size + 1.0));
    }
    k++;
  }
}

static void add_normals(ofw_domain *K, transport *t, size_t cols)
{
  size_t zeros = 0;
  for (size_t i = 0; i < K->rows; i++) {
    for (size_t j = 0; j < K->cols; j++)
      if (t->down[i] == 0.0 || t->across[j] == 0.0) {
        t->zero[zeros] = i * K->cols + j;
        t->normal[K->normals++] = ofw_vec_sparse(1, t->zero + zeros++, &t->one);
      }
    if (t->down[i] != 0.0) {
      t->normal[K->normals] = ofw_vec_dense(K->cols, t->across);
      t->normal[K->normals++].offset = i * K->cols;
    }
  }
  for (size_t k = 0; k + 1 < cols; k++)
    t->normal[K->normals++] = ofw_vec_rank_one(K->rows, K->cols, t->down, t->steps + k * K->cols);
}

static ofw_status set_hull(ofw_domain *K, transport *t, ofw_error *err)
{
  size_t m = K->rows, n = K->cols;
  if ((double)m * (double)n * (double)n > 0x1p26)
    return OFW_OK;
  t->one = 1.0;
  t->across = ofw_owned_doubles(&K->own, n);
  t->down = ofw_owned_doubles(&K->own, m);
  t->steps = ofw_owned_doubles(&K->own, n * n);
  OFW_TRY(ofw_owned_check(&K->own, err));
  size_t rows = spread_ones(m, t->flows.network.supply, t->down);
  size_t cols = spread_ones(n, t->flows.network.supply + m, t->across), zeros = m * n - rows * cols;
  if (zeros + m + n > 1 << 20)
    return OFW_OK;
  t->zero = ofw_owned_array(&K->own, zeros, sizeof *t->zero);
  t->normal = ofw_owned_array(&K->own, zeros + m + n, sizeof *t->normal);
  OFW_TRY(ofw_owned_check(&K->own, err));
  helmert(n, t->across, t->steps);
  add_normals(K, t, cols);
  K->normal = t->normal;
  double least = INFINITY;
  for (size_t k = 0; k < K->dim; k++)
    if (K->centre[k] > 0.0)
      least = fmin(least, K->centre[k]);
  if (rows > 1 && cols > 1) /* else it is a single point */
    K->r = least / sqrt((1.0 - 1.0 / (double)rows) * (1.0 - 1.0 / (double)cols));
  return OFW_OK;
}

/* ---- making one ---- */

static ofw_status set_outer_radius(ofw_domain *K, const ofw_network *n, ofw_error *err)
{
  if (K->dim > 1 << 16) {
    K->R = fmin(ofw_norm(K->rows, n->supply), ofw_norm(K->cols, n->supply + K->rows));
    return OFW_OK;
  }
  double *most = ofw_owned_doubles(&K->room, n->edges);
  OFW_TRY(ofw_owned_check(&K->room, err));
  for (size_t e = 0; e < n->edges; e++)
    most[e] = fmin(n->supply[n->from[e]], -n->supply[n->to[e]]);
  return ofw_flow_set_outer(K, n, most, err);
}

static ofw_status check_sums(const ofw_numbers *v, const char *key, double *sum, ofw_error *err)
{
  *sum = 0.0;
  for (size_t i = 0; i < v->count; i++) {
    if (v->x[i] != 0.0 && !(v->x[i] >= OFW_LEAST_RADIUS && v->x[i] <= OFW_LARGEST_RADIUS))
      return ofw_fail(err, OFW_USAGE, "transport: %s: number %zu is %g; expected 0 or a number in [%g, %g]", key, i + 1,
                      v->x[i], OFW_LEAST_RADIUS, OFW_LARGEST_RADIUS);
    *sum += v->x[i];
  }
  return *sum > 0.0 ? OFW_OK : ofw_fail(err, OFW_USAGE, "transport: all numbers of %s are 0", key);
}

static ofw_status fill_in(ofw_domain *K, ofw_network *n, const ofw_numbers *a, const ofw_numbers *b, ofw_error *err)
{
  double sum_a, sum_b, missing;
  OFW_TRY(check_sums(a, "supply", &sum_a, err));
  OFW_TRY(check_sums(b, "demand", &sum_b, err));
  if (fabs(sum_a - sum_b) > 1e-12 * sum_a)
    return ofw_fail(err, OFW_USAGE, "transport: supply sums to %.17g, demand to %.17g; the sums must be equal", sum_a,
                    sum_b);
  if ((double)a->count * (double)b->count > OFW_MOST_EDGES)
    return ofw_fail(err, OFW_USAGE, "transport: %zu x %zu is more than %d entries", a->count, b->count, OFW_MOST_EDGES);
  K->rows = a->count;
  K->cols = b->count;
  K->dim = K->rows * K->cols;
  OFW_TRY(ofw_network_make(&K->own, K->rows + K->cols, K->dim, n, err));
  OFW_TRY(ofw_domain_set_even_centre(K, 0.0, err));
  for (size_t i = 0, e = 0; i < K->rows; i++)
    for (size_t j = 0; j < K->cols; j++, e++) {
      n->from[e] = (uint32_t)i;
      n->to[e] = (uint32_t)(K->rows + j);
      n->capacity[e] = INFINITY;
      K->centre[e] = a->x[i] * (b->x[j] / sum_b);
    }
  memcpy(n->supply, a->x, K->rows * sizeof *n->supply);
  for (size_t j = 0; j < K->cols; j++)
    n->supply[K->rows + j] = -b->x[j] * (sum_a / sum_b);
  return ofw_network_begin(n, &missing, err);
}

typedef struct transport_options {
  char *supply, *demand;
} transport_options;

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  const transport_options *o = options;
  ofw_numbers a = {0}, b = {0};
  transport *t = calloc(1, sizeof *t);
  if (!t)
    return ofw_fail_memory(err, sizeof *t);
  K->ops = &ofw_flow_set_ops;
  K->data = t;
  K->from_centre = 1;
  ofw_status st = ofw_numbers_read("transport", "supply", o->supply, &K->content, &a, err);
  if (st == OFW_OK)
    st = ofw_numbers_read("transport", "demand", o->demand, &K->content, &b, err);
  if (st == OFW_OK)
    st = fill_in(K, &t->flows.network, &a, &b, err);
  ofw_numbers_free(&a);
  ofw_numbers_free(&b);
  OFW_TRY(st);
  OFW_TRY(set_outer_radius(K, &t->flows.network, err));
  return set_hull(K, t, err);
}

static const ofw_option options[] = {
    OFW_TEXT_ROW(offsetof(transport_options, supply), "supply",
                 "the sums of the rows, (a,b,..) or @FILE with one per line"),
    OFW_TEXT_ROW(offsetof(transport_options, demand), "demand",
                 "the sums of the columns, (a,b,..) or @FILE with one per line"),
    {0},
};

const ofw_domain_kind ofw_transport_kind = {
    {.name = "transport",
     .summary = "non-negative matrices with given sums of rows and of columns; coordinates row by row",
     .example = "transport:supply=(1,2,1.5),demand=(1.3,0.7,1.4,1.1)",
     .options = options},
    build};
