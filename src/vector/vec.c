/* vec.c — sums and products of structured vectors with dense arrays, and the checks of a caller's vectors
 *
 * Each function works on a window of coordinates, because an engine cuts its arrays into parts. Random vectors are drawn
 * as they are read and never stored.
 */
#include "vector/vec_arithmetic.h"

#include "base/sort.h"
#include "linalg/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 512 }; /* random numbers are drawn by so many at a time */

size_t ofw_vec_extent(const ofw_vec *v)
{
  switch (v->kind) {
  case OFW_VEC_DENSE:
    return v->as.dense.n;
  case OFW_VEC_SPARSE: {
    size_t most = 0;
    for (size_t k = 0; k < v->as.sparse.nnz; k++)
      most = v->as.sparse.index[k] > most ? v->as.sparse.index[k] : most;
    return v->as.sparse.nnz == 0 ? 0 : most == SIZE_MAX ? SIZE_MAX : most + 1;
  }
  case OFW_VEC_RANK_ONE:
    if (v->as.rank_one.cols && v->as.rank_one.rows > SIZE_MAX / v->as.rank_one.cols)
      return SIZE_MAX;
    return v->as.rank_one.rows * v->as.rank_one.cols;
  case OFW_VEC_RANDOM:
    return v->as.random.n;
  }
  return 0;
}

/* The part lo .. hi of a vec, counted from its offset, that lies within the coordinates from .. from + n - 1; `skip` of
 * those come before it. */
typedef struct window {
  size_t lo, hi, skip;
} window;

static window window_of(const ofw_vec *v, size_t from, size_t n)
{
  size_t first = v->offset > from ? v->offset : from, end = v->offset + ofw_vec_extent(v);
  if (n < SIZE_MAX - from && end > from + n)
    end = from + n;
  return first < end ? (window){first - v->offset, end - v->offset, first - from} : (window){0};
}

static size_t least(size_t a, size_t b)
{
  return a < b ? a : b;
}

static void add_sparse(const ofw_kernels *kernels, const ofw_vec *v, double c, size_t from, size_t n, void *out)
{
  const size_t *index = v->as.sparse.index, nnz = v->as.sparse.nnz, shift = v->offset - from;
  const double *value = v->as.sparse.value;
  for (size_t k = 0; k < nnz; k++) {
    if (k + OFW_AHEAD < nnz)
      ofw_fetch(kernels, out, index[k + OFW_AHEAD] + shift);
    if (index[k] + shift < n) /* wraps to something huge if it lies before */
      ofw_add_number(kernels, out, index[k] + shift, c * value[k]);
  }
}

/* A part of each row in turn. */
static void add_rank_one(const ofw_kernels *kernels, const ofw_vec *v, double c, window w, void *out)
{
  size_t cols = v->as.rank_one.cols, run;
  for (size_t at = w.lo; at < w.hi; at += run) {
    size_t row = at / cols, col = at % cols;
    run = least(cols - col, w.hi - at);
    kernels->axpy(run, c * v->as.rank_one.u[row], v->as.rank_one.v + col, ofw_at(kernels, out, at - w.lo));
  }
}

static void add_random(const ofw_kernels *kernels, const ofw_vec *v, double c, window w, void *out)
{
  uint32_t word[CHUNK];
  double drawn[CHUNK];
  for (size_t at = w.lo; at < w.hi; at += CHUNK) {
    size_t run = least(w.hi - at, CHUNK);
    void *to = ofw_at(kernels, out, at - w.lo);
    if (v->as.random.dist == OFW_NORMAL) {
      ofw_rng_normal(v->as.random.key, at, run, drawn);
      kernels->axpy(run, c, drawn, to);
    } else {
      ofw_rng_words(v->as.random.key, at, run, word);
      kernels->uniform_axpy(run, c, word, to);
    }
  }
}

void ofw_vec_add(const ofw_kernels *kernels, const ofw_vec *v, double c, size_t from, size_t n, void *out)
{
  double scaled = c * v->scale;
  if (v->kind == OFW_VEC_SPARSE) {
    add_sparse(kernels, v, scaled, from, n, out);
    return;
  }
  if (v->kind == OFW_VEC_DENSE && v->offset == from && v->as.dense.n <= n) { /* all of it, as almost always */
    kernels->axpy(v->as.dense.n, scaled, v->as.dense.value, out);
    return;
  }
  window w = window_of(v, from, n);
  void *to = ofw_at(kernels, out, w.skip);
  if (v->kind == OFW_VEC_DENSE && w.lo < w.hi)
    kernels->axpy(w.hi - w.lo, scaled, v->as.dense.value + w.lo, to);
  else if (v->kind == OFW_VEC_RANK_ONE)
    add_rank_one(kernels, v, scaled, w, to);
  else if (v->kind == OFW_VEC_RANDOM)
    add_random(kernels, v, scaled, w, to);
}

void ofw_sum_add(ofw_sum sum, double c, size_t from, size_t n, double *out)
{
  const ofw_kernels *kernels = ofw_kernels_chosen();
  for (size_t k = 0; k < sum.n; k++)
    ofw_vec_add(kernels, &sum.term[k], c, from, n, out);
}

double ofw_sum_entry(ofw_sum sum, size_t i)
{
  double at = 0.0;
  ofw_sum_add(sum, 1.0, i, 1, &at);
  return at;
}

void ofw_sum_dense(ofw_sum sum, size_t dim, double *out)
{
  memset(out, 0, dim * sizeof *out);
  ofw_sum_add(sum, 1.0, 0, dim, out);
}

static double dot_sparse(const ofw_kernels *kernels, const ofw_vec *v, size_t from, size_t n, const void *x)
{
  double total = 0.0;
  for (size_t k = 0; k < v->as.sparse.nnz; k++) {
    size_t i = v->offset + v->as.sparse.index[k] - from;
    if (i < n)
      total += v->as.sparse.value[k] * ofw_number(kernels, x, i);
  }
  return total;
}

static double dot_rank_one(const ofw_kernels *kernels, const ofw_vec *v, window w, const void *x)
{
  size_t cols = v->as.rank_one.cols, run;
  double total = 0.0;
  for (size_t at = w.lo; at < w.hi; at += run) {
    size_t row = at / cols, col = at % cols;
    run = least(cols - col, w.hi - at);
    total += v->as.rank_one.u[row] * kernels->dot(run, ofw_at(kernels, x, at - w.lo), v->as.rank_one.v + col);
  }
  return total;
}

static double dot_random(const ofw_kernels *kernels, const ofw_vec *v, window w, const void *x)
{
  uint32_t word[CHUNK];
  double drawn[CHUNK], total = 0.0;
  for (size_t at = w.lo; at < w.hi; at += CHUNK) {
    size_t run = least(w.hi - at, CHUNK);
    const void *there = ofw_at(kernels, x, at - w.lo);
    if (v->as.random.dist == OFW_NORMAL) {
      ofw_rng_normal(v->as.random.key, at, run, drawn);
      total += kernels->dot(run, there, drawn);
    } else {
      ofw_rng_words(v->as.random.key, at, run, word);
      total += kernels->uniform_dot(run, word, there);
    }
  }
  return total;
}

double ofw_vec_dot(const ofw_kernels *kernels, const ofw_vec *v, size_t from, size_t n, const void *x)
{
  if (v->kind == OFW_VEC_SPARSE)
    return dot_sparse(kernels, v, from, n, x);
  window w = window_of(v, from, n);
  const void *there = ofw_at(kernels, x, w.skip);
  switch (v->kind) {
  case OFW_VEC_DENSE:
    return w.lo < w.hi ? kernels->dot(w.hi - w.lo, there, v->as.dense.value + w.lo) : 0.0;
  case OFW_VEC_RANK_ONE:
    return dot_rank_one(kernels, v, w, there);
  default:
    return dot_random(kernels, v, w, there);
  }
}

double ofw_sum_dot(ofw_sum sum, const double *x)
{
  double total = 0.0;
  for (size_t k = 0; k < sum.n; k++)
    total += sum.term[k].scale * ofw_vec_dot(ofw_kernels_chosen(), &sum.term[k], 0, SIZE_MAX, x);
  return total;
}

/* Without its scale. */
static double length_of(const ofw_vec *v)
{
  switch (v->kind) {
  case OFW_VEC_DENSE:
    return ofw_norm(v->as.dense.n, v->as.dense.value);
  case OFW_VEC_SPARSE:
    return ofw_norm(v->as.sparse.nnz, v->as.sparse.value);
  case OFW_VEC_RANK_ONE:
    return ofw_norm(v->as.rank_one.rows, v->as.rank_one.u) * ofw_norm(v->as.rank_one.cols, v->as.rank_one.v);
  case OFW_VEC_RANDOM:
    return sqrt((double)v->as.random.n / (v->as.random.dist == OFW_NORMAL ? 1.0 : 3.0));
  }
  return INFINITY; /* of no kind: ofw_sum_measure refuses it */
}

double ofw_sum_norm(ofw_sum sum)
{
  double total = 0.0;
  for (size_t k = 0; k < sum.n; k++)
    total += fabs(sum.term[k].scale) * length_of(&sum.term[k]);
  return total;
}

static ofw_status check_finite(size_t n, const double *value, const char *what, ofw_error *err)
{
  size_t bad = ofw_first_not_finite(n, value);
  if (bad < n)
    return ofw_fail(err, OFW_BAD_DATA, "%s: number %zu is %s", what, bad + 1,
                    isnan(value[bad]) ? "not a number" : "infinite");
  return OFW_OK;
}

static int is_increasing(size_t n, const size_t *index)
{
  size_t k = 1;
  while (k < n && index[k - 1] < index[k])
    k++;
  return k >= n;
}

static ofw_status check_distinct(size_t nnz, const size_t *index, const char *what, ofw_error *err)
{
  size_t *sorted = ofw_array(nnz, sizeof *sorted);
  if (!sorted)
    return ofw_fail_memory(err, nnz * sizeof *sorted);
  memcpy(sorted, index, nnz * sizeof *sorted);
  ofw_status st = ofw_sort(nnz, sorted, NULL, err);
  for (size_t k = 1; k < nnz && st == OFW_OK; k++)
    if (sorted[k - 1] == sorted[k])
      st = ofw_fail(err, OFW_BAD_DATA, "%s: index %zu appears twice", what, sorted[k]);
  free(sorted);
  return st;
}

static ofw_status check_one(const ofw_vec *v, const char *what, ofw_error *err)
{
  switch (v->kind) {
  case OFW_VEC_DENSE:
    return check_finite(v->as.dense.n, v->as.dense.value, what, err);
  case OFW_VEC_SPARSE:
    return check_finite(v->as.sparse.nnz, v->as.sparse.value, what, err);
  case OFW_VEC_RANK_ONE:
    OFW_TRY(check_finite(v->as.rank_one.rows, v->as.rank_one.u, what, err));
    return check_finite(v->as.rank_one.cols, v->as.rank_one.v, what, err);
  case OFW_VEC_RANDOM:
    return OFW_OK;
  }
  return ofw_fail(err, OFW_USAGE, "%s: %d is not a kind of vector", what, (int)v->kind);
}

static ofw_status check_length(size_t length, size_t dim, const char *what, ofw_error *err)
{
  return ofw_fail(err, OFW_BAD_DATA, "%s has length %zu, but the dimension is %zu", what, length, dim);
}

/* Every index below the dimension, counted from the vec's offset, and none twice. Of increasing ones, which most are, the last
 * tells. */
static ofw_status check_indices(const ofw_vec *v, size_t dim, const char *what, ofw_error *err)
{
  size_t nnz = v->as.sparse.nnz;
  const size_t *index = v->as.sparse.index;
  int increasing = is_increasing(nnz, index);
  if (increasing && nnz > 0 && v->offset <= dim && index[nnz - 1] < dim - v->offset)
    return OFW_OK;
  for (size_t k = 0; k < nnz; k++)
    if (v->offset > dim || index[k] >= dim - v->offset)
      return ofw_fail(err, OFW_BAD_DATA, "%s: index %zu is not below the dimension %zu", what, v->offset + index[k],
                      dim);
  return increasing ? OFW_OK : check_distinct(nnz, index, what, err);
}

/* Whether all of a vec lies within the dimension; one that is alone in its sum and dense has to fill it. */
static ofw_status check_place(const ofw_vec *v, size_t dim, int alone, const char *what, ofw_error *err)
{
  if (v->kind == OFW_VEC_SPARSE)
    return check_indices(v, dim, what, err);
  size_t extent = ofw_vec_extent(v);
  if (v->kind == OFW_VEC_RANK_ONE && extent == SIZE_MAX)
    return ofw_fail(err, OFW_BAD_DATA, "%s: %zu x %zu is too large", what, v->as.rank_one.rows, v->as.rank_one.cols);
  if (v->offset > dim || extent > dim - v->offset)
    return check_length(v->offset + extent, dim, what, err);
  return v->kind == OFW_VEC_DENSE && alone && extent != dim ? check_length(extent, dim, what, err) : OFW_OK;
}

/* Numbers with a length are finite. Those whose length is too large for a double need another look, and those with none, which
 * may be zeros and a NaN. */
static ofw_status measure_one(const ofw_vec *v, const char *what, double *norm, ofw_error *err)
{
  double length = length_of(v);
  if (!isfinite(v->scale))
    return ofw_fail(err, OFW_BAD_DATA, "%s: its scale is not a finite number", what);
  if (!(length > 0.0 && length < INFINITY))
    OFW_TRY(check_one(v, what, err));
  *norm += fabs(v->scale) * length;
  return OFW_OK;
}

ofw_status ofw_sum_measure(ofw_sum sum, size_t dim, const char *what, double *norm, ofw_error *err)
{
  *norm = 0.0;
  for (size_t k = 0; k < sum.n; k++) {
    const ofw_vec *v = &sum.term[k];
    int whole = v->kind == OFW_VEC_DENSE && v->offset == 0 && v->as.dense.n == dim; /* as almost all are */
    if (!whole)
      OFW_TRY(check_place(v, dim, sum.n == 1, what, err));
    OFW_TRY(measure_one(v, what, norm, err));
  }
  return OFW_OK;
}

ofw_status ofw_sum_check(ofw_sum sum, size_t dim, const char *what, ofw_error *err)
{
  double norm;
  return ofw_sum_measure(sum, dim, what, &norm, err);
}
