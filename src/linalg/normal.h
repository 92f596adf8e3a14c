/* normal.h — normal draws from random words, by Box and Muller
 *
 * Each variant of the kernels compiles these loops for its own vector registers, and so does CUDA's compiler for a GPU. The
 * operations are the same and none is contracted, so the numbers are too.
 */
#pragma once

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __CUDACC__
#define OFW_BOTH __host__ __device__
#else
#define OFW_BOTH
#endif

typedef union ofw_bits {
  double x;
  uint64_t bits;
} ofw_bits;

/* sqrt(-2 ln u), u = (word + 1/2) / 2^32:  u = 2^e m with m in [sqrt(1/2), sqrt(2)), ln m = 2 atanh((m-1)/(m+1)) */
static inline OFW_BOTH double ofw_normal_radius(uint32_t word)
{
  ofw_bits u = {.x = (double)(int32_t)(word ^ 0x80000000u) + 2147483648.5}; /* word + 1/2 */
  uint64_t high =
      u.bits - 0x3FD6A09E667F3BCDu; /* sqrt(1/2)/2 as a double, below the least u: the exponent counts from there */
  ofw_bits e = {.bits = high >> 52 | 0x4330000000000000u}; /* 2^52 more than the number */
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
  double ln = (e.x - (0x1p52 + 33.0)) * M_LN2 + 2.0 * (s + s * t * series);
  return sqrt(-2.0 * ln);
}

/* cos and sin of 2 pi (word + 1/2) / 2^32: the nearest quarter turn, and polynomials for the rest, at most pi/4. Odd
 * quarters swap the two, and two bits of the quarter are their signs. */
static inline OFW_BOTH void ofw_normal_turn(uint32_t word, double *cosine, double *sine)
{
  uint32_t quarter = (word + 0x20000000u) >> 30;
  double x = ((double)(int32_t)(word - (quarter << 30)) + 0.5) * (M_PI * 0x1p-31), t = x * x;
  double even = 1.0 / 479001600 - t * (1.0 / 87178291200.0);
  even = 1.0 / 3628800 - t * even;
  even = 1.0 / 40320 - t * even;
  even = 1.0 / 720 - t * even;
  even = 1.0 / 24 - t * even;
  even = 1.0 / 2 - t * even;
  double odd = 1.0 / 39916800 - t * (1.0 / 6227020800.0);
  odd = 1.0 / 362880 - t * odd;
  odd = 1.0 / 5040 - t * odd;
  odd = 1.0 / 120 - t * odd;
  odd = 1.0 / 6 - t * odd;
  ofw_bits c = {.x = 1.0 - t * even}, s = {.x = x * (1.0 - t * odd)};
  uint64_t sign = (uint64_t)1 << 63, q = quarter, swapped = (c.bits ^ s.bits) & (0 - (q & 1));
  c.bits ^= swapped ^ ((q + 1) << 62 & sign);
  s.bits ^= swapped ^ (q << 62 & sign);
  *cosine = c.x;
  *sine = s.x;
}

enum {
  OFW_NORMAL_LANES = 64, /* so many pairs at a time that compilers leave the loops loops */
  OFW_NORMAL_FEW = 16
};

/* By steps that compilers put into vector registers one at a time; inline, since `lanes` is a constant then. */
static inline __attribute__((always_inline)) void ofw_normal_block(size_t lanes, const uint32_t *word, double *out)
{
  uint32_t a[OFW_NORMAL_LANES], b[OFW_NORMAL_LANES];
  double c[OFW_NORMAL_LANES], s[OFW_NORMAL_LANES], r[OFW_NORMAL_LANES];
  for (size_t k = 0; k < lanes; k++) {
    a[k] = word[2 * k];
    b[k] = word[2 * k + 1];
  }
  for (size_t k = 0; k < lanes; k++)
    r[k] = ofw_normal_radius(a[k]);
  for (size_t k = 0; k < lanes; k++)
    ofw_normal_turn(b[k], &c[k], &s[k]);
  for (size_t k = 0; k < lanes; k++) {
    out[2 * k] = r[k] * c[k];
    out[2 * k + 1] = r[k] * s[k];
  }
}

/* Words 2k and 2k+1 give the normals 2k and 2k+1. */
static inline void ofw_normal_pairs(size_t pairs, const uint32_t *word, double *out)
{
  size_t k = 0;
  for (; k + OFW_NORMAL_LANES <= pairs; k += OFW_NORMAL_LANES)
    ofw_normal_block(OFW_NORMAL_LANES, word + 2 * k, out + 2 * k);
  for (; k + OFW_NORMAL_FEW <= pairs; k += OFW_NORMAL_FEW)
    ofw_normal_block(OFW_NORMAL_FEW, word + 2 * k, out + 2 * k);
  for (; k < pairs; k++)
    ofw_normal_block(1, word + 2 * k, out + 2 * k);
}
