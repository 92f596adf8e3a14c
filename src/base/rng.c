#include "base/rng.h"

#include "linalg/kernels.h"

#include <math.h>

#include <Random123/philox.h>

/* Block b of a sequence holds the words 4b .. 4b+3. */
static philox4x32_ctr_t block(ofw_rng_key key, size_t b)
{
  philox4x32_ctr_t at = {{(uint32_t)b, key.purpose | (uint32_t)((uint64_t)b >> 32) << 16, (uint32_t)key.round,
                          (uint32_t)(key.round >> 32)}};
  philox4x32_key_t k = {{(uint32_t)key.seed, (uint32_t)(key.seed >> 32)}};
  return philox4x32(at, k);
}

uint32_t ofw_rng_word(ofw_rng_key key, size_t at)
{
  return block(key, at / 4).v[at % 4];
}

double ofw_rng_unit(ofw_rng_key key, size_t at)
{
  return (ofw_rng_word(key, at) + 0.5) * 0x1p-32;
}

/* ---- many at a time ----
 *
 * LANES blocks side by side: the same ten rounds of Philox written over arrays, so that the compiler uses vector
 * registers. The tests compare every word with Random123's.
 */
enum { LANES = 16, BATCH = 4 * LANES };

/* w[i][j] = word i of block first + j */
static void blocks(ofw_rng_key key, size_t first, uint32_t w[4][LANES])
{
  uint32_t k0 = (uint32_t)key.seed, k1 = (uint32_t)(key.seed >> 32);
  uint32_t *c0 = w[0], *c1 = w[1], *c2 = w[2], *c3 = w[3];
  for (size_t j = 0; j < LANES; j++) {
    uint64_t b = (uint64_t)first + j;
    c0[j] = (uint32_t)b;
    c1[j] = key.purpose | (uint32_t)(b >> 32) << 16;
    c2[j] = (uint32_t)key.round;
    c3[j] = (uint32_t)(key.round >> 32);
  }
  for (int round = 0; round < 10; round++) {
    for (size_t j = 0; j < LANES; j++) {
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

static void uniform_batch(ofw_rng_key key, size_t first, double out[BATCH])
{
  uint32_t w[4][LANES];
  blocks(key, first, w);
  for (size_t j = 0; j < LANES; j++)
    for (size_t i = 0; i < 4; i++)
      out[4 * j + i] = ((double)(int32_t)w[i][j] + 0.5) * 0x1p-31;
}

/* sqrt(-2 ln u), u = (word + 1/2) / 2^32:  u = 2^e m with m in [sqrt(1/2), sqrt(2)), ln m = 2 atanh((m-1)/(m+1)) */
static double radius(uint32_t word)
{
  union {
    double x;
    uint64_t bits;
  } u = {.x = (double)(int32_t)(word ^ 0x80000000u) + 2147483648.5}; /* word + 1/2 */
  uint64_t high = u.bits - 0x3FE6A09E667F3BCDu; /* sqrt(1/2) as a double: the exponent counts from there */
  double e = (double)((int32_t)(high >> 52)) - 32.0;
  u.bits = (high & 0x000FFFFFFFFFFFFFu) + 0x3FE6A09E667F3BCDu;
  double s = (u.x - 1.0) / (u.x + 1.0), t = s * s;
  double series = 1.0 / 17 + t * (1.0 / 19);
  series = 1.0 / 15 + t * series;
  series = 1.0 / 13 + t * series;
  series = 1.0 / 11 + t * series;
  series = 1.0 / 9 + t * series;
  series = 1.0 / 7 + t * series;
  series = 1.0 / 5 + t * series;
  series = 1.0 / 3 + t * series;
  double ln = e * M_LN2 + 2.0 * (s + s * t * series);
  return sqrt(-2.0 * ln);
}

/* cos and sin of 2 pi (word + 1/2) / 2^32: the nearest quarter turn, and polynomials for the rest, at most pi/4 */
static void turn(uint32_t word, double *cosine, double *sine)
{
  uint32_t quarter = (word + 0x20000000u) >> 30;
  double x = ((double)(int32_t)(word - (quarter << 30)) + 0.5) * (M_PI * 0x1p-31), t = x * x;
  double c =
      1.0 -
      t * (1.0 / 2 -
           t * (1.0 / 24 -
                t * (1.0 / 720 - t * (1.0 / 40320 - t * (1.0 / 3628800 - t * (1.0 / 479001600 - t / 87178291200.0))))));
  double s =
      x * (1.0 - t * (1.0 / 6 - t * (1.0 / 120 -
                                     t * (1.0 / 5040 - t * (1.0 / 362880 - t * (1.0 / 39916800 - t / 6227020800.0))))));
  double swap = (double)(int32_t)(quarter & 1), keep = 1.0 - swap;
  double flip_c = (double)(1 - (int32_t)((quarter + 1) & 2)), flip_s = (double)(1 - (int32_t)(quarter & 2));
  *cosine = flip_c * (keep * c + swap * s);
  *sine = flip_s * (keep * s + swap * c);
}

/* Box and Muller: words 2k and 2k+1 give the normals 2k and 2k+1. */
static void normal_batch(ofw_rng_key key, size_t first, double out[BATCH])
{
  uint32_t w[4][LANES];
  double c[LANES], s[LANES], r[LANES];
  blocks(key, first, w);
  for (size_t half = 0; half < 4; half += 2) {
    for (size_t j = 0; j < LANES; j++)
      r[j] = radius(w[half][j]);
    for (size_t j = 0; j < LANES; j++)
      turn(w[half + 1][j], &c[j], &s[j]);
    for (size_t j = 0; j < LANES; j++) {
      out[4 * j + half] = r[j] * c[j];
      out[4 * j + half + 1] = r[j] * s[j];
    }
  }
}

/* Draws from .. from + n - 1 by whole batches, whose first and last may stick out. */
static void fill(void (*batch)(ofw_rng_key, size_t, double[BATCH]), ofw_rng_key key, size_t from, size_t n, double *out)
{
  double draw[BATCH];
  for (size_t k = 0; k < n;) {
    size_t at = from + k, skip = at % BATCH, run = BATCH - skip < n - k ? BATCH - skip : n - k;
    if (run == BATCH)
      batch(key, at / 4, out + k);
    else {
      batch(key, (at - skip) / 4, draw);
      for (size_t i = 0; i < run; i++)
        out[k + i] = draw[skip + i];
    }
    k += run;
  }
}

void ofw_rng_uniform(ofw_rng_key key, size_t from, size_t n, double *out)
{
  fill(uniform_batch, key, from, n, out);
}

void ofw_rng_normal(ofw_rng_key key, size_t from, size_t n, double *out)
{
  fill(normal_batch, key, from, n, out);
}

void ofw_rng_direction(ofw_rng_key key, size_t n, double *out)
{
  ofw_rng_normal(key, 0, n, out);
  double length = ofw_norm(n, out);
  for (size_t i = 0; i < n; i++)
    out[i] /= length;
}
