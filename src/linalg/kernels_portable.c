/* kernels_portable.c — the loops for any processor
 *
 * They are written in pairs of doubles, which GCC and Clang put into whatever vector registers there are.
 */
#include "linalg/kernels.h"

#include "linalg/normal.h"
#include "linalg/rng.h"

#include <math.h>
#include <string.h>

typedef double pair __attribute__((vector_size(16)));

/* ---- random words and normals ---- */

enum { BLOCKS = 16 }; /* of random words side by side */

/* w[i][j] = word i of block first + j */
static inline void philox(ofw_rng_key key, size_t first, size_t blocks, uint32_t w[4][BLOCKS])
{
  uint32_t k0 = (uint32_t)key.seed, k1 = (uint32_t)(key.seed >> 32);
  uint32_t *c0 = w[0], *c1 = w[1], *c2 = w[2], *c3 = w[3];
  for (size_t j = 0; j < blocks; j++) {
    uint64_t b = (uint64_t)first + j;
    c0[j] = (uint32_t)b;
    c1[j] = key.purpose | (uint32_t)(b >> 32) << 16;
    c2[j] = (uint32_t)key.round;
    c3[j] = (uint32_t)(key.round >> 32);
  }
  for (int round = 0; round < 10; round++) {
    for (size_t j = 0; j < blocks; j++) {
      uint64_t p0 = (uint64_t)0xD2511F53u * c0[j], p1 = (uint64_t)0xCD9E8D57u * c2[j];
      c0[j] = (uint32_t)(p1 >> 32) ^ c1[j] ^ k0;
      c2[j] = (uint32_t)(p0 >> 32) ^ c3[j] ^ k1;
      c1[j] = (uint32_t)p1;
      c3[j] = (uint32_t)p0;
    }
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
}

static void words(ofw_rng_key key, size_t first, size_t blocks, uint32_t *out)
{
  uint32_t w[4][BLOCKS];
  for (size_t b = 0; b < blocks;) {
    size_t n = blocks - b < BLOCKS ? 1 : BLOCKS;
    if (n == BLOCKS)
      philox(key, first + b, BLOCKS, w);
    else
      philox(key, first + b, 1, w);
    for (size_t j = 0; j < n; j++)
      for (size_t i = 0; i < 4; i++)
        out[4 * (b + j) + i] = w[i][j];
    b += n;
  }
}

/* ---- the loops over arrays, for each kind of number ---- */

static inline pair load_double(const double *a)
{
  pair p;
  memcpy(&p, a, sizeof p);
  return p;
}

static inline void store_double(double *a, pair p)
{
  memcpy(a, &p, sizeof p);
}

static inline pair load_float(const float *a)
{
  return (pair){a[0], a[1]};
}

/* The word of two numbers that are to be whole ones by `over`: kernels.h says how. */
static inline uint32_t packed(float low, float high, float over)
{
  uint32_t lower = (uint32_t)lrintf(low * over) & 0xffff,
           near = (uint32_t)lrintf(high * (over * 0x1p16F)) - lower + 0x8000;
  return (near & 0xffff0000) | lower;
}

#define NUMBER   double
#define OF(name) name##_double
#include "linalg/loops_portable.h"
#define YNUMBER    double
#define LEAD(name) name##_double
#include "linalg/lead_portable.h"
#undef YNUMBER
#undef LEAD
#define YNUMBER    float
#define LEAD(name) name##_narrow
#include "linalg/lead_portable.h"
#undef NUMBER
#undef OF
#undef YNUMBER
#undef LEAD
#define NUMBER   float
#define OF(name) name##_float
#include "linalg/loops_portable.h"
#define YNUMBER    float
#define LEAD(name) name##_float
#include "linalg/lead_portable.h"

typedef float lanes __attribute__((vector_size(16)));
typedef pair wide;

typedef struct both {
  lanes low, high;
} both;

typedef uint32_t bits __attribute__((vector_size(16)));
typedef int32_t whole __attribute__((vector_size(16)));

static inline both load_shorts(const uint32_t *word)
{
  bits x;
  memcpy(&x, word, sizeof x);
  return (both){__builtin_convertvector((whole)(x << 16), lanes), __builtin_convertvector((whole)x, lanes)};
}

static inline lanes load_lanes(const float *a)
{
  return (lanes){a[0], a[1], a[2], a[3]};
}

static inline void store_lanes(float *a, lanes x)
{
  memcpy(a, &x, sizeof x);
}

static inline lanes fused(lanes a, lanes b, lanes c)
{
  return a * b + c;
}

static inline wide low_half(lanes x)
{
  return (wide){x[0], x[1]};
}

static inline wide high_half(lanes x)
{
  return (wide){x[2], x[3]};
}

static inline both load_floats(const float *a)
{
  return (both){load_lanes(a), load_lanes(a + OFW_ROUGH_EDGE / 2)};
}

static inline double add_up(wide a)
{
  return a[0] + a[1];
}

#define LANES 4
#include "linalg/rough_passes.h"

/* ---- what oracles look for, in doubles ---- */

static double least(size_t n, const double *a)
{
  double low[4] = {a[0], a[0], a[0], a[0]};
  size_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (size_t k = 0; k < 4; k++)
      low[k] = a[i + k] < low[k] ? a[i + k] : low[k];
  for (; i < n; i++)
    low[0] = a[i] < low[0] ? a[i] : low[0];
  for (size_t k = 1; k < 4; k++)
    low[0] = low[k] < low[0] ? low[k] : low[0];
  return low[0];
}

static double peak(size_t n, const double *a)
{
  double high[4] = {0};
  size_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (size_t k = 0; k < 4; k++)
      high[k] = fabs(a[i + k]) > high[k] ? fabs(a[i + k]) : high[k];
  for (; i < n; i++)
    high[0] = fabs(a[i]) > high[0] ? fabs(a[i]) : high[0];
  for (size_t k = 1; k < 4; k++)
    high[0] = high[k] > high[0] ? high[k] : high[0];
  return high[0];
}

static size_t find(size_t n, const double *a, int sizes, double x)
{
  size_t i = 0;
  while (i < n && (sizes ? fabs(a[i]) : a[i]) != x)
    i++;
  return i < n ? i : n - 1;
}

static double choose(size_t n, const double *d, size_t every, const double *lower, const double *upper, double *v)
{
  for (size_t i = 0; i < n; i++) {
    double low = lower[i * every], high = upper[i * every];
    v[i] = d[i] >= 0.0 ? low : high;
  }
  return dot_double(n, d, v);
}

#define TABLE(floats, of, narrow)                                                                                    \
  {                                                                                                                  \
    "portable", floats, sizeof(of), read_##of, write_##of, dot_##of, axpy_##of, blend_##of, measure_##of, pack_##of, \
        segment_##of, step_##of, follow_##of, lead_##of, follow_##narrow, lead_##narrow, pass_##of, rough_shorts,    \
        rough_floats, uniform_dot_##of, uniform_axpy_##of, least, peak, find, choose, words, ofw_normal_pairs        \
  }
static const ofw_kernels floats = TABLE(NULL, float, float);
const ofw_kernels ofw_kernels_portable = TABLE(&floats, double, narrow);
