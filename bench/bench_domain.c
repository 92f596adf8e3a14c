/* bench_domain.c — ofw-bench domain: a set's oracle on a direction that moves slowly, and how long the set takes to make
 *
 * As in a game, a direction is the last one and a tenth of its length of something new, unless a file has others. On each,
 * by turns: a read of d, a copy of it (a read and a write), the oracle as a learner has it, which may remember the
 * directions before, and an oracle that has never been asked; for the assignments of a Birkhoff polytope SciPy's
 * linear_sum_assignment too. A direction's time is the median over the repeats, a caller's the mean over the directions. d is
 * brought into the cache before each.
 */
#include "bench/bench.h"
#include "cli/shown.h"

#include "base/basics.h"
#include "bench/directions/directions.h"
#include "bench/peers.h"
#include "bench/python.h"
#include "bench/timing.h"
#include "domain/set.h"
#include "linalg/rng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOLERANCE 1e-2

enum { MOST_DIRECTIONS = 16, LEAST_DIRECTIONS = 2, MOST_NUMBERS = 1 << 26, SMALL = 4096 };
enum { CALL_READ, CALL_COPY, CALL_WARM, CALL_COLD, CALL_SCIPY, TURNS };

typedef struct domain_bench {
  const command *self;
  const char *spec, *file_of_directions; /* NULL: they are drawn */
  uint64_t repeats, seed;
  ofw_domain *K;
  double created; /* seconds of work that making it took */
  void *work;
  directions all;
  double *copy;
  size_t calls;           /* of a small set, one after the other, since a clock has its own cost */
  double *seconds[TURNS]; /* directions x repeats; NULL: nobody takes this turn */
  double passes, error;   /* a call; the largest, over |<d, v>| */
  FILE *file;
  peer_python *python;
  volatile double sink; /* so that no read is left out */
} domain_bench;

static ofw_status read_directions(domain_bench *b, ofw_error *err)
{
  OFW_TRY(directions_read(b->file_of_directions, &b->all, err));
  if (b->all.rows != b->K->rows || b->all.cols != b->K->cols)
    return ofw_fail(err, OFW_BAD_DATA, "%s has directions of %zu x %zu, but the set is of %zu x %zu",
                    b->file_of_directions, b->all.rows, b->all.cols, b->K->rows, b->K->cols);
  return OFW_OK;
}

static ofw_status make_directions(domain_bench *b, ofw_error *err)
{
  size_t n = b->K->dim, count = MOST_NUMBERS / n;
  count = count < LEAST_DIRECTIONS ? LEAST_DIRECTIONS : count > MOST_DIRECTIONS ? MOST_DIRECTIONS : count;
  b->all.rows = b->K->rows;
  b->all.cols = b->K->cols;
  for (size_t k = 0; k < count; k++) {
    OFW_TRY(directions_add(&b->all, k + 1, NULL, err));
    double *d = b->all.at[k];
    ofw_rng_direction((ofw_rng_key){b->seed, OFW_RNG_TARGET, k}, n, d);
    for (size_t i = 0; i < n && k; i++)
      d[i] = b->all.at[k - 1][i] + 0.1 * d[i];
  }
  return OFW_OK;
}

static int is_birkhoff(const domain_bench *b)
{
  return strncmp(b->K->spec, "birkhoff:", strlen("birkhoff:")) == 0;
}

static void open_scipy(domain_bench *b)
{
  const char *args[PYTHON_ARGS] = {"/dev/fd/3"};
  ofw_error err = {0};
  b->file = tmpfile();
  if (b->file && directions_write(&b->all, b->file, &err) == OFW_OK)
    b->python = peer_python_start("assignment", fileno(b->file), args, &err);
  if (!b->python)
    complain(b->self, 0, "SciPy is left out: %s", err.message[0] ? err.message : "no temporary file");
}

static ofw_status open_all(domain_bench *b, ofw_error *err)
{
  double begun = bench_worked();
  b->K = ofw_domain_create(b->spec, err);
  if (!b->K)
    return err->status;
  b->created = bench_worked() - begun;
  OFW_TRY(b->file_of_directions ? read_directions(b, err) : make_directions(b, err));
  OFW_TRY(b->K->ops->open(b->K, b->seed, &b->work, err));
  b->calls = b->K->ops->visit || b->K->dim >= SMALL ? 1 : 1 + SMALL / b->K->dim;
  b->copy = ofw_doubles(b->K->dim);
  if (is_birkhoff(b))
    open_scipy(b);
  int failed = !b->copy;
  for (int k = 0; k < (b->python ? TURNS : CALL_SCIPY); k++)
    failed |= !(b->seconds[k] = ofw_doubles(b->all.count * (size_t)b->repeats));
  return failed ? ofw_fail_memory(err, b->K->dim * sizeof(double)) : OFW_OK;
}

static void close_all(domain_bench *b)
{
  peer_python_stop(b->python);
  if (b->file)
    (void)fclose(b->file);
  for (int k = 0; k < TURNS; k++)
    free(b->seconds[k]);
  if (b->work)
    b->K->ops->close(b->work);
  free(b->copy);
  directions_free(&b->all);
  ofw_domain_free(b->K);
}

/* ---- a turn ---- */

static ofw_status ask(domain_bench *b, void *work, const double *d, double *seconds, ofw_answer *out, ofw_error *err)
{
  ofw_direction direction = ofw_direction_dense(b->K, d, (ofw_accuracy){TOLERANCE, INFINITY, 0});
  double begun = bench_now();
  for (size_t i = 0; i < b->calls; i++)
    OFW_TRY(b->K->ops->minimise(b->K, work, &direction, out, err));
  *seconds = (bench_now() - begun) / (double)b->calls;
  return OFW_OK;
}

static ofw_status take_warm(domain_bench *b, const double *d, double *seconds, ofw_error *err)
{
  ofw_answer answer = {0};
  OFW_TRY(ask(b, b->work, d, seconds, &answer, err));
  b->passes += (double)answer.passes / (double)(b->all.count * b->repeats);
  if (answer.value != 0.0)
    b->error = fmax(b->error, answer.error / fabs(answer.value));
  return OFW_OK;
}

static ofw_status take_cold(domain_bench *b, const double *d, double *seconds, ofw_error *err)
{
  void *work = NULL;
  ofw_answer answer = {0};
  ofw_status st = b->K->ops->open(b->K, b->seed, &work, err);
  if (st == OFW_OK)
    st = ask(b, work, d, seconds, &answer, err);
  if (work)
    b->K->ops->close(work);
  return st;
}

/* So often that a clock sees it. */
static double time_read(domain_bench *b, const double *d)
{
  size_t times = 1 + SMALL / b->K->dim;
  double begun = bench_now();
  for (size_t i = 0; i < times; i++)
    b->sink = peer_read(b->K->dim, d);
  return (bench_now() - begun) / (double)times;
}

static double time_copy(domain_bench *b, const double *d)
{
  size_t times = 1 + SMALL / b->K->dim;
  double begun = bench_now();
  for (size_t i = 0; i < times; i++) {
    memcpy(b->copy, d, b->K->dim * sizeof *d);
    b->sink = b->copy[i % b->K->dim];
  }
  return (bench_now() - begun) / (double)times;
}

static ofw_status take_scipy(domain_bench *b, size_t k, double *seconds, ofw_error *err)
{
  double answer[2];
  if (!peer_python_ask(b->python, k, 2, answer))
    return ofw_fail(err, OFW_FAILED, "SciPy gave no answer");
  *seconds = answer[0];
  return OFW_OK;
}

static ofw_status take_turn(domain_bench *b, int turn, size_t k, double *seconds, ofw_error *err)
{
  const double *d = b->all.at[k];
  b->sink = peer_read(b->K->dim, d);
  if (turn == CALL_WARM)
    return take_warm(b, d, seconds, err);
  if (turn == CALL_COLD)
    return take_cold(b, d, seconds, err);
  if (turn == CALL_SCIPY)
    return take_scipy(b, k, seconds, err);
  *seconds = turn == CALL_READ ? time_read(b, d) : time_copy(b, d);
  return OFW_OK;
}

static ofw_status measure(domain_bench *b, ofw_error *err)
{
  for (size_t r = 0; r < b->repeats; r++)
    for (size_t k = 0; k < b->all.count; k++)
      for (int turn = 0; turn < TURNS; turn++)
        if (b->seconds[turn])
          OFW_TRY(take_turn(b, turn, k, &b->seconds[turn][k * (size_t)b->repeats + r], err));
  return OFW_OK;
}

/* ---- results ---- */

static double seconds_of(const domain_bench *b, int turn)
{
  double mean = 0.0;
  size_t repeats = (size_t)b->repeats;
  if (!b->seconds[turn])
    return NAN;
  for (size_t k = 0; k < b->all.count; k++)
    mean += bench_median(b->seconds[turn] + k * repeats, repeats) / (double)b->all.count;
  return mean;
}

static void print_json(const domain_bench *b)
{
  static const char *const key[TURNS] = {"read_seconds", "copy_seconds", "seconds", "cold_seconds", "scipy_seconds"};
  json j = {0};
  json_open(&j, NULL);
  json_text(&j, "domain", b->K->spec);
  json_count(&j, "dim", b->K->dim);
  json_count(&j, "rows", b->K->rows);
  json_count(&j, "cols", b->K->cols);
  json_text(&j, "kernel", peer_fused_name());
  json_real(&j, "tolerance", TOLERANCE);
  json_count(&j, "repeats", b->repeats);
  json_count(&j, "directions", b->all.count);
  json_real(&j, "created_seconds", b->created);
  json_real(&j, "outer_radius", b->K->R);
  for (int turn = 0; turn < TURNS; turn++)
    json_real(&j, key[turn], seconds_of(b, turn));
  json_real(&j, "passes", b->passes);
  json_real(&j, "error", b->error);
  json_close(&j);
  putchar('\n');
}

static void print_table(const domain_bench *b)
{
  static const char *const name[TURNS] = {"a read of d", "a copy of d", "ofw", "ofw, never asked before",
                                          "SciPy linear_sum_assignment"};
  double ours = seconds_of(b, CALL_WARM);
  print_shown("%s, %zu coordinates, kernel %s, %zu directions, medians of %llu\n", b->K->spec, b->K->dim,
              peer_fused_name(), b->all.count, (unsigned long long)b->repeats);
  printf("  made in %.3g s\n  %-30s %12s %10s\n", b->created, "", "us per call", "x ofw");
  for (int turn = 0; turn < TURNS; turn++)
    if (b->seconds[turn]) {
      printf("  %-30s", name[turn]);
      bench_print(12, "%.3f", 1e6 * seconds_of(b, turn));
      bench_print(10, "%.3f", seconds_of(b, turn) / ours);
      putchar('\n');
    }
  if (b->passes > 0.0)
    printf("  %.1f passes per call, error at most %.1e of the value\n", b->passes, b->error);
}

int bench_domain(const command *self, const arguments *args)
{
  domain_bench b = {.self = self};
  ofw_error err = {0};
  int code;
  b.spec = args->words ? args->word[0] : args->value[OPT_DOMAIN];
  if (!b.spec)
    return complain(self, EXIT_USAGE, "SPEC is missing; see 'ofw-bench help domain'");
  b.file_of_directions = args->value[OPT_DIRECTIONS];
  static const option_id of_a_game[] = {OPT_ROWS, OPT_COLS,   OPT_STREAM,          OPT_LEARNER,
                                        OPT_SET,  OPT_ROUNDS, OPT_STRONG_CONVEXITY};
  for (size_t i = 0; i < sizeof of_a_game / sizeof *of_a_game; i++)
    if (args->value[of_a_game[i]] || (of_a_game[i] == OPT_SET && args->sets))
      return complain(self, EXIT_USAGE, "--%s does not work with --domain; leave one of them out",
                      option_table[of_a_game[i]].name);
  if ((code = read_count_in(self, args, OPT_REPEATS, 5, 1, 1000, &b.repeats)) ||
      (code = read_count(self, args, OPT_SEED, 1, &b.seed)))
    return code;
  ofw_status st = open_all(&b, &err);
  if (st == OFW_OK)
    st = measure(&b, &err);
  if (st != OFW_OK)
    code = complain(self, exit_code(st), "%s", err.message);
  else if (args->value[OPT_JSON])
    print_json(&b);
  else
    print_table(&b);
  close_all(&b);
  return code;
}
