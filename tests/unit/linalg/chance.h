/* chance.h — random numbers and slow, obvious arithmetic for tests; nothing here calls the library */
#ifndef OFW_TEST_CHANCE_H
#define OFW_TEST_CHANCE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct chance {
  uint64_t state;
} chance;

/* splitmix64 */
static inline uint64_t chance_word(chance *c)
{
  uint64_t z = c->state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

/* in (0, 1) */
static inline double chance_unit(chance *c)
{
  return ((double)(chance_word(c) >> 11) + 0.5) * 0x1p-53;
}

/* 0 .. n-1 */
static inline size_t chance_below(chance *c, size_t n)
{
  return (size_t)(chance_word(c) % n);
}

static inline double chance_normal(chance *c)
{
  double length = sqrt(-2.0 * log(chance_unit(c)));
  return length * cos(2.0 * M_PI * chance_unit(c));
}

static inline void chance_normals(chance *c, size_t n, double *out)
{
  for (size_t i = 0; i < n; i++)
    out[i] = chance_normal(c);
}

static inline long double slow_dot(size_t n, const double *a, const double *b)
{
  long double s = 0.0L;
  for (size_t i = 0; i < n; i++)
    s += (long double)a[i] * b[i];
  return s;
}

/* No double overflows or underflows when squared as a long double. */
static inline long double slow_norm(size_t n, const double *a)
{
  return sqrtl(slow_dot(n, a, a));
}

static inline double *room_for(size_t n)
{
  if (n > SIZE_MAX / sizeof(double))
    abort();
  double *x = calloc(n ? n : 1, sizeof *x);
  assert_non_null(x);
  return x;
}

/* |got - want| <= slack, and both are numbers */
#define assert_near(got, want, slack)                                                           \
  do {                                                                                          \
    long double near_got = (got), near_want = (want), near_slack = (slack);                     \
    if (!(fabsl(near_got - near_want) <= near_slack))                                           \
      fail_msg("%s is %.20Lg, not %.20Lg within %.3Lg", #got, near_got, near_want, near_slack); \
  } while (0)

/* got <= most, and both are numbers */
#define assert_at_most(got, most)                                            \
  do {                                                                       \
    long double most_got = (got), most_most = (most);                        \
    if (!(most_got <= most_most))                                            \
      fail_msg("%s is %.20Lg, more than %.20Lg", #got, most_got, most_most); \
  } while (0)

#endif
