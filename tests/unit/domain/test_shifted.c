#include "unit/domain/oracle_check.h"

#include <unistd.h>

static const double by[6] = {0.5, -3.0, 0.0, 1e3, 0.25, -0.125};
#define BY "by=(0.5,-3,0,1e3,0.25,-0.125)"

static long double least_of_simplex(size_t n, const double *d, const void *set)
{
  (void)set;
  long double least = INFINITY;
  for (size_t i = 0; i < n; i++)
    least = fminl(least, 2.0L * d[i]);
  return least + slow_dot(n, d, by);
}

static long double least_of_l1_ball(size_t n, const double *d, const void *set)
{
  (void)set;
  long double most = 0.0L;
  for (size_t i = 0; i < n; i++)
    most = fmaxl(most, fabsl(d[i]));
  return -2.0L * most + slow_dot(n, d, by);
}

static void the_best_vertex(void **state)
{
  (void)state;
  ofw_domain *simplex = domain_of("shifted:" BY ",of=(simplex:dim=6,sum=2)");
  ofw_domain *ball = domain_of("shifted:" BY ",of=(l1-ball:dim=6,radius=2)");
  is_least(simplex, 10000, least_of_simplex, NULL);
  is_least(ball, 10000, least_of_l1_ball, NULL);
  ofw_domain_free(simplex);
  ofw_domain_free(ball);
}

/* R is exact where K has a point that is farthest both from the origin and along b. */
static void radii_and_centre(void **state)
{
  (void)state;
  double centre[3];
  ofw_domain *box = domain_of("shifted:by=(1,2,0.5),of=(box:dim=3,lower=-1,upper=1)");
  has_radii(box, sqrt(4.0 + 9.0 + 2.25), 1.0, (double[]){2.0, 3.0, 1.5}, (double[]){0.0, -1.0, 0.0}, NULL);
  ofw_domain_centre(box, centre);
  assert_true(centre[0] == 1.0 && centre[1] == 2.0 && centre[2] == 0.5);
  ofw_domain *ball = domain_of("shifted:by=3,of=(l2-ball:dim=1,radius=2)");
  has_radii(ball, 5.0, 2.0, (double[]){5.0}, (double[]){-1.0}, NULL);
  ofw_domain_free(box);
  ofw_domain_free(ball);
}

/* Back to where it was: what cancels must not leave R too small. */
static void there_and_back(void **state)
{
  (void)state;
  static const char *const spec[] = {"shifted:by=-1e3,of=(shifted:by=1e3,of=(l1-ball:dim=4,radius=1e-5))",
                                     "shifted:by=-7,of=(box:dim=3,lower=7,upper=7.001)",
                                     "shifted:by=-0.25,of=(simplex:dim=4)"};
  chance c = {2};
  double d[4], v[4];
  for (size_t k = 0; k < 3; k++) {
    ofw_domain *K = domain_of(spec[k]);
    for (int t = 0; t < 500; t++) {
      random_direction(&c, ofw_domain_dim(K), d);
      assert_int_equal(ofw_domain_minimise(K, d, 1e-9, v, NULL, NULL), OFW_OK);
      assert_at_most(slow_norm(ofw_domain_dim(K), v), K->R);
    }
    ofw_domain_free(K);
  }
}

static void where_play_starts(void **state)
{
  (void)state;
  static const char *const spec[] = {"shifted:by=1,of=(box:dim=2,lower=-1,upper=1)",
                                     "shifted:by=-0.5,of=(simplex:dim=2)",
                                     "shifted:by=0.5,of=(l2-ball:dim=2)",
                                     "shifted:by=1.5,of=(box:dim=2,lower=-1,upper=1)",
                                     "shifted:by=1,of=(simplex:dim=2)",
                                     "shifted:by=1,of=(l2-ball:dim=2)"};
  for (int i = 0; i < 6; i++) {
    ofw_domain *K = domain_of(spec[i]);
    if (i == 1)
      assert_int_equal(K->from_centre, 0); /* the origin is its middle */
    else
      assert_int_equal(K->from_centre, i >= 3);
    ofw_domain_free(K);
  }
}

static void excess_and_projection(void **state)
{
  (void)state;
  ofw_domain *K = domain_of("shifted:by=(2,-1),of=(box:dim=2,lower=0,upper=1)");
  double x[2];
  assert_true(ofw_domain_excess(K, (double[]){2.5, -0.5}) == 0.0);
  assert_true(ofw_domain_excess(K, (double[]){3.5, -0.5}) == 0.5);
  assert_true(ofw_domain_excess(K, (double[]){0.0, 0.0}) == 2.0);
  assert_int_equal(ofw_domain_project(K, (double[]){9.0, -0.3}, x, NULL), OFW_OK);
  assert_true(x[0] == 3.0);
  assert_near(x[1], -0.3, 1e-15L);
  assert_int_equal(ofw_domain_project(K, (double[]){2.7, -0.3}, x, NULL), OFW_OK);
  assert_true(x[0] == 2.7 && x[1] == -0.3);
  ofw_domain_free(K);
}

/* Both files are part of what the set is. */
static void from_files(void **state)
{
  (void)state;
  char path[2][32], spec[TEXT];
  uint32_t content[3];
  for (size_t k = 0; k < 2; k++) {
    strcpy(path[k], "/tmp/ofw_test_shifted_XXXXXX");
    int fd = mkstemp(path[k]);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "1\n2\n", 4), 4);
    close(fd);
  }
  for (size_t k = 0; k < 3; k++) {
    say(spec, "shifted:by=%s%s,of=(box:dim=2,lower=0,upper=%s%s)", k == 1 ? "(1,2)" : "@", k == 1 ? "" : path[0],
        k == 2 ? "2" : "@", k == 2 ? "" : path[1]);
    ofw_domain *K = domain_of(spec);
    content[k] = K->content;
    ofw_domain_free(K);
  }
  assert_true(content[0] != 0 && content[1] != 0 && content[2] != 0);
  assert_true(content[0] != content[1] && content[0] != content[2]);
  unlink(path[0]);
  unlink(path[1]);
}

static void bad_specs(void **state)
{
  (void)state;
  misused("shifted", "",
          ": by is required (the vector b: a number for all coordinates, (a,b,..), or @FILE with one per line)");
  misused("shifted", ":by=1", ": of is required (the set K, as (spec))");
  misused("shifted", ":by=x,of=(l1-ball:dim=2)", ": by=x: expected a finite number, (a,b,..) or @FILE");
  misused("shifted", ":by=(1,2e100),of=(l1-ball:dim=2)", ": coordinate 2 is shifted by more than 1e+100");
  misused("shifted", ":by=(1e100,1e100),of=(l1-ball:dim=2)",
          ": its radius 1.41421e+100 about the origin is not in [1e-100, 1e+100]");
  misused("shifted", ":by=1,of=(l1-ball:dim=0)", ": l1-ball: dim=0 is not in [1, 1e+12]");
  refused("shifted:by=(1,2,3),of=(l1-ball:dim=2)", OFW_BAD_DATA, "shifted: by has 3 numbers, but the dimension is 2");
  refused("shifted:by=@/no/such/file,of=(l1-ball:dim=2)", OFW_BAD_DATA,
          "shifted: cannot read /no/such/file: No such file or directory");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_best_vertex),   cmocka_unit_test(radii_and_centre),      cmocka_unit_test(there_and_back),
      cmocka_unit_test(where_play_starts), cmocka_unit_test(excess_and_projection), cmocka_unit_test(from_files),
      cmocka_unit_test(bad_specs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
