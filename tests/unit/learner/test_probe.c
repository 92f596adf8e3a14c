/* The probe: on the sphere of radius delta in K's affine hull, uniform, and unbiased as an estimator of gradients. */
#include "learner/probe.h"

#include "linalg/kernels.h"
#include "property/everything.h"
#include "vector/vec_arithmetic.h"

#include <math.h>
#include <stdlib.h>

static ofw_learner *open_bandit(const char *domain, uint64_t horizon)
{
  setting s = {"bfw-tvc", "", domain, 0};
  ofw_constants c = {.lipschitz = 1.0, .loss_bound = 1.0};
  ofw_domain *K = make_domain(domain);
  ofw_learner *l = make_learner(&s, K, horizon, &c, 0, NULL);
  ofw_domain_free(K);
  return l;
}

/* delta u of round t, as numbers */
static void probe(ofw_learner *l, uint64_t t, double *out)
{
  ofw_probe_make(l, t);
  ofw_sum_dense(l->point.probe, l->engine->dim, out);
}

static void test_length_and_hull(void **unused)
{
  (void)unused;
  static const char *const domains[] = {"l2-ball:dim=1", "l2-ball:dim=7", "box:dim=1300,lower=0,upper=1",
                                        "simplex:dim=2,sum=3", "simplex:dim=9,sum=0.5"};
  for (size_t k = 0; k < sizeof domains / sizeof *domains; k++) {
    ofw_learner *l = open_bandit(domains[k], 1000);
    size_t n = l->engine->dim;
    double *u = calloc(n, sizeof *u), most = 0.0;
    assert_non_null(u);
    for (uint64_t t = 1; t <= 3000; t++) {
      double sum = 0.0;
      probe(l, t, u);
      for (size_t i = 0; i < n; i++)
        sum += u[i];
      if (l->normals)
        most = fmax(most, fabs(sum) / l->delta);
      most = fmax(most, fabs(ofw_norm(n, u) / l->delta - 1.0));
    }
    if (!(most < 1e-12))
      fail_msg("%s: off by %g", domains[k], most);
    free(u);
    ofw_learner_free(l);
  }
}

/* First and second moments of u over many rounds: 0 and 1/n; neighbours in time are independent. */
static void test_uniform(void **unused)
{
  (void)unused;
  enum { N = 4, DRAWS = 200000 };
  ofw_learner *l = open_bandit("l2-ball:dim=4", 1000);
  double mean[N] = {0}, second[N][N] = {{0}}, lagged = 0.0, u[N], before[N] = {0};
  for (uint64_t t = 1; t <= DRAWS; t++) {
    probe(l, t, u);
    for (size_t i = 0; i < N; i++) {
      u[i] /= l->delta;
      mean[i] += u[i] / DRAWS;
    }
    for (size_t i = 0; i < N; i++)
      for (size_t j = 0; j < N; j++)
        second[i][j] += u[i] * u[j] / DRAWS;
    lagged += ofw_dot(N, u, before) / DRAWS;
    for (size_t i = 0; i < N; i++)
      before[i] = u[i];
  }
  double error = 5.0 / sqrt(N * DRAWS); /* five standard errors */
  for (size_t i = 0; i < N; i++) {
    assert_true(fabs(mean[i]) < error);
    for (size_t j = 0; j < N; j++)
      assert_true(fabs(second[i][j] - (i == j ? 1.0 / N : 0.0)) < error);
  }
  assert_true(fabs(lagged) < error);
  ofw_learner_free(l);
}

/* E[(n/delta) f(y + delta u) u] is the gradient of f smoothed: for linear and quadratic f that of f itself, in the
 * hull. 10^6 draws, five standard errors. */
static void check_estimator(const char *domain, int quadratic)
{
  enum { MOST = 6, DRAWS = 1000000 };
  ofw_learner *l = open_bandit(domain, 1000);
  size_t dim = l->engine->dim;
  double a[MOST] = {0.5, -1.0, 0.25, 2.0, 0.0, -0.75}, y[MOST] = {0.1, 0.3, -0.2, 0.0, 0.15, 0.05};
  double u[MOST], mean[MOST] = {0}, square[MOST] = {0}, truth[MOST], normal = 0.0;
  for (uint64_t t = 1; t <= DRAWS; t++) {
    double f = 0.0;
    probe(l, t, u);
    for (size_t i = 0; i < dim; i++) {
      double x = y[i] + u[i];
      f += quadratic ? (x - a[i]) * (x - a[i]) / 2.0 : a[i] * x;
    }
    for (size_t i = 0; i < dim; i++) {
      double h = l->n / l->delta * f * u[i] / l->delta;
      mean[i] += h / DRAWS;
      square[i] += h * h / DRAWS;
    }
  }
  for (size_t i = 0; i < dim; i++) {
    truth[i] = quadratic ? y[i] - a[i] : a[i];
    normal += truth[i] / (double)dim;
  }
  for (size_t i = 0; i < dim; i++) {
    double error = sqrt((square[i] - mean[i] * mean[i]) / DRAWS), expected = truth[i] - (l->normals ? normal : 0.0);
    if (!(fabs(mean[i] - expected) < 5.0 * error))
      fail_msg("%s, coordinate %d: %g, not %g within %g", domain, (int)i, mean[i], expected, 5.0 * error);
  }
  ofw_learner_free(l);
}

static void test_estimator_is_unbiased(void **unused)
{
  (void)unused;
  check_estimator("l2-ball:dim=5", 0);
  check_estimator("l2-ball:dim=5", 1);
  check_estimator("simplex:dim=6,sum=2", 0);
  check_estimator("simplex:dim=6,sum=2", 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_length_and_hull),
      cmocka_unit_test(test_uniform),
      cmocka_unit_test(test_estimator_is_unbiased),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
