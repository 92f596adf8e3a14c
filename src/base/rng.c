#include "base/rng.h"

#include "linalg/kernels.h"

#include <math.h>

#include <Random123/philox.h>

/* Block b holds words 4b .. 4b+3. */
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

static double centred(uint32_t word)
{
  return ((double)(int32_t)word + 0.5) * 0x1p-31;
}

void ofw_rng_uniform(ofw_rng_key key, size_t from, size_t n, double *out)
{
  size_t k = 0;
  while (k < n && (from + k) % 4) {
    out[k] = centred(ofw_rng_word(key, from + k));
    k++;
  }
  for (; k + 4 <= n; k += 4) {
    philox4x32_ctr_t b = block(key, (from + k) / 4);
    for (size_t i = 0; i < 4; i++)
      out[k + i] = centred(b.v[i]);
  }
  for (; k < n; k++)
    out[k] = centred(ofw_rng_word(key, from + k));
}

/* Box and Muller: words 2k and 2k+1 give normals 2k and 2k+1. */
void ofw_rng_normal(ofw_rng_key key, size_t from, size_t n, double *out)
{
  for (size_t k = 0; k < n; k++) {
    size_t at = from + k;
    philox4x32_ctr_t b = block(key, at / 4);
    size_t pair = at % 4 / 2 * 2;
    double length = sqrt(-2.0 * log((b.v[pair] + 0.5) * 0x1p-32));
    double angle = 2.0 * M_PI * ((b.v[pair + 1] + 0.5) * 0x1p-32);
    out[k] = length * (at % 2 ? sin(angle) : cos(angle));
  }
}

void ofw_rng_direction(ofw_rng_key key, size_t n, double *out)
{
  ofw_rng_normal(key, 0, n, out);
  double length = ofw_norm(n, out);
  for (size_t i = 0; i < n; i++)
    out[i] /= length;
}
