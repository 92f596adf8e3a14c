#include "unit/stream/generated.h"

/* A caller's game: f_t(x) = t x_0, one constraint x_1 - 1 <= 0. Fails in the rounds that it is told to. */
typedef struct game {
  double g, gradient[3];
  size_t index;
  double one;
  ofw_vec f, c;
  ofw_sum constraint;
  uint64_t fails_at;
  int code;
  uint64_t last; /* the round that was asked for last */
} game;

static int play(void *ctx, uint64_t t, const ofw_point *x, ofw_full *out)
{
  game *now = ctx;
  now->last = t;
  if (t == now->fails_at)
    return now->code;
  size_t index[] = {0, 1};
  double at[2];
  if (ofw_point_entries(x, 2, index, at) != OFW_OK)
    return -1;
  now->gradient[0] = (double)t;
  now->g = at[1] - 1.0;
  *out = (ofw_full){.values = {(double)t * at[0], 1, &now->g},
                    .loss_gradient = {1, &now->f},
                    .constraint_gradient = &now->constraint};
  return 0;
}

static int best(void *ctx, uint64_t t, double *loss)
{
  game *now = ctx;
  if (t == now->fails_at)
    return now->code;
  *loss = -(double)t;
  return 0;
}

static game now;
static ofw_stream_callbacks own;
static ofw_domain *K;

static int begin(void **state)
{
  (void)state;
  now = (game){.index = 1, .one = 1.0};
  now.f = ofw_vec_dense(3, now.gradient);
  now.c = ofw_vec_sparse(1, &now.index, &now.one);
  now.constraint = (ofw_sum){1, &now.c};
  own = (ofw_stream_callbacks){sizeof own, {4.0, 5.0, 0.5, OFW_TERMS_ANY}, play, best, &now, NULL};
  K = domain("l2-ball:dim=3");
  return 0;
}

static int end(void **state)
{
  (void)state;
  ofw_domain_free(K);
  return 0;
}

static ofw_stream *made(void)
{
  ofw_error err = {0};
  ofw_stream *s = ofw_stream_create_own(&own, K, &err);
  assert_non_null(s);
  assert_string_equal(err.message, "");
  return s;
}

static void test_passes_through(void **state)
{
  (void)state;
  ofw_stream *s = made();
  own.reveal = NULL; /* the stream has its own copy */
  held h = hold(K);
  h.x[0] = 0.5;
  h.x[1] = -0.25;
  for (uint64_t t = 1; t < 5; t++) {
    double a[3], loss;
    ofw_full fb = reveal(s, t, &h);
    assert_int_equal(now.last, t);
    assert_bits(fb.values.loss, 0.5 * (double)t);
    assert_bits(fb.values.constraint[0], -1.25);
    ofw_sum_dense(fb.loss_gradient, 3, a);
    assert_bits(a[0], (double)t);
    assert_int_equal(ofw_stream_comparator(s, t, &loss), OFW_OK);
    assert_bits(loss, -(double)t);
    assert_int_equal(ofw_stream_target(s, t, &loss), OFW_UNSUPPORTED);
  }
  assert_memory_equal(ofw_stream_constants(s), &own.constants, sizeof own.constants);
  assert_ptr_equal(ofw_stream_domain(s), K);
  assert_string_equal(ofw_stream_config(s), "stream=own");
  let_go(&h);
  ofw_stream_free(s);
}

static void test_failing_reveal(void **state)
{
  (void)state;
  ofw_stream *s = made();
  held h = hold(K);
  ofw_full fb = {0};
  static const int codes[] = {1, 7, -3};
  static const char *const said[] = {"the stream's own reveal returned 1", "the stream's own reveal returned 7",
                                     "the stream's own reveal returned -3"};
  now.fails_at = 3;
  for (size_t k = 0; k < 3; k++) {
    now.code = codes[k];
    assert_int_equal(ofw_stream_reveal(s, 3, &h.at, &fb), OFW_FAILED);
    assert_string_equal(ofw_stream_error(s), said[k]);
    reveal(s, 4, &h); /* others still work, and clear the message */
    assert_string_equal(ofw_stream_error(s), "");
  }
  let_go(&h);
  ofw_stream_free(s);
}

static void test_comparator(void **state)
{
  (void)state;
  double loss = 9.0;
  now.fails_at = 2;
  now.code = 5;
  ofw_stream *s = made();
  assert_int_equal(ofw_stream_comparator(s, 2, &loss), OFW_FAILED);
  assert_string_equal(ofw_stream_error(s), "the stream's own comparator returned 5");
  ofw_stream_free(s);
  own.comparator = NULL;
  s = made();
  assert_int_equal(ofw_stream_comparator(s, 1, &loss), OFW_UNSUPPORTED);
  assert_bits(loss, 9.0);
  ofw_stream_free(s);
}

/* What makes no sense never reaches the callback. */
static void test_checked_before(void **state)
{
  (void)state;
  ofw_stream *s = made();
  ofw_domain *other = domain("l2-ball:dim=4");
  held fits = hold(K), wrong = hold(other);
  ofw_full fb = {0};
  assert_int_equal(ofw_stream_reveal(s, 0, &fits.at, &fb), OFW_USAGE);
  assert_int_equal(ofw_stream_reveal(s, 1, &wrong.at, &fb), OFW_USAGE);
  assert_string_equal(ofw_stream_error(s), "the decision has dimension 4, but the stream has 3");
  assert_int_equal(now.last, 0);
  let_go(&fits), let_go(&wrong);
  ofw_domain_free(other);
  ofw_stream_free(s);
}

static void test_refused(void **state)
{
  (void)state;
  static const char message[] = "own stream: reveal and a domain must be set";
  ofw_error err = {0};
  assert_null(ofw_stream_create_own(NULL, K, &err));
  assert_string_equal(err.message, "ofw_stream_callbacks: size is 0; set it to sizeof(ofw_stream_callbacks)");
  assert_int_equal(err.status, OFW_USAGE);
  assert_null(ofw_stream_create_own(&own, NULL, &err));
  assert_null(ofw_stream_create_own(&own, NULL, NULL));
  ofw_stream_callbacks bad = own;
  bad.reveal = NULL;
  assert_null(ofw_stream_create_own(&bad, K, &err));
  bad = own;
  bad.size = offsetof(ofw_stream_callbacks, reveal); /* a version without that function */
  assert_null(ofw_stream_create_own(&bad, K, &err));
  assert_string_equal(err.message, message);
}

static int reveal_nothing(void *ctx, uint64_t t, const ofw_point *x, ofw_full *out)
{
  (void)t, (void)x;
  *out = (ofw_full){0};
  return ctx != NULL;
}

/* The callbacks as they might have been in an older version: the rest has its defaults, and is not read. */
typedef struct older_callbacks {
  size_t size;
  ofw_constants constants;
  int (*reveal)(void *ctx, uint64_t t, const ofw_point *x, ofw_full *out);
} older_callbacks;

static void test_of_an_older_version(void **state)
{
  (void)state;
  older_callbacks *old = malloc(sizeof *old);
  assert_non_null(old);
  *old = (older_callbacks){sizeof *old, own.constants, reveal_nothing};
  ofw_stream *s = ofw_stream_create_own((void *)old, K, NULL);
  free(old);
  assert_non_null(s);
  held h = hold(K);
  ofw_full fb;
  double loss;
  assert_int_equal(ofw_stream_reveal(s, 1, &h.at, &fb), OFW_OK);
  assert_int_equal(ofw_stream_comparator(s, 1, &loss), OFW_UNSUPPORTED);
  let_go(&h);
  ofw_stream_free(s);
}

static int hint(void *ctx, uint64_t t, const ofw_point *x, ofw_hint *out)
{
  (void)ctx, (void)x;
  static const double value = 0.25;
  if (t % 2)
    *out = (ofw_hint){sizeof *out, 0, &value, NULL};
  return t == 4 ? 9 : 0;
}

static void test_hint(void **state)
{
  (void)state;
  ofw_hint told;
  own.hint = hint;
  ofw_stream *s = ofw_stream_create_own(&own, K, NULL);
  held x = hold(K);
  for (uint64_t t = 1; t <= 3; t++) {
    assert_int_equal(ofw_stream_hint(s, t, &x.at, &told), OFW_OK);
    assert_int_equal(told.size, t % 2 ? sizeof told : 0);
  }
  assert_int_equal(ofw_stream_hint(s, 4, &x.at, &told), OFW_FAILED);
  assert_string_equal(ofw_stream_error(s), "the stream's own hint returned 9");
  let_go(&x);
  ofw_stream_free(s);
}

static void test_keeps_its_domain(void **state)
{
  (void)state;
  ofw_stream *s = made();
  held h = hold(K);
  ofw_domain_free(K);
  reveal(s, 1, &h);
  assert_int_equal(ofw_domain_dim(ofw_stream_domain(s)), 3);
  let_go(&h);
  ofw_stream_free(s);
  K = NULL;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_passes_through, begin, end),
      cmocka_unit_test_setup_teardown(test_failing_reveal, begin, end),
      cmocka_unit_test_setup_teardown(test_comparator, begin, end),
      cmocka_unit_test_setup_teardown(test_hint, begin, end),
      cmocka_unit_test_setup_teardown(test_checked_before, begin, end),
      cmocka_unit_test_setup_teardown(test_refused, begin, end),
      cmocka_unit_test_setup_teardown(test_of_an_older_version, begin, end),
      cmocka_unit_test_setup_teardown(test_keeps_its_domain, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
