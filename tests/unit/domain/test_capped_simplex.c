#include "unit/domain/capped_check.h"

/* Random caps and a sum that they allow, as a spec. */
static ofw_domain *random_set(chance *c, size_t n, capped_set *s)
{
  char list[TEXT] = "", spec[2 * TEXT];
  double total = 0.0;
  *s = (capped_set){0};
  for (size_t i = 0; i < n; i++) {
    s->cap[i] = (double)(1 + chance_below(c, 40)) / 8.0;
    total += s->cap[i];
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%g", i ? "," : "", s->cap[i]);
  }
  s->sum = total * (double)(1 + chance_below(c, 15)) / 16.0;
  snprintf(spec, sizeof spec, "capped-simplex:caps=(%s),sum=%.17g", list, s->sum);
  ofw_domain *K = domain_of(spec);
  assert_int_equal(ofw_domain_dim(K), n);
  return K;
}

static void the_best_vertex(void **state)
{
  (void)state;
  chance c = {3};
  for (size_t n = 1; n <= 7; n++)
    for (int t = 0; t < 8; t++) {
      capped_set s;
      ofw_domain *K = random_set(&c, n, &s);
      is_least(K, 200, least_vertex, &s);
      ofw_domain_free(K);
    }
}

static void the_best_of_many_vertices(void **state)
{
  (void)state;
  chance c = {4};
  for (int t = 0; t < 8; t++) {
    capped_set s;
    ofw_domain *K = random_set(&c, 40, &s);
    agrees_with_clp(K, &s, 150);
    fills_in_order(K, &s, 300);
    projects_by_bisection(K, &s, 200);
    ofw_domain_free(K);
  }
}

/* More coordinates than a sparse atom has: by sorting. */
static void many_coordinates(void **state)
{
  (void)state;
  enum { N = 2000 };
  ofw_domain *K = domain_in("capped-simplex", N, ",caps=0.3,sum=100");
  chance c = {5};
  double *d = room_for(N), *v = room_for(N);
  for (int t = 0; t < 20; t++) {
    chance_normals(&c, N, d);
    long double got = ask(K, d, v), want = 0.0L, left = 100.0L;
    for (size_t i = 0; i < N; i++) {
      size_t before = 0;
      for (size_t j = 0; j < N; j++)
        before += d[j] < d[i];
      want += before < 333 ? 0.3L * d[i] : before == 333 ? (left - 333 * 0.3L) * d[i] : 0.0L;
    }
    assert_near(got, want, 1e-11L);
  }
  free(d);
  free(v);
  ofw_domain_free(K);
}

/* R is reached by a point of the set, by brute force over all vertices; r by a ball that touches, and no ball about any
 * other point is larger: t is at most what the caps and the sum leave to each coordinate. */
static void radii_and_centre(void **state)
{
  (void)state;
  chance c = {6};
  for (size_t n = 2; n <= 7; n++)
    for (int t = 0; t < 30; t++) {
      capped_set s;
      ofw_domain *K = random_set(&c, n, &s);
      double total = 0.0, narrow = INFINITY, m = (double)n, far[MOST_DIM] = {0}, tight[MOST_DIM], centre[MOST_DIM];
      double R2 = 0.0;
      size_t least = 0;
      for (uint64_t full = 0; full < UINT64_C(1) << n; full++)
        for (size_t j = 0; j < n; j++) {
          double x[MOST_DIM] = {0}, rest = s.sum, square = 0.0;
          for (size_t i = 0; i < n; i++)
            rest -= x[i] = full >> i & 1 && i != j ? s.cap[i] : 0.0;
          x[j] = rest;
          for (size_t i = 0; i < n; i++)
            square += x[i] * x[i];
          if (rest >= 0.0 && rest <= s.cap[j] && square > R2) {
            R2 = square;
            memcpy(far, x, sizeof far);
          }
        }
      ofw_domain_centre(K, centre);
      for (size_t i = 0; i < n; i++) {
        total += s.cap[i];
        narrow = fmin(narrow, s.cap[i] / 2.0);
        if (fmin(centre[i], s.cap[i] - centre[i]) < fmin(centre[least], s.cap[least] - centre[least]))
          least = i;
      }
      double room = fmin(narrow, fmin(s.sum, total - s.sum) / m);
      along_in_hull(n, least, centre[least] < s.cap[least] / 2.0 ? -1.0 : 1.0, tight);
      assert_near(K->R, sqrt(R2), 1e-14L * sqrt(R2));
      has_radii(K, K->R, room / sqrt(1.0 - 1.0 / m), far, tight, into_hull_of_sum);
      assert_true(K->from_centre == 1 && K->normals == 1);
      ofw_domain_free(K);
    }
}

/* Equal caps: the hypersimplex; caps that do not bind: the simplex. */
static void between_two_other_sets(void **state)
{
  (void)state;
  ofw_domain *pair[2][2] = {
      {domain_in("capped-simplex", 6, ",caps=2,sum=8"), domain_in("hypersimplex", 6, ",k=4,radius=2")},
      {domain_in("capped-simplex", 6, ",caps=9,sum=2"), domain_in("simplex", 6, ",sum=2")}};
  chance c = {4};
  double d[6], v[6], w[6];
  for (size_t k = 0; k < 2; k++) {
    assert_near(pair[k][0]->R, pair[k][1]->R, 1e-15L * 4);
    assert_near(pair[k][0]->r, pair[k][1]->r, 1e-15L);
    for (int t = 0; t < 500; t++) {
      chance_normals(&c, 6, d);
      ask(pair[k][0], d, v);
      ask(pair[k][1], d, w);
      assert_memory_equal(v, w, sizeof v);
      assert_int_equal(ofw_domain_project(pair[k][0], d, v, NULL), OFW_OK);
      assert_int_equal(ofw_domain_project(pair[k][1], d, w, NULL), OFW_OK);
      for (size_t i = 0; i < 6; i++)
        assert_near(v[i], w[i], 1e-14L);
    }
    ofw_domain_free(pair[k][0]);
    ofw_domain_free(pair[k][1]);
  }
}

/* The sum is that of the caps, up to the rounding of decimals. */
static void a_single_point(void **state)
{
  (void)state;
  ofw_domain *K = domain_of("capped-simplex:caps=(0.1,0.7,0.2),sum=1");
  double v[3], cap[3] = {0.1, 0.7, 0.2};
  assert_true(K->r == 0.0);
  for (int t = 0; t < 3; t++) {
    if (t == 0)
      ask(K, (double[]){1.0, -5.0, 0.0}, v);
    else if (t == 1)
      ofw_domain_centre(K, v);
    else
      assert_int_equal(ofw_domain_project(K, (double[]){9.0, -9.0, 1e300}, v, NULL), OFW_OK);
    for (size_t i = 0; i < 3; i++)
      assert_near(v[i], cap[i], 1e-15L);
  }
  ofw_domain_free(K);
}

static void bad_specs(void **state)
{
  (void)state;
  static const char *const name = "capped-simplex";
  misused(name, "",
          ": caps is required (the caps u_i: a number for all coordinates, (a,b,..), or @FILE with one per line)");
  misused(name, ":caps=1", ": dim is required because caps is not a list");
  misused(name, ":caps=(1,0,2)", ": cap 2 is 0, which is not in [1e-100, 1e+100]");
  misused(name, ":caps=(1,2,-1)", ": cap 3 is -1, which is not in [1e-100, 1e+100]");
  misused(name, ":caps=(2e100,1)", ": cap 1 is 2e+100, which is not in [1e-100, 1e+100]");
  misused(name, ":caps=(1,2),sum=3.5", ": sum=3.5 is more than the caps allow, 3");
  misused(name, ":caps=(1,2),sum=0", ": sum=0 is not in [1e-100, 1e+100]");
  misused(name, ":caps=one,dim=2", ": caps=one: expected a finite number, (a,b,..) or @FILE");
  misused(name, ":caps=(1,nan)", ": line 1: 'nan' is not a finite number");
  misused(name, ":caps=()", ": expected numbers in caps, found none");
  misused(name, ":caps=1,dim=0", ": dim=0 is not in [1, 1e+12]");
  misused(name, ":caps=1,k=1", ": no option 'k'; its options: dim, caps, sum");
  refused("capped-simplex:caps=(1,2),dim=3", OFW_BAD_DATA,
          "capped-simplex: caps has 2 numbers, but the dimension is 3");
  refused("capped-simplex:caps=@/no/such/file", OFW_BAD_DATA,
          "capped-simplex: cannot read /no/such/file: No such file or directory");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_best_vertex),
      cmocka_unit_test(the_best_of_many_vertices),
      cmocka_unit_test(many_coordinates),
      cmocka_unit_test(radii_and_centre),
      cmocka_unit_test(between_two_other_sets),
      cmocka_unit_test(a_single_point),
      cmocka_unit_test(bad_specs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
