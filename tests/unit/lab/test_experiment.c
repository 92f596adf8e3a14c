/* Experiment files: what they ask for, every refusal with its line, and the order of the plan. */
#include "unit/base/check.h"

#include "base/basics.h"
#include "lab/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD    "[experiment]\ntitle = t\nrounds = 10\n"                /* lines 1 to 3 */
#define STREAM  "[stream s]\nstream = linear\ndomain = l2-ball:dim=2\n" /* lines 4 to 6 */
#define LEARNER "[learner ofw]\n"                                       /* line 7 */
#define GAME    HEAD STREAM LEARNER

static const struct {
  const char *text, *message;
} refusals[] = {
    /* lines */
    {"x = 1\n", "a.ini:1: 'x' is before the first [section]"},
    {"; only this\n\n[experiment\n", "a.ini:3: expected [section] or key = value"},
    {"[experiment]\n\ntitle\n", "a.ini:3: expected [section] or key = value"},
    {"[experiment]\ntitle\n[what]\nx = 1\n", "a.ini:2: expected [section] or key = value"},
    {"[experiment]\ntitle = a\n= 3\n", "a.ini:3: expected a key before '='"},
    {"[experiment]\ntitle = a\nrounds = 1\ntitle = b\n", "a.ini:4: title is given twice, first in line 2"},
    {"[experiment]\ntitle = a\x07"
     "b\n",
     "a.ini:2: byte 10 is 0x07, a control character or not UTF-8; remove it"},
    {"[experiment]\r\n; caf\xe9\n", "a.ini:2: byte 6 is 0xe9, a control character or not UTF-8; remove it"},
    {"[experiment]\ntitle = a\rb\n", "a.ini:2: byte 10 is 0x0d, a control character or not UTF-8; remove it"},
    /* sections */
    {HEAD "[streams s]\nstream = linear\n", "a.ini:4: there is no section [streams]; did you mean [stream]?"},
    {HEAD "[somewhere]\n", "a.ini:4: there is no section [somewhere]"},
    {HEAD "[stream]\nstream = linear\n", "a.ini:4: [stream] needs a label, as in [stream NAME]"},
    {GAME "[learner a, b]\n", "a.ini:8: expected a label without a comma"},
    {GAME "[stream s]\nstream = linear\n", "a.ini:8: [stream s] appears twice, first in line 4"},
    {HEAD HEAD, "a.ini:4: [experiment] appears twice, first in line 1"},
    {"[experiment here]\n", "a.ini:1: [experiment] has no label"},
    {STREAM LEARNER, "a.ini: there is no [experiment]"},
    {HEAD LEARNER, "a.ini: there is no [stream NAME]"},
    {HEAD STREAM, "a.ini: there is no [learner NAME]"},
    {"", "a.ini: there is no [experiment]"},
    /* [experiment] */
    {"[experiment]\nround = 10\n", "a.ini:2: [experiment] has no key 'round'; did you mean 'rounds'?"},
    {"[experiment]\nwhatever = 10\n",
     "a.ini:2: [experiment] has no key 'whatever'; its keys: title, rounds, seeds, seed, tune-seeds, series"},
    {"[experiment]\nrounds = 10\n", "a.ini:1: [experiment] needs title = ..."},
    {"[experiment]\ntitle =\nrounds = 10\n", "a.ini:2: title: expected a value, found none"},
    {"[experiment]\ntitle = t\n", "a.ini:1: [experiment] needs rounds = ..."},
    {"[experiment]\nrounds = 0\n", "a.ini:2: rounds: '0': expected a whole number from 1 to 1000000000000"},
    {"[experiment]\nrounds = 10, 20, 20\n", "a.ini:2: rounds: '20' is given twice"},
    {"[experiment]\nrounds = 10, 30, 20\n",
     "a.ini:2: rounds: 20 is not above the previous number; write them in increasing order"},
    {"[experiment]\nrounds = 10,\n x\n", "a.ini:2: rounds: 'x': expected a whole number from 1 to 1000000000000"},
    {"[experiment]\nrounds = 1.5\n", "a.ini:2: rounds: '1.5': expected a whole number from 1 to 1000000000000"},
    {"[experiment]\nseeds = many\n", "a.ini:2: seeds: 'many': expected a whole number from 0 to 1000000"},
    {"[experiment]\nseed = -1\n", "a.ini:2: seed: '-1': expected a whole number from 0 to 4611686018427387904"},
    {"[experiment]\ntune-seeds = 0\n", "a.ini:2: tune-seeds: '0': expected a whole number from 1 to 10000"},
    {"[experiment]\nseries = 0\n", "a.ini:2: series: '0': expected a whole number from 1 to 1000000"},
    /* [stream] */
    {HEAD "[stream s]\n", "a.ini:4: [stream s] needs stream = ..."},
    {HEAD "[stream s]\nstream = linear\nset = l2-ball\n",
     "a.ini:6: [stream] has no key 'set'; its keys: stream, domain"},
    {HEAD "[stream s]\nstream = linear\ndomain =\n", "a.ini:6: domain: expected a value, found none"},
    /* [learner] */
    {HEAD STREAM "[learner ofw-tvd]\n", "a.ini:7: no learner 'ofw-tvd'; did you mean 'ofw-tvc'?"},
    {HEAD STREAM "[learner A]\ntune = no\nlearner = ofw-tvd\n",
     "a.ini:9: no learner 'ofw-tvd'; did you mean 'ofw-tvc'?"},
    {HEAD STREAM "[learner ofw-tvc]\nsteps = 1\n", "a.ini:8: ofw-tvc: no option 'steps'; did you mean 'step'?"},
    {HEAD STREAM "[learner ofw-tvc]\nstep = 1, x\n", "a.ini:8: ofw-tvc: step=x is not a number"},
    {HEAD STREAM "[learner ofw-tvc]\nsigma = bold\n", "a.ini:8: ofw-tvc: sigma=bold is not one of printed|line-search"},
    {HEAD STREAM "[learner ofw-tvc]\nstep = 1,, 2\n",
     "a.ini:8: step: expected a value before, after and between commas"},
    {HEAD STREAM "[learner ofw-tvc]\nstep = 1, 2, 1\n", "a.ini:8: step: '1' is given twice"},
    {HEAD STREAM "[learner ofw-tvc]\nstep =\n", "a.ini:8: step: expected a value before, after and between commas"},
    {HEAD STREAM "[learner ofw-tvc]\ntune = maybe\n", "a.ini:8: tune: expected yes, fine or no, found 'maybe'"},
    {HEAD STREAM "[learner ogd]\ntune = yes\n",
     "a.ini:8: tune: ogd has no constants to tune by default; add constants = A, B"},
    {HEAD STREAM "[learner ofw-tvc]\nconstants = beta, gamma\n",
     "a.ini:8: constants: nothing is tuned; add tune = yes or tune = fine"},
    {HEAD STREAM "[learner ofw-tvc]\ntune = no\nconstants = beta, gamma\n",
     "a.ini:9: constants: nothing is tuned; add tune = yes or tune = fine"},
    {HEAD STREAM "[learner ofw-tvc]\ntune = fine\nconstants = beta\n",
     "a.ini:9: constants: expected two names separated by a comma, found 1"},
    {HEAD STREAM "[learner ofw-tvc]\ntune = fine\nconstants = beta, beta\n",
     "a.ini:9: constants: 'beta' is given twice"},
    {HEAD STREAM "[learner ofw-tvc]\ntune = fine\nconstants = beta, gama\n",
     "a.ini:9: ofw-tvc: no option 'gama'; did you mean 'gamma'?"},
    {HEAD STREAM "[learner ofw-tvc]\ntune = fine\nconstants = sigma, beta\n",
     "a.ini:9: ofw-tvc: sigma is not a number, so it cannot be tuned"},
    {HEAD STREAM "[learner ofw-tvc]\ntune = fine\nconstants = beta, lipschitz\n",
     "a.ini:9: ofw-tvc: lipschitz is not a number, so it cannot be tuned"},
    {HEAD STREAM "[learner scbfw-tvc]\ntune = fine\nconstants = beta, block\n",
     "a.ini:9: scbfw-tvc: block is not a number, so it cannot be tuned"},
    {HEAD STREAM "[learner ofw]\nfigure = ../pwn\n",
     "a.ini:8: figure: '../pwn': expected 1 to 40 letters, digits and '-', and not front"},
    {HEAD STREAM "[learner ofw]\nfigure =\n",
     "a.ini:8: figure: '': expected 1 to 40 letters, digits and '-', and not front"},
    {HEAD STREAM "[learner ofw]\nfigure = front\n",
     "a.ini:8: figure: 'front': expected 1 to 40 letters, digits and '-', and not front"},
    {HEAD STREAM "[learner ofw]\nfigure = 12345678901234567890123456789012345678901\n",
     "a.ini:8: figure: '12345678901234567890123456789012345678901': expected 1 to 40 letters, digits and '-', and not "
     "front"},
    /* [every learner] */
    {GAME "[every learner]\nstorag = float\n", "a.ini:9: every learner: no option 'storag'; did you mean 'storage'?"},
    {GAME "[every learner]\nsample = maybe\n", "a.ini:9: every learner: sample=maybe is not one of no|yes"},
    {GAME "[every stream]\n", "a.ini:8: there is no section [every stream]; did you mean [every learner]?"},
    {GAME "[every]\n", "a.ini:8: [every] needs a label, as in [every NAME]"},
    {HEAD STREAM "[learner ofw]\nhorizon = 10, 0\n", "a.ini:8: horizon=0: expected a whole number >= 1 or 'auto'"},
    {HEAD STREAM "[learner ofw]\nlipschitz = inf\n", "a.ini:8: lipschitz=inf is not a finite number"},
    {HEAD STREAM "[learner ofw]\nstreams = s, t\n", "a.ini:8: streams: there is no [stream t]"},
    /* [claim] */
    {GAME "[claim 1]\ntext = t\nbetter = ofw\nmetric = loss\n", "a.ini:8: [claim 1] needs than = ..."},
    {GAME "[claim 1]\ntext = t\nbetter = A\nthan = ofw\nmetric = loss\n", "a.ini:10: better: there is no [learner A]"},
    {GAME "[claim 1]\ntext = t\nbetter = ofw\nthan = ofw, B\nmetric = loss\n",
     "a.ini:11: than: there is no [learner B]"},
    {GAME "[claim 1]\ntext = t\nbetter = ofw\nthan = ofw\nmetric = loss, cost\n",
     "a.ini:12: metric: expected one of loss, regret, ccv, soft_violation, held_out_rmse, oracle_calls, passes, "
     "projections; found 'cost'"},
    {GAME "[claim 1]\ntext = t\nbetter = ofw\nthan = ofw\nmetric = loss\nstreams = u\n",
     "a.ini:13: streams: there is no [stream u]"},
    {GAME "[claim 1]\ntext = t\nbetter = ofw\nthan = ofw\nmetrik = ccv\nmetric = loss\n",
     "a.ini:12: [claim] has no key 'metrik'; did you mean 'metric'?"},
};

static void test_refusals(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
    lab_experiment x;
    ofw_error err = {0};
    assert_int_equal(lab_experiment_read("a.ini", refusals[i].text, &x, &err), OFW_USAGE);
    assert_string_equal(err.message, refusals[i].message);
    lab_experiment_free(&x);
  }
}

/* `n` times a line, with a number in it; the first time after `head`. */
static void refuses_so_many(const char *head, const char *line, size_t n, const char *message)
{
  ofw_text text = {0};
  lab_experiment x;
  ofw_error err = {0};
  ofw_text_add(&text, "%s", head);
  for (size_t k = 0; k < n; k++)
    ofw_text_add(&text, "%s%zu%s", line, k, *line == '[' ? "]\n" : " = 1\n");
  assert_int_equal(lab_experiment_read("a.ini", text.chars, &x, &err), OFW_USAGE);
  assert_string_equal(err.message, message);
  lab_experiment_free(&x);
  free(text.chars);
}

static void test_limits(void **state)
{
  (void)state;
  refuses_so_many("[experiment]\n", "[stream s", 1000, "a.ini:1001: more than 1000 sections");
  refuses_so_many("[experiment]\n", "key", 1001, "a.ini:1002: more than 1000 keys in a section");
}

static lab_experiment read(const char *text)
{
  lab_experiment x;
  ofw_error err = {0};
  if (lab_experiment_read("a.ini", text, &x, &err) != OFW_OK)
    fail_msg("%s", err.message);
  return x;
}

static void test_long_lines(void **state)
{
  (void)state;
  char name[2001] = "", text[5000];
  memset(name, 'n', sizeof name - 1);
  snprintf(text, sizeof text, HEAD "[stream %s]\nstream =%*s%s ; not this\n" LEARNER, name, 300, "linear:", name);
  lab_experiment x = read(text);
  assert_string_equal(x.source[0].label, name);
  assert_true(strncmp(x.source[0].spec, "linear:", 7) == 0 && strcmp(x.source[0].spec + 7, name) == 0);
  lab_experiment_free(&x);
  x = read("[experiment]\r\n  title = one\r\n  two ; not this\r\nrounds = 10\r\n[stream  s t ]\nstream = "
           "matrix-completion:users=30,\n\titems=20 ; nor this\n[learner ofw]");
  assert_string_equal(x.title, "one two");
  assert_string_equal(x.source[0].label, "s t");
  assert_string_equal(x.source[0].spec, "matrix-completion:users=30,items=20");
  lab_experiment_free(&x);
}

static void test_defaults_and_claims(void **state)
{
  (void)state;
  lab_experiment x = read(GAME "[learner B]\nlearner = ofw-tvc\n[claim first one]\ntext = it's better; or not\n"
                               "better = B\nthan = ofw\nmetric = loss, ccv\nstreams = s\n");
  assert_true(x.rounds == 10 && x.seed == 1 && x.seeds == 1 && x.tune_seeds == 2 && x.series == 200);
  assert_string_equal(x.player[0].learner, "ofw");
  assert_string_equal(x.player[1].learner, "ofw-tvc");
  assert_int_equal(x.claims, 1);
  const lab_claim *c = x.claim;
  assert_string_equal(c->label, "first one");
  assert_string_equal(c->text, "it's better; or not"); /* a comment begins after a blank */
  assert_string_equal(c->better, "B");
  assert_true(c->than.n == 1 && c->metric.n == 2 && c->streams.n == 1);
  assert_string_equal(c->metric.item[1], "ccv");
  lab_experiment_free(&x);
}

static void refused_by_check(const char *text, ofw_status status, const char *message)
{
  lab_experiment x = read(text);
  ofw_error err = {0};
  assert_int_equal(lab_experiment_check(&x, &err), status);
  assert_string_equal(err.message, message);
  lab_experiment_free(&x);
}

static void test_streams_are_made(void **state)
{
  (void)state;
  lab_experiment x = read(GAME);
  ofw_error err = {0};
  assert_int_equal(lab_experiment_check(&x, &err), OFW_OK);
  lab_experiment_free(&x);
  refused_by_check(HEAD "[stream s]\ndomain = l2-ball:dim=0\nstream = linear\n" LEARNER, OFW_USAGE,
                   "a.ini:5: l2-ball: dim=0 is not in [1, 1e+12]");
  refused_by_check(HEAD "[stream s]\ndomain = l2-ball:dim=2\nstream = linea\n" LEARNER, OFW_USAGE,
                   "a.ini:6: no stream 'linea'; did you mean 'linear'?");
  refused_by_check(HEAD "[stream s]\nstream = matrix-completion:file=/nowhere/u.data\n" LEARNER, OFW_BAD_DATA,
                   "a.ini:5: cannot read /nowhere/u.data: No such file or directory");
}

/* Before anything is played. */
static void test_claims_can_be_judged(void **state)
{
  (void)state;
#define CLAIM "[claim 1]\ntext = t\nbetter = B\nthan = ofw\nmetric = ccv\n"
  lab_experiment x = read(GAME "[learner B]\nlearner = ofw-tvc\nstep = 2\n" CLAIM);
  assert_int_equal(lab_experiment_check(&x, NULL), OFW_OK);
  lab_experiment_free(&x);
  refused_by_check(GAME "[learner B]\nlearner = ofw-tvc\nsigma = printed\nstep = 1, 2\n" CLAIM, OFW_USAGE,
                   "a.ini:14: better: B is played with several values of step; give each a [learner] of its own");
  refused_by_check(GAME
                   "[learner B]\nlearner = ofw-tvc\n[claim 1]\ntext = t\nbetter = B\nmetric = ccv\nthan = ofw, B\n",
                   OFW_USAGE, "a.ini:14: than: B is compared with itself");
  refused_by_check(GAME "[stream u]\nstream = linear\ndomain = l2-ball:dim=2\n[learner B]\nlearner = ofw\n" CLAIM
                        "streams = u\n[learner C]\nlearner = ofw\nstreams = s\n[claim 2]\ntext = t\nbetter = C\n"
                        "than = ofw\nmetric = loss\nstreams = u\n",
                   OFW_USAGE, "a.ini:25: than: ofw and C never play on the same stream of the claim");
  refused_by_check("[experiment]\ntitle = t\nrounds = 10\nseeds = 60000\n" STREAM LEARNER
                   "[learner B]\nlearner = ofw\n[claim 1]\ntext = t\nbetter = B\nthan = ofw\nmetric = ccv, loss\n",
                   OFW_USAGE, "a.ini:11: the claims up to here compare 120000 plays; the limit is 100000");
}

static void test_tuning_keys(void **state)
{
  (void)state;
  lab_experiment x =
      read(HEAD STREAM "[learner A]\nlearner = ofw-tvc\ntune = yes\n"
                       "[learner B]\nlearner = ofw-tvc\nconstants = beta, gamma\ntune = fine\n"
                       "[learner C]\nlearner = scofw-tvc\ntune = fine\nconstants = strong-convexity, beta\n"
                       "[learner D]\nlearner = ofw-tvc\ntune = no\nfigure = Ours-2\n"
                       "[learner E]\nlearner = ogd\ntune = yes\nconstants = strong-convexity, step\n");
  static const struct {
    size_t tune;
    const char *constant[2], *figure;
  } want[] = {{22, {"step", "gamma-scale"}, "curves"},
              {26, {"beta", "gamma"}, "curves"},
              {26, {"strong-convexity", "beta"}, "curves"},
              {0, {NULL, NULL}, "Ours-2"},
              {22, {"strong-convexity", "step"}, "curves"}};
  for (size_t i = 0; i < x.players; i++) {
    assert_int_equal(x.player[i].tune, want[i].tune);
    assert_string_equal(x.player[i].figure, want[i].figure);
    assert_int_equal(x.player[i].axes, 0);
    for (size_t k = 0; k < 2; k++)
      if (want[i].constant[k])
        assert_string_equal(x.player[i].constant[k], want[i].constant[k]);
      else
        assert_null(x.player[i].constant[k]);
  }
  lab_experiment_free(&x);
}

/* Behind a learner's own options, unless it has the key; also if it stands behind the learner. */
static void test_every_learner(void **state)
{
  (void)state;
  lab_experiment x = read(HEAD STREAM "[learner ofw]\n[learner B]\nlearner = ofw-tvc\nlipschitz = 7\nstep = 1, 2\n"
                                      "[every learner]\nlipschitz = 5\nconstraints = max, sum\n"
                                      "[learner C]\nlearner = ogd\nconstraints = max\n");
  static const char *const want[] = {"lipschitz=5 constraints=max",        "lipschitz=5 constraints=sum",
                                     "lipschitz=7 step=1 constraints=max", "lipschitz=7 step=1 constraints=sum",
                                     "lipschitz=7 step=2 constraints=max", "lipschitz=7 step=2 constraints=sum",
                                     "constraints=max lipschitz=5"};
  lab_plan plan;
  assert_int_equal(lab_plan_make(&x, &plan, NULL), OFW_OK);
  assert_int_equal(plan.arms, sizeof want / sizeof *want);
  for (size_t i = 0; i < plan.arms; i++)
    assert_string_equal(plan.arm[i].options, want[i]);
  lab_plan_free(&plan);
  lab_experiment_free(&x);
  static const char *const own[] = {"step = 1", "tune = yes", "streams = s", "learner = ofw"};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) { /* which not every learner has */
    char text[200];
    ofw_error err = {0};
    snprintf(text, sizeof text, GAME "[every learner]\n%s\n", own[i]);
    assert_int_equal(lab_experiment_read("a.ini", text, &x, &err), OFW_USAGE);
    assert_non_null(strstr(err.message, "a.ini:9: every learner: no option '"));
    lab_experiment_free(&x);
  }
}

/* ---- the plan ---- */

static void test_order(void **state)
{
  (void)state;
  lab_experiment x = read("[experiment]\ntitle = t\nrounds = 10\nseeds = 3\ntune-seeds = 2\n"
                          "[learner A]\nlearner = ofw-tvc\nstep = 1, 2\nhorizon = auto, 5, 7\npreset = tight\n"
                          "[stream s]\nstream = linear\n"
                          "[learner B]\nlearner = ofw-tvc\ntune = fine\nstreams = u\n"
                          "[stream u]\nstream = quadratic\ndomain = l2-ball:dim=2\n"
                          "[learner ofw]\nstreams = u, s\n");
  static const struct {
    const char *stream, *label, *options;
    size_t first, tune;
  } want[] = {{"s", "A", "step=1 horizon=auto preset=tight", 0, 0},
              {"s", "A", "step=1 horizon=5 preset=tight", 3, 0},
              {"s", "A", "step=1 horizon=7 preset=tight", 6, 0},
              {"s", "A", "step=2 horizon=auto preset=tight", 9, 0},
              {"s", "A", "step=2 horizon=5 preset=tight", 12, 0},
              {"s", "A", "step=2 horizon=7 preset=tight", 15, 0},
              {"s", "ofw", "", 18, 0},
              {"u", "A", "step=1 horizon=auto preset=tight", 21, 0},
              {"u", "A", "step=1 horizon=5 preset=tight", 24, 0},
              {"u", "A", "step=1 horizon=7 preset=tight", 27, 0},
              {"u", "A", "step=2 horizon=auto preset=tight", 30, 0},
              {"u", "A", "step=2 horizon=5 preset=tight", 33, 0},
              {"u", "A", "step=2 horizon=7 preset=tight", 36, 0},
              {"u", "B", "", 39, 52},
              {"u", "ofw", "", 94, 0}};
  lab_plan plan;
  ofw_error err = {0};
  assert_int_equal(lab_plan_make(&x, &plan, &err), OFW_OK);
  assert_int_equal(plan.arms, sizeof want / sizeof *want);
  assert_int_equal(plan.cells, 97);
  for (size_t i = 0; i < plan.arms; i++) {
    const lab_arm *a = &plan.arm[i];
    assert_string_equal(a->source->label, want[i].stream);
    assert_string_equal(a->player->label, want[i].label);
    assert_string_equal(a->options, want[i].options);
    assert_true(a->first == want[i].first && a->tune == want[i].tune && a->play == 3);
  }
  assert_string_equal(plan.arm[1].option[1], "horizon=5");
  lab_plan_free(&plan);
  lab_experiment_free(&x);
}

static void test_too_many(void **state)
{
  (void)state;
  lab_experiment x = read("[experiment]\ntitle = t\nrounds = 10\nseeds = 200000\n" STREAM
                          "[learner ofw-tvc]\nstep = 1, 2, 3, 4, 5, 6\n");
  lab_plan plan;
  ofw_error err = {0};
  assert_int_equal(lab_plan_make(&x, &plan, &err), OFW_USAGE);
  assert_string_equal(err.message, "a.ini asks for more than 1000000 plays");
  lab_plan_free(&plan);
  lab_experiment_free(&x);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_refusals),         cmocka_unit_test(test_limits),
      cmocka_unit_test(test_long_lines),       cmocka_unit_test(test_defaults_and_claims),
      cmocka_unit_test(test_streams_are_made), cmocka_unit_test(test_order),
      cmocka_unit_test(test_tuning_keys),      cmocka_unit_test(test_every_learner),
      cmocka_unit_test(test_too_many),         cmocka_unit_test(test_claims_can_be_judged),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
