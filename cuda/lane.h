/* lane.h — one thread of a kernel: which it is, what it sees of others, and how it goes over an array
 *
 * Arrays of a matrix are padded with zeros to a multiple of 4 numbers, a quad; a thread takes quads.
 */
#pragma once

#include "linalg/normal.h"

#include <ofw/vec.h>

#include <string.h>

enum {
  OFW_THREADS = 256, /* of a block that goes over arrays */
  OFW_WIDE = 512,    /* of a block that searches */
  OFW_BLOCKS = 528,  /* that share a sum, at most: 4 for each multiprocessor of an H200 */
  OFW_LANES = 32
};

typedef struct ofw_lane {
  uint32_t block, blocks, thread;
} ofw_lane;

/* Writes that come before it are seen by whoever sees those that come after it: by other blocks, or by this program too.
 * A processor runs all blocks in one thread; what it shows other processes is behind the ticket of ofw_answer_now. */
static inline OFW_BOTH void ofw_fence(void)
{
#ifdef __CUDA_ARCH__
  __threadfence();
#endif
}

static inline OFW_BOTH void ofw_fence_all(void)
{
#ifdef __CUDA_ARCH__
  __threadfence_system();
#endif
}

/* Whether this block is the last of all to come here; the counter is 0 again then. */
static inline OFW_BOTH int ofw_is_last(uint32_t *counter, uint32_t blocks)
{
#ifdef __CUDA_ARCH__
  int last = atomicAdd(counter, 1) == blocks - 1;
#else
  int last = (*counter)++ == blocks - 1;
#endif
  if (last)
    *counter = 0;
  return last;
}

/* What another block has written, behind its fence: not what a multiprocessor still has of it. */
static inline OFW_BOTH double ofw_fresh(const double *a)
{
#ifdef __CUDA_ARCH__
  return __ldcg(a);
#else
  return *a;
#endif
}

static inline OFW_BOTH uint64_t ofw_bits_of(double a)
{
#ifdef __CUDA_ARCH__
  return (uint64_t)__double_as_longlong(a);
#else
  uint64_t bits;
  memcpy(&bits, &a, sizeof bits);
  return bits;
#endif
}

/* ---- a group of OFW_LANES threads that adds up ----
 *
 * On a GPU each of its threads has a number, and all of them get the sum. On a processor the first thread does it alone, in the same
 * order: that of halves, quarters, and so on.
 */

/* Whether a thread of the group takes part. */
static inline OFW_BOTH int ofw_joins(uint32_t lane)
{
#ifdef __CUDA_ARCH__
  (void)lane;
  return 1;
#else
  return lane == 0;
#endif
}

/* The sum of n numbers a_j b_j, or a_j if b is NULL, of which a thread has every so many. */
static inline OFW_BOTH double ofw_group_sum(const double *a, const double *b, uint32_t n, uint32_t lane)
{
#ifdef __CUDA_ARCH__
  double sum = 0.0;
  for (uint32_t j = lane; j < n; j += OFW_LANES)
    sum += b ? a[j] * b[j] : a[j];
  for (int apart = OFW_LANES / 2; apart > 0; apart /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, apart);
  return sum;
#else
  double sum[OFW_LANES] = {0.0};
  (void)lane;
  for (uint32_t j = 0; j < n; j++)
    sum[j % OFW_LANES] += b ? a[j] * b[j] : a[j];
  for (uint32_t apart = OFW_LANES / 2; apart > 0; apart /= 2)
    for (uint32_t i = 0; i < apart; i++)
      sum[i] += sum[i + apart];
  return sum[0];
#endif
}

typedef struct ofw_quad {
  double at[4];
} ofw_quad;

static inline OFW_BOTH ofw_quad ofw_load(const double *a, uint32_t quad)
{
#ifdef __CUDA_ARCH__
  const double2 *from = reinterpret_cast<const double2 *>(a) + 2 * (size_t)quad;
  double2 low = from[0], high = from[1];
  ofw_quad q = {{low.x, low.y, high.x, high.y}};
#else
  a += 4 * (size_t)quad;
  ofw_quad q = {{a[0], a[1], a[2], a[3]}};
#endif
  return q;
}

static inline OFW_BOTH void ofw_store(double *a, uint32_t quad, ofw_quad q)
{
#ifdef __CUDA_ARCH__
  double2 *to = reinterpret_cast<double2 *>(a) + 2 * (size_t)quad;
  to[0] = make_double2(q.at[0], q.at[1]);
  to[1] = make_double2(q.at[2], q.at[3]);
#else
  for (int k = 0; k < 4; k++)
    a[4 * (size_t)quad + (size_t)k] = q.at[k];
#endif
}

/* ---- x, d and y: arrays of doubles, or of floats, which are doubles as soon as they are read ----
 *
 * A kernel goes over them in a function that is told which, by a number that is known when it is compiled.
 */

static inline OFW_BOTH double ofw_get(const void *a, size_t i, int floats)
{
  return floats ? (double)((const float *)a)[i] : ((const double *)a)[i];
}

static inline OFW_BOTH void ofw_put(void *a, size_t i, double number, int floats)
{
  if (floats)
    ((float *)a)[i] = (float)number;
  else
    ((double *)a)[i] = number;
}

static inline OFW_BOTH ofw_quad ofw_get_quad(const void *a, uint32_t quad, int floats)
{
  if (!floats)
    return ofw_load((const double *)a, quad);
#ifdef __CUDA_ARCH__
  float4 all = reinterpret_cast<const float4 *>(a)[quad];
  ofw_quad q = {{all.x, all.y, all.z, all.w}};
#else
  const float *from = (const float *)a + 4 * (size_t)quad;
  ofw_quad q = {{from[0], from[1], from[2], from[3]}};
#endif
  return q;
}

/* What is there then: floats round. */
static inline OFW_BOTH ofw_quad ofw_put_quad(void *a, uint32_t quad, ofw_quad q, int floats)
{
  if (!floats) {
    ofw_store((double *)a, quad, q);
    return q;
  }
#ifdef __CUDA_ARCH__
  float4 all = make_float4((float)q.at[0], (float)q.at[1], (float)q.at[2], (float)q.at[3]);
  reinterpret_cast<float4 *>(a)[quad] = all;
  ofw_quad r = {{all.x, all.y, all.z, all.w}};
#else
  ofw_quad r;
  float *to = (float *)a + 4 * (size_t)quad;
  for (int k = 0; k < 4; k++)
    r.at[k] = to[k] = (float)q.at[k];
#endif
  return r;
}

/* What a thread has: its own and every so many after it. */
#define OFW_EACH_ITEM(i, l, n) \
  for (uint32_t i = (l).block * OFW_THREADS + (l).thread; i < (n); i += (l).blocks * OFW_THREADS)

/* A quad of one array and of another. */
typedef struct ofw_quads {
  ofw_quad first, second;
} ofw_quads;

static inline OFW_BOTH ofw_quads ofw_read_one(const void *a, uint32_t q, int floats)
{
  ofw_quads in = {ofw_get_quad(a, q, floats), {{0.0, 0.0, 0.0, 0.0}}};
  return in;
}

static inline OFW_BOTH ofw_quads ofw_read_two(const void *a, const void *b, uint32_t q, int floats)
{
  ofw_quads in = {ofw_get_quad(a, q, floats), ofw_get_quad(b, q, floats)};
  return in;
}

#ifdef __CUDA_ARCH__
#define OFW_UNROLLED _Pragma("unroll")
#else
#define OFW_UNROLLED
#endif
enum { OFW_OF_ONE = 4, OFW_OF_TWO = 2 }; /* quads that are asked for, of one array and of two */

/* A thread's quads q: `in` is what `read` has found there. It asks for several before it uses one; where it has no more, it asks for the
 * array's last. */
#define OFW_EACH_QUAD(several, q, in, l, quads, read, ...)                                                     \
  for (uint32_t from = (l).block * OFW_THREADS + (l).thread, apart = (l).blocks * OFW_THREADS; from < (quads); \
       from += (several)*apart) {                                                                              \
    ofw_quads asked[several];                                                                                  \
    OFW_UNROLLED for (uint32_t turn = 0; turn < (several); turn++)                                             \
    {                                                                                                          \
      const uint32_t q = from + turn * apart < (quads) ? from + turn * apart : (quads)-1;                      \
      asked[turn] = read;                                                                                      \
    }                                                                                                          \
    OFW_UNROLLED for (uint32_t turn = 0; turn < (several); turn++)                                             \
    {                                                                                                          \
      const uint32_t q = from + turn * apart;                                                                  \
      const ofw_quads in = asked[turn];                                                                        \
      if (q < (quads)) {                                                                                       \
        __VA_ARGS__                                                                                            \
      }                                                                                                        \
    }                                                                                                          \
  }

/* A kernel that shares nothing. */
typedef struct ofw_nothing {
  int unused;
} ofw_nothing;
