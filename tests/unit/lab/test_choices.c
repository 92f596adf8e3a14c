/* Choices from a database made up by a formula: what each rule and each seed choose, and what becomes of a claim. */
#include "unit/base/check.h"
#include "unit/lab/results_folder.h"

#include "lab/choices.h"

/* Learners A and B are tuned, C is not; all on one stream. */
enum { ARMS = 3, MOST_SEEDS = 6, PLAYS = MOST_SEEDS, GRID = LAB_TUNE_RUNS };
static const results_arm arms[ARMS] = {
    {1, "s", "linear", "l2-ball:dim=3", "A", "ofw-tvc", "", 1, {"step", "gamma-scale"}},
    {2, "s", "linear", "l2-ball:dim=3", "B", "opdp", "", 1, {"step", "mu-scale"}},
    {3, "s", "linear", "l2-ball:dim=3", "C", "still", "", 0, {NULL, NULL}},
};
static const char text[] = "[experiment]\ntitle = Made up\nrounds = 100\nseeds = 6\ntune-seeds = 6\n"
                           "[stream s]\nstream = linear\ndomain = l2-ball:dim=3\n"
                           "[learner A]\nlearner = ofw-tvc\ntune = yes\n"
                           "[learner B]\nlearner = opdp\ntune = yes\n"
                           "[learner C]\nlearner = still\n"
                           "[claim both]\ntext = A is below\nbetter = A\nthan = B, C\nmetric = loss, ccv\n"
                           "[claim one]\ntext = C is below\nbetter = C\nthan = A\nmetric = ccv\n";
enum { COMPARISONS = 5, PAIRS = 3 };

/* ---- a landscape: the first constant trades loss for CCV, the second costs loss ---- */

typedef struct landscape {
  size_t seeds;
  size_t cells;      /* of each tuned arm; 0: all */
  double worse;      /* what B's loss and CCV are multiplied by */
  double shift[6];   /* of the best first constant, in decades, for each tuning seed */
  double untuned[2]; /* loss and CCV of C */
  int twins;         /* 1: B is called A too */
  int failing;       /* 1: A's runs with a first factor of 1 fail for the first seed; 2: all of A's do */
} landscape;

static results_cell made_up(const landscape *land, size_t arm, const double factor[2], size_t k)
{
  double a = log10(factor[0]), b = log10(factor[1]) - 2.0, worse = arm ? land->worse : 1.0;
  double off = a - land->shift[k];
  results_cell c = {.arm = (int64_t)arm + 1, .tune = 1, .factor = {factor[0], factor[1]}, .rounds = 100};
  c.seed = 1000001 + k;
  c.G = 2.0, c.D = 5.0;
  c.regret = c.soft_violation = c.held_out_rmse = c.interval_regret = c.dynamic_regret = (double)NAN;
  c.loss = worse * (100.0 + 10.0 * off * off + 2.0 * b * b + (double)k);
  c.ccv = worse * 20.0 * (a + 6.0);
  c.config = "learner=x\nstream=linear";
  if (!arm && (land->failing == 2 || (land->failing == 1 && a == 0.0 && k == 0))) {
    c.loss = c.ccv = c.G = c.D = c.seconds = (double)NAN;
    c.config = NULL;
    c.error = "refused";
    c.exit_code = 2;
  }
  return c;
}

static void put(results *r, results_cell *c, int64_t *number)
{
  ofw_error err = {0};
  c->cell = ++*number;
  if (results_put(r, c, NULL, 0, "2026-01-01T00:00:00Z", "a machine", &err) != OFW_OK)
    fail_msg("%s", err.message);
}

static void put_tuning(results *r, const landscape *land, size_t arm, int64_t *number)
{
  static results_cell cell[GRID * MOST_SEEDS];
  size_t all = GRID * land->seeds;
  lab_tuning t;
  lab_tuning_begin(&t, land->seeds);
  for (size_t i = 0; i < all; i++) {
    if (i == all / 2)
      lab_tuning_go_on(&t, cell);
    cell[i] = made_up(land, arm, t.run[i / land->seeds].factor, i % land->seeds);
    if (!land->cells || i < land->cells)
      put(r, &cell[i], number);
  }
}

static void put_untuned(results *r, const landscape *land, int64_t *number)
{
  for (size_t k = 0; k < PLAYS; k++) {
    const landscape flat = {.seeds = 1};
    results_cell c = made_up(&flat, 2, (double[]){1.0, 1.0}, 0);
    c.tune = 0;
    c.seed = 1 + k;
    c.loss = land->untuned[0] + 0.5 * (double)k - 1.25;
    c.ccv = land->untuned[1];
    put(r, &c, number);
  }
}

typedef struct made {
  results *from;
  lab_experiment e;
  lab_judgement *judged;
  size_t n;
  lab_choices c;
} made;

static made made_of(const landscape *land)
{
  results_arm named[ARMS] = {arms[0], arms[1], arms[2]};
  const results_head head = {"Made up", text, "0.1.0", "avx2", named, ARMS};
  named[1].label = land->twins ? "A" : "B";
  made m = {0};
  int64_t number = 0;
  ofw_error err = {0};
  assert_int_equal(results_create(folder, &head, &m.from, &err), OFW_OK);
  assert_int_equal(results_begin(m.from, &err), OFW_OK);
  put_tuning(m.from, land, 0, &number);
  put_tuning(m.from, land, 1, &number);
  put_untuned(m.from, land, &number);
  assert_int_equal(results_finish(m.from, &err), OFW_OK);
  results_close(m.from);
  if (results_open(folder, &m.from, &err) != OFW_OK || lab_experiment_read("it", text, &m.e, &err) != OFW_OK ||
      lab_claims_judge(&m.e, m.from, &m.judged, &m.n, &err) != OFW_OK ||
      lab_choices_read(m.from, m.judged, m.n, &m.c, &err) != OFW_OK)
    fail_msg("%s", err.message);
  assert_int_equal(m.n, COMPARISONS);
  assert_int_equal(m.c.n, LAB_RULES * COMPARISONS + PAIRS);
  return m;
}

static void unmake(made *m)
{
  lab_choices_free(&m->c);
  free(m->judged);
  lab_experiment_free(&m->e);
  results_close(m->from);
}

static const lab_compared *compared(const made *m, lab_rule rule, const char *claim, const char *than,
                                    const char *metric)
{
  for (const lab_compared *c = m->c.compared; c < m->c.compared + m->c.n; c++)
    if (c->rule == rule && strcmp(c->of->claim->label, claim) == 0 && strcmp(c->of->than, than) == 0 &&
        strcmp(c->metric, metric) == 0)
      return c;
  fail_msg("%s: %s, %s is not there", claim, than, metric);
  return NULL;
}

static void has_factors(const lab_pick *p, double first, double second)
{
  assert_non_null(p->run);
  assert_near(p->run->factor[0] / first, 1.0, 1e-12);
  assert_near(p->run->factor[1] / second, 1.0, 1e-12);
}

static const landscape plain = {.seeds = 2, .worse = 2.0, .untuned = {400.0, 0.0}};

/* ---- what is chosen ---- */

/* In decades (a, b), and with the second constant as it is, the loss is least at a = 0. The score adds 20 per decade of a:
 * it is least at a = -1. Then b = 2 is best, and b = 1 within 1% of it and nearer to the defaults. */
static void test_rules(void **state)
{
  (void)state;
  made m = made_of(&plain);
  const lab_chosen *a = &m.c.arm[0], *b = &m.c.arm[1], *c = &m.c.arm[2];
  assert_true(a->of->tuning.runs == GRID && a->seeds == 2 && c->seeds == 0);
  has_factors(&a->by[LAB_BY_SCORE], 0.1, 10.0);
  assert_true(a->by[LAB_BY_SCORE].run == &a->of->tuning.run[a->of->tuning.best]);
  has_factors(&a->by[LAB_BY_LOSS], 1.0, 1.0); /* 108.5; the second half of the grid has 110.5 at the least */
  has_factors(&b->by[LAB_BY_LOSS], 1.0, 1.0);
  assert_near(a->by[LAB_BY_LOSS].loss.least, 108.0, 1e-12);
  assert_near(a->by[LAB_BY_LOSS].loss.mean, 108.5, 1e-12);
  assert_near(a->by[LAB_BY_LOSS].loss.largest, 109.0, 1e-12);
  assert_near(b->by[LAB_BY_LOSS].ccv.mean, 240.0, 1e-12);
  assert_null(c->by[LAB_BY_SCORE].run);
  assert_near(c->by[LAB_BY_FRONT].loss.mean, 400.0, 1e-12);
  assert_near(c->by[LAB_BY_FRONT].loss.largest, 401.25, 1e-12);
  unmake(&m);
}

/* Against the reference worked out by hand: the rectangle of every run, and the whole area by a fine grid. */
static void test_front(void **state)
{
  (void)state;
  made m = made_of(&plain);
  const double unit = 2.0 * 5.0 * 100.0;
  /* the most loss is C's, 400, and the least one of A's; the most CCV is B's by loss, 240, and the least C's, 0 */
  const lab_tuning *t = &m.c.arm[0].of->tuning;
  double least = 400.0, ref[2], largest = 0.0;
  for (size_t i = 0; i < GRID; i++)
    least = fmin(least, t->run[i].loss);
  ref[0] = 400.0 + 0.1 * (400.0 - least);
  ref[1] = 240.0 + 0.1 * 240.0;
  enum { SIDE = 1500 };
  for (size_t arm = 0; arm < 2; arm++) {
    const lab_chosen *a = &m.c.arm[arm];
    const lab_run *run = a->of->tuning.run, *by_front = a->by[LAB_BY_FRONT].run;
    size_t hits = 0;
    for (size_t i = 0; i < GRID; i++)
      largest = fmax(i ? largest : 0.0, fmax(0.0, ref[0] - run[i].loss) * fmax(0.0, ref[1] - run[i].ccv));
    assert_at_most(0.99 * largest, (ref[0] - by_front->loss) * (ref[1] - by_front->ccv));
    for (size_t u = 0; u < SIDE; u++)
      for (size_t v = 0; v < SIDE; v++) {
        double x = ref[0] * ((double)u + 0.5) / SIDE, y = ref[1] * ((double)v + 0.5) / SIDE;
        int dominated = 0;
        for (size_t i = 0; i < GRID && !dominated; i++)
          dominated = run[i].loss <= x && run[i].ccv <= y;
        hits += (size_t)dominated;
      }
    /* a staircase of 22 steps crosses fewer than 2 SIDE squares */
    assert_near(a->hypervolume * unit * unit / (ref[0] * ref[1]), (double)hits / SIDE / SIDE, 2.0 / SIDE);
  }
  assert_near(m.c.arm[2].hypervolume * unit * unit, (ref[0] - 400.0) * ref[1], 1e-6);
  unmake(&m);
}

/* Seed 0 wants a first constant three decades higher than seed 1. */
static void test_what_a_seed_decides(void **state)
{
  (void)state;
  landscape land = plain;
  land.shift[0] = 4.0, land.shift[1] = 1.0;
  made m = made_of(&land);
  const lab_chosen *a = &m.c.arm[0];
  assert_int_equal(a->seeds, 2);
  for (size_t k = 0; k < 2; k++) {
    const lab_run *run = a->of->tuning.run, *best = run;
    for (size_t i = 0; i < GRID; i++) {
      double score = a->of->cell[2 * i + k].loss + a->of->cell[2 * i + k].ccv, least;
      least = a->of->cell[2 * (size_t)(best - run) + k].loss + a->of->cell[2 * (size_t)(best - run) + k].ccv;
      best = score < least ? &run[i] : best;
    }
    assert_true(a->seed[k].run == best); /* no other is within 1% */
    assert_near(a->seed[k].loss.mean, best->loss, 1e-9);
    assert_near(a->seed[k].ccv.mean, best->ccv, 1e-9);
  }
  assert_true(a->seed[0].run->factor[0] > 10.0 * a->seed[1].run->factor[0]);
  assert_near(a->spread.loss.least, fmin(a->seed[0].loss.mean, a->seed[1].loss.mean), 0.0);
  assert_near(a->spread.loss.largest, fmax(a->seed[0].loss.mean, a->seed[1].loss.mean), 0.0);
  assert_near(a->spread.ccv.mean, 0.5 * (a->seed[0].ccv.mean + a->seed[1].ccv.mean), 1e-9);
  assert_null(a->spread.run);
  unmake(&m);
}

/* ---- claims ---- */

static void test_directions(void **state)
{
  (void)state;
  made m = made_of(&plain);
  const lab_compared *c = compared(&m, LAB_BY_LOSS, "both", "B", "loss");
  assert_near(c->mean[0], 108.5, 1e-9);
  assert_near(c->mean[1], 217.0, 1e-9);
  assert_near(c->relative, -0.5, 1e-12);
  assert_true(c->direction == LAB_LESS && c->agrees == 1 && isnan(c->p) && isnan(c->effect)); /* two seeds */
  c = compared(&m, LAB_BY_LOSS, "both", "C", "ccv");
  assert_true(c->direction == LAB_MORE && c->agrees == 0 && c->relative == 1.0);
  c = compared(&m, LAB_BY_FRONT, "both", "B", "hypervolume");
  assert_true(c->direction == LAB_MORE && c->agrees == 1 && c->mean[0] == m.c.arm[0].hypervolume);
  c = compared(&m, LAB_BY_FRONT, "one", "A", "hypervolume");
  assert_true(c->direction == LAB_LESS && c->agrees == -1); /* the claim is of CCV alone */
  unmake(&m);
}

static void test_about_the_same(void **state)
{
  (void)state;
  landscape land = plain;
  land.worse = 1.04;
  made m = made_of(&land);
  const lab_compared *c = compared(&m, LAB_BY_LOSS, "both", "B", "loss");
  assert_near(c->relative, -0.04 / 1.04, 1e-12);
  assert_true(c->direction == LAB_ABOUT_THE_SAME && c->agrees == -1);
  unmake(&m);
}

/* Six seeds on which A is better each time: 2 of the 64 choices of signs are as far from 0. */
static void test_enough_seeds(void **state)
{
  (void)state;
  landscape land = plain;
  land.seeds = MOST_SEEDS;
  made m = made_of(&land);
  const lab_compared *c = compared(&m, LAB_BY_SCORE, "both", "B", "loss");
  assert_near(c->p, 2.0 / 64.0, 0.0);
  assert_true(c->effect < -1.0);
  assert_true(isnan(compared(&m, LAB_BY_SCORE, "both", "C", "loss")->p)); /* other seeds */
  assert_true(isnan(compared(&m, LAB_BY_FRONT, "both", "B", "hypervolume")->p));
  unmake(&m);
}

/* ---- what is missing ---- */

static void test_a_run_that_fails_for_one_seed(void **state)
{
  (void)state;
  landscape land = plain;
  land.failing = 1;
  made m = made_of(&land);
  const lab_chosen *a = &m.c.arm[0];
  for (int rule = 0; rule < LAB_RULES; rule++)
    assert_true(a->by[rule].run && a->by[rule].run->factor[0] != 1.0 && !isnan(a->by[rule].loss.mean));
  assert_true(a->hypervolume > 0.0);
  unmake(&m);
}

static void is_unknown(const made *m)
{
  const lab_chosen *a = &m->c.arm[0];
  for (int rule = 0; rule < LAB_RULES; rule++) {
    assert_null(a->by[rule].run);
    const lab_compared *c = compared(m, (lab_rule)rule, "both", "C", "loss");
    assert_true(isnan(c->mean[0]) && isnan(c->relative) && c->direction == LAB_NOT_KNOWN && c->agrees == -1);
  }
  assert_true(isnan(a->hypervolume) && isnan(a->spread.loss.least));
  assert_near(m->c.arm[2].by[LAB_BY_LOSS].loss.mean, 400.0, 1e-12);
}

static void test_all_runs_fail(void **state)
{
  (void)state;
  landscape land = plain;
  land.failing = 2;
  made m = made_of(&land);
  is_unknown(&m);
  assert_int_equal(m.c.arm[0].seeds, 2);
  assert_null(m.c.arm[0].seed[0].run);
  assert_non_null(m.c.arm[1].by[LAB_BY_FRONT].run);
  unmake(&m);
}

/* A claim of A means neither of two. */
static void test_twins(void **state)
{
  (void)state;
  landscape land = plain;
  land.twins = 1;
  made m = made_of(&land);
  for (const lab_compared *c = m.c.compared; c < m.c.compared + m.c.n; c++)
    assert_true(isnan(c->mean[0]) && isnan(c->mean[1]) && c->direction == LAB_NOT_KNOWN && c->agrees == -1);
  assert_non_null(m.c.arm[0].by[LAB_BY_FRONT].run);
  unmake(&m);
}

static void test_a_tuning_that_is_not_done(void **state)
{
  (void)state;
  landscape land = plain;
  land.cells = 2 * GRID - 1;
  made m = made_of(&land);
  is_unknown(&m);
  assert_int_equal(m.c.arm[0].seeds, 0);
  assert_near(m.c.arm[2].hypervolume, 0.0, 0.0); /* the only point is the reference */
  unmake(&m);
}

/* A file may claim more than there is time for. */
static void test_too_many(void **state)
{
  (void)state;
  enum { MANY = 16667 }; /* times six plays of C */
  made m = made_of(&plain);
  lab_judgement *many = calloc(MANY, sizeof *many);
  lab_choices c;
  ofw_error err = {0};
  assert_non_null(many);
  for (size_t i = 0; i < MANY; i++)
    many[i] = m.judged[0];
  assert_int_equal(lab_choices_read(m.from, many, MANY, &c, &err), OFW_BAD_DATA);
  assert_string_equal(err.message, "the claims compare too many tuning plays; the limit is 100000");
  lab_choices_free(&c);
  free(many);
  unmake(&m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_rules, begin, end),
      cmocka_unit_test_setup_teardown(test_front, begin, end),
      cmocka_unit_test_setup_teardown(test_what_a_seed_decides, begin, end),
      cmocka_unit_test_setup_teardown(test_directions, begin, end),
      cmocka_unit_test_setup_teardown(test_about_the_same, begin, end),
      cmocka_unit_test_setup_teardown(test_enough_seeds, begin, end),
      cmocka_unit_test_setup_teardown(test_a_run_that_fails_for_one_seed, begin, end),
      cmocka_unit_test_setup_teardown(test_all_runs_fail, begin, end),
      cmocka_unit_test_setup_teardown(test_twins, begin, end),
      cmocka_unit_test_setup_teardown(test_a_tuning_that_is_not_done, begin, end),
      cmocka_unit_test_setup_teardown(test_too_many, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
