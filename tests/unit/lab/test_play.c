/* A play comes to what a run by hand comes to, in this process or in a worker, whatever was played before it. */
#include "unit/run/played.h"

#include "lab/process.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char text[] =
    "[experiment]\n"
    "title = t\n"
    "rounds = 100\n"
    "series = 8\n"
    "[stream ball]\nstream = linear\ndomain = l2-ball:dim=4,radius=3\n"
    "[stream own]\nstream = matrix-completion:users=9,items=7,ratings=30,batch=9,holdout=0.1\n"
    "[stream lines]\nstream = replay:file=/dev/null\ndomain = l2-ball:dim=2\n"
    "[learner ofw-tvc]\ntune = yes\n"
    "[learner set]\nlearner = ofw-tvc\nstep = 3\nhorizon = 50\nlipschitz = 7\ntune = yes\n"
    "[learner preset]\nlearner = ofw-tvc\npreset = tight\nhorizon = auto\ntune = fine\n"
    "[learner scofw-tvc]\n"
    "[learner scbfw-tvc]\nstrong-convexity = 2\nloss-bound = 5\ntune = yes\n"
    "[learner still]\n"
    "[learner boxes]\nlearner = ofw-tvc\nbeta = 1\ngamma = 1\ntune = fine\nconstants = beta, gamma\n"
    "[learner alpha]\nlearner = scofw-tvc\nstrong-convexity = 2\ntune = fine\n"
    "constants = strong-convexity, beta-scale\n";
enum { LEARNERS = 8, SERIES = 8 };

static lab_experiment x;
static lab_plan the_plan;

static int begin(void **state)
{
  (void)state;
  ofw_error err = {0};
  return lab_experiment_read("x.ini", text, &x, &err) != OFW_OK || lab_plan_make(&x, &the_plan, &err) != OFW_OK;
}

static int end(void **state)
{
  (void)state;
  lab_plan_free(&the_plan);
  lab_experiment_free(&x);
  return 0;
}

/* A cell of the arm of that learner on that stream. */
static results_cell cell(size_t stream_number, const char *label, double a, double b, uint64_t seed)
{
  results_cell c = {.cell = 5, .factor = {a, b}, .rounds = 100, .seed = seed};
  for (size_t i = 0; i < LEARNERS; i++)
    if (strcmp(x.player[i].label, label) == 0)
      c.arm = (int64_t)(stream_number * LEARNERS + i + 1);
  assert_true(c.arm > 0);
  return c;
}

static lab_outcome outcome(const results_cell *c)
{
  lab_outcome o;
  ofw_error err = {0};
  if (lab_play(&the_plan.arm[c->arm - 1], c, SERIES, &o, &err) != OFW_OK)
    fail_msg("%s", err.message);
  return o;
}

/* The loss by the public calls, with those options. */
static double loss_by_hand(uint64_t horizon, double lipschitz, size_t sets, const char *const *set, uint64_t seed)
{
  ofw_domain *K = domain("l2-ball:dim=4,radius=3");
  ofw_stream *s = stream("linear", K, 100, seed);
  ofw_learner_settings settings = {.size = sizeof settings,
                                   .horizon = horizon,
                                   .lipschitz = lipschitz > 0.0 ? lipschitz : ofw_stream_constants(s)->lipschitz,
                                   .seed = seed,
                                   .options = sets,
                                   .option = set};
  ofw_learner *l = ofw_learner_create_over("ofw-tvc", K, &settings, NULL);
  ofw_run *run = ofw_run_create(l, s, NULL);
  assert_int_equal(ofw_run_play(run, 100, NULL, NULL), OFW_OK);
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
  static const uint64_t kept[] = {13, 26, 39, 52, 65, 78, 91, 100};
  results_cell c = cell(0, "ofw-tvc", 1, 1, 7);
  lab_outcome o = outcome(&c);
  assert_int_equal(o.cell.exit_code, 0);
  assert_null(o.cell.error);
  assert_true(o.cell.cell == 5 && o.cell.arm == 1 && o.cell.rounds == 100 && o.cell.seed == 7);
  assert_bits(o.cell.loss, loss_by_hand(100, 0, 0, NULL, 7));
  assert_near(o.cell.G, 1.0, 0.0);
  assert_near(o.cell.D, 6.0, 0.0);
  assert_true(isnan(o.cell.held_out_rmse) && !isnan(o.cell.soft_violation) && o.cell.oracle_calls >= 100);
  assert_int_equal(o.points, sizeof kept / sizeof *kept);
  for (size_t i = 0; i < o.points; i++)
    assert_int_equal(o.point[i].round, kept[i]);
  assert_bits(o.point[o.points - 1].loss_sum, o.cell.loss);
  assert_non_null(strstr(o.cell.config, "learner=ofw-tvc domain=l2-ball"));
  assert_non_null(strstr(o.cell.config, "\nstream=linear rounds=100 seed=7"));
  char *config;
  assert_int_equal(lab_play_config(the_plan.arm, &c, &config, NULL), OFW_OK);
  assert_string_equal(config, o.cell.config);
  free(config);
  lab_outcome_free(&o);
  c.tune = 1; /* of which no rounds are kept */
  o = outcome(&c);
  assert_int_equal(o.points, 0);
  lab_outcome_free(&o);
  c = cell(1, "ofw-tvc", 1, 1, 7);
  o = outcome(&c);
  assert_null(o.cell.error);
  assert_true(o.cell.held_out_rmse > 0.0);
  lab_outcome_free(&o);
}

/* A factor multiplies what the learner has: a default, what a preset gives, what is set. */
static void test_factors(void **state)
{
  (void)state;
  static const struct {
    const char *label;
    double factor[2];
    uint64_t horizon;
    double lipschitz;
    size_t sets;
    const char *set[3];
  } cases[] = {{"ofw-tvc", {10, 1}, 100, 0, 1, {"step=10"}},
               {"ofw-tvc", {1, 1000}, 100, 0, 1, {"gamma-scale=1000"}},
               {"set", {1, 1}, 50, 7, 1, {"step=3"}},
               {"set", {10, 0.5}, 50, 7, 2, {"step=30", "gamma-scale=0.5"}},
               {"boxes", {1, 1}, 100, 0, 2, {"beta=1", "gamma=1"}},
               {"boxes", {1e-4, 1}, 100, 0, 2, {"beta=0.0001", "gamma=1"}},
               {"boxes", {0.001, 1e3}, 100, 0, 2, {"beta=0.001", "gamma=1000"}},
               {"preset", {10, 0.5}, OFW_HORIZON_AUTO, 0, 3, {"preset=tight", "step=20", "gamma-scale=0.5"}}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    results_cell c = cell(0, cases[i].label, cases[i].factor[0], cases[i].factor[1], 3);
    lab_outcome o = outcome(&c);
    assert_null(o.cell.error);
    assert_bits(o.cell.loss, loss_by_hand(cases[i].horizon, cases[i].lipschitz, cases[i].sets, cases[i].set, 3));
    lab_outcome_free(&o);
  }
}

/* The strong convexity is a setting, and no option. */
static void test_factors_of_alpha(void **state)
{
  (void)state;
  static const char *const config[] = {" strong-convexity=2 ", " strong-convexity=0.20000000000000001 "};
  double loss[2];
  for (int k = 0; k < 2; k++) {
    results_cell c = cell(0, "alpha", k ? 0.1 : 1, k ? 10 : 1, 3);
    lab_outcome o = outcome(&c);
    assert_null(o.cell.error);
    assert_non_null(strstr(o.cell.config, config[k]));
    assert_non_null(strstr(o.cell.config, k ? " beta-scale=10 " : " beta-scale=1 "));
    loss[k] = o.cell.loss;
    lab_outcome_free(&o);
  }
  assert_true(loss[0] != loss[1]);
}

static void fails(const results_cell *c, int code, const char *message)
{
  lab_outcome o = outcome(c);
  assert_int_equal(o.cell.exit_code, code);
  assert_string_equal(o.cell.error, message);
  assert_null(o.cell.config);
  assert_null(o.point);
  assert_true(isnan(o.cell.loss) && isnan(o.cell.G) && isnan(o.cell.seconds) && o.cell.oracle_calls == 0);
  lab_outcome_free(&o);
  assert_null(o.cell.error);
}

static void test_failures(void **state)
{
  (void)state;
  results_cell c = cell(0, "scofw-tvc", 1, 1, 1);
  fails(&c, 2, "scofw-tvc: expected a strong convexity above 0, found none; for other losses use ofw-tvc");
  c = cell(0, "scbfw-tvc", 1, 1e5, 1);
  fails(&c, 2, "scbfw-tvc: c=150000 probes 32316.5 away, but the set contains only a ball of radius 3; make c smaller");
  c = cell(0, "still", 2, 1, 1);
  fails(&c, 2, "still has no constants to tune");
  c = cell(2, "ofw-tvc", 1, 1, 1);
  fails(&c, 2, "the stream does not know its Lipschitz constant; give it by --lipschitz G");
  c = cell(2, "set", 1, 1, 1);
  fails(&c, 3, "/dev/null ends before round 1");
}

static void same_outcome(const lab_outcome *a, const lab_outcome *b)
{
  assert_bits(a->cell.loss, b->cell.loss);
  assert_bits(a->cell.ccv, b->cell.ccv);
  assert_int_equal(a->cell.exit_code, b->cell.exit_code);
  assert_true(!a->cell.config == !b->cell.config && !a->cell.error == !b->cell.error);
  if (a->cell.config)
    assert_string_equal(a->cell.config, b->cell.config);
  if (a->cell.error)
    assert_string_equal(a->cell.error, b->cell.error);
  assert_int_equal(a->points, b->points);
  for (size_t i = 0; i < a->points; i++) {
    assert_int_equal(a->point[i].round, b->point[i].round);
    assert_bits(a->point[i].loss_sum, b->point[i].loss_sum);
  }
}

/* Everything twice, by one worker, in another order. */
static void test_a_worker_plays_many(void **state)
{
  (void)state;
  lab_worker w = {0};
  pid_t first = 0;
  for (size_t k = 0; k < 2 * the_plan.arms; k++) {
    results_cell c = {.arm = (int64_t)(k * 7 % the_plan.arms + 1), .factor = {1, 1}, .rounds = 100, .seed = 1};
    lab_outcome here = outcome(&c), there;
    assert_int_equal(lab_worker_send(&w, &the_plan, &c, NULL), OFW_OK);
    assert_int_equal(lab_worker_receive(&w, &c, &there, NULL), OFW_OK);
    same_outcome(&here, &there);
    lab_outcome_free(&here);
    lab_outcome_free(&there);
    first = k ? first : w.pid;
    assert_int_equal(w.pid, first);
  }
  lab_worker_end(&w);
  assert_int_equal(w.pid, 0);
  assert_int_equal(waitpid(first, NULL, WNOHANG), -1); /* nothing of it is left */
  lab_worker_end(&w);
}

/* A worker that dies under a play costs that play; one that dies before costs none. */
static void test_a_worker_dies(void **state)
{
  (void)state;
  lab_worker w = {0};
  lab_outcome o;
  results_cell c = cell(0, "ofw-tvc", 1, 1, 1), endless = c;
  endless.rounds = UINT64_C(1) << 40;
  endless.tune = 1;
  assert_int_equal(lab_worker_send(&w, &the_plan, &endless, NULL), OFW_OK);
  kill(w.pid, SIGKILL);
  assert_int_equal(lab_worker_receive(&w, &endless, &o, NULL), OFW_OK);
  assert_int_equal(o.cell.exit_code, 128 + SIGKILL);
  assert_string_equal(o.cell.error, "the worker process was ended by signal 9 (Killed)");
  assert_true(o.cell.cell == 5 && o.cell.rounds == endless.rounds && isnan(o.cell.loss) && o.points == 0);
  lab_outcome_free(&o);
  assert_int_equal(w.pid, 0);
  for (int k = 0; k < 2; k++) {
    assert_int_equal(lab_worker_send(&w, &the_plan, &c, NULL), OFW_OK);
    assert_int_equal(lab_worker_receive(&w, &c, &o, NULL), OFW_OK);
    assert_null(o.cell.error);
    lab_outcome_free(&o);
    siginfo_t gone;
    kill(w.pid, SIGKILL);
    assert_int_equal(waitid(P_PID, (id_t)w.pid, &gone, WEXITED | WNOWAIT), 0);
  }
  lab_worker_end(&w);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_plays),
      cmocka_unit_test(test_factors),
      cmocka_unit_test(test_factors_of_alpha),
      cmocka_unit_test(test_failures),
      cmocka_unit_test(test_a_worker_plays_many),
      cmocka_unit_test(test_a_worker_dies),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
