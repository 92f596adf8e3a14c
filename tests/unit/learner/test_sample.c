/* The sampled vertex: always one of the domain's, and its mean over many seeds is the decision. */
#include "property/everything.h"

#include <math.h>

enum { DIM = 4, ROUNDS = 12, SEEDS = 20000 };

static ofw_learner *open_sampler(const ofw_domain *K, uint64_t seed, const char *sample)
{
  const char *set[] = {"sigma=line-search", "step=20", sample};
  ofw_learner_settings s = {.size = sizeof s, .horizon = ROUNDS, .lipschitz = 1.0, .seed = seed, .sets = 3, .set = set};
  return ofw_learner_create("ofw-tvc", K, &s, NULL);
}

static void play(ofw_learner *l, int t, double *x)
{
  const ofw_point *p;
  double f[DIM];
  for (int i = 0; i < DIM; i++)
    f[i] = 0.5 * sin(1.0 + t * (i + 1));
  ofw_vec v = ofw_vec_dense(DIM, f);
  ofw_full fb = {{0.0, 0, NULL}, {1, &v}, NULL};
  assert_int_equal(ofw_learner_decide(l, &p), OFW_OK);
  assert_int_equal(ofw_learner_observe(l, &fb), OFW_OK);
  assert_int_equal(ofw_learner_decide(l, &p), OFW_OK);
  assert_int_equal(ofw_point_dense(p, x), OFW_OK);
}

static void test_mean_is_the_decision(void **unused)
{
  (void)unused;
  ofw_domain *K = make_domain("simplex:dim=4,sum=2");
  double mean[DIM] = {0}, x[DIM], z[DIM];
  size_t vertices = 0;
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    ofw_learner *l = open_sampler(K, seed, "sample=yes");
    for (int t = 1; t <= ROUNDS; t++)
      play(l, t, x);
    assert_int_equal(ofw_learner_sample(l, z), OFW_OK);
    int ones = 0;
    for (int i = 0; i < DIM; i++) {
      mean[i] += z[i] / SEEDS;
      ones += z[i] == 2.0;
      assert_true(z[i] == 2.0 || z[i] == 0.0 || z[i] == 0.5); /* 1/2: the first decision, not replaced yet */
    }
    vertices += ones == 1;
    ofw_learner_free(l);
  }
  assert_true(vertices > SEEDS / 2);
  for (int i = 0; i < DIM; i++) {
    double error = 5.0 * sqrt(2.0 * x[i] / SEEDS); /* five standard errors: z_i is 2 with probability about x_i/2 */
    if (!(fabs(mean[i] - x[i]) < error))
      fail_msg("coordinate %d: mean %g, decision %g, more than %g apart", i, mean[i], x[i], error);
  }
  ofw_domain_free(K);
}

static void test_none_is_kept_unasked(void **unused)
{
  (void)unused;
  ofw_domain *K = make_domain("simplex:dim=4,sum=2");
  ofw_learner *l = open_sampler(K, 1, "sample=no");
  double z[DIM];
  assert_int_equal(ofw_learner_sample(l, z), OFW_UNSUPPORTED);
  assert_string_equal(ofw_learner_error(l), "ofw-tvc: no vertex is kept; set sample=yes");
  ofw_learner_free(l);
  ofw_domain_free(K);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_mean_is_the_decision),
      cmocka_unit_test(test_none_is_kept_unasked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
