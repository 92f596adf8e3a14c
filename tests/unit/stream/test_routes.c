/* The city of `routes`: its best mixture against every other split over the bridges, limits that are those of its formula, hints.
 * bench/practical/routes.py generates it a second time, and solves for the best mixture by a linear program. */
#include "unit/stream/generated.h"

enum { T = 120, GROUPS = 3 };

static void round_at(ofw_stream *s, uint64_t t, const held *x, double g[GROUPS], double *gradient)
{
  ofw_full fb = reveal(s, t, x);
  assert_int_equal(fb.values.constraints, GROUPS);
  memcpy(g, fb.values.constraint, GROUPS * sizeof *g);
  if (gradient)
    ofw_sum_dense(fb.loss_gradient, ofw_domain_dim(s->K), gradient);
}

/* x* is a mixture of ways, keeps every limit, and no other such mixture is cheaper: with the multipliers of the groups it uses
 * to their least limit, it minimises the Lagrangian over all ways. */
static void test_comparator_is_best(void **state)
{
  (void)state;
  static const char *const specs[] = {"routes", "routes:closed=0,rows=12,cols=5", "routes:toll=0.02,noise=0.6",
                                      "routes:jam=2,rows=13,cols=24,day=50,swing=0.3"};
  for (size_t k = 0; k < 4; k++)
    for (uint64_t seed = 1; seed <= 3; seed++) {
      ofw_stream *s = stream(specs[k], NULL, T, seed);
      size_t n = ofw_domain_dim(s->K);
      held x = hold(s->K);
      double *sum = room(n), *c = room(n), *d = room(n), *v = room(n), at_best = 0.0, f;
      double least[GROUPS], used[GROUPS], g[GROUPS], normal[GROUPS][2];
      size_t bridge[GROUPS][2];
      memcpy(x.x, s->best, n * sizeof *x.x);
      assert_true(ofw_domain_excess(s->K, s->best) < 1e-12);
      for (size_t i = 0; i < GROUPS; i++)
        least[i] = INFINITY;
      for (uint64_t t = 1; t <= T; t++) {
        round_at(s, t, &x, g, c);
        assert_int_equal(ofw_stream_comparator(s, t, &f), OFW_OK);
        assert_near(f, slow_dot(n, c, s->best), 1e-12);
        at_best += f;
        for (size_t e = 0; e < n; e++)
          sum[e] += c[e];
        for (size_t i = 0; i < GROUPS; i++) {
          assert_true(g[i] <= 1e-12);
          least[i] = fmin(least[i], -g[i]);
        }
      }
      ofw_full fb = reveal(s, 1, &x);
      for (size_t i = 0; i < GROUPS; i++) {
        const ofw_vec *term = fb.constraint_gradient[i].term;
        assert_int_equal(term->as.sparse.nnz, 2);
        memcpy(bridge[i], term->as.sparse.index, sizeof bridge[i]);
        memcpy(normal[i], term->as.sparse.value, sizeof normal[i]);
        assert_true(normal[i][0] == 1.0 && normal[i][1] == 1.0);
        used[i] = s->best[bridge[i][0]] + s->best[bridge[i][1]];
      }
      /* what each way over must cost more: the dearest that is used has the multiplier 0 */
      double total[GROUPS + 1], dearest = -INFINITY, low = INFINITY;
      for (size_t i = 0; i <= GROUPS; i++) {
        for (size_t e = 0; e < n; e++)
          d[e] = sum[e];
        for (size_t j = 0; j < GROUPS; j++)
          for (size_t m = 0; m < 2; m++)
            d[bridge[j][m]] += i < GROUPS && j == i ? -1e6 : 1e6;
        assert_int_equal(ofw_domain_minimise(s->K, d, 1e-9, v, NULL, NULL), OFW_OK);
        total[i] = slow_dot(n, sum, v);
        double share = i < GROUPS ? used[i] : 1.0 - used[0] - used[1] - used[2];
        dearest = share > 1e-12 ? fmax(dearest, total[i]) : dearest;
      }
      for (size_t i = 0; i < GROUPS; i++) {
        double multiplier = fmax(0.0, dearest - total[i]);
        if (multiplier > 1e-9 * dearest)
          assert_near(least[i], 0.0, 1e-12); /* it is used as far as may be */
        for (size_t m = 0; m < 2; m++)
          sum[bridge[i][m]] += multiplier;
        at_best += multiplier * used[i];
      }
      assert_int_equal(ofw_domain_minimise(s->K, sum, 1e-9, v, NULL, NULL), OFW_OK);
      low = slow_dot(n, sum, v);
      assert_near(at_best, low, 1e-10 * low);
      free(sum), free(c), free(d), free(v);
      let_go(&x);
      ofw_stream_free(s);
    }
}

/* hints=right says what the next round reveals, and wrong its mirror image; none says nothing. */
static void test_hints(void **state)
{
  (void)state;
  static const double level[GROUPS] = {0.35, 0.3, 0.2};
  ofw_stream *s[] = {stream("routes", NULL, T, 7), stream("routes:hints=right", NULL, T, 7),
                     stream("routes:hints=wrong", NULL, T, 7)};
  held x = hold(s[0]->K);
  ofw_domain_centre(s[0]->K, x.x);
  for (uint64_t t = 1; t < T; t++) {
    double g[GROUPS], right[GROUPS];
    ofw_hint hint;
    assert_int_equal(ofw_stream_hint(s[0], t, &x.at, &hint), OFW_OK);
    assert_int_equal(hint.size, 0);
    round_at(s[1], t, &x, g, NULL);
    assert_int_equal(ofw_stream_hint(s[1], t, &x.at, &hint), OFW_OK);
    assert_true(hint.size == sizeof hint && hint.constraints == GROUPS);
    memcpy(right, hint.constraint, sizeof right);
    assert_int_equal(ofw_stream_hint(s[2], t, &x.at, &hint), OFW_OK);
    round_at(s[1], t + 1, &x, g, NULL);
    for (size_t i = 0; i < GROUPS; i++) {
      double at_x;
      assert_int_equal(ofw_point_dot(&x.at, hint.constraint_gradient[i], &at_x), OFW_OK);
      assert_bits(right[i], g[i]);
      assert_near(hint.constraint[i] + g[i], 2.0 * (at_x - level[i]), 1e-12);
    }
  }
  let_go(&x);
  for (int k = 0; k < 3; k++)
    ofw_stream_free(s[k]);
}

/* The second group alone is closed, for a twentieth of the horizon from its middle on. */
static void test_closure(void **state)
{
  (void)state;
  ofw_stream *s = stream("routes", NULL, T, 2);
  held x = hold(s->K);
  memset(x.x, 0, ofw_domain_dim(s->K) * sizeof *x.x);
  for (uint64_t t = 1; t <= T; t++) {
    double g[GROUPS];
    round_at(s, t, &x, g, NULL);
    assert_int_equal(g[1] == 0.0, t > 60 && t <= 66);
    assert_true(g[0] < 0.0 && g[2] < 0.0);
  }
  let_go(&x);
  ofw_stream_free(s);
}

static void test_refused(void **state)
{
  (void)state;
  ofw_domain *K = domain("l2-ball:dim=2");
  stream_refused("routes", K, "routes: it has its own domain; leave the domain out");
  stream_refused("routes:rows=11", NULL, "routes: rows=11 is not in [12, 100]");
  stream_refused("routes:hints=some", NULL, "routes: hints=some is not one of none|right|wrong");
  ofw_domain_free(K);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_comparator_is_best), cmocka_unit_test(test_hints),
                                     cmocka_unit_test(test_closure), cmocka_unit_test(test_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
