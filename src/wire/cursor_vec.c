/* cursor_vec.c — VEC: [numbers], {"index":[..],"value":[..]}, or two factors of a matrix, {"u":VEC,"v":VEC,"scale":x} */
#include "wire/cursor.h"

#include "vector/vec_arithmetic.h"

#include <stdio.h>
#include <string.h>

/* Until the line is done, what a vec points to are positions in the shared arrays. */
static const double *number_at(size_t position)
{
  return (const double *)(uintptr_t)position;
}

static void settle_numbers(const ofw_ndjson *n, const double **at)
{
  *at = n->number + (uintptr_t)*at;
}

static void settle(const ofw_ndjson *n, ofw_vec *v)
{
  if (v->kind == OFW_VEC_DENSE)
    settle_numbers(n, &v->as.dense.value);
  else if (v->kind == OFW_VEC_SPARSE) {
    settle_numbers(n, &v->as.sparse.value);
    v->as.sparse.index = n->index + (uintptr_t)v->as.sparse.index;
  } else {
    settle_numbers(n, &v->as.rank_one.u);
    settle_numbers(n, &v->as.rank_one.v);
  }
}

void ofw_cursor_settle(const ofw_cursor *c)
{
  for (size_t k = 0; k < c->n->vecs; k++)
    settle(c->n, &c->n->vec[k]);
}

static ofw_status read_sparse(ofw_cursor *c, ofw_vec *v)
{
  static const char *const names[] = {"index", "value"};
  size_t indices = 0, values = 0, first_index = c->n->indices, first_value = c->n->numbers;
  int seen = 0, which;
  ofw_cursor_accept(c, '{');
  do {
    OFW_TRY(ofw_cursor_part(c, names, 2, " in a sparse vector", &seen, &which));
    OFW_TRY(which == 0 ? ofw_cursor_indices(c, &indices) : ofw_cursor_numbers(c, &values));
  } while (ofw_cursor_accept(c, ','));
  if (!ofw_cursor_accept(c, '}'))
    return ofw_cursor_refuse(c, "a comma or }");
  if (seen != 3)
    return ofw_fail(c->err, OFW_BAD_DATA, "%s: a sparse vector needs 'index' and 'value'", c->field);
  if (indices != values)
    return ofw_fail(c->err, OFW_BAD_DATA, "%s: found %zu indices and %zu values, expected as many of each", c->field,
                    indices, values);
  *v = ofw_vec_sparse(indices, (const size_t *)(uintptr_t)first_index, number_at(first_value));
  return OFW_OK;
}

static ofw_status read_dense(ofw_cursor *c, ofw_vec *v)
{
  size_t first = c->n->numbers, count;
  OFW_TRY(ofw_cursor_numbers(c, &count));
  *v = ofw_vec_dense(count, number_at(first));
  return OFW_OK;
}

/* ---- two factors ---- */

/* A sparse factor's numbers, written out behind what the line holds already: no more of them than a line could say. */
static ofw_status write_out(ofw_cursor *c, const ofw_vec *sparse, size_t size, size_t *first)
{
  ofw_ndjson *n = c->n;
  size_t most = ofw_ndjson_longest(n->rows * n->cols) / 2;
  if (size > most || n->numbers > most - size)
    return ofw_fail(c->err, OFW_BAD_DATA, "%s: expected at most %zu numbers in a line, found more", c->field, most);
  OFW_TRY(ofw_cursor_room_numbers(c, size));
  *first = n->numbers;
  n->numbers += size;
  memset(n->number + *first, 0, size * sizeof *n->number);
  for (size_t k = 0; k < sparse->as.sparse.nnz; k++)
    n->number[*first + n->index[(uintptr_t)sparse->as.sparse.index + k]] =
        n->number[(uintptr_t)sparse->as.sparse.value + k];
  return OFW_OK;
}

/* u or v, as `size` numbers from the position *first on. */
static ofw_status read_factor(ofw_cursor *c, const char *name, size_t size, size_t *first)
{
  ofw_vec v = {0}, there;
  char what[OFW_LONGEST_KEY + 8];
  int sparse = ofw_cursor_next_is(c, '{');
  if (!sparse && !ofw_cursor_next_is(c, '['))
    return ofw_cursor_refuse(c, "[numbers] or {\"index\":[..],\"value\":[..]}");
  OFW_TRY(sparse ? read_sparse(c, &v) : read_dense(c, &v));
  there = v;
  settle(c->n, &there);
  snprintf(what, sizeof what, "%s: %s", c->field, name);
  OFW_TRY(ofw_sum_check((ofw_sum){1, &there}, size, what, c->err));
  if (sparse)
    return write_out(c, &v, size, first);
  *first = (size_t)(uintptr_t)v.as.dense.value;
  return OFW_OK;
}

static ofw_status read_rank_one(ofw_cursor *c, ofw_vec *v)
{
  static const char *const names[] = {"u", "v", "scale"};
  size_t size[] = {c->n->rows, c->n->cols}, first[2] = {0};
  double scale = 1.0;
  int seen = 0, which;
  ofw_cursor_accept(c, '{');
  do {
    OFW_TRY(ofw_cursor_part(c, names, 3, " in a matrix of rank one", &seen, &which));
    OFW_TRY(which == 2 ? ofw_cursor_number(c, &scale) : read_factor(c, names[which], size[which], &first[which]));
  } while (ofw_cursor_accept(c, ','));
  if (!ofw_cursor_accept(c, '}'))
    return ofw_cursor_refuse(c, "a comma or }");
  if ((seen & 3) != 3)
    return ofw_fail(c->err, OFW_BAD_DATA, "%s: a matrix of rank one needs 'u' and 'v'", c->field);
  *v = ofw_vec_rank_one(size[0], size[1], number_at(first[0]), number_at(first[1]));
  v->scale = scale;
  return OFW_OK;
}

/* Whether the object that comes next begins as two factors do. */
static int has_factors(const ofw_cursor *c)
{
  return ofw_cursor_begins(c, "u") || ofw_cursor_begins(c, "v") || ofw_cursor_begins(c, "scale");
}

ofw_status ofw_cursor_vec(ofw_cursor *c)
{
  ofw_ndjson *n = c->n;
  OFW_TRY(ofw_grow(&n->vec, n->vecs, 1, &n->vec_room, sizeof *n->vec, c->err));
  ofw_vec *v = &n->vec[n->vecs++];
  if (ofw_cursor_next_is(c, '{'))
    return has_factors(c) ? read_rank_one(c, v) : read_sparse(c, v);
  if (!ofw_cursor_next_is(c, '['))
    return ofw_cursor_refuse(c, "[numbers] or {\"index\":[..],\"value\":[..]}");
  return read_dense(c, v);
}
