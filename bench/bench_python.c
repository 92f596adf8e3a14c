/* bench_python.c — the plays that bench/python.py times in Python, in C: nanoseconds per round, and the last decision's sum
 *
 *     bench_python vector|matrix ROUNDS
 *
 * vector: ofw-ada on a simplex of 10, dense gradients. matrix: ofw-ada on 943 x 1682 matrices, 250 entries a gradient.
 */
#include <ofw/learner.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DIM = 10, TURNS = 64, ENTRIES = 250, ROWS = 943, COLS = 1682 };

static double vector[2 * TURNS][DIM], value[2 * TURNS][ENTRIES];
static size_t index_of[2 * TURNS][ENTRIES];

/* Numbers that Python makes alike, to the last bit. */
static double number(size_t turn, size_t i)
{
  return ((double)((turn * 31 + i * 17) % 29) - 14.0) / 16.0;
}

static void fill(void)
{
  for (size_t k = 0; k < 2 * TURNS; k++) {
    for (size_t i = 0; i < DIM; i++)
      vector[k][i] = number(k, i);
    for (size_t i = 0; i < ENTRIES; i++) {
      index_of[k][i] = i * (ROWS * COLS / ENTRIES) + 13 * k;
      value[k][i] = number(k, i);
    }
  }
}

static ofw_vec gradient(int matrix, size_t k)
{
  return matrix ? ofw_vec_sparse(ENTRIES, index_of[k], value[k]) : ofw_vec_dense(DIM, vector[k]);
}

/* Of this process, as Python's time.process_time_ns. */
static double processor_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static ofw_status play(ofw_learner *l, int matrix, size_t rounds)
{
  ofw_status st = OFW_OK;
  for (size_t t = 0; t < rounds && st == OFW_OK; t++) {
    const ofw_point *x;
    size_t k = t % TURNS;
    const ofw_vec f = gradient(matrix, 2 * k), g = gradient(matrix, 2 * k + 1);
    const ofw_sum constraint_gradient = {1, &g};
    const double constraint = 0.125;
    const ofw_full fb = {{0.5, 1, &constraint}, {1, &f}, &constraint_gradient};
    st = ofw_learner_decide(l, &x);
    if (st == OFW_OK)
      st = ofw_learner_observe(l, &fb);
  }
  return st;
}

static double sum_of_decision(ofw_learner *l, double *x)
{
  double sum = 0.0;
  if (ofw_learner_ask(l, x) == OFW_OK)
    for (size_t i = 0; i < ofw_learner_dim(l); i++)
      sum += x[i];
  return sum;
}

/* Plays, and prints nanoseconds per round and the sum of the last decision. 0: it went well. */
static int measure(ofw_learner *l, double *x, int matrix, size_t rounds)
{
  fill();
  double begun = processor_seconds();
  if (play(l, matrix, rounds) != OFW_OK) {
    fprintf(stderr, "bench_python: %s\n", ofw_learner_error(l));
    return 1;
  }
  double spent = processor_seconds() - begun;
  printf("%.17g %.17g\n", 1e9 * spent / (double)rounds, sum_of_decision(l, x));
  return 0;
}

int main(int argc, char **argv)
{
  int matrix = argc == 3 && strcmp(argv[1], "matrix") == 0;
  size_t rounds = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
  if (rounds == 0) {
    fprintf(stderr, "usage: bench_python vector|matrix ROUNDS\n");
    return 2;
  }
  ofw_error err;
  ofw_learner *l =
      ofw_learner_create("ofw-ada", matrix ? "trace-ball:rows=943,cols=1682,radius=10000" : "simplex:dim=10", &err);
  double *x = l ? malloc(ofw_learner_dim(l) * sizeof *x) : NULL;
  int code = x ? measure(l, x, matrix, rounds) : 1;
  if (!x)
    fprintf(stderr, "bench_python: %s\n", l ? "out of memory" : err.message);
  free(x);
  ofw_learner_free(l);
  return code;
}
