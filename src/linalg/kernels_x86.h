/* kernels_x86.h — the loops of the x86-64 variants, and what their tables are made of
 *
 * Each variant includes this for its own registers and has defined
 *
 *     wide, W          a register of doubles, and how many they are
 *     lanes            the same register as 2 W floats
 *     all(x), add_up(a), mul_add(a, b, c) = a b + c, absolute(a)
 *     larger(a, b), smaller(a, b), which are b if a is NaN; equal(a, b), a bit per double
 *     by_sign(x, negative, other)      `other` if x >= 0
 *     load_double, store_double, load_float, store_float, and load_uniform of random words
 *     few, first_few(k), load_few_double, store_few_double, load_few_float: of the first k < W numbers
 *     narrowed(low, high), the lanes of two registers of doubles; lanes_of_words(word), of random words
 *     larger_size(a, b), lane by lane the larger of |a| and b, or b if a is NaN; largest_of(a), of lanes
 *     store_shorts(word, low, high), of the nearest whole numbers, high being times 2^16; and what rough_pass.h needs
 *
 * moves_avx2.h has the moves over doubles of all variants, lanes_x86.h those over floats.
 *
 * Sums have as many parts as registers have numbers, so that variants differ in their last bits.
 */

#define LANES (2 * W)

static inline lanes lanes_of_double(const double *a)
{
  return narrowed(load_double(a), load_double(a + W));
}

static inline lanes lanes_of_float(const float *a)
{
  return load_lanes(a);
}

/* of the first k <= LANES numbers */
static inline lanes lanes_of_some_double(const double *a, size_t k)
{
  return narrowed(load_few_double(a, first_few(k < W ? k : W)), load_few_double(a + W, first_few(k < W ? 0 : k - W)));
}

static inline lanes lanes_of_some_float(const float *a, size_t k)
{
  return load_some(a, first_lanes(k));
}

static inline both load_floats(const float *a)
{
  return (both){load_lanes(a), load_lanes(a + OFW_ROUGH_EDGE / 2)};
}

#define NUMBER   double
#define OF(name) name##_double
#include "linalg/loops_x86.h"
#undef NUMBER
#undef OF
#define NUMBER   float
#define OF(name) name##_float
#include "linalg/loops_x86.h"

#include "linalg/lanes_x86.h"

static double uniform_dot_double(size_t n, const uint32_t *word, const void *from)
{
  const double *x = from;
  wide s[4] = {all(0.0), all(0.0), all(0.0), all(0.0)};
  size_t i = 0;
  for (; i + 4 * W <= n; i += 4 * W)
    for (size_t k = 0; k < 4; k++)
      s[k] = mul_add(load_uniform(word + i + W * k), load_double(x + i + W * k), s[k]);
  double sum = add_up((s[0] + s[1]) + (s[2] + s[3]));
  for (; i < n; i++)
    sum += ofw_rng_to_uniform(word[i]) * x[i];
  return sum;
}

static void uniform_axpy_double(size_t n, double c, const uint32_t *restrict word, void *to)
{
  double *restrict y = to;
  wide factor = all(c);
  size_t i = 0;
  for (; i + 2 * W <= n; i += 2 * W)
    for (size_t k = i; k < i + 2 * W; k += W)
      store_double(y + k, mul_add(factor, load_uniform(word + k), load_double(y + k)));
  for (; i < n; i++)
    y[i] = __builtin_fma(c, ofw_rng_to_uniform(word[i]), y[i]);
}

#include "linalg/rough_passes.h"

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

/* moves_avx2.h */
void ofw_avx2_segment(size_t n, const void *x, const void *d, double c, const void *v, double *slope, double *length2);
void ofw_avx2_step(size_t n, void *x, void *d, double c, const void *v, double sig, double curv);
double ofw_avx2_follow(size_t n, const void *x, void *y, double c, const void *v, double pace, double keep);
double ofw_avx2_lead(size_t n, void *x, void *d, void *y, double c, const void *v, double sig, double curv, double pace,
                     double keep);
double ofw_avx2_follow_narrow(size_t n, const void *x, void *y, double c, const void *v, double pace, double keep);
double ofw_avx2_lead_narrow(size_t n, void *x, void *d, void *y, double c, const void *v, double sig, double curv,
                            double pace, double keep);

#define MOVES_OF_DOUBLES \
  ofw_avx2_segment, ofw_avx2_step, ofw_avx2_follow, ofw_avx2_lead, ofw_avx2_follow_narrow, ofw_avx2_lead_narrow
#define MOVES_OF_FLOATS segment_float, step_float, follow_float, lead_float, follow_float, lead_float
#define TABLE(name, floats, of, moves, words)                                                                         \
  {                                                                                                                   \
    name, floats, sizeof(of), read_##of, write_##of, dot_##of, axpy_##of, blend_##of, measure_##of, pack_##of, moves, \
        pass_##of, rough_shorts, rough_floats, uniform_dot_##of, uniform_axpy_##of, least, peak, find, choose, words, \
        ofw_normal_pairs                                                                                              \
  }
