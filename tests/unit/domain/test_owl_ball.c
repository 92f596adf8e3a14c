#include "unit/domain/list_check.h"
#include "unit/domain/lp_check.h"

typedef struct weights {
  double w[MOST_DIM], radius;
} weights;

/* Falling weights: some equal, the last ones perhaps 0. */
static ofw_domain *random_ball(chance *c, size_t n, weights *s)
{
  static char spec[LIST_TEXT + TEXT];
  char number[OFW_REAL_TEXT];
  size_t zeros = chance_below(c, n), whole = chance_below(c, 2);
  for (size_t i = 0; i < n; i++)
    s->w[i] = i + zeros >= n && i ? 0.0 : whole ? 1.0 + (double)chance_below(c, 3) : chance_size(c, 4.0);
  qsort(s->w, n, sizeof *s->w, falling_sizes);
  s->radius = 0.5 + chance_unit(c);
  strcpy(spec, "owl-ball:radius=");
  strcat(spec, ofw_print_real(s->radius, number));
  add_list(spec, ",weights=", n, s->w);
  ofw_domain *K = domain_of(spec);
  assert_int_equal(ofw_domain_dim(K), n);
  return K;
}

/* Over every point with k coordinates +-a/(w_1 + .. + w_k) and all others 0: 3^n - 1 points in few dimensions, else those
 * on the k largest. */
static long double least_vertex(size_t n, const double *d, const void *set)
{
  const weights *s = set;
  double sorted[MOST_DIM];
  long double least = INFINITY, sum = 0.0L, total[MOST_DIM + 1] = {0};
  uint64_t points = 1;
  memcpy(sorted, d, n * sizeof *sorted);
  qsort(sorted, n, sizeof *sorted, falling_sizes);
  for (size_t k = 0; k < n; k++) {
    total[k + 1] = total[k] + s->w[k];
    sum += fabsl(sorted[k]);
    least = n > 6 ? fminl(least, -s->radius * sum / total[k + 1]) : least;
    points *= n > 6 ? 1 : 3;
  }
  for (uint64_t point = 1; point < points; point++) {
    long double value = 0.0L;
    size_t k = 0;
    uint64_t digits = point;
    for (size_t i = 0; i < n; i++, digits /= 3) {
      value += digits % 3 == 0 ? 0.0L : digits % 3 == 1 ? d[i] : -(long double)d[i];
      k += digits % 3 != 0;
    }
    least = fminl(least, s->radius * value / total[k]);
  }
  return least;
}

static void the_best_vertex(void **state)
{
  (void)state;
  static const size_t dims[] = {1, 2, 3, 5, 6, 33, 64};
  chance c = {11};
  weights s;
  for (size_t k = 0; k < sizeof dims / sizeof *dims; k++)
    for (int t = 0; t < 8; t++) {
      ofw_domain *K = random_ball(&c, dims[k], &s);
      is_least(K, 200, least_vertex, &s);
      ofw_domain_free(K);
    }
}

/* x in [0, n), y = |x| or more, t in [2n, 3n), z_k,i: sum_k (w_k - w_k+1) (k t_k + sum_i z_k,i) <= a, z_k,i >= y_i - t_k.
 * What a k has there is at least the sum of the k largest. */
enum { N = 4, COLUMNS = 3 * N + N * N, ROWS = 1 + 2 * N + N * N };

static lp by_sums(const weights *s)
{
  static double a[ROWS * COLUMNS];
  double low[COLUMNS], high[COLUMNS], row_low[ROWS], row_high[ROWS];
  memset(a, 0, sizeof a);
  for (size_t j = 0; j < COLUMNS; j++) {
    low[j] = j < N || (j >= 2 * N && j < 3 * N) ? -INFINITY : 0.0;
    high[j] = INFINITY;
  }
  for (size_t k = 0; k < N; k++) {
    double weight = s->w[k] - (k + 1 < N ? s->w[k + 1] : 0.0);
    a[2 * N + k] = weight * (double)(k + 1);
    for (size_t i = 0; i < N; i++) {
      double *row = a + (1 + 2 * N + k * N + i) * COLUMNS;
      a[3 * N + k * N + i] = weight;
      row[3 * N + k * N + i] = 1.0;
      row[N + i] = -1.0;
      row[2 * N + k] = 1.0;
    }
  }
  for (size_t i = 0; i < 2 * N; i++) {
    a[(1 + i) * COLUMNS + i % N] = i < N ? 1.0 : -1.0;
    a[(1 + i) * COLUMNS + N + i % N] = 1.0;
  }
  for (size_t i = 0; i < ROWS; i++) {
    row_low[i] = i == 0 ? -INFINITY : 0.0;
    row_high[i] = i == 0 ? s->radius : INFINITY;
  }
  return lp_open(ROWS, COLUMNS, a, row_low, row_high, low, high);
}

static void a_linear_program(void **state)
{
  (void)state;
  chance c = {12};
  weights s;
  for (int set = 0; set < 12; set++) {
    ofw_domain *K = random_ball(&c, N, &s);
    lp p = by_sums(&s);
    for (int t = 0; t < 100; t++) {
      double d[COLUMNS] = {0}, v[N];
      for (size_t i = 0; i < N; i++)
        d[i] = t % 3 ? chance_normal(&c) : (double)chance_below(&c, 5) - 2.0;
      assert_near(ask(K, d, v), lp_least(p, d, NULL), 1e-10L);
    }
    lp_close(p);
    ofw_domain_free(K);
  }
}

/* The least k, and of equal |d_i| the lowest. */
static void ties(void **state)
{
  (void)state;
  ofw_domain *K = domain_of("owl-ball:weights=(2,1,1,0),radius=6");
  double v[4];
  ask(K, (double[]){1.0, -1.0, 1.0, 1.0}, v); /* 1/2, 2/3, 3/4, 4/4 */
  assert_true(v[0] == -1.5 && v[1] == 1.5 && v[2] == -1.5 && v[3] == -1.5);
  ask(K, (double[]){1.0, 2.0, 1.0, 0.0}, v); /* 2/2, 3/3, 4/4, 4/4 */
  assert_true(v[0] == 0.0 && v[1] == -3.0 && v[2] == 0.0 && v[3] == 0.0);
  ask(K, (double[]){-5.0, 7.0, 5.0, -5.0}, v); /* 7/2, 12/3, 17/4, 22/4 */
  assert_true(v[0] == 1.5 && v[1] == -1.5 && v[2] == -1.5 && v[3] == 1.5);
  ask(K, (double[]){0.0, -0.0, 0.0, 0.0}, v);
  assert_true(v[0] == -3.0 && v[1] == 0.0 && v[2] == 0.0 && v[3] == 0.0);
  ofw_domain_free(K);
  K = domain_of("owl-ball:weights=(2,1,1,1),radius=6"); /* of three that are alike, two are not taken */
  ask(K, (double[]){1.0, 2.5, -1.0, 1.0}, v);           /* 2.5/2, 3.5/3, 4.5/4, 5.5/5 */
  assert_true(v[0] == 0.0 && v[1] == -3.0 && v[2] == 0.0 && v[3] == 0.0);
  ofw_domain_free(K);
  K = domain_of("owl-ball:weights=(4,1,1,4e-1),radius=6");
  ask(K, (double[]){3.0, 3.0, 3.0, 0.0}, v); /* 3/4, 6/5, 9/6, 9/6.4 */
  assert_true(v[0] == -1.0 && v[1] == -1.0 && v[2] == -1.0 && v[3] == 0.0);
  ofw_domain_free(K);
  K = domain_of("owl-ball:weights=(3,1,1,1),radius=4");
  ask(K, (double[]){2.0, 3.0, -2.0, -2.0}, v); /* 3/3, 5/4, 7/5, 9/6 */
  assert_true(v[1] == -4.0 / 6.0 && v[3] == 4.0 / 6.0);
  ask(K, (double[]){1.0, 4.0, -2.0, 1.0}, v); /* 4/3, 6/4, 7/5, 8/6 */
  assert_true(v[0] == 0.0 && v[1] == -1.0 && v[2] == 1.0 && v[3] == 0.0);
  ask(K, (double[]){1.0, 1.0, -4.0, 1.0}, v); /* 4/3, 5/4 .. */
  assert_true(v[2] == 4.0 / 3.0 && v[0] == 0.0);
  ofw_domain_free(K);
}

/* As many equal ones as the vertex takes, from the lowest on. */
static void the_lowest_of_equal_ones(void **state)
{
  (void)state;
  ofw_domain *K = domain_of("owl-ball:weights=(5,1,1,1,2e-1,1e-1),radius=8");
  chance c = {13};
  for (int t = 0; t < 2000; t++) {
    double d[6], v[6];
    for (size_t i = 0; i < 6; i++)
      d[i] = (double)chance_below(&c, 5) - 2.0;
    ask(K, d, v);
    for (size_t i = 0; i < 6; i++)
      for (size_t j = 0; j < i; j++)
        assert_false(v[i] != 0.0 && v[j] == 0.0 && fabs(d[j]) >= fabs(d[i]));
  }
  ofw_domain_free(K);
}

static void the_ends_of_the_range(void **state)
{
  (void)state;
  ofw_domain *K = domain_of("owl-ball:weights=(1e100,1e100,0),radius=1e100");
  double v[3], least = 0x1p-1074, most = 0x1.fffffffffffffp1023;
  ask(K, (double[]){least, -least, least}, v);
  assert_true(v[0] == -0.5 && v[1] == 0.5 && v[2] == -0.5);
  ask(K, (double[]){most, most, -most}, v);
  assert_true(v[0] == -0.5 && v[1] == -0.5 && v[2] == 0.5);
  ask(K, (double[]){most, least, -least}, v);
  assert_true(v[0] == -1.0 && v[1] == 0.0 && v[2] == 0.0);
  ofw_domain_free(K);
}

/* The farthest vertex, and the ball that touches along w. */
static void radii_and_centre(void **state)
{
  (void)state;
  chance c = {14};
  weights s;
  for (size_t n = 1; n <= 40; n++) {
    ofw_domain *K = random_ball(&c, n, &s);
    double far[MOST_DIM] = {0}, tight[MOST_DIM], length = (double)slow_norm(n, s.w);
    long double R = 0.0L, total = 0.0L;
    for (size_t k = 0; k < n; k++) {
      total += s.w[k];
      if (s.radius * sqrtl((long double)k + 1.0L) / total > R) {
        R = s.radius * sqrtl((long double)k + 1.0L) / total;
        for (size_t i = 0; i <= k; i++)
          far[i] = (double)(s.radius / total);
      }
      tight[k] = s.w[k] / length;
    }
    assert_near(K->R, R, 1e-14L * R);
    has_radii(K, K->R, s.radius / length, far, tight, NULL);
    assert_null(K->centre);
    ofw_domain_free(K);
  }
}

static void excess_is_in_units_of_the_largest_weight(void **state)
{
  (void)state;
  ofw_domain *K = domain_of("owl-ball:weights=(4,2,0),radius=8");
  assert_true(ofw_domain_excess(K, (double[]){0.0, 0.0, 0.0}) == 0.0);
  assert_true(ofw_domain_excess(K, (double[]){1.0, -1.5, 0.5}) == 0.0);
  assert_true(ofw_domain_excess(K, (double[]){-2.0, 1.0, 3.0}) == 2.0);
  assert_true(ofw_domain_excess(K, (double[]){-1.0, 2.0, 1.0}) == 0.5);
  ofw_domain_free(K);
}

/* Equal weights are the l1-ball. */
static void one_weight_for_all(void **state)
{
  (void)state;
  ofw_domain *K = domain_of("owl-ball:dim=4,weights=2,radius=3"), *same = domain_of("l1-ball:dim=4,radius=1.5");
  chance c = {15};
  double d[4], v[4], w[4];
  for (int t = 0; t < 500; t++) {
    random_direction(&c, 4, d);
    assert_near(ask(K, d, v), ask(same, d, w), 1e-14L * slow_norm(4, d));
  }
  ofw_domain_free(K);
  ofw_domain_free(same);
}

static void bad_specs(void **state)
{
  (void)state;
  misused(
      "owl-ball", "",
      ": weights is required (the weights w, in decreasing order: a number for all, (a,b,..), or @FILE with one per "
      "line)");
  misused("owl-ball", ":weights=2", ": dim is required because weights is not a list");
  misused("owl-ball", ":weights=(2,1),radius=0", ": radius=0 is not in [1e-100, 1e+100]");
  misused("owl-ball", ":weights=(1,2)", ": weight 2 is 2, larger than the previous one, 1; sort the weights");
  misused("owl-ball", ":weights=(1,0,-1)", ": weight 3 is -1, which is negative");
  misused("owl-ball", ":weights=(0,0)", ": weight 1 is 0, which is not in [1e-100, 1e+100]");
  misused("owl-ball", ":weights=(2e100)", ": weight 1 is 2e+100, which is not in [1e-100, 1e+100]");
  misused("owl-ball", ":weights=(1e-100),radius=2",
          ": its farthest point is 2e+100 away from the origin, which is not in [1e-100, 1e+100]");
  misused("owl-ball", ":weights=()", ": expected numbers in weights, found none");
  misused("owl-ball", ":weights=(1,x)", ": line 1: 'x' is not a finite number");
  misused("owl-ball", ":weights=(1,1),colour=1", ": no option 'colour'; its options: dim, weights, radius");
  refused("owl-ball:dim=3,weights=(2,1)", OFW_BAD_DATA, "owl-ball: weights has 2 numbers, but the dimension is 3");
  refused("owl-ball:weights=@/no/such/file", OFW_BAD_DATA,
          "owl-ball: cannot read /no/such/file: No such file or directory");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_best_vertex),
      cmocka_unit_test(a_linear_program),
      cmocka_unit_test(ties),
      cmocka_unit_test(the_lowest_of_equal_ones),
      cmocka_unit_test(the_ends_of_the_range),
      cmocka_unit_test(radii_and_centre),
      cmocka_unit_test(excess_is_in_units_of_the_largest_weight),
      cmocka_unit_test(one_weight_for_all),
      cmocka_unit_test(bad_specs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
