/* bench_oracle.c — ofw-bench oracle: the top singular pair of directions that a learner asked about
 *
 * The callers take turns on each direction, so that whatever else the machine does meets all of them; ofw's oracle sees
 * the directions of a learner in the order of its rounds, so that what it remembers is of use to it as in a run. A
 * direction's time is the median over the repeats, a caller's the mean over the directions.
 */
#include "bench/bench.h"

#include "base/basics.h"
#include "bench/callers.h"
#include "bench/peers.h"
#include "bench/timing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOLERANCE 1e-2

enum { MOST_GROUPS = 2, WANTED = 16 }; /* directions of a learner */

/* The directions from..to-1 are one learner's. */
typedef struct group {
  const char *learner; /* NULL: a file does not say whose they are */
  size_t from, to;
  double gesdd_seconds;
} group;

typedef struct oracle_bench {
  const command *self;
  const arguments *args;
  bench_game game;
  directions all;
  group group[MOST_GROUPS];
  size_t groups;
  callers *callers;
  double *seconds[CALLERS]; /* directions x repeats */
  double *value[CALLERS], *passes[CALLERS], *residual[CALLERS];
  double *exact;
} oracle_bench;

/* ---- directions ---- */

/* What is recorded of a game: one direction at rounds that are evenly spread from 2 to the last. */
typedef struct collecting {
  directions *all;
  size_t from, wanted;
  uint64_t round, rounds;
} collecting;

static ofw_status collect(void *ctx, const double *d, ofw_error *err)
{
  collecting *c = ctx;
  size_t have = c->all->count - c->from;
  if (have == c->wanted || c->round < 2 + have * (c->rounds - 2) / (c->wanted > 1 ? c->wanted - 1 : 1))
    return OFW_OK;
  return directions_add(c->all, c->round, d, err);
}

static int next_round(void *ctx, const ofw_trace_row *row)
{
  ((collecting *)ctx)->round = row->round + 1;
  return 0;
}

static ofw_status play(oracle_bench *b, const char *learner, ofw_stream *s, collecting *c, ofw_error *err)
{
  const ofw_domain *of = ofw_stream_domain(s);
  ofw_domain *K = recorded_domain(of, collect, c, err);
  ofw_learner *l = K ? bench_open_learner(b->args, &b->game, learner, s, K, NULL, 1, err) : NULL;
  ofw_run *run = l ? ofw_run_create(l, s, err) : NULL;
  ofw_status st = run ? ofw_run_play(run, c->rounds, next_round, c) : err->status;
  if (run && st != OFW_OK && st != OFW_END)
    ofw_fail(err, st, "%s", ofw_run_error(run));
  ofw_run_free(run);
  ofw_learner_free(l);
  ofw_domain_free(K);
  return st == OFW_END ? OFW_OK : st;
}

static int record(oracle_bench *b, const char *learner)
{
  ofw_stream *s;
  ofw_error err = {0};
  int code = bench_open_stream(b->self, b->args, &b->game, &s);
  if (code)
    return code;
  uint64_t rounds = b->game.rounds;
  collecting c = {&b->all, b->all.count, rounds - 1 < WANTED ? (size_t)rounds - 1 : WANTED, 1, rounds};
  ofw_domain_shape(ofw_stream_domain(s), &b->all.rows, &b->all.cols);
  bench_say(b->args, "playing %llu rounds of %s for its directions", (unsigned long long)rounds, learner);
  if (play(b, learner, s, &c, &err) != OFW_OK)
    code = complain(b->self, exit_code(err.status), "%s", err.message);
  else if (b->all.count == c.from)
    code =
        complain(b->self, EXIT_USAGE, "%s never called its oracle in %llu rounds", learner, (unsigned long long)rounds);
  b->group[b->groups++] = (group){.learner = learner, .from = c.from, .to = b->all.count};
  ofw_stream_free(s);
  return code;
}

static int get_directions(oracle_bench *b)
{
  const arguments *args = b->args;
  const char *path = args->value[OPT_DIRECTIONS], *learner = args->value[OPT_LEARNER];
  static const option_id of_a_game[] = {OPT_ROWS, OPT_COLS, OPT_STREAM, OPT_LEARNER, OPT_STRONG_CONVEXITY, OPT_ROUNDS};
  ofw_error err = {0};
  if (!path) {
    int code = record(b, learner ? learner : "ofw-tvc");
    return code || learner ? code : record(b, "scofw-tvc");
  }
  for (size_t i = 0; i < sizeof of_a_game / sizeof *of_a_game; i++)
    if (args->value[of_a_game[i]])
      return complain(b->self, EXIT_USAGE, "--%s does not work with --directions; leave one of them out",
                      option_table[of_a_game[i]].name);
  if (directions_read(path, &b->all, &err) != OFW_OK)
    return complain(b->self, exit_code(err.status), "%s", err.message);
  b->group[b->groups++] = (group){.to = b->all.count};
  return 0;
}

/* ---- timing ---- */

static int open_bench(oracle_bench *b)
{
  ofw_error err = {0}, no_scipy = {0};
  size_t n = b->all.count;
  b->callers = callers_open(&b->all, TOLERANCE, b->game.seed, &no_scipy, &err);
  if (!b->callers)
    return complain(b->self, exit_code(err.status), "%s", err.message);
  if (no_scipy.message[0])
    complain(b->self, 0, "SciPy is left out: %s", no_scipy.message);
  int failed = !(b->exact = ofw_doubles(n));
  for (int k = 0; k < CALLERS; k++)
    failed |= !(b->seconds[k] = ofw_doubles(n * (size_t)b->game.repeats)) || !(b->value[k] = ofw_doubles(n)) ||
              !(b->passes[k] = ofw_doubles(n)) || !(b->residual[k] = ofw_doubles(n));
  return failed ? complain(b->self, EXIT_FAILED, "no memory for %zu directions", n) : 0;
}

static ofw_status time_direction(oracle_bench *b, size_t i, size_t repeat, ofw_error *err)
{
  for (int k = 0; k < CALLERS; k++) {
    called found;
    if (!callers_has(b->callers, k))
      continue;
    OFW_TRY(callers_call(b->callers, k, i, &found, err));
    b->seconds[k][i * (size_t)b->game.repeats + repeat] = found.seconds;
    b->value[k][i] = repeat == 0 ? found.value : fmin(b->value[k][i], found.value); /* the worst counts */
    b->residual[k][i] = fmax(b->residual[k][i], found.residual);
    b->passes[k][i] += found.passes / (double)b->game.repeats;
  }
  return OFW_OK;
}

/* One repeat, a learner after the other. */
static ofw_status time_all(oracle_bench *b, size_t repeat, ofw_error *err)
{
  for (size_t g = 0; g < b->groups; g++) {
    OFW_TRY(callers_begin(b->callers, err));
    for (size_t i = b->group[g].from; i < b->group[g].to; i++)
      OFW_TRY(time_direction(b, i, repeat, err));
  }
  return OFW_OK;
}

/* The exact values, and what a full decomposition costs: once for each learner is enough for that. */
static ofw_status find_exact(oracle_bench *b, ofw_error *err)
{
  called found;
  for (size_t i = 0; i < b->all.count; i++) {
    OFW_TRY(callers_exact(b->callers, i, &found, err));
    b->exact[i] = found.value;
  }
  for (size_t g = 0; g < b->groups; g++) {
    size_t middle = (b->group[g].from + b->group[g].to) / 2;
    OFW_TRY(callers_gesdd(b->callers, middle, &found, err));
    b->exact[middle] = found.value;
    b->group[g].gesdd_seconds = found.seconds;
  }
  return OFW_OK;
}

static int measure(oracle_bench *b)
{
  ofw_error err = {0};
  unsigned long long repeats = b->game.repeats;
  ofw_status st = OFW_OK;
  for (size_t r = 0; r < b->game.repeats && st == OFW_OK; r++) {
    bench_say(b->args, "timing %zu directions, %zu of %llu", b->all.count, r + 1, repeats);
    st = time_all(b, r, &err);
  }
  bench_say(b->args, "solving them to the end, for the errors");
  if (st == OFW_OK)
    st = find_exact(b, &err);
  return st == OFW_OK ? 0 : complain(b->self, exit_code(st), "%s", err.message);
}

/* ---- results ---- */

/* What one caller came to on some directions. */
typedef struct result {
  double seconds, passes; /* means; NaN: not known */
  double error, residual; /* the largest */
  double beyond;          /* the share of the directions whose error is above the tolerance */
} result;

static result sum_up(const oracle_bench *b, int caller, const group *g)
{
  result r = {0};
  size_t repeats = (size_t)b->game.repeats;
  double n = (double)(g->to - g->from);
  if (!callers_has(b->callers, caller))
    return (result){NAN, NAN, NAN, NAN, NAN};
  for (size_t i = g->from; i < g->to; i++) {
    r.seconds += bench_median(b->seconds[caller] + i * repeats, repeats) / n;
    r.passes += b->passes[caller][i] / n;
    double error = 1.0 - b->value[caller][i] / b->exact[i];
    r.error = fmax(r.error, error);
    r.beyond += (error > TOLERANCE) / n;
    r.residual = fmax(r.residual, b->residual[caller][i]);
  }
  return r;
}

/* ARPACK at the basis that it is fastest with on these directions; `first` is its first caller. */
static result best_arpack(const oracle_bench *b, int first, const group *g, double *ncv)
{
  result best = {NAN, NAN, NAN, NAN, NAN};
  *ncv = NAN;
  for (int k = 0; k < NCVS; k++) {
    result r = sum_up(b, first + k, g);
    if (isnan(best.seconds) || r.seconds < best.seconds) {
      best = r;
      *ncv = isnan(r.seconds) ? NAN : (double)caller_ncv[k];
    }
  }
  return best;
}

/* "PREFIXseconds" and so on. */
static void print_json_result(json *j, const char *prefix, const result *r, int passes)
{
  const char *names[] = {"seconds", "error", "beyond", "residual", "passes"};
  double numbers[] = {r->seconds, r->error, r->beyond, r->residual, r->passes};
  for (int i = 0; i < 4 + passes; i++) {
    char key[64];
    snprintf(key, sizeof key, "%s%s", prefix, names[i]);
    json_real(j, key, numbers[i]);
  }
}

static void print_json_group(const oracle_bench *b, json *j, const group *g)
{
  double ncv, lax_ncv;
  result ours = sum_up(b, CALL_OFW, g), blas = sum_up(b, CALL_ARPACK_BLAS, g), scipy = sum_up(b, CALL_SCIPY, g),
         arpack = best_arpack(b, CALL_ARPACK, g, &ncv), lax = best_arpack(b, CALL_LAX, g, &lax_ncv);
  json_count(j, "directions", g->to - g->from);
  print_json_result(j, "", &ours, 1);
  print_json_result(j, "arpack_", &arpack, 1);
  json_real(j, "arpack_ncv", ncv);
  print_json_result(j, "arpack_lax_", &lax, 1);
  json_real(j, "arpack_lax_ncv", lax_ncv);
  print_json_result(j, "arpack_blas_", &blas, 1);
  print_json_result(j, "scipy_", &scipy, 0);
  json_real(j, "gesdd_seconds", g->gesdd_seconds);
}

static void print_json(const oracle_bench *b, const group *pool)
{
  json j = {0};
  json_open(&j, NULL);
  json_count(&j, "rows", b->all.rows);
  json_count(&j, "cols", b->all.cols);
  json_text(&j, "kernel", peer_fused_name());
  json_real(&j, "tolerance", TOLERANCE);
  json_count(&j, "repeats", b->game.repeats);
  print_json_group(b, &j, pool);
  for (size_t g = 0; g < b->groups && b->group[g].learner; g++) {
    char key[64];
    snprintf(key, sizeof key, "%s", b->group[g].learner);
    for (char *c = key; *c; c++)
      if (*c == '-')
        *c = '_';
    json_open(&j, key);
    print_json_group(b, &j, &b->group[g]);
    json_close(&j);
  }
  json_close(&j);
  putchar('\n');
}

static void print_row(const char *name, double ncv, const result *r, double ours)
{
  char basis[16] = "";
  if (!isnan(ncv))
    snprintf(basis, sizeof basis, ", ncv %.0f", ncv);
  printf("  %s%-*s", name, 36 - (int)strlen(name), basis);
  bench_print(9, "%.2f", 1e3 * r->seconds);
  bench_print(8, "%.2f", r->seconds / ours);
  bench_print(8, "%.1f", r->passes);
  bench_print(9, "%.1e", r->error);
  bench_print(9, "%.1e", r->residual);
  putchar('\n');
}

static void print_group(const oracle_bench *b, const group *g)
{
  double ncv, lax_ncv;
  result ours = sum_up(b, CALL_OFW, g), blas = sum_up(b, CALL_ARPACK_BLAS, g), scipy = sum_up(b, CALL_SCIPY, g),
         arpack = best_arpack(b, CALL_ARPACK, g, &ncv), lax = best_arpack(b, CALL_LAX, g, &lax_ncv),
         gesdd = {g->gesdd_seconds, NAN, NAN, NAN, NAN};
  printf("%s, %zu directions\n", g->learner ? g->learner : "all", g->to - g->from);
  printf("  %-36s %9s %8s %8s %9s %9s\n", "", "ms/call", "x ofw", "passes", "error", "residual");
  print_row("ofw", NAN, &ours, ours.seconds);
  print_row("ARPACK, ofw's pass", ncv, &arpack, ours.seconds);
  print_row("ARPACK as lax, ofw's pass", lax_ncv, &lax, ours.seconds);
  print_row("ARPACK, two dgemv", USUAL_NCV, &blas, ours.seconds);
  print_row("SciPy svds", NAN, &scipy, ours.seconds);
  print_row("LAPACK dgesdd", NAN, &gesdd, ours.seconds);
}

static void print_results(const oracle_bench *b)
{
  group pool = {.to = b->all.count};
  for (size_t g = 0; g < b->groups; g++)
    pool.gesdd_seconds += b->group[g].gesdd_seconds / (double)b->groups;
  if (b->args->value[OPT_JSON]) {
    print_json(b, &pool);
    return;
  }
  printf("%zu x %zu, kernel %s, tolerance %g, medians of %llu\n", b->all.rows, b->all.cols, peer_fused_name(),
         TOLERANCE, (unsigned long long)b->game.repeats);
  for (size_t g = 0; g < b->groups; g++)
    print_group(b, &b->group[g]);
  if (b->groups > 1)
    print_group(b, &pool);
}

static void close_bench(oracle_bench *b)
{
  callers_close(b->callers);
  directions_free(&b->all);
  free(b->exact);
  for (int k = 0; k < CALLERS; k++) {
    free(b->seconds[k]);
    free(b->value[k]);
    free(b->passes[k]);
    free(b->residual[k]);
  }
}

int bench_oracle(const command *self, const arguments *args)
{
  oracle_bench b = {.self = self, .args = args};
  if (args->value[OPT_DOMAIN])
    return bench_domain(self, args);
  int code = bench_read_game(self, args, 200, 3, &b.game);
  if (!code)
    code = get_directions(&b);
  if (!code)
    code = open_bench(&b);
  if (!code)
    code = measure(&b);
  if (!code)
    print_results(&b);
  close_bench(&b);
  return code;
}
