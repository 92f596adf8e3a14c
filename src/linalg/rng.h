/* rng.h — counter-based random numbers (Philox-4x32-10): a draw depends on its key and position alone
 *
 * So a matrix of noise need not be stored, a run resumes at any round without a generator's state, and two purposes
 * never share a number.
 */
#pragma once

#include "base/basics.h"

#include <ofw/vec.h>

/* What a sequence is for. The numbers are part of what a seed means: never renumber. */
enum {
  OFW_RNG_ORACLE = 1,     /* start vectors of iterative oracles */
  OFW_RNG_TARGET = 2,     /* a stream's comparator or hidden truth */
  OFW_RNG_LOSS = 3,       /* the losses' noise */
  OFW_RNG_CONSTRAINT = 4, /* the constraints' noise */
  OFW_RNG_DATA = 5,       /* which entries a data set holds */
  OFW_RNG_ORDER = 6,      /* the order in which data are revealed */
  OFW_RNG_PROBE = 7,      /* where a bandit learner looks around its centre */
  OFW_RNG_SAMPLE = 8,     /* whether a step replaces the sampled vertex */
  OFW_RNG_HOLDOUT = 9,    /* which data are kept out of play */
  OFW_RNG_START = 10,     /* the direction whose vertex a learner starts from */
  OFW_RNG_DELAY = 11,     /* how late a run tells its feedback */
  OFW_RNG_RESAMPLE = 100, /* which seeds a bootstrap draws */
  OFW_RNG_FLIP = 101,     /* which differences a paired test gives the other sign */
  OFW_RNG_CHECK = 102     /* the directions that a set is tried with */
};

/* out[k] = word number from + k */
void ofw_rng_words(ofw_rng_key key, size_t from, size_t n, uint32_t *out);
/* What a word is as a uniform draw: in (-1, 1), without rounding. */
static inline double ofw_rng_to_uniform(uint32_t word)
{
  return ((double)(int32_t)word + 0.5) * 0x1p-31;
}
/* out[k] = draw number from + k, uniform in (-1, 1) with 32 bits */
void ofw_rng_uniform(ofw_rng_key key, size_t from, size_t n, double *out);
/* draws from .. from + n - 1 of the standard normal distribution */
void ofw_rng_normal(ofw_rng_key key, size_t from, size_t n, double *out);
/* one 32-bit word */
uint32_t ofw_rng_word(ofw_rng_key key, size_t at);
/* uniform in (0, 1) */
double ofw_rng_unit(ofw_rng_key key, size_t at);
/* out[k] = ofw_rng_unit(key, from + k) */
void ofw_rng_units(ofw_rng_key key, size_t from, size_t n, double *out);
/* puts a list of n into random order */
void ofw_rng_shuffle(ofw_rng_key key, size_t n, uint32_t *list);
/* a point of the unit sphere in n dimensions */
void ofw_rng_direction(ofw_rng_key key, size_t n, double *out);
