/* test_own_method.c — learners by callbacks: one that is the library's `ofw` written out again, bit for bit; what is refused */
#include "learner/own_method.h"
#include "linalg/kernels.h"
#include "property/everything.h"
#include "unit/learner/hand.h"

#include <float.h>

/* ---- `ofw`, from docs/algorithms.md: d = eta sum grad f + 2 (x - x_1), sigma = min(1, 2/sqrt t) ---- */

typedef struct twin_options {
  double step;
} twin_options;

typedef struct twin {
  double *d, *v, *eta;
} twin;

/* a x + y as the library's kernels round it. */
static double madd(double a, double x, double y)
{
  return strcmp(ofw_kernels_chosen()->name, "portable") == 0 ? a * x + y : fma(a, x, y);
}

static ofw_status twin_start(ofw_own *me)
{
  double R;
  twin *t = me->mine = malloc(sizeof *t);
  if (!t)
    return OFW_FAILED;
  *t = (twin){ofw_own_array(me, "sum", me->dim), malloc(me->dim * sizeof(double)), ofw_own_array(me, "eta", 1)};
  if (!t->d || !t->v || !t->eta)
    return OFW_FAILED;
  ofw_domain_balls(me->K, &R, NULL, NULL);
  *t->eta = ((twin_options *)me->options)->step * (2.0 * R) / (2.0 * me->lipschitz * pow(me->horizon, 0.75));
  return OFW_OK;
}

static void twin_drop(void *mine)
{
  free(((twin *)mine)->v);
  free(mine);
}

static ofw_status twin_observe(ofw_own *me, const ofw_own_round *now)
{
  const twin *t = me->mine;
  me->sigma = fmin(1.0, 2.0 / sqrt((double)me->round));
  for (size_t i = 0; i < me->dim; i++)
    t->d[i] = madd(*t->eta, now->loss_gradient[i], t->d[i]);
  ofw_status st = ofw_own_minimise(me, t->d, 1e-2, t->v);
  for (size_t i = 0; i < me->dim && st == OFW_OK; i++) {
    double e = t->v[i] - me->x[i];
    me->x[i] = madd(me->sigma, e, me->x[i]);
    t->d[i] = madd(2.0 * me->sigma, e, t->d[i]);
  }
  return st;
}

static const ofw_option twin_table[] = {
    OFW_POSITIVE_ROW(offsetof(twin_options, step), "step", "1", NULL, "multiplies the learning rate"), {0}};

static const ofw_learner_callbacks twin_method = {.size = sizeof twin_method,
                                                  .name = "twin",
                                                  .summary = "ofw, written out again",
                                                  .options = twin_table,
                                                  .start = twin_start,
                                                  .observe = twin_observe,
                                                  .drop = twin_drop};

/* ---- playing ---- */

static ofw_learner_settings settings_of(uint64_t horizon, size_t n, const char *const *option)
{
  return (ofw_learner_settings){.size = sizeof(ofw_learner_settings),
                                .horizon = horizon,
                                .lipschitz = 4.0,
                                .loss_bound = 4.0,
                                .seed = 7,
                                .options = n,
                                .option = option};
}

static ofw_learner *make_own(const ofw_learner_callbacks *own, const ofw_domain *K, uint64_t horizon, size_t n,
                             const char *const *option)
{
  ofw_error err = {0};
  ofw_learner_settings s = settings_of(horizon, n, option);
  ofw_learner *l = ofw_learner_create_own(own, K, &s, &err);
  if (!l)
    fail_msg("%s", err.message);
  return l;
}

static void play(ofw_learner *l, ofw_stream *s, uint64_t rounds)
{
  ofw_error err = {0};
  ofw_run *run = ofw_run_create(l, s, &err);
  if (!run)
    fail_msg("%s", err.message);
  if (ofw_run_play(run, rounds, NULL, NULL) != OFW_OK)
    fail_msg("%s", ofw_run_error(run));
  ofw_run_free(run);
}

static double *decision_of(ofw_learner *l)
{
  const ofw_point *x;
  double *at = calloc(ofw_learner_dim(l), sizeof *at);
  assert_non_null(at);
  assert_int_equal(ofw_learner_decide(l, &x), OFW_OK);
  assert_int_equal(ofw_point_dense(x, at), OFW_OK);
  return at;
}

static void same_decision(ofw_learner *a, ofw_learner *b)
{
  double *x = decision_of(a), *y = decision_of(b);
  assert_memory_equal(x, y, ofw_learner_dim(a) * sizeof *x);
  free(x);
  free(y);
}

static ofw_info info(ofw_learner *l)
{
  ofw_info out = {.size = sizeof out};
  assert_int_equal(ofw_learner_info(l, &out), OFW_OK);
  return out;
}

/* Round for round on the same stream, with a horizon and without; also what the handle counts is the same. */
static void the_twin_is_ofw(void **state)
{
  (void)state;
  static const char *const sets[] = {"l1-ball:dim=9,radius=3", "simplex:dim=5", "box:dim=4,lower=-1,upper=2",
                                     "l2-ball:dim=6,radius=2"};
  static const char *const set[] = {"step=3", "constraints=sum"};
  for (size_t k = 0; k < 8; k++) {
    ofw_domain *K = make_domain(sets[k % 4]);
    uint64_t horizon = k < 4 ? 300 : OFW_HORIZON_AUTO;
    ofw_learner_settings s = settings_of(horizon, 2, set);
    ofw_learner *own = make_own(&twin_method, K, horizon, 2, set);
    ofw_learner *ours = ofw_learner_create_over("ofw", K, &s, NULL);
    ofw_stream *a = make_stream("linear", K, 300, 3), *b = make_stream("linear", K, 300, 3);
    ofw_run *mine = ofw_run_create(own, a, NULL), *theirs = ofw_run_create(ours, b, NULL);
    for (int t = 0; t < 300; t++) {
      same_decision(own, ours);
      assert_int_equal(ofw_run_play(mine, 1, NULL, NULL), OFW_OK);
      assert_int_equal(ofw_run_play(theirs, 1, NULL, NULL), OFW_OK);
    }
    ofw_run_free(mine);
    ofw_run_free(theirs);
    ofw_stream_free(a);
    ofw_stream_free(b);
    same_decision(own, ours);
    ofw_info x = info(own), y = info(ours);
    assert_true(x.violation == y.violation && x.oracle_calls == y.oracle_calls && x.round == y.round);
    assert_true(x.sigma == y.sigma && x.oracle_passes == y.oracle_passes && x.oracle_calls > 0);
    assert_true(fabs(x.gap - y.gap) <= 1e-9 * (1.0 + fabs(y.gap)));
    assert_true(x.steep == y.steep && x.log_price == -INFINITY);
    ofw_learner_free(own);
    ofw_learner_free(ours);
    ofw_domain_free(K);
  }
}

static ofw_status stay(ofw_own *me, const ofw_own_round *now)
{
  (void)me, (void)now;
  return OFW_OK;
}

/* The shortest one is `still`. */
static void the_shortest_is_still(void **state)
{
  (void)state;
  static const ofw_learner_callbacks shortest = {.size = sizeof shortest, .name = "shortest", .observe = stay};
  ofw_domain *K = make_domain("simplex:dim=4");
  ofw_learner_settings s = settings_of(50, 0, NULL);
  ofw_learner *own = make_own(&shortest, K, 50, 0, NULL), *ours = ofw_learner_create_over("still", K, &s, NULL);
  ofw_stream *stream = make_stream("linear", K, 50, 3);
  play(own, stream, 50);
  ofw_stream_free(stream);
  stream = make_stream("linear", K, 50, 3);
  play(ours, stream, 50);
  ofw_stream_free(stream);
  same_decision(own, ours);
  assert_true(info(own).violation == info(ours).violation && info(own).oracle_calls == 0);
  ofw_learner_free(own);
  ofw_learner_free(ours);
  ofw_domain_free(K);
}

/* ---- states ---- */

/* A method whose memory grows: it keeps every loss, and steps to the corner that their number's parity names. */
typedef struct diary {
  size_t n;
  double *loss;
} diary;

static ofw_status diary_start(ofw_own *me)
{
  me->mine = calloc(1, sizeof(diary));
  return me->mine ? OFW_OK : OFW_FAILED;
}

static void diary_drop(void *mine)
{
  free(((diary *)mine)->loss);
  free(mine);
}

static ofw_status diary_observe(ofw_own *me, const ofw_own_round *now)
{
  diary *m = me->mine;
  double *longer = realloc(m->loss, (m->n + 1) * sizeof *longer), sum = 0.0;
  if (!longer)
    return ofw_own_fail(me, OFW_FAILED, "no memory");
  m->loss = longer;
  m->loss[m->n++] = now->loss;
  for (size_t i = 0; i < m->n; i++)
    sum += m->loss[i] * (i % 3 ? 1.0 : -0.5);
  for (size_t i = 0; i < me->dim; i++)
    me->x[i] = sin(sum + (double)i) / (double)me->dim;
  return OFW_OK;
}

static size_t diary_save(const ofw_own *me, unsigned char *bytes)
{
  const diary *m = me->mine;
  if (bytes && m->n)
    memcpy(bytes, m->loss, m->n * sizeof *m->loss);
  if (bytes)
    bytes[m->n * sizeof *m->loss] = 'd'; /* so that their number is none of words */
  return m->n * sizeof *m->loss + 1;
}

static void *diary_load(const ofw_own *me, const unsigned char *bytes, size_t n)
{
  (void)me;
  diary *m = n % sizeof(double) == 1 && bytes[n - 1] == 'd' ? calloc(1, sizeof *m) : NULL;
  if (!m)
    return NULL;
  m->n = n / sizeof(double);
  m->loss = malloc(n);
  assert_non_null(m->loss);
  memcpy(m->loss, bytes, m->n * sizeof *m->loss);
  return m;
}

static const ofw_learner_callbacks diary_method = {.size = sizeof diary_method,
                                                   .name = "diary",
                                                   .start = diary_start,
                                                   .observe = diary_observe,
                                                   .save = diary_save,
                                                   .load = diary_load,
                                                   .drop = diary_drop};

/* Feedback that depends on the decision and on t alone. */
static void feed_round(ofw_learner *l, int t)
{
  size_t n = ofw_learner_dim(l);
  double *x = decision_of(l), *df = calloc(n, sizeof *df), g = 0.1, loss = 0.0;
  for (size_t i = 0; i < n; i++) {
    df[i] = x[i] - cos(t + (double)i);
    loss += 0.5 * df[i] * df[i];
    g -= x[i] / (double)n;
  }
  ofw_status st = l->method->bandit ? ofw_learner_tell_values(l, loss, g) : ofw_learner_tell(l, loss, df, g, df);
  if (st != OFW_OK)
    fail_msg("%s", ofw_learner_error(l));
  free(df);
  free(x);
}

/* Saved at any moment, also between a decision and its feedback, and loaded into another: the same states ever after. */
static void a_split_play_is_a_whole_one(void **state)
{
  (void)state;
  const ofw_learner_callbacks *const methods[] = {&twin_method, &diary_method};
  for (size_t k = 0; k < 8; k++) {
    ofw_domain *K = make_domain("l2-ball:dim=5");
    uint64_t horizon = k % 4 < 2 ? 200 : OFW_HORIZON_AUTO;
    ofw_learner *whole = make_own(methods[k / 4], K, horizon, 0, NULL), *next = NULL;
    ofw_state saved = {0}, other = {0};
    for (int t = 1; t <= 200; t++) {
      if (t % 37 == 0 || t == 66) {
        next = make_own(methods[k / 4], K, horizon, 0, NULL);
        if (k % 2) /* a decision has been given out */
          free(decision_of(whole));
        assert_int_equal(ofw_learner_save_state(whole, &saved), OFW_OK);
        if (ofw_learner_load_state(next, &saved) != OFW_OK)
          fail_msg("%s", ofw_learner_error(next));
        for (int more = t; more < t + 9; more++)
          feed_round(next, more);
        if (ofw_learner_load_state(next, &saved) != OFW_OK) /* over what it has remembered since */
          fail_msg("%s", ofw_learner_error(next));
        same_decision(whole, next);
        ofw_learner_free(whole);
        whole = next;
      }
      feed_round(whole, t);
    }
    next = make_own(methods[k / 4], K, horizon, 0, NULL);
    for (int t = 1; t <= 200; t++)
      feed_round(next, t);
    assert_int_equal(ofw_learner_save_state(whole, &saved), OFW_OK);
    assert_int_equal(ofw_learner_save_state(next, &other), OFW_OK);
    assert_int_equal(saved.size, other.size);
    assert_memory_equal(saved.bytes, other.bytes, saved.size);
    ofw_state_free(&saved);
    ofw_state_free(&other);
    ofw_learner_free(whole);
    ofw_learner_free(next);
    ofw_domain_free(K);
  }
}

static void *refuse_bytes(const ofw_own *me, const unsigned char *bytes, size_t n)
{
  (void)me, (void)bytes, (void)n;
  return NULL;
}

/* A state that it refuses, or of another revision or method, changes nothing. */
static void other_states_are_refused(void **state)
{
  (void)state;
  ofw_domain *K = make_domain("l2-ball:dim=5");
  ofw_learner_callbacks other = diary_method;
  ofw_learner *from = make_own(&diary_method, K, 9, 0, NULL);
  ofw_state saved = {0}, before = {0}, after = {0};
  feed_round(from, 1);
  assert_int_equal(ofw_learner_save_state(from, &saved), OFW_OK);
  for (int k = 0; k < 3; k++) {
    other.load = k == 0 ? refuse_bytes : diary_load;
    other.revision = k == 1;
    other.name = k == 2 ? "other" : "diary";
    ofw_learner *l = make_own(&other, K, 9, 0, NULL);
    feed_round(l, 5);
    assert_int_equal(ofw_learner_save_state(l, &before), OFW_OK);
    assert_int_equal(ofw_learner_load_state(l, &saved), OFW_BAD_DATA);
    if (k == 0)
      assert_string_equal(ofw_learner_error(l), "diary refuses its bytes in the state");
    assert_int_equal(ofw_learner_save_state(l, &after), OFW_OK);
    assert_int_equal(before.size, after.size);
    assert_memory_equal(before.bytes, after.bytes, after.size);
    ofw_learner_free(l);
  }
  ofw_state_free(&saved);
  ofw_state_free(&before);
  ofw_state_free(&after);
  ofw_learner_free(from);
  ofw_domain_free(K);
}

/* ---- what a round shows ---- */

typedef struct seen {
  ofw_own_round now;
  double loss_gradient[2], constraint_gradient[2], x[2], played[2];
} seen;

static ofw_status look(ofw_own *me, const ofw_own_round *now)
{
  seen *s = me->ctx;
  s->now = *now;
  memcpy(s->x, me->x, sizeof s->x);
  memcpy(s->played, now->played, sizeof s->played);
  if (now->full) {
    memcpy(s->loss_gradient, now->loss_gradient, sizeof s->loss_gradient);
    memcpy(s->constraint_gradient, now->constraint_gradient, sizeof s->constraint_gradient);
  }
  return OFW_OK;
}

static void rounds_are_combined(void **state)
{
  (void)state;
  seen s;
  ofw_learner_callbacks own = {.size = sizeof own, .name = "looks", .observe = look, .ctx = &s};
  ofw_domain *K = make_domain("l2-ball:dim=2");
  static const size_t index[] = {1};
  static const double one[] = {2.0}, dense[] = {0.5, -1.0};
  const ofw_vec f = ofw_vec_sparse(1, index, one), g[] = {ofw_vec_dense(2, dense), f};
  const ofw_sum gradients[] = {{1, &g[0]}, {1, &g[1]}, {2, g}};
  static const double values[][3] = {{1.0, 3.0, -1.0}, {-1.0, -2.0, -3.0}};
  for (int sum = 0; sum < 2; sum++) {
    ofw_learner *l = make_own(&own, K, 9, 1, &(const char *){sum ? "constraints=sum" : "constraints=max"});
    for (int k = 0; k < 3; k++) {
      const ofw_full fb = {{5.0, k < 2 ? 3 : 0, values[k % 2]}, {1, &f}, gradients};
      free(decision_of(l));
      assert_int_equal(ofw_learner_observe(l, &fb), OFW_OK);
      double expected = k == 2 ? 0.0 : sum ? (k == 0 ? 4.0 : 0.0) : k == 0 ? 3.0 : -1.0;
      assert_true(s.now.loss == 5.0 && s.now.constraint == expected && s.now.violation == fmax(expected, 0.0));
      assert_true(s.now.total_violation == (sum ? 4.0 : 3.0));
      assert_true(s.loss_gradient[0] == 0.0 && s.loss_gradient[1] == 2.0 &&
                  s.now.full->values.constraints == (k < 2) * 3);
      double first = k == 2 ? 0.0 : sum ? (k == 0 ? 0.5 : 0.0) : k == 0 ? 0.0 : 0.5;
      double second = k == 2 ? 0.0 : sum ? (k == 0 ? 1.0 : 0.0) : k == 0 ? 2.0 : -1.0;
      assert_true(s.constraint_gradient[0] == first && s.constraint_gradient[1] == second);
    }
    ofw_learner_free(l);
  }
  ofw_domain_free(K);
}

/* ---- bandit methods ---- */

static ofw_status probe_start(ofw_own *me)
{
  me->delta = *(double *)((char *)me->ctx + offsetof(seen, loss_gradient));
  return OFW_OK;
}

/* With delta it plays x + delta u within K, without it x; either way it sees numbers alone. */
static void bandits_probe_if_they_ask(void **state)
{
  (void)state;
  seen s = {.loss_gradient = {0.25, 0.0}};
  ofw_learner_callbacks own = {
      .size = sizeof own, .name = "looks", .bandit = 1, .start = probe_start, .observe = look, .ctx = &s};
  ofw_domain *K = make_domain("l2-ball:dim=2");
  for (int probes = 1; probes >= 0; probes--) {
    s.loss_gradient[0] = probes ? 0.25 : 0.0;
    ofw_learner *l = make_own(&own, K, 9, 0, NULL);
    assert_true(info(l).delta == s.loss_gradient[0]);
    double *before = NULL;
    for (int t = 1; t <= 9; t++) {
      double *x = decision_of(l);
      assert_true(fabs(hypot(x[0], x[1]) - s.loss_gradient[0]) <= 1e-12);
      assert_true(!probes || !before || memcmp(before, x, 2 * sizeof *x) != 0);
      assert_int_equal(ofw_learner_observe(l, &(ofw_full){0}), OFW_USAGE);
      assert_int_equal(ofw_learner_tell_values(l, 1.0, 0.5), OFW_OK);
      assert_true(!s.now.full && !s.now.loss_gradient && !s.now.constraint_gradient && s.now.constraint == 0.5);
      assert_memory_equal(s.played, x, sizeof s.played);
      assert_true(s.x[0] == 0.0 && s.x[1] == 0.0);
      free(before);
      before = x;
    }
    free(before);
    ofw_learner_free(l);
  }
  ofw_domain_free(K);
}

/* ---- what goes wrong ---- */

typedef struct wrong {
  int how;
  double d[5];
} wrong;

static ofw_status go_wrong(ofw_own *me, const ofw_own_round *now)
{
  wrong *w = me->ctx;
  (void)now;
  switch (w->how) {
  case 0:
    me->x[2] = NAN;
    return OFW_OK;
  case 1:
    me->x[0] = 1.5;
    return OFW_OK;
  case 2:
    return OFW_BAD_DATA;
  case 3:
    return ofw_own_fail(me, OFW_BAD_DATA, "it does\nnot like it");
  case 4:
    w->d[3] = INFINITY;
    (void)ofw_own_minimise(me, w->d, 1e-9, w->d); /* which it should not ignore */
    return OFW_OK;
  case 5:
    return ofw_own_project(me, w->d, w->d);
  case 6:
    return ofw_own_minimise(me, w->d, 0.0, w->d);
  default:
    return ofw_own_array(me, "late", 3) ? OFW_OK : (ofw_status)77;
  }
}

static void a_failure_ends_the_learner(void **state)
{
  (void)state;
  static const char *const messages[] = {
      "wrong: its observe left a number that is not finite at coordinate 3 of x",
      "wrong: its observe left an x that is 0.5 outside l2-ball:dim=5",
      "wrong: its observe returned 3 without a message; see ofw_own_fail",
      "wrong: it does?not like it",
      "wrong: the direction is not finite at coordinate 4",
      "wrong: it called ofw_own_project, but its callbacks have projects = 0; set it to 1",
      "wrong: the oracle's tolerance must be positive",
      "wrong: its observe returned 77 without a message; see ofw_own_fail",
  };
  ofw_domain *K = make_domain("l2-ball:dim=5");
  for (int k = 0; k < 8; k++) {
    wrong w = {.how = k};
    ofw_learner_callbacks own = {.size = sizeof own, .name = "wrong", .observe = go_wrong, .ctx = &w};
    ofw_learner *l = make_own(&own, K, 9, 0, NULL);
    double *x = decision_of(l);
    assert_int_equal(ofw_learner_tell(l, 1.0, x, 0.0, NULL), OFW_NUMERICAL);
    assert_string_equal(ofw_learner_error(l), messages[k]);
    const ofw_point *point;
    assert_int_equal(ofw_learner_decide(l, &point), OFW_NUMERICAL);
    free(x);
    ofw_learner_free(l);
  }
  ofw_domain_free(K);
}

/* Outside the functions that they are for, the calls refuse. */
static void calls_have_their_place(void **state)
{
  (void)state;
  ofw_domain *K = make_domain("l2-ball:dim=5");
  ofw_learner *l = make_own(&twin_method, K, 9, 0, NULL);
  ofw_own *me = l->state;
  double d[5] = {1.0};
  assert_int_equal(ofw_own_minimise(me, d, 1e-9, d), OFW_USAGE);
  assert_int_equal(ofw_own_project(me, d, d), OFW_USAGE);
  assert_null(ofw_own_array(me, "late", 3));
  ofw_learner_free(l);
  ofw_domain_free(K);
}

static ofw_status refuse_start(ofw_own *me)
{
  return *(int *)me->ctx ? ofw_own_fail(me, OFW_UNSUPPORTED, "not on such a set") : OFW_USAGE;
}

static ofw_status ask_for_too_much(ofw_own *me)
{
  return ofw_own_array(me, "all", SIZE_MAX / 16) ? OFW_OK : OFW_OK;
}

static ofw_status far_start(ofw_own *me)
{
  me->delta = *(double *)me->ctx;
  return OFW_OK;
}

static void refused(const ofw_learner_callbacks *own, const ofw_domain *K, const char *option, ofw_status status,
                    const char *message)
{
  ofw_error err = {0};
  ofw_learner_settings s = settings_of(9, option != NULL, &option);
  ofw_learner *l = ofw_learner_create_own(own, K, &s, &err);
  if (l || strcmp(err.message, message) != 0)
    fail_msg("'%s' instead of '%s'", l ? "" : err.message, message);
  assert_int_equal(err.status, status);
  assert_null(ofw_learner_create_own(own, K, &s, NULL));
}

static void what_is_refused(void **state)
{
  (void)state;
  ofw_domain *K = make_domain("l2-ball:dim=5"), *paths = make_domain("spanning-trees:graph=(1 2;2 3;3 1)");
  int says = 1;
  double delta = 2.0;
  ofw_learner_callbacks own = {.size = sizeof own, .name = "mine", .observe = stay, .ctx = &says};
  refused(NULL, K, NULL, OFW_USAGE, "ofw_learner_callbacks: size is 0; set it to sizeof(ofw_learner_callbacks)");
  refused(&own, NULL, NULL, OFW_USAGE, "own learner: expected a domain, found NULL");
  refused(&own, K, "step=1", OFW_USAGE,
          "mine: no option 'step'; its options: constraints, oracle-tolerance, sample, start, storage, rank, period, "
          "delay");
  refused(&own, K, "storage=float", OFW_UNSUPPORTED,
          "mine: storage=float works only with built-in learners; leave storage out");
  refused(&own, K, "sample=yes", OFW_UNSUPPORTED,
          "mine: sample=yes works only with built-in learners; leave sample out");
  refused(&own, K, "constraints=budgets", OFW_UNSUPPORTED,
          "mine: constraints=budgets works only with ofw-ada and ofw-tvc");
  own.start = refuse_start;
  refused(&own, K, NULL, OFW_UNSUPPORTED, "mine: not on such a set");
  says = 0;
  refused(&own, K, NULL, OFW_USAGE, "mine: its start returned 2 without a message; see ofw_own_fail");
  own.start = far_start;
  own.ctx = &delta;
  refused(&own, K, NULL, OFW_USAGE,
          "mine: its start sets delta, but only bandit methods probe; set bandit, or leave delta 0");
  own.bandit = 1;
  refused(&own, K, NULL, OFW_USAGE,
          "mine: its start sets delta to 2, expected 0 or a number above 0 and below the set's inner radius 1");
  own.bandit = 0;
  own.start = NULL;
  own.projects = 1;
  refused(&own, paths, NULL, OFW_UNSUPPORTED,
          "mine needs a projection, and no projection onto spanning-trees:graph=(1 2;2 3;3 1) is known; choose another "
          "learner or set");
  own.projects = 0;
  own.observe = NULL;
  refused(&own, K, NULL, OFW_USAGE, "own learner mine: set observe, and set save and load together or not at all");
  own.observe = stay;
  own.save = diary_save;
  refused(&own, K, NULL, OFW_USAGE, "own learner mine: set observe, and set save and load together or not at all");
  own.save = NULL;
  own.name = "ofw-ada";
  refused(&own, K, NULL, OFW_USAGE, "own learner ofw-ada: the library has a learner of this name; choose another");
  own.name = "a b";
  refused(&own, K, NULL, OFW_USAGE,
          "own learner: the name 'a b': expected 1 to 31 small letters, digits and '-', beginning with a letter");
  own.name = NULL;
  refused(&own, K, NULL, OFW_USAGE,
          "own learner: the name '': expected 1 to 31 small letters, digits and '-', beginning with a letter");
  own.name = "mine";
  own.start = ask_for_too_much;
  ofw_learner_settings s = settings_of(9, 0, NULL);
  ofw_error err = {0};
  assert_null(ofw_learner_create_own(&own, K, &s, &err));
  assert_int_equal(err.status, OFW_FAILED);
  ofw_domain_free(K);
  ofw_domain_free(paths);
}

/* Each row of a table is looked at before any value is read by it. */
static void tables_are_checked(void **state)
{
  (void)state;
  ofw_domain *K = make_domain("l2-ball:dim=5");
  static const struct {
    ofw_option row[3];
    const char *why;
  } cases[] = {
      {{OFW_REAL_ROW(0, "Step", "1", NULL, 0, 1, "h")},
       "option 'Step': expected a name of small letters, digits and '-', beginning with a letter"},
      {{OFW_REAL_ROW(0, "a", "1", NULL, 0, 1, "h"), OFW_REAL_ROW(8, "a", "1", NULL, 0, 1, "h")},
       "option 'a': the table has this name twice"},
      {{OFW_REAL_ROW(0, "rank", "1", NULL, 0, 1, "h")},
       "option 'rank': every learner has an option of this name; choose another"},
      {{OFW_REAL_ROW(0, "a", "2", NULL, 0, 1, "h")}, "option 'a': its default is not an allowed value"},
      {{OFW_REAL_ROW(0, "a", "1", NULL, 1, 0, "h")}, "option 'a': its lower bound is above its upper bound"},
      {{OFW_REAL_ROW(4, "a", "1", NULL, 0, 1, "h")}, "option 'a': its offset is not that of a field"},
      {{OFW_REAL_ROW(1u << 20, "a", "1", NULL, 0, 1, "h")}, "option 'a': its offset is not that of a field"},
      {{OFW_REAL_ROW(0, "a", "1", NULL, 0, 1, NULL)}, "option 'a': it has no help"},
      {{OFW_CHOICE_ROW(0, "a", NULL, "x", NULL, "h")}, "option 'a': a choice needs words"},
      {{{"a", OFW_TEXT, "x", NULL, NULL, 0, 0, "h", 0}},
       "option 'a': a text has no default value; describe its default by `formula`"},
      {{{"a", (ofw_option_kind)9, NULL, NULL, NULL, 0, 0, "h", 0}},
       "option 'a': its kind is not one of ofw_option_kind"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    char message[200];
    ofw_learner_callbacks own = {.size = sizeof own, .name = "mine", .observe = stay, .options = cases[k].row};
    snprintf(message, sizeof message, "own learner mine: %s", cases[k].why);
    refused(&own, K, NULL, OFW_USAGE, message);
  }
  static const ofw_option required[] = {OFW_REAL_ROW(0, "width", NULL, NULL, 0, 1, "how wide"), {0}};
  ofw_learner_callbacks own = {.size = sizeof own, .name = "mine", .observe = stay, .options = required};
  refused(&own, K, NULL, OFW_USAGE, "mine: width is required (how wide)");
  refused(&own, K, "width=2", OFW_USAGE, "mine: width=2 is not in [0, 1]");
  ofw_learner *l = make_own(&own, K, 9, 1, &(const char *){"width=0.5"});
  assert_non_null(strstr(ofw_learner_config(l), "learner=mine domain=l2-ball:dim=5 "));
  assert_non_null(strstr(ofw_learner_config(l), " width=0.5 "));
  ofw_learner_free(l);
  ofw_domain_free(K);
}

/* ---- projections ---- */

static ofw_status descend(ofw_own *me, const ofw_own_round *now)
{
  for (size_t i = 0; i < me->dim; i++)
    me->x[i] -= 0.5 * now->loss_gradient[i];
  return ofw_own_project(me, me->x, me->x);
}

static void projections_are_counted(void **state)
{
  (void)state;
  static const ofw_promise anytime = {.anytime = 1};
  static const ofw_learner_callbacks own = {
      .size = sizeof own, .name = "descent", .promise = &anytime, .projects = 1, .observe = descend};
  ofw_domain *K = make_domain("l2-ball:dim=2");
  ofw_error err = {0};
  ofw_learner_settings s = {.size = sizeof s}; /* neither a horizon nor G */
  ofw_learner *l = ofw_learner_create_own(&own, K, &s, &err);
  assert_non_null(l);
  static const double slope[] = {3.0, -4.0};
  for (int t = 0; t < 5; t++) {
    free(decision_of(l));
    assert_int_equal(ofw_learner_tell(l, 0.0, slope, 0.0, NULL), OFW_OK);
  }
  double *x = decision_of(l);
  assert_near(x[0], -0.6);
  assert_near(x[1], 0.8);
  assert_int_equal(info(l).projections, 5);
  assert_int_equal(info(l).oracle_calls, 0);
  free(x);
  ofw_learner_free(l);
  ofw_domain_free(K);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_twin_is_ofw),
      cmocka_unit_test(the_shortest_is_still),
      cmocka_unit_test(a_split_play_is_a_whole_one),
      cmocka_unit_test(other_states_are_refused),
      cmocka_unit_test(rounds_are_combined),
      cmocka_unit_test(bandits_probe_if_they_ask),
      cmocka_unit_test(a_failure_ends_the_learner),
      cmocka_unit_test(calls_have_their_place),
      cmocka_unit_test(what_is_refused),
      cmocka_unit_test(tables_are_checked),
      cmocka_unit_test(projections_are_counted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
