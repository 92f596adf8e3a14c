/* normal.h — normal draws from random words, by Box and Muller
 *
 * Each variant of the kernels compiles these loops for its own vector registers. The operations are the same and none
 * is contracted, so the numbers are too.
 */
#ifndef OFW_SRC_NORMAL_H
#define OFW_SRC_NORMAL_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* sqrt(-2 ln u), u = (word + 1/2) / 2^32:  u = 2^e m with m in [sqrt(1/2), sqrt(2)), ln m = 2 atanh((m-1)/(m+1)) */
static inline double ofw_normal_radius(uint32_t word)
{
  union {
    double x;
    uint64_t bits;
  } u = {.x = (double)(int32_t)(word ^ 0x80000000u) + 2147483648.5}; /* word + 1/2 */
  uint64_t high =
      u.bits - 0x3FD6A09E667F3BCDu; /* sqrt(1/2)/2 as a double, below the least u: the exponent counts from there */
  double e = (double)((int32_t)(high >> 52)) - 33.0;
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
static inline void ofw_normal_turn(uint32_t word, double *cosine, double *sine)
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

/* Words 2k and 2k+1 give the normals 2k and 2k+1; by steps that compilers put into vector registers one at a time. */
static inline void ofw_normal_pairs(size_t pairs, const uint32_t *word, double *out)
{
  enum { LANES = 16 };
  uint32_t a[LANES], b[LANES];
  double c[LANES], s[LANES], r[LANES];
  for (size_t from = 0; from < pairs; from += LANES, word += (size_t)2 * LANES, out += (size_t)2 * LANES) {
    size_t n = pairs - from < LANES ? pairs - from : LANES;
    for (size_t k = 0; k < LANES; k++) { /* past the end the last pair again */
      size_t at = k < n ? k : n - 1;
      a[k] = word[2 * at];
      b[k] = word[2 * at + 1];
    }
    for (size_t k = 0; k < LANES; k++)
      r[k] = ofw_normal_radius(a[k]);
    for (size_t k = 0; k < LANES; k++)
      ofw_normal_turn(b[k], &c[k], &s[k]);
    for (size_t k = 0; k < n; k++) {
      out[2 * k] = r[k] * c[k];
      out[2 * k + 1] = r[k] * s[k];
    }
  }
}

#endif
