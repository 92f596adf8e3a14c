/* share_server.c — the process that has a GPU which several plays share
 *
 * Each play has a machine of its own here, which is a stream of the GPU's: the kernels of one play run beside those of others, and
 * fill what those leave idle. This was measured against launches that did the same kernel for several plays at
 * once, which had to wait for each other, and did half as much.
 */
#include "shared_gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { IDLE = 4096 }; /* turns without an order, after which it sleeps between them */

/* Memory of the GPU, which is kept for the place's next play. */
typedef struct owned_room {
  void *at;
  size_t bytes;
  int used;
} owned_room;

/* What the server knows of a place. */
typedef struct client_side {
  ofw_machine *m; /* NULL: nobody was there so far */
  owned_room *room;
  size_t rooms;
  size_t seen; /* bytes of the place's that the GPU sees */
  /* its last search, which is on until this reply has this ticket */
  const ofw_reply *reply;
  uint64_t ticket;
} client_side;

/* ---- memory ---- */

static void free_unused(client_side *c)
{
  size_t kept = 0;
  for (size_t i = 0; i < c->rooms; i++)
    if (c->room[i].used)
      c->room[kept++] = c->room[i];
    else
      c->m->ops->drop(c->m, c->room[i].at);
  c->rooms = kept;
}

static void *find_room(const client_side *c, size_t bytes)
{
  for (size_t i = 0; i < c->rooms; i++)
    if (!c->room[i].used && c->room[i].bytes == bytes) {
      c->m->ops->copy(c->m, c->room[i].at, NULL, bytes);
      c->room[i].used = 1;
      return c->room[i].at;
    }
  return NULL;
}

static void *open_room(client_side *c, size_t bytes)
{
  owned_room *more = realloc(c->room, (c->rooms + 1) * sizeof *more);
  if (!more)
    return NULL;
  c->room = more;
  void *at = c->m->ops->room(c->m, bytes);
  if (!at) {
    free_unused(c);
    at = c->m->ops->room(c->m, bytes);
  }
  if (at)
    c->room[c->rooms++] = (owned_room){at, bytes, 1};
  return at;
}

/* at NULL: all that the place has. */
static void release(const client_side *c, const void *at)
{
  for (size_t i = 0; i < c->rooms; i++)
    if (!at || c->room[i].at == at)
      c->room[i].used = 0;
}

enum { PART = 1 << 21 };

/* So many bytes of the place's memory are seen by the GPU, in large parts. */
static void *show(client_side *c, ofw_share_place *p, size_t bytes)
{
  const size_t end = (bytes + PART - 1) / PART * PART;
  if (bytes > c->seen && c->m->ops->see(c->m, p->seen + c->seen, end - c->seen))
    c->seen = end;
  return bytes <= c->seen ? p->seen : NULL;
}

/* How many bytes from `at` on are of one part, if it is memory of the place. */
static size_t within_part(const ofw_share_place *p, const char *at, size_t bytes)
{
  size_t from = (size_t)((uintptr_t)at - (uintptr_t)p->seen), left = PART - from % PART;
  return from < OFW_SHARE_SEEN && left < bytes ? left : bytes;
}

/* No copy goes from one part into another. */
static void do_copy(client_side *c, const ofw_share_place *p, const ofw_order *order)
{
  char *to = order->room;
  const char *from = order->from;
  for (size_t at = 0, n; at < order->bytes; at += n) {
    n = within_part(p, to + at, order->bytes - at);
    n = from ? within_part(p, from + at, n) : n;
    c->m->ops->copy(c->m, to + at, from ? from + at : NULL, n);
  }
}

static void do_memory(client_side *c, ofw_share_place *p, const ofw_order *order)
{
  if (order->kind == OFW_ORDER_ROOM) {
    p->given = find_room(c, order->bytes);
    if (!p->given)
      p->given = open_room(c, order->bytes);
  } else if (order->kind == OFW_ORDER_SEE)
    p->given = show(c, p, order->bytes);
  else if (order->kind == OFW_ORDER_DROP)
    release(c, order->room);
  else {
    if (c->reply)
      c->m->ops->wait(c->m); /* the next play has the same memory for its replies */
    c->reply = NULL;
    release(c, NULL);
  }
}

/* ---- searches ----
 *
 * The blocks of one wait for each other, so all of them must be on the GPU at once, and d stays in their registers: one search is
 * on at a time. More at a time, with fewer blocks each, were measured: two did no more, three to eight less.
 */

static int is_searching(const client_side *c)
{
  return c->reply && __atomic_load_n((const uint64_t *)&c->reply->ticket, __ATOMIC_ACQUIRE) < c->ticket;
}

static int anyone_searches(const client_side *all, size_t places)
{
  for (size_t i = 0; i < places; i++)
    if (is_searching(&all[i]))
      return 1;
  return 0;
}

static void start_steps(client_side *c, const ofw_order *order)
{
  const ofw_search_plan *plan = (const void *)order->args;
  c->ticket = ofw_search_step(plan, order->slots - 1, 0).ticket;
  c->reply = &plan->of.reply[c->ticket % plan->of.replies];
  c->m->ops->steps(c->m, plan, order->slots);
}

/* ---- orders ---- */

/* The place's next; NULL: there is none. */
static const ofw_order *next_of(const ofw_share_place *p)
{
  return __atomic_load_n(&p->asked, __ATOMIC_ACQUIRE) != p->taken ? &p->order[p->taken % OFW_SHARE_ORDERS] : NULL;
}

static void take(ofw_share_place *p)
{
  __atomic_store_n(&p->taken, p->taken + 1, __ATOMIC_RELEASE);
}

/* All that place i asks for, but a search while another one is on; how much that is. Why, if the GPU fails. */
static uint32_t do_orders(ofw_cuda_share *share, client_side *side, size_t i)
{
  ofw_share_place *p = &share->place[i];
  client_side *c = &side[i];
  char *why = share->why;
  uint32_t n = 0;
  for (const ofw_order *order; (order = next_of(p)); n++) {
    if (!c->m && !(c->m = ofw_machine_open(why, OFW_CUDA_TEXT)))
      break;
    if (order->kind == OFW_ORDER_STEPS && anyone_searches(side, share->places))
      break;
    if (order->kind == OFW_ORDER_RUN)
      c->m->ops->run(c->m, order->which, order->blocks, order->args);
    else if (order->kind == OFW_ORDER_COPY)
      do_copy(c, p, order);
    else if (order->kind == OFW_ORDER_STEPS)
      start_steps(c, order);
    else
      do_memory(c, p, order);
    take(p);
  }
  if (c->m && c->m->ops->failed(c->m))
    snprintf(why, OFW_CUDA_TEXT, "%s", c->m->ops->failed(c->m));
  return n;
}

/* Until the GPU fails. */
static void serve(ofw_cuda_share *share, client_side *side)
{
  for (unsigned idle = 0;; idle++) {
    for (size_t i = 0; i < share->places; i++) {
      if (do_orders(share, side, i) > 0)
        idle = 0;
      if (share->why[0])
        return;
    }
    if (idle > IDLE)
      nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
  }
}

void ofw_share_serve(ofw_cuda_share *share)
{
  client_side *side = calloc(share->places, sizeof *side);
  pthread_mutex_lock(&share->server);
  __atomic_store_n(&share->begun, 1, __ATOMIC_RELEASE);
  if (side)
    serve(share, side);
  else
    snprintf(share->why, sizeof share->why, "out of memory");
  __atomic_store_n(&share->failed, 1, __ATOMIC_RELEASE);
}
