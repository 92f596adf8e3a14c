#include "unit/stream/optimal.h"

#include <stdio.h>

enum { T = 600 };

/* u_t for all rounds, row by row, by the gradient at 0, which is -u_t to the last bit where alpha is 1 and there is no
 * noise. */
static double *moving_point(const ofw_domain *K, ofw_stream *s, uint64_t rounds)
{
  size_t n = ofw_domain_dim(K);
  double *u = room(n * rounds);
  held h = hold(K);
  memset(h.x, 0, n * sizeof *h.x);
  for (uint64_t t = 1; t <= rounds; t++) {
    double *at = u + n * (t - 1);
    ofw_sum_dense(reveal(s, t, &h).loss_gradient, n, at);
    for (size_t i = 0; i < n; i++)
      at[i] = -at[i];
  }
  let_go(&h);
  return u;
}

static double distance(size_t n, const double *a, const double *b)
{
  long double square = 0.0L;
  for (size_t i = 0; i < n; i++)
    square += ((long double)a[i] - b[i]) * ((long double)a[i] - b[i]);
  return (double)sqrtl(square);
}

static double path_length(size_t n, const double *u, uint64_t rounds)
{
  double sum = 0.0;
  for (uint64_t t = 1; t < rounds; t++)
    sum += distance(n, u + n * (t - 1), u + n * t);
  return sum;
}

static double told_path_length(const ofw_stream *s)
{
  double said;
  const char *at = strstr(ofw_stream_config(s), " path-length=");
  assert_non_null(at);
  assert_int_equal(sscanf(at, " path-length=%lf", &said), 1);
  return said;
}

/* u_t is in K and is the target; x* is the mean of all; the path is as long as the configuration says, and not 0. */
static void check_paths(const ofw_domain *K, const char *spec)
{
  size_t n = ofw_domain_dim(K);
  double R = K->R, loss, *mean = room(n);
  ofw_stream *s = stream(spec, K, T, 8);
  double *u = moving_point(K, s, T);
  for (uint64_t t = 1; t <= T; t++) {
    const double *at = u + n * (t - 1);
    assert_at_most(ofw_domain_excess(K, at), 1e-14 * R);
    assert_int_equal(ofw_stream_target(s, t, &loss), OFW_OK);
    assert_bits(loss, 0.0);
    for (size_t i = 0; i < n; i++)
      mean[i] += at[i] / T;
  }
  assert_near(distance(n, mean, s->best), 0.0, 1e-13 * R);
  double path = path_length(n, u, T);
  assert_near(told_path_length(s), path, 1e-10 * path);
  assert_true(path > 0.05 * R);
  free(mean), free(u);
  ofw_stream_free(s);
}

/* The half-space of round t holds u_t and x*, and touches one of them in the share of rounds that was asked for. */
static void check_constraints(const ofw_domain *K, const char *spec, double share)
{
  size_t n = ofw_domain_dim(K);
  ofw_stream *s = stream(spec, K, T, 9);
  double *u = moving_point(K, s, T), tight = 0.0;
  held h = hold(K);
  for (uint64_t t = 1; t <= T; t++) {
    memcpy(h.x, u + n * (t - 1), n * sizeof *h.x);
    double at_u = reveal(s, t, &h).values.constraint[0];
    memcpy(h.x, s->best, n * sizeof *h.x);
    double at_fixed = reveal(s, t, &h).values.constraint[0];
    assert_true(at_u <= 0.0 && at_fixed <= 0.0);
    tight += fmax(at_u, at_fixed) == 0.0;
  }
  assert_near(tight / T, share, 4.0 * sqrt(share * (1.0 - share) / T) + 1e-12);
  free(u);
  let_go(&h);
  ofw_stream_free(s);
}

static void test_every_domain(void **state)
{
  (void)state;
  const char *set;
  for (size_t i = 0; (set = some_domain(i)) != NULL; i++) {
    ofw_domain *K = domain(set);
    check_paths(K, "drifting");
    check_paths(K, "drifting:turns=7,stops=4,reach=0.5");
    check_constraints(K, "drifting:tight=0.5", 0.5);
    check_constraints(K, "drifting:stops=3,tight=1", 1.0);
    check_constraints(K, "drifting:tight=0", 0.0);
    ofw_stream *s = stream("drifting:strength=3,spread=0.4", K, T, 4);
    check_slopes(K, s, 60);
    if (i < ofw_domain_types()) /* in one dimension two seeds may well agree */
      check_same_rounds("drifting:spread=0.1", K, 30);
    ofw_stream_free(s);
    ofw_domain_free(K);
  }
}

static void test_comparator_is_best(void **state)
{
  (void)state;
  is_best_everywhere("drifting");
  is_best_everywhere("drifting:turns=5,stops=3,strength=30,spread=2,tight=1");
  is_best_everywhere("drifting:turns=600,tight=0"); /* a whole turn a round: it stands still */
  is_best_everywhere("drifting:reach=0,spread=0.5");
}

/* The dynamic comparator is better than the fixed one, and nothing is better than f_t at its minimiser. */
static void test_target(void **state)
{
  (void)state;
  ofw_domain *K = domain("l1-ball:dim=9,radius=3");
  ofw_stream *s = stream("drifting:spread=0.25,strength=2", K, T, 1);
  double fixed = 0.0, moving = 0.0, loss, noise = 0.25 * 3.0;
  for (uint64_t t = 1; t <= T; t++) {
    assert_int_equal(ofw_stream_comparator(s, t, &loss), OFW_OK);
    fixed += loss;
    assert_int_equal(ofw_stream_target(s, t, &loss), OFW_OK);
    assert_near(loss, 2.0 / 2.0 * noise * noise, 1e-12); /* alpha/2 |n_t|^2 */
    moving += loss;
  }
  assert_true(moving < fixed);
  ofw_stream_free(s);
  ofw_domain_free(K);
}

/* How often u_t differs from u_(t-1), and by how much at most. */
static void moves(const char *spec, int *count, double *most)
{
  ofw_domain *K = domain("l2-ball:dim=7,radius=2");
  ofw_stream *s = stream(spec, K, T, 2);
  double *u = moving_point(K, s, T);
  *count = 0, *most = 0.0;
  for (uint64_t t = 1; t < T; t++) {
    double by = distance(7, u + 7 * (t - 1), u + 7 * t);
    *count += by > 0.0;
    *most = fmax(*most, by);
  }
  free(u);
  ofw_stream_free(s);
  ofw_domain_free(K);
}

static void test_turns_and_stops(void **state)
{
  (void)state;
  int count;
  double most, jump;
  moves("drifting:turns=4,stops=5", &count, &jump);
  assert_int_equal(count, 4 * 5 - 1);
  moves("drifting:stops=2", &count, &most);
  assert_int_equal(count, 1);
  moves("drifting", &count, &most);
  assert_int_equal(count, T - 1);
  assert_true(most < 0.05 && jump > 0.5); /* evenly, and by leaps */
  moves("drifting:stops=1", &count, &most);
  assert_int_equal(count, 0);
  moves("drifting:reach=0", &count, &most);
  assert_int_equal(count, 0);

  ofw_domain *K = domain("l2-ball:dim=7,radius=2");
  ofw_stream *s = stream("drifting:turns=4", K, T, 2);
  double *u = moving_point(K, s, T + 10);
  size_t turn = 7 * (T / 4);
  assert_memory_equal(u, u + turn, turn * sizeof *u);   /* turn after turn the same, */
  assert_memory_equal(u, u + 4 * turn, 70 * sizeof *u); /* beyond the horizon too */
  free(u);
  ofw_stream_free(s);
  ofw_domain_free(K);
}

static void test_finite_differences(void **state)
{
  (void)state;
  check_central_differences("drifting:strength=2,spread=0.5", "linf-ball:dim=5,radius=1.5", T);
}

static void test_constants(void **state)
{
  (void)state;
  ofw_domain *K = domain("l1-ball:dim=9,radius=3");
  ofw_stream *s = stream("drifting:strength=2,spread=0.5,reach=0", K, T, 1);
  const ofw_constants *c = ofw_stream_constants(s);
  assert_near(c->lipschitz, 2 * (2 + 0.5) * 3, 1e-12);
  assert_near(c->loss_bound, 2.0 / 2.0 * 7.5 * 7.5, 1e-12);
  assert_bits(c->strong_convexity, 2.0);
  assert_string_equal(ofw_stream_config(s), "stream=drifting rounds=600 seed=1 turns=1 stops=0 reach=0 strength=2 "
                                            "spread=0.5 tight=0.5 path-length=0");
  ofw_stream_free(s);
  stream_refused("drifting", NULL, "drifting: the stream needs a domain");
  stream_refused("drifting:reach=1.5", K, "drifting: reach=1.5 is not in [0, 1]");
  stream_refused("drifting:turns=0", K, "drifting: turns=0 is not in [1, 1e+06]");
  stream_refused("drifting:turn=2", K, "drifting: no option 'turn'; did you mean 'turns'?");
  ofw_domain_free(K);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_domain),
      cmocka_unit_test(test_comparator_is_best),
      cmocka_unit_test(test_target),
      cmocka_unit_test(test_turns_and_stops),
      cmocka_unit_test(test_finite_differences),
      cmocka_unit_test(test_constants),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
