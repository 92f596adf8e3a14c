/* open_decisions.c — decisions are kept in the order of their rounds, and given up when they are answered */
#include "server/open_decisions.h"

#include "base/basics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ofw_status open_decisions_open(open_decisions *o, size_t most, size_t dim, ofw_error *err)
{
  *o = (open_decisions){
      .most = most, .dim = dim, .list = ofw_array(most, sizeof *o->list), .number = ofw_doubles_unset(most * dim)};
  if (!o->list || !o->number)
    return ofw_fail_memory(err, most * dim * sizeof *o->number);
  for (size_t k = 0; k < most; k++)
    o->list[k] = (open_decision){0, k};
  for (size_t k = 0; k < most * dim; k++)
    o->number[k] = NAN;
  return OFW_OK;
}

void open_decisions_close(open_decisions *o)
{
  free(o->list);
  free(o->number);
  *o = (open_decisions){0};
}

void open_decisions_add(open_decisions *o, uint64_t round, const ofw_point *x)
{
  open_decision *d = &o->list[o->count++];
  d->round = round;
  ofw_point_dense(x, o->number + d->place * o->dim);
}

static int compare(const void *a, const void *b)
{
  uint64_t first = ((const open_decision *)a)->round, second = ((const open_decision *)b)->round;
  return (first > second) - (first < second);
}

static open_decision *find(const open_decisions *o, uint64_t round)
{
  open_decision wanted = {.round = round};
  return o->count ? bsearch(&wanted, o->list, o->count, sizeof wanted, compare) : NULL;
}

const double *open_decisions_find(const open_decisions *o, uint64_t round)
{
  const open_decision *d = find(o, round);
  return d ? o->number + d->place * o->dim : NULL;
}

void open_decisions_drop(open_decisions *o, uint64_t round)
{
  open_decision *d = find(o, round);
  if (!d)
    return;
  open_decision freed = *d, *last = &o->list[--o->count];
  memmove(d, d + 1, (size_t)(last - d) * sizeof *d);
  *last = freed;
}

/* ---- the state: their number, then a round and its numbers for each ---- */

static size_t words_each(const open_decisions *o)
{
  return 1 + o->dim;
}

static size_t size(const void *object)
{
  const open_decisions *o = object;
  return 1 + o->count * words_each(o);
}

static void save(const void *object, void *words)
{
  const open_decisions *o = object;
  uint64_t count = o->count, *to = words;
  memcpy(to++, &count, sizeof count);
  for (size_t k = 0; k < count; k++, to += words_each(o)) {
    memcpy(to, &o->list[k].round, sizeof *to);
    memcpy(to + 1, o->number + o->list[k].place * o->dim, o->dim * sizeof *to);
  }
}

/* Rounds increase, from 1 on. */
static ofw_status check(void *object, const void *words, size_t n, ofw_error *err)
{
  const open_decisions *o = object;
  const uint64_t *from = words;
  uint64_t count = UINT64_MAX, before = 0;
  if (n > 0)
    memcpy(&count, from++, sizeof count);
  int good = count <= o->most && n == 1 + count * words_each(o);
  for (size_t k = 0; good && k < count; k++, from += words_each(o)) {
    uint64_t round;
    memcpy(&round, from, sizeof round);
    good = round > before;
    before = round;
  }
  return good ? OFW_OK : ofw_fail(err, OFW_BAD_DATA, "the decisions of open rounds are damaged");
}

static void load(void *object, const void *words)
{
  open_decisions *o = object;
  const uint64_t *from = words;
  uint64_t count;
  memcpy(&count, from++, sizeof count);
  o->count = (size_t)count;
  for (size_t k = 0; k < o->count; k++, from += words_each(o)) {
    memcpy(&o->list[k].round, from, sizeof *from);
    memcpy(o->number + o->list[k].place * o->dim, from + 1, o->dim * sizeof *from);
  }
}

ofw_status open_decisions_visit(open_decisions *o, ofw_visitor *v)
{
  const ofw_packed item = {o, size, save, check, load};
  return v->packed(v->ctx, "open_decisions", &item);
}
