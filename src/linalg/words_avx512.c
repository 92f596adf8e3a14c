/* words_avx512.c — random words for x86-64 processors with AVX-512: those of kernels_avx2.c, eight blocks at a time
 *
 * An exclusive or of three is one instruction here, and there are more registers.
 */
#include "linalg/kernels.h"

#if defined(__AVX512F__)

#include <immintrin.h>
#include <string.h>

enum { CHAINS = 7 }; /* as many as there are registers for */

/* As in kernels_avx2.c: of each 64-bit lane the lower half counts. */
typedef struct philox {
  __m512i c0, c1, c2, c3;
} philox;

static inline __m512i lower(uint64_t x)
{
  return _mm512_set1_epi64((long long)(x & UINT32_MAX));
}

/* Moved down, and left above, too: a shuffle takes less time than a shift. */
static inline __m512i upper(__m512i x)
{
  return _mm512_shuffle_epi32(x, 0xF5);
}

static inline __m512i xor3(__m512i a, __m512i b, __m512i c)
{
  return _mm512_ternarylogic_epi64(a, b, c, 0x96);
}

static inline void philox_round(philox *p, __m512i k0, __m512i k1)
{
  __m512i p0 = _mm512_mul_epu32(p->c0, _mm512_set1_epi64(0xD2511F53));
  __m512i p1 = _mm512_mul_epu32(p->c2, _mm512_set1_epi64(0xCD9E8D57));
  p->c0 = xor3(upper(p1), p->c1, k0);
  p->c2 = xor3(upper(p0), p->c3, k1);
  p->c1 = p1;
  p->c3 = p0;
}

/* The 32 words in their order. */
static inline void philox_end(const philox *p, uint32_t *out)
{
  __m512i left = _mm512_mask_blend_epi32(0xAAAA, p->c0, _mm512_slli_epi64(p->c1, 32));
  __m512i right = _mm512_mask_blend_epi32(0xAAAA, p->c2, _mm512_slli_epi64(p->c3, 32));
  __m512i first = _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0), second = _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4);
  _mm512_storeu_si512(out, _mm512_permutex2var_epi64(left, first, right));
  _mm512_storeu_si512(out + 16, _mm512_permutex2var_epi64(left, second, right));
}

/* So many chains of eight blocks from `first` on; `begin` is any block of them. */
static inline __attribute__((always_inline)) void draw(const size_t chains, const philox *begin, ofw_rng_key key,
                                                       uint64_t first, uint32_t *out)
{
  __m512i k0 = lower(key.seed), k1 = lower(key.seed >> 32);
  philox p[CHAINS];
  for (size_t j = 0; j < chains; j++) {
    p[j] = *begin;
    p[j].c0 = _mm512_add_epi64(lower(first + 8 * j), _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0));
  }
#pragma GCC unroll 10
  for (int round = 0; round < 10; round++) {
    for (size_t j = 0; j < chains; j++)
      philox_round(&p[j], k0, k1);
    k0 = _mm512_add_epi64(k0, lower(0x9E3779B9));
    k1 = _mm512_add_epi64(k1, lower(0xBB67AE85));
  }
  for (size_t j = 0; j < chains; j++)
    philox_end(&p[j], out + 32 * j);
}

static void words_near(ofw_rng_key key, uint64_t first, size_t blocks, uint32_t *out)
{
  philox begin = {lower(0), lower(key.purpose | first >> 32 << 16), lower(key.round), lower(key.round >> 32)};
  for (; blocks >= 8 * CHAINS; blocks -= 8 * CHAINS, first += 8 * CHAINS, out += 32 * CHAINS)
    draw(CHAINS, &begin, key, first, out);
  if (blocks > 0) {
    uint32_t last[32 * CHAINS];
    if (blocks > 8)
      draw(CHAINS, &begin, key, first, last);
    else
      draw(1, &begin, key, first, last);
    memcpy(out, last, 4 * blocks * sizeof *out);
  }
}

void ofw_words_avx512(ofw_rng_key key, size_t first, size_t blocks, uint32_t *out)
{
  ofw_words_near(words_near, key, first, blocks, out);
}

#endif
