/* noise.h — noise that adds up to nothing over the horizon
 *
 * Rounds t and T + 1 - t draw the same numbers, with opposite signs; the middle round of an odd horizon has none. So
 * the sum over rounds 1 .. T is 0 to the last bit, no pass over the horizon is needed to centre it, and any round can
 * be had alone. In the first half of the horizon the draws are independent of each other; the second takes them back.
 * Rounds beyond the horizon draw their own.
 */
#pragma once

#include "base/basics.h"

#include <ofw/vec.h>

typedef struct ofw_mirrored {
  uint64_t round; /* the one whose numbers are drawn */
  double sign;    /* 1, 0 or -1 */
} ofw_mirrored;

ofw_mirrored ofw_mirror(uint64_t t, uint64_t rounds);

/* out = length u_t, with u_t a random unit vector, or its mirror image, or 0; key.round is t */
void ofw_noise_direction(ofw_rng_key key, uint64_t rounds, double length, size_t n, double *out);
