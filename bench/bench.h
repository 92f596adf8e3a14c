/* bench.h — the benches, and what they share: the game that is played, and what is said while they are at it */
#ifndef OFW_BENCH_H
#define OFW_BENCH_H

#include "cli/cli.h"

int bench_kernel(const command *self, const arguments *args);
int bench_domain(const command *self, const arguments *args);
int bench_oracle(const command *self, const arguments *args);
int bench_round(const command *self, const arguments *args);

/* What is being done, as a line on stderr unless --quiet. */
void bench_say(const arguments *args, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A cell of a table, a blank and `width` characters: the number as `format` has it, or a dash for NaN. */
void bench_print(int width, const char *format, double x);

/* The game of the options: generated ratings of --rows x --cols, or --stream. */
typedef struct bench_game {
  char spec[160]; /* of the stream; "" if --stream says it */
  uint64_t rounds, repeats, seed;
  double strong_convexity; /* NaN: not given */
} bench_game;

/* 0, or an exit code after a complaint; so do the others. */
int bench_read_game(const command *self, const arguments *args, uint64_t rounds, uint64_t repeats, bench_game *game);
const char *bench_spec(const arguments *args, const bench_game *game);
int bench_open_stream(const command *self, const arguments *args, const bench_game *game, ofw_stream **out);
/* A learner with constants tuned by hand, or with those of --set; `more`, if not NULL, is one more option. NULL and a
 * reason if there is none. */
ofw_learner *bench_open_learner(const arguments *args, const bench_game *game, const char *name, const ofw_stream *s,
                                const ofw_domain *K, const char *more, size_t threads, ofw_error *err);

#endif
