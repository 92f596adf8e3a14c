/* share_client.c — the machine of a play that shares a GPU: orders to the process that has it */
#include "shared_gpu.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GRANTS = 64 }; /* searches that have not ended, at most */

typedef struct client {
  ofw_machine base;
  ofw_cuda_share *share;
  ofw_share_place *at;
  ofw_search_plan plan; /* of the search that is on */
  uint32_t slot;        /* the first that is not ordered */
  uint32_t *granted;    /* to narrow searches, by turns */
  uint64_t searches;    /* narrow ones */
  ofw_reply *left;      /* of the last of them that has ended */
  size_t seen;          /* bytes that are given out */
  char *copy;           /* of OFW_SHARE_COPY bytes: what goes to the GPU, or comes */
  ofw_reply *reply;     /* of this play's own waits */
  uint64_t ticket;
} client;

static client *of(const ofw_machine *m)
{
  return (client *)(uintptr_t)m;
}

static const char *failed(const ofw_machine *m)
{
  const ofw_cuda_share *s = of(m)->share;
  return __atomic_load_n(&s->failed, __ATOMIC_ACQUIRE) ? s->why : NULL;
}

/* Another turn of waiting: now and then others may have the processor, and the server must live. 0: it does not. */
static int turn(client *c, unsigned *turns)
{
  ofw_cuda_share *s = c->share;
  if (++*turns % 1024 == 0)
    sched_yield();
  if (*turns % (1u << 14) == 0 && !failed(&c->base) && !ofw_share_lives(&s->server)) {
    snprintf(s->why, sizeof s->why, "the process that has the GPU has ended");
    __atomic_store_n(&s->failed, 1, __ATOMIC_RELEASE);
  }
  return !failed(&c->base);
}

static int await(ofw_machine *m, const ofw_reply *reply, uint64_t ticket)
{
  for (unsigned turns = 0; __atomic_load_n((const uint64_t *)&reply->ticket, __ATOMIC_ACQUIRE) < ticket;)
    if (!turn(of(m), &turns))
      return 0;
  return 1;
}

/* ---- orders ---- */

/* Until at most so many orders are not taken. */
static int drain(client *c, uint64_t most)
{
  for (unsigned turns = 0; c->at->asked - __atomic_load_n(&c->at->taken, __ATOMIC_ACQUIRE) > most;)
    if (!turn(c, &turns))
      return 0;
  return 1;
}

/* The next one, to be written; NULL: nothing is done any more. */
static ofw_order *next_order(client *c, ofw_order_kind kind)
{
  if (failed(&c->base) || !drain(c, OFW_SHARE_ORDERS - 1))
    return NULL;
  ofw_order *order = &c->at->order[c->at->asked % OFW_SHARE_ORDERS];
  order->kind = kind;
  return order;
}

static void send_order(client *c)
{
  __atomic_store_n(&c->at->asked, c->at->asked + 1, __ATOMIC_RELEASE);
}

#define OFW_SIZE(name, args, ...) \
  _Static_assert(sizeof(args) <= OFW_SHARE_ARGS, "an order has room for what " #name " is told");
OFW_KERNELS(OFW_SIZE, OFW_SIZE, OFW_SIZE, OFW_SIZE, OFW_SIZE, OFW_SIZE)
#define OFW_BYTES(name, args, ...) sizeof(args),
static const size_t args_bytes[] = {OFW_KERNELS(OFW_BYTES, OFW_BYTES, OFW_BYTES, OFW_BYTES, OFW_BYTES, OFW_BYTES)};

static void run(ofw_machine *m, ofw_kernel which, uint32_t blocks, const void *args)
{
  ofw_order *order = next_order(of(m), OFW_ORDER_RUN);
  if (!order)
    return;
  order->which = which;
  order->blocks = blocks;
  memcpy(order->args, args, args_bytes[which]);
  send_order(of(m));
}

static int wait(ofw_machine *m)
{
  client *c = of(m);
  const ofw_answer_args k = {.reply = c->reply, .ticket = ++c->ticket};
  ofw_run_answer(m, 1, &k);
  return await(m, c->reply, c->ticket);
}

/* ---- memory ---- */

/* What the server gives for so many bytes. */
static void *ask_for(client *c, ofw_order_kind kind, size_t bytes)
{
  ofw_order *order = next_order(c, kind);
  if (!order)
    return NULL;
  order->bytes = bytes;
  send_order(c);
  return drain(c, 0) ? c->at->given : NULL;
}

static void *room(ofw_machine *m, size_t bytes)
{
  return ask_for(of(m), OFW_ORDER_ROOM, bytes);
}

static void drop(ofw_machine *m, void *room)
{
  client *c = of(m);
  ofw_order *order = room ? next_order(c, OFW_ORDER_DROP) : NULL;
  if (!order)
    return;
  order->room = room;
  send_order(c);
}

/* Out of the place's own memory. */
static void *seen(ofw_machine *m, size_t bytes)
{
  client *c = of(m);
  size_t end = c->seen + (bytes + 15) / 16 * 16;
  if (bytes > OFW_SHARE_SEEN - c->seen || !ask_for(c, OFW_ORDER_SEE, end))
    return NULL;
  void *at = memset(c->at->seen + c->seen, 0, bytes);
  c->seen = end;
  return at;
}

/* It goes with the play. */
static void drop_seen(ofw_machine *m, void *seen)
{
  (void)m;
  (void)seen;
}

static void copy(ofw_machine *m, void *to, const void *from, size_t bytes)
{
  ofw_order *order = next_order(of(m), OFW_ORDER_COPY);
  if (!order)
    return;
  order->room = to;
  order->from = from;
  order->bytes = bytes;
  send_order(of(m));
}

static void send(ofw_machine *m, void *to, const void *from, size_t bytes)
{
  for (size_t at = 0, part; at < bytes; at += part) {
    part = bytes - at < OFW_SHARE_COPY ? bytes - at : OFW_SHARE_COPY;
    memcpy(of(m)->copy, (const char *)from + at, part);
    copy(m, (char *)to + at, of(m)->copy, part);
    if (!wait(m))
      return;
  }
}

static int fetch(ofw_machine *m, void *to, const void *from, size_t bytes)
{
  for (size_t at = 0, part; at < bytes; at += part) {
    part = bytes - at < OFW_SHARE_COPY ? bytes - at : OFW_SHARE_COPY;
    copy(m, of(m)->copy, (const char *)from + at, part);
    if (!wait(m))
      return 0;
    memcpy((char *)to + at, of(m)->copy, part);
  }
  return 1;
}

/* ---- a search ---- */

_Static_assert(sizeof(ofw_search_plan) <= OFW_SHARE_ARGS, "an order has room for a search");

static void order_steps(client *c, const ofw_search_plan *plan, uint32_t slots)
{
  ofw_order *order = next_order(c, OFW_ORDER_STEPS);
  if (!order)
    return;
  c->slot = order->slots = slots < plan->most ? slots : plan->most;
  memcpy(order->args, plan, sizeof *plan);
  send_order(c);
}

/* A narrow one asks this program itself. Those that have not ended have other words for it. */
static void search(ofw_machine *m, const ofw_search_plan *plan, uint32_t slots)
{
  client *c = of(m);
  c->plan = *plan;
  if (plan->narrow) {
    uint32_t *granted = &c->granted[++c->searches % GRANTS];
    __atomic_store_n(granted, slots, __ATOMIC_RELEASE);
    c->plan.granted = granted;
    c->plan.left = c->left;
    c->plan.left_ticket = c->searches;
  }
  order_steps(c, &c->plan, slots);
}

/* What was ordered ends by itself, and the rest is another order. */
static void grant(ofw_machine *m, uint32_t slots)
{
  client *c = of(m);
  ofw_search_plan rest = c->plan;
  if (c->plan.narrow)
    __atomic_store_n(&c->granted[c->searches % GRANTS], slots, __ATOMIC_RELEASE);
  if (c->plan.narrow || slots <= c->slot || c->slot == rest.most)
    return;
  rest.first = ofw_search_step(&c->plan, c->slot, 0);
  rest.first.ticket--;
  order_steps(c, &rest, slots);
}

/* ---- opening and closing ---- */

static void close_machine(ofw_machine *m)
{
  client *c = of(m);
  if (next_order(c, OFW_ORDER_LEAVE))
    send_order(c);
  drain(c, 0);
  pthread_mutex_unlock(&c->at->owner);
  free(c);
}

/* A place that nobody has; one whose owner has died is free again. */
static ofw_share_place *take_place(ofw_cuda_share *share)
{
  for (size_t i = 0; i < share->places; i++) {
    ofw_share_place *at = &share->place[i];
    int found = pthread_mutex_trylock(&at->owner);
    if (found == EOWNERDEAD)
      pthread_mutex_consistent(&at->owner);
    if (found == 0 || found == EOWNERDEAD)
      return at;
  }
  return NULL;
}

ofw_machine *ofw_share_machine(ofw_cuda_share *share, char *why, size_t length)
{
  static const ofw_machine_ops ops = {.close = close_machine,
                                      .failed = failed,
                                      .room = room,
                                      .seen = seen,
                                      .drop = drop,
                                      .drop_seen = drop_seen,
                                      .send = send,
                                      .fetch = fetch,
                                      .copy = copy,
                                      .wait = wait,
                                      .await = await,
                                      .run = run,
                                      .search = search,
                                      .grant = grant};
  client *c = calloc(1, sizeof *c);
  ofw_share_place *at = c ? take_place(share) : NULL;
  if (!at) {
    snprintf(why, length, c ? "more plays share the GPU than there are places" : "out of memory");
    free(c);
    return NULL;
  }
  *c = (client){.base = {.ops = &ops, .shared = 1}, .share = share, .at = at};
  if (next_order(c, OFW_ORDER_LEAVE)) /* what a play that died has left there */
    send_order(c);
  c->reply = seen(&c->base, sizeof *c->reply);
  c->left = seen(&c->base, sizeof *c->left);
  c->granted = seen(&c->base, GRANTS * sizeof *c->granted);
  c->copy = seen(&c->base, OFW_SHARE_COPY);
  if (c->reply && c->left && c->granted && c->copy && wait(&c->base)) {
    c->base.narrow = c->at->narrow;
    return &c->base;
  }
  snprintf(why, length, "%s", failed(&c->base) ? failed(&c->base) : "no memory can be shared with the GPU");
  close_machine(&c->base);
  return NULL;
}
