/* plain.c — the kernels run by this processor, block by block and thread by thread: what tests compare with
 *
 * It is built into tests alone. A kernel has ended when its call returns, so there is never anything to wait for.
 */
#include "machine.h"

#include <stdlib.h>
#include <string.h>

struct ofw_machine {
  int unused;
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

#define OFW_SIMPLE(name, args)                                        \
  void ofw_run_##name(ofw_machine *m, uint32_t blocks, const args *k) \
  {                                                                   \
    (void)m;                                                          \
    for (uint32_t block = 0; block < blocks; block++)                 \
      for (uint32_t thread = 0; thread < OFW_THREADS; thread++)       \
        ofw_##name(k, (ofw_lane){block, blocks, thread});             \
  }
#define OFW_PHASED(name, args, shared, phases)                         \
  void ofw_run_##name(ofw_machine *m, uint32_t blocks, const args *k)  \
  {                                                                    \
    (void)m;                                                           \
    for (uint32_t block = 0; block < blocks; block++) {                \
      shared s;                                                        \
      memset(&s, 0xff, sizeof s); /* NaN: nothing is there already */  \
      for (int phase = 0; phase < (phases); phase++)                   \
        for (uint32_t thread = 0; thread < OFW_THREADS; thread++)      \
          ofw_##name(k, (ofw_lane){block, blocks, thread}, &s, phase); \
    }                                                                  \
  }
#define OFW_OWN(name, args, shared, mine, threads, phases)                           \
  void ofw_run_##name(ofw_machine *m, uint32_t blocks, const args *k)                \
  {                                                                                  \
    (void)m;                                                                         \
    mine own[threads];                                                               \
    for (uint32_t block = 0; block < blocks; block++) {                              \
      shared s;                                                                      \
      memset(&s, 0xff, sizeof s);                                                    \
      for (int phase = 0; phase < (phases); phase++)                                 \
        for (uint32_t thread = 0; thread < (threads); thread++)                      \
          ofw_##name(k, (ofw_lane){block, blocks, thread}, &own[thread], &s, phase); \
    }                                                                                \
  }
OFW_KERNELS(OFW_SIMPLE, OFW_PHASED, OFW_OWN)
