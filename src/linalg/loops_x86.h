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

/* The sizes of whole groups of floats: the largest, in which NaN does not count, and the squares' sum. */
static void OF(look)(size_t n, const NUMBER *a, lanes *largest, wide *square)
{
  enum { RUN = 4 * LANES * OFW_ROUGH_TERMS };
  lanes most[4] = {*largest, *largest, *largest, *largest};
  for (size_t i = 0, end; i < n;) {
    lanes s[4] = {{0}};
    end = i + RUN < n ? i + RUN : n;
    for (; i + 4 * LANES <= end; i += 4 * LANES)
      for (size_t k = 0; k < 4; k++) {
        lanes x = OF(lanes_of)(a + i + LANES * k);
        most[k] = larger_size(x, most[k]);
        s[k] = fused(x, x, s[k]);
      }
    for (; i < end; i += LANES) {
      lanes x = OF(lanes_of)(a + i);
      most[0] = larger_size(x, most[0]);
      s[0] = fused(x, x, s[0]);
    }
    s[0] = (s[0] + s[1]) + (s[2] + s[3]);
    *square += low_half(s[0]) + high_half(s[0]);
  }
  *largest = larger_size(larger_size(most[0], most[1]), larger_size(most[2], most[3]));
}

static void OF(pack_groups)(size_t n, const NUMBER *a, float over, uint32_t *restrict out)
{
  enum { APART = OFW_ROUGH_EDGE / 2 };
  lanes low = (lanes){0} + over, high = low * 0x1p16F;
  for (size_t group = 0; group < n; group += OFW_ROUGH_EDGE)
    for (size_t j = group; j < group + APART; j += LANES, out += LANES)
      store_shorts(out, OF(lanes_of)(a + j) * low, OF(lanes_of)(a + j + APART) * high);
}

static double OF(pack)(size_t n, const void *from, uint32_t *restrict out, double *c)
{
  const NUMBER *a = from;
  NUMBER last[OFW_ROUGH_EDGE] = {0};
  size_t whole = n / OFW_ROUGH_EDGE * OFW_ROUGH_EDGE, rest = n > whole ? OFW_ROUGH_EDGE : 0;
  lanes largest = {0};
  wide square = {0};
  memcpy(last, a + whole, (n - whole) * sizeof *a);
  OF(look)(whole, a, &largest, &square);
  OF(look)(rest, last, &largest, &square);
  double sum = add_up(square);
  float over = ofw_shorts_scale(largest_of(largest), sum, c);
  if (over > 0.0F) {
    OF(pack_groups)(whole, a, over, out);
    OF(pack_groups)(rest, last, over, out + whole / 2);
  } else
    memset(out, 0, (whole + rest) / 2 * sizeof *out);
  return sum;
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
