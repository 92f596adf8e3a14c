#include "unit/domain/oracle_check.h"
#include "vector/vec_arithmetic.h"

static void reads(opened o, uint64_t calls, uint64_t passes, uint64_t projections)
{
  ofw_counts got = ofw_counted_read(o.work);
  assert_int_equal(got.calls, calls);
  assert_int_equal(got.passes, passes);
  assert_int_equal(got.projections, projections);
}

/* The same answers, to the last bit, from the same seed; and calls and passes add up. */
static void counts_and_changes_nothing(void **state)
{
  (void)state;
  static const char *const inner[] = {"l1-ball:dim=12,radius=3", "simplex:dim=12", "trace-ball:rows=4,cols=3,radius=2",
                                      "box:dim=12,lower=-1,upper=2"};
  chance c = {1};
  for (size_t k = 0; k < 4; k++) {
    ofw_domain *plain = domain_of(inner[k]);
    opened bare = open_seeded(plain, 5), counted = open_seeded(ofw_domain_create_counted(plain, NULL), 5);
    uint64_t passes = 0;
    double d[12], v[12], w[12];
    reads(counted, 0, 0, 0);
    for (uint64_t t = 1; t <= 500; t++) {
      ofw_answer a, b;
      chance_normals(&c, 12, d);
      assert_int_equal(answer(bare, d, 1e-3, INFINITY, &a), OFW_OK);
      assert_int_equal(answer(counted, d, 1e-3, INFINITY, &b), OFW_OK);
      ofw_sum_dense(a.atom, 12, v);
      ofw_sum_dense(b.atom, 12, w);
      assert_memory_equal(v, w, sizeof v);
      assert_true(a.value == b.value && a.error == b.error && a.proven == b.proven && a.passes == b.passes);
      passes += a.passes;
      reads(counted, t, passes, 0);
    }
    assert_true(k == 2 ? passes >= 500 : passes == 0);
    shut(counted);
    shut(bare);
  }
}

/* With and without parentheses; what is too deep is refused in one line. */
static void nested_so_deep(void **state)
{
  (void)state;
  for (int bare = 0; bare < 2; bare++)
    for (size_t depth = 1; depth < 12; depth++) {
      ofw_text spec = {0};
      ofw_error err = {0};
      for (size_t k = 0; k < depth; k++)
        ofw_text_add(&spec, bare ? "counted:of=" : k % 2 ? "counted:of=(" : "shrunk:factor=1,of=(");
      ofw_text_add(&spec, "l1-ball:dim=2");
      for (size_t k = 0; k < depth && !bare; k++)
        ofw_text_add(&spec, ")");
      ofw_domain *K = ofw_domain_create(spec.chars, &err);
      assert_true((K != NULL) == (depth <= OFW_MOST_NESTING));
      if (!K) {
        assert_int_equal(err.status, OFW_USAGE);
        assert_non_null(strstr(err.message, ": domains are nested more than 8 deep"));
      }
      ofw_domain_free(K);
      free(spec.chars);
    }
}

static void like_what_it_wraps(void **state)
{
  (void)state;
  ofw_domain *of = domain_of("shrunk:factor=0.5,of=(simplex:dim=4,sum=3)"), *K = ofw_domain_create_counted(of, NULL);
  ofw_domain *matrix = domain_of("counted:of=(trace-ball:rows=3,cols=5)");
  double a[4], b[4];
  size_t rows, cols;
  ofw_domain_centre(of, a);
  ofw_domain_centre(K, b);
  assert_memory_equal(a, b, sizeof a);
  assert_int_equal(ofw_domain_dim(K), 4);
  assert_int_equal(K->from_centre, 1);
  assert_true(K->R == of->R);
  assert_true(K->r == of->r);
  assert_true(ofw_domain_excess(K, (double[]){3.0, 0.0, 0.0, 0.0}) == 0.375);
  assert_true(ofw_domain_excess(K, (double[]){0.75, 0.75, 0.75, 0.75}) == 0.0);
  assert_string_equal(K->spec, of->spec);
  ofw_domain_shape(matrix, &rows, &cols);
  assert_true(rows == 3 && cols == 5);
  ofw_domain_free(of);
  ofw_domain_free(matrix);
  assert_near(ask(K, (double[]){1.0, 2.0, 3.0, 4.0}, a), 5.25L, 1e-14L); /* K kept what it wraps */
  ofw_domain_free(K);
}

/* So do projections; where the set has none, neither has the wrapper. */
static void counts_projections(void **state)
{
  (void)state;
  opened counted = open_seeded(domain_of("counted:of=(shrunk:factor=0.5,of=(trace-ball:rows=4,cols=3,radius=2))"), 5);
  const ofw_domain *K = counted.K;
  double x[12], y[12];
  chance c = {2};
  assert_int_equal(K->ops->reserve(K, counted.work, NULL), OFW_OK);
  for (uint64_t t = 1; t <= 50; t++) {
    chance_normals(&c, 12, x);
    assert_int_equal(ofw_domain_project(K, x, y, NULL), OFW_OK);
    assert_int_equal(K->ops->project(K, counted.work, x, NULL), OFW_OK);
    assert_memory_equal(x, y, sizeof x);
    reads(counted, 0, 0, t);
  }
  shut(counted);
}

static int fails_when_told(void *ctx, const double *d, double *v)
{
  (void)d;
  *v = 1.0;
  return *(int *)ctx;
}

static void a_failed_call_is_not_counted(void **state)
{
  (void)state;
  int fail = 0;
  ofw_domain_callbacks own = {
      .size = sizeof own, .dim = 1, .R = 1.0, .r = 1.0, .minimise = fails_when_told, .ctx = &fail};
  ofw_domain *of = ofw_domain_create_own(&own, NULL);
  opened counted = open_seeded(ofw_domain_create_counted(of, NULL), 1);
  ofw_domain_free(of);
  for (int t = 0; t < 10; t++) {
    ofw_answer out;
    fail = t % 2;
    assert_int_equal(answer(counted, (double[]){1.0}, 1e-3, INFINITY, &out), fail ? OFW_NUMERICAL : OFW_OK);
  }
  reads(counted, 5, 0, 0);
  assert_null(counted.K->ops->project);
  shut(counted);
}

/* What is visited, in order, as one text; and what the visitor puts in its place. */
typedef struct visited {
  char names[TEXT];
  uint64_t seen[4], put[4];
  size_t n, fail_at;
} visited;

static ofw_status visit_words(void *ctx, const char *name, void *item, size_t n)
{
  visited *v = ctx;
  assert_int_equal(n, 1);
  assert_true(v->n < 4);
  strcat(strcat(v->names, name), " ");
  memcpy(&v->seen[v->n], item, 8);
  memcpy(item, &v->put[v->n], 8);
  return ++v->n == v->fail_at ? OFW_BAD_DATA : OFW_OK;
}

/* The counters are state, followed by the inner oracle's: putting them back gives the same next answer. */
static void the_counters_are_state(void **state)
{
  (void)state;
  opened first = open_seeded(domain_of("counted:of=(trace-ball:rows=40,cols=40)"), 9);
  opened second = open_seeded(domain_of("counted:of=(trace-ball:rows=40,cols=40)"), 9);
  ofw_answer a, b;
  double d[1600];
  chance c = {2};
  chance_normals(&c, 1600, d);
  for (int t = 0; t < 3; t++)
    assert_int_equal(answer(first, d, 1e-3, INFINITY, &a), OFW_OK);
  visited save = {0};
  ofw_visitor saver = {.words = visit_words, .ctx = &save};
  assert_int_equal(first.K->ops->visit(first.work, &saver), OFW_OK);
  assert_string_equal(save.names, "oracle.calls oracle.passes projections trace-ball.calls ");
  assert_true(save.seen[0] == 3 && save.seen[1] >= 6 && save.seen[2] == 0 && save.seen[3] == 3);
  reads(first, 0, 0, 0); /* the visitor's zeros went in */
  visited load = {.put = {save.seen[0], save.seen[1], 7, save.seen[3]}};
  ofw_visitor loader = {.words = visit_words, .ctx = &load};
  assert_int_equal(first.K->ops->visit(first.work, &loader), OFW_OK);
  load.n = 0;
  assert_int_equal(second.K->ops->visit(second.work, &loader), OFW_OK);
  reads(second, save.seen[0], save.seen[1], 7);
  assert_int_equal(answer(first, d, 1e-3, INFINITY, &a), OFW_OK);
  assert_int_equal(answer(second, d, 1e-3, INFINITY, &b), OFW_OK);
  assert_true(a.value == b.value && a.error == b.error && a.passes == b.passes);
  shut(first);
  shut(second);
}

static void a_visitor_that_fails_is_heard(void **state)
{
  (void)state;
  opened o = open_seeded(domain_of("counted:of=(trace-ball:rows=2,cols=2)"), 9);
  for (size_t fail_at = 1; fail_at <= 4; fail_at++) {
    visited v = {.fail_at = fail_at};
    ofw_visitor visitor = {.words = visit_words, .ctx = &v};
    assert_int_equal(o.K->ops->visit(o.work, &visitor), OFW_BAD_DATA);
    assert_int_equal(v.n, fail_at);
  }
  shut(o);
}

static void bad_specs(void **state)
{
  (void)state;
  misused("counted", "", ": of is required (the set K, as (spec))");
  misused("counted", ":of=(l1-ball)", ": l1-ball: dim is required (dimension n)");
  misused("counted", ":of=l1-ball:dim=2,radius=3", ": no option 'radius'; its options: of");
  misused("counted", ":off=(l1-ball:dim=2)", ": no option 'off'; did you mean 'of'?");
  misused("counted", ":of=(counted:of=(simplx:dim=2))", ": counted: no domain 'simplx'; did you mean 'simplex'?");
  misused("counted", ":of=(l1-ball:dim=2", ": no domain '(l1-ball'; did you mean 'l1-ball'?");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_and_changes_nothing),
      cmocka_unit_test(counts_projections),
      cmocka_unit_test(nested_so_deep),
      cmocka_unit_test(like_what_it_wraps),
      cmocka_unit_test(a_failed_call_is_not_counted),
      cmocka_unit_test(the_counters_are_state),
      cmocka_unit_test(a_visitor_that_fails_is_heard),
      cmocka_unit_test(bad_specs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
