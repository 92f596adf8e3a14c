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
  uint32_t blocks; /* of it, or of one before that may still be on */
} client_side;

typedef struct server {
  ofw_cuda_share *share;
  client_side *side;
  uint32_t most; /* blocks of searches, at the same time */
  int64_t next;  /* the place whose search waits for the others to end; -1: none does */
} server;

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
    c->m->ops->wait(c->m); /* the next play has the same memory for its replies */
    c->reply = NULL;
    release(c, NULL);
  }
}

/* ---- searches ----
 *
 * The blocks of one wait for each other, so all of them must be on the GPU at once. One in d takes all multiprocessors, a narrow one
 * some of them. A search that has no room is the next to begin: until then no other one does.
 */

static int is_searching(const client_side *c)
{
  return c->reply && __atomic_load_n((const uint64_t *)&c->reply->ticket, __ATOMIC_ACQUIRE) < c->ticket;
}

/* Whether place i may have searches of so many blocks: they run one after the other. */
static int has_room(const server *of, size_t i, uint32_t blocks)
{
  uint32_t others = 0;
  if (of->next >= 0 && of->next != (int64_t)i)
    return 0;
  for (size_t k = 0; k < of->share->places; k++)
    others += k != i && is_searching(&of->side[k]) ? of->side[k].blocks : 0;
  return others + blocks <= of->most;
}

/* 0: it has to wait. */
static int start_steps(server *of, size_t i, const ofw_order *order)
{
  const ofw_search_plan *plan = (const void *)order->args;
  client_side *c = &of->side[i];
  uint32_t blocks = plan->narrow ? plan->narrow : of->most;
  if (is_searching(c) && c->blocks > blocks)
    blocks = c->blocks; /* the one before is still on */
  if (!has_room(of, i, blocks)) {
    of->next = of->next < 0 ? (int64_t)i : of->next;
    return 0;
  }
  of->next = -1;
  c->blocks = blocks;
  c->ticket = plan->narrow ? plan->left_ticket : ofw_search_step(plan, order->slots - 1, 0).ticket;
  c->reply = plan->narrow ? plan->left : &plan->of.reply[c->ticket % plan->of.replies];
  c->m->ops->steps(c->m, plan, order->slots);
  return 1;
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

/* The place's machine, opened when it is first asked for. */
static int open_machine(server *of, size_t i)
{
  client_side *c = &of->side[i];
  if (!c->m)
    c->m = ofw_machine_open(of->share->why, OFW_CUDA_TEXT);
  if (!c->m)
    return 0;
  of->share->place[i].narrow = c->m->narrow;
  of->most = c->m->narrow > 0 ? c->m->narrow : 1;
  return 1;
}

/* All that place i asks for, but a search that has to wait; how much that is. Why, if the GPU fails. */
static uint32_t do_orders(server *of, size_t i)
{
  ofw_share_place *p = &of->share->place[i];
  client_side *c = &of->side[i];
  uint32_t n = 0;
  for (const ofw_order *order; (order = next_of(p)); n++) {
    if (!open_machine(of, i) || (order->kind == OFW_ORDER_STEPS && !start_steps(of, i, order)))
      break;
    if (order->kind == OFW_ORDER_RUN)
      c->m->ops->run(c->m, order->which, order->blocks, order->args);
    else if (order->kind == OFW_ORDER_COPY)
      do_copy(c, p, order);
    else if (order->kind != OFW_ORDER_STEPS)
      do_memory(c, p, order);
    take(p);
  }
  if (c->m && c->m->ops->failed(c->m))
    snprintf(of->share->why, OFW_CUDA_TEXT, "%s", c->m->ops->failed(c->m));
  return n;
}

/* A GPU that fails while all plays wait for it is noticed too. */
static void rest(const server *of)
{
  for (size_t i = 0; i < of->share->places; i++)
    if (of->side[i].m)
      of->side[i].m->ops->look(of->side[i].m);
  nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
}

/* Until the GPU fails. */
static void serve(server *of)
{
  for (unsigned idle = 0;; idle++) {
    for (size_t i = 0; i < of->share->places; i++) {
      if (do_orders(of, i) > 0)
        idle = 0;
      if (of->share->why[0])
        return;
    }
    if (idle > IDLE)
      rest(of);
  }
}

void ofw_share_serve(ofw_cuda_share *share)
{
  server of = {share, calloc(share->places, sizeof *of.side), 1, -1};
  pthread_mutex_lock(&share->server);
  __atomic_store_n(&share->begun, 1, __ATOMIC_RELEASE);
  if (of.side)
    serve(&of);
  else
    snprintf(share->why, sizeof share->why, "out of memory");
  __atomic_store_n(&share->failed, 1, __ATOMIC_RELEASE);
}
