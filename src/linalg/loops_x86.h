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

/* The sizes of numbers, as floats: the largest, in which NaN does not count, and the squares' sum. They are read by whole registers from
 * where they are aligned. */
static double OF(look)(size_t n, const NUMBER *a, float *largest)
{
  enum { RUN = 4 * LANES * (OFW_ROUGH_TERMS - 1), WHOLE = sizeof(lanes) / sizeof(NUMBER) };
  size_t head = (WHOLE - (uintptr_t)a / sizeof *a % WHOLE) % WHOLE, i = head < n ? head : n;
  lanes x = OF(lanes_of_some)(a, i), most[4] = {larger_size(x, (lanes){0})};
  wide square = {0};
  do {
    lanes s[4] = {x * x};
    size_t end = n - i < RUN ? n : i + RUN;
    for (; i + 4 * LANES <= end; i += 4 * LANES)
      for (size_t k = 0; k < 4; k++) {
        x = OF(lanes_of)(a + i + LANES * k);
        most[k] = larger_size(x, most[k]);
        s[k] = fused(x, x, s[k]);
      }
    for (size_t left; i < end; i += left) {
      left = end - i < LANES ? end - i : LANES;
      x = OF(lanes_of_some)(a + i, left);
      most[0] = larger_size(x, most[0]);
      s[0] = fused(x, x, s[0]);
    }
    s[0] = (s[0] + s[1]) + (s[2] + s[3]);
    square += low_half(s[0]) + high_half(s[0]);
    x = (lanes){0};
  } while (i < n);
  *largest = largest_of(larger_size(larger_size(most[0], most[1]), larger_size(most[2], most[3])));
  return add_up(square);
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
  float largest;
  double sum = OF(look)(n, a, &largest);
  float over = ofw_shorts_scale(largest, sum, c);
  memcpy(last, a + whole, (n - whole) * sizeof *a);
  if (over > 0.0F) {
    OF(pack_groups)(whole, a, over, out);
    OF(pack_groups)(rest, last, over, out + whole / 2);
  } else
    memset(out, 0, (whole + rest) / 2 * sizeof *out);
  return sum;
}

/* u = A v and w += A' u for rows that are `apart` numbers apart. They are read forwards, then backwards, since the first-level cache
 * holds what was read last, and by whole registers from `head` on. Inlined for each number of rows, so that the sums are registers. */
static inline __attribute__((always_inline)) void OF(block)(const size_t rows, size_t n, size_t apart, size_t head,
                                                            const NUMBER *a, const double *v, double *u, size_t u_apart,
                                                            double *w)
{
  size_t whole = head + (n - head) / W * W;
  few first = first_few(head), last = first_few(n - whole);
  wide s[OFW_PASS_ROWS], c[OFW_PASS_ROWS], x = load_few_double(v, first);
#pragma GCC unroll 8
  for (size_t k = 0; k < rows; k++)
    s[k] = OF(load_few)(a + k * apart, first) * x;
  for (size_t j = head; j < whole; j += W) {
    x = load_double(v + j);
#pragma GCC unroll 8
    for (size_t k = 0; k < rows; k++)
      s[k] = mul_add(OF(load)(a + k * apart + j), x, s[k]);
  }
  x = load_few_double(v + whole, last);
#pragma GCC unroll 8
  for (size_t k = 0; k < rows; k++) {
    u[k * u_apart] = add_up(mul_add(OF(load_few)(a + k * apart + whole, last), x, s[k]));
    c[k] = all(u[k * u_apart]);
  }
  x = load_few_double(w + whole, last);
#pragma GCC unroll 8
  for (size_t k = 0; k < rows; k++)
    x = mul_add(c[k], OF(load_few)(a + k * apart + whole, last), x);
  store_few_double(w + whole, last, x);
  for (size_t j = whole; j > head;) {
    j -= W;
    x = load_double(w + j);
#pragma GCC unroll 8
    for (size_t k = 0; k < rows; k++)
      x = mul_add(c[k], OF(load)(a + k * apart + j), x);
    store_double(w + j, x);
  }
  x = load_few_double(w, first);
#pragma GCC unroll 8
  for (size_t k = 0; k < rows; k++)
    x = mul_add(c[k], OF(load_few)(a + k * apart, first), x);
  store_few_double(w, first, x);
}

static void OF(blocks)(size_t rows, size_t n, size_t apart, size_t head, const NUMBER *a, const double *v, double *u,
                       size_t u_apart, double *w)
{
#define OFW_BLOCK_OF(rows)                                \
  case rows:                                              \
    OF(block)(rows, n, apart, head, a, v, u, u_apart, w); \
    break;
  switch (rows) {
    OFW_BLOCK_OF(1)
    OFW_BLOCK_OF(2) OFW_BLOCK_OF(3) OFW_BLOCK_OF(4) OFW_BLOCK_OF(5) OFW_BLOCK_OF(6) OFW_BLOCK_OF(7) OFW_BLOCK_OF(8)
  }
#undef OFW_BLOCK_OF
}

/* Rows go together if they begin at the same place of a register, as every `kinds`th does if the first begins a line of the cache: then
 * no number is read across two lines, which would take twice the time. */
static void OF(pass)(size_t rows, size_t cols, const void *matrix, const double *v, double *u, double *w)
{
  const NUMBER *a = matrix;
  size_t kinds = 1;
  while (kinds * cols % W)
    kinds *= 2;
  memset(w, 0, cols * sizeof *w);
  for (size_t begin = 0, end; begin < rows; begin = end) {
    end = rows - begin < OFW_PASS_ROWS * kinds ? rows : begin + OFW_PASS_ROWS * kinds;
    for (size_t i = begin; i < end && i < begin + kinds; i++) {
      size_t before = (W - i * cols % W) % W, head = before < cols ? before : cols;
      OF(blocks)((end - i + kinds - 1) / kinds, cols, kinds * cols, head, a + i * cols, v, u + i, kinds, w);
    }
  }
}
