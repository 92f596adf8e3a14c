/* reply.h — two numbers that all threads of all blocks add up, for this program to read */
#pragma once

#include "lane.h"

typedef struct ofw_reply { /* in memory that both see */
  double value[2];
  volatile uint64_t ticket;
} ofw_reply;

typedef struct ofw_report {
  double *parts; /* two per block */
  uint32_t *counter;
  ofw_reply *reply;
  uint64_t ticket; /* written last */
  int largest;     /* 1: the first number is the largest of all, in which NaN does not count */
} ofw_report;

typedef struct ofw_sums {
  double value[2][OFW_THREADS];
  double part[2][OFW_LANES];
  int last;
} ofw_sums;

enum { OFW_SUM_PHASES = 6 }; /* the kernel's own, in which every thread sets s->value, and five for the sums */

static inline OFW_BOTH double ofw_join(const ofw_report *to, uint32_t which, double a, double b)
{
  if (to->largest && which == 0)
    return b > a ? b : a;
  return a + b;
}

static inline OFW_BOTH void ofw_answer_now(ofw_reply *reply, double first, double second, uint64_t ticket)
{
  reply->value[0] = first;
  reply->value[1] = second;
#ifdef __CUDA_ARCH__
  ofw_fence_all();
  reply->ticket = ticket;
#else
  __atomic_store_n(&reply->ticket, ticket, __ATOMIC_RELEASE);
#endif
}

/* 256 numbers to 32, and 32 to one. */
static inline OFW_BOTH void ofw_fold_lanes(const ofw_report *to, uint32_t thread, ofw_sums *s)
{
  uint32_t which = thread / OFW_LANES, lane = thread % OFW_LANES;
  if (which >= 2)
    return;
  double sum = 0.0;
  for (uint32_t k = lane; k < OFW_THREADS; k += OFW_LANES)
    sum = ofw_join(to, which, sum, s->value[which][k]);
  s->part[which][lane] = sum;
}

static inline OFW_BOTH double ofw_fold_parts(const ofw_report *to, uint32_t which, const ofw_sums *s)
{
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  for (uint32_t lane = 0; lane < OFW_LANES; lane++)
    sum[lane % 4] = ofw_join(to, which, sum[lane % 4], s->part[which][lane]);
  return ofw_join(to, which, ofw_join(to, which, sum[0], sum[1]), ofw_join(to, which, sum[2], sum[3]));
}

static inline OFW_BOTH void ofw_sums_phase(const ofw_report *to, ofw_lane l, ofw_sums *s, int phase)
{
  if (phase == 1)
    ofw_fold_lanes(to, l.thread, s);
  if (phase == 2 && l.thread == 0) {
    for (uint32_t which = 0; which < 2; which++)
      to->parts[2 * l.block + which] = ofw_fold_parts(to, which, s);
    ofw_fence();
    s->last = ofw_is_last(to->counter, l.blocks);
  }
  if (phase == 3 && s->last)
    for (uint32_t which = 0; which < 2; which++) {
      const volatile double *parts = to->parts;
      double sum = 0.0;
      for (uint32_t block = l.thread; block < l.blocks; block += OFW_THREADS)
        sum = ofw_join(to, which, sum, parts[2 * block + which]);
      s->value[which][l.thread] = sum;
    }
  if (phase == 4 && s->last)
    ofw_fold_lanes(to, l.thread, s);
  if (phase == 5 && s->last && l.thread == 0)
    ofw_answer_now(to->reply, ofw_fold_parts(to, 0, s), ofw_fold_parts(to, 1, s), to->ticket);
}
