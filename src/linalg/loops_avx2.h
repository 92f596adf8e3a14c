/* loops_avx2.h — the AVX2 loops over arrays of NUMBERs; kernels_avx2.c includes this for each kind */
#include "linalg/loops_plain.h"

static double OF(dot)(size_t n, const void *left, const double *b)
{
  const NUMBER *a = left;
  __m256d s[4] = {_mm256_setzero_pd(), _mm256_setzero_pd(), _mm256_setzero_pd(), _mm256_setzero_pd()};
  size_t i = 0;
  for (; i + 16 <= n; i += 16)
    for (size_t k = 0; k < 4; k++)
      s[k] = _mm256_fmadd_pd(OF(load)(a + i + 4 * k), load_double(b + i + 4 * k), s[k]);
  for (; i + 4 <= n; i += 4)
    s[0] = _mm256_fmadd_pd(OF(load)(a + i), load_double(b + i), s[0]);
  double sum = add_up(_mm256_add_pd(_mm256_add_pd(s[0], s[1]), _mm256_add_pd(s[2], s[3])));
  for (; i < n; i++)
    sum += (double)a[i] * b[i];
  return sum;
}

static void OF(axpy)(size_t n, double c, const double *restrict a, void *to)
{
  NUMBER *restrict y = to;
  __m256d factor = _mm256_set1_pd(c);
  size_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (size_t k = i; k < i + 8; k += 4)
      OF(store)(y + k, _mm256_fmadd_pd(factor, load_double(a + k), OF(load)(y + k)));
  for (; i < n; i++)
    y[i] = (NUMBER)__builtin_fma(c, a[i], (double)y[i]);
}

/* max_pd gives its second operand if the first is NaN. */
static void OF(measure)(size_t n, const void *from, double *largest, double *square)
{
  const NUMBER *a = from;
  __m256d sign = _mm256_set1_pd(-0.0), most[4], s[4];
  double last[4];
  size_t i = 0;
  for (size_t k = 0; k < 4; k++)
    most[k] = s[k] = _mm256_setzero_pd();
  for (; i + 16 <= n; i += 16)
    for (size_t k = 0; k < 4; k++) {
      __m256d x = OF(load)(a + i + 4 * k);
      most[k] = _mm256_max_pd(_mm256_andnot_pd(sign, x), most[k]);
      s[k] = _mm256_fmadd_pd(x, x, s[k]);
    }
  _mm256_storeu_pd(last, _mm256_max_pd(_mm256_max_pd(most[0], most[1]), _mm256_max_pd(most[2], most[3])));
  *largest = 0.0;
  *square = add_up(_mm256_add_pd(_mm256_add_pd(s[0], s[1]), _mm256_add_pd(s[2], s[3])));
  for (size_t k = 0; k < 4; k++)
    *largest = last[k] > *largest ? last[k] : *largest;
  for (; i < n; i++) {
    double x = __builtin_fabs((double)a[i]);
    *largest = x > *largest ? x : *largest;
    *square += x * x;
  }
}

/* The sum of squares: by eight sums, as many as the processor has under way. */
static double OF(square)(size_t n, const NUMBER *a)
{
  __m256d s[8];
  size_t i = 0;
  for (size_t k = 0; k < 8; k++)
    s[k] = _mm256_setzero_pd();
  for (; i + 32 <= n; i += 32)
    for (size_t k = 0; k < 8; k++) {
      __m256d x = OF(load)(a + i + 4 * k);
      s[k] = _mm256_fmadd_pd(x, x, s[k]);
    }
  for (size_t k = 0; k < 4; k++)
    s[k] = _mm256_add_pd(s[k], s[k + 4]);
  double sum = add_up(_mm256_add_pd(_mm256_add_pd(s[0], s[1]), _mm256_add_pd(s[2], s[3])));
  for (; i < n; i++)
    sum += (double)a[i] * (double)a[i];
  return sum;
}

static double OF(halve)(size_t n, const void *from, uint16_t *restrict out, double *c)
{
  const NUMBER *a = from;
  double square = OF(square)(n, a), over = 1.0 / (*c = ofw_halves_unit(square));
  __m256d by = _mm256_set1_pd(over);
  size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    __m128 low = _mm256_cvtpd_ps(_mm256_mul_pd(OF(load)(a + i), by));
    __m128 high = _mm256_cvtpd_ps(_mm256_mul_pd(OF(load)(a + i + 4), by));
    _mm_storeu_si128((__m128i *)(void *)(out + i),
                     _mm256_cvtps_ph(_mm256_set_m128(high, low), _MM_FROUND_CUR_DIRECTION));
  }
  for (; i < n; i++)
    out[i] = _cvtss_sh((float)((double)a[i] * over), _MM_FROUND_CUR_DIRECTION);
  return square;
}

static void OF(segment)(size_t n, const void *at, const void *along, double c, const double *v, double *slope,
                        double *length2)
{
  const NUMBER *x = at, *d = along;
  __m256d factor = _mm256_set1_pd(c), s[2], l[2];
  size_t i = 0;
  s[0] = s[1] = l[0] = l[1] = _mm256_setzero_pd();
  for (; i + 8 <= n; i += 8)
    for (size_t k = 0; k < 2; k++) {
      size_t j = i + 4 * k;
      __m256d e = _mm256_fmsub_pd(factor, load_double(v + j), OF(load)(x + j));
      s[k] = _mm256_fmadd_pd(OF(load)(d + j), e, s[k]);
      l[k] = _mm256_fmadd_pd(e, e, l[k]);
    }
  double sum = add_up(_mm256_add_pd(s[0], s[1])), square = add_up(_mm256_add_pd(l[0], l[1]));
  for (; i < n; i++) {
    double e = __builtin_fma(c, v[i], -(double)x[i]);
    sum += (double)d[i] * e;
    square += e * e;
  }
  *slope += sum;
  *length2 += square;
}

static void OF(step)(size_t n, void *at, void *along, double c, const double *restrict v, double sig, double curv)
{
  NUMBER *restrict x = at, *restrict d = along;
  __m256d factor = _mm256_set1_pd(c), move = _mm256_set1_pd(sig), bend = _mm256_set1_pd(curv);
  size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    __m256d old = OF(load)(x + i), e = _mm256_fmsub_pd(factor, load_double(v + i), old);
    OF(store)(x + i, _mm256_fmadd_pd(move, e, old));
    OF(store)(d + i, _mm256_fmadd_pd(bend, e, OF(load)(d + i)));
  }
  for (; i < n; i++) {
    double e = __builtin_fma(c, v[i], -(double)x[i]);
    x[i] = (NUMBER)__builtin_fma(sig, e, (double)x[i]);
    d[i] = (NUMBER)__builtin_fma(curv, e, (double)d[i]);
  }
}

static double OF(follow)(size_t n, const void *at, void *to, double c, const double *restrict v, double sig,
                         double keep)
{
  const NUMBER *restrict x = at;
  NUMBER *restrict y = to;
  __m256d factor = _mm256_set1_pd(c), move = _mm256_set1_pd(sig), stay = _mm256_set1_pd(keep), s[2];
  size_t i = 0;
  s[0] = s[1] = _mm256_setzero_pd();
  for (; i + 8 <= n; i += 8)
    for (size_t k = 0; k < 2; k++) {
      size_t j = i + 4 * k;
      __m256d e = _mm256_fmsub_pd(factor, load_double(v + j), OF(load)(x + j));
      __m256d old = keep == 0.0 ? _mm256_setzero_pd() : _mm256_mul_pd(stay, OF(load)(y + j));
      __m256d next = _mm256_fmadd_pd(move, e, old);
      OF(store)(y + j, next);
      s[k] = _mm256_fmadd_pd(next, next, s[k]);
    }
  double square = add_up(_mm256_add_pd(s[0], s[1]));
  for (; i < n; i++) {
    double e = __builtin_fma(c, v[i], -(double)x[i]),
           next = __builtin_fma(sig, e, keep == 0.0 ? 0.0 : keep * (double)y[i]);
    y[i] = (NUMBER)next;
    square += next * next;
  }
  return square;
}

/* u = A v and w += A' u for a few rows. They are read forwards, then backwards, since the first-level cache holds what
 * was read last; meanwhile the first half of the next rows is fetched in one loop and the second in the other.
 * Inlined for each number of rows, so that the sums are registers. */
static inline __attribute__((always_inline)) void OF(block)(const size_t rows, size_t n, const NUMBER *a,
                                                            const NUMBER *next, const double *v, double *u, double *w)
{
  size_t whole = n / 8 * 8;
  __m256d s[OFW_PASS_ROWS], c[OFW_PASS_ROWS];
  for (size_t k = 0; k < rows; k++)
    s[k] = _mm256_setzero_pd();
  for (size_t j = 0; j < whole; j += 8) {
    __m256d left = load_double(v + j), right = load_double(v + j + 4);
#pragma GCC unroll 8
    for (size_t k = 0; k < rows; k++) {
      if (k < rows / 2)
        _mm_prefetch((const char *)(next + k * n + j), _MM_HINT_T1);
      s[k] = _mm256_fmadd_pd(OF(load)(a + k * n + j), left, s[k]);
      s[k] = _mm256_fmadd_pd(OF(load)(a + k * n + j + 4), right, s[k]);
    }
  }
  for (size_t k = 0; k < rows; k++) {
    u[k] = add_up(s[k]);
    for (size_t j = whole; j < n; j++)
      u[k] += (double)a[k * n + j] * v[j];
    c[k] = _mm256_set1_pd(u[k]);
  }
  for (size_t j = whole; j < n; j++)
    for (size_t k = 0; k < rows; k++)
      w[j] = __builtin_fma(u[k], (double)a[k * n + j], w[j]);
  for (size_t j = whole; j > 0;) {
    j -= 8;
    __m256d left = load_double(w + j), right = load_double(w + j + 4);
#pragma GCC unroll 8
    for (size_t k = 0; k < rows; k++) {
      if (k >= rows / 2)
        _mm_prefetch((const char *)(next + k * n + j), _MM_HINT_T1);
      left = _mm256_fmadd_pd(c[k], OF(load)(a + k * n + j), left);
      right = _mm256_fmadd_pd(c[k], OF(load)(a + k * n + j + 4), right);
    }
    store_double(w + j, left);
    store_double(w + j + 4, right);
  }
}

static void OF(pass)(size_t rows, size_t cols, const void *matrix, const double *v, double *u, double *w)
{
  const NUMBER *a = matrix;
  size_t i = 0;
  memset(w, 0, cols * sizeof *w);
  for (; i + OFW_PASS_ROWS <= rows; i += OFW_PASS_ROWS) {
    size_t next = i + (size_t)2 * OFW_PASS_ROWS <= rows ? i + OFW_PASS_ROWS : i;
    OF(block)(OFW_PASS_ROWS, cols, a + i * cols, a + next * cols, v, u + i, w);
  }
  for (; i + 2 <= rows; i += 2)
    OF(block)(2, cols, a + i * cols, a + i * cols, v, u + i, w);
  if (i < rows)
    OF(block)(1, cols, a + i * cols, a + i * cols, v, u + i, w);
}

static double OF(uniform_dot)(size_t n, const uint32_t *word, const void *from)
{
  const NUMBER *x = from;
  __m256d s[4] = {_mm256_setzero_pd(), _mm256_setzero_pd(), _mm256_setzero_pd(), _mm256_setzero_pd()};
  size_t i = 0;
  for (; i + 16 <= n; i += 16)
    for (size_t k = 0; k < 4; k++)
      s[k] = _mm256_fmadd_pd(load_uniform(word + i + 4 * k), OF(load)(x + i + 4 * k), s[k]);
  double sum = add_up(_mm256_add_pd(_mm256_add_pd(s[0], s[1]), _mm256_add_pd(s[2], s[3])));
  for (; i < n; i++)
    sum += ofw_rng_to_uniform(word[i]) * (double)x[i];
  return sum;
}

static void OF(uniform_axpy)(size_t n, double c, const uint32_t *restrict word, void *to)
{
  NUMBER *restrict y = to;
  __m256d factor = _mm256_set1_pd(c);
  size_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (size_t k = i; k < i + 8; k += 4)
      OF(store)(y + k, _mm256_fmadd_pd(factor, load_uniform(word + k), OF(load)(y + k)));
  for (; i < n; i++)
    y[i] = (NUMBER)__builtin_fma(c, ofw_rng_to_uniform(word[i]), (double)y[i]);
}
