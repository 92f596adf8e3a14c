/* gpu_meeting.h — how the blocks of a kernel wait for each other (gpu.cu, gpu_narrow.cu) */
#pragma once

#include "lane.h"

enum { NO, YES, LATER };

/* What the blocks of a search share. */
typedef struct meeting {
  uint32_t arrived; /* blocks, at all meetings so far; in the upper bits how often there was something to say */
  uint32_t left;    /* blocks that have ended */
  uint32_t more;    /* whether there is another step: NO, YES, or not known when they met */
  uint32_t later;   /* whether there is, known later */
} meeting;

/* All blocks have come; then thread 0 knows how often there was something to say. */
static __device__ __forceinline__ uint32_t meet_saying(meeting *m, uint32_t *due, uint32_t mask, uint32_t add)
{
  uint32_t arrived = 0;
  __syncthreads();
  *due += gridDim.x;
  if (threadIdx.x == 0) {
    asm volatile("red.release.gpu.global.add.u32 [%0], %1;" ::"l"(&m->arrived), "r"(1u + add) : "memory");
    do
      asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(arrived) : "l"(&m->arrived) : "memory");
    while ((int32_t)((arrived & mask) - *due) < 0);
  }
  return arrived & ~mask;
}

/* Until all blocks are here: what they have written before is seen after it. `due` is how many arrivals that is. */
static __device__ __forceinline__ void meet(meeting *m, uint32_t *due)
{
  meet_saying(m, due, ~0u, 0);
  __syncthreads();
}

/* After the last meeting: whoever leaves last makes it ready for the next search. */
static __device__ __forceinline__ void leave(meeting *m)
{
  if (threadIdx.x == 0 && ofw_is_last(&m->left, gridDim.x))
    m->arrived = 0;
}

#define OFW_PHASES(phases, call)                                   \
  _Pragma("unroll") for (int phase = 0; phase < (phases); phase++) \
  {                                                                \
    call;                                                          \
    __syncthreads();                                               \
  }
