/* gpu_meeting.h — how the blocks of a kernel wait for each other (gpu.cu, gpu_narrow.cu) */
#pragma once

#include "lane.h"

enum { NO, YES, LATER };

enum { ARRIVED = (1 << 20) - 1 }; /* the bits of a meeting that count blocks; the others count what was said */

/* What the blocks of a search share. */
typedef struct meeting {
  uint32_t arrived; /* blocks, at all meetings so far, and how often there was something to say */
  uint32_t left;    /* blocks that have ended */
  uint32_t more;    /* whether there is another step: NO, YES, or not known when they met */
  uint32_t later;   /* whether there is, known later */
} meeting;

/* Thread 0 waits until all blocks are here, and sees what was said. `due` is how many arrivals that is. */
static __device__ __forceinline__ uint32_t arrive(meeting *m, uint32_t *due, uint32_t says)
{
  uint32_t arrived = 0;
  __syncthreads();
  *due += gridDim.x;
  if (threadIdx.x == 0) {
    asm volatile("red.release.gpu.global.add.u32 [%0], %1;" ::"l"(&m->arrived), "r"(1u + says * (ARRIVED + 1u))
                 : "memory");
    do
      asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(arrived) : "l"(&m->arrived) : "memory");
    while ((arrived & ARRIVED) < *due);
  }
  return arrived & ~ARRIVED;
}

/* Until all blocks are here: what they have written before is seen after it. */
static __device__ __forceinline__ void meet(meeting *m, uint32_t *due)
{
  arrive(m, due, 0);
  __syncthreads();
}

/* The same; whether thread 0 of some block has said at it that there is something to read. */
static __device__ __forceinline__ int meet_saying(meeting *m, uint32_t *due, uint32_t says, uint32_t *said)
{
  uint32_t now = arrive(m, due, says);
  int news = __syncthreads_or(threadIdx.x == 0 && now != *said);
  *said = threadIdx.x == 0 ? now : 0;
  return news;
}

/* What the block that talks to the program knows before the last meeting of a step. */
static __device__ __forceinline__ uint32_t decide(uint32_t most, uint32_t next, uint32_t allowed)
{
  return allowed == 0 || next >= most ? NO : allowed > next ? YES : LATER;
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
