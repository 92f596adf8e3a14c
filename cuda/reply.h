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

/* What a thread has found. */
typedef struct ofw_two {
  double at[2];
} ofw_two;

static inline OFW_BOTH ofw_two ofw_both(double first, double second)
{
  ofw_two found = {{first, second}};
  return found;
}

enum { OFW_SUM_PHASES = 5, OFW_SUM_GROUPS = OFW_THREADS / OFW_LANES };

typedef struct ofw_sums {
  double value[2][OFW_THREADS];
  double part[2][OFW_SUM_GROUPS];
  int last;
} ofw_sums;

static inline OFW_BOTH void ofw_sums_keep(ofw_sums *s, uint32_t thread, ofw_two found)
{
  s->value[0][thread] = found.at[0];
  s->value[1][thread] = found.at[1];
}

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

/* A group's numbers to one. Each of its threads reads its own alone, if it is a GPU's. */
static inline OFW_BOTH double ofw_fold_group(const ofw_report *to, uint32_t which, const double *value, uint32_t lane)
{
#ifdef __CUDA_ARCH__
  double sum = value[lane];
  for (int apart = OFW_LANES / 2; apart > 0; apart /= 2)
    sum = ofw_join(to, which, sum, __shfl_xor_sync(0xffffffffu, sum, apart));
  return sum;
#else
  double sum[OFW_LANES];
  (void)lane;
  for (uint32_t i = 0; i < OFW_LANES; i++)
    sum[i] = value[i];
  for (uint32_t apart = OFW_LANES / 2; apart > 0; apart /= 2)
    for (uint32_t i = 0; i < apart; i++)
      sum[i] = ofw_join(to, which, sum[i], sum[i + apart]);
  return sum[0];
#endif
}

/* All of a block's numbers, of one kind or of both, to one per group, and those to one. */
static inline OFW_BOTH void ofw_fold_groups(const ofw_report *to, uint32_t kinds, uint32_t thread, ofw_sums *s)
{
  uint32_t group = thread / OFW_LANES, lane = thread % OFW_LANES;
  if (!ofw_joins(lane))
    return;
  for (uint32_t which = 0; which < kinds; which++) {
    double sum = ofw_fold_group(to, which, s->value[which] + group * OFW_LANES, lane);
    if (lane == 0)
      s->part[which][group] = sum;
  }
}

static inline OFW_BOTH double ofw_fold_parts(const ofw_report *to, uint32_t which, const ofw_sums *s)
{
  double sum[4];
  for (uint32_t i = 0; i < 4; i++)
    sum[i] = ofw_join(to, which, s->part[which][i], s->part[which][i + 4]);
  return ofw_join(to, which, ofw_join(to, which, sum[0], sum[1]), ofw_join(to, which, sum[2], sum[3]));
}

/* After ofw_sums_keep. */
static inline OFW_BOTH void ofw_sums_phase(const ofw_report *to, ofw_lane l, ofw_sums *s, int phase)
{
  if (phase == 0)
    ofw_fold_groups(to, 2, l.thread, s);
  if (phase == 1 && l.thread == 0) {
    for (uint32_t which = 0; which < 2; which++)
      to->parts[2 * l.block + which] = ofw_fold_parts(to, which, s);
    ofw_fence();
    s->last = ofw_is_last(to->counter, l.blocks);
  }
  if (phase == 2 && s->last)
    for (uint32_t which = 0; which < 2; which++) {
      double sum = 0.0;
      for (uint32_t block = l.thread; block < l.blocks; block += OFW_THREADS)
        sum = ofw_join(to, which, sum, ofw_fresh(to->parts + 2 * block + which));
      s->value[which][l.thread] = sum;
    }
  if (phase == 3 && s->last)
    ofw_fold_groups(to, 2, l.thread, s);
  if (phase == 4 && s->last && l.thread == 0)
    ofw_answer_now(to->reply, ofw_fold_parts(to, 0, s), ofw_fold_parts(to, 1, s), to->ticket);
}
