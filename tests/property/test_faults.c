/* Memory that runs out. In plays of every part each allocation in turn is refused, alone or with all that follow. The
 * refused call says so and leaves everything as it was: asked again it works, and the play ends as the undisturbed one
 * did; given up without memory, nothing is left over. */
#include "lab/data/describe.h"
#include "lab/plan.h"
#include "lab/results.h"
#include "property/faults.h"
#include "property/unregistered.h"
#include "ratings/ratings.h"

#include <unistd.h>

enum { MOST_DIM = 600, ROUNDS = FILE_ROUNDS };

typedef struct side {
  ofw_stream *stream;
  ofw_learner *l;
  ofw_run *run;
} side;

typedef struct game {
  const setting *with;
  const char *source; /* a stream's spec, or "own" */
  uint64_t horizon;
  ofw_domain *K, *inner;
  side a, b;                    /* what is saved from a is loaded into b */
  ofw_state part, whole, early; /* a's learner, a's run, b's learner before it is loaded into */
} game;

/* All that a learner remembers; no fault strikes here. */
static uint64_t digest(ofw_learner *l)
{
  ofw_state state = {0};
  heap.paused = 1;
  must(ofw_learner_save_state(l, &state) == OFW_OK, "it cannot be saved");
  uint64_t sum = hash(1, state.bytes, state.size);
  ofw_state_free(&state);
  heap.paused = 0;
  return sum;
}

static int open_domain(game *g)
{
  const char *spec = g->with->domain;
  if (spec)
    MAKE(g->K, strcmp(spec, "own") ? ofw_domain_create(spec, told()) : ofw_domain_create_own(&own_domain, told()));
  return 1;
}

/* Whether the set has a projection; no fault strikes here. */
static int projects(const ofw_domain *K, const double *y, double *x)
{
  heap.paused = 1;
  ofw_status st = ofw_domain_project(K, y, x, NULL);
  heap.paused = 0;
  return st != OFW_UNSUPPORTED;
}

static int play_domain(game *g)
{
  double d[MOST_DIM], v[MOST_DIM], numbers[4];
  if (!open_domain(g))
    return 0;
  MAKE(g->inner, ofw_domain_create_shrunk(g->K, 0.75, told()));
  const ofw_domain *both[] = {g->K, g->inner};
  for (int i = 0; i < 2; i++) {
    const ofw_domain *K = both[i];
    size_t n = ofw_domain_dim(K);
    must(n <= MOST_DIM, "its dimension is too large for this test");
    for (size_t k = 0; k < n; k++)
      d[k] = 1.5 * (double)(k % 3) - 1.0;
    INSIST(ofw_domain_minimise(K, d, 1e-6, v, &numbers[0], told()), silent ? NULL : err.message, 1);
    INSIST((numbers[1] = ofw_domain_excess(K, d)) < 0.0 ? OFW_FAILED : OFW_OK, NULL, 1);
    note(v, n * sizeof *v);
    if (projects(K, d, v))
      INSIST(ofw_domain_project(K, d, v, told()), silent ? NULL : err.message, 1);
    note(v, n * sizeof *v);
    ofw_domain_centre(K, v);
    note(v, n * sizeof *v);
    numbers[2] = K->R, numbers[3] = K->r;
    note(numbers, sizeof numbers);
    note(K->spec, strlen(K->spec));
  }
  return 1;
}

static int open_side(game *g, side *p)
{
  const char *source = g->source, *set[MOST_SETS];
  char words[SET_TEXT];
  MAKE(p->stream, strcmp(source, "own") ? ofw_stream_create(source, g->K, ROUNDS, 5, told())
                                        : ofw_stream_create_own(&own_stream, g->K, told()));
  must(ofw_domain_dim(ofw_stream_domain(p->stream)) <= MOST_DIM, "its dimension is too large for this test");
  ofw_constants c = *ofw_stream_constants(p->stream);
  ofw_learner_settings s = {.size = sizeof s,
                            .horizon = g->horizon,
                            .lipschitz = c.lipschitz > 0.0 ? c.lipschitz : 2.0,
                            .loss_bound = c.loss_bound,
                            .strong_convexity = c.strong_convexity > 0.0 ? c.strong_convexity : 0.5,
                            .options = split_options(g->with, words, set),
                            .option = set};
  const ofw_domain *K = ofw_stream_domain(p->stream);
  MAKE(p->l, strcmp(g->with->learner, "own") ? ofw_learner_create_over(g->with->learner, K, &s, told())
                                             : ofw_learner_create_own(&own_learner, K, &s, told()));
  MAKE(p->run, ofw_run_create(p->l, p->stream, told()));
  note(ofw_stream_config(p->stream), strlen(ofw_stream_config(p->stream)));
  note(ofw_learner_config(p->l), strlen(ofw_learner_config(p->l)));
  return 1;
}

static int play_rounds(side *p, uint64_t n)
{
  const ofw_point *x = NULL;
  double at[MOST_DIM];
  for (; n > 0; n--) {
    uint64_t before = digest(p->l);
    INSIST(ofw_learner_decide(p->l, &x), ofw_learner_error(p->l), digest(p->l) == before);
    ofw_point_dense(x, at);
    note(at, x->at->dim * sizeof *at);
    before = digest(p->l);
    INSIST(ofw_run_play(p->run, 1, NULL, NULL), ofw_run_error(p->run), digest(p->l) == before);
  }
  ofw_trace_row row = *ofw_run_account(p->run);
  row.seconds = 0.0;
  note(&row, sizeof row);
  return 1;
}

static uint64_t bytes_of(const ofw_state *state)
{
  return hash(1, state->bytes, state->size);
}

static ofw_status load(game *g, const ofw_state *state)
{
  return state == &g->whole ? ofw_run_load(g->b.run, state) : ofw_learner_load_state(g->b.l, state);
}

/* The old bytes are there, and can be loaded. */
static int holds(game *g, const ofw_state *state, uint64_t before)
{
  heap.paused = 1;
  int same = bytes_of(state) == before && (!state->size || load(g, state) == OFW_OK);
  heap.paused = 0;
  return same;
}

static int save(game *g)
{
  ofw_learner *l = g->a.l;
  uint64_t before = digest(l), part = bytes_of(&g->part), whole = bytes_of(&g->whole);
  INSIST(ofw_learner_save_state(l, &g->part), ofw_learner_error(l), holds(g, &g->part, part) && digest(l) == before);
  INSIST(ofw_run_save(g->a.run, &g->whole), ofw_run_error(g->a.run), holds(g, &g->whole, whole) && digest(l) == before);
  note(g->part.bytes, g->part.size);
  return 1;
}

static int load_all(game *g)
{
  const ofw_state *all[] = {&g->part, &g->early, &g->whole};
  INSIST(ofw_learner_save_state(g->b.l, &g->early), ofw_learner_error(g->b.l), 1);
  for (int i = 0; i < 3; i++) {
    uint64_t before = digest(g->b.l);
    INSIST(load(g, all[i]), i < 2 ? ofw_learner_error(g->b.l) : ofw_run_error(g->b.run), digest(g->b.l) == before);
  }
  return 1;
}

static int play_game(game *g)
{
  uint64_t first = g->horizon == OFW_HORIZON_AUTO ? 62 : 2;
  if (!open_domain(g) || !open_side(g, &g->a) || !open_side(g, &g->b))
    return 0;
  if (silent)
    return 1; /* nothing below takes an ofw_error */
  if (!play_rounds(&g->b, 1) || !play_rounds(&g->a, first) || !save(g) || !play_rounds(&g->a, 3) || !save(g) ||
      !load_all(g) || !play_rounds(&g->a, 2) || !play_rounds(&g->b, 2))
    return 0;
  must(digest(g->a.l) == digest(g->b.l), "what was loaded plays on in another way");
  return 1;
}

static void close_side(side *p)
{
  ofw_run_free(p->run);
  ofw_learner_free(p->l);
  ofw_stream_free(p->stream);
}

static size_t faults;

/* The undisturbed play, then one for each of its allocations. */
static void at_every_fault(int (*play)(game *), game fresh)
{
  const setting *s = fresh.with;
  snprintf(playing, sizeof playing, "%s %s over %s by %s", s->learner, s->option, s->domain ? s->domain : "its own",
           fresh.source);
  for (int mode = 0; mode < 4; mode++) {
    uint64_t undisturbed = 0;
    long before = heap.held;
    size_t n = 0;
    do {
      game g = fresh;
      heap.lasting = mode & 1, silent = mode >> 1;
      heap.calls = heap.refused = 0, heap.refuse = n ? n : SIZE_MAX, outcome = 1;
      int ended = play(&g);
      close_side(&g.a), close_side(&g.b);
      ofw_domain_free(g.inner), ofw_domain_free(g.K);
      ofw_state_free(&g.part), ofw_state_free(&g.whole), ofw_state_free(&g.early);
      must(heap.held == before, "something was not freed");
      undisturbed = n ? undisturbed : outcome;
      must(!ended || outcome == undisturbed, "the play ends in another way");
    } while (n++ == 0 || heap.calls >= n - 1);
    must(n > 2, "nothing was allocated");
    faults += n - 2;
    heap.refuse = 0;
  }
}

/* Without a domain it is the stream's own. */
static int plays_on(const setting *s, const char *source)
{
  ofw_stream *alone = s->domain ? NULL : make_stream(source, NULL, ROUNDS, 5);
  ofw_domain *K = !s->domain                 ? ofw_domain_keep(ofw_stream_domain(alone))
                  : strcmp(s->domain, "own") ? make_domain(s->domain)
                                             : ofw_domain_create_own(&own_domain, NULL);
  int offered = is_offered(s, K);
  ofw_domain_free(K);
  ofw_stream_free(alone);
  return offered;
}

/* Learners with their defaults: every one, or each `every`-th from `first` on. */
static void play_some(const char *domain, const char *source, uint64_t horizon, size_t first, size_t every)
{
  for (size_t i = first; i < ofw_learner_types(); i += every) {
    setting s = {ofw_learner_type(i)->name, "", domain, 0};
    if (!plays_on(&s, source))
      continue;
    at_every_fault(play_game, (game){.with = &s, .source = source, .horizon = horizon});
  }
}

static void play_all(const char *domain, const char *source, uint64_t horizon)
{
  play_some(domain, source, horizon, 0, 1);
}

/* On the i-th of a list some learners, in turn. */
static void play_in_turn(const char *domain, const char *source, size_t i)
{
  size_t every = all_levels() ? 1 : 5 * one_in();
  play_some(domain, source, ROUNDS, i % every, every);
}

static void test_domains(void **unused)
{
  (void)unused;
  const char *spec[64] = {"own", box, SHRUNK, NESTED};
  size_t n = 4;
  for (size_t i = 0; i < ofw_domain_types(); i++)
    spec[n++] = ofw_domain_type(i)->example;
  for (size_t i = 0; i < n; i++) {
    at_every_fault(play_domain, (game){.with = &(setting){"", "", spec[i], 0}, .source = ""});
    play_in_turn(spec[i], "quadratic", i);
  }
}

static void test_streams(void **unused)
{
  (void)unused;
  for (size_t i = 0; i < ofw_stream_types(); i++) {
    const char *spec = ofw_stream_type(i)->example;
    ofw_stream *alone = spec ? ofw_stream_create(spec, NULL, ROUNDS, 5, NULL) : NULL;
    play_in_turn(alone ? NULL : "trace-ball:rows=3,cols=2", spec ? spec : replay, i);
    ofw_stream_free(alone);
  }
  play_all(NULL, ratings, ROUNDS);
}

static void play_choice(const setting *s)
{
  at_every_fault(play_game, (game){.with = s, .source = "own", .horizon = ROUNDS});
}

static void test_choices(void **unused)
{
  (void)unused;
  for_each_choice("simplex:dim=4", play_choice);
}

/* A decision begins an epoch, a load enters one. */
static void test_epochs(void **unused)
{
  (void)unused;
  play_all("simplex:dim=4", "own", OFW_HORIZON_AUTO);
}

static void test_own_learner(void **unused)
{
  (void)unused;
  static const uint64_t horizons[] = {ROUNDS, OFW_HORIZON_AUTO};
  for (size_t i = 0; i < 2; i++) {
    at_every_fault(play_game, (game){.with = &(setting){"own", "", "own", 0}, .source = "own", .horizon = horizons[i]});
    at_every_fault(play_game, (game){.with = &(setting){"own", "start=vertex", "simplex:dim=4", 0},
                                     .source = "quadratic",
                                     .horizon = horizons[i]});
  }
}

/* Ratings that are like a small set's, described. */
static ofw_status describe_likeness(data_description *d)
{
  const ofw_likeness like = {.users = 5,
                             .items = 4,
                             .count = 9,
                             .lowest = 1.0,
                             .step = 1.0,
                             .of_value = {4, 5},
                             .user = {{0, 1}, {1, 3}},
                             .item = {{0, 2}, {1, 3}},
                             .choice = {1.0},
                             .taste = {1.0},
                             .noise = 1.0};
  ofw_ratings r;
  ofw_status st = ofw_ratings_generate_like(&r, &like, 3, told());
  if (st == OFW_OK)
    st = data_describe(&r, d, told());
  ofw_ratings_free(&r);
  return st;
}

static int play_likeness(game *g)
{
  (void)g;
  data_description d;
  INSIST(describe_likeness(&d), silent ? NULL : err.message, 1);
  note(d.singular_value, d.singular * sizeof *d.singular_value);
  note(d.centred_singular_value, d.centred_singular * sizeof *d.centred_singular_value);
  return 1;
}

static void test_likeness(void **unused)
{
  (void)unused;
  at_every_fault(play_likeness, (game){.with = &(setting){"", "", "a likeness", 0}, .source = ""});
}

static int play_trace(game *g)
{
  (void)g;
  ofw_trace trace = {0};
  INSIST(ofw_trace_read(trace_file, &trace, told()), silent ? NULL : err.message, !trace.row && !trace.header);
  note(trace.row, trace.rows * sizeof *trace.row);
  for (size_t i = 0; i < trace.headers; i++)
    note(trace.header[i], strlen(trace.header[i]));
  ofw_trace_free(&trace);
  return 1;
}

static void test_traces(void **unused)
{
  (void)unused;
  at_every_fault(play_trace, (game){.with = &(setting){"", "", "a trace", 0}, .source = ""});
}

/* An experiment read and planned: sections, lines that go on, lists, claims. */
static const char experiment[] = "[experiment]\ntitle = faults\nrounds = 5, 7\nseeds = 3\ntune-seeds = 1\n"
                                 "[stream s]\nstream = linear\ndomain = l1-ball:dim=2\n[stream t]\nstream = quadratic\n"
                                 "[learner ofw-tvc]\nstep = 1, 2,\n 3\nbeta = 1,2\ntune = yes\nstreams = s\n"
                                 "[learner other]\nlearner = ofw\n"
                                 "[claim 1]\ntext = t\nbetter = other\nthan = ofw-tvc\nmetric = loss, ccv\n";

static ofw_status plan_once(void)
{
  lab_experiment x;
  lab_plan plan = {0};
  ofw_status st = lab_experiment_read("faults.ini", experiment, &x, told());
  if (st == OFW_OK)
    st = lab_plan_make(&x, &plan, told());
  for (size_t i = 0; i < plan.arms && st == OFW_OK; i++)
    note(plan.arm[i].options, strlen(plan.arm[i].options));
  lab_plan_free(&plan);
  lab_experiment_free(&x);
  return st;
}

static int play_experiment(game *g)
{
  (void)g;
  uint64_t before = outcome;
  INSIST((outcome = before, plan_once()), silent ? NULL : err.message, 1);
  return 1;
}

static void test_experiments(void **unused)
{
  (void)unused;
  at_every_fault(play_experiment, (game){.with = &(setting){"", "", "an experiment", 0}, .source = ""});
}

/* A results database that is made, put into, and read. Memory of SQLite's own is never refused here. */
static char folder[] = "/tmp/ofw-faults-XXXXXX", database[64];

static int put_results(results *r)
{
  const results_cell cell[] = {
      {.cell = 1, .arm = 1, .factor = {1, 1}, .rounds = 5, .seed = 1, .config = "a\nb"},
      {.cell = 2, .arm = 1, .factor = {1, 1}, .rounds = 5, .error = "no good", .exit_code = 3}};
  const ofw_trace_row point[] = {{.round = 2, .loss_sum = 1.5}, {.round = 5, .loss_sum = 2.5}};
  INSIST(results_begin(r, told()), silent ? NULL : err.message, 1);
  for (size_t i = 0; i < 2; i++)
    INSIST(results_put(r, &cell[i], point, i ? 0 : 2, "now", "here", told()), silent ? NULL : err.message, 1);
  INSIST(results_finish(r, told()), silent ? NULL : err.message, 1);
  return 1;
}

static ofw_status read_results(results *r)
{
  results_arm *arm = NULL;
  results_cell *cell = NULL;
  ofw_trace_row *point = NULL;
  size_t arms = 0, cells = 0, points = 0;
  ofw_status st = results_arms(r, &arm, &arms, told());
  if (st == OFW_OK)
    st = results_cells(r, 1, &cell, &cells, told());
  if (st == OFW_OK)
    st = results_series(r, 1, &point, &points, told());
  if (st == OFW_OK)
    must(arms == 1 && cells == 2 && points == 2 && strcmp(cell[0].config, "a\nb") == 0 &&
             strcmp(cell[1].error, "no good") == 0,
         "what was put is not there");
  results_arms_free(arm, arms);
  results_cells_free(cell, cells);
  free(point);
  return st;
}

static int look_at_results(results *r)
{
  INSIST(read_results(r), silent ? NULL : err.message, 1);
  return 1;
}

static int play_results(game *g)
{
  const results_arm arm = {1, "s", "linear", NULL, "other", "ofw", "", 0, {NULL, NULL}};
  const results_head head = {"faults", experiment, "0", "portable", &arm, 1};
  results *r = NULL;
  (void)g;
  unlink(database);
  INSIST(results_create(folder, &head, &r, told()), silent ? NULL : err.message, !r);
  int whole = put_results(r);
  results_close(r);
  if (!whole)
    return 0;
  INSIST(results_open(folder, &r, told()), silent ? NULL : err.message, !r);
  whole = look_at_results(r);
  results_close(r);
  return whole;
}

static void test_results(void **unused)
{
  (void)unused;
  assert_non_null(mkdtemp(folder));
  snprintf(database, sizeof database, "%s/results.db", folder);
  at_every_fault(play_results, (game){.with = &(setting){"", "", "results", 0}, .source = ""});
  unlink(database);
  assert_int_equal(rmdir(folder), 0);
}

/* Compressed ratings: zlib takes memory, too. */
static const unsigned char packed[] = {/* printf '1 1 1\n2 1 3\n' | gzip -n */
                                       0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03,
                                       0x33, 0x54, 0x30, 0x54, 0x30, 0xe4, 0x32, 0x02, 0x92, 0xc6,
                                       0x5c, 0x00, 0x73, 0x88, 0x05, 0x76, 0x0c, 0x00, 0x00, 0x00};

static ofw_status read_packed(const char *path, ofw_ratings *r)
{
  ofw_ratings_source from = {.path = path, .base = OFW_BASE_AUTO};
  ofw_status st = ofw_ratings_read(r, &from, told());
  if (st != OFW_OK)
    ofw_ratings_free(r);
  return st;
}

static int play_packed(game *g)
{
  ofw_ratings r;
  INSIST(read_packed(g->source, &r), silent ? NULL : err.message, !r.cell);
  must(r.count == 2 && r.users == 2 && r.items == 1 && r.value[1] == 3.0, "other ratings");
  ofw_ratings_free(&r);
  return 1;
}

static void test_packed_ratings(void **unused)
{
  (void)unused;
  char path[] = "/tmp/ofw-faults-XXXXXX";
  int file = mkstemp(path);
  assert_true(file >= 0 && write(file, packed, sizeof packed) == (ssize_t)sizeof packed && close(file) == 0);
  at_every_fault(play_packed, (game){.with = &(setting){"", "", "packed ratings", 0}, .source = path});
  unlink(path);
}

/* A refusal for another reason stays one, whether or not there is memory for its words. */
static int play_refusal(game *g)
{
  g->K = ofw_domain_create("box:colour=1", told());
  must(!g->K && (silent || (err.message[0] && (err.status == OFW_USAGE || heap.refused))), "it is not refused");
  return 1;
}

static void test_refusals(void **unused)
{
  (void)unused;
  at_every_fault(play_refusal, (game){.with = &(setting){"", "", "box", 0}, .source = ""});
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_domains), cmocka_unit_test(test_streams),        cmocka_unit_test(test_choices),
      cmocka_unit_test(test_epochs),  cmocka_unit_test(test_own_learner),    cmocka_unit_test(test_likeness),
      cmocka_unit_test(test_traces),  cmocka_unit_test(test_refusals),       cmocka_unit_test(test_experiments),
      cmocka_unit_test(test_results), cmocka_unit_test(test_packed_ratings),
  };
  write_files();
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  remove_files();
  print_message("%zu faults\n", faults);
  return failed;
}
