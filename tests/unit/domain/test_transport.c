#include "unit/domain/graph_check.h"

#include <unistd.h>

/* Rows a_i, columns b_j, all whole numbers. */
static void is_transport(size_t m, const double *a, size_t n, const double *b)
{
  char spec[TEXT] = "transport:supply=(", *end = spec + strlen(spec);
  rows_of s = {.rows = m + n, .n = m * n};
  for (size_t i = 0; i < m + n; i++) {
    double sum = i < m ? a[i] : b[i - m];
    end += sprintf(end, "%s%g", i == m ? "),demand=(" : i ? "," : "", sum);
    s.low[i] = s.high[i] = sum;
    for (size_t k = 0; k < m * n; k++)
      s.a[i * m * n + k] = i < m ? k / n == i : k % n == i - m;
  }
  strcpy(end, ")");
  for (size_t k = 0; k < m * n; k++)
    s.most[k] = fmin(a[k / n], b[k % n]);
  is_the_set(spec, &s, 0, 1);
}

static void the_cheapest_transport(void **state)
{
  (void)state;
  is_transport(2, (const double[]){1, 2}, 2, (const double[]){2, 1});
  is_transport(2, (const double[]){2, 2}, 3, (const double[]){1, 1, 2});
  is_transport(3, (const double[]){1, 1, 1}, 3, (const double[]){1, 1, 1});
  is_transport(3, (const double[]){2, 1, 1}, 3, (const double[]){1, 2, 1});
  is_transport(4, (const double[]){1, 1, 1, 1}, 2, (const double[]){1, 3});
}

/* Rows and columns of 0, a single row, a single point. */
static void degenerate_sums(void **state)
{
  (void)state;
  is_transport(3, (const double[]){2, 0, 1}, 3, (const double[]){0, 1, 2});
  is_transport(3, (const double[]){0, 2, 0}, 2, (const double[]){1, 1});
  is_transport(1, (const double[]){3}, 3, (const double[]){1, 2, 0});
  is_transport(2, (const double[]){1, 2}, 1, (const double[]){3});
}

/* Fractions, and sums that agree but for rounding. */
static void fractions(void **state)
{
  (void)state;
  chance c = {4};
  enum { M = 5, N = 6 };
  for (int trial = 0; trial < 40; trial++) {
    char spec[TEXT] = "transport:supply=(", *end = spec + strlen(spec);
    rows_of s = {.rows = M + N, .n = M * N};
    double sum[2] = {0.0, 0.0}, cents[M + N];
    for (size_t i = 0; i < M + N; i++) {
      cents[i] = 1.0 + (double)chance_below(&c, 900);
      sum[i >= M] += cents[i];
    }
    cents[0] += fmax(0.0, sum[1] - sum[0]);
    cents[M] += fmax(0.0, sum[0] - sum[1]);
    for (size_t i = 0; i < M + N; i++) {
      end += sprintf(end, "%s%g", i == M ? "),demand=(" : i ? "," : "", cents[i] / 100.0);
      s.low[i] = s.high[i] = cents[i] / 100.0;
      for (size_t k = 0; k < M * N; k++)
        s.a[i * M * N + k] = i < M ? k / N == i : k % N == i - M;
    }
    strcpy(end, ")");
    for (size_t k = 0; k < M * N; k++)
      s.most[k] = INFINITY;
    ofw_domain *K = domain_of(spec);
    agrees_with_clp(K, &s);
    has_inner_ball(K, &s, 1);
    ofw_domain_free(K);
  }
}

static void shape_centre_and_ties(void **state)
{
  (void)state;
  size_t rows, cols;
  double v[6];
  ofw_domain *K = domain_of("transport:supply=(1,2),demand=(0.5,1.5,1)");
  ofw_domain_shape(K, &rows, &cols);
  assert_true(rows == 2 && cols == 3 && K->from_centre);
  ofw_domain_centre(K, v);
  static const double centre[] = {0.5 / 3, 0.5, 1.0 / 3, 1.0 / 3, 1.0, 2.0 / 3};
  for (size_t k = 0; k < 6; k++)
    assert_near(v[k], centre[k], 2e-16);
  ask(K, (double[6]){0}, v); /* 1 x1 + 4 x2 + 9 x3 + 16 x4 + 25 x5 + 36 x6 is least */
  assert_true(v[2] == 1.0 && v[3] == 0.5 && v[4] == 1.5);
  ask(K, (double[6]){1e300, -1e300, 1e300, 1e300, 1e300, 1e300}, v);
  assert_true(v[1] == 1.0);
  ask(K, (double[6]){0, -0x1p-1074, 0, 0, 0, 0}, v);
  assert_true(v[1] == 1.0);
  ofw_domain_free(K);
}

/* Above 2^16 entries the coarser R; with many columns no normals. */
static void a_large_one(void **state)
{
  (void)state;
  enum { SIDE = 420 };
  char path[] = "/tmp/ofw-transport-XXXXXX", spec[TEXT];
  FILE *out = fdopen(mkstemp(path), "w");
  assert_non_null(out);
  for (int i = 0; i < SIDE; i++)
    fprintf(out, "%g\n", 1.0 + i % 7);
  fclose(out);
  say(spec, "transport:supply=@%s,demand=@%s", path, path);
  ofw_domain *K = domain_of(spec);
  double *x = room_for(SIDE * SIDE), *d = room_for(SIDE * SIDE), sum = 0.0;
  assert_true(K->r == 0.0 && K->normals == 0);
  for (int i = 0; i < SIDE; i++)
    sum += (1.0 + i % 7) * (1.0 + i % 7);
  assert_near(K->R, sqrt(sum), 1e-12);
  chance c = {8};
  chance_normals(&c, SIDE * SIDE, d);
  ask(K, d, x);
  free(x);
  free(d);
  ofw_domain_free(K);
  unlink(path);
}

static void bad_specs(void **state)
{
  (void)state;
  misused("transport", "", ": supply is required (the sums of the rows, (a,b,..) or @FILE with one per line)");
  misused("transport", ":supply=(1,2)",
          ": demand is required (the sums of the columns, (a,b,..) or @FILE with one per line)");
  misused("transport", ":supply=(1,2),demand=(1,3)", ": supply sums to 3, demand to 4; the sums must be equal");
  misused("transport", ":supply=(1,-2),demand=(1)",
          ": supply: number 2 is -2; expected 0 or a number in [1e-100, 1e+100]");
  misused("transport", ":supply=(0,0),demand=(1)", ": all numbers of supply are 0");
  misused("transport", ":supply=(1),demand=(1,1e101)",
          ": demand: number 2 is 1e+101; expected 0 or a number in [1e-100, 1e+100]");
  misused("transport", ":supply=(1,x),demand=1", ": line 1: 'x' is not a finite number");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_cheapest_transport), cmocka_unit_test(degenerate_sums), cmocka_unit_test(fractions),
      cmocka_unit_test(shape_centre_and_ties),  cmocka_unit_test(a_large_one),     cmocka_unit_test(bad_specs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
