/* matrix-completion over a file: what the rounds show, in which order, and what the stream says of it. */
#include "unit/run/played.h"
#include "unit/stream/rated.h"

enum { USERS = 4, ITEMS = 5, CELLS = USERS * ITEMS };

static char spec[200], message[400];

/* By time, of the two rated at 30 the one comes first that does so in the file. */
static const char text[] = "2,1,4,30\n"
                           "1,2,-6.5,10\n"
                           "4,4,3,30\n"
                           "3,4,2.25,20\n"
                           "4,1,1,50\n"
                           "1,1,5,40\n"
                           "2,3,0.5,60\n";
enum { ROWS = 7 };
static const size_t filed[ROWS] = {5, 1, 18, 13, 15, 0, 7}, timed[ROWS] = {1, 13, 5, 18, 0, 15, 7};
static const double rated[CELLS] = {[5] = 4, [1] = -6.5, [18] = 3, [13] = 2.25, [15] = 1, [0] = 5, [7] = 0.5};

static const char *spec_with(const char *more)
{
  snprintf(spec, sizeof spec, "matrix-completion:file=%s,items=5%s", path, more);
  return spec;
}

static ofw_stream *stream_over(const char *more)
{
  write_text(text);
  ofw_stream *s = stream(spec_with(more), NULL, 10, 3);
  unlink(path); /* it has been read */
  return s;
}

/* Round t shows these cells, with the file's ratings. */
static void shows(ofw_stream *s, const held *h, uint64_t t, size_t n, const size_t *cell)
{
  ofw_full fb = reveal(s, t, h);
  const ofw_vec *v = fb.loss_gradient.term;
  assert_int_equal(v->as.sparse.nnz, n);
  for (size_t k = 0; k < n; k++) {
    size_t at = 0;
    while (at < n && v->as.sparse.index[at] != cell[k])
      at++;
    assert_true(at < n);
    assert_bits(v->as.sparse.value[at], -rated[cell[k]]);
  }
}

static void test_orders(void **state)
{
  (void)state;
  static const struct {
    const char *more;
    const size_t *cells;
  } order[] = {{",batch=2,order=file", filed}, {",batch=2,order=time", timed}};
  for (size_t i = 0; i < 2; i++) {
    ofw_stream *s = stream_over(order[i].more);
    held h = hold(ofw_stream_domain(s));
    for (uint64_t t = 1; t <= 12; t++) /* every pass alike, and without the seventh */
      shows(s, &h, t, 2, order[i].cells + (t - 1) % 3 * 2);
    shows(s, &h, 2, 2, order[i].cells + 2);
    let_go(&h);
    ofw_stream_free(s);
  }
}

static void test_shuffled(void **state)
{
  (void)state;
  ofw_stream *s = stream_over(",batch=1");
  held h = hold(ofw_stream_domain(s));
  size_t moved = 0, before[ROWS] = {0};
  for (uint64_t pass = 0; pass < 20; pass++) {
    int seen[CELLS] = {0};
    for (uint64_t k = 0; k < ROWS; k++) {
      size_t cell = reveal(s, pass * ROWS + k + 1, &h).loss_gradient.term->as.sparse.index[0];
      assert_true(rated[cell] != 0.0 && !seen[cell]++);
      moved += cell != before[k];
      before[k] = cell;
    }
  }
  assert_true(moved > 20 * ROWS / 2);
  let_go(&h);
  ofw_stream_free(s);
}

/* Generated ratings stand row by row. */
static void test_generated_in_order(void **state)
{
  (void)state;
  ofw_stream *s = stream("matrix-completion:users=9,items=8,ratings=30,batch=10,order=file", NULL, 1, 2);
  held h = hold(ofw_stream_domain(s));
  for (uint64_t pass = 0; pass < 2; pass++)
    for (size_t t = 1, last = 0; t <= 3; t++) {
      const ofw_vec *v = reveal(s, 3 * pass + t, &h).loss_gradient.term;
      for (size_t k = 0; k < 10; k++) {
        assert_true(v->as.sparse.index[k] > last || (t == 1 && k == 0));
        last = v->as.sparse.index[k];
      }
    }
  let_go(&h);
  ofw_stream_free(s);
}

static void test_what_it_says(void **state)
{
  (void)state;
  ofw_stream *s = stream_over(",batch=2,radius=3");
  const ofw_constants *c = ofw_stream_constants(s);
  size_t rows, cols;
  double loss, L = 3.0 + 6.5 * sqrt(2.0), G = fmax(L, sqrt(CELLS));
  ofw_domain_shape(ofw_stream_domain(s), &rows, &cols);
  assert_true(rows == USERS && cols == ITEMS);
  assert_near(c->lipschitz, G, 1e-12 * G);
  assert_near(c->loss_bound, L * L / 2.0, 1e-12 * L * L);
  assert_bits(c->strong_convexity, 1.0);
  assert_int_equal(ofw_stream_target(s, 1, &loss), OFW_UNSUPPORTED);
  assert_int_equal(ofw_stream_comparator(s, 1, &loss), OFW_UNSUPPORTED);
  assert_string_equal(ofw_stream_note(s), "");
  assert_non_null(
      strstr(ofw_stream_config(s),
             " base=auto users=4 items=5 ratings=7 batch=2 order=shuffled constraint=uniform holdout=0 radius=3 "
             "duplicates=0 checksum="));
  assert_null(strstr(ofw_stream_config(s), "rank="));
  ofw_stream_free(s);
  write_text("1 1 1\n1 1 2\n1 1 3\n2 2 2\n");
  s = stream(spec_with(",batch=2"), NULL, 10, 3);
  unlink(path);
  assert_string_equal(
      ofw_stream_note(s),
      "the file rates some pairs of user and item more than once; the last rating of each counts (2 left "
      "out)");
  assert_non_null(strstr(ofw_stream_config(s), " ratings=2 "));
  assert_non_null(strstr(ofw_stream_config(s), " duplicates=2 checksum="));
  ofw_stream_free(s);
  s = stream("matrix-completion:users=9,items=8,ratings=30,batch=10", NULL, 1, 2);
  assert_string_equal(ofw_stream_note(s), "");
  assert_null(strstr(ofw_stream_config(s), "checksum"));
  assert_non_null(
      strstr(ofw_stream_config(s),
             " users=9 items=8 ratings=30 rank=5 batch=10 order=shuffled constraint=uniform holdout=0 radius="));
  ofw_stream_free(s);
}

/* A constant of the file's ratings holds wherever the decision is. */
static void test_bounds(void **state)
{
  (void)state;
  ofw_stream *s = stream_over(",batch=3,radius=2");
  const ofw_domain *K = ofw_stream_domain(s);
  const ofw_constants *c = ofw_stream_constants(s);
  held h = hold(K);
  uint64_t seed = 4;
  for (uint64_t t = 1; t <= 60; t++) {
    double gradient[CELLS];
    any_point(&seed, K, t % 2 == 0, h.x);
    ofw_full fb = reveal(s, t, &h);
    ofw_sum_dense(fb.loss_gradient, CELLS, gradient);
    assert_at_most(slow_norm(CELLS, gradient), c->lipschitz);
    assert_at_most(fb.values.loss, c->loss_bound);
    ofw_sum_dense(fb.constraint_gradient[0], CELLS, gradient);
    assert_at_most(slow_norm(CELLS, gradient), c->lipschitz);
  }
  let_go(&h);
  ofw_stream_free(s);
}

/* A run goes on to the same bits from its state, unless the file is another. */
static void test_state(void **state)
{
  (void)state;
  static const char *const order[] = {"shuffled", "file", "time"};
  for (size_t i = 0; i < 3; i++) {
    char more[40];
    snprintf(more, sizeof more, ",batch=2,order=%s", order[i]);
    plan p = {"ofw-tvc", NULL, spec, "step=50", 40, 5};
    write_text(text);
    spec_with(more);
    played whole = set_up(&p), second = set_up(&p);
    FILE *file = fopen(path, "w"); /* the same rows but one */
    assert_non_null(file);
    fprintf(file, "%.*s2,3,0.75,60\n", (int)strlen(text) - 11, text);
    fclose(file);
    played other = set_up(&p);
    unlink(path);
    ofw_state s = {0};
    assert_int_equal(ofw_run_play(whole.run, 17, NULL, NULL), OFW_OK);
    assert_int_equal(ofw_run_save(whole.run, &s), OFW_OK);
    assert_int_equal(ofw_run_load(second.run, &s), OFW_OK);
    assert_int_equal(ofw_run_play(whole.run, 23, NULL, NULL), OFW_OK);
    assert_int_equal(ofw_run_play(second.run, 23, NULL, NULL), OFW_OK);
    check_same_row(ofw_run_account(second.run), ofw_run_account(whole.run));
    assert_true(isnan(ofw_run_account(whole.run)->target_loss_sum));
    assert_int_equal(ofw_run_load(other.run, &s), OFW_BAD_DATA);
    assert_non_null(strstr(ofw_run_error(other.run), "a state saved with 'checksum="));
    ofw_state_free(&s);
    clear_away(&whole), clear_away(&second), clear_away(&other);
  }
}

static void test_refusals(void **state)
{
  (void)state;
  ofw_domain *turned = domain("trace-ball:rows=5,cols=4");
  write_text(text);
  stream_refused(spec_with(",ratings=5"), NULL,
                 "matrix-completion: ratings works only with generated ratings; leave out file or the other option");
  stream_refused(spec_with(",rank=5"), NULL,
                 "matrix-completion: rank works only with generated ratings; leave out file or the other option");
  stream_refused("matrix-completion:base=1", NULL,
                 "matrix-completion: base needs a file of ratings, and no file is given");
  stream_refused("matrix-completion:order=time", NULL, "matrix-completion: order=time needs a file with times");
  stream_refused(spec_with(",batch=8"), NULL, "matrix-completion: batch=8 is more than ratings=7");
  stream_refused(spec_with(",batch=2"), turned, "matrix-completion: the domain is 5 x 4, but the ratings are 4 x 5");
  ofw_error err = {0};
  assert_null(ofw_stream_create(spec_with(",users=3"), NULL, 10, 1, &err));
  assert_int_equal(err.status, OFW_BAD_DATA);
  snprintf(message, sizeof message, "%s:3: user 4 is out of range for users=3", path);
  assert_string_equal(err.message, message);
  unlink(path);
  assert_null(ofw_stream_create(spec, NULL, 10, 1, &err));
  assert_int_equal(err.status, OFW_BAD_DATA);
  snprintf(message, sizeof message, "cannot read %s: No such file or directory", path);
  assert_string_equal(err.message, message);
  ofw_domain_free(turned);
}

/* A matrix that no memory holds is no reason to refuse its ratings. */
static void test_large(void **state)
{
  (void)state;
  double mean, item_mean;
  write_text("162541 59047 3\n1 59047 4\n162541 1 5\n1 1 4\n");
  snprintf(spec, sizeof spec, "matrix-completion:file=%s,batch=1,holdout=0.25,constraint=exposure", path);
  ofw_stream *s = stream(spec, NULL, 1, 1);
  unlink(path);
  assert_true(ofw_domain_dim(ofw_stream_domain(s)) == (size_t)9597558427);
  assert_int_equal(ofw_stream_held_out_baselines(s, &mean, &item_mean), OFW_OK);
  ofw_stream_free(s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_large),        cmocka_unit_test(test_orders),
      cmocka_unit_test(test_shuffled),     cmocka_unit_test(test_generated_in_order),
      cmocka_unit_test(test_what_it_says), cmocka_unit_test(test_bounds),
      cmocka_unit_test(test_state),        cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
