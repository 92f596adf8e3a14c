#include "unit/domain/list_check.h"
#include "unit/domain/lp_check.h"

typedef struct sizes {
  size_t k;
  double radius;
} sizes;

static ofw_domain *ball_of(size_t n, size_t k)
{
  char spec[TEXT];
  say(spec, "k-norm-ball:dim=%zu,k=%zu,radius=1.75", n, k);
  return domain_of(spec);
}

/* Over all points +-a e_i, and all with +-a/k everywhere: these one by one in few dimensions, else by signs. */
static long double least_vertex(size_t n, const double *d, const void *set)
{
  const sizes *s = set;
  long double least = INFINITY, sum = 0.0L, side = (long double)s->radius / s->k;
  for (size_t i = 0; i < n; i++) {
    least = fminl(least, -s->radius * fabsl(d[i]));
    sum += fabsl(d[i]);
  }
  for (uint64_t corner = 0; n <= 8 && corner < UINT64_C(1) << n; corner++) {
    long double value = 0.0L;
    for (size_t i = 0; i < n; i++)
      value += (corner >> i & 1 ? side : -side) * d[i];
    least = fminl(least, value);
  }
  return n <= 8 ? least : fminl(least, -side * sum);
}

static void the_best_vertex(void **state)
{
  (void)state;
  static const size_t cases[][2] = {{1, 1}, {2, 1}, {2, 2}, {3, 2},  {5, 1},  {5, 3},
                                    {5, 5}, {8, 2}, {8, 6}, {8, 12}, {33, 5}, {64, 8}};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    sizes s = {cases[c][1], 1.75};
    ofw_domain *K = ball_of(cases[c][0], s.k);
    is_least(K, 1000, least_vertex, &s);
    ofw_domain_free(K);
  }
}

enum { N = 5, COLUMNS = 3 * N + 1, ROWS = 2 * N + 1 };

/* x = y - z + w with y, z >= 0 and |w_i| <= t:  sum y + sum z + k t <= a. That is the hull of the two balls. */
static lp hull(size_t k)
{
  double a[ROWS * COLUMNS] = {0}, low[COLUMNS], high[COLUMNS], row_low[ROWS], row_high[ROWS];
  for (size_t j = 0; j < COLUMNS; j++) {
    low[j] = j < 2 * N || j == 3 * N ? 0.0 : -INFINITY;
    high[j] = INFINITY;
    a[j] = j < 2 * N ? 1.0 : j == 3 * N ? (double)k : 0.0;
  }
  for (size_t i = 0; i < 2 * N; i++) {
    a[(1 + i) * COLUMNS + 2 * N + i % N] = i < N ? 1.0 : -1.0;
    a[(1 + i) * COLUMNS + 3 * N] = -1.0;
  }
  for (size_t i = 0; i < ROWS; i++) {
    row_low[i] = -INFINITY;
    row_high[i] = i == 0 ? 1.75 : 0.0;
  }
  return lp_open(ROWS, COLUMNS, a, row_low, row_high, low, high);
}

static void a_linear_program(void **state)
{
  (void)state;
  chance c = {6};
  for (size_t k = 1; k <= N + 1; k++) {
    ofw_domain *K = ball_of(N, k);
    lp p = hull(k);
    for (int t = 0; t < 300; t++) {
      double d[N], v[N], cost[COLUMNS] = {0};
      for (size_t i = 0; i < N; i++) {
        d[i] = t % 3 ? chance_normal(&c) : (double)chance_below(&c, 5) - 2.0;
        cost[i] = cost[2 * N + i] = d[i];
        cost[N + i] = -d[i];
      }
      assert_near(ask(K, d, v), lp_least(p, cost, NULL), 1e-11L);
    }
    lp_close(p);
    ofw_domain_free(K);
  }
}

/* One coordinate, the lowest, wherever that is as good. Whole numbers: sums are exact. */
static void ties(void **state)
{
  (void)state;
  ofw_domain *K = ball_of(6, 3);
  chance c = {5};
  double d[6], v[6];
  for (int t = 0; t < 3000; t++) {
    double most = 0.0, sum = 0.0;
    size_t first = 0;
    for (size_t i = 0; i < 6; i++) {
      d[i] = (double)chance_below(&c, 5) - 2.0;
      sum += fabs(d[i]);
      if (fabs(d[i]) > most)
        most = fabs(d[i]), first = i;
    }
    ask(K, d, v);
    for (size_t i = 0; i < 6; i++)
      assert_true(v[i] == (sum > 3.0 * most ? (d[i] >= 0.0 ? -1.75 / 3.0 : 1.75 / 3.0)
                           : i == first     ? -copysign(1.75, d[i])
                                            : 0.0));
  }
  ofw_domain_free(K);
}

static void the_ends_of_the_range(void **state)
{
  (void)state;
  ofw_domain *K = ball_of(3, 2);
  double v[3], least = 0x1p-1074, most = 0x1.fffffffffffffp1023;
  ask(K, (double[]){least, -least, least}, v);
  assert_true(v[0] == -0.875 && v[1] == 0.875 && v[2] == -0.875);
  ask(K, (double[]){least, -3 * least, least}, v);
  assert_true(v[0] == 0.0 && v[1] == 1.75 && v[2] == 0.0);
  ask(K, (double[]){most, most, -most}, v);
  assert_true(v[0] == -0.875 && v[1] == -0.875 && v[2] == 0.875);
  ask(K, (double[]){most, least, -least}, v);
  assert_true(v[0] == -1.75 && v[1] == 0.0 && v[2] == 0.0);
  ask(K, (double[]){0.0, 0.0, 0.0}, v);
  assert_true(v[0] == -1.75 && v[1] == 0.0);
  ofw_domain_free(K);
}

/* An axis or a corner is farthest; the ball touches where k coordinates are alike. */
static void radii_and_centre(void **state)
{
  (void)state;
  static const size_t dims[] = {1, 2, 7, 9, 50};
  for (size_t c = 0; c < sizeof dims / sizeof *dims; c++)
    for (size_t k = 1; k <= dims[c] + 1; k++) {
      size_t n = dims[c], some = k < n ? k : n;
      double far[MOST_DIM] = {0}, tight[MOST_DIM] = {0}, corner = 1.75 * sqrt((double)n) / (double)k;
      ofw_domain *K = ball_of(n, k);
      for (size_t i = 0; i < n; i++) {
        far[i] = corner > 1.75 ? 1.75 / (double)k : i == 0 ? -1.75 : 0.0;
        tight[i] = i < some ? 1.0 / sqrt((double)some) : 0.0;
      }
      has_radii(K, fmax(corner, 1.75), 1.75 / sqrt((double)some), far, tight, NULL);
      assert_null(K->centre);
      ofw_domain_free(K);
    }
}

/* By sorting, at all scales. */
static void excess_is_the_surplus_of_the_largest(void **state)
{
  (void)state;
  chance c = {7};
  double x[9], sorted[9];
  for (size_t k = 1; k <= 9; k++) {
    ofw_domain *K = ball_of(9, k);
    for (int t = 0; t < 500; t++) {
      long double sum = 0.0L;
      random_direction(&c, 9, x);
      memcpy(sorted, x, sizeof x);
      qsort(sorted, 9, sizeof *sorted, falling_sizes);
      for (size_t i = 0; i < k; i++)
        sum += fabsl(sorted[i]);
      assert_near(ofw_domain_excess(K, x), fmaxl(0.0L, sum - 1.75L), 1e-14L * (sum + 1.0L));
    }
    assert_true(ofw_domain_excess(K, (double[9]){0}) == 0.0);
    ofw_domain_free(K);
  }
}

static void bad_specs(void **state)
{
  (void)state;
  refuses_bad_specs_of("k-norm-ball", "radius", "dim, k, radius");
  misused("k-norm-ball", ":dim=3", ": k is required (k, the number of largest values that count)");
  misused("k-norm-ball", ":dim=3,k=0", ": k=0 is not in [1, 1e+12]");
  misused("k-norm-ball", ":dim=3,k=1.5", ": k=1.5 is not a whole number >= 0");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_best_vertex),
      cmocka_unit_test(a_linear_program),
      cmocka_unit_test(ties),
      cmocka_unit_test(the_ends_of_the_range),
      cmocka_unit_test(radii_and_centre),
      cmocka_unit_test(excess_is_the_surplus_of_the_largest),
      cmocka_unit_test(bad_specs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
