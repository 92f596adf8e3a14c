/* bench_game.c — what the benches share: lines on stderr, cells of tables, and the game that two of them play */
#include "bench/bench.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void bench_say(const arguments *args, const char *format, ...)
{
  va_list more;
  if (args->value[OPT_QUIET])
    return;
  va_start(more, format);
  vfprintf(stderr, format, more);
  va_end(more);
  fputc('\n', stderr);
}

void bench_print(int width, const char *format, double x)
{
  char text[48] = "-";
  if (!isnan(x))
    snprintf(text, sizeof text, format, x);
  printf(" %*s", width, text);
}

/* ---- the game ---- */

/* As many ratings as MovieLens-100k has, and no more in every cell than it has. */
static void write_spec(uint64_t rows, uint64_t cols, char *spec, size_t room)
{
  uint64_t cells = rows * cols, ratings = cells / 15 < 100000 ? cells / 15 : 100000, batch = ratings / 10;
  ratings = ratings ? ratings : 1;
  batch = batch < 1 ? 1 : batch > 250 ? 250 : batch;
  snprintf(spec, room, "matrix-completion:users=%llu,items=%llu,ratings=%llu,batch=%llu", (unsigned long long)rows,
           (unsigned long long)cols, (unsigned long long)ratings, (unsigned long long)batch);
}

int bench_read_game(const command *self, const arguments *args, uint64_t rounds, uint64_t repeats, bench_game *game)
{
  uint64_t rows, cols;
  int code;
  *game = (bench_game){0};
  if ((code = read_count_in(self, args, OPT_ROWS, 943, 2, 1000000, &rows)) ||
      (code = read_count_in(self, args, OPT_COLS, 1682, 2, 1000000, &cols)) ||
      (code = read_count_in(self, args, OPT_ROUNDS, rounds, 2, 1000000, &game->rounds)) ||
      (code = read_count_in(self, args, OPT_REPEATS, repeats, 1, 1000, &game->repeats)) ||
      (code = read_real(self, args, OPT_STRONG_CONVEXITY, NAN, &game->strong_convexity)) ||
      (code = read_count(self, args, OPT_SEED, 1, &game->seed)))
    return code;
  if (args->value[OPT_STREAM] && (args->value[OPT_ROWS] || args->value[OPT_COLS]))
    return complain(self, EXIT_USAGE,
                    "--rows and --cols do not work with --stream, which has its own size; leave them out");
  if (args->sets && !args->value[OPT_LEARNER])
    return complain(self, EXIT_USAGE, "--set needs --learner NAME");
  if (!args->value[OPT_STREAM])
    write_spec(rows, cols, game->spec, sizeof game->spec);
  return 0;
}

const char *bench_spec(const arguments *args, const bench_game *game)
{
  return game->spec[0] ? game->spec : args->value[OPT_STREAM];
}

int bench_open_stream(const command *self, const arguments *args, const bench_game *game, ofw_stream **out)
{
  ofw_error err = {0};
  *out = ofw_stream_create(bench_spec(args, game), NULL, game->rounds, game->seed, &err);
  return *out ? 0 : complain(self, exit_code(err.status), "%s", err.message);
}

/* Constants with which something happens within a few hundred rounds: the theorems' hardly move (docs/errata.md, 11). */
static const struct tuned {
  const char *learner;
  double strong_convexity; /* 0: the stream's */
  size_t sets;
  const char *set[2];
} tuned[] = {{"ofw-tvc", 0.0, 2, {"sigma=line-search", "step=1000"}}, {"scofw-tvc", 1e-3, 1, {"gamma-scale=100"}}};

ofw_learner *bench_open_learner(const arguments *args, const bench_game *game, const char *name, const ofw_stream *s,
                                const ofw_domain *K, const char *more, size_t threads, ofw_error *err)
{
  const ofw_constants *known = ofw_stream_constants(s);
  const char *set[MOST_SETS + 1];
  double alpha = known->strong_convexity;
  size_t n = args->sets;
  memcpy(set, args->set, n * sizeof *set);
  for (size_t i = 0; i < sizeof tuned / sizeof *tuned && n == 0; i++)
    if (strcmp(tuned[i].learner, name) == 0) {
      n = tuned[i].sets;
      memcpy(set, tuned[i].set, n * sizeof *set);
      alpha = tuned[i].strong_convexity > 0.0 ? tuned[i].strong_convexity : alpha;
    }
  if (!isnan(game->strong_convexity))
    alpha = game->strong_convexity;
  if (more)
    set[n++] = more;
  ofw_learner_settings settings = {.size = sizeof settings,
                                   .horizon = game->rounds,
                                   .lipschitz = known->lipschitz,
                                   .loss_bound = known->loss_bound,
                                   .strong_convexity = alpha,
                                   .seed = game->seed,
                                   .terms = known->terms,
                                   .threads = threads,
                                   .options = n,
                                   .option = set};
  return ofw_learner_create_over(name, K, &settings, err);
}
