/* open_rounds.c — decisions whose feedback has not come: a list in the order of their rounds */
#include "learner/open_rounds.h"

#include "base/basics.h"

#include <math.h>
#include <string.h>

void ofw_open_rounds_add(ofw_open_rounds *o, uint64_t round)
{
  o->list[o->count++] = (ofw_open_round){round, o->path, o->aim - o->near};
}

size_t ofw_open_rounds_find(const ofw_open_rounds *o, uint64_t round)
{
  size_t low = 0, high = o->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (o->list[middle].round < round)
      low = middle + 1;
    else
      high = middle;
  }
  return low < o->count && o->list[low].round == round ? low : o->count;
}

void ofw_open_rounds_close(ofw_open_rounds *o, size_t at, double diameter)
{
  const ofw_open_round *s = &o->list[at];
  o->late = fmax(0.0, fmin(diameter, fmin(o->path - s->path, o->aim + o->near - s->aim)));
  memmove(o->list + at, o->list + at + 1, (o->count - at - 1) * sizeof *o->list);
  o->count--;
}

void ofw_open_rounds_aim(ofw_open_rounds *o, double moved, double near)
{
  o->aim += moved;
  o->near = near;
}

void ofw_open_rounds_copy(const ofw_open_rounds *from, ofw_open_rounds *to)
{
  ofw_open_round *list = to->list;
  memcpy(list, from->list, from->count * sizeof *list);
  *to = *from;
  to->list = list;
}

/* ---- the state: their number, three numbers, then three words per open round ---- */

enum { HEAD = 4, WORDS = 3 };
_Static_assert(sizeof(ofw_open_round) == WORDS * sizeof(uint64_t), "an open round is saved as it is");

static size_t size(const void *object)
{
  return HEAD + WORDS * ((const ofw_open_rounds *)object)->count;
}

static void save(const void *object, void *words)
{
  const ofw_open_rounds *o = object;
  const double moved[] = {o->path, o->aim, o->near};
  uint64_t count = o->count;
  memcpy(words, &count, sizeof count);
  memcpy((uint64_t *)words + 1, moved, sizeof moved);
  memcpy((uint64_t *)words + HEAD, o->list, o->count * sizeof *o->list);
}

/* Rounds increase, from 1 on. */
static ofw_status check(void *object, const void *words, size_t n, ofw_error *err)
{
  const ofw_open_rounds *o = object;
  uint64_t count = UINT64_MAX, before = 0;
  if (n > 0)
    memcpy(&count, words, sizeof count);
  int good = count <= o->most && n == HEAD + WORDS * count;
  for (size_t i = 0; good && i < count; i++) {
    uint64_t round;
    memcpy(&round, (const uint64_t *)words + HEAD + WORDS * i, sizeof round);
    good = round > before;
    before = round;
  }
  return good ? OFW_OK : ofw_fail(err, OFW_BAD_DATA, "the state's list of open rounds is damaged");
}

static void load(void *object, const void *words)
{
  ofw_open_rounds *o = object;
  double moved[3];
  uint64_t count;
  memcpy(&count, words, sizeof count);
  memcpy(moved, (const uint64_t *)words + 1, sizeof moved);
  memcpy(o->list, (const uint64_t *)words + HEAD, count * sizeof *o->list);
  o->count = count;
  o->path = moved[0];
  o->aim = moved[1];
  o->near = moved[2];
}

ofw_status ofw_open_rounds_visit(ofw_open_rounds *o, ofw_visitor *v)
{
  const ofw_packed item = {o, size, save, check, load};
  return v->packed(v->ctx, "open_rounds", &item);
}
