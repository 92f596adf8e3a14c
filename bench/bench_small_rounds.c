/* bench_small_rounds.c — what a round of ten numbers costs the library: observe and decide, without stream, text or pipe
 *
 *     bench_small_rounds [--json]
 *
 * Gradients are drawn beforehand. A play's time is that of its fastest 2 000 rounds in a row, since all do the same work and what
 * is slower was interrupted. The median over plays is printed, in nanoseconds per round, next to two dependent calls of
 * log(), as a measure of the machine.
 */
#include "bench/timing.h"

#include <ofw/learner.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIM = 10, DRAWN = 1024, BATCH = 2000, BATCHES = 100, ROUNDS = BATCH * BATCHES, REPEATS = 15 };

static double uniform(void)
{
  return 2.0 * rand() / RAND_MAX - 1.0;
}

static double draw[2 * DRAWN][DIM];

/* BATCH rounds from round t on. */
static void play_rounds(ofw_learner *l, size_t t)
{
  for (size_t end = t + BATCH; t < end; t++) {
    const ofw_point *x;
    ofw_vec f = ofw_vec_dense(DIM, draw[2 * (t % DRAWN)]), g = ofw_vec_dense(DIM, draw[2 * (t % DRAWN) + 1]);
    ofw_sum grad_g = {1, &g};
    double value = g.as.dense.value[0];
    ofw_full fb = {{0.0, 1, &value}, {1, &f}, &grad_g};
    if (ofw_learner_decide(l, &x) != OFW_OK || ofw_learner_observe(l, &fb) != OFW_OK) {
      fprintf(stderr, "bench_small_rounds: %s\n", ofw_learner_error(l));
      exit(1);
    }
  }
}

/* Nanoseconds per round, of a fresh learner. */
static double time_rounds(const char *learner, const char *option, const ofw_domain *K)
{
  const char *set[] = {option};
  ofw_learner_settings s = {.size = sizeof s,
                            .horizon = ROUNDS,
                            .lipschitz = sqrt(DIM),
                            .strong_convexity = 1.0,
                            .options = 1,
                            .option = set};
  ofw_error err;
  ofw_learner *l = ofw_learner_create_over(learner, K, &s, &err);
  if (!l) {
    fprintf(stderr, "bench_small_rounds: %s\n", err.message);
    exit(1);
  }
  double least = INFINITY;
  for (size_t k = 0; k < BATCHES; k++) {
    double begun = bench_now();
    play_rounds(l, k * BATCH);
    least = fmin(least, bench_now() - begun);
  }
  ofw_learner_free(l);
  return 1e9 * least / BATCH;
}

static double time_logs(void)
{
  double x = 2.0, least = INFINITY;
  for (size_t k = 0; k < BATCHES; k++) {
    double begun = bench_now();
    for (size_t t = 0; t < BATCH; t++)
      x = 3.0 + log(3.0 + log(x));
    least = fmin(least, bench_now() - begun);
  }
  return x > 0.0 ? 1e9 * least / BATCH : 0.0;
}

typedef struct play {
  const char *learner, *option;
} play;

/* By turns with the logarithms, so that both see the same machine. */
static void time_play(const play *p, const ofw_domain *K, double *round, double *logs)
{
  double spent[REPEATS], two[REPEATS];
  for (size_t i = 0; i < REPEATS; i++) {
    two[i] = time_logs();
    spent[i] = time_rounds(p->learner, p->option, K);
  }
  *round = bench_median(spent, REPEATS);
  *logs = bench_median(two, REPEATS);
}

static void print_play(const play *p, const ofw_domain *K, int json, int first)
{
  double round, logs;
  time_play(p, K, &round, &logs);
  if (json)
    printf("%s\n {\"learner\": \"%s\", \"option\": \"%s\", \"nanoseconds\": %.1f, \"logs_nanoseconds\": %.1f}",
           first ? "{\"rounds\": [" : ",", p->learner, p->option, round, logs);
  else
    printf("%-10s %-18s %12.1f %12.1f\n", p->learner, p->option, round, logs);
}

int main(int count, char **argument)
{
  static const play plays[] = {{"ofw-tvc", "sigma=printed"},
                               {"ofw-tvc", "sigma=line-search"},
                               {"ofw-tvc", "preset=tight"},
                               {"scofw-tvc", "params=theorem"},
                               {"ofw-ada", "kappa=50"}};
  int json = count == 2 && strcmp(argument[1], "--json") == 0;
  ofw_error err;
  ofw_domain *K = count == 1 + json ? ofw_domain_create("l2-ball:dim=10", &err) : NULL;
  if (!K) {
    fprintf(stderr, "bench_small_rounds: %s\n", count > 1 + json ? "expected nothing or --json" : err.message);
    return 1;
  }
  srand(1);
  for (size_t k = 0; k < sizeof draw / sizeof *draw; k++)
    for (size_t i = 0; i < DIM; i++)
      draw[k][i] = uniform();
  if (!json)
    printf("%-10s %-18s %12s %12s\n", "learner", "option", "ns per round", "two log()");
  for (size_t k = 0; k < sizeof plays / sizeof *plays; k++)
    print_play(&plays[k], K, json, k == 0);
  if (json)
    puts("\n]}");
  ofw_domain_free(K);
  return 0;
}
