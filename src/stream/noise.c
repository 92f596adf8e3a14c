/* noise.c — which round's noise a round repeats, and with which sign */
#include "stream/noise.h"

#include "linalg/rng.h"

ofw_mirrored ofw_mirror(uint64_t t, uint64_t rounds)
{
  if (t > rounds)
    return (ofw_mirrored){t, 1.0};
  uint64_t other = rounds - t + 1;
  return t < other ? (ofw_mirrored){t, 1.0} : (ofw_mirrored){other, t == other ? 0.0 : -1.0};
}

void ofw_noise_direction(ofw_rng_key key, uint64_t rounds, double length, size_t n, double *out)
{
  ofw_mirrored m = ofw_mirror(key.round, rounds);
  key.round = m.round;
  ofw_rng_direction(key, n, out);
  for (size_t i = 0; i < n; i++)
    out[i] *= m.sign * length;
}
