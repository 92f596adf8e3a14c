/* bench_small_rounds.c — what a round of ten numbers costs the library: observe and decide, without stream, text or pipe
 *
 * Gradients are drawn beforehand; the median over repetitions of a few hundred thousand rounds is printed, in
 * nanoseconds per round, next to two dependent calls of log(), as a measure of the machine.
 */
#include "bench/timing.h"

#include <ofw/learner.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { DIM = 10, DRAWN = 1024, ROUNDS = 200000, REPEATS = 15 };

static double uniform(void)
{
  return 2.0 * rand() / RAND_MAX - 1.0;
}

static double draw[2 * DRAWN][DIM];

/* Nanoseconds a round, over ROUNDS rounds of a fresh learner. */
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
  double begun = bench_now();
  for (size_t t = 0; t < ROUNDS; t++) {
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
  double spent = bench_now() - begun;
  ofw_learner_free(l);
  return 1e9 * spent / ROUNDS;
}

static double time_logs(void)
{
  double x = 2.0, begun = bench_now();
  for (size_t t = 0; t < ROUNDS; t++)
    x = 3.0 + log(3.0 + log(x));
  double spent = bench_now() - begun;
  return x > 0.0 ? 1e9 * spent / ROUNDS : 0.0;
}

int main(void)
{
  static const char *const play[][2] = {{"ofw-tvc", "sigma=printed"},
                                        {"ofw-tvc", "sigma=line-search"},
                                        {"ofw-tvc", "preset=tight"},
                                        {"scofw-tvc", "params=theorem"}};
  ofw_error err;
  ofw_domain *K = ofw_domain_create("l2-ball:dim=10", &err);
  if (!K) {
    fprintf(stderr, "bench_small_rounds: %s\n", err.message);
    return 1;
  }
  srand(1);
  for (size_t k = 0; k < sizeof draw / sizeof *draw; k++)
    for (size_t i = 0; i < DIM; i++)
      draw[k][i] = uniform();
  printf("%-10s %-18s %12s %12s\n", "learner", "option", "ns per round", "two log()");
  for (size_t k = 0; k < sizeof play / sizeof *play; k++) {
    double spent[REPEATS], logs[REPEATS];
    for (size_t i = 0; i < REPEATS; i++) {
      logs[i] = time_logs();
      spent[i] = time_rounds(play[k][0], play[k][1], K);
    }
    printf("%-10s %-18s %12.1f %12.1f\n", play[k][0], play[k][1], bench_median(spent, REPEATS),
           bench_median(logs, REPEATS));
  }
  ofw_domain_free(K);
  return 0;
}
