/* late.c — feedback held back until it is due: copies, each in one piece of memory */
#include "run/late.h"

#include "base/basics.h"

#include <stdlib.h>
#include <string.h>

ofw_status ofw_late_open(ofw_late *late, size_t most, ofw_error *err)
{
  *late = (ofw_late){.most = most, .held = calloc(most, sizeof *late->held)};
  return late->held ? OFW_OK : ofw_fail_memory(err, most * sizeof *late->held);
}

static void free_all(ofw_held *held, size_t n)
{
  for (size_t i = 0; held && i < n; i++)
    free(held[i].memory);
  free(held);
}

void ofw_late_forget(ofw_late *late)
{
  free_all(late->checked, late->most);
  late->checked = NULL;
}

void ofw_late_close(ofw_late *late)
{
  free_all(late->held, late->most);
  ofw_late_forget(late);
  *late = (ofw_late){0};
}

void ofw_late_drop(ofw_held *held)
{
  free(held->memory);
  held->memory = NULL;
}

ofw_held *ofw_late_due(const ofw_late *late, uint64_t round)
{
  ofw_held *first = NULL;
  for (ofw_held *h = late->held; h < late->held + late->most; h++)
    if (h->memory && h->due <= round &&
        (!first || h->due < first->due || (h->due == first->due && h->round < first->round)))
      first = h;
  return first;
}

/* ---- copies ---- */

/* Where the next copy goes; without memory only the bytes are counted. */
typedef struct room {
  char *memory;
  size_t used;
} room;

static void *put(room *r, const void *from, size_t n, size_t item)
{
  size_t bytes = n * item;
  void *to = r->memory ? r->memory + r->used : NULL;
  if (to && bytes)
    memcpy(to, from, bytes);
  r->used += (bytes + 7) / 8 * 8;
  return to;
}

static void put_numbers(room *r, size_t n, const double **numbers)
{
  *numbers = put(r, *numbers, n, sizeof **numbers);
}

static void put_term(room *r, ofw_vec *v)
{
  switch (v->kind) {
  case OFW_VEC_DENSE:
    put_numbers(r, v->as.dense.n, &v->as.dense.value);
    break;
  case OFW_VEC_SPARSE:
    v->as.sparse.index = put(r, v->as.sparse.index, v->as.sparse.nnz, sizeof *v->as.sparse.index);
    put_numbers(r, v->as.sparse.nnz, &v->as.sparse.value);
    break;
  case OFW_VEC_RANK_ONE:
    put_numbers(r, v->as.rank_one.rows, &v->as.rank_one.u);
    put_numbers(r, v->as.rank_one.cols, &v->as.rank_one.v);
    break;
  case OFW_VEC_RANDOM:
    break;
  }
}

static ofw_sum put_sum(room *r, ofw_sum sum)
{
  ofw_vec *terms = put(r, sum.term, sum.n, sizeof *terms);
  for (size_t i = 0; i < sum.n; i++) {
    ofw_vec term = sum.term[i];
    put_term(r, &term);
    if (terms)
      terms[i] = term;
  }
  return (ofw_sum){sum.n, terms};
}

static ofw_full put_full(room *r, const ofw_full *from)
{
  ofw_full to = *from;
  size_t n = from->values.constraints;
  put_numbers(r, n, &to.values.constraint);
  ofw_sum *gradients = put(r, from->constraint_gradient, n, sizeof *gradients);
  to.constraint_gradient = gradients;
  to.loss_gradient = put_sum(r, from->loss_gradient);
  for (size_t i = 0; i < n; i++) {
    ofw_sum gradient = put_sum(r, from->constraint_gradient[i]);
    if (gradients)
      gradients[i] = gradient;
  }
  return to;
}

ofw_status ofw_late_hold(ofw_late *late, uint64_t round, uint64_t due, const ofw_full *full, ofw_error *err)
{
  room count = {0};
  put_full(&count, full);
  ofw_held *h = late->held, *end = late->held + late->most;
  while (h < end && h->memory)
    h++;
  if (h == end)
    return ofw_fail(err, OFW_USAGE, "%zu rounds wait for their feedback already", late->most);
  room copy = {malloc(count.used + 1), 0};
  if (!copy.memory)
    return ofw_fail_memory(err, count.used);
  *h = (ofw_held){round, due, put_full(&copy, full), copy.memory};
  return OFW_OK;
}
