/* kernels_avx512.c — the loops for x86-64 processors with AVX-512 whose registers are as wide inside
 *
 * The build gives this file, and words_avx512.c, the options for those instructions. kernels.c says which processors these are: on
 * those that do the two halves of a register one after the other, kernels_avx2.c is no slower.
 */
#include "linalg/kernels.h"

#if defined(__AVX512F__) && defined(__AVX512DQ__)

#include "linalg/normal.h"
#include "linalg/rng.h"

#include <immintrin.h>
#include <string.h>

/* ---- the loops over arrays, in registers of eight doubles or sixteen floats ---- */

typedef __m512d wide;
typedef __m512 lanes;
typedef struct both {
  lanes low, high;
} both;
enum { W = 8 };

static inline wide all(double x)
{
  return _mm512_set1_pd(x);
}

static inline double add_up(wide a)
{
  return _mm512_reduce_add_pd(a);
}

static inline wide mul_add(wide a, wide b, wide c)
{
  return _mm512_fmadd_pd(a, b, c);
}

static inline wide absolute(wide a)
{
  return _mm512_abs_pd(a);
}

static inline wide larger(wide a, wide b)
{
  return _mm512_max_pd(a, b);
}

static inline wide smaller(wide a, wide b)
{
  return _mm512_min_pd(a, b);
}

static inline unsigned equal(wide a, wide b)
{
  return _mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ);
}

static inline wide by_sign(wide x, wide negative, wide other)
{
  return _mm512_mask_blend_pd(_mm512_cmp_pd_mask(x, all(0.0), _CMP_GE_OQ), negative, other);
}

static inline wide load_double(const double *a)
{
  return _mm512_loadu_pd(a);
}

static inline void store_double(double *a, wide x)
{
  _mm512_storeu_pd(a, x);
}

static inline wide load_float(const float *a)
{
  return _mm512_cvtps_pd(_mm256_loadu_ps(a));
}

static inline void store_float(float *a, wide x)
{
  _mm256_storeu_ps(a, _mm512_cvtpd_ps(x));
}

/* The first k numbers of a `wide`, k < W, or lanes, k < LANES; the others are 0 when they are read, and stay as they are when they are
 * written. */
typedef __mmask8 few;
typedef __mmask16 some;

static inline few first_few(size_t k)
{
  return (few)((1U << k) - 1);
}

static inline wide load_few_double(const double *a, few first)
{
  return _mm512_maskz_loadu_pd(first, a);
}

static inline void store_few_double(double *a, few first, wide x)
{
  _mm512_mask_storeu_pd(a, first, x);
}

static inline wide load_few_float(const float *a, few first)
{
  return _mm512_cvtps_pd(_mm512_castps512_ps256(_mm512_maskz_loadu_ps(first, a)));
}

static inline wide load_uniform(const uint32_t *word)
{
  return (_mm512_cvtepi32_pd(_mm256_loadu_si256((const __m256i *)(const void *)word)) + all(0.5)) * all(0x1p-31);
}

static inline lanes lanes_of_words(const uint32_t *word)
{
  return _mm512_cvtepi32_ps(_mm512_loadu_si512(word));
}

static inline lanes narrowed(wide low, wide high)
{
  return _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(low)), _mm512_cvtpd_ps(high), 1);
}

static inline lanes larger_size(lanes a, lanes b)
{
  return _mm512_max_ps(_mm512_abs_ps(a), b);
}

static inline float largest_of(lanes a)
{
  return _mm512_reduce_max_ps(a);
}

static inline void store_shorts(uint32_t *word, lanes low, lanes high)
{
  __m512i lower = _mm512_and_si512(_mm512_cvtps_epi32(low), _mm512_set1_epi32(0xffff));
  __m512i near = _mm512_add_epi32(_mm512_sub_epi32(_mm512_cvtps_epi32(high), lower), _mm512_set1_epi32(0x8000));
  _mm512_storeu_si512(word, _mm512_or_si512(_mm512_andnot_si512(_mm512_set1_epi32(0xffff), near), lower));
}

static inline both load_shorts(const uint32_t *word)
{
  __m512i x = _mm512_loadu_si512(word);
  return (both){_mm512_cvtepi32_ps(_mm512_slli_epi32(x, 16)), _mm512_cvtepi32_ps(x)};
}

static inline lanes load_lanes(const float *a)
{
  return _mm512_loadu_ps(a);
}

static inline void store_lanes(float *a, lanes x)
{
  _mm512_storeu_ps(a, x);
}

static inline some first_lanes(size_t k)
{
  return (some)((1U << k) - 1);
}

static inline lanes load_some(const float *a, some first)
{
  return _mm512_maskz_loadu_ps(first, a);
}

static inline lanes lanes_of_some_words(const uint32_t *word, some first)
{
  return _mm512_cvtepi32_ps(_mm512_maskz_loadu_epi32(first, word));
}

static inline void store_some(float *a, some first, lanes x)
{
  _mm512_mask_storeu_ps(a, first, x);
}

static inline lanes fused(lanes a, lanes b, lanes c)
{
  return _mm512_fmadd_ps(a, b, c);
}

static inline wide low_half(lanes x)
{
  return _mm512_cvtps_pd(_mm512_castps512_ps256(x));
}

static inline wide high_half(lanes x)
{
  return _mm512_cvtps_pd(_mm512_extractf32x8_ps(x, 1));
}

#include "linalg/kernels_x86.h"

static const ofw_kernels floats = TABLE("avx512", NULL, float, MOVES_OF_FLOATS, ofw_words_avx512),
                         doubles = TABLE("avx512", &floats, double, MOVES_OF_DOUBLES, ofw_words_avx512);
const ofw_kernels *const ofw_kernels_avx512 = &doubles;

#else

const ofw_kernels *const ofw_kernels_avx512 = NULL;

#endif
