/* The sampled vertex: always one of the domain's, and its mean over many seeds is the decision, also of learners that take
 * several steps at a time or none for a while. */
#include "property/everything.h"

#include <math.h>

enum { DIM = 4, ROUNDS = 12, SEEDS = 20000 };

static const char *const samplers[][3] = {{"ofw-tvc", "sigma=line-search", "step=20"},
                                          {"opdp", "sigma=line-search", "step=40"},
                                          {"lpm", "eps=0.02", "step=20"},
                                          {"scofw", "constraints=max", "oracle-tolerance=1e-9"}};

static ofw_learner *open_sampler(size_t k, const ofw_domain *K, uint64_t seed, const char *sample)
{
  const char *set[] = {samplers[k][1], samplers[k][2], sample};
  ofw_learner_settings s = {.size = sizeof s,
                            .horizon = ROUNDS,
                            .lipschitz = 1.0,
                            .strong_convexity = 0.5,
                            .seed = seed,
                            .options = 3,
                            .option = set};
  return ofw_learner_create_over(samplers[k][0], K, &s, NULL);
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

static void mean_is_the_decision(size_t k)
{
  ofw_domain *K = make_domain("simplex:dim=4,sum=2");
  double mean[DIM] = {0}, x[DIM], z[DIM];
  size_t vertices = 0;
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    ofw_learner *l = open_sampler(k, K, seed, "sample=yes");
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
      fail_msg("%s, coordinate %d: mean %g, decision %g, more than %g apart", samplers[k][0], i, mean[i], x[i], error);
  }
  ofw_domain_free(K);
}

static void test_mean_is_the_decision(void **unused)
{
  (void)unused;
  for (size_t k = 0; k < sizeof samplers / sizeof *samplers; k++)
    mean_is_the_decision(k);
}

/* ---- on every registered set ---- */

enum { WALK_ROUNDS = 6, WALK_SEEDS = 3000, MOST_DIM = 64 };

/* Plays a learner by line search; its last decision, and the sampled point. */
static void play_on(const ofw_domain *K, uint64_t seed, double *x, double *z)
{
  const char *set[] = {"sigma=line-search", "step=20", "sample=yes"};
  ofw_learner_settings s = {
      .size = sizeof s, .horizon = WALK_ROUNDS, .lipschitz = 1.0, .seed = seed, .options = 3, .option = set};
  ofw_learner *l = ofw_learner_create_over("ofw-tvc", K, &s, NULL);
  size_t n = ofw_domain_dim(K);
  const ofw_point *p;
  double f[MOST_DIM];
  assert_non_null(l);
  for (int t = 1; t <= WALK_ROUNDS; t++) {
    for (size_t i = 0; i < n; i++)
      f[i] = sin(1.0 + 3.0 * t * (double)(i + 1)) / sqrt((double)n);
    ofw_vec v = ofw_vec_dense(n, f);
    assert_int_equal(ofw_learner_decide(l, &p), OFW_OK);
    assert_int_equal(ofw_learner_observe(l, &(ofw_full){{0.0, 0, NULL}, {1, &v}, NULL}), OFW_OK);
  }
  assert_int_equal(ofw_learner_decide(l, &p), OFW_OK);
  assert_int_equal(ofw_point_dense(p, x), OFW_OK);
  assert_int_equal(ofw_learner_sample(l, z), OFW_OK);
  ofw_learner_free(l);
}

/* The mean over the seeds is the decision, coordinate by coordinate, to five standard errors of what was drawn and ten
 * draws, since what is rare may not have been seen. Only the
 * draws differ between the seeds, but for iterative oracles, whose answers then differ in their last digits. */
static void mean_on(const char *spec)
{
  ofw_domain *K = make_domain(spec);
  size_t n = ofw_domain_dim(K);
  double mean[MOST_DIM] = {0}, square[MOST_DIM] = {0}, x[MOST_DIM], z[MOST_DIM], R = K->R;
  for (uint64_t seed = 1; seed <= WALK_SEEDS; seed++) {
    play_on(K, seed, x, z);
    assert_true(ofw_domain_excess(K, z) <= 1e-12 * R);
    for (size_t i = 0; i < n; i++) {
      mean[i] += z[i] / WALK_SEEDS;
      square[i] += z[i] * z[i] / WALK_SEEDS;
    }
  }
  for (size_t i = 0; i < n; i++) {
    double error = 5.0 * sqrt(fmax(0.0, square[i] - mean[i] * mean[i]) / WALK_SEEDS) + 10.0 * R / WALK_SEEDS;
    if (!(fabs(mean[i] - x[i]) < error))
      fail_msg("%s, coordinate %zu: mean %g, decision %g, more than %g apart", spec, i + 1, mean[i], x[i], error);
  }
  ofw_domain_free(K);
}

static void test_mean_on_every_domain(void **unused)
{
  (void)unused;
  for (size_t i = 0; i < ofw_domain_types(); i++)
    mean_on(ofw_domain_type(i)->example);
}

static void test_none_is_kept_unasked(void **unused)
{
  (void)unused;
  ofw_domain *K = make_domain("simplex:dim=4,sum=2");
  ofw_learner *l = open_sampler(0, K, 1, "sample=no");
  double z[DIM];
  assert_int_equal(ofw_learner_sample(l, z), OFW_UNSUPPORTED);
  assert_string_equal(ofw_learner_error(l), "ofw-tvc keeps no vertex to sample; set sample=yes");
  ofw_learner_free(l);
  ofw_domain_free(K);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_mean_is_the_decision),
      cmocka_unit_test(test_mean_on_every_domain),
      cmocka_unit_test(test_none_is_kept_unasked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
