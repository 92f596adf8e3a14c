/* kernels_avx2.c — the loops for x86-64 processors with AVX2 and FMA
 *
 * The build gives this file, and no other, the options for those instructions.
 */
#include "linalg/kernels.h"

#if defined(__AVX2__) && defined(__FMA__)

#include "base/rng.h"
#include "linalg/normal.h"

#include <immintrin.h>
#include <string.h>

enum { BLOCK = 8 }; /* rows of a pass that are read together */

static double add_up(__m256d a)
{
  __m128d s = _mm_add_pd(_mm256_castpd256_pd128(a), _mm256_extractf128_pd(a, 1));
  return _mm_cvtsd_f64(_mm_add_sd(s, _mm_unpackhi_pd(s, s)));
}

static double dot(size_t n, const double *a, const double *b)
{
  __m256d s[4] = {_mm256_setzero_pd(), _mm256_setzero_pd(), _mm256_setzero_pd(), _mm256_setzero_pd()};
  size_t i = 0;
  for (; i + 16 <= n; i += 16)
    for (size_t k = 0; k < 4; k++)
      s[k] = _mm256_fmadd_pd(_mm256_loadu_pd(a + i + 4 * k), _mm256_loadu_pd(b + i + 4 * k), s[k]);
  for (; i + 4 <= n; i += 4)
    s[0] = _mm256_fmadd_pd(_mm256_loadu_pd(a + i), _mm256_loadu_pd(b + i), s[0]);
  double sum = add_up(_mm256_add_pd(_mm256_add_pd(s[0], s[1]), _mm256_add_pd(s[2], s[3])));
  for (; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

static void axpy(size_t n, double c, const double *restrict a, double *restrict y)
{
  __m256d factor = _mm256_set1_pd(c);
  size_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (size_t k = 0; k < 8; k += 4)
      _mm256_storeu_pd(y + i + k, _mm256_fmadd_pd(factor, _mm256_loadu_pd(a + i + k), _mm256_loadu_pd(y + i + k)));
  for (; i < n; i++)
    y[i] = __builtin_fma(c, a[i], y[i]);
}

/* max_pd gives its second operand where the first is NaN. */
static double largest(size_t n, const double *a)
{
  __m256d sign = _mm256_set1_pd(-0.0), most[4];
  double last[4], out = 0.0;
  size_t i = 0;
  for (size_t k = 0; k < 4; k++)
    most[k] = _mm256_setzero_pd();
  for (; i + 16 <= n; i += 16)
    for (size_t k = 0; k < 4; k++)
      most[k] = _mm256_max_pd(_mm256_andnot_pd(sign, _mm256_loadu_pd(a + i + 4 * k)), most[k]);
  _mm256_storeu_pd(last, _mm256_max_pd(_mm256_max_pd(most[0], most[1]), _mm256_max_pd(most[2], most[3])));
  for (size_t k = 0; k < 4; k++)
    out = last[k] > out ? last[k] : out;
  for (; i < n; i++)
    out = __builtin_fabs(a[i]) > out ? __builtin_fabs(a[i]) : out;
  return out;
}

static void segment(size_t n, const double *x, const double *d, double c, const double *v, double *slope,
                    double *length2)
{
  __m256d factor = _mm256_set1_pd(c), s[2], l[2];
  size_t i = 0;
  s[0] = s[1] = l[0] = l[1] = _mm256_setzero_pd();
  for (; i + 8 <= n; i += 8)
    for (size_t k = 0; k < 2; k++) {
      size_t at = i + 4 * k;
      __m256d e = _mm256_fmsub_pd(factor, _mm256_loadu_pd(v + at), _mm256_loadu_pd(x + at));
      s[k] = _mm256_fmadd_pd(_mm256_loadu_pd(d + at), e, s[k]);
      l[k] = _mm256_fmadd_pd(e, e, l[k]);
    }
  double sum = add_up(_mm256_add_pd(s[0], s[1])), square = add_up(_mm256_add_pd(l[0], l[1]));
  for (; i < n; i++) {
    double e = __builtin_fma(c, v[i], -x[i]);
    sum += d[i] * e;
    square += e * e;
  }
  *slope += sum;
  *length2 += square;
}

static void step(size_t n, double *restrict x, double *restrict d, double c, const double *restrict v, double sig,
                 double curv)
{
  __m256d factor = _mm256_set1_pd(c), move = _mm256_set1_pd(sig), bend = _mm256_set1_pd(curv);
  size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    __m256d old = _mm256_loadu_pd(x + i), e = _mm256_fmsub_pd(factor, _mm256_loadu_pd(v + i), old);
    _mm256_storeu_pd(x + i, _mm256_fmadd_pd(move, e, old));
    _mm256_storeu_pd(d + i, _mm256_fmadd_pd(bend, e, _mm256_loadu_pd(d + i)));
  }
  for (; i < n; i++) {
    double e = __builtin_fma(c, v[i], -x[i]);
    x[i] = __builtin_fma(sig, e, x[i]);
    d[i] = __builtin_fma(curv, e, d[i]);
  }
}

/* u = A v and w += A' u for a few rows. They are read forwards, then backwards, since the first-level cache holds what
 * was read last; meanwhile the first half of the next rows is fetched in one loop and the second in the other.
 * Inlined for each number of rows, so that the sums are registers. */
static inline __attribute__((always_inline)) void block(const size_t rows, size_t n, const double *a,
                                                        const double *next, const double *v, double *u, double *w)
{
  size_t whole = n / 8 * 8;
  __m256d s[BLOCK], c[BLOCK];
  for (size_t k = 0; k < rows; k++)
    s[k] = _mm256_setzero_pd();
  for (size_t j = 0; j < whole; j += 8) {
    __m256d left = _mm256_loadu_pd(v + j), right = _mm256_loadu_pd(v + j + 4);
#pragma GCC unroll 8
    for (size_t k = 0; k < rows; k++) {
      if (k < rows / 2)
        _mm_prefetch((const char *)(next + k * n + j), _MM_HINT_T1);
      s[k] = _mm256_fmadd_pd(_mm256_loadu_pd(a + k * n + j), left, s[k]);
      s[k] = _mm256_fmadd_pd(_mm256_loadu_pd(a + k * n + j + 4), right, s[k]);
    }
  }
  for (size_t k = 0; k < rows; k++) {
    u[k] = add_up(s[k]);
    for (size_t j = whole; j < n; j++)
      u[k] += a[k * n + j] * v[j];
    c[k] = _mm256_set1_pd(u[k]);
  }
  for (size_t j = whole; j < n; j++)
    for (size_t k = 0; k < rows; k++)
      w[j] = __builtin_fma(u[k], a[k * n + j], w[j]);
  for (size_t j = whole; j > 0;) {
    j -= 8;
    __m256d left = _mm256_loadu_pd(w + j), right = _mm256_loadu_pd(w + j + 4);
#pragma GCC unroll 8
    for (size_t k = 0; k < rows; k++) {
      if (k >= rows / 2)
        _mm_prefetch((const char *)(next + k * n + j), _MM_HINT_T1);
      left = _mm256_fmadd_pd(c[k], _mm256_loadu_pd(a + k * n + j), left);
      right = _mm256_fmadd_pd(c[k], _mm256_loadu_pd(a + k * n + j + 4), right);
    }
    _mm256_storeu_pd(w + j, left);
    _mm256_storeu_pd(w + j + 4, right);
  }
}

static void pass(size_t rows, size_t cols, const double *a, const double *v, double *u, double *w)
{
  size_t i = 0;
  memset(w, 0, cols * sizeof *w);
  for (; i + BLOCK <= rows; i += BLOCK)
    block(BLOCK, cols, a + i * cols, a + (i + 2 * BLOCK <= rows ? i + BLOCK : i) * cols, v, u + i, w);
  for (; i + 2 <= rows; i += 2)
    block(2, cols, a + i * cols, a + i * cols, v, u + i, w);
  if (i < rows)
    block(1, cols, a + i * cols, a + i * cols, v, u + i, w);
}

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
  while (blocks > 0) {
    uint64_t near = ((uint64_t)1 << 32) - (first & UINT32_MAX);
    size_t run = blocks < near ? blocks : (size_t)near;
    words_near(key, first, run, out);
    first += run;
    blocks -= run;
    out += 4 * run;
  }
}

static void normal(size_t pairs, const uint32_t *word, double *out)
{
  ofw_normal_pairs(pairs, word, out);
}

static inline __m256d load_uniform(const uint32_t *word)
{
  __m256d x = _mm256_cvtepi32_pd(_mm_loadu_si128((const __m128i *)(const void *)word));
  return _mm256_mul_pd(_mm256_add_pd(x, _mm256_set1_pd(0.5)), _mm256_set1_pd(0x1p-31));
}

static double uniform_dot(size_t n, const uint32_t *word, const double *x)
{
  __m256d s[4] = {_mm256_setzero_pd(), _mm256_setzero_pd(), _mm256_setzero_pd(), _mm256_setzero_pd()};
  size_t i = 0;
  for (; i + 16 <= n; i += 16)
    for (size_t k = 0; k < 16; k += 4)
      s[k / 4] = _mm256_fmadd_pd(load_uniform(word + i + k), _mm256_loadu_pd(x + i + k), s[k / 4]);
  double sum = add_up(_mm256_add_pd(_mm256_add_pd(s[0], s[1]), _mm256_add_pd(s[2], s[3])));
  for (; i < n; i++)
    sum += ofw_rng_to_uniform(word[i]) * x[i];
  return sum;
}

static void uniform_axpy(size_t n, double c, const uint32_t *restrict word, double *restrict y)
{
  __m256d factor = _mm256_set1_pd(c);
  size_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (size_t k = 0; k < 8; k += 4)
      _mm256_storeu_pd(y + i + k, _mm256_fmadd_pd(factor, load_uniform(word + i + k), _mm256_loadu_pd(y + i + k)));
  for (; i < n; i++)
    y[i] = __builtin_fma(c, ofw_rng_to_uniform(word[i]), y[i]);
}

static const ofw_kernels kernels = {"avx2", dot,   axpy,   largest,     segment,     step,
                                    pass,   words, normal, uniform_dot, uniform_axpy};
const ofw_kernels *const ofw_kernels_avx2 = &kernels;

#else

const ofw_kernels *const ofw_kernels_avx2 = NULL;

#endif
