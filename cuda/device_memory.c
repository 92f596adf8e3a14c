/* device_memory.c — memory of the machine, what kernels are to read of this program's, and their replies */
#include "device.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ofw_cuda_lose(ofw_cuda *c, size_t bytes)
{
  if (!c->lost)
    snprintf(c->why, sizeof c->why, "the GPU has no %zu bytes left", bytes);
  c->lost = 1;
}

const char *ofw_cuda_failed(const ofw_cuda *c)
{
  return c->lost ? c->why : c->m->ops->failed(c->m);
}

void *ofw_cuda_room(ofw_cuda *c, size_t bytes)
{
  ofw_machine *m = ofw_cuda_on(c);
  void *room = c->lost ? NULL : m->ops->room(m, bytes);
  if (!room)
    ofw_cuda_lose(c, bytes);
  return room;
}

/* x, d, y or a sum: opened when it is first needed. */
void *ofw_cuda_array(ofw_cuda *c, int which)
{
  if (!c->array[which])
    c->array[which] = ofw_cuda_room(c, ofw_cuda_bytes(c, which));
  return c->array[which];
}

/* Room for n numbers, what was there being lost; a multiple of 4, since quads are read. */
double *ofw_cuda_need(ofw_cuda *c, ofw_buffer *b, size_t n)
{
  if (n > b->room) {
    ofw_machine *m = ofw_cuda_on(c);
    m->ops->drop(m, b->at);
    b->room = (n + 3) / 4 * 4;
    b->at = ofw_cuda_room(c, b->room * sizeof *b->at);
    if (!b->at)
      b->room = 0;
  }
  return b->at;
}

double *ofw_cuda_upload(ofw_cuda *c, ofw_buffer *b, size_t n, const double *value)
{
  double *to = ofw_cuda_need(c, b, n);
  ofw_machine *m = ofw_cuda_on(c);
  if (to)
    m->ops->send(m, to, value, n * sizeof *to);
  return to;
}

/* Room that a kernel can read, until the next wait. NULL: none. */
static void *stage(ofw_cuda *c, size_t bytes)
{
  ofw_machine *m = ofw_cuda_on(c);
  bytes = (bytes + 15) / 16 * 16;
  if (c->staged + bytes > c->stage_room) {
    m->ops->wait(m);
    c->staged = 0;
  }
  if (bytes > c->stage_room) {
    m->ops->drop_seen(m, c->stage);
    c->stage_room = 2 * bytes;
    c->stage = m->ops->seen(m, c->stage_room);
    if (!c->stage) {
      c->stage_room = 0;
      ofw_cuda_lose(c, 2 * bytes);
      return NULL;
    }
  }
  void *at = c->stage + c->staged;
  c->stage_ticket = c->ticket;
  c->staged += bytes;
  return at;
}

/* ---- places of entries ---- */

enum { MANY = 4096, AT_ONCE = 1024 };

static int same_places(const ofw_places *p, size_t n, const size_t *index, size_t offset)
{
  uint32_t apart = p->n != n;
  for (size_t k = 0; k < n && !apart; k += AT_ONCE)
    for (size_t i = k; i < k + AT_ONCE && i < n; i++)
      apart |= p->here[i] ^ (uint32_t)(index[i] + offset);
  return !apart;
}

/* They go where they were the last time, if that is long enough. */
static int keep_places(ofw_cuda *c, size_t n, const size_t *index, size_t offset)
{
  ofw_places *p = &c->places;
  size_t numbers = (n + 1) / 2;
  p->n = 0;
  if (n + 1 > p->room) {
    free(p->here);
    p->room = n + 1;
    p->here = calloc(p->room, sizeof *p->here);
    if (!p->here)
      p->room = 0;
  }
  if (!p->here || !ofw_cuda_need(c, &p->there, numbers))
    return 0;
  for (size_t k = 0; k < n; k++)
    p->here[k] = (uint32_t)(index[k] + offset);
  ofw_machine *m = ofw_cuda_on(c);
  m->ops->send(m, p->there.at, p->here, numbers * sizeof *p->there.at);
  p->n = n;
  return 1;
}

/* Those of a sparse vector; value NULL: room for them alone. 0: there is none. */
int ofw_cuda_stage_pairs(ofw_cuda *c, size_t n, const size_t *index, size_t offset, const double *value, ofw_pairs *out)
{
  int many = n >= MANY;
  if (many && !same_places(&c->places, n, index, offset) && !keep_places(c, n, index, offset))
    return 0;
  char *at = stage(c, n * (sizeof *out->value + (many ? 0 : sizeof *out->index)) + 1);
  if (!at || (many && !ofw_cuda_need(c, &c->many, n)))
    return 0;
  out->here = (double *)(void *)at;
  out->value = many ? c->many.at : out->here;
  if (value && n > 0)
    memcpy(out->here, value, n * sizeof *value);
  if (value && many)
    c->m->ops->copy(c->m, out->value, out->here, n * sizeof *value);
  uint32_t *places = (uint32_t *)(void *)(at + n * sizeof *out->value);
  for (size_t k = 0; k < n && !many; k++)
    places[k] = (uint32_t)(index[k] + offset);
  out->index = many ? (const uint32_t *)(const void *)c->places.there.at : places;
  return 1;
}

/* ---- replies ---- */

static ofw_reply *reply_of(const ofw_cuda *c, uint64_t ticket)
{
  return &c->reply[ticket % OFW_REPLIES];
}

ofw_report ofw_cuda_next_report(ofw_cuda *c)
{
  c->ticket++;
  return (ofw_report){.parts = c->parts, .counter = c->counter, .reply = reply_of(c, c->ticket), .ticket = c->ticket};
}

/* Later ones take its place by and by. */
int ofw_cuda_has(const ofw_cuda *c, uint64_t ticket)
{
  return ticket > 0 && c->ticket - ticket < OFW_REPLIES;
}

/* The two numbers of that ticket; all that was queued before its kernel is done. */
int ofw_cuda_await(ofw_cuda *c, uint64_t ticket, double out[2])
{
  const ofw_reply *reply = reply_of(c, ticket);
  if (ofw_cuda_failed(c) || !c->m->ops->await(c->m, reply, ticket)) {
    out[0] = out[1] = (double)NAN;
    return 0;
  }
  out[0] = reply->value[0];
  out[1] = reply->value[1];
  if (ticket > c->stage_ticket)
    c->staged = 0;
  return 1;
}
