/* kernels_x86.h — the loops of the x86-64 variants, and what their tables are made of
 *
 * Each variant includes this for its own registers and has defined
 *
 *     wide, W          a register of doubles, and how many they are
 *     lanes            the same register as 2 W floats
 *     all(x), add_up(a), mul_add(a, b, c) = a b + c, mul_sub(a, b, c) = a b - c, absolute(a)
 *     larger(a, b), smaller(a, b), which are b if a is NaN; equal(a, b), a bit per double
 *     by_sign(x, negative, other)      `other` if x >= 0
 *     load_double, store_double, load_float, store_float, and load_uniform of random words
 *     store_halves(a, low, high), and what rough_pass.h needs
 *
 * If it defines MOVES_OF_AVX2, it takes moves_x86.h over doubles from kernels_avx2.c: if arrays are larger than the caches, these loops
 * wait for memory, and processors of today read it faster with the narrower registers (docs/performance.md).
 *
 * Sums have as many parts as registers have numbers, so that variants differ in their last bits.
 */

/* A line of numbers that is farther ahead than the processor fetches on its own. */
static inline void fetch_far(const void *a, size_t number)
{
  enum { AHEAD = 1024 };
  _mm_prefetch((const char *)((uintptr_t)a + AHEAD * number), _MM_HINT_T0);
}

#define NUMBER   double
#define OF(name) name##_double
#include "linalg/loops_x86.h"
#ifndef MOVES_OF_AVX2
#include "linalg/moves_x86.h"
#define YNUMBER    double
#define LEAD(name) name##_double
#include "linalg/lead_x86.h"
#undef YNUMBER
#undef LEAD
#define YNUMBER    float
#define LEAD(name) name##_narrow
#include "linalg/lead_x86.h"
#undef YNUMBER
#undef LEAD
#endif
#undef NUMBER
#undef OF
#define NUMBER   float
#define OF(name) name##_float
#include "linalg/loops_x86.h"
#include "linalg/moves_x86.h"
#define YNUMBER    float
#define LEAD(name) name##_float
#include "linalg/lead_x86.h"

#define LANES       (2 * W)
#define ROUGH(name) name##_halves
#define ROWS        ofw_halves
#define LOAD_ROW    load_halves
#define UNIT(a, i)  (a)->c[i]
#include "linalg/rough_pass.h"
#undef ROUGH
#undef ROWS
#undef LOAD_ROW
#undef UNIT
#define ROUGH(name) name##_floats
#define ROWS        ofw_floats
#define LOAD_ROW    load_lanes
#define UNIT(a, i)  1.0
#include "linalg/rough_pass.h"

/* ---- what oracles look for, in doubles ---- */

static double least(size_t n, const double *a)
{
  wide low[4];
  double last[W], lowest = a[0];
  size_t i = 0;
  for (size_t k = 0; k < 4; k++)
    low[k] = all(lowest);
  for (; i + 4 * W <= n; i += 4 * W)
    for (size_t k = 0; k < 4; k++)
      low[k] = smaller(load_double(a + i + W * k), low[k]);
  store_double(last, smaller(smaller(low[0], low[1]), smaller(low[2], low[3])));
  for (size_t k = 0; k < W; k++)
    lowest = last[k] < lowest ? last[k] : lowest;
  for (; i < n; i++)
    lowest = a[i] < lowest ? a[i] : lowest;
  return lowest;
}

static double peak(size_t n, const double *a)
{
  wide high[4];
  double last[W], largest = 0.0;
  size_t i = 0;
  for (size_t k = 0; k < 4; k++)
    high[k] = all(0.0);
  for (; i + 4 * W <= n; i += 4 * W)
    for (size_t k = 0; k < 4; k++)
      high[k] = larger(absolute(load_double(a + i + W * k)), high[k]);
  store_double(last, larger(larger(high[0], high[1]), larger(high[2], high[3])));
  for (size_t k = 0; k < W; k++)
    largest = last[k] > largest ? last[k] : largest;
  for (; i < n; i++)
    largest = __builtin_fabs(a[i]) > largest ? __builtin_fabs(a[i]) : largest;
  return largest;
}

static size_t find(size_t n, const double *a, int sizes, double x)
{
  wide wanted = all(x);
  size_t i = 0;
  for (; i + W <= n; i += W) {
    wide at = load_double(a + i);
    unsigned found = equal(sizes ? absolute(at) : at, wanted);
    if (found)
      return i + (size_t)__builtin_ctz(found);
  }
  while (i < n && (sizes ? __builtin_fabs(a[i]) : a[i]) != x)
    i++;
  return i < n ? i : n - 1;
}

static inline wide bounds_at(size_t every, const double *bound, size_t i)
{
  return every ? load_double(bound + i) : all(*bound);
}

static inline __attribute__((always_inline)) double choose_of(size_t n, const double *restrict d, size_t every,
                                                              const double *restrict lower,
                                                              const double *restrict upper, double *restrict v)
{
  wide s[4] = {all(0.0), all(0.0), all(0.0), all(0.0)};
  size_t i = 0;
  for (; i + 4 * W <= n; i += 4 * W)
    for (size_t k = 0; k < 4; k++) {
      size_t j = i + W * k;
      wide x = load_double(d + j), y = by_sign(x, bounds_at(every, upper, j), bounds_at(every, lower, j));
      store_double(v + j, y);
      s[k] = mul_add(x, y, s[k]);
    }
  double sum = add_up((s[0] + s[1]) + (s[2] + s[3]));
  for (; i < n; i++) {
    v[i] = d[i] >= 0.0 ? lower[i * every] : upper[i * every];
    sum += d[i] * v[i];
  }
  return sum;
}

static double choose(size_t n, const double *d, size_t every, const double *lower, const double *upper, double *v)
{
  return every ? choose_of(n, d, 1, lower, upper, v) : choose_of(n, d, 0, lower, upper, v);
}

void ofw_avx2_segment_double(size_t n, const void *at, const void *along, double c, const double *v, double *slope,
                             double *length2);
void ofw_avx2_step_double(size_t n, void *at, void *along, double c, const double *v, double sig, double curv);
double ofw_avx2_follow_double(size_t n, const void *at, void *to, double c, const double *v, double pace, double keep);
double ofw_avx2_follow_narrow(size_t n, const void *at, void *to, double c, const double *v, double pace, double keep);
double ofw_avx2_lead_double(size_t n, void *at, void *along, void *to, double c, const double *v, double sig,
                            double curv, double pace, double keep);
double ofw_avx2_lead_narrow(size_t n, void *at, void *along, void *to, double c, const double *v, double sig,
                            double curv, double pace, double keep);

/* `narrow` is what the names with a y of floats end with; `moves` is what the names of moves_x86.h and lead_x86.h begin with. */
#define TABLE(name, floats, of, narrow, moves, words)                                                                  \
  {                                                                                                                    \
    name, floats, sizeof(of), read_##of, write_##of, dot_##of, axpy_##of, blend_##of, measure_##of, halve_##of,        \
        moves##segment_##of, moves##step_##of, moves##follow_##of, moves##lead_##of, moves##follow_##narrow,           \
        moves##lead_##narrow, pass_##of, rough_halves, rough_floats, uniform_dot_##of, uniform_axpy_##of, least, peak, \
        find, choose, words, ofw_normal_pairs                                                                          \
  }
