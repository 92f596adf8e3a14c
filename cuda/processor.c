/* processor.c — the kernels run by this processor, block by block and thread by thread: what tests compare with
 *
 * It is built into tests alone. A kernel has ended when its call returns, so there is never anything to wait for.
 */
#include "processor_narrow.h"
#include "search_steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct processor {
  ofw_machine base;
  ofw_steps steps;
  int failed;
} processor;

static void close_machine(ofw_machine *m)
{
  free(m);
}

static const char *failed(const ofw_machine *m)
{
  return ((const processor *)m)->failed ? "out of memory" : NULL;
}

static void *room(ofw_machine *m, size_t bytes)
{
  (void)m;
  return calloc(1, bytes > 0 ? bytes : 1);
}

static int see(ofw_machine *m, void *here, size_t bytes)
{
  (void)m;
  (void)here;
  (void)bytes;
  return 1;
}

static void drop(ofw_machine *m, void *room)
{
  (void)m;
  free(room);
}

static void copy(ofw_machine *m, void *to, const void *from, size_t bytes)
{
  (void)m;
  if (bytes > 0 && from)
    memcpy(to, from, bytes);
  if (!from)
    memset(to, 0, bytes);
}

static int fetch(ofw_machine *m, void *to, const void *from, size_t bytes)
{
  copy(m, to, from, bytes);
  return 1;
}

static int wait(ofw_machine *m)
{
  (void)m;
  return 1;
}

static void look(ofw_machine *m)
{
  (void)m;
}

static int await(ofw_machine *m, const ofw_reply *reply, uint64_t ticket)
{
  (void)m;
  return reply->ticket >= ticket;
}

/* ---- kernels ---- */

#define OFW_PHASES(threads, phases, call)                           \
  for (uint32_t block = 0; block < blocks; block++) {               \
    memset(&s, 0xff, sizeof s); /* NaN: nothing is there already */ \
    for (int phase = 0; phase < (phases); phase++)                  \
      for (uint32_t thread = 0; thread < (threads); thread++) {     \
        ofw_lane l = {block, blocks, thread};                       \
        call;                                                       \
      }                                                             \
  }
#define OFW_EACH_THREAD(call)                                   \
  for (uint32_t block = 0; block < blocks; block++)             \
    for (uint32_t thread = 0; thread < OFW_THREADS; thread++) { \
      const ofw_lane l = {block, blocks, thread};               \
      call;                                                     \
    }
#define OFW_SIMPLE(name, args_type, nothing)               \
  static void do_##name(uint32_t blocks, const void *args) \
  {                                                        \
    const args_type *k = args;                             \
    OFW_EACH_THREAD(ofw_##name(k, l))                      \
  }
#define OFW_OVER(name, args_type, floats)                  \
  static void do_##name(uint32_t blocks, const void *args) \
  {                                                        \
    const args_type *k = args;                             \
    OFW_EACH_THREAD(ofw_##name(k, l, k->floats))           \
  }
#define OFW_SUMMED(name, args_type, floats)                                            \
  static void do_##name(uint32_t blocks, const void *args)                             \
  {                                                                                    \
    const args_type *k = args;                                                         \
    ofw_sums s;                                                                        \
    OFW_PHASES(OFW_THREADS, 1 + OFW_SUM_PHASES,                                        \
               if (phase == 0) ofw_sums_keep(&s, thread, ofw_##name(k, l, k->floats)); \
               else ofw_sums_phase(&k->to, l, &s, phase - 1))                          \
  }
#define OFW_PHASED(name, args_type, shared, phases)              \
  static void do_##name(uint32_t blocks, const void *args)       \
  {                                                              \
    const args_type *k = args;                                   \
    shared s;                                                    \
    OFW_PHASES(OFW_THREADS, phases, ofw_##name(k, l, &s, phase)) \
  }
#define OFW_WIDER(name, args_type, shared, phases)                        \
  static void do_##name(uint32_t blocks, const void *args)                \
  {                                                                       \
    const args_type *k = args;                                            \
    shared s;                                                             \
    OFW_PHASES(OFW_WIDE, phases, ofw_##name(&k->of, k->at, l, &s, phase)) \
  }
#define OFW_OWN(name, args_type, shared, phases)                                        \
  static void do_##name(uint32_t blocks, const void *args)                              \
  {                                                                                     \
    const args_type *k = args;                                                          \
    ofw_pass_own own[OFW_WIDE] = {{{{0.0}}, 0}};                                        \
    shared s;                                                                           \
    OFW_PHASES(OFW_WIDE, phases, ofw_##name(&k->of, k->at, l, &own[thread], &s, phase)) \
  }
OFW_KERNELS(OFW_SIMPLE, OFW_OVER, OFW_SUMMED, OFW_PHASED, OFW_WIDER, OFW_OWN)

#define OFW_DO(name, ...) do_##name,
static void (*const kernels[])(uint32_t blocks,
                               const void *args) = {OFW_KERNELS(OFW_DO, OFW_DO, OFW_DO, OFW_DO, OFW_DO, OFW_DO)};

static void run(ofw_machine *m, ofw_kernel which, uint32_t blocks, const void *args)
{
  (void)m;
  kernels[which](blocks, args);
}

static void grant(ofw_machine *m, uint32_t slots)
{
  ofw_steps_grant(&((processor *)m)->steps, m, slots);
}

static void search(ofw_machine *m, const ofw_search_plan *plan, uint32_t slots)
{
  ofw_steps_begin(&((processor *)m)->steps, m, plan, slots);
}

static void steps(ofw_machine *m, const ofw_search_plan *plan, uint32_t slots)
{
  if (!plan->narrow)
    search(m, plan, slots);
  else if (!ofw_processor_narrow(plan, slots))
    ((processor *)m)->failed = 1;
}

ofw_machine *ofw_machine_open(char *why, size_t length)
{
  static const ofw_machine_ops ops = {.close = close_machine,
                                      .failed = failed,
                                      .room = room,
                                      .seen = room,
                                      .see = see,
                                      .drop = drop,
                                      .drop_seen = drop,
                                      .send = copy,
                                      .fetch = fetch,
                                      .copy = copy,
                                      .wait = wait,
                                      .await = await,
                                      .look = look,
                                      .run = run,
                                      .search = search,
                                      .grant = grant,
                                      .steps = steps};
  processor *p = calloc(1, sizeof *p);
  if (!p) {
    snprintf(why, length, "out of memory");
    return NULL;
  }
  p->base = (ofw_machine){.ops = &ops, .narrow = UINT32_MAX};
  return &p->base;
}
