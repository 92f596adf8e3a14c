#include "unit/domain/list_check.h"
#include "unit/domain/lp_check.h"

typedef struct bounds {
  double lower[MOST_DIM], upper[MOST_DIM];
} bounds;

/* Widths from 2^-spread to 1; about the origin where `off` is 0. */
static ofw_domain *random_diamond(chance *c, size_t n, double spread, double off, bounds *b)
{
  char spec[2 * LIST_TEXT + TEXT] = "diamond:";
  for (size_t i = 0; i < n; i++) {
    double half = chance_size(c, spread), centre = off * chance_normal(c);
    b->lower[i] = centre - half;
    b->upper[i] = centre + half;
  }
  add_list(spec, "lower=", n, b->lower);
  add_list(spec, ",upper=", n, b->upper);
  return domain_of(spec);
}

/* Over all 2n vertices. */
static long double least_vertex(size_t n, const double *d, const void *set)
{
  const bounds *b = set;
  long double least = INFINITY, at_centre = 0.0L;
  for (size_t i = 0; i < n; i++)
    at_centre += ((long double)b->lower[i] + b->upper[i]) / 2 * d[i];
  for (size_t i = 0; i < n; i++)
    least = fminl(least, at_centre - ((long double)b->upper[i] - b->lower[i]) / 2 * fabsl(d[i]));
  return least;
}

static void the_best_vertex(void **state)
{
  (void)state;
  static const size_t dims[] = {1, 2, 3, 8, 33, 64};
  chance c = {31};
  bounds b;
  for (size_t k = 0; k < sizeof dims / sizeof *dims; k++)
    for (int t = 0; t < 4; t++) {
      ofw_domain *K = random_diamond(&c, dims[k], 3.0, t % 2, &b);
      is_least(K, 500, least_vertex, &b);
      ofw_domain_free(K);
    }
}

enum { N = 5 };

/* x = c + y - z with y, z >= 0 and sum (y_i + z_i)/h_i <= 1 */
static void a_linear_program(void **state)
{
  (void)state;
  chance c = {32};
  bounds b;
  for (int set = 0; set < 8; set++) {
    ofw_domain *K = random_diamond(&c, N, 3.0, 1.0, &b);
    double row[2 * N], low[2 * N] = {0}, high[2 * N], least = -INFINITY, one = 1.0;
    for (size_t j = 0; j < 2 * N; j++) {
      row[j] = 2.0 / (b.upper[j % N] - b.lower[j % N]);
      high[j] = INFINITY;
    }
    lp p = lp_open(1, 2 * N, row, &least, &one, low, high);
    for (int t = 0; t < 150; t++) {
      double d[N], v[N], cost[2 * N];
      long double at_centre = 0.0L;
      for (size_t i = 0; i < N; i++) {
        d[i] = t % 3 ? chance_normal(&c) : (double)chance_below(&c, 5) - 2.0;
        cost[i] = d[i];
        cost[N + i] = -d[i];
        at_centre += (b.lower[i] + b.upper[i]) / 2.0L * d[i];
      }
      assert_near(ask(K, d, v), at_centre + lp_least(p, cost, NULL), 1e-11L);
    }
    lp_close(p);
    ofw_domain_free(K);
  }
}

/* The lowest of equal h_i |d_i|. */
static void ties(void **state)
{
  (void)state;
  static const double half[] = {1.0, 2.0, 0.5, 4.0, 1.0};
  ofw_domain *K = domain_of("diamond:lower=(-1,0,2,-5,3),upper=(1,4,3,3,5)");
  chance c = {33};
  double d[5], v[5], centre[5];
  ofw_domain_centre(K, centre);
  for (int t = 0; t < 3000; t++) {
    size_t first = 0;
    for (size_t i = 0; i < 5; i++) {
      d[i] = (double)chance_below(&c, 9) - 4.0;
      first = half[i] * fabs(d[i]) > half[first] * fabs(d[first]) ? i : first;
    }
    ask(K, d, v);
    for (size_t i = 0; i < 5; i++)
      assert_true(v[i] == centre[i] - (i == first ? copysign(half[i], d[i]) : 0.0));
  }
  ask(K, (double[5]){0}, v);
  assert_true(v[0] == -1.0 && v[1] == 2.0 && v[2] == 2.5 && v[3] == -1.0 && v[4] == 4.0);
  ofw_domain_free(K);
}

static void the_ends_of_the_range(void **state)
{
  (void)state;
  ofw_domain *K = domain_of("diamond:lower=(-1,-1e100,-3),upper=(1,1e100,3)");
  double v[3], least = 0x1p-1074, most = 0x1.fffffffffffffp1023;
  ask(K, (double[]){least, 0.0, -least}, v);
  assert_true(v[0] == 0.0 && v[1] == 0.0 && v[2] == 3.0);
  ask(K, (double[]){most, 0.0, -most}, v);
  assert_true(v[0] == 0.0 && v[1] == 0.0 && v[2] == 3.0);
  ask(K, (double[]){1.0, 1e-99, 0.0}, v);
  assert_true(v[0] == 0.0 && v[1] == -1e100 && v[2] == 0.0);
  ask(K, (double[]){1.0, 1e-101, 0.0}, v);
  assert_true(v[0] == -1.0 && v[1] == 0.0 && v[2] == 0.0);
  ofw_domain_free(K);
}

/* Two terms, the second of which is the centre; none where that is the origin. */
static void an_atom_has_few_numbers(void **state)
{
  (void)state;
  for (size_t off = 0; off < 2; off++) {
    opened o = open_seeded(domain_of(off ? "diamond:dim=3,lower=0,upper=2" : "diamond:dim=3,lower=-1,upper=1"), 1);
    ofw_answer out;
    assert_int_equal(answer(o, (double[]){1.0, -3.0, 2.0}, 1e-9, INFINITY, &out), OFW_OK);
    assert_int_equal(o.K->shifts, off);
    assert_int_equal(out.atom.n, 1 + off);
    assert_true(out.atom.term[0].kind == OFW_VEC_SPARSE && out.atom.term[0].as.sparse.nnz == 1);
    assert_true(out.value == -3.0 && out.proven && out.error == 0.0);
    assert_int_equal(o.K->from_centre, off);
    shut(o);
  }
}

/* R is that of the farthest vertex. About r the ball touches a face along its normal 1/h. */
static void radii_and_centre(void **state)
{
  (void)state;
  chance c = {34};
  for (size_t n = 1; n <= 40; n++) {
    bounds b;
    ofw_domain *K = random_diamond(&c, n, 1.0, (double)(n % 2), &b);
    double tight[MOST_DIM], far[MOST_DIM] = {0}, centre[MOST_DIM];
    long double R = 0.0L, inverse = 0.0L;
    ofw_domain_centre(K, centre);
    for (size_t i = 0; i < 2 * n; i++) {
      double vertex[MOST_DIM], half = (b.upper[i / 2] - b.lower[i / 2]) / 2;
      memcpy(vertex, centre, sizeof vertex);
      vertex[i / 2] += i % 2 ? half : -half;
      if (slow_norm(n, vertex) > R) {
        R = slow_norm(n, vertex);
        memcpy(far, vertex, sizeof far);
      }
      inverse += 0.5L / half / half;
    }
    double r = (double)(1.0L / sqrtl(inverse));
    for (size_t i = 0; i < n; i++) {
      assert_near(centre[i], (b.lower[i] + b.upper[i]) / 2.0, 1e-15L * R);
      tight[i] = (i % 3 ? 1.0 : -1.0) * r / ((b.upper[i] - b.lower[i]) / 2);
    }
    assert_near(K->R, R, 1e-15L * R);
    assert_near(K->r, r, 1e-15L * r);
    has_radii(K, K->R, K->r, far, tight, NULL);
    ofw_domain_free(K);
  }
}

/* |z_i| less t/h_i, found by halving an interval */
static void the_projection(void **state)
{
  (void)state;
  chance c = {35};
  for (int set = 0; set < 30; set++) {
    size_t n = 1 + (size_t)set % 9;
    bounds b;
    ofw_domain *K = random_diamond(&c, n, 4.0, set % 2, &b);
    double y[MOST_DIM], x[MOST_DIM], centre[MOST_DIM], half[MOST_DIM], R = K->R;
    ofw_domain_centre(K, centre);
    for (size_t i = 0; i < n; i++)
      half[i] = b.upper[i] / 2 - b.lower[i] / 2;
    for (int t = 0; t < 200; t++) {
      double scale = t % 5 ? 1.0 : 1e3;
      long double low = 0.0L, high = 10.0L * scale;
      for (size_t i = 0; i < n; i++)
        y[i] = scale * (t % 2 ? chance_normal(&c) : (double)chance_below(&c, 5) - 2.0);
      for (int halving = 0; halving < 100; halving++) {
        long double total = 0.0L, middle = (low + high) / 2;
        for (size_t i = 0; i < n; i++)
          total += fmaxl(0.0L, fabsl((long double)y[i] - centre[i]) - middle / half[i]) / half[i];
        *(total > 1.0L ? &low : &high) = middle;
      }
      assert_int_equal(ofw_domain_project(K, y, x, NULL), OFW_OK);
      for (size_t i = 0; i < n; i++) {
        long double z = (long double)y[i] - centre[i], left = fmaxl(0.0L, fabsl(z) - high / half[i]);
        assert_near(x[i], centre[i] + copysignl(left, z), 1e-14L * (R + scale));
      }
    }
    ofw_domain_free(K);
  }
}

/* However far away y is, only differences count: here of products that doubles do not hold. */
static void a_projection_from_far_away(void **state)
{
  (void)state;
  ofw_domain *K = domain_of("diamond:lower=(-3,-0.1),upper=(3,0.1)");
  double x[2];
  assert_int_equal(ofw_domain_project(K, (double[]){1e15, 3e16}, x, NULL), OFW_OK); /* 3e15 and 3e15 + 0.17 */
  long double h0 = 3.0L, h1 = 0.1, low = 1e15L * h0 - 3e16L * h1, weights = 1 / (h0 * h0) + 1 / (h1 * h1);
  long double t = (low / (h0 * h0) - 1) / weights;
  t = low > t ? t : -h1 * h1;
  assert_near(x[0], fmaxl(0.0L, (low - t) / h0), 1e-15L);
  assert_near(x[1], -t / h1, 1e-16L);
  ofw_domain_free(K);
}

static void where_play_starts(void **state)
{
  (void)state;
  static const char *const spec[] = {"diamond:dim=2,lower=-1,upper=1", "diamond:dim=2,lower=-1,upper=2",
                                     "diamond:dim=2,lower=-0.25,upper=2", "diamond:lower=(-1,1),upper=(1,2)"};
  for (int i = 0; i < 4; i++) {
    ofw_domain *K = domain_of(spec[i]);
    assert_int_equal(K->from_centre, i >= 2);
    ofw_domain_free(K);
  }
}

static void excess_is_a_distance_to_a_face(void **state)
{
  (void)state;
  ofw_domain *K = domain_of("diamond:lower=(-2,1),upper=(4,9)"); /* c = (1, 5), h = (3, 4), r = 12/5 */
  assert_true(ofw_domain_excess(K, (double[]){1.0, 5.0}) == 0.0);
  assert_true(ofw_domain_excess(K, (double[]){-2.0, 5.0}) == 0.0);
  assert_near(ofw_domain_excess(K, (double[]){4.0, 9.0}), 2.4L, 1e-15L);
  assert_true(ofw_domain_excess(K, (double[]){1e308, -1e308}) > 1e307);
  ofw_domain_free(K);
}

static void bad_specs(void **state)
{
  (void)state;
  static const char *const bounded = "is required (a number for all coordinates, (a,b,..), or @FILE with one per line)";
  char words[TEXT];
  say(words, ": lower %s", bounded);
  misused("diamond", "", words);
  say(words, ": upper %s", bounded);
  misused("diamond", ":dim=2,lower=0", words);
  misused("diamond", ":lower=0,upper=1", ": dim is required because neither bound is a list");
  misused("diamond", ":dim=2,lower=0,upper=0",
          ": coordinate 1: expected a lower bound below the upper bound, found 0 and 0");
  misused("diamond", ":lower=(0,2),upper=(1,1)",
          ": coordinate 2: expected a lower bound below the upper bound, found 2 and 1");
  misused("diamond", ":dim=2,lower=-2e100,upper=1", ": coordinate 1 has a bound larger than 1e+100");
  misused("diamond", ":dim=2,lower=0,upper=2e100", ": coordinate 1 has a bound larger than 1e+100");
  misused("diamond", ":lower=(-1,0),upper=(1,1e-101)", ": coordinate 2 has bounds closer than twice 1e-100");
  misused("diamond", ":lower=0,upper=(1e60,1e-60)",
          ": the widths range from 1e-60 to 1e+60; the largest may be at most 1e+100 times the smallest");
  misused("diamond", ":dim=2,lower=zero,upper=1", ": lower=zero: expected a finite number, (a,b,..) or @FILE");
  misused("diamond", ":lower=0,width=1", ": no option 'width'; its options: dim, lower, upper");
  refused("diamond:lower=(1,2),upper=(3,4,5)", OFW_BAD_DATA, "diamond: upper has 3 numbers, but the dimension is 2");
  refused("diamond:lower=0,upper=@/no/such/file", OFW_BAD_DATA,
          "diamond: cannot read /no/such/file: No such file or directory");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_best_vertex),
      cmocka_unit_test(a_linear_program),
      cmocka_unit_test(ties),
      cmocka_unit_test(the_ends_of_the_range),
      cmocka_unit_test(an_atom_has_few_numbers),
      cmocka_unit_test(radii_and_centre),
      cmocka_unit_test(the_projection),
      cmocka_unit_test(a_projection_from_far_away),
      cmocka_unit_test(where_play_starts),
      cmocka_unit_test(excess_is_a_distance_to_a_face),
      cmocka_unit_test(bad_specs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
