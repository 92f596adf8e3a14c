/* oracle_check.h — claims about a set, rebuilt from raw numbers: its oracle, its radii, what its spec refuses */
#ifndef OFW_TEST_ORACLE_CHECK_H
#define OFW_TEST_ORACLE_CHECK_H

#include "domain/wrapper/wrapper.h"
#include "unit/linalg/chance.h"

#include <stdio.h>
#include <string.h>

enum { MOST_DIM = 64, TEXT = 480 };

__attribute__((format(printf, 2, 3))) static inline void say(char out[TEXT], const char *format, ...)
{
  va_list args;
  va_start(args, format);
  int length = vsnprintf(out, TEXT, format, args);
  va_end(args);
  assert_true(length >= 0 && length < TEXT);
}

static inline ofw_domain *domain_of(const char *spec)
{
  ofw_error err = {0};
  ofw_domain *K = ofw_domain_create(spec, &err);
  if (!K)
    fail_msg("%s: %s", spec, err.message);
  return K;
}

/* "name:dim=N,REST" */
static inline ofw_domain *domain_in(const char *name, size_t dim, const char *rest)
{
  char spec[TEXT];
  say(spec, "%s:dim=%zu%s", name, dim, rest);
  return domain_of(spec);
}

static inline void refused(const char *spec, ofw_status status, const char *message)
{
  ofw_error err = {0};
  assert_null(ofw_domain_create(spec, &err));
  assert_string_equal(err.message, message);
  assert_int_equal(err.status, status);
  assert_null(ofw_domain_create(spec, NULL));
}

/* name + tail is refused with name + message */
static inline void misused(const char *name, const char *tail, const char *message)
{
  char spec[TEXT], words[TEXT];
  say(spec, "%s%s", name, tail);
  say(words, "%s%s", name, message);
  refused(spec, OFW_USAGE, words);
}

/* What every set with a dimension and a positive size, and perhaps more, says to a spec that makes no sense; `all` are its
 * options. */
static inline void refuses_bad_specs_of(const char *name, const char *size, const char *all)
{
  char tail[TEXT], words[TEXT], slip[TEXT];
  misused(name, "", ": dim is required (dimension n)");
  misused(name, ":dim", ": expected key=value, found 'dim'");
  misused(name, ":=3", ": expected key=value, found '=3'");
  misused(name, ":dim=3,", ": expected key=value after the last comma, found nothing");
  misused(name, ":dim=3,,", ": expected key=value, found ''");
  misused(name, ":dim=3,dim=3", ": dim is given twice");
  misused(name, ":dim=3,dimm=4", ": no option 'dimm'; did you mean 'dim'?");
  misused(name, ":dim=2.5", ": dim=2.5 is not a whole number >= 0");
  misused(name, ":dim=three", ": dim=three is not a whole number >= 0");
  misused(name, ":dim=-1", ": dim=-1 is not a whole number >= 0");
  misused(name, ":dim=", ": dim= is not a whole number >= 0");
  misused(name, ":dim=0", ": dim=0 is not in [1, 1e+12]");
  misused(name, ":dim=2e12", ": dim=2e12 is not in [1, 1e+12]");
  static const char *const out_of_range[] = {"0", "-2", "1e-101", "1e101"};
  for (size_t i = 0; i < sizeof out_of_range / sizeof *out_of_range; i++) {
    say(tail, ":dim=3,%s=%s", size, out_of_range[i]);
    say(words, ": %s=%s is not in [1e-100, 1e+100]", size, out_of_range[i]);
    misused(name, tail, words);
  }
  static const char *const no_number[] = {"", "x", "1x", "inf", "nan", "0x1", " 1", "1e999"};
  for (size_t i = 0; i < sizeof no_number / sizeof *no_number; i++) {
    say(tail, ":dim=3,%s=%s", size, no_number[i]);
    say(words, ": %s=%s is not a number", size, no_number[i]);
    misused(name, tail, words);
  }
  say(slip, "%.*s", (int)strlen(size) - 1, size); /* its last letter forgotten */
  say(tail, ":dim=3,%s=1", slip);
  say(words, ": no option '%s'; did you mean '%s'?", slip, size);
  misused(name, tail, words);
  say(words, ": no option 'colour'; its options: %s", all);
  misused(name, ":dim=3,colour=1", words);
  say(slip, "%sx", name);
  say(tail, "%s:dim=3", slip);
  say(words, "no domain '%s'; did you mean '%s'?", slip, name);
  refused(tail, OFW_USAGE, words);
}

static inline void refuses_bad_specs(const char *name, const char *size)
{
  char all[TEXT];
  say(all, "dim, %s", size);
  refuses_bad_specs_of(name, size, all);
}

/* Asks an exact oracle; its answer is finite, in K, within R, and said to be exact. Gives <d, v>. */
static inline long double ask(const ofw_domain *K, const double *d, double *v)
{
  size_t n = ofw_domain_dim(K);
  double R = K->R, error = -1.0;
  ofw_error err = {0};
  if (ofw_domain_minimise(K, d, 1e-9, v, &error, &err) != OFW_OK)
    fail_msg("%s: %s", K->spec, err.message);
  for (size_t i = 0; i < n; i++)
    assert_true(isfinite(v[i]));
  assert_true(error == 0.0);
  assert_at_most(slow_norm(n, v), R * (1.0L + 1e-13L));
  double out = ofw_domain_excess(K, v);
  assert_true(out >= 0.0);
  assert_at_most(out, 1e-13L * R);
  return slow_dot(n, d, v);
}

/* A random direction: mostly normal; one in four with small whole entries, so with zeros and ties; at one of five
 * scales, the least of them denormal. */
static inline void random_direction(chance *c, size_t n, double *d)
{
  static const double scales[] = {1.0, 1e-310, 1e-160, 1e160, 1e300};
  double scale = scales[chance_below(c, 5)];
  int whole = chance_below(c, 4) == 0;
  for (size_t i = 0; i < n; i++)
    d[i] = scale * (whole ? (double)chance_below(c, 5) - 2.0 : chance_normal(c));
}

/* A point of K: a random mixture of up to four of its atoms. */
static inline void random_feasible(const ofw_domain *K, chance *c, double *y)
{
  size_t n = ofw_domain_dim(K), atoms = 1 + chance_below(c, 4);
  double *d = room_for(n), *v = room_for(n), total = 0.0;
  memset(y, 0, n * sizeof *y);
  for (size_t k = 0; k < atoms; k++) {
    chance_normals(c, n, d);
    assert_int_equal(ofw_domain_minimise(K, d, 1e-9, v, NULL, NULL), OFW_OK);
    double weight = -log(chance_unit(c));
    total += weight;
    for (size_t i = 0; i < n; i++)
      y[i] += weight / total * (v[i] - y[i]);
  }
  free(d);
  free(v);
}

/* For random directions, <d, v> is `least`, found the slow way, and no random point of K is better. */
typedef long double least_value(size_t n, const double *d, const void *set);

static inline void is_least(const ofw_domain *K, int trials, least_value *least, const void *set)
{
  size_t n = ofw_domain_dim(K);
  chance c = {n};
  double d[MOST_DIM], v[MOST_DIM], y[MOST_DIM];
  long double R = K->R;
  for (int t = 0; t < trials; t++) {
    random_direction(&c, n, d);
    long double got = ask(K, d, v), slack = 1e-13L * R * slow_norm(n, d);
    assert_near(got, least(n, d, set), slack);
    if (t % 8 == 0) {
      random_feasible(K, &c, y);
      assert_at_most(ofw_domain_excess(K, y), 1e-13L * R);
      assert_at_most(got, slow_dot(n, d, y) + slack);
    }
  }
}

/* R and r are what they should be. `far` is a point of K of length R; along the unit vector `tight` the ball of radius
 * r about the centre touches the boundary; `into_hull` projects on the directions of the hull (NULL: all). */
static inline void has_radii(const ofw_domain *K, double R, double r, const double *far, const double *tight,
                             void (*into_hull)(size_t n, double *u))
{
  size_t n = ofw_domain_dim(K);
  double x[MOST_DIM], u[MOST_DIM], centre[MOST_DIM];
  chance c = {99};
  assert_near(K->R, R, 1e-15L * R);
  assert_near(K->r, r, 1e-15L * r);
  assert_near(slow_norm(n, far), R, 1e-14L * R);
  assert_at_most(ofw_domain_excess(K, far), 1e-14L * R);
  for (size_t i = 0; i < n; i++)
    x[i] = (1.0 + 1e-6) * far[i];
  assert_true(ofw_domain_excess(K, x) > 1e-7 * R / sqrt((double)n));
  ofw_domain_centre(K, centre);
  for (int t = 0; t < 200 && r > 0.0; t++) {
    chance_normals(&c, n, u);
    if (into_hull)
      into_hull(n, u);
    double length = (double)slow_norm(n, u);
    for (size_t i = 0; i < n; i++)
      x[i] = centre[i] + r * u[i] / length;
    assert_at_most(ofw_domain_excess(K, x), 1e-14L * R);
  }
  for (int out = 0; out < 2; out++) {
    for (size_t i = 0; i < n; i++)
      x[i] = centre[i] + (1.0 + 1e-6 * out) * r * tight[i];
    double excess = ofw_domain_excess(K, x);
    assert_true(out && r > 0.0 ? excess > 1e-7 * r / (double)n : excess <= 1e-14 * R);
  }
}

/* A domain with a workspace, as a learner holds one. */
typedef struct opened {
  ofw_domain *K;
  void *work;
} opened;

static inline opened open_seeded(ofw_domain *K, uint64_t seed)
{
  opened o = {K, NULL};
  assert_int_equal(K->ops->open(K, seed, &o.work, NULL), OFW_OK);
  return o;
}

static inline void shut(opened o)
{
  o.K->ops->close(o.work);
  ofw_domain_free(o.K);
}

static inline ofw_status answer(opened o, const double *d, double relative, double absolute, ofw_answer *out)
{
  ofw_direction direction = ofw_direction_dense(o.K, d, (ofw_accuracy){relative, absolute, 0});
  return o.K->ops->minimise(o.K, o.work, &direction, out, NULL);
}

#endif
