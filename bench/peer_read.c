/* peer_read.c — the yardstick: nothing but loads and additions
 *
 * One body, compiled for the processor's widest common registers if they are there and for any other processor.
 */
#include "bench/peers.h"

#include <string.h>

typedef double four __attribute__((vector_size(32)));

enum { AT_ONCE = 8 * 4 };

static inline __attribute__((always_inline)) double read_all(size_t n, const double *a)
{
  four s[8] = {{0}};
  double sum = 0.0;
  size_t i = 0;
  for (; i + AT_ONCE <= n; i += AT_ONCE)
    for (size_t k = 0; k < 8; k++) {
      four next;
      memcpy(&next, a + i + 4 * k, sizeof next); /* a load that needs no alignment */
      s[k] += next;
    }
  for (; i < n; i++)
    sum += a[i];
  for (size_t k = 0; k < 8; k++)
    for (size_t j = 0; j < 4; j++)
      sum += s[k][j];
  return sum;
}

#ifdef __x86_64__
static __attribute__((target("avx2"))) double read_avx2(size_t n, const double *a)
{
  return read_all(n, a);
}

double peer_read(size_t n, const double *a)
{
  return __builtin_cpu_supports("avx2") ? read_avx2(n, a) : read_all(n, a);
}
#else
double peer_read(size_t n, const double *a)
{
  return read_all(n, a);
}
#endif
