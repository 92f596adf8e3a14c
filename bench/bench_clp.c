/* bench_clp.c — would CLP alone do for polytopes? What decided for vertex.c and read_mps.c (docs/performance.md)
 *
 *     bench_clp               a call's processor time on directions that move slowly, the same for all; and split runs
 *     bench_clp FILE.mps      what Clp_readMps makes of a file
 *
 * kept     one model of CLP, of which the objective alone changes
 * fresh    a new model for each call, from the basis that the last call ended at: what a run does that was saved and loaded
 * others   so many calls at which the two end at different points
 *
 * A step is the length of what is new in a direction, next to the first one's; with whole costs its numbers are rounded to
 * quarters of the largest, so that vertices tie.
 */
#include "domain/polytope/polytope.h"
#include "linalg/rng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <Clp_C_Interface.h>

enum { CALLS = 200 };

static void stop(const char *why)
{
  fprintf(stderr, "bench_clp: %s\n", why);
  exit(1);
}

/* Others may be using the machine. */
static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static Clp_Simplex *load(const ofw_program *p, const double *d)
{
  Clp_Simplex *model = Clp_newModel();
  Clp_setLogLevel(model, 0);
  Clp_loadProblem(model, (int)p->cols, (int)p->rows, p->start, p->index, p->value, p->low, p->high, d, p->row_low,
                  p->row_high);
  Clp_setPrimalTolerance(model, 1e-13); /* so that prices count which ofw counts */
  Clp_setDualTolerance(model, 1e-13);
  return model;
}

static void next_direction(size_t n, uint64_t t, double step, int whole, double *d, double *asked)
{
  double most = 0.0;
  ofw_rng_direction((ofw_rng_key){1, OFW_RNG_TARGET, t}, n, asked);
  for (size_t i = 0; i < n; i++) {
    d[i] += (t ? step : 1.0) * asked[i];
    most = fmax(most, fabs(d[i]));
  }
  for (size_t i = 0; i < n; i++)
    asked[i] = whole ? round(4.0 * d[i] / most) / 4.0 : d[i] / most;
}

typedef struct seconds {
  double ofw, kept, fresh;
} seconds;

/* One call of each; 1: a fresh model ends elsewhere than the one that is kept. */
static int ask_all(const ofw_program *p, ofw_vertex *v, Clp_Simplex *kept, unsigned char *basis, const double *d,
                   seconds *s)
{
  double begun = now();
  if (ofw_vertex_minimise(p, v, d) != OFW_VERTEX)
    stop("no vertex");
  double second = now();
  Clp_chgObjCoefficients(kept, d);
  Clp_primal(kept, 0);
  double third = now();
  Clp_Simplex *fresh = load(p, d);
  Clp_copyinStatus(fresh, basis);
  Clp_primal(fresh, 0);
  s->fresh += now() - third;
  s->kept += third - second;
  s->ofw += second - begun;
  int other = memcmp(Clp_primalColumnSolution(kept), Clp_primalColumnSolution(fresh), p->cols * sizeof(double)) != 0;
  for (size_t i = 0; i < p->rows + p->cols; i++)
    basis[i] = Clp_statusArray(kept)[i] & 7;
  Clp_deleteModel(fresh);
  return other;
}

static void compare(const char *name, ofw_text *spec, double step, int whole)
{
  ofw_error err;
  ofw_domain *K = spec->failed ? NULL : ofw_domain_create(spec->chars, &err);
  if (!K)
    stop(spec->failed ? "no memory" : err.message);
  const ofw_polytope *poly = K->data;
  const ofw_program *p = &poly->program;
  ofw_vertex v;
  ofw_owned own = {0};
  double *d = ofw_doubles(p->cols), *asked = ofw_doubles(p->cols);
  unsigned char *basis = ofw_array(8 * poly->words, 1);
  if (ofw_vertex_make(&own, p, &v, &err) != OFW_OK || !d || !asked || !basis)
    stop("no memory");
  memcpy(v.state, poly->start, 8 * poly->words);
  memcpy(basis, poly->start, 8 * poly->words);
  Clp_Simplex *kept = load(p, d);
  Clp_copyinStatus(kept, basis);
  seconds s = {0};
  int others = 0;
  for (uint64_t t = 0; t < CALLS; t++) {
    next_direction(p->cols, t, step, whole, d, asked);
    others += ask_all(p, &v, kept, basis, asked, &s);
  }
  printf("| %s%s | %g | %.3g | %.3g | %.3g | %d of %d |\n", name, whole ? ", whole costs" : "", step,
         1e6 * s.ofw / CALLS, 1e6 * s.kept / CALLS, 1e6 * s.fresh / CALLS, others, CALLS);
  Clp_deleteModel(kept);
  ofw_owned_free(&own);
  free(d), free(asked), free(basis), free(spec->chars);
  ofw_domain_free(K);
}

static void half_spaces(size_t n, size_t count, double step)
{
  char name[64];
  ofw_text spec = {0};
  double *row = ofw_doubles(n);
  ofw_text_add(&spec, "polytope:rows=(-1<=x1<=1");
  for (size_t j = 1; j < n; j++)
    ofw_text_add(&spec, ";-1<=x%zu<=1", j + 1);
  for (size_t i = 0; i < count && row; i++) {
    ofw_rng_direction((ofw_rng_key){2, OFW_RNG_TARGET, i}, n, row);
    for (size_t j = 0; j < n; j++)
      ofw_text_add(&spec, "%s%+.6fx%zu", j ? "" : ";", row[j] * sqrt((double)n), j + 1);
    ofw_text_add(&spec, "<=1");
  }
  free(row);
  ofw_text_add(&spec, ")");
  snprintf(name, sizeof name, "%zu half-spaces of %zu coordinates", count, n);
  compare(name, &spec, step, 0);
}

static void assignments(size_t n, int whole)
{
  char name[64];
  ofw_text spec = {0};
  ofw_text_add(&spec, "polytope:rows=(x1>=0");
  for (size_t k = 1; k < n * n; k++)
    ofw_text_add(&spec, ";x%zu>=0", k + 1);
  for (size_t i = 0; i < 2 * n; i++) {
    for (size_t k = 0; k < n; k++)
      ofw_text_add(&spec, "%sx%zu", k ? "+" : ";", (i < n ? i * n + k : k * n + i - n) + 1);
    ofw_text_add(&spec, "=1");
  }
  ofw_text_add(&spec, ")");
  snprintf(name, sizeof name, "%zu x %zu assignments", n, n);
  compare(name, &spec, 0.1, whole);
}

int main(int argc, char **argv)
{
  if (argc > 1) {
    Clp_Simplex *model = Clp_newModel();
    Clp_setLogLevel(model, 0);
    printf("Clp_readMps: %d\n", Clp_readMps(model, argv[1], 1, 0));
    Clp_deleteModel(model);
    return 0;
  }
  printf("| polytope | step | ofw, us per call | kept, us | fresh, us | others |\n|---|---:|---:|---:|---:|---:|\n");
  for (size_t count = 25; count <= 400; count *= 4) {
    half_spaces(100, count, 0.1);
    half_spaces(100, count, 0.001);
  }
  for (int whole = 0; whole < 2; whole++) {
    assignments(8, whole);
    assignments(14, whole);
  }
  return 0;
}
