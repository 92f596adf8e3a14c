/* kernels_avx2.c — the loops for x86-64 processors with AVX2 and FMA
 *
 * The build gives this file, and no other, the options for those instructions.
 */
#include "linalg/kernels.h"

#if defined(__AVX2__) && defined(__FMA__)

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

/* ---- the loops over arrays, in registers of four doubles or eight floats ---- */

typedef __m256d wide;
typedef __m256 lanes;
typedef struct both {
  lanes low, high;
} both;
enum { W = 4 };

static inline wide all(double x)
{
  return _mm256_set1_pd(x);
}

static inline double add_up(wide a)
{
  __m128d s = _mm_add_pd(_mm256_castpd256_pd128(a), _mm256_extractf128_pd(a, 1));
  return _mm_cvtsd_f64(_mm_add_sd(s, _mm_unpackhi_pd(s, s)));
}

static inline wide mul_add(wide a, wide b, wide c)
{
  return _mm256_fmadd_pd(a, b, c);
}

static inline wide mul_sub(wide a, wide b, wide c)
{
  return _mm256_fmsub_pd(a, b, c);
}

static inline wide absolute(wide a)
{
  return _mm256_andnot_pd(all(-0.0), a);
}

static inline wide larger(wide a, wide b)
{
  return _mm256_max_pd(a, b);
}

static inline wide smaller(wide a, wide b)
{
  return _mm256_min_pd(a, b);
}

static inline unsigned equal(wide a, wide b)
{
  return (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_EQ_OQ));
}

static inline wide by_sign(wide x, wide negative, wide other)
{
  return _mm256_blendv_pd(negative, other, _mm256_cmp_pd(x, all(0.0), _CMP_GE_OQ));
}

static inline wide load_double(const double *a)
{
  return _mm256_loadu_pd(a);
}

static inline void store_double(double *a, wide x)
{
  _mm256_storeu_pd(a, x);
}

static inline wide load_float(const float *a)
{
  return _mm256_cvtps_pd(_mm_loadu_ps(a));
}

static inline void store_float(float *a, wide x)
{
  _mm_storeu_ps(a, _mm256_cvtpd_ps(x));
}

/* The first k numbers of a `wide`, k < W, or lanes, k < LANES; the others are 0 when they are read, and stay as they are when they are
 * written. */
typedef __m256i few, some;

static inline few first_few(size_t k)
{
  return _mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)k), _mm256_setr_epi64x(0, 1, 2, 3));
}

static inline wide load_few_double(const double *a, few first)
{
  return _mm256_maskload_pd(a, first);
}

static inline void store_few_double(double *a, few first, wide x)
{
  _mm256_maskstore_pd(a, first, x);
}

static inline wide load_few_float(const float *a, few first)
{
  __m256i low = _mm256_permutevar8x32_epi32(first, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6));
  return _mm256_cvtps_pd(_mm_maskload_ps(a, _mm256_castsi256_si128(low)));
}

static inline wide load_uniform(const uint32_t *word)
{
  return (_mm256_cvtepi32_pd(_mm_loadu_si128((const __m128i *)(const void *)word)) + all(0.5)) * all(0x1p-31);
}

static inline lanes lanes_of_words(const uint32_t *word)
{
  return _mm256_cvtepi32_ps(_mm256_loadu_si256((const __m256i *)(const void *)word));
}

static inline lanes narrowed(wide low, wide high)
{
  return _mm256_set_m128(_mm256_cvtpd_ps(high), _mm256_cvtpd_ps(low));
}

static inline lanes larger_size(lanes a, lanes b)
{
  return _mm256_max_ps(_mm256_andnot_ps(_mm256_set1_ps(-0.0F), a), b);
}

static inline float largest_of(lanes a)
{
  __m128 most = _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
  most = _mm_max_ps(most, _mm_movehl_ps(most, most));
  return _mm_cvtss_f32(_mm_max_ss(most, _mm_movehdup_ps(most)));
}

static inline void store_shorts(uint32_t *word, lanes low, lanes high)
{
  __m256i lower = _mm256_and_si256(_mm256_cvtps_epi32(low), _mm256_set1_epi32(0xffff));
  __m256i near = _mm256_add_epi32(_mm256_sub_epi32(_mm256_cvtps_epi32(high), lower), _mm256_set1_epi32(0x8000));
  _mm256_storeu_si256((__m256i *)(void *)word, _mm256_blend_epi16(near, lower, 0x55));
}

static inline both load_shorts(const uint32_t *word)
{
  __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)word);
  return (both){_mm256_cvtepi32_ps(_mm256_slli_epi32(x, 16)), _mm256_cvtepi32_ps(x)};
}

static inline lanes load_lanes(const float *a)
{
  return _mm256_loadu_ps(a);
}

static inline void store_lanes(float *a, lanes x)
{
  _mm256_storeu_ps(a, x);
}

static inline some first_lanes(size_t k)
{
  return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)k), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

static inline lanes load_some(const float *a, some first)
{
  return _mm256_maskload_ps(a, first);
}

static inline lanes lanes_of_some_words(const uint32_t *word, some first)
{
  return _mm256_cvtepi32_ps(_mm256_maskload_epi32((const int *)(const void *)word, first));
}

static inline void store_some(float *a, some first, lanes x)
{
  _mm256_maskstore_ps(a, first, x);
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

#include "linalg/kernels_x86.h"

#include "linalg/moves_avx2.h"

static const ofw_kernels floats = TABLE("avx2", NULL, float, MOVES_OF_FLOATS, words),
                         doubles = TABLE("avx2", &floats, double, MOVES_OF_DOUBLES, words);
static const ofw_kernels wide_floats = TABLE("avx2", NULL, float, MOVES_OF_FLOATS, ofw_words_avx512),
                         wide_doubles = TABLE("avx2", &wide_floats, double, MOVES_OF_DOUBLES, ofw_words_avx512);
const ofw_kernels *const ofw_kernels_avx2 = &doubles, *const ofw_kernels_avx2_wide_words = &wide_doubles;

#else

const ofw_kernels *const ofw_kernels_avx2 = NULL, *const ofw_kernels_avx2_wide_words = NULL;

#endif
