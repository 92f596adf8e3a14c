/* factored_state.c — the bases, the cores and S as words of 8 bytes, as many as there are now
 *
 *     columns of U and V, changes, compressions       4 counts; of a matrix that ranks share 2 more:
 *     entries of S that have settled, recent ones     at all ranks, whose own rows follow
 *     <S, x>, <S, d>, |S|^2, what is lost of each core
 *     U, V, the cores                                 row by row, without what is not in use
 *     S                                               sparse.c
 */
#include "engine/factored.h"

#include <math.h>
#include <string.h>

enum { COUNTS = 4, SHARED_COUNTS = 6, PRODUCTS = 3, NUMBERS = PRODUCTS + OFW_CORES };

static size_t counts_of(const ofw_factored *e)
{
  return e->split ? SHARED_COUNTS : COUNTS;
}

/* The words of what is over bases of so many columns. */
static size_t dense_words(const ofw_factored *e, size_t left, size_t right)
{
  return e->rows * left + e->cols * right + e->cores * left * right;
}

static size_t size(const void *object)
{
  const ofw_factored *e = object;
  return counts_of(e) + NUMBERS + dense_words(e, e->left.count, e->right.count) + ofw_sparse_words(&e->sparse);
}

/* n numbers of each row, `stride` apart here and next to each other there. */
static uint64_t *copy_out(size_t rows, size_t n, size_t stride, const double *from, uint64_t *to)
{
  for (size_t i = 0; i < rows && n > 0; i++, to += n)
    memcpy(to, from + i * stride, n * sizeof *to);
  return to;
}

static const uint64_t *copy_in(size_t rows, size_t n, size_t stride, double *to, const uint64_t *from)
{
  for (size_t i = 0; i < rows && n > 0; i++, from += n)
    memcpy(to + i * stride, from, n * sizeof *to);
  return from;
}

static void save(const void *object, void *words)
{
  const ofw_factored *e = object;
  const uint64_t counts[SHARED_COUNTS] = {e->left.count,   e->right.count,        e->changes,
                                          e->compressions, e->sparse.all_settled, e->sparse.all_recent};
  const double numbers[PRODUCTS] = {e->sx, e->sd, e->ss};
  uint64_t *to = (uint64_t *)words + counts_of(e);
  memcpy(words, counts, counts_of(e) * sizeof *counts);
  memcpy(to, numbers, sizeof numbers);
  memcpy(to + PRODUCTS, e->lost, sizeof e->lost);
  to = copy_out(e->rows, e->left.count, e->left.stride, e->left.rows, to + NUMBERS);
  to = copy_out(e->cols, e->right.count, e->right.stride, e->right.rows, to);
  for (size_t c = 0; c < e->cores; c++)
    to = copy_out(e->left.count, e->right.count, e->right.room, e->core[c], to);
  ofw_sparse_save(&e->sparse, to);
}

static int side_fits(const ofw_basis *b, uint64_t count)
{
  return count < b->room || (count == b->room && b->room == b->whole);
}

static ofw_status check(void *object, const void *words, size_t n, ofw_error *err)
{
  ofw_factored *e = object;
  const uint64_t *counts = words;
  if (n < counts_of(e) + NUMBERS || !side_fits(&e->left, counts[0]) || !side_fits(&e->right, counts[1]))
    return ofw_fail(err, OFW_BAD_DATA, "the state's factors have another shape than this learner's");
  size_t before = counts_of(e) + NUMBERS + dense_words(e, (size_t)counts[0], (size_t)counts[1]);
  if (before >= n || ofw_sparse_check(&e->sparse, counts + before, n - before) != n - before)
    return ofw_fail(err, OFW_BAD_DATA, "the state's sparse part has another shape than this learner's");
  return ofw_sparse_make_room(&e->sparse, counts + before, err);
}

static void load(void *object, const void *words)
{
  ofw_factored *e = object;
  const uint64_t *counts = words, *from = counts + counts_of(e);
  double numbers[PRODUCTS];
  ofw_basis_resize(&e->left, (size_t)counts[0]);
  ofw_basis_resize(&e->right, (size_t)counts[1]);
  e->changes = counts[2];
  e->compressions = counts[3];
  memcpy(numbers, from, sizeof numbers);
  e->sx = numbers[0];
  e->sd = numbers[1];
  e->ss = numbers[2];
  memcpy(e->lost, from + PRODUCTS, sizeof e->lost);
  from = copy_in(e->rows, e->left.count, e->left.stride, e->left.rows, from + NUMBERS);
  from = copy_in(e->cols, e->right.count, e->right.stride, e->right.rows, from);
  for (size_t c = 0; c < e->cores; c++) {
    memset(e->core[c], 0, e->left.room * e->right.room * sizeof *e->core[c]);
    from = copy_in(e->left.count, e->right.count, e->right.room, e->core[c], from);
  }
  ofw_sparse_load(&e->sparse, from);
  if (e->split) {
    e->sparse.all_settled = counts[COUNTS];
    e->sparse.all_recent = counts[COUNTS + 1];
  }
  e->placed.there = 0;
  e->broken = 0;
}

ofw_status ofw_factored_visit(ofw_engine *E, ofw_visitor *v)
{
  const ofw_packed item = {E, size, save, check, load};
  return v->packed(v->ctx, "factored", &item);
}
