#include "unit/stream/optimal.h"

#include <lapacke.h>

enum { T = 600 };

static const char *const sets[] = {"trace-ball:rows=6,cols=4,radius=3",
                                   "trace-ball:rows=4,cols=9",
                                   "trace-ball:rows=1,cols=7,radius=2",
                                   "trace-ball:rows=5,cols=1,radius=1e-3",
                                   "shrunk:factor=0.5,of=(trace-ball:rows=3,cols=5,radius=2)",
                                   "counted:of=(shrunk:factor=0.9,of=(trace-ball:rows=8,cols=8,radius=40))"};
enum { SETS = sizeof sets / sizeof *sets };

static void test_comparator_is_best(void **state)
{
  (void)state;
  static const char *const specs[] = {"trace-recovery:rank=1", "trace-recovery:rank=1,inside=0.4,tight=1",
                                      "trace-recovery:rank=1,pull=0.7", "trace-recovery:rank=1,batch=1,spread=30",
                                      "trace-recovery:rank=1,inside=0,tight=0"};
  static const uint64_t rounds[] = {1, 2, 7, 600};
  for (size_t i = 0; i < SETS; i++)
    for (size_t j = 0; j < sizeof specs / sizeof *specs; j++)
      for (size_t k = 0; k < sizeof rounds / sizeof *rounds; k++)
        is_best_without_price(specs[j], sets[i], rounds[k], 50 + i);
  is_best_without_price("trace-recovery:rank=3,pull=2", sets[0], LONG_RUN, 1);
  is_best_without_price("trace-recovery:rank=4,pull=2", sets[1], T, 1);
  is_best_without_price("trace-recovery:rank=5,batch=64", sets[5], T, 1);
}

/* Without noise and with all that is asked shown, the pull is what makes the comparator best: it is normal to K at X*,
 * and X* is not where the squares alone would have it. */
static void test_pull_is_normal(void **state)
{
  (void)state;
  ofw_domain *K = domain(sets[0]);
  ofw_stream *s = stream("trace-recovery:rank=2,pull=0.5,spread=0", K, T, 1);
  at_best at = look_at_best(K, s, T);
  double R = K->R;
  assert_near(slow_norm(at.n, at.pull), T * 0.5 * R, 1e-9 * T);                         /* pull a, round for round */
  assert_near(slow_dot(at.n, at.pull, s->best), T * 0.5 * R * R / sqrt(2.0), 1e-9 * T); /* <U V', X*> = a */
  look_away(&at);
  ofw_stream_free(s);
  ofw_domain_free(K);
}

/* X* has `rank` equal singular values that sum to inside a. */
static void check_spectrum(const char *spec, const char *set, size_t rank, double norm)
{
  ofw_domain *K = domain(set);
  ofw_stream *s = stream(spec, K, T, 2);
  size_t rows, cols;
  ofw_domain_shape(K, &rows, &cols);
  size_t count = rows < cols ? rows : cols;
  double *value = room(count), *copy = room(rows * cols), unused[1];
  memcpy(copy, s->best, rows * cols * sizeof *copy);
  lapack_int m = (lapack_int)rows, n = (lapack_int)cols;
  assert_int_equal(LAPACKE_dgesdd(LAPACK_ROW_MAJOR, 'N', m, n, copy, n, value, unused, m, unused, n), 0);
  for (size_t k = 0; k < count; k++)
    assert_near(value[k], k < rank ? norm / (double)rank : 0.0, 1e-14 * norm);
  free(value), free(copy);
  ofw_stream_free(s);
  ofw_domain_free(K);
}

static void test_spectrum(void **state)
{
  (void)state;
  check_spectrum("trace-recovery", sets[0], 2, 3.0);
  check_spectrum("trace-recovery:rank=4,inside=0.25", sets[1], 4, 0.25);
  check_spectrum("trace-recovery:rank=1", sets[2], 1, 2.0);
  check_spectrum("trace-recovery:rank=3,inside=0.5", sets[4], 3, 0.5);
}

/* A round shows `batch` entries, in order; the loss is half the square of the gradient on them; half a horizon later
 * they are shown again. In the long run an entry is shown as often as its stretch is short, about equally often. */
static void check_batches(const char *spec, const ofw_domain *K, size_t batch)
{
  enum { LONG = 4000 };
  size_t n = ofw_domain_dim(K);
  ofw_stream *s = stream(spec, K, LONG, 3);
  double *seen = room(n), least = 1.0 / (double)((n + batch - 1) / batch), most = 1.0 / (double)(n / batch);
  size_t *mirror = calloc(LONG * batch, sizeof *mirror);
  held h = hold(K);
  uint64_t seed = 1;
  any_point(&seed, K, 0, h.x);
  for (uint64_t t = 1; t <= LONG; t++) {
    ofw_full fb = reveal(s, t, &h);
    assert_int_equal(fb.loss_gradient.n, 1);
    const ofw_vec *v = fb.loss_gradient.term;
    assert_int_equal(v->kind, OFW_VEC_SPARSE);
    assert_int_equal(v->as.sparse.nnz, batch);
    for (size_t k = 0; k < batch; k++) {
      size_t at = v->as.sparse.index[k];
      assert_true(at < n && (k == 0 || at > v->as.sparse.index[k - 1]));
      seen[at] += t <= LONG / 2;
      mirror[(t - 1) * batch + k] = at;
    }
    double half = slow_dot(batch, v->as.sparse.value, v->as.sparse.value) / 2.0;
    assert_near(fb.values.loss, half, 1e-13 * ofw_stream_constants(s)->loss_bound);
  }
  for (uint64_t t = 1; t <= LONG; t++)
    assert_memory_equal(mirror + (t - 1) * batch, mirror + (LONG - t) * batch, batch * sizeof *mirror);
  for (size_t i = 0; i < n; i++)
    assert_near(seen[i] / (LONG / 2.0), (least + most) / 2.0,
                (most - least) / 2.0 + 5.0 * sqrt(most * (1.0 - least) / (LONG / 2.0)) * (batch < n));
  free(seen), free(mirror);
  let_go(&h);
  ofw_stream_free(s);
}

static void test_batches(void **state)
{
  (void)state;
  ofw_domain *K = domain(sets[0]);
  check_batches("trace-recovery", K, 6);
  check_batches("trace-recovery:batch=7", K, 7);
  check_batches("trace-recovery:batch=23", K, 23);
  check_batches("trace-recovery:batch=24", K, 24);
  check_batches("trace-recovery:batch=1", K, 1);
  ofw_domain_free(K);
}

static void test_finite_differences(void **state)
{
  (void)state;
  check_central_differences("trace-recovery:pull=0.5", sets[0], T);
}

/* Half-spaces of rank one that hold X*; whether one is tight does not depend on its factors. */
static void test_constraints(void **state)
{
  (void)state;
  for (size_t i = 0; i < SETS; i++) {
    ofw_domain *K = domain(sets[i]);
    ofw_stream *s = stream("trace-recovery:rank=1,tight=0.25", K, 3000, 5 + i);
    check_half_spaces(K, s, s->best, 0.25, 3000);
    size_t rows, cols;
    ofw_domain_shape(K, &rows, &cols);
    held h = hold(K);
    const ofw_vec *b = reveal(s, 1, &h).constraint_gradient[0].term;
    assert_true(b->kind == OFW_VEC_RANK_ONE && b->as.rank_one.rows == rows && b->as.rank_one.cols == cols);
    let_go(&h);
    ofw_stream_free(s);
    check_same_rounds("trace-recovery:rank=1", K, 30);
    ofw_domain_free(K);
  }
  check_tight_is_independent("trace-recovery:tight=0.25", "trace-recovery:tight=1", sets[0], 12000);
  check_tight_is_independent("trace-recovery:tight=0.25", "trace-recovery:tight=1", sets[1], 12000);
}

static void test_constants(void **state)
{
  (void)state;
  ofw_domain *K = domain(sets[0]);
  ofw_stream *s = stream("trace-recovery:pull=0.5,spread=0.25", K, T, 1);
  const ofw_constants *c = ofw_stream_constants(s);
  assert_near(c->lipschitz, (2 + 0.5 + 0.25) * 3, 1e-12);
  assert_near(c->loss_bound, 2.25 * 2.25 * 9.0 / 2.0 + 0.5 * 9.0, 1e-12);
  assert_bits(c->strong_convexity, 0.0); /* a quarter of the entries says nothing of the others */
  assert_string_equal(ofw_stream_config(s), "stream=trace-recovery rounds=600 seed=1 rank=2 batch=6 inside=1 pull=0.5 "
                                            "spread=0.25 tight=0.5");
  ofw_stream_free(s);
  s = stream("trace-recovery:batch=24", K, T, 1);
  assert_bits(ofw_stream_constants(s)->strong_convexity, 1.0);
  check_slopes(K, s, 60);
  ofw_stream_free(s);
  ofw_domain_free(K);
  s = stream("trace-recovery", NULL, T, 1);
  assert_string_equal(ofw_stream_domain(s)->spec, "trace-ball:rows=30,cols=20,radius=1");
  ofw_stream_free(s);
  s = stream("trace-recovery:rows=5,cols=6,radius=2.5", NULL, T, 1);
  assert_string_equal(ofw_stream_domain(s)->spec, "trace-ball:rows=5,cols=6,radius=2.5");
  ofw_stream_free(s);
}

static void test_refusals(void **state)
{
  (void)state;
  ofw_domain *K = domain(sets[0]), *other = domain("l2-ball:dim=24"),
             *centred = domain("shrunk:factor=0.5,of=(box:dim=4,lower=0,upper=1)");
  stream_refused("trace-recovery", other, "trace-recovery: expected a trace-ball as the domain, found l2-ball:dim=24");
  stream_refused(
      "trace-recovery", centred,
      "trace-recovery: expected a trace-ball as the domain, found shrunk:factor=0.5,of=(box:dim=4,lower=0,upper=1)");
  stream_refused("trace-recovery:rows=6", K,
                 "trace-recovery: rows, cols and radius do not work with a domain; leave them or the domain out");
  stream_refused("trace-recovery:rank=5", K, "trace-recovery: rank=5 is more than a 6 x 4 matrix has");
  stream_refused("trace-recovery:batch=25", K, "trace-recovery: batch=25 is more than the 24 entries there are");
  stream_refused("trace-recovery:pull=1,inside=0.5", K,
                 "trace-recovery: pull=1 needs inside=1: only then does the ball resist the pull");
  stream_refused("trace-recovery:insid=1", K, "trace-recovery: no option 'insid'; did you mean 'inside'?");
  ofw_domain_free(K), ofw_domain_free(other), ofw_domain_free(centred);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_comparator_is_best), cmocka_unit_test(test_pull_is_normal),
      cmocka_unit_test(test_spectrum),           cmocka_unit_test(test_batches),
      cmocka_unit_test(test_finite_differences), cmocka_unit_test(test_constraints),
      cmocka_unit_test(test_constants),          cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
