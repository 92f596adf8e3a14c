/* factored_compress.c — fewer columns for what is over the bases */
#include "engine/factored.h"

#include "linalg/kernels.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cblas.h>
#include <lapacke.h>

/* What is smaller than this part of every core goes, however few columns there are. */
static const double NEGLIGIBLE = 1e-13;

/* Where the pieces of e->work are. */
typedef struct pieces {
  double *stack, *values, *left, *right, *lapack, *half, *core;
} pieces;

static size_t longer(const ofw_factored *e)
{
  return e->left.room > e->right.room ? e->left.room : e->right.room;
}

static pieces lay_out(const ofw_factored *e)
{
  size_t k = longer(e), square = k * k;
  pieces p = {.stack = e->work};
  p.values = p.stack + OFW_CORES * square;
  p.left = p.values + k;
  p.right = p.left + square;
  p.half = p.right + square;
  p.core = p.half + square;
  p.lapack = p.core + square;
  return p;
}

/* The stack is `long` x k by columns; its right singular vectors, as k rows of *rank numbers. */
static lapack_int decompose(size_t length, size_t k, pieces p, double *vectors, double *work, lapack_int room)
{
  lapack_int m = (lapack_int)length, n = (lapack_int)k, least = m < n ? m : n;
  return LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'N', 'S', m, n, p.stack, m, p.values, NULL, 1, vectors, least, work,
                             room);
}

ofw_status ofw_factored_open_compress(ofw_factored *e, ofw_error *err)
{
  size_t k = longer(e);
  double length = 0.0, unused = 0.0;
  pieces none = {.stack = &unused, .values = &unused};
  if (decompose(OFW_CORES * k, k, none, &unused, &length, -1) != 0 || !(length < INT_MAX / 2))
    return ofw_fail(err, OFW_UNSUPPORTED, "storage=factored: bases of %zu vectors are too large to compress", k);
  e->work_length = (size_t)length + (size_t)8 * OFW_CORES * k; /* what a smaller one may need */
  e->work = ofw_owned_doubles(&e->own, (OFW_CORES + 4) * k * k + k + e->work_length);
  return ofw_owned_check(&e->own, err);
}

/* The cores side by side, each divided by its size; turned for the right side. As columns: one a vector of the basis. */
static size_t stack_cores(const ofw_factored *e, int turned, double *stack)
{
  size_t m = e->left.count, n = e->right.count, k = turned ? n : m, other = turned ? m : n, length = 0;
  size_t height = e->cores * other;
  for (size_t c = 0; c < e->cores; c++) {
    double size = sqrt(ofw_core_inner(e, e->core[c], e->core[c]));
    if (!(size > 0.0))
      continue;
    for (size_t a = 0; a < k; a++)
      for (size_t b = 0; b < other; b++)
        stack[a * height + length + b] = e->core[c][(turned ? b : a) * e->right.room + (turned ? a : b)] / size;
    length += other;
  }
  for (size_t a = 1; a < k && length < height; a++) /* if a core is 0 the columns move together */
    memmove(stack + a * length, stack + a * height, length * sizeof *stack);
  return length;
}

/* How many of the directions stay: the fewest that lose next to nothing, but no more than `most`. */
static size_t choose(size_t n, const double *values, size_t most)
{
  double tail = 0.0;
  while (n > 1 && sqrt(tail + values[n - 1] * values[n - 1]) <= NEGLIGIBLE) {
    n--;
    tail += values[n] * values[n];
  }
  return n < most ? n : most;
}

/* One side's new directions, `stride` numbers per row of the old ones, of which the first *rank count. 0: it failed. */
static int find_side(const ofw_factored *e, int turned, double *vectors, size_t *stride, size_t *rank)
{
  pieces p = lay_out(e);
  const ofw_basis *b = turned ? &e->right : &e->left;
  size_t length = stack_cores(e, turned, p.stack);
  *stride = length < b->count ? length : b->count;
  *rank = 0;
  if (*stride == 0)
    return 1;
  if (decompose(length, b->count, p, vectors, p.lapack, (lapack_int)e->work_length) != 0)
    return 0;
  *rank = choose(*stride, p.values, b->room == b->whole ? b->whole : e->kept);
  return 1;
}

/* core = P' core Q; what that loses of it. */
static double project_core(const ofw_factored *e, double *core, size_t r, const double *P, size_t p_stride, size_t q,
                           const double *Q, size_t q_stride)
{
  pieces p = lay_out(e);
  int m = (int)e->left.count, n = (int)e->right.count, stride = (int)e->right.room, R = (int)r, C = (int)q;
  double square = 0.0;
  if (r > 0 && q > 0) {
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, R, n, m, 1.0, P, (int)p_stride, core, stride, 0.0, p.half, n);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, R, C, n, 1.0, p.half, n, Q, (int)q_stride, 0.0, p.core, C);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, R, n, C, 1.0, p.core, C, Q, (int)q_stride, 0.0, p.half, n);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, R, -1.0, P, (int)p_stride, p.half, n, 1.0, core,
                stride);
  }
  for (size_t i = 0; i < e->left.count; i++) {
    double *row = core + i * e->right.room;
    square += ofw_dot(e->right.count, row, row);
    memset(row, 0, e->right.count * sizeof *row);
    if (i < r)
      memcpy(row, p.core + i * q, q * sizeof *row);
  }
  return sqrt(square);
}

static int is_finite(const ofw_factored *e)
{
  double sum = 0.0;
  for (size_t c = 0; c < e->cores; c++)
    sum += ofw_core_inner(e, e->core[c], e->core[c]);
  return isfinite(sum);
}

static void compress(ofw_factored *e)
{
  pieces p = lay_out(e);
  size_t left = 0, right = 0, p_stride = 0, q_stride = 0;
  e->broken |=
      !is_finite(e) || !find_side(e, 0, p.left, &p_stride, &left) || !find_side(e, 1, p.right, &q_stride, &right);
  if (e->broken)
    return;
  for (size_t c = 0; c < e->cores; c++)
    e->lost[c] += project_core(e, e->core[c], left, p.left, p_stride, right, p.right, q_stride);
  ofw_basis_rotate(&e->left, left, p.left, p_stride);
  ofw_basis_rotate(&e->right, right, p.right, q_stride);
  e->placed.there = 0;
  e->compressions++;
  ofw_factored_sync(e);
}

static int is_full(const ofw_basis *b)
{
  return b->count == b->room && b->room < b->whole;
}

void ofw_factored_tidy(ofw_factored *e)
{
  if ((is_full(&e->left) || is_full(&e->right)) && !e->broken)
    compress(e);
}
