/* capped_check.h — sets with a cap on each coordinate and one on their sum, the slow way: by all vertices, and by CLP */
#ifndef OFW_TEST_CAPPED_CHECK_H
#define OFW_TEST_CAPPED_CHECK_H

#include "unit/domain/lp_check.h"
#include "unit/domain/oracle_check.h"

typedef struct capped_set {
  double cap[MOST_DIM], sum;
  int at_most, signs;
} capped_set;

static inline capped_set even_caps(size_t k, double radius, int at_most, int signs)
{
  capped_set s = {.sum = (double)k * radius, .at_most = at_most, .signs = signs};
  for (size_t i = 0; i < MOST_DIM; i++)
    s.cap[i] = radius;
  return s;
}

/* A vertex has some coordinates at their caps, perhaps one in between, and no others. */
static inline long double least_vertex(size_t n, const double *d, const void *set)
{
  const capped_set *s = set;
  long double least = INFINITY, slack = 1e-15L * s->sum;
  for (uint64_t full = 0; full < UINT64_C(1) << n; full++) {
    long double sum = 0.0L, value = 0.0L;
    for (size_t i = 0; i < n; i++)
      if (full >> i & 1) {
        sum += s->cap[i];
        value += (s->signs ? -fabsl(d[i]) : d[i]) * (long double)s->cap[i];
      }
    long double rest = s->sum - sum;
    if (rest < -slack)
      continue;
    if (s->at_most || rest <= slack)
      least = fminl(least, value);
    for (size_t j = 0; j < n; j++)
      if (!(full >> j & 1) && rest <= s->cap[j])
        least = fminl(least, value + (s->signs ? -fabsl(d[j]) : d[j]) * rest);
  }
  return least;
}

/* Where there are too many vertices: x = p - q, both from 0 to the caps, q = 0 where there are no signs. */
static inline void agrees_with_clp(const ofw_domain *K, const capped_set *s, int trials)
{
  size_t n = ofw_domain_dim(K);
  double row[2 * MOST_DIM], low[2 * MOST_DIM] = {0}, high[2 * MOST_DIM], cost[2 * MOST_DIM], d[MOST_DIM], v[MOST_DIM];
  double least_sum = s->at_most ? -INFINITY : s->sum;
  chance c = {n};
  for (size_t j = 0; j < 2 * n; j++) {
    row[j] = 1.0;
    high[j] = j < n || s->signs ? s->cap[j % n] : 0.0;
  }
  lp p = lp_open(1, 2 * n, row, &least_sum, &s->sum, low, high);
  for (int t = 0; t < trials; t++) {
    for (size_t i = 0; i < n; i++) {
      d[i] = t % 3 ? chance_normal(&c) : (double)chance_below(&c, 5) - 2.0;
      cost[i] = d[i];
      cost[n + i] = -d[i];
    }
    assert_near(ask(K, d, v), lp_least(p, cost, NULL), 1e-9L * s->sum);
  }
  lp_close(p);
}

/* Small whole numbers: what comes first by value, then by index, is filled, and only where <d, x> falls if it may be
 * left out. */
static inline void fills_in_order(const ofw_domain *K, const capped_set *s, int trials)
{
  size_t n = ofw_domain_dim(K);
  double d[MOST_DIM], v[MOST_DIM], want[MOST_DIM];
  chance c = {77};
  for (int t = 0; t < trials; t++) {
    long double left = s->sum;
    for (size_t i = 0; i < n; i++)
      d[i] = t ? copysign((double)chance_below(&c, 3), chance_normal(&c)) : 0.0; /* also -0 */
    for (size_t i = 0; i < n; i++)
      want[i] = 0.0;
    for (double level = -2.0; level <= 2.0; level += 1.0)
      for (size_t i = 0; i < n; i++)
        if ((s->signs ? -fabs(d[i]) : d[i]) == level && (!s->at_most || level < 0.0)) {
          want[i] = (double)fminl(s->cap[i], left);
          left -= want[i];
          want[i] = s->signs ? -copysign(want[i], d[i]) : want[i];
        }
    ask(K, d, v);
    for (size_t i = 0; i < n; i++)
      assert_near(v[i], want[i], 1e-15L * s->sum);
  }
}

static inline ofw_domain *capped_in(const char *name, size_t n, size_t k, const char *rest)
{
  char tail[TEXT];
  say(tail, ",k=%zu%s", k, rest);
  return domain_in(name, n, tail);
}

/* A set with dim, k and radius, against all vertices where they are few. */
static inline void is_least_of_vertices(const char *name, int at_most, int signs)
{
  for (size_t n = 1; n <= 7; n++)
    for (size_t k = 1; k <= n; k++) {
      capped_set s = even_caps(k, 2.25, at_most, signs);
      ofw_domain *K = capped_in(name, n, k, ",radius=2.25");
      is_least(K, 400, least_vertex, &s);
      ofw_domain_free(K);
    }
}

/* Numbers at the ends of the range are told apart, and none overflows. */
static inline void at_the_ends_of_the_range(const char *name)
{
  ofw_domain *K = domain_in(name, 4, ",k=2,radius=1e100");
  double v[4];
  ask(K, (double[]){-0x1p-1074, -0x1p-1073, 0.0, 0x1p-1074}, v);
  assert_true(fabs(v[0]) == 1e100 && fabs(v[1]) == 1e100 && v[2] == 0.0 && v[3] == 0.0);
  ask(K, (double[]){-1e300, -0x1.fffffffffffffp1023, -0x1.ffffffffffffep1023, 1.0}, v);
  assert_true(v[0] == 0.0 && v[1] == 1e100 && v[2] == 1e100 && v[3] == 0.0);
  ofw_domain_free(K);
}

/* What sets with dim, k and radius say to specs that make no sense. */
static inline void refuses_bad_capped_specs(const char *name)
{
  misused(name, "", ": dim is required (dimension n)");
  misused(name, ":dim=3", ": k is required (k, from 1 to n)");
  misused(name, ":dim=3,k=0", ": k=0 is not in [1, 1e+12]");
  misused(name, ":dim=3,k=4", ": k=4 is more than dim=3");
  misused(name, ":dim=3,k=1.5", ": k=1.5 is not a whole number >= 0");
  misused(name, ":dim=0,k=1", ": dim=0 is not in [1, 1e+12]");
  misused(name, ":dim=3,k=1,radius=0", ": radius=0 is not in [1e-100, 1e+100]");
  misused(name, ":dim=3,k=1,radius=1e101", ": radius=1e101 is not in [1e-100, 1e+100]");
  misused(name, ":dim=3,k=1,radius=nan", ": radius=nan is not a number");
  misused(name, ":dim=3,k=1,sum=2", ": no option 'sum'; its options: dim, k, radius");
}

/* y becomes its difference from its mean: a direction within a set of given sum. */
static inline void into_hull_of_sum(size_t n, double *u)
{
  double mean = 0.0;
  for (size_t i = 0; i < n; i++)
    mean += u[i] / (double)n;
  for (size_t i = 0; i < n; i++)
    u[i] -= mean;
}

/* A unit vector of that hull along which coordinate `at` falls (sign -1) or grows most. */
static inline void along_in_hull(size_t n, size_t at, double sign, double *u)
{
  double m = (double)n;
  for (size_t i = 0; i < n; i++)
    u[i] = sign * (i == at ? 1.0 - 1.0 / m : -1.0 / m) / sqrt((m - 1.0) / m);
}

/* Against the threshold found by bisection alone, in long doubles. */
static inline void projects_by_bisection(const ofw_domain *K, const capped_set *s, int trials)
{
  size_t n = ofw_domain_dim(K);
  double y[MOST_DIM], x[MOST_DIM];
  chance c = {n + 3};
  for (int t = 0; t < trials; t++) {
    long double low = s->at_most ? 0.0L : -100.0L * (s->sum + 1.0), high = 100.0L * (s->sum + 1.0);
    for (size_t i = 0; i < n; i++)
      y[i] = t % 3 ? 3.0 * s->cap[i] * chance_normal(&c) : (double)chance_below(&c, 5) - 2.0;
    for (int halvings = 0; halvings < 200; halvings++) {
      long double tau = (low + high) / 2.0L, total = 0.0L;
      for (size_t i = 0; i < n; i++)
        total += fminl(fmaxl((s->signs ? fabsl(y[i]) : y[i]) - tau, 0.0L), s->cap[i]);
      *(total > s->sum ? &low : &high) = tau;
    }
    assert_int_equal(ofw_domain_project(K, y, x, NULL), OFW_OK);
    for (size_t i = 0; i < n; i++) {
      long double want = fminl(fmaxl((s->signs ? fabsl(y[i]) : y[i]) - high, 0.0L), s->cap[i]);
      assert_near(x[i], s->signs ? copysignl(want, y[i]) : want, 1e-13L * s->sum);
    }
  }
}

/* A set with dim, k and radius in many dimensions. */
static inline void is_right_in_many_dimensions(const char *name, int at_most, int signs)
{
  static const size_t ks[] = {1, 5, 32, 63, 64};
  for (size_t i = 0; i < 5; i++) {
    capped_set s = even_caps(ks[i], 0.75, at_most, signs);
    ofw_domain *K = capped_in(name, 64, ks[i], ",radius=0.75");
    agrees_with_clp(K, &s, 200);
    fills_in_order(K, &s, 500);
    projects_by_bisection(K, &s, 300);
    ofw_domain_free(K);
  }
}

#endif
