/* A cell comes to what a run by hand comes to; its key tells it from every other. */
#include "unit/run/played.h"

#include "lab/cell.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const lab_setup linear = {.learner = "ofw-tvc", .stream = "linear", .domain = "l2-ball:dim=4"};

static lab_cell cell(const lab_setup *of, double a, double b, uint64_t rounds, uint64_t seed)
{
  return (lab_cell){.of = of, .factor = {a, b}, .rounds = rounds, .seed = seed};
}

static lab_result play(const lab_cell *c)
{
  lab_result r;
  assert_int_equal(lab_cell_play(c, NULL, &r), OFW_OK);
  return r;
}

/* The same by the public calls, one option set. */
static double loss_by_hand(const char *learner_name, const char *stream_spec, const char *domain_spec, const char *set,
                           uint64_t rounds, uint64_t seed)
{
  ofw_domain *K = domain(domain_spec);
  ofw_stream *s = stream(stream_spec, K, rounds, seed);
  const ofw_constants *c = ofw_stream_constants(s);
  ofw_learner_settings settings = {.size = sizeof settings,
                                   .horizon = rounds,
                                   .lipschitz = c->lipschitz,
                                   .loss_bound = c->loss_bound,
                                   .strong_convexity = c->strong_convexity,
                                   .seed = seed,
                                   .sets = set != NULL,
                                   .set = &set};
  ofw_learner *l = ofw_learner_create(learner_name, K, &settings, NULL);
  assert_non_null(l);
  ofw_run *run = ofw_run_create(l, s, NULL);
  assert_int_equal(ofw_run_play(run, rounds, NULL, NULL), OFW_OK);
  double loss = ofw_run_account(run)->loss_sum;
  ofw_run_free(run);
  ofw_learner_free(l);
  ofw_stream_free(s);
  ofw_domain_free(K);
  return loss;
}

static void test_plays(void **state)
{
  (void)state;
  lab_cell c = cell(&linear, 1, 1, 300, 7);
  lab_result r = play(&c);
  assert_int_equal(r.status, OFW_OK);
  assert_int_equal(r.metrics.rounds, 300);
  assert_bits(r.metrics.loss, loss_by_hand("ofw-tvc", "linear", "l2-ball:dim=4", NULL, 300, 7));
  assert_near(r.G, 1.0, 0.0);
  assert_near(r.D, 2.0, 0.0);
  assert_true(!isnan(r.metrics.soft_violation)); /* every round was seen */
  assert_true(r.metrics.interval_regret >= r.metrics.regret);
}

/* A factor multiplies what the learner has: a default, what a preset gives, what is set, what depends on the set. */
static void test_factors(void **state)
{
  (void)state;
  static const char *const preset[] = {"preset=tight"}, *const set[] = {"step=3"};
  static const struct {
    lab_setup of;
    double factor[2];
    const char *scaled[2];
  } cases[] = {
      {{.learner = "ofw-tvc", .stream = "linear", .domain = "l2-ball:dim=4"}, {10, 1}, {"step=10", ""}},
      {{.learner = "ofw-tvc", .stream = "linear", .domain = "l2-ball:dim=4"}, {1, 1000}, {"", "gamma-scale=1000"}},
      {{.learner = "ofw-tvc", .stream = "linear", .domain = "l2-ball:dim=4", .set = preset, .sets = 1},
       {10, 0.5},
       {"step=20", "gamma-scale=0.5"}},
      {{.learner = "ofw-tvc", .stream = "linear", .domain = "l2-ball:dim=4", .set = set, .sets = 1},
       {10, 1},
       {"step=30", ""}},
      {{.learner = "scbfw-tvc", .stream = "quadratic", .domain = "l2-ball:dim=4,radius=3"}, {1, 0.5}, {"", "c=0.75"}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    lab_cell c = cell(&cases[i].of, cases[i].factor[0], cases[i].factor[1], 200, 1);
    char scaled[2][LAB_SCALED_TEXT];
    ofw_error err = {0};
    if (lab_cell_scaled(&c, scaled, &err) != OFW_OK)
      fail_msg("%s", err.message);
    assert_string_equal(scaled[0], cases[i].scaled[0]);
    assert_string_equal(scaled[1], cases[i].scaled[1]);
  }
  lab_cell c = cell(&cases[3].of, 10, 1, 200, 1);
  lab_result r = play(&c);
  assert_bits(r.metrics.loss, loss_by_hand("ofw-tvc", "linear", "l2-ball:dim=4", "step=30", 200, 1));
}

static void fails(const lab_cell *c, ofw_status status, const char *message)
{
  ofw_error err = {0};
  assert_int_equal(lab_cell_check(c, &err), status);
  assert_string_equal(err.message, message);
  lab_result r = play(c);
  assert_int_equal(r.status, status);
  assert_string_equal(r.error, message);
  lab_result_free(&r);
  assert_null(r.error);
}

static void test_failures(void **state)
{
  (void)state;
  lab_setup of = linear;
  lab_cell c = cell(&of, 1, 1, 50, 1);
  of.learner = "ofw-tvd";
  fails(&c, OFW_USAGE, "no learner 'ofw-tvd'; did you mean 'ofw-tvc'?");
  of = linear, of.stream = "linear:colour=1";
  fails(&c, OFW_USAGE, "linear: no option 'colour'; it has drift, tight, lipschitz");
  of = linear, of.domain = "l3-ball:dim=4";
  fails(&c, OFW_USAGE, "no domain 'l3-ball'; did you mean 'l1-ball'?");
  of = linear, of.domain = NULL;
  fails(&c, OFW_USAGE, "linear: a domain is needed");
  of = linear, of.learner = "scofw-tvc";
  fails(&c, OFW_USAGE, "scofw-tvc: a strong convexity above 0 is needed; for other losses use ofw-tvc");
  of = linear, of.learner = "scbfw-tvc", of.stream = "quadratic";
  c.factor[1] = 1e5;
  fails(&c, OFW_USAGE, "scbfw-tvc: c=50000 probes 13572.1 away, but the set holds only a ball of radius 1");
}

static void test_a_stream_without_constants(void **state)
{
  (void)state;
  char path[] = "/tmp/ofw-lines-XXXXXX", spec[64];
  int file = mkstemp(path);
  dprintf(file, "{\"loss\":1,\"loss_gradient\":[0,0]}\n");
  close(file);
  snprintf(spec, sizeof spec, "replay:file=%s", path);
  lab_setup of = {.learner = "ofw-tvc", .stream = spec, .domain = "l2-ball:dim=2"};
  lab_cell c = cell(&of, 1, 1, 3, 1);
  lab_result r = play(&c); /* a file states no G */
  assert_int_equal(r.status, OFW_USAGE);
  lab_result_free(&r);
  unlink(path);
}

static void test_stops(void **state)
{
  (void)state;
  lab_cell c = cell(&linear, 1, 1, 500, 1);
  const atomic_int stop = 1;
  lab_result r;
  assert_int_equal(lab_cell_play(&c, &stop, &r), OFW_END);
  assert_null(r.error);
}

static void test_keys(void **state)
{
  (void)state;
  static const char *const one[] = {"sigma=line-search"}, *const two[] = {"sigma=line-search", "step=2"},
                           *const odd[] = {"a=b seed=9\t%"};
  lab_setup setups[] = {linear, linear, linear, linear, linear, linear, linear, linear};
  setups[1].learner = "scofw-tvc";
  setups[2].stream = "linear:drift=0.5";
  setups[3].domain = "l1-ball:dim=4";
  setups[4].set = one, setups[4].sets = 1;
  setups[5].set = two, setups[5].sets = 2;
  setups[6].set = odd, setups[6].sets = 1;
  setups[7].untold = 1;
  enum { SETUPS = sizeof setups / sizeof *setups, CELLS = SETUPS * 5 };
  char *key[CELLS];
  size_t n = 0;
  for (size_t i = 0; i < SETUPS; i++) {
    const lab_cell cells[] = {cell(&setups[i], 1, 1, 10, 1), cell(&setups[i], 10, 1, 10, 1),
                              cell(&setups[i], 1, 10, 10, 1), cell(&setups[i], 1, 1, 11, 1),
                              cell(&setups[i], 1, 1, 10, 2)};
    for (size_t k = 0; k < 5; k++) {
      key[n] = lab_cell_key(&cells[k]);
      assert_non_null(key[n]);
      assert_null(strpbrk(key[n], "\t\n"));
      n++;
    }
  }
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < i; k++)
      assert_string_not_equal(key[i], key[k]);
  assert_string_equal(key[0], "learner=ofw-tvc stream=linear domain=l2-ball:dim=4 factors=1,1 horizon=rounds rounds=10 "
                              "seed=1");
  for (size_t i = 0; i < n; i++)
    free(key[i]);
}

static void test_escapes(void **state)
{
  (void)state;
  uint64_t seed = 1;
  for (int trial = 0; trial < 1000; trial++) {
    char text[40];
    size_t n = any_below(&seed, sizeof text);
    for (size_t i = 0; i < n; i++)
      text[i] = (char)(1 + any_below(&seed, 255));
    text[n] = 0;
    char *escaped = lab_escape(text);
    assert_null(strpbrk(escaped, " \t\n"));
    lab_unescape(escaped);
    assert_string_equal(escaped, text);
    free(escaped);
  }
}

/* What nothing wrote: no code of two digits, also where the text ends within one. */
static void test_what_is_no_escape_stays(void **state)
{
  (void)state;
  static const char *const text[][2] = {
      {"%", "%"},         {"%4", "%4"},   {"a%", "a%"},     {"%4g", "%4g"}, {"%g4", "%g4"},          {"%%41", "%A"},
      {"%0x41", "%0x41"}, {"%+1", "%+1"}, {"%4a%4A", "JJ"}, {"% 1", "% 1"}, {"%C3%a4%", "\xc3\xa4%"}};
  for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
    char *there = ofw_copy_text(text[i][0]); /* where it ends exactly, so that a step beyond is seen */
    lab_unescape(there);
    assert_string_equal(there, text[i][1]);
    free(there);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_what_is_no_escape_stays),
      cmocka_unit_test(test_plays),
      cmocka_unit_test(test_factors),
      cmocka_unit_test(test_failures),
      cmocka_unit_test(test_a_stream_without_constants),
      cmocka_unit_test(test_stops),
      cmocka_unit_test(test_keys),
      cmocka_unit_test(test_escapes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
