/* check.h — what the unit tests share: assertions on doubles, and random numbers that owe the library nothing */
#ifndef OFW_TEST_CHECK_H
#define OFW_TEST_CHECK_H

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* |a - b| <= tolerance; false for NaN */
#define assert_near(a, b, tolerance) check_near((a), (b), (tolerance), __FILE__, __LINE__)
/* the same 64 bits */
#define assert_bits(a, b)    check_bits((a), (b), __FILE__, __LINE__)
#define assert_at_most(a, b) check_at_most((a), (b), __FILE__, __LINE__)

static inline void check_near(double a, double b, double tolerance, const char *file, int line)
{
  if (!(fabs(a - b) <= tolerance)) {
    print_error("%.17g is not within %g of %.17g\n", a, tolerance, b);
    _fail(file, line);
  }
}

static inline void check_bits(double a, double b, const char *file, int line)
{
  if (memcmp(&a, &b, sizeof a) != 0) {
    print_error("%.17g (%a) is not %.17g (%a)\n", a, a, b, b);
    _fail(file, line);
  }
}

static inline void check_at_most(double a, double b, const char *file, int line)
{
  if (!(a <= b)) {
    print_error("%.17g is above %.17g\n", a, b);
    _fail(file, line);
  }
}

/* splitmix64 */
static inline uint64_t any_word(uint64_t *state)
{
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

static inline size_t any_below(uint64_t *state, size_t n)
{
  return (size_t)(any_word(state) % n);
}

/* uniform in [-1, 1) */
static inline double any_real(uint64_t *state)
{
  return (double)(int64_t)any_word(state) * 0x1p-63;
}

/* uniform in [0, 1) */
static inline double any_share(uint64_t *state)
{
  return 0.5 * any_real(state) + 0.5;
}

static inline void any_reals(uint64_t *state, size_t n, double *out)
{
  for (size_t i = 0; i < n; i++)
    out[i] = any_real(state);
}

static inline double slow_dot(size_t n, const double *a, const double *b)
{
  long double sum = 0.0L;
  for (size_t i = 0; i < n; i++)
    sum += (long double)a[i] * b[i];
  return (double)sum;
}

static inline double slow_norm(size_t n, const double *a)
{
  return sqrt(slow_dot(n, a, a));
}

/* A locale that writes 1,5 for 1.5; 0 where this machine has none. */
static inline locale_t comma_locale(void)
{
  static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", "ru_RU.UTF-8"};
  locale_t found = (locale_t)0;
  for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++)
    found = newlocale(LC_ALL_MASK, names[i], (locale_t)0);
  return found;
}

#endif
