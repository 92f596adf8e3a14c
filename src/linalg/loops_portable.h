/* loops_portable.h — the portable loops over arrays of NUMBERs; kernels_portable.c includes this for each kind */
#include "linalg/loops_plain.h"

static double OF(dot)(size_t n, const void *left, const double *b)
{
  const NUMBER *a = left;
  pair s[4] = {{0}};
  size_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (size_t k = 0; k < 4; k++)
      s[k] += OF(load)(a + i + 2 * k) * load_double(b + i + 2 * k);
  s[0] = (s[0] + s[1]) + (s[2] + s[3]);
  double sum = s[0][0] + s[0][1];
  for (; i < n; i++)
    sum += (double)a[i] * b[i];
  return sum;
}

static void OF(axpy)(size_t n, double c, const double *restrict a, void *to)
{
  NUMBER *restrict y = to;
  for (size_t i = 0; i < n; i++)
    y[i] = (NUMBER)((double)y[i] + c * a[i]);
}

static void OF(measure)(size_t n, const void *from, double *largest, double *square)
{
  const NUMBER *a = from;
  double most[4] = {0};
  pair s[2] = {{0}};
  size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    for (size_t k = 0; k < 4; k++)
      most[k] = fabs((double)a[i + k]) > most[k] ? fabs((double)a[i + k]) : most[k];
    for (size_t k = 0; k < 2; k++)
      s[k] += OF(load)(a + i + 2 * k) * OF(load)(a + i + 2 * k);
  }
  s[0] += s[1];
  *square = s[0][0] + s[0][1];
  for (; i < n; i++) {
    most[0] = fabs((double)a[i]) > most[0] ? fabs((double)a[i]) : most[0];
    *square += (double)a[i] * (double)a[i];
  }
  *largest = fmax(fmax(most[0], most[1]), fmax(most[2], most[3]));
}

static double OF(pack)(size_t n, const void *from, uint32_t *restrict out, double *c)
{
  enum { APART = OFW_ROUGH_EDGE / 2 };
  const NUMBER *a = from;
  double largest, square;
  OF(measure)(n, a, &largest, &square);
  float over = ofw_shorts_scale((float)largest, square, c);
  if (over == 0.0F) {
    memset(out, 0, (n + OFW_ROUGH_EDGE - 1) / OFW_ROUGH_EDGE * APART * sizeof *out);
    return square;
  }
  for (size_t group = 0; group < n; group += OFW_ROUGH_EDGE)
    for (size_t j = group; j < group + APART; j++, out++)
      *out = packed(j < n ? (float)a[j] : 0.0F, j + APART < n ? (float)a[j + APART] : 0.0F, over);
  return square;
}

static void OF(segment)(size_t n, const void *at, const void *along, double c, const void *atom, double *slope,
                        double *length2)
{
  const NUMBER *x = at, *d = along, *v = atom;
  pair factor = {c, c}, s[2] = {{0}}, l[2] = {{0}};
  size_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (size_t k = 0; k < 4; k += 2) {
      pair e = factor * OF(load)(v + i + k) - OF(load)(x + i + k);
      s[k / 2] += OF(load)(d + i + k) * e;
      l[k / 2] += e * e;
    }
  s[0] += s[1];
  l[0] += l[1];
  double sum = s[0][0] + s[0][1], square = l[0][0] + l[0][1];
  for (; i < n; i++) {
    double e = c * (double)v[i] - (double)x[i];
    sum += (double)d[i] * e;
    square += e * e;
  }
  *slope += sum;
  *length2 += square;
}

static void OF(step)(size_t n, void *at, void *along, double c, const void *restrict atom, double sig, double curv)
{
  NUMBER *restrict x = at, *restrict d = along;
  const NUMBER *restrict v = atom;
  for (size_t i = 0; i < n; i++) {
    double e = c * (double)v[i] - (double)x[i];
    x[i] = (NUMBER)((double)x[i] + sig * e);
    d[i] = (NUMBER)((double)d[i] + curv * e);
  }
}

/* u = A v for OFW_PASS_ROWS rows */
static void OF(block_dots)(size_t n, const NUMBER *a, const double *v, double *u)
{
  pair s[OFW_PASS_ROWS] = {{0}};
  size_t j = 0;
  for (; j + 4 <= n; j += 4) {
    pair left = load_double(v + j), right = load_double(v + j + 2);
#pragma GCC unroll 8
    for (size_t k = 0; k < OFW_PASS_ROWS; k++) {
      s[k] += OF(load)(a + k * n + j) * left;
      s[k] += OF(load)(a + k * n + j + 2) * right;
    }
  }
  for (size_t k = 0; k < OFW_PASS_ROWS; k++) {
    u[k] = s[k][0] + s[k][1];
    for (size_t i = j; i < n; i++)
      u[k] += (double)a[k * n + i] * v[i];
  }
}

/* w += A' u for as many, backwards: the caches hold what was read last. */
static void OF(block_adds)(size_t n, const NUMBER *a, const double *u, double *w)
{
  pair c[OFW_PASS_ROWS];
  size_t whole = n / 4 * 4;
  for (size_t k = 0; k < OFW_PASS_ROWS; k++) {
    c[k] = (pair){u[k], u[k]};
    for (size_t j = whole; j < n; j++)
      w[j] += u[k] * (double)a[k * n + j];
  }
  for (size_t j = whole; j > 0;) {
    j -= 4;
    pair left = load_double(w + j), right = load_double(w + j + 2);
#pragma GCC unroll 8
    for (size_t k = 0; k < OFW_PASS_ROWS; k++) {
      left += c[k] * OF(load)(a + k * n + j);
      right += c[k] * OF(load)(a + k * n + j + 2);
    }
    store_double(w + j, left);
    store_double(w + j + 2, right);
  }
}

static void OF(pass)(size_t rows, size_t cols, const void *matrix, const double *v, double *u, double *w)
{
  const NUMBER *a = matrix;
  size_t i = 0;
  memset(w, 0, cols * sizeof *w);
  for (; i + OFW_PASS_ROWS <= rows; i += OFW_PASS_ROWS) {
    OF(block_dots)(cols, a + i * cols, v, u + i);
    OF(block_adds)(cols, a + i * cols, u + i, w);
  }
  for (; i < rows; i++) {
    u[i] = OF(dot)(cols, a + i * cols, v);
    for (size_t j = 0; j < cols; j++)
      w[j] += u[i] * (double)a[i * cols + j];
  }
}

static double OF(uniform_dot)(size_t n, const uint32_t *word, const void *from)
{
  const NUMBER *x = from;
  pair s[2] = {{0}};
  size_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (size_t k = 0; k < 4; k += 2)
      s[k / 2] += (pair){ofw_rng_to_uniform(word[i + k]), ofw_rng_to_uniform(word[i + k + 1])} * OF(load)(x + i + k);
  s[0] += s[1];
  double sum = s[0][0] + s[0][1];
  for (; i < n; i++)
    sum += ofw_rng_to_uniform(word[i]) * (double)x[i];
  return sum;
}

static void OF(uniform_axpy)(size_t n, double c, const uint32_t *restrict word, void *to)
{
  NUMBER *restrict y = to;
  for (size_t i = 0; i < n; i++)
    y[i] = (NUMBER)((double)y[i] + c * ofw_rng_to_uniform(word[i]));
}
