/* processor.c — the kernels run by this processor, block by block and thread by thread: what tests compare with
 *
 * It is built into tests alone. A kernel has ended when its call returns, so there is never anything to wait for.
 */
#include "machine.h"

#include <stdlib.h>
#include <string.h>

struct ofw_machine {
  ofw_search_args search;
  uint32_t slot; /* the next that it does */
};

ofw_machine *ofw_machine_open(char *why, size_t length)
{
  (void)why;
  (void)length;
  return calloc(1, sizeof(ofw_machine));
}

void ofw_machine_close(ofw_machine *m)
{
  free(m);
}

const char *ofw_machine_failed(const ofw_machine *m)
{
  (void)m;
  return NULL;
}

void *ofw_machine_room(ofw_machine *m, size_t bytes)
{
  (void)m;
  return calloc(1, bytes > 0 ? bytes : 1);
}

void *ofw_machine_seen(ofw_machine *m, size_t bytes)
{
  return ofw_machine_room(m, bytes);
}

void ofw_machine_drop(ofw_machine *m, void *room)
{
  (void)m;
  free(room);
}

void ofw_machine_drop_seen(ofw_machine *m, void *seen)
{
  ofw_machine_drop(m, seen);
}

void ofw_machine_copy(ofw_machine *m, void *to, const void *from, size_t bytes)
{
  (void)m;
  if (bytes > 0)
    memcpy(to, from, bytes);
}

void ofw_machine_clear(ofw_machine *m, void *to, size_t bytes)
{
  (void)m;
  memset(to, 0, bytes);
}

int ofw_machine_wait(ofw_machine *m)
{
  (void)m;
  return 1;
}

int ofw_machine_await(ofw_machine *m, const ofw_reply *reply, uint64_t ticket)
{
  (void)m;
  return reply->ticket >= ticket;
}

#define OFW_PHASES(name, shared, threads, phases, ...)                       \
  for (uint32_t block = 0; block < blocks; block++) {                        \
    shared s;                                                                \
    memset(&s, 0xff, sizeof s); /* NaN: nothing is there already */          \
    for (int phase = 0; phase < (phases); phase++)                           \
      for (uint32_t thread = 0; thread < (threads); thread++)                \
        ofw_##name(k, (ofw_lane){block, blocks, thread}, __VA_ARGS__ phase); \
  }
#define OFW_SIMPLE(name, args)                                        \
  void ofw_run_##name(ofw_machine *m, uint32_t blocks, const args *k) \
  {                                                                   \
    (void)m;                                                          \
    for (uint32_t block = 0; block < blocks; block++)                 \
      for (uint32_t thread = 0; thread < OFW_THREADS; thread++)       \
        ofw_##name(k, (ofw_lane){block, blocks, thread});             \
  }
#define OFW_PHASED(name, args, shared, phases)                        \
  void ofw_run_##name(ofw_machine *m, uint32_t blocks, const args *k) \
  {                                                                   \
    (void)m;                                                          \
    OFW_PHASES(name, shared, OFW_THREADS, phases, &s, )               \
  }
#define OFW_OWN(name, args, shared, mine, threads, phases)            \
  void ofw_run_##name(ofw_machine *m, uint32_t blocks, const args *k) \
  {                                                                   \
    (void)m;                                                          \
    mine own[threads] = {{{{0.0}}, 0}};                               \
    OFW_PHASES(name, shared, threads, phases, &own[thread], &s, )     \
  }
OFW_KERNELS(OFW_SIMPLE, OFW_PHASED, OFW_OWN)

/* ---- a search ---- */

static void do_collect(uint32_t blocks, const ofw_ortho_args *k)
{
  OFW_PHASES(collect, ofw_ortho_shared, OFW_WIDE, OFW_COLLECT_PHASES, &s, )
}

static void do_again(uint32_t blocks, const ofw_ortho_args *k)
{
  OFW_PHASES(again, ofw_ortho_shared, OFW_WIDE, OFW_AGAIN_PHASES, &s, )
}

static void do_unit(uint32_t blocks, const ofw_ortho_args *k)
{
  OFW_PHASES(unit, ofw_ortho_shared, OFW_WIDE, OFW_UNIT_PHASES, &s, )
}

static void make_orthogonal(ofw_machine *m, uint32_t slot, int draw)
{
  ofw_ortho_args k = ofw_search_ortho(&m->search, slot, draw);
  do_collect(ofw_ortho_blocks(&k), &k);
  do_again(ofw_ortho_blocks(&k), &k);
  do_unit(ofw_unit_blocks(&k), &k);
  ofw_search_reply(&m->search, slot, draw);
}

void ofw_machine_grant(ofw_machine *m, uint32_t slots)
{
  for (; m->slot < slots && m->slot < m->search.most; m->slot++) {
    ofw_pass_args k = ofw_search_pass(&m->search, m->slot);
    ofw_run_pass_body(m, ofw_pass_bands(&k), &k);
    make_orthogonal(m, m->slot, 0);
  }
}

void ofw_machine_search(ofw_machine *m, const ofw_search_args *k, uint32_t slots)
{
  m->search = *k;
  m->slot = k->first;
  if (k->draw)
    make_orthogonal(m, m->slot, 1);
  ofw_machine_grant(m, slots);
}
