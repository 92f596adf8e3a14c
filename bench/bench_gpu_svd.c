/* bench_gpu_svd.c — the top singular pair of a matrix by storage=cuda, for bench/gpu.py, which compares it with others
 *
 *     bench_gpu_svd FILE ROWS COLS RELATIVE REPEATS
 *
 * FILE has the matrix row by row, as doubles. The sign of d is changed before each call, so that its size has to be found again; a
 * call ends when the pair is there. Prints the median of the times in microseconds, sigma and the passes over the matrix.
 */
#include "domain/set.h"
#include "engine/engine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST = 1000, WARM = 3 };

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static int before(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double *read_matrix(const char *path, size_t n)
{
  FILE *f = fopen(path, "rb");
  double *a = malloc(n * sizeof *a);
  if (!f || !a || fread(a, sizeof *a, n, f) != n) {
    free(a);
    a = NULL;
  }
  if (f)
    fclose(f);
  return a;
}

/* One search; how long it took. */
static ofw_status search(const ofw_domain *K, void *work, ofw_engine *E, double relative, double *us, ofw_answer *out,
                         ofw_error *err)
{
  const size_t first = 0;
  double one;
  E->ops->pull(E, -1.0, 0.0, 0.0, (ofw_sum){0, NULL});
  OFW_TRY(E->ops->view->entries(E, (ofw_sum){0, NULL}, 1, &first, &one)); /* which is done when this is here */
  double start = now();
  ofw_direction d = *E->ops->direction(E);
  d.wanted = (ofw_accuracy){relative, INFINITY, 0};
  OFW_TRY(K->ops->minimise(K, work, &d, out, err));
  OFW_TRY(E->ops->view->entries(E, (ofw_sum){0, NULL}, 1, &first, &one));
  *us = now() - start;
  return OFW_OK;
}

static ofw_status time_searches(const ofw_domain *K, void *work, ofw_engine *E, double relative, size_t repeats,
                                ofw_error *err)
{
  double us[MOST], warm;
  ofw_answer answer = {0};
  for (size_t i = 0; i < WARM; i++)
    OFW_TRY(search(K, work, E, relative, &warm, &answer, err));
  for (size_t i = 0; i < repeats; i++)
    OFW_TRY(search(K, work, E, relative, &us[i], &answer, err));
  qsort(us, repeats, sizeof *us, before);
  printf("%.1f %.17g %zu\n", us[repeats / 2], -answer.value, (size_t)answer.passes);
  return OFW_OK;
}

static ofw_status bench(char **word, ofw_error *err)
{
  size_t rows = strtoul(word[2], NULL, 10), cols = strtoul(word[3], NULL, 10), repeats = strtoul(word[5], NULL, 10);
  char spec[80];
  void *work = NULL;
  double *a = read_matrix(word[1], rows * cols);
  if (!a || repeats == 0 || repeats > MOST) {
    free(a);
    return ofw_fail(err, OFW_USAGE, "%s: no matrix, or not 1 to %d repeats", word[1], (int)MOST);
  }
  snprintf(spec, sizeof spec, "trace-ball:rows=%zu,cols=%zu,radius=1", rows, cols);
  ofw_domain *K = ofw_domain_create(spec, err);
  ofw_engine *E = K ? ofw_engine_open_cuda(K, 0, 0, err) : NULL;
  ofw_vec d = ofw_vec_dense(rows * cols, a);
  ofw_status st = E ? K->ops->open(K, 1, &work, err) : OFW_FAILED;
  if (st == OFW_OK) {
    E->ops->pull(E, 0.0, 0.0, 1.0, (ofw_sum){1, &d});
    st = time_searches(K, work, E, strtod(word[4], NULL), repeats, err);
    K->ops->close(work);
  }
  if (E)
    E->ops->close(E);
  ofw_domain_free(K);
  free(a);
  return st;
}

int main(int argc, char **argv)
{
  ofw_error err = {0};
  if (argc != 6) {
    fprintf(stderr, "usage: bench_gpu_svd FILE ROWS COLS RELATIVE REPEATS\n");
    return 2;
  }
  if (bench(argv, &err) == OFW_OK)
    return 0;
  fprintf(stderr, "bench_gpu_svd: %s\n", err.message);
  return 1;
}
