/* The close infeasible projection by what it promises: x in K, |x - y|^2 <= 3 eps, no point of K farther from y than
 * before, no call too many. Of the points of K the oracle knows the one that fares worst: |y - z|^2 - |y' - z|^2 is linear
 * in z. */
#include "learner/lagrangian.h"

#include "property/everything.h"
#include "unit/domain/oracle_check.h"

/* A learner whose x and d can be written to. */
typedef struct play {
  ofw_domain *K;
  ofw_learner *l;
  double *x, *d;
  size_t n;
} play;

static ofw_status grab(void *ctx, const char *name, void *item, size_t n)
{
  play *p = ctx;
  (void)n;
  if (strcmp(name, "x") == 0)
    p->x = item;
  if (strcmp(name, "d") == 0)
    p->d = item;
  return OFW_OK;
}

static play begin(const char *spec)
{
  play p = {.K = make_domain(spec)};
  const char *set[] = {"oracle-tolerance=1e-13"};
  ofw_learner_settings s = {.size = sizeof s, .horizon = 100, .lipschitz = 1.0, .seed = 3, .options = 1, .option = set};
  p.l = ofw_learner_create_over("lpm", p.K, &s, NULL);
  assert_non_null(p.l);
  ofw_visitor v = {.words = grab, .ctx = &p};
  assert_int_equal(p.l->engine->ops->visit(p.l->engine, &v), OFW_OK);
  p.n = ofw_domain_dim(p.K);
  return p;
}

static void end(play *p)
{
  ofw_learner_free(p->l);
  ofw_domain_free(p->K);
}

/* x is a point of K, y any. */
static void put(play *p, chance *c, double far, double *y)
{
  random_feasible(p->K, c, p->x);
  for (size_t i = 0; i < p->n; i++)
    y[i] = far * p->K->R * chance_normal(c);
  for (size_t i = 0; i < p->n; i++)
    p->d[i] = p->x[i] - y[i];
}

static uint64_t calls_of(const play *p)
{
  return ofw_counted_read(p->l->work).calls;
}

/* What holds however many calls were allowed; y is as it was before. */
static void is_no_farther(const play *p, const double *y)
{
  double along[MOST_DIM], z[MOST_DIM], R = p->K->R;
  long double before = 0.0L, after = 0.0L, worst = 0.0L;
  assert_at_most(ofw_domain_excess(p->K, p->x), 1e-13L * R);
  for (size_t i = 0; i < p->n; i++) {
    along[i] = (p->x[i] - p->d[i]) - y[i];
    worst = fmaxl(worst, fabsl(along[i]));
  }
  if (worst == 0.0L)
    return; /* y has not moved */
  assert_int_equal(ofw_domain_minimise(p->K, along, 1e-13, z, NULL, NULL), OFW_OK);
  for (size_t i = 0; i < p->n; i++) {
    before += powl((long double)y[i] - z[i], 2);
    after += powl((long double)p->x[i] - p->d[i] - z[i], 2);
  }
  assert_at_most(sqrtl(after), sqrtl(before) + 1e-13L * R);
}

static void check(const char *spec)
{
  static const double fars[] = {0.3, 1.0, 3.0, 1e3, 1e100}, shares[] = {1.0, 0.1, 1e-2, 1e-3};
  play p = begin(spec);
  double y[MOST_DIM], R = p.K->R;
  chance c = {p.n};
  for (int t = 0; t < 300; t++) {
    double eps = shares[t % 4] * R * R;
    uint64_t calls = 100000, before = calls_of(&p);
    put(&p, &c, fars[t % 5], y);
    assert_int_equal(ofw_cip(p.l, eps, &calls), OFW_OK);
    assert_int_equal(calls_of(&p) - before, 100000 - calls);
    assert_true(slow_norm(p.n, p.d) <= sqrtl(3.0L * eps) * (1.0L + 1e-12L));
    is_no_farther(&p, y);
  }
  assert_int_equal(p.l->info.capped, 0);
  end(&p);
}

static void test_promises(void **unused)
{
  (void)unused;
  for (size_t i = 0; i < ofw_domain_types(); i++)
    check(ofw_domain_type(i)->example);
  check("l1-ball:dim=40,radius=1e-80");
  check("simplex:dim=30,sum=1e80");
  check("trace-ball:rows=8,cols=8");
}

/* A call at a time it gets where it gets at once, and says each time that it was stopped. */
static void test_stops_at_the_budget(void **unused)
{
  (void)unused;
  static const char *const specs[] = {"l1-ball:dim=9,radius=3", "simplex:dim=8,sum=2.5", "l2-ball:dim=7,radius=2"};
  for (size_t k = 0; k < 3; k++) {
    play p = begin(specs[k]);
    chance c = {k};
    double y[MOST_DIM], R = p.K->R, eps = 1e-3 * R * R;
    for (int t = 0; t < 100; t++) {
      uint64_t capped = p.l->info.capped, stops = 0, none = 0;
      put(&p, &c, 2.0, y);
      assert_int_equal(ofw_cip(p.l, eps, &none), OFW_OK);
      assert_int_equal(p.l->info.capped, capped + 1);
      for (;; stops++) {
        uint64_t one = 1, before = p.l->info.capped;
        assert_int_equal(ofw_cip(p.l, eps, &one), OFW_OK);
        is_no_farther(&p, y);
        if (p.l->info.capped == before)
          break;
        assert_int_equal(one, 0);
        assert_true(stops < 10000);
      }
      assert_at_most(slow_norm(p.n, p.d), sqrtl(3.0L * eps));
      assert_int_equal(p.l->info.capped, capped + 1 + stops);
    }
    end(&p);
  }
}

/* What is near enough is left alone, without a call. */
static void test_near_enough(void **unused)
{
  (void)unused;
  play p = begin("l1-ball:dim=4,radius=2");
  uint64_t calls = 0;
  double x[4] = {0.5, -0.25, 0.0, 0.25}, d[4] = {0.5, 0.5, -0.5, 0.5};
  memcpy(p.x, x, sizeof x);
  memcpy(p.d, d, sizeof d);
  assert_int_equal(ofw_cip(p.l, 0.34, &calls), OFW_OK); /* |d|^2 = 1 <= 3 eps */
  assert_memory_equal(p.x, x, sizeof x);
  assert_memory_equal(p.d, d, sizeof d);
  assert_int_equal(p.l->info.capped, 0);
  end(&p);
}

/* By hand in the plane: x = (1, 0) and y = (0.8, 0.8)/|..| in the l1-ball of radius 1. */
static void test_by_hand(void **unused)
{
  (void)unused;
  play p = begin("l1-ball:dim=2");
  uint64_t calls = 5;
  double eps = 1e-3, y = 8.0; /* pulled in to sqrt(1/2) */
  p.x[0] = 1.0, p.x[1] = 0.0;
  p.d[0] = 1.0 - y, p.d[1] = -y;
  assert_int_equal(ofw_cip(p.l, eps, &calls), OFW_OK);
  /* call 1: d = (1 - y, -y), v = (0, 1), the line search ends in the middle; call 2 sees no way on. y then comes nearer to
   * (1/2, 1/2) by thirds: |x - y| = 1 - sqrt(1/2) = 0.293, 0.098, 0.033 <= sqrt(3 eps) = 0.055 */
  double gone = (sqrt(0.5) - 0.5) / 9.0;
  assert_int_equal(calls, 3);
  for (int i = 0; i < 2; i++) {
    assert_near(p.x[i], 0.5, 1e-15L);
    assert_near(p.x[i] - p.d[i], 0.5 + gone, 1e-15L);
  }
  end(&p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_promises),
      cmocka_unit_test(test_stops_at_the_budget),
      cmocka_unit_test(test_near_enough),
      cmocka_unit_test(test_by_hand),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
