/* bench_kernel.c — ofw-bench kernel: one pass over a matrix, by ofw, by OpenBLAS, and as a mere read
 *
 * The three take turns, so that whatever else the machine does meets all of them. First on one matrix, which stays in
 * the cache if it fits; then on copies of it that together are far larger than the cache, each the next, so that
 * none is there when its turn comes.
 */
#include "bench/bench.h"

#include "base/basics.h"
#include "bench/peers.h"
#include "bench/timing.h"
#include "linalg/rng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FUSED, PAIR, READ, PASSES };
enum { CACHED, EVICTED, PLACES };
static const char *const keys[PLACES][PASSES] = {
    {"fused_seconds", "blas_pair_seconds", "read_seconds"},
    {"evicted_fused_seconds", "evicted_blas_pair_seconds", "evicted_read_seconds"},
};
static const char *const names[PASSES] = {"ofw, fused", "OpenBLAS, two dgemv", "a read"};

typedef struct kernels {
  uint64_t rows, cols, repeats, seed;
  size_t copies;         /* of the matrix, one after the other */
  double *a, *v, *u, *w; /* u = A v, w = A' u */
  double *spent;         /* of `repeats` runs */
  volatile double read;  /* so that no sum is left out */
  double seconds[PLACES][PASSES];
} kernels;

static double time_pass(kernels *k, int pass, size_t copy)
{
  size_t rows = (size_t)k->rows, cols = (size_t)k->cols;
  const double *a = k->a + copy % k->copies * rows * cols;
  double begun = bench_now();
  if (pass == FUSED)
    peer_fused_pass(rows, cols, a, k->v, k->u, k->w);
  else if (pass == PAIR)
    peer_blas_pair(rows, cols, a, k->v, k->u, k->w);
  else
    k->read = peer_read(rows * cols, a);
  return bench_now() - begun;
}

static void time_all(kernels *k, int place)
{
  size_t n = (size_t)k->repeats, copy = 0;
  for (int pass = 0; pass < PASSES; pass++) /* once for nothing: pages, and what a library sets up */
    time_pass(k, pass, 0);
  for (size_t i = 0; i < n; i++)
    for (int pass = 0; pass < PASSES; pass++)
      k->spent[(size_t)pass * n + i] = time_pass(k, pass, place == EVICTED ? ++copy : 0);
  for (int pass = 0; pass < PASSES; pass++)
    k->seconds[place][pass] = bench_median(k->spent + (size_t)pass * n, n);
}

/* Four times the last level of cache, and never less than most machines have. */
static size_t far_larger_than_cache(void)
{
  long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
  size_t least = (size_t)128 << 20;
  return cache > 0 && 4 * (size_t)cache > least ? 4 * (size_t)cache : least;
}

static int open_kernels(kernels *k)
{
  size_t cells = (size_t)(k->rows * k->cols);
  k->copies = 2 + far_larger_than_cache() / (cells * sizeof(double));
  k->a = ofw_doubles(k->copies * cells);
  k->v = ofw_doubles((size_t)k->cols);
  k->w = ofw_doubles((size_t)k->cols);
  k->u = ofw_doubles((size_t)k->rows);
  k->spent = ofw_doubles(PASSES * (size_t)k->repeats);
  if (!k->a || !k->v || !k->w || !k->u || !k->spent)
    return 0;
  ofw_rng_key key = {k->seed, OFW_RNG_DATA, 1};
  ofw_rng_uniform(key, 0, cells, k->a);
  for (size_t copy = 1; copy < k->copies; copy++)
    memcpy(k->a + copy * cells, k->a, cells * sizeof *k->a);
  ofw_rng_direction((ofw_rng_key){k->seed, OFW_RNG_DATA, 2}, (size_t)k->cols, k->v);
  return 1;
}

static void close_kernels(kernels *k)
{
  free(k->a);
  free(k->v);
  free(k->w);
  free(k->u);
  free(k->spent);
}

static void print_json(const kernels *k)
{
  json j = {0};
  json_open(&j, NULL);
  json_count(&j, "rows", k->rows);
  json_count(&j, "cols", k->cols);
  json_text(&j, "kernel", peer_fused_name());
  json_count(&j, "repeats", k->repeats);
  for (int place = 0; place < PLACES; place++)
    for (int pass = 0; pass < PASSES; pass++)
      json_real(&j, keys[place][pass], k->seconds[place][pass]);
  json_close(&j);
  putchar('\n');
}

static void print_table(const kernels *k)
{
  printf("%llu x %llu, kernel %s, medians of %llu\n", (unsigned long long)k->rows, (unsigned long long)k->cols,
         peer_fused_name(), (unsigned long long)k->repeats);
  printf("%-20s %14s %8s %14s %8s\n", "", "cached, us", "x read", "evicted, us", "x read");
  for (int pass = 0; pass < PASSES; pass++) {
    printf("%-20s", names[pass]);
    for (int place = 0; place < PLACES; place++)
      printf(" %14.1f %8.2f", 1e6 * k->seconds[place][pass], k->seconds[place][pass] / k->seconds[place][READ]);
    putchar('\n');
  }
}

int bench_kernel(const command *self, const arguments *args)
{
  kernels k = {0};
  int code;
  if ((code = read_count_in(self, args, OPT_ROWS, 943, 1, 1000000, &k.rows)) ||
      (code = read_count_in(self, args, OPT_COLS, 1682, 1, 1000000, &k.cols)) ||
      (code = read_count_in(self, args, OPT_REPEATS, 101, 1, 1000000, &k.repeats)) ||
      (code = read_count(self, args, OPT_SEED, 1, &k.seed)))
    return code;
  if (open_kernels(&k)) {
    for (int place = 0; place < PLACES; place++) {
      bench_say(args, "timing %llu passes of each kind, the matrix %s", (unsigned long long)k.repeats,
                place == EVICTED ? "out of the cache" : "in the cache");
      time_all(&k, place);
    }
    if (args->value[OPT_JSON])
      print_json(&k);
    else
      print_table(&k);
  } else
    code = complain(self, EXIT_FAILED, "no memory for %llu x %llu", (unsigned long long)k.rows,
                    (unsigned long long)k.cols);
  close_kernels(&k);
  return code;
}
