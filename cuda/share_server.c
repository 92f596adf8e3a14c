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

/* So many bytes of the place's memory are seen by the GPU, in large parts. */
static void *show(client_side *c, ofw_share_place *p, size_t bytes)
{
  const size_t part = 1 << 21, end = (bytes + part - 1) / part * part;
  if (bytes > c->seen && c->m->ops->see(c->m, p->seen + c->seen, end - c->seen))
    c->seen = end;
  return bytes <= c->seen ? p->seen : NULL;
}

static void do_memory(client_side *c, ofw_share_place *p, const ofw_order *order)
{
  if (order->kind == OFW_ORDER_ROOM) {
    p->given = find_room(c, order->bytes);
    if (!p->given)
      p->given = open_room(c, order->bytes);
  } else if (order->kind == OFW_ORDER_SEE)
    p->given = show(c, p, order->bytes);
  else
    release(c, order->kind == OFW_ORDER_DROP ? order->room : NULL);
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

/* All that a place asks for; how much that is. Why, if the GPU fails. */
static uint32_t do_orders(ofw_share_place *p, client_side *c, char why[OFW_CUDA_TEXT])
{
  uint32_t n = 0;
  for (const ofw_order *order; (order = next_of(p)); n++) {
    if (!c->m && !(c->m = ofw_machine_open(why, OFW_CUDA_TEXT)))
      break;
    if (order->kind == OFW_ORDER_RUN)
      c->m->ops->run(c->m, order->which, order->blocks, order->args);
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
      if (do_orders(&share->place[i], &side[i], share->why) > 0)
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
