/* moves_avx2.h — the loops over x and d in doubles, for all x86-64 variants; part of kernels_avx2.c
 *
 * They wait for memory, which processors of today read faster with these registers than with those of AVX-512: docs/performance.md.
 * Beside what kernels_x86.h needs they need mul_sub(a, b, c) = a b - c.
 */

/* A line of numbers that is farther ahead than the processor fetches on its own. */
static inline void fetch_far(const void *a, size_t number)
{
  enum { AHEAD = 1024 };
  _mm_prefetch((const char *)((uintptr_t)a + AHEAD * number), _MM_HINT_T0);
}

void ofw_avx2_segment(size_t n, const void *at, const void *along, double c, const void *atom, double *slope,
                      double *length2)
{
  const double *x = at, *d = along, *v = atom;
  wide factor = all(c), s[2], l[2];
  size_t i = 0;
  s[0] = s[1] = l[0] = l[1] = all(0.0);
  for (; i + 2 * W <= n; i += 2 * W) {
    fetch_far(x + i, sizeof *x), fetch_far(d + i, sizeof *d);
    for (size_t k = 0; k < 2; k++) {
      size_t j = i + W * k;
      wide e = mul_sub(factor, load_double(v + j), load_double(x + j));
      s[k] = mul_add(load_double(d + j), e, s[k]);
      l[k] = mul_add(e, e, l[k]);
    }
  }
  double sum = add_up(s[0] + s[1]), square = add_up(l[0] + l[1]);
  for (; i < n; i++) {
    double e = __builtin_fma(c, v[i], -x[i]);
    sum += d[i] * e;
    square += e * e;
  }
  *slope += sum;
  *length2 += square;
}

void ofw_avx2_step(size_t n, void *at, void *along, double c, const void *restrict atom, double sig, double curv)
{
  double *restrict x = at, *restrict d = along;
  const double *restrict v = atom;
  wide factor = all(c), move = all(sig), bend = all(curv);
  size_t i = 0;
  for (; i + W <= n; i += W) {
    if (i % (2 * W) == 0)
      fetch_far(x + i, sizeof *x), fetch_far(d + i, sizeof *d);
    wide old = load_double(x + i), e = mul_sub(factor, load_double(v + i), old);
    store_double(x + i, mul_add(move, e, old));
    store_double(d + i, mul_add(bend, e, load_double(d + i)));
  }
  for (; i < n; i++) {
    double e = __builtin_fma(c, v[i], -x[i]);
    x[i] = __builtin_fma(sig, e, x[i]);
    d[i] = __builtin_fma(curv, e, d[i]);
  }
}

#define YNUMBER    double
#define LEAD(name) ofw_avx2_##name
#define LOAD_Y     load_double
#define STORE_Y    store_double
#include "linalg/lead_avx2.h"
#undef YNUMBER
#undef LEAD
#undef LOAD_Y
#undef STORE_Y
#define YNUMBER    float
#define LEAD(name) ofw_avx2_##name##_narrow
#define LOAD_Y     load_float
#define STORE_Y    store_float
#include "linalg/lead_avx2.h"
