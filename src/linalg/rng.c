/* rng.c — Philox words by the kernels, and the distributions made of them
 *
 * A draw's value depends on its position alone, so all functions cut any window of a sequence out of whole blocks.
 */
#include "linalg/rng.h"

#include "linalg/kernels.h"

#include <string.h>

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

static double to_unit(uint32_t word)
{
  return (word + 0.5) * 0x1p-32;
}

double ofw_rng_unit(ofw_rng_key key, size_t at)
{
  return to_unit(ofw_rng_word(key, at));
}

/* ---- many at a time, by the kernels ---- */

enum { CHUNK = 512 };

void ofw_rng_words(ofw_rng_key key, size_t from, size_t n, uint32_t *out)
{
  const ofw_kernels *kernels = ofw_kernels_chosen();
  uint32_t one[4];
  for (size_t k = 0; k < n;) {
    size_t skip = (from + k) % 4, left = n - k, run = 4 - skip < left ? 4 - skip : left;
    if (run == 4) {
      run = left / 4 * 4;
      kernels->words(key, (from + k) / 4, run / 4, out + k);
    } else { /* a part of the first block, or of the last */
      kernels->words(key, (from + k) / 4, 1, one);
      memcpy(out + k, one + skip, run * sizeof *out);
    }
    k += run;
  }
}

static inline void draw(ofw_rng_key key, size_t from, size_t n, double (*of)(uint32_t word), double *out)
{
  uint32_t word[CHUNK];
  for (size_t k = 0; k < n; k += CHUNK) {
    size_t run = n - k < CHUNK ? n - k : CHUNK;
    ofw_rng_words(key, from + k, run, word);
    for (size_t i = 0; i < run; i++)
      out[k + i] = of(word[i]);
  }
}

void ofw_rng_uniform(ofw_rng_key key, size_t from, size_t n, double *out)
{
  draw(key, from, n, ofw_rng_to_uniform, out);
}

void ofw_rng_units(ofw_rng_key key, size_t from, size_t n, double *out)
{
  draw(key, from, n, to_unit, out);
}

/* Two words make two normals, so a window may need one more at either end. */
void ofw_rng_normal(ofw_rng_key key, size_t from, size_t n, double *out)
{
  const ofw_kernels *kernels = ofw_kernels_chosen();
  uint32_t word[CHUNK];
  double drawn[CHUNK];
  for (size_t k = 0; k < n;) {
    size_t skip = (from + k) % 2, run = CHUNK - skip < n - k ? CHUNK - skip : n - k, pairs = (skip + run + 1) / 2;
    ofw_rng_words(key, from + k - skip, 2 * pairs, word);
    kernels->normal(pairs, word, drawn);
    memcpy(out + k, drawn + skip, run * sizeof *out);
    k += run;
  }
}

/* By words of a chunk at a time, from the last on. */
void ofw_rng_shuffle(ofw_rng_key key, size_t n, uint32_t *list)
{
  uint32_t word[CHUNK];
  for (size_t k = n; k-- > 1;) {
    size_t at = k % CHUNK;
    if (k == n - 1 || at == CHUNK - 1)
      ofw_rng_words(key, k - at, at + 1, word);
    size_t other = (size_t)((uint64_t)word[at] * (k + 1) >> 32);
    uint32_t kept = list[k];
    list[k] = list[other];
    list[other] = kept;
  }
}

void ofw_rng_direction(ofw_rng_key key, size_t n, double *out)
{
  ofw_rng_normal(key, 0, n, out);
  double length = ofw_norm(n, out);
  for (size_t i = 0; i < n; i++)
    out[i] /= length;
}
