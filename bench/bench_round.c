/* bench_round.c — ofw-bench round: whole rounds of a learner, beside the same learner in NumPy
 *
 * The players play the same rounds, a segment each by turns, and the median over the segments counts. All have the same
 * constants and the same ratings; P_t is drawn again by each, as it is in a run, and is uniform in (-1, 1) for all.
 */
#include "bench/bench.h"

#include "base/basics.h"
#include "bench/batches.h"
#include "bench/peers.h"
#include "bench/python.h"
#include "bench/timing.h"

#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DOUBLES, FLOATS, THREADS2, NUMPY, PLAYERS };
static const char *const names[PLAYERS] = {"ofw, doubles", "ofw, floats", "ofw, two threads", "NumPy and SciPy"};

/* One that plays, by a run or by Python; neither: it could not be made. */
typedef struct player {
  ofw_stream *s;
  ofw_learner *l;
  ofw_run *run;
  FILE *ratings; /* for Python; it has no name, so nothing is left of it */
  peer_python *python;
  double *rate;     /* rounds per second, of each segment */
  double median;    /* NaN: it does not play */
  double loss, ccv; /* at the end */
} player;

typedef struct round_bench {
  const command *self;
  const arguments *args;
  const char *learner;
  bench_game game;
  player player[PLAYERS];
  double peak_bytes;
} round_bench;

/* ---- memory ---- */

/* The command, which stands beside this program. */
static void path_of_ofw(char path[PATH_MAX])
{
  ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);
  path[n > 0 ? n : 0] = 0;
  char *slash = strrchr(path, '/');
  snprintf(slash ? slash : path, slash ? PATH_MAX - (size_t)(slash - path) : PATH_MAX, "/ofw");
}

/* The most memory that a run of ofw-tvc takes: a child's, because this process holds more than one run. It is measured
 * first, since the system counts what the parent held when the child was made. */
static double peak_of_a_run(const char *stream)
{
  char path[PATH_MAX];
  const char *argv[] = {"ofw", "run", "--learner", "ofw-tvc", "--stream", stream, "--rounds", "10", "-q", NULL};
  posix_spawn_file_actions_t actions;
  pid_t child;
  int status = 0;
  struct rusage usage = {0};
  if (posix_spawn_file_actions_init(&actions) != 0)
    return NAN;
  path_of_ofw(path);
  int failed = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0) ||
               posix_spawn(&child, path, &actions, NULL, (char *const *)(uintptr_t)argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed || wait4(child, &status, 0, &usage) != child || status != 0)
    return NAN;
  return 1024.0 * (double)usage.ru_maxrss;
}

/* ---- players ---- */

static int open_ours(round_bench *b, player *p, const char *storage, size_t threads, ofw_error *err)
{
  int code = bench_open_stream(b->self, b->args, &b->game, &p->s);
  if (code)
    return code;
  p->l = bench_open_learner(b->args, &b->game, b->learner, p->s, ofw_stream_domain(p->s), storage, threads, err);
  p->run = p->l ? ofw_run_create(p->l, p->s, err) : NULL;
  return 0;
}

/* It is told what our learner resolved its options to. */
static ofw_status open_numpy(round_bench *b, player *p, ofw_error *err)
{
  char batch[24], seed[24];
  size_t n = 0;
  p->ratings = tmpfile();
  if (!p->ratings)
    return ofw_fail(err, OFW_FAILED, "no temporary file for the ratings");
  OFW_TRY(batches_write(b->player[DOUBLES].s, b->game.rounds, p->ratings, &n, err));
  snprintf(batch, sizeof batch, "%zu", n);
  snprintf(seed, sizeof seed, "%llu", (unsigned long long)b->game.seed);
  const char *args[PYTHON_ARGS] = {"/dev/fd/3", ofw_learner_config(b->player[DOUBLES].l), batch, seed};
  p->python = peer_python_start("round", fileno(p->ratings), args, err);
  return p->python ? OFW_OK : err->status;
}

static int open_players(round_bench *b)
{
  ofw_error err = {0}, no_floats = {0}, no_numpy = {0};
  size_t rows, cols;
  for (int k = 0; k < PLAYERS; k++)
    if (!(b->player[k].rate = ofw_doubles((size_t)b->game.repeats)))
      return complain(b->self, EXIT_FAILED, "no memory for %llu segments", (unsigned long long)b->game.repeats);
  int code = open_ours(b, &b->player[DOUBLES], NULL, 1, &err);
  if (!code && !b->player[DOUBLES].run)
    code = complain(b->self, exit_code(err.status), "%s", err.message);
  if (code)
    return code;
  ofw_domain_shape(ofw_stream_domain(b->player[DOUBLES].s), &rows, &cols);
  if (rows < 2 || cols < 2)
    return complain(b->self, EXIT_USAGE, "expected decisions that are matrices, found %zu x %zu", rows, cols);
  code = open_ours(b, &b->player[FLOATS], "storage=float", 1, &no_floats);
  if (!code && !b->player[FLOATS].run)
    complain(b->self, 0, "no floats: %s", no_floats.message);
  if (!code)
    code = open_ours(b, &b->player[THREADS2], NULL, 2, &err);
  if (!code && !b->player[THREADS2].run)
    complain(b->self, 0, "no second thread: %s", err.message);
  if (!code && open_numpy(b, &b->player[NUMPY], &no_numpy) != OFW_OK)
    complain(b->self, 0, "no NumPy: %s", no_numpy.message);
  return code;
}

static void close_players(round_bench *b)
{
  for (int k = 0; k < PLAYERS; k++) {
    player *p = &b->player[k];
    ofw_run_free(p->run);
    ofw_learner_free(p->l);
    ofw_stream_free(p->s);
    peer_python_stop(p->python);
    if (p->ratings)
      (void)fclose(p->ratings);
    free(p->rate);
  }
}

/* ---- timing ---- */

static ofw_status play_ours(player *p, uint64_t rounds, double *seconds, ofw_error *err)
{
  double begun = bench_now();
  ofw_status st = ofw_run_play(p->run, rounds, NULL, NULL);
  *seconds = bench_now() - begun;
  p->loss = ofw_run_account(p->run)->loss_sum;
  p->ccv = ofw_run_account(p->run)->ccv;
  return st == OFW_OK ? OFW_OK : ofw_fail(err, st, "%s", ofw_run_error(p->run));
}

static ofw_status play_numpy(player *p, uint64_t rounds, double *seconds, ofw_error *err)
{
  double answer[3];
  if (!peer_python_ask(p->python, (size_t)rounds, 3, answer))
    return ofw_fail(err, OFW_FAILED, "peer_numpy.py gave no answer");
  *seconds = answer[0];
  p->loss = answer[1];
  p->ccv = answer[2];
  return OFW_OK;
}

static ofw_status play_segment(round_bench *b, size_t segment, uint64_t rounds, ofw_error *err)
{
  for (int k = 0; k < PLAYERS; k++) {
    player *p = &b->player[k];
    double seconds = NAN;
    if (!p->run && !p->python)
      continue;
    OFW_TRY(p->run ? play_ours(p, rounds, &seconds, err) : play_numpy(p, rounds, &seconds, err));
    p->rate[segment] = (double)rounds / seconds;
  }
  return OFW_OK;
}

static int measure(round_bench *b)
{
  size_t segments = (size_t)b->game.repeats;
  uint64_t rounds = b->game.rounds / segments;
  ofw_error err = {0};
  for (size_t i = 0; i < segments; i++) {
    bench_say(b->args, "playing rounds %llu to %llu of %s", (unsigned long long)i * rounds + 1,
              (unsigned long long)(i + 1) * rounds, b->learner);
    if (play_segment(b, i, rounds, &err) != OFW_OK)
      return complain(b->self, exit_code(err.status), "%s", err.message);
  }
  for (int k = 0; k < PLAYERS; k++) {
    player *p = &b->player[k];
    int plays = p->run || p->python;
    p->median = plays ? bench_median(p->rate, segments) : NAN;
    p->loss = plays ? p->loss : NAN;
    p->ccv = plays ? p->ccv : NAN;
  }
  return 0;
}

/* ---- results ---- */

static void print_json(const round_bench *b, size_t rows, size_t cols)
{
  const player *p = b->player;
  const ofw_trace_row *account = ofw_run_account(p[DOUBLES].run);
  json j = {0};
  json_open(&j, NULL);
  json_count(&j, "rows", rows);
  json_count(&j, "cols", cols);
  json_text(&j, "kernel", peer_fused_name());
  json_text(&j, "learner", b->learner);
  json_count(&j, "rounds", account->round);
  json_count(&j, "repeats", b->game.repeats);
  json_real(&j, "rounds_per_second", p[DOUBLES].median);
  json_real(&j, "float_rounds_per_second", p[FLOATS].median);
  json_real(&j, "threads2_rounds_per_second", p[THREADS2].median);
  json_real(&j, "numpy_rounds_per_second", p[NUMPY].median);
  json_real(&j, "passes", (double)account->passes / (double)account->round);
  json_real(&j, "peak_bytes", b->peak_bytes);
  json_real(&j, "loss", p[DOUBLES].loss);
  json_real(&j, "float_loss", p[FLOATS].loss);
  json_real(&j, "numpy_loss", p[NUMPY].loss);
  json_real(&j, "ccv", p[DOUBLES].ccv);
  json_real(&j, "float_ccv", p[FLOATS].ccv);
  json_real(&j, "numpy_ccv", p[NUMPY].ccv);
  json_close(&j);
  putchar('\n');
}

static void print_table(const round_bench *b, size_t rows, size_t cols)
{
  const ofw_trace_row *account = ofw_run_account(b->player[DOUBLES].run);
  printf("%zu x %zu, kernel %s, %s, %llu rounds in %llu segments, %.1f passes per round\n", rows, cols,
         peer_fused_name(), b->learner, (unsigned long long)account->round, (unsigned long long)b->game.repeats,
         (double)account->passes / (double)account->round);
  printf("%-17s %17s %8s %12s %12s\n", "", "rounds per second", "x NumPy", "loss", "ccv");
  for (int k = 0; k < PLAYERS; k++) {
    const player *p = &b->player[k];
    printf("%-17s", names[k]);
    bench_print(17, "%.2f", p->median);
    bench_print(8, "%.2f", p->median / b->player[NUMPY].median);
    bench_print(12, "%.0f", p->loss);
    bench_print(12, "%.0f", p->ccv);
    putchar('\n');
  }
  printf("a run of ofw-tvc takes at most %.1f MiB\n", b->peak_bytes / 0x1p20);
}

int bench_round(const command *self, const arguments *args)
{
  round_bench b = {.self = self, .args = args};
  int code = bench_read_game(self, args, 100, 5, &b.game);
  if (!code && b.game.rounds < b.game.repeats)
    code = complain(self, EXIT_USAGE, "expected at least as many --rounds as --repeats, found fewer");
  if (code)
    return code;
  b.learner = args->value[OPT_LEARNER] ? args->value[OPT_LEARNER] : "scofw-tvc";
  bench_say(args, "playing 10 rounds of ofw-tvc for its memory");
  b.peak_bytes = peak_of_a_run(bench_spec(args, &b.game));
  code = open_players(&b);
  if (!code)
    code = measure(&b);
  if (!code) {
    size_t rows, cols;
    ofw_domain_shape(ofw_stream_domain(b.player[DOUBLES].s), &rows, &cols);
    if (args->value[OPT_JSON])
      print_json(&b, rows, cols);
    else
      print_table(&b, rows, cols);
  }
  close_players(&b);
  return code;
}
