/* A run that is saved anywhere, thrown away and loaded into fresh handles goes on bit for bit: every learner, option,
 * domain and stream. */
#include "property/everything.h"

#include <stdlib.h>

enum { ROUNDS = 24 };

typedef struct game {
  ofw_domain *K;
  ofw_stream *stream;
  ofw_learner *learner;
  ofw_run *run;
} game;

static const char *stream_spec;

static game open_game(const setting *s)
{
  game g = {0};
  g.K = s->domain ? make_domain(s->domain) : NULL;
  g.stream = make_stream(stream_for(s, stream_spec), g.K, ROUNDS, 5);
  ofw_constants c = *ofw_stream_constants(g.stream);
  c.strong_convexity = c.strong_convexity > 0.0 ? c.strong_convexity : 0.5; /* for learners that ask for it */
  g.learner = make_learner(s, ofw_stream_domain(g.stream), ROUNDS, &c, 0, NULL);
  g.run = ofw_run_create(g.learner, g.stream, NULL);
  assert_non_null(g.run);
  return g;
}

static void close_game(game *g)
{
  ofw_run_free(g->run);
  ofw_learner_free(g->learner);
  ofw_stream_free(g->stream);
  ofw_domain_free(g->K);
}

/* The decision and the account after the last round; the clock left out. */
static double *final_numbers(game *g, size_t *n)
{
  const ofw_point *x;
  size_t dim = ofw_domain_dim(ofw_stream_domain(g->stream)), fields = sizeof(ofw_trace_row) / sizeof(double);
  double *out = calloc(dim + fields, sizeof *out);
  assert_non_null(out);
  assert_int_equal(ofw_learner_decide(g->learner, &x), OFW_OK);
  assert_int_equal(ofw_point_dense(x, out), OFW_OK);
  ofw_trace_row row = *ofw_run_account(g->run);
  row.seconds = 0.0;
  memcpy(out + dim, &row, sizeof row);
  *n = dim + fields;
  return out;
}

static void play(game *g, uint64_t rounds)
{
  if (ofw_run_play(g->run, rounds, NULL, NULL) != OFW_OK)
    fail_msg("%s", ofw_run_error(g->run));
}

static void splits(const setting *s)
{
  size_t n, m;
  game whole = open_game(s);
  play(&whole, ROUNDS);
  double *expected = final_numbers(&whole, &n);
  for (uint64_t at = 0; at <= ROUNDS; at += 1 + at / 3) {
    ofw_state state = {0};
    game first = open_game(s);
    play(&first, at);
    assert_int_equal(ofw_run_save(first.run, &state), OFW_OK);
    close_game(&first);
    game second = open_game(s);
    if (at % 2 == 0)
      play(&second,
           3); /* into a used handle: loading must overwrite everything; else into a new one, which has no caches yet */
    if (ofw_run_load(second.run, &state) != OFW_OK)
      fail_msg("%s", ofw_run_error(second.run));
    play(&second, ROUNDS - at);
    double *got = final_numbers(&second, &m);
    if (n != m || memcmp(expected, got, n * sizeof *got) != 0)
      fail_msg("%s %s %s %s: a split after round %d changes the run", s->learner, s->option, s->domain ? s->domain : "",
               stream_spec, (int)at);
    free(got);
    close_game(&second);
    ofw_state_free(&state);
  }
  free(expected);
  close_game(&whole);
}

static void test_every_setting(void **unused)
{
  (void)unused;
  stream_spec = "quadratic";
  for_each_setting(splits);
}

/* A stream that asks for a domain of its own gets it. */
static void test_every_stream(void **unused)
{
  (void)unused;
  for (size_t i = 0; i < ofw_stream_types(); i++) {
    stream_spec = ofw_stream_type(i)->example;
    if (!stream_spec)
      continue; /* needs a file: unit/stream covers it */
    ofw_stream *own = ofw_stream_create(stream_spec, NULL, ROUNDS, 5, NULL);
    for (size_t k = i % one_in(); k < ofw_learner_types(); k += one_in()) {
      setting s = {ofw_learner_type(k)->name, "", own ? NULL : "simplex:dim=8,sum=2.5", 0};
      if (!own || is_offered(&s, ofw_stream_domain(own)))
        splits(&s);
    }
    ofw_stream_free(own);
  }
}

/* Matrices so large that searches read copies of d, which no state has, and that operations go by parts. */
static void test_large_matrices(void **unused)
{
  (void)unused;
  static const char *const learners[] = {"ofw-ada", "ofw-tvc", "scofw-tvc"};
  static const char *const storages[] = {"storage=double", "storage=float", "storage=factored"};
  static const char *const streams[] = {
      "matrix-completion:users=301,items=283,ratings=20000,batch=200",
      "matrix-completion:users=301,items=283,ratings=20000,batch=200,constraint=exposure"};
  for (size_t i = 0; i < 3; i++)
    for (size_t j = 0; j < 3; j++) {
      setting s = {learners[i], "", NULL, 0};
      snprintf(s.option, sizeof s.option, "%s", storages[j]);
      stream_spec = streams[j == 2]; /* factors cannot have uniform draws */
      splits(&s);
    }
}

/* Between the decision and its feedback as well. */
static void test_between_decide_and_observe(void **unused)
{
  (void)unused;
  ofw_constants c = {.lipschitz = 2.0, .strong_convexity = 1.0};
  double gradient[9] = {1, -1, 0.5, 0, 0, 0, 0.25, 0, 0}, g = 0.5;
  ofw_vec f = ofw_vec_dense(9, gradient), h = ofw_vec_dense(9, gradient);
  ofw_sum grad_g = {1, &h};
  ofw_full fb = {{1.0, 1, &g}, {1, &f}, &grad_g};
  ofw_domain *K = make_domain("l1-ball:dim=9,radius=3");
  for (size_t i = 0; i < ofw_learner_types(); i++) {
    setting s = {ofw_learner_type(i)->name, "", "", 0};
    ofw_learner *a = make_learner(&s, K, 10, &c, 0, NULL), *b = make_learner(&s, K, 10, &c, 0, NULL);
    ofw_state state = {0};
    const ofw_point *x;
    double left[9], right[9];
    assert_int_equal(ofw_learner_decide(a, &x), OFW_OK);
    assert_int_equal(ofw_learner_save_state(a, &state), OFW_OK);
    assert_int_equal(ofw_learner_load_state(b, &state), OFW_OK);
    for (int t = 1; t <= 10; t++) { /* over the end of every learner's blocks */
      assert_int_equal(tell(a, &fb), OFW_OK);
      assert_int_equal(tell(b, &fb), OFW_OK); /* the loaded one knows what it has decided */
      assert_int_equal(ofw_learner_decide(a, &x), OFW_OK);
      ofw_point_dense(x, left);
      assert_int_equal(ofw_learner_decide(b, &x), OFW_OK);
      ofw_point_dense(x, right);
      assert_memory_equal(left, right, sizeof left);
    }
    ofw_state_free(&state);
    ofw_learner_free(a);
    ofw_learner_free(b);
  }
  ofw_domain_free(K);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_setting),
      cmocka_unit_test(test_every_stream),
      cmocka_unit_test(test_large_matrices),
      cmocka_unit_test(test_between_decide_and_observe),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
