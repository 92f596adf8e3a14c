/* kernels.c — chooses a variant; code that all variants share */
#include "linalg/kernels.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#if defined(__x86_64__)
/* Whether a register of 512 bits is likely to be as wide inside. No processor says so; most that have both AVX-512 and AVX-VNNI are,
 * such as Intel's since Sapphire Rapids and AMD's servers since Zen 5. It matters for speed alone. */
static int is_wide(void)
{
  unsigned a, b, c, d, avx_vnni = 1u << 4;
  return __builtin_cpu_supports("avx512dq") && __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & avx_vnni);
}
#endif

static const ofw_kernels *best_kernels(void)
{
#if defined(__x86_64__)
  if (ofw_kernels_avx2 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    if (!__builtin_cpu_supports("avx512f"))
      return ofw_kernels_avx2;
    return is_wide() ? ofw_kernels_avx512 : ofw_kernels_avx2_wide_words;
  }
#endif
  return &ofw_kernels_portable;
}

/* Threads that meet here for the first time find the same answer. */
const ofw_kernels *ofw_kernels_chosen(void)
{
  static const ofw_kernels *_Atomic chosen;
  const ofw_kernels *kernels = atomic_load_explicit(&chosen, memory_order_relaxed);
  if (!kernels) {
    kernels = best_kernels();
    atomic_store_explicit(&chosen, kernels, memory_order_relaxed);
  }
  return kernels;
}

void ofw_words_near(void (*near)(ofw_rng_key key, uint64_t first, size_t blocks, uint32_t *out), ofw_rng_key key,
                    size_t first, size_t blocks, uint32_t *out)
{
  while (blocks > 0) {
    uint64_t left = ((uint64_t)1 << 32) - (first & UINT32_MAX);
    size_t run = blocks < left ? blocks : (size_t)left;
    near(key, first, run, out);
    first += run;
    blocks -= run;
    out += 4 * run;
  }
}

float ofw_shorts_scale(float largest, double square, double *c)
{
  float over = 32767.0F / largest;
  int fits = largest > 0x1p-90F && largest <= 0x1p60F && square < INFINITY; /* the sum is NaN if a number is */
  *c = fits ? 0x1p-16 / (double)over : 0x1p-105;
  return fits ? over : 0.0F;
}

double ofw_dot(size_t n, const double *a, const double *b)
{
  return ofw_kernels_chosen()->dot(n, a, b);
}

void ofw_axpy(size_t n, double c, const double *a, double *y)
{
  ofw_kernels_chosen()->axpy(n, c, a, y);
}

double ofw_largest(size_t n, const double *a)
{
  double largest, square;
  ofw_kernels_chosen()->measure(n, a, &largest, &square);
  return largest;
}

/* The exponent is applied in two halves, so that no product leaves the range of doubles on the way. */
static void pass_scaled(size_t rows, size_t cols, const double *a, int exponent, const double *v, double *u, double *w)
{
  double half = ldexp(1.0, -(exponent / 2)), rest = ldexp(1.0, -(exponent - exponent / 2));
  memset(w, 0, cols * sizeof *w);
  for (size_t i = 0; i < rows; i++) {
    const double *row = a + i * cols;
    double sum = 0.0;
    for (size_t j = 0; j < cols; j++)
      sum += row[j] * half * v[j];
    u[i] = sum * rest;
    for (size_t j = 0; j < cols; j++)
      w[j] += row[j] * half * (rest * u[i]);
  }
}

void ofw_pass(size_t rows, size_t cols, const double *a, int exponent, const double *v, double *u, double *w)
{
  if (exponent == 0)
    ofw_kernels_chosen()->pass(rows, cols, a, v, u, w);
  else
    pass_scaled(rows, cols, a, exponent, v, u, w);
}

/* |a| of numbers whose squares are not doubles. On its own: a frame of this size costs a short array more than its norm. */
static __attribute__((noinline)) double norm_scaled(const ofw_kernels *kernels, size_t n, const void *a, double largest)
{
  enum { CHUNK = 512 };
  double part[CHUNK], square = 0.0;
  int e;
  frexp(largest, &e);
  for (size_t from = 0; from < n; from += CHUNK) {
    size_t run = n - from < CHUNK ? n - from : CHUNK;
    kernels->read(run, ofw_at(kernels, a, from), part);
    for (size_t i = 0; i < run; i++) {
      double scaled = ldexp(part[i], -e);
      square += scaled * scaled;
    }
  }
  return ldexp(sqrt(square), e);
}

double ofw_norm_measured(const ofw_kernels *kernels, size_t n, const void *a, double largest, double square)
{
  if (square > 0x1p-900 && square < 0x1p1000)
    return sqrt(square);
  return largest == 0.0 || !isfinite(largest) ? largest : norm_scaled(kernels, n, a, largest);
}

double ofw_norm(size_t n, const double *a)
{
  const ofw_kernels *kernels = ofw_kernels_chosen();
  double square = kernels->dot(n, a, a);
  if (square > 0x1p-900 && square < 0x1p1000)
    return sqrt(square);
  return ofw_norm_measured(kernels, n, a, ofw_largest(n, a), square);
}

int ofw_safe_exponent(double largest)
{
  int e;
  frexp(largest, &e);
  return e > -200 && e < 200 ? 0 : e;
}

size_t ofw_first_not_finite(size_t n, const double *a)
{
  double zero[4] = {0}; /* 0 * a_i is 0 but for NaN and infinity, which make the whole sum NaN */
  size_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (size_t k = 0; k < 4; k++)
      zero[k] += 0.0 * a[i + k];
  for (; i < n; i++)
    zero[0] += 0.0 * a[i];
  if ((zero[0] + zero[1]) + (zero[2] + zero[3]) == 0.0)
    return n;
  for (i = 0; i < n && isfinite(a[i]);)
    i++;
  return i;
}

/* The first i with the least a_i, or the largest |a_i| if `sizes`: the best number of each block first, then where it is
 * in the first block that has it. */
static size_t search(size_t n, const double *a, int sizes)
{
  enum { BLOCK = 256 };
  const ofw_kernels *kernels = ofw_kernels_chosen();
  double best = 0.0;
  size_t at = 0;
  for (size_t i = 0; i < n; i += BLOCK) {
    size_t block = n - i < BLOCK ? n - i : BLOCK;
    double x = sizes ? kernels->peak(block, a + i) : kernels->least(block, a + i);
    if (i == 0 || (sizes ? x > best : x < best)) {
      best = x;
      at = i;
    }
  }
  return at + kernels->find(n - at, a + at, sizes, best);
}

size_t ofw_lowest(size_t n, const double *a)
{
  return search(n, a, 0);
}

size_t ofw_steepest(size_t n, const double *a)
{
  return search(n, a, 1);
}
