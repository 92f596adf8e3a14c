/* loops_x86.h — the loops over arrays of NUMBERs of x86-64 variants; kernels_x86.h includes this for each kind */
#include "linalg/loops_plain.h"

static double OF(dot)(size_t n, const void *left, const double *b)
{
  const NUMBER *a = left;
  wide s[4] = {all(0.0), all(0.0), all(0.0), all(0.0)};
  size_t i = 0;
  for (; i + 4 * W <= n; i += 4 * W)
    for (size_t k = 0; k < 4; k++)
      s[k] = mul_add(OF(load)(a + i + W * k), load_double(b + i + W * k), s[k]);
  for (; i + W <= n; i += W)
    s[0] = mul_add(OF(load)(a + i), load_double(b + i), s[0]);
  double sum = add_up((s[0] + s[1]) + (s[2] + s[3]));
  for (; i < n; i++)
    sum += (double)a[i] * b[i];
  return sum;
}

static void OF(axpy)(size_t n, double c, const double *restrict a, void *to)
{
  NUMBER *restrict y = to;
  wide factor = all(c);
  size_t i = 0;
  for (; i + 2 * W <= n; i += 2 * W)
    for (size_t k = i; k < i + 2 * W; k += W)
      OF(store)(y + k, mul_add(factor, load_double(a + k), OF(load)(y + k)));
  for (; i < n; i++)
    y[i] = (NUMBER)__builtin_fma(c, a[i], (double)y[i]);
}

/* max_pd gives its second operand if the first is NaN. */
static void OF(measure)(size_t n, const void *from, double *largest, double *square)
{
  const NUMBER *a = from;
  wide most[4], s[4];
  double last[W];
  size_t i = 0;
  for (size_t k = 0; k < 4; k++)
    most[k] = s[k] = all(0.0);
  for (; i + 4 * W <= n; i += 4 * W)
    for (size_t k = 0; k < 4; k++) {
      wide x = OF(load)(a + i + W * k);
      most[k] = larger(absolute(x), most[k]);
      s[k] = mul_add(x, x, s[k]);
    }
  store_double(last, larger(larger(most[0], most[1]), larger(most[2], most[3])));
  *largest = 0.0;
  *square = add_up((s[0] + s[1]) + (s[2] + s[3]));
  for (size_t k = 0; k < W; k++)
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
  wide s[8];
  size_t i = 0;
  for (size_t k = 0; k < 8; k++)
    s[k] = all(0.0);
  for (; i + 8 * W <= n; i += 8 * W)
    for (size_t k = 0; k < 8; k++) {
      wide x = OF(load)(a + i + W * k);
      s[k] = mul_add(x, x, s[k]);
    }
  for (size_t k = 0; k < 4; k++)
    s[k] += s[k + 4];
  double sum = add_up((s[0] + s[1]) + (s[2] + s[3]));
  for (; i < n; i++)
    sum += (double)a[i] * (double)a[i];
  return sum;
}

static double OF(halve)(size_t n, const void *from, uint16_t *restrict out, double *c)
{
  const NUMBER *a = from;
  double square = OF(square)(n, a), over = 1.0 / (*c = ofw_halves_unit(square));
  wide by = all(over);
  size_t i = 0;
  for (; i + 2 * W <= n; i += 2 * W)
    store_halves(out + i, OF(load)(a + i) * by, OF(load)(a + i + W) * by);
  for (; i < n; i++)
    out[i] = _cvtss_sh((float)((double)a[i] * over), _MM_FROUND_CUR_DIRECTION);
  return square;
}

/* Two registers' numbers, by lines of the cache. */
static inline void OF(fetch)(const NUMBER *a)
{
  for (size_t i = 0; i < 2 * W; i += 64 / sizeof(NUMBER))
    _mm_prefetch((const char *)(a + i), _MM_HINT_T1);
}

/* u = A v and w += A' u for a few rows. They are read forwards, then backwards, since the first-level cache holds what
 * was read last; meanwhile the first half of the next rows is fetched in one loop and the second in the other.
 * Inlined for each number of rows, so that the sums are registers. */
static inline __attribute__((always_inline)) void OF(block)(const size_t rows, size_t n, const NUMBER *a,
                                                            const NUMBER *next, const double *v, double *u, double *w)
{
  size_t whole = n / (2 * W) * (2 * W);
  wide s[OFW_PASS_ROWS], c[OFW_PASS_ROWS];
  for (size_t k = 0; k < rows; k++)
    s[k] = all(0.0);
  for (size_t j = 0; j < whole; j += 2 * W) {
    wide left = load_double(v + j), right = load_double(v + j + W);
#pragma GCC unroll 8
    for (size_t k = 0; k < rows; k++) {
      if (k < rows / 2)
        OF(fetch)(next + k * n + j);
      s[k] = mul_add(OF(load)(a + k * n + j), left, s[k]);
      s[k] = mul_add(OF(load)(a + k * n + j + W), right, s[k]);
    }
  }
  for (size_t k = 0; k < rows; k++) {
    u[k] = add_up(s[k]);
    for (size_t j = whole; j < n; j++)
      u[k] += (double)a[k * n + j] * v[j];
    c[k] = all(u[k]);
  }
  for (size_t j = whole; j < n; j++)
    for (size_t k = 0; k < rows; k++)
      w[j] = __builtin_fma(u[k], (double)a[k * n + j], w[j]);
  for (size_t j = whole; j > 0;) {
    j -= 2 * W;
    wide left = load_double(w + j), right = load_double(w + j + W);
#pragma GCC unroll 8
    for (size_t k = 0; k < rows; k++) {
      if (k >= rows / 2)
        OF(fetch)(next + k * n + j);
      left = mul_add(c[k], OF(load)(a + k * n + j), left);
      right = mul_add(c[k], OF(load)(a + k * n + j + W), right);
    }
    store_double(w + j, left);
    store_double(w + j + W, right);
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
  wide s[4] = {all(0.0), all(0.0), all(0.0), all(0.0)};
  size_t i = 0;
  for (; i + 4 * W <= n; i += 4 * W)
    for (size_t k = 0; k < 4; k++)
      s[k] = mul_add(load_uniform(word + i + W * k), OF(load)(x + i + W * k), s[k]);
  double sum = add_up((s[0] + s[1]) + (s[2] + s[3]));
  for (; i < n; i++)
    sum += ofw_rng_to_uniform(word[i]) * (double)x[i];
  return sum;
}

static void OF(uniform_axpy)(size_t n, double c, const uint32_t *restrict word, void *to)
{
  NUMBER *restrict y = to;
  wide factor = all(c);
  size_t i = 0;
  for (; i + 2 * W <= n; i += 2 * W)
    for (size_t k = i; k < i + 2 * W; k += W)
      OF(store)(y + k, mul_add(factor, load_uniform(word + k), OF(load)(y + k)));
  for (; i < n; i++)
    y[i] = (NUMBER)__builtin_fma(c, ofw_rng_to_uniform(word[i]), (double)y[i]);
}
