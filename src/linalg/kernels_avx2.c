/* kernels_avx2.c — the loops for x86-64 processors with AVX2 and FMA
 *
 * The build gives this file, and no other, the options for those instructions.
 */
#include "linalg/kernels.h"

#if defined(__AVX2__) && defined(__FMA__) && defined(__F16C__)

#include "linalg/normal.h"
#include "linalg/rng.h"

#include <immintrin.h>
#include <string.h>

/* ---- random words and normals ---- */

/* Four blocks of Philox, one a 64-bit lane, of which the lower half counts: _mm256_mul_epu32 reads no other, and its
 * product holds both halves that are needed. */
typedef struct philox {
  __m256i c0, c1, c2, c3;
} philox;

static inline __m256i lower(uint64_t x)
{
  return _mm256_set1_epi64x((long long)(x & UINT32_MAX));
}

static inline void philox_round(philox *p, __m256i k0, __m256i k1)
{
  __m256i p0 = _mm256_mul_epu32(p->c0, _mm256_set1_epi64x(0xD2511F53));
  __m256i p1 = _mm256_mul_epu32(p->c2, _mm256_set1_epi64x(0xCD9E8D57));
  p->c0 = _mm256_xor_si256(_mm256_srli_epi64(p1, 32), _mm256_xor_si256(p->c1, k0));
  p->c2 = _mm256_xor_si256(_mm256_srli_epi64(p0, 32), _mm256_xor_si256(p->c3, k1));
  p->c1 = p1;
  p->c3 = p0;
}

/* The sixteen words in their order. */
static inline void philox_end(const philox *p, uint32_t *out)
{
  __m256i left = _mm256_blend_epi32(p->c0, _mm256_slli_epi64(p->c1, 32), 0xAA);
  __m256i right = _mm256_blend_epi32(p->c2, _mm256_slli_epi64(p->c3, 32), 0xAA);
  __m256i even = _mm256_unpacklo_epi64(left, right), odd = _mm256_unpackhi_epi64(left, right);
  _mm256_storeu_si256((__m256i *)(void *)out, _mm256_permute2x128_si256(even, odd, 0x20));
  _mm256_storeu_si256((__m256i *)(void *)(out + 8), _mm256_permute2x128_si256(even, odd, 0x31));
}

/* Blocks whose numbers agree in all but the lower 32 bits, so that most of the first two rounds is the same for all. */
static void words_near(ofw_rng_key key, uint64_t first, size_t blocks, uint32_t *out)
{
  enum { CHAINS = 4, STEP = 4 * CHAINS }; /* as many as keep the multipliers busy */
  uint32_t last[4 * STEP];
  philox begin = {lower(0), lower(key.purpose | first >> 32 << 16), lower(key.round), lower(key.round >> 32)};
  for (size_t b = 0; b < blocks; b += STEP) {
    size_t left = blocks - b;
    uint32_t *to = left < STEP ? last : out + 4 * b;
    __m256i k0 = lower(key.seed), k1 = lower(key.seed >> 32);
    philox p[CHAINS];
    for (size_t j = 0; j < CHAINS; j++) {
      p[j] = begin;
      p[j].c0 = _mm256_add_epi64(lower(first + b + 4 * j), _mm256_set_epi64x(3, 2, 1, 0));
    }
#pragma GCC unroll 10
    for (int round = 0; round < 10; round++) {
      for (size_t j = 0; j < CHAINS; j++)
        philox_round(&p[j], k0, k1);
      k0 = _mm256_add_epi64(k0, lower(0x9E3779B9));
      k1 = _mm256_add_epi64(k1, lower(0xBB67AE85));
    }
    for (size_t j = 0; j < CHAINS; j++)
      philox_end(&p[j], to + 16 * j);
    if (left < STEP)
      memcpy(out + 4 * b, last, left * 4 * sizeof *out);
  }
}

static void words(ofw_rng_key key, size_t first, size_t blocks, uint32_t *out)
{
  ofw_words_near(words_near, key, first, blocks, out);
}

/* ---- the loops over arrays, for each kind of number ---- */

static inline double add_up(__m256d a)
{
  __m128d s = _mm_add_pd(_mm256_castpd256_pd128(a), _mm256_extractf128_pd(a, 1));
  return _mm_cvtsd_f64(_mm_add_sd(s, _mm_unpackhi_pd(s, s)));
}

static inline __m256d load_double(const double *a)
{
  return _mm256_loadu_pd(a);
}

static inline void store_double(double *a, __m256d x)
{
  _mm256_storeu_pd(a, x);
}

static inline __m256d load_float(const float *a)
{
  return _mm256_cvtps_pd(_mm_loadu_ps(a));
}

static inline void store_float(float *a, __m256d x)
{
  _mm_storeu_ps(a, _mm256_cvtpd_ps(x));
}

static inline __m256d load_uniform(const uint32_t *word)
{
  __m256d x = _mm256_cvtepi32_pd(_mm_loadu_si128((const __m128i *)(const void *)word));
  return _mm256_mul_pd(_mm256_add_pd(x, _mm256_set1_pd(0.5)), _mm256_set1_pd(0x1p-31));
}

#define NUMBER   double
#define OF(name) name##_double
#include "linalg/loops_avx2.h"
#undef NUMBER
#undef OF
#define NUMBER   float
#define OF(name) name##_float
#include "linalg/loops_avx2.h"

typedef __m256 lanes;
typedef __m256d wide;

static inline lanes load_halves(const uint16_t *a)
{
  return _mm256_cvtph_ps(_mm_load_si128((const __m128i *)(const void *)a));
}

static inline lanes load_lanes(const float *a)
{
  return _mm256_loadu_ps(a);
}

static inline void store_lanes(float *a, lanes x)
{
  _mm256_storeu_ps(a, x);
}

static inline lanes fused(lanes a, lanes b, lanes c)
{
  return _mm256_fmadd_ps(a, b, c);
}

static inline wide low_half(lanes x)
{
  return _mm256_cvtps_pd(_mm256_castps256_ps128(x));
}

static inline wide high_half(lanes x)
{
  return _mm256_cvtps_pd(_mm256_extractf128_ps(x, 1));
}

#define LANES 8
#include "linalg/rough_pass.h"

/* ---- what oracles look for, in doubles ---- */

static double least(size_t n, const double *a)
{
  __m256d low[4];
  double last[4], lowest = a[0];
  size_t i = 0;
  for (size_t k = 0; k < 4; k++)
    low[k] = _mm256_set1_pd(lowest);
  for (; i + 16 <= n; i += 16)
    for (size_t k = 0; k < 4; k++)
      low[k] = _mm256_min_pd(load_double(a + i + 4 * k), low[k]);
  _mm256_storeu_pd(last, _mm256_min_pd(_mm256_min_pd(low[0], low[1]), _mm256_min_pd(low[2], low[3])));
  for (size_t k = 0; k < 4; k++)
    lowest = last[k] < lowest ? last[k] : lowest;
  for (; i < n; i++)
    lowest = a[i] < lowest ? a[i] : lowest;
  return lowest;
}

static double peak(size_t n, const double *a)
{
  __m256d sign = _mm256_set1_pd(-0.0), high[4];
  double last[4], largest = 0.0;
  size_t i = 0;
  for (size_t k = 0; k < 4; k++)
    high[k] = _mm256_setzero_pd();
  for (; i + 16 <= n; i += 16)
    for (size_t k = 0; k < 4; k++)
      high[k] = _mm256_max_pd(_mm256_andnot_pd(sign, load_double(a + i + 4 * k)), high[k]);
  _mm256_storeu_pd(last, _mm256_max_pd(_mm256_max_pd(high[0], high[1]), _mm256_max_pd(high[2], high[3])));
  for (size_t k = 0; k < 4; k++)
    largest = last[k] > largest ? last[k] : largest;
  for (; i < n; i++)
    largest = __builtin_fabs(a[i]) > largest ? __builtin_fabs(a[i]) : largest;
  return largest;
}

static size_t find(size_t n, const double *a, int sizes, double x)
{
  __m256d sign = _mm256_set1_pd(sizes ? -0.0 : 0.0), wanted = _mm256_set1_pd(x);
  size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    __m256d same = _mm256_cmp_pd(_mm256_andnot_pd(sign, load_double(a + i)), wanted, _CMP_EQ_OQ);
    int found = _mm256_movemask_pd(same);
    if (found)
      return i + (size_t)__builtin_ctz((unsigned)found);
  }
  while (i < n && (sizes ? __builtin_fabs(a[i]) : a[i]) != x)
    i++;
  return i < n ? i : n - 1;
}

static inline __m256d bounds_at(size_t every, const double *bound, size_t i)
{
  return every ? load_double(bound + i) : _mm256_set1_pd(*bound);
}

static inline __attribute__((always_inline)) double choose_of(size_t n, const double *restrict d, size_t every,
                                                              const double *restrict lower,
                                                              const double *restrict upper, double *restrict v)
{
  __m256d zero = _mm256_setzero_pd(), s[4] = {zero, zero, zero, zero};
  size_t i = 0;
  for (; i + 16 <= n; i += 16)
    for (size_t k = 0; k < 4; k++) {
      size_t j = i + 4 * k;
      __m256d x = load_double(d + j), up = _mm256_cmp_pd(x, zero, _CMP_GE_OQ);
      __m256d y = _mm256_blendv_pd(bounds_at(every, upper, j), bounds_at(every, lower, j), up);
      store_double(v + j, y);
      s[k] = _mm256_fmadd_pd(x, y, s[k]);
    }
  double sum = add_up(_mm256_add_pd(_mm256_add_pd(s[0], s[1]), _mm256_add_pd(s[2], s[3])));
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

#define TABLE(floats, of, words)                                                                                       \
  {                                                                                                                    \
    "avx2", floats, sizeof(of), read_##of, write_##of, dot_##of, axpy_##of, blend_##of, measure_##of, halve_##of,      \
        segment_##of, step_##of, follow_##of, pass_##of, rough_pass, uniform_dot_##of, uniform_axpy_##of, least, peak, \
        find, choose, words, ofw_normal_pairs                                                                          \
  }
static const ofw_kernels floats = TABLE(NULL, float, words), doubles = TABLE(&floats, double, words);
static const ofw_kernels wide_floats = TABLE(NULL, float, ofw_words_avx512),
                         wide_doubles = TABLE(&wide_floats, double, ofw_words_avx512);
const ofw_kernels *const ofw_kernels_avx2 = &doubles, *const ofw_kernels_avx512 = &wide_doubles;

#else

const ofw_kernels *const ofw_kernels_avx2 = NULL, *const ofw_kernels_avx512 = NULL;

#endif
