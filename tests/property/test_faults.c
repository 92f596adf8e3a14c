/* Memory that runs out. In plays of every registered part each allocation in turn is refused, alone or with all that
 * follow. The refused call says so and leaves everything as it was: asked again it works, and the play ends as the
 * undisturbed one did; given up without memory, nothing is left over. The linker sends the library's allocations here.
 */
#include "property/everything.h"
#include "property/refusing_heap.h"

#include <math.h>
#include <unistd.h>

enum { MOST_DIM = 600, PLAYED = 8 };

typedef struct side {
  ofw_stream *stream;
  ofw_learner *l;
  ofw_run *run;
} side;

typedef struct game {
  const setting *with;
  const char *source; /* a stream's spec, or "own" */
  uint64_t horizon, first;
  ofw_domain *K, *inner;
  side a, b; /* what is saved from a is loaded into b */
  ofw_state part, whole;
} game;

static const game *now;
static int silent; /* nobody asks why */
static ofw_error err;
static uint64_t outcome; /* of all that was seen */
static size_t faults;

static void must(int truth, const char *what)
{
  if (!truth)
    fail_msg("%s %s over %s by %s, allocation %zu%s refused: %s", now->with->learner, now->with->option,
             now->with->domain ? now->with->domain : "", now->source, heap.refuse, heap.lasting ? " on" : "", what);
}

static uint64_t hash(uint64_t from, const void *bytes, size_t n)
{
  for (size_t i = 0; i < n; i++)
    from = (from ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
  return from;
}

static void note(const void *bytes, size_t n)
{
  outcome = hash(outcome, bytes, n);
}

static ofw_error *told(void)
{
  err = (ofw_error){0};
  return silent ? NULL : &err;
}

/* 1: it worked; 0: it was refused memory and said so. */
static int worked(ofw_status st, const char *message)
{
  size_t refused = heap.refused;
  heap.refused = 0;
  if (!refused)
    must(st == OFW_OK, message ? message : "a call failed for no reason");
  else {
    must(st == OFW_FAILED, st == OFW_OK ? "the refusal was hidden" : message);
    must(!message || (strstr(message, "memory") && !strchr(message, '\n')), "the message does not say so in a line");
  }
  return !refused;
}

/* Asks again after a refusal; where memory is gone for good, everything is given up at the second. */
#define INSIST(call, message, intact)                         \
  for (int asked = 0; !worked((call), (message));) {          \
    must((intact), "what was there before is not as it was"); \
    if (asked++ && heap.lasting)                              \
      return 0;                                               \
  }
#define MAKE(object, call) \
  INSIST(((object) = (call)) ? OFW_OK : silent ? OFW_FAILED : err.status, silent ? NULL : err.message, 1)

/* All that a learner remembers; no fault strikes here. */
static uint64_t digest(ofw_learner *l)
{
  size_t refuse = heap.refuse;
  ofw_state state = {0};
  heap.refuse = 0;
  must(ofw_learner_save(l, &state) == OFW_OK, "it cannot be saved");
  uint64_t sum = hash(1, state.bytes, state.size);
  ofw_state_free(&state);
  heap.refuse = refuse;
  return sum;
}

static int own_minimise(void *ctx, const double *d, double *v)
{
  for (size_t i = 0; i < *(const size_t *)ctx; i++)
    v[i] = 0.25 - copysign(1.0, d[i]);
  return 0;
}

static double own_excess(void *ctx, const double *x)
{
  double most = 0.0;
  for (size_t i = 0; i < *(const size_t *)ctx; i++)
    most = fmax(most, fabs(x[i] - 0.25) - 1.0);
  return most;
}

/* Unsorted indices, so that checking them takes memory; three constraints. */
static int own_reveal(void *ctx, uint64_t t, const ofw_point *x, ofw_full *out)
{
  static const size_t index[] = {2, 0, 1};
  static const double value[] = {1.0, -0.5, 0.25}, constraint[] = {0.5, -0.5, 0.125};
  static ofw_vec vec;
  static ofw_sum sum[3];
  (void)ctx, (void)x;
  vec = ofw_vec_sparse(3, index, value);
  sum[0] = sum[1] = sum[2] = (ofw_sum){1, &vec};
  *out = (ofw_full){{(double)(t % 5), 3, constraint}, sum[0], sum};
  return 0;
}

static size_t own_dim = 6;
static double own_centre[] = {0.25, 0.25, 0.25, 0.25, 0.25, 0.25};
static const ofw_domain_callbacks own_domain = {sizeof own_domain, 6,          3.1,     1.0, own_centre,
                                                own_minimise,      own_excess, &own_dim};
static const ofw_stream_callbacks own_stream = {sizeof own_stream, {2.0, 5.0, 0.0}, own_reveal, NULL, NULL};

static int open_domain(game *g)
{
  const char *spec = g->with->domain;
  if (spec)
    MAKE(g->K, strcmp(spec, "own") ? ofw_domain_create(spec, told()) : ofw_domain_create_own(&own_domain, told()));
  return 1;
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
    for (size_t k = 0; k < n; k++)
      d[k] = 1.5 * (double)(k % 3) - 1.0;
    INSIST(ofw_domain_minimise(K, d, 1e-6, v, &numbers[0], told()), silent ? NULL : err.message, 1);
    INSIST((numbers[1] = ofw_domain_excess(K, d)) < 0.0 ? OFW_FAILED : OFW_OK, NULL, 1);
    note(v, n * sizeof *v);
    ofw_domain_centre(K, v);
    note(v, n * sizeof *v);
    numbers[2] = ofw_domain_outer_radius(K), numbers[3] = ofw_domain_inner_radius(K);
    note(numbers, sizeof numbers);
    note(ofw_domain_spec(K), strlen(ofw_domain_spec(K)));
  }
  return 1;
}

static int open_side(game *g, side *p)
{
  const char *source = g->source, *set = g->with->option;
  MAKE(p->stream, strcmp(source, "own") ? ofw_stream_create(source, g->K, PLAYED, 5, told())
                                        : ofw_stream_create_own(&own_stream, g->K, told()));
  ofw_constants c = *ofw_stream_constants(p->stream);
  ofw_learner_settings s = {.size = sizeof s,
                            .horizon = g->horizon,
                            .lipschitz = c.lipschitz > 0.0 ? c.lipschitz : 2.0,
                            .loss_bound = c.loss_bound,
                            .strong_convexity = c.strong_convexity > 0.0 ? c.strong_convexity : 0.5,
                            .sets = set[0] ? 1 : 0,
                            .set = &set};
  MAKE(p->l, ofw_learner_create(g->with->learner, ofw_stream_domain(p->stream), &s, told()));
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
    note(at, ofw_point_dim(x) * sizeof *at);
    before = digest(p->l);
    INSIST(ofw_run_play(p->run, 1, NULL, NULL), ofw_run_error(p->run), digest(p->l) == before);
  }
  ofw_trace_row row = *ofw_run_account(p->run);
  row.seconds = 0.0;
  note(&row, sizeof row);
  return 1;
}

/* Old bytes are still there, and loaded. */
static int still(ofw_state *state, uint64_t before, game *g)
{
  size_t refuse = heap.refuse;
  heap.refuse = 0;
  int same = hash(1, state->bytes, state->size) == before;
  same = same && (!state->size ||
                  (state == &g->part ? ofw_learner_load(g->b.l, state) : ofw_run_load(g->b.run, state)) == OFW_OK);
  heap.refuse = refuse;
  return same;
}

static int save(game *g)
{
  uint64_t l = digest(g->a.l), part = hash(1, g->part.bytes, g->part.size),
           all = hash(1, g->whole.bytes, g->whole.size);
  INSIST(ofw_learner_save(g->a.l, &g->part), ofw_learner_error(g->a.l),
         still(&g->part, part, g) && digest(g->a.l) == l);
  INSIST(ofw_run_save(g->a.run, &g->whole), ofw_run_error(g->a.run), still(&g->whole, all, g) && digest(g->a.l) == l);
  note(g->part.bytes, g->part.size);
  return 1;
}

static int play_game(game *g)
{
  if (!open_domain(g) || !open_side(g, &g->a) || !open_side(g, &g->b))
    return 0;
  if (silent)
    return 1; /* nothing below takes an ofw_error */
  if (!play_rounds(&g->b, 1) || !play_rounds(&g->a, g->first) || !save(g) || !play_rounds(&g->a, 3) || !save(g))
    return 0;
  uint64_t before = digest(g->b.l);
  INSIST(ofw_learner_load(g->b.l, &g->part), ofw_learner_error(g->b.l), digest(g->b.l) == before);
  INSIST(ofw_run_load(g->b.run, &g->whole), ofw_run_error(g->b.run), digest(g->b.l) == digest(g->a.l));
  if (!play_rounds(&g->a, 2) || !play_rounds(&g->b, 2))
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

/* The undisturbed play, then one for each of its allocations. */
static void at_every_fault(int (*play)(game *), game fresh)
{
  for (int mode = 0; mode < 4; mode++) {
    uint64_t undisturbed = 0;
    long before = heap.held;
    size_t n = 0;
    do {
      game g = fresh;
      now = &g;
      heap.lasting = mode & 1, silent = mode >> 1;
      heap.calls = heap.refused = 0, heap.refuse = n ? n : SIZE_MAX, outcome = 1;
      int ended = play(&g);
      close_side(&g.a), close_side(&g.b);
      ofw_domain_free(g.inner), ofw_domain_free(g.K);
      ofw_state_free(&g.part), ofw_state_free(&g.whole);
      must(heap.held == before, "something was not freed");
      undisturbed = n ? undisturbed : outcome;
      must(!ended || outcome == undisturbed, "the play ends in another way");
    } while (n++ == 0 || heap.calls >= n - 1);
    faults += n - 2;
    heap.refuse = 0;
  }
}

static void play_with(const setting *s, const char *source, uint64_t horizon, uint64_t first)
{
  at_every_fault(play_game, (game){.with = s, .source = source, .horizon = horizon, .first = first});
}

/* Every learner with its defaults. */
static void play_all(const char *domain, const char *source, uint64_t horizon, uint64_t first)
{
  for (size_t i = 0; i < ofw_learner_types(); i++)
    play_with(&(setting){ofw_learner_type(i)->name, "", domain}, source, horizon, first);
}

static char bounds[] = "/tmp/ofw-bounds-XXXXXX", feedback[] = "/tmp/ofw-feedback-XXXXXX", box[64], replay[64];
#define NEST "shrunk:factor=0.9,of=(shrunk:factor=0.9,of=(shrunk:factor=0.9,of=(shrunk:factor=0.9,of=(simplex:dim=5))))"

static void test_domains(void **unused)
{
  (void)unused;
  const char *spec[64] = {"own", box, "shrunk:factor=0.9,of=(box:dim=6,lower=-1,upper=2)", NEST};
  size_t n = 4;
  for (size_t i = 0; i < ofw_domain_types(); i++)
    spec[n++] = ofw_domain_type(i)->example;
  for (size_t i = 0; i < n; i++) {
    at_every_fault(play_domain, (game){.with = &(setting){"", "", spec[i]}, .source = ""});
    play_all(spec[i], "quadratic", PLAYED, 2);
  }
}

static void test_streams(void **unused)
{
  (void)unused;
  for (size_t i = 0; i < ofw_stream_types(); i++) {
    const char *spec = ofw_stream_type(i)->example;
    ofw_stream *alone = spec ? ofw_stream_create(spec, NULL, PLAYED, 5, NULL) : NULL;
    play_all(alone ? NULL : "trace-ball:rows=3,cols=2", spec ? spec : replay, PLAYED, 2);
    ofw_stream_free(alone);
  }
}

static void play_choice(const setting *s)
{
  play_with(s, "own", PLAYED, 2);
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
  play_all("simplex:dim=4", "own", OFW_HORIZON_AUTO, 62);
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
  at_every_fault(play_refusal, (game){.with = &(setting){"", "", "box"}, .source = ""});
}

/* One round a line, the second much longer than the first. */
static void write_files(void)
{
  int file = mkstemp(bounds);
  dprintf(file, "-1\n-1.5\n-1.25000000000000000000000000000000000000\n-1\n");
  close(file);
  file = mkstemp(feedback);
  for (int t = 1; t <= PLAYED; t++) {
    int n = t == 2 ? 20 : 1;
    dprintf(file, "{\"loss\":%d,\"loss_gradient\":{\"index\":[2,0],\"value\":[1,-1]},\"constraint\":[0.5", t);
    for (int k = 1; k < n; k++)
      dprintf(file, ",-0.5");
    dprintf(file, "],\"constraint_gradient\":[[1,0,0,0,0,0]");
    for (int k = 1; k < n; k++)
      dprintf(file, ",{\"index\":[3,1],\"value\":[0.5,0.25]}");
    dprintf(file, "]}\n");
  }
  close(file);
  snprintf(box, sizeof box, "box:lower=@%s,upper=2", bounds);
  snprintf(replay, sizeof replay, "replay:file=%s", feedback);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_domains), cmocka_unit_test(test_streams),  cmocka_unit_test(test_choices),
      cmocka_unit_test(test_epochs),  cmocka_unit_test(test_refusals),
  };
  write_files();
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  unlink(bounds);
  unlink(feedback);
  print_message("%zu faults\n", faults);
  return failed;
}
