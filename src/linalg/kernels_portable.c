/* kernels_portable.c — the loops for any processor
 *
 * They are written in pairs of doubles, which GCC and Clang put into whatever vector registers there are.
 */
#include "linalg/kernels.h"

#include "base/rng.h"
#include "linalg/normal.h"

#include <math.h>
#include <string.h>

typedef double pair __attribute__((vector_size(16)));

enum { BLOCK = 8 }; /* rows of a pass that are read together */

static inline pair load(const double *a)
{
  pair p;
  memcpy(&p, a, sizeof p);
  return p;
}

static inline void store(double *a, pair p)
{
  memcpy(a, &p, sizeof p);
}

static double dot(size_t n, const double *a, const double *b)
{
  pair s[4] = {{0}};
  size_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (size_t k = 0; k < 4; k++)
      s[k] += load(a + i + 2 * k) * load(b + i + 2 * k);
  s[0] = (s[0] + s[1]) + (s[2] + s[3]);
  double sum = s[0][0] + s[0][1];
  for (; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

static void axpy(size_t n, double c, const double *restrict a, double *restrict y)
{
  for (size_t i = 0; i < n; i++)
    y[i] += c * a[i];
}

static double largest(size_t n, const double *a)
{
  double most[4] = {0};
  size_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (size_t k = 0; k < 4; k++)
      most[k] = fabs(a[i + k]) > most[k] ? fabs(a[i + k]) : most[k];
  for (; i < n; i++)
    most[0] = fabs(a[i]) > most[0] ? fabs(a[i]) : most[0];
  return fmax(fmax(most[0], most[1]), fmax(most[2], most[3]));
}

static void segment(size_t n, const double *x, const double *d, double c, const double *v, double *slope,
                    double *length2)
{
  pair factor = {c, c}, s[2] = {{0}}, l[2] = {{0}};
  size_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (size_t k = 0; k < 2; k++) {
      pair e = factor * load(v + i + 2 * k) - load(x + i + 2 * k);
      s[k] += load(d + i + 2 * k) * e;
      l[k] += e * e;
    }
  s[0] += s[1];
  l[0] += l[1];
  double sum = s[0][0] + s[0][1], square = l[0][0] + l[0][1];
  for (; i < n; i++) {
    double e = c * v[i] - x[i];
    sum += d[i] * e;
    square += e * e;
  }
  *slope += sum;
  *length2 += square;
}

static void step(size_t n, double *restrict x, double *restrict d, double c, const double *restrict v, double sig,
                 double curv)
{
  for (size_t i = 0; i < n; i++) {
    double e = c * v[i] - x[i];
    x[i] += sig * e;
    d[i] += curv * e;
  }
}

/* u = A v for BLOCK rows */
static void block_dots(size_t n, const double *a, const double *v, double *u)
{
  pair s[BLOCK] = {{0}};
  size_t j = 0;
  for (; j + 4 <= n; j += 4) {
    pair left = load(v + j), right = load(v + j + 2);
#pragma GCC unroll 8
    for (size_t k = 0; k < BLOCK; k++) {
      s[k] += load(a + k * n + j) * left;
      s[k] += load(a + k * n + j + 2) * right;
    }
  }
  for (size_t k = 0; k < BLOCK; k++) {
    u[k] = s[k][0] + s[k][1];
    for (size_t i = j; i < n; i++)
      u[k] += a[k * n + i] * v[i];
  }
}

/* w += A' u for BLOCK rows, backwards: the caches hold what was read last. */
static void block_adds(size_t n, const double *a, const double *u, double *w)
{
  pair c[BLOCK];
  size_t whole = n / 4 * 4;
  for (size_t k = 0; k < BLOCK; k++) {
    c[k] = (pair){u[k], u[k]};
    for (size_t j = whole; j < n; j++)
      w[j] += u[k] * a[k * n + j];
  }
  for (size_t j = whole; j > 0;) {
    j -= 4;
    pair left = load(w + j), right = load(w + j + 2);
#pragma GCC unroll 8
    for (size_t k = 0; k < BLOCK; k++) {
      left += c[k] * load(a + k * n + j);
      right += c[k] * load(a + k * n + j + 2);
    }
    store(w + j, left);
    store(w + j + 2, right);
  }
}

static void pass(size_t rows, size_t cols, const double *a, const double *v, double *u, double *w)
{
  size_t i = 0;
  memset(w, 0, cols * sizeof *w);
  for (; i + BLOCK <= rows; i += BLOCK) {
    block_dots(cols, a + i * cols, v, u + i);
    block_adds(cols, a + i * cols, u + i, w);
  }
  for (; i < rows; i++) {
    u[i] = dot(cols, a + i * cols, v);
    axpy(cols, u[i], a + i * cols, w);
  }
}

enum { LANES = 16 }; /* blocks of random words side by side */

/* w[i][j] = word i of block first + j */
static inline void philox(ofw_rng_key key, size_t first, size_t blocks, uint32_t w[4][LANES])
{
  uint32_t k0 = (uint32_t)key.seed, k1 = (uint32_t)(key.seed >> 32);
  uint32_t *c0 = w[0], *c1 = w[1], *c2 = w[2], *c3 = w[3];
  for (size_t j = 0; j < blocks; j++) {
    uint64_t b = (uint64_t)first + j;
    c0[j] = (uint32_t)b;
    c1[j] = key.purpose | (uint32_t)(b >> 32) << 16;
    c2[j] = (uint32_t)key.round;
    c3[j] = (uint32_t)(key.round >> 32);
  }
  for (int round = 0; round < 10; round++) {
    for (size_t j = 0; j < blocks; j++) {
      uint64_t p0 = (uint64_t)0xD2511F53u * c0[j], p1 = (uint64_t)0xCD9E8D57u * c2[j];
      c0[j] = (uint32_t)(p1 >> 32) ^ c1[j] ^ k0;
      c2[j] = (uint32_t)(p0 >> 32) ^ c3[j] ^ k1;
      c1[j] = (uint32_t)p1;
      c3[j] = (uint32_t)p0;
    }
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
}

static void words(ofw_rng_key key, size_t first, size_t blocks, uint32_t *out)
{
  uint32_t w[4][LANES];
  for (size_t b = 0; b < blocks;) {
    size_t n = blocks - b < LANES ? 1 : LANES;
    if (n == LANES)
      philox(key, first + b, LANES, w);
    else
      philox(key, first + b, 1, w);
    for (size_t j = 0; j < n; j++)
      for (size_t i = 0; i < 4; i++)
        out[4 * (b + j) + i] = w[i][j];
    b += n;
  }
}

static void normal(size_t pairs, const uint32_t *word, double *out)
{
  ofw_normal_pairs(pairs, word, out);
}

static double uniform_dot(size_t n, const uint32_t *word, const double *x)
{
  double s[4] = {0};
  size_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (size_t k = 0; k < 4; k++)
      s[k] += ofw_rng_to_uniform(word[i + k]) * x[i + k];
  for (; i < n; i++)
    s[0] += ofw_rng_to_uniform(word[i]) * x[i];
  return (s[0] + s[1]) + (s[2] + s[3]);
}

static void uniform_axpy(size_t n, double c, const uint32_t *restrict word, double *restrict y)
{
  for (size_t i = 0; i < n; i++)
    y[i] += c * ofw_rng_to_uniform(word[i]);
}

const ofw_kernels ofw_kernels_portable = {"portable", dot,   axpy,   largest,     segment,     step,
                                          pass,       words, normal, uniform_dot, uniform_axpy};
