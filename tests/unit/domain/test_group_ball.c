#include "unit/domain/list_check.h"

typedef struct groups {
  size_t count, size[MOST_DIM];
  double radius;
} groups;

static ofw_domain *random_ball(chance *c, size_t count, groups *s)
{
  char spec[LIST_TEXT + TEXT] = "group-ball:radius=1.25";
  double size[MOST_DIM];
  *s = (groups){.count = count, .radius = 1.25};
  for (size_t g = 0; g < count; g++) {
    s->size[g] = 1 + chance_below(c, 5);
    size[g] = (double)s->size[g];
  }
  add_list(spec, ",groups=", count, size);
  return domain_of(spec);
}

/* -a times the longest group */
static long double least_group(size_t n, const double *d, const void *set)
{
  const groups *s = set;
  long double most = 0.0L;
  size_t at = 0;
  for (size_t g = 0; g < s->count; at += s->size[g++])
    most = fmaxl(most, slow_norm(s->size[g], d + at));
  assert_int_equal(at, n);
  return -s->radius * most;
}

static void the_longest_group(void **state)
{
  (void)state;
  static const size_t counts[] = {1, 2, 3, 5, 12};
  chance c = {21};
  groups s;
  for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
    for (int t = 0; t < 4; t++) {
      ofw_domain *K = random_ball(&c, counts[k], &s);
      is_least(K, 500, least_group, &s);
      ofw_domain_free(K);
    }
}

/* Random points of the ball, not made by the oracle, are no better. */
static void no_point_of_the_ball_is_better(void **state)
{
  (void)state;
  chance c = {22};
  ofw_domain *K = domain_of("group-ball:groups=(3,1,2,4),radius=1.25");
  static const size_t size[] = {3, 1, 2, 4};
  double d[10], v[10], y[10];
  for (int t = 0; t < 4000; t++) {
    long double total = 0.0L;
    random_direction(&c, 10, d);
    long double got = ask(K, d, v);
    chance_normals(&c, 10, y);
    for (size_t g = 0, at = 0; g < 4; at += size[g++])
      total += slow_norm(size[g], y + at);
    for (size_t i = 0; i < 10; i++)
      y[i] *= 1.25 / (double)total;
    assert_at_most(ofw_domain_excess(K, y), 1e-15L);
    assert_at_most(got, slow_dot(10, d, y) + 1e-13L * slow_norm(10, d));
  }
  ofw_domain_free(K);
}

/* v itself: opposite to d on the first of the longest groups. */
static void the_atom(void **state)
{
  (void)state;
  chance c = {23};
  ofw_domain *K = domain_of("group-ball:dim=8,size=2,radius=5");
  double d[8], v[8];
  for (int t = 0; t < 4000; t++) {
    size_t first = 0;
    random_direction(&c, 8, d);
    for (size_t g = 1; g < 4; g++)
      if (slow_norm(2, d + 2 * g) > slow_norm(2, d + 2 * first))
        first = g;
    long double length = slow_norm(2, d + 2 * first);
    ask(K, d, v);
    for (size_t i = 0; i < 8; i++)
      assert_near(v[i], i / 2 == first && length > 0.0L ? -5.0L * d[i] / length : 0.0L, 1e-14L);
  }
  ofw_domain_free(K);
}

static void the_ends_of_the_range(void **state)
{
  (void)state;
  ofw_domain *K = domain_of("group-ball:groups=2,size=2");
  double v[4], least = 0x1p-1074, most = 0x1.fffffffffffffp1023;
  ask(K, (double[]){least, 0.0, least, -least}, v); /* lengths 1 and sqrt(2) of the least number */
  assert_true(v[0] == 0.0 && v[1] == 0.0);
  assert_near(v[2], -sqrtl(0.5L), 1e-15L);
  assert_near(v[3], sqrtl(0.5L), 1e-15L);
  ask(K, (double[]){most, 0.0, -most, most}, v);
  assert_true(v[0] == 0.0 && v[1] == 0.0);
  assert_near(v[2], sqrtl(0.5L), 1e-15L);
  ask(K, (double[]){0.0, 0.0, 0.0, 0.0}, v);
  assert_true(v[0] == 0.0 && v[1] == 0.0 && v[2] == 0.0 && v[3] == 0.0);
  ofw_domain_free(K);
}

/* A group alone is farthest; groups of equal length are nearest. */
static void radii_and_centre(void **state)
{
  (void)state;
  chance c = {24};
  groups s;
  for (size_t count = 1; count <= 12; count++) {
    ofw_domain *K = random_ball(&c, count, &s);
    double far[MOST_DIM] = {0}, tight[MOST_DIM] = {0};
    far[0] = -1.25;
    for (size_t g = 0, at = 0; g < count; at += s.size[g++])
      tight[at + s.size[g] - 1] = 1.0 / sqrt((double)count);
    has_radii(K, 1.25, 1.25 / sqrt((double)count), far, tight, NULL);
    assert_null(K->centre);
    ofw_domain_free(K);
  }
}

/* |x_g| less t, found by halving an interval */
static void the_projection(void **state)
{
  (void)state;
  chance c = {25};
  groups s;
  for (int set = 0; set < 20; set++) {
    ofw_domain *K = random_ball(&c, 1 + (size_t)set % 7, &s);
    size_t n = ofw_domain_dim(K);
    double y[MOST_DIM], x[MOST_DIM];
    for (int t = 0; t < 200; t++) {
      long double low = 0.0L, high = 100.0L;
      for (size_t i = 0; i < n; i++)
        y[i] = t % 2 ? chance_normal(&c) : (double)chance_below(&c, 5) - 2.0;
      for (int half = 0; half < 100; half++) {
        long double total = 0.0L, middle = (low + high) / 2;
        for (size_t g = 0, at = 0; g < s.count; at += s.size[g++])
          total += fmaxl(0.0L, slow_norm(s.size[g], y + at) - middle);
        *(total > s.radius ? &low : &high) = middle;
      }
      assert_int_equal(ofw_domain_project(K, y, x, NULL), OFW_OK);
      for (size_t g = 0, at = 0; g < s.count; at += s.size[g++])
        for (size_t i = at; i < at + s.size[g]; i++) {
          long double length = slow_norm(s.size[g], y + at);
          assert_near(x[i], length > high ? y[i] * (1.0L - high / length) : 0.0L, 1e-14L);
        }
    }
    ofw_domain_free(K);
  }
}

static void excess_is_the_surplus_of_the_lengths(void **state)
{
  (void)state;
  ofw_domain *K = domain_of("group-ball:groups=(2,1,2),radius=8");
  assert_true(ofw_domain_excess(K, (double[]){3.0, -4.0, -3.0, 0.0, 0.0}) == 0.0);
  assert_true(ofw_domain_excess(K, (double[]){3.0, -4.0, -3.0, 4.0, 3.0}) == 5.0);
  ofw_domain_free(K);
}

/* All ways to say the same. */
static void ways_to_say_it(void **state)
{
  (void)state;
  static const char *const specs[] = {
      "group-ball:groups=3,size=2",       "group-ball:dim=6,groups=3", "group-ball:dim=6,size=2",
      "group-ball:dim=6,groups=3,size=2", "group-ball:groups=(2,2,2)", "group-ball:dim=6,groups=(2,2,2)",
  };
  chance c = {26};
  double d[6], v[6], w[6];
  ofw_domain *first = domain_of(specs[0]);
  for (size_t k = 1; k < sizeof specs / sizeof *specs; k++) {
    ofw_domain *K = domain_of(specs[k]);
    assert_int_equal(ofw_domain_dim(K), 6);
    assert_true(K->r == first->r);
    for (int t = 0; t < 50; t++) {
      random_direction(&c, 6, d);
      ask(first, d, v);
      ask(K, d, w);
      assert_memory_equal(v, w, sizeof v);
    }
    ofw_domain_free(K);
  }
  ofw_domain_free(first);
}

static void bad_specs(void **state)
{
  (void)state;
  static const char *const required = ": groups is required unless dim and size are both given";
  misused("group-ball", "", required);
  misused("group-ball", ":dim=6", required);
  misused("group-ball", ":size=6", required);
  misused("group-ball", ":groups=3", ": dim or size is required when groups is a number");
  misused("group-ball", ":groups=0,dim=6,size=2", ": groups=0 is not a whole number in [1, 1e+12]");
  misused("group-ball", ":groups=1.5,size=2", ": groups=1.5 is not a whole number in [1, 1e+12]");
  misused("group-ball", ":groups=1e13,size=2", ": groups=1e+13 is not a whole number in [1, 1e+12]");
  misused("group-ball", ":groups=4,dim=6", ": 4 groups of size 1 do not make dim=6");
  misused("group-ball", ":groups=7,dim=6", ": 7 groups of size 0 do not make dim=6");
  misused("group-ball", ":size=4,dim=6", ": 1 groups of size 4 do not make dim=6");
  misused("group-ball", ":size=7,dim=6", ": 0 groups of size 7 do not make dim=6");
  misused("group-ball", ":groups=1e7,size=1e6", ": 10000000 groups of 1000000 are more than 1e+12 coordinates");
  misused("group-ball", ":groups=(2,2),dim=5", ": the groups have 4 coordinates, but dim is 5");
  misused("group-ball", ":groups=(2,2),size=2", ": size needs groups to be a number, found a list; leave size out");
  static const char *const size = "expected a whole number >= 1, and at most 1e+12 coordinates in all";
  char words[TEXT];
  say(words, ": group 2 has size 0; %s", size);
  misused("group-ball", ":groups=(2,0)", words);
  say(words, ": group 1 has size 2.5; %s", size);
  misused("group-ball", ":groups=(2.5)", words);
  say(words, ": group 2 has size 1e+12; %s", size);
  misused("group-ball", ":groups=(1,1e12)", words);
  misused("group-ball", ":groups=x", ": groups=x: expected a finite number, (a,b,..) or @FILE");
  misused("group-ball", ":groups=2,size=2,radius=-1", ": radius=-1 is not in [1e-100, 1e+100]");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_longest_group),
      cmocka_unit_test(no_point_of_the_ball_is_better),
      cmocka_unit_test(the_atom),
      cmocka_unit_test(the_ends_of_the_range),
      cmocka_unit_test(radii_and_centre),
      cmocka_unit_test(the_projection),
      cmocka_unit_test(excess_is_the_surplus_of_the_lengths),
      cmocka_unit_test(ways_to_say_it),
      cmocka_unit_test(bad_specs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
