/* bench_slepc.c — the top singular pair of one matrix that ranks share by rows: ofw's search beside SLEPc's
 *
 *     mpirun -n 2 bench_slepc [ENTRIES]
 *
 * The matrix is sparse, 162 541 x 59 047: a signal of rank 10 and noise, at pairs of which few users and items have most. ofw
 * searches to the accuracy that learners ask for by default. SLEPc's methods are tried with several basis sizes, each with the
 * largest tolerance for which its worst pair is as near to the top one as ofw's worst. The table has the fastest size of each
 * method, and the one that SLEPc takes by itself, USUAL. The error is that of the pair: (s - |A v|) / s,
 * with s from a search to the last digits. Bytes are those of A: 12 per entry and read; SLEPc's A and A' are two reads.
 */
#include "base/ranks.h"
#include "engine/sparse.h"
#include "linalg/kernels.h"
#include "linalg/lanczos.h"
#include "linalg/norm_over.h"
#include "linalg/rng.h"
#include "mpi/mpi_ranks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <slepcsvd.h>

enum { ROWS = 162541, COLS = 59047, SIGNAL = 10, STARTS = 5, USUAL = 10, USERS = 1, ITEMS, LEFT, RIGHT, NOISE, SEARCH };

/* This rank's rows, one after the other. */
typedef struct matrix {
  const ofw_split *split;
  size_t entries;      /* of all ranks */
  PetscInt *begin, *j; /* of row i: entries begin[i] .. begin[i + 1] - 1 */
  double *a;
  ofw_sparse sparse; /* the same as ofw has it */
  double *shares;    /* of A' u, COLS numbers a band */
  double square;     /* |A|_F^2 */
} matrix;

typedef struct outcome {
  double error, took; /* the largest error, the mean time of a start */
  double reads;       /* of A or A', in the mean */
} outcome;

static void stop_if(int failed, const char *why)
{
  if (failed) {
    fprintf(stderr, "bench_slepc: %s\n", why);
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(1); /* which MPI_Abort has done */
  }
}

/* ---- the matrix ---- */

static ofw_rng_key key(uint32_t purpose)
{
  return (ofw_rng_key){29, purpose, 0};
}

/* Few are drawn often. */
static size_t skewed(uint32_t purpose, size_t at, size_t n)
{
  double u = ofw_rng_unit(key(purpose), at);
  return (size_t)((double)n * u * u) * 7919 % n; /* the popular ones are anywhere */
}

static double value(size_t user, size_t item, size_t at)
{
  double x[SIGNAL], y[SIGNAL], noise;
  ofw_rng_normal(key(LEFT), user * SIGNAL, SIGNAL, x);
  ofw_rng_normal(key(RIGHT), item * SIGNAL, SIGNAL, y);
  ofw_rng_normal(key(NOISE), at, 1, &noise);
  return ofw_dot(SIGNAL, x, y) / sqrt((double)SIGNAL) + noise;
}

typedef struct entry {
  PetscInt i, j;
  double a;
} entry;

static int by_place(const void *p, const void *q)
{
  const entry *a = p, *b = q;
  return a->i != b->i ? (a->i > b->i) - (a->i < b->i) : (a->j > b->j) - (a->j < b->j);
}

/* All ranks draw all entries, and each keeps its rows'; a pair that is drawn again counts once. */
static void draw(matrix *m, ofw_owned *own, size_t entries)
{
  size_t first = m->split->first, here = m->split->here, n = 0, kept = 0;
  entry *list = malloc(entries * sizeof *list);
  stop_if(!list, "no memory");
  for (size_t k = 0; k < entries; k++) {
    size_t i = skewed(USERS, k, ROWS), j = skewed(ITEMS, k, COLS);
    if (i >= first && i < first + here)
      list[n++] = (entry){(PetscInt)(i - first), (PetscInt)j, value(i, j, k)};
  }
  qsort(list, n, sizeof *list, by_place);
  m->begin = ofw_owned_array(own, here + 1, sizeof *m->begin);
  m->j = ofw_owned_array(own, n + 1, sizeof *m->j);
  m->a = ofw_owned_doubles(own, n + 1);
  m->shares = ofw_owned_doubles(own, m->split->bands_here * COLS);
  stop_if(ofw_owned_check(own, NULL) != OFW_OK, "no memory");
  memset(m->begin, 0, (here + 1) * sizeof *m->begin);
  for (size_t k = 0; k < n; k++) {
    if (k > 0 && by_place(&list[k - 1], &list[k]) == 0)
      continue;
    m->begin[list[k].i + 1]++;
    m->j[kept] = list[k].j;
    m->a[kept++] = list[k].a;
  }
  for (size_t i = 0; i < here; i++)
    m->begin[i + 1] += m->begin[i];
  free(list);
  ofw_csr all = {.start = ofw_owned_array(own, here + 1, sizeof(size_t)),
                 .row = ofw_owned_array(own, kept + 1, sizeof(uint32_t)),
                 .col = (uint32_t *)m->j,
                 .value = m->a};
  ofw_csr none = {.start = ofw_owned_array(own, here + 1, sizeof(size_t)), .col = all.col, .value = m->a};
  stop_if(ofw_owned_check(own, NULL) != OFW_OK, "no memory");
  memset(none.start, 0, (here + 1) * sizeof *none.start);
  for (size_t i = 0; i <= here; i++)
    all.start[i] = (size_t)m->begin[i];
  for (size_t i = 0; i < here; i++)
    for (size_t k = all.start[i]; k < all.start[i + 1]; k++)
      all.row[k] = (uint32_t)i;
  m->sparse = (ofw_sparse){.rows = here, .cols = COLS, .scale = 1.0, .settled = all, .recent = none};
  m->entries = ofw_ranks_total(m->split->ranks, kept, NULL);
  MPI_Allreduce(&(double){ofw_dot(kept, m->a, m->a)}, &m->square, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* ---- ofw ---- */

static void nothing(void *ctx, size_t from, size_t n, double *sum)
{
  (void)ctx, (void)from, (void)n, (void)sum;
}

typedef struct passing {
  const matrix *m;
  const double *v;
  double *u;
} passing;

static void rows_share(void *ctx, size_t part, double *share)
{
  const passing *t = ctx;
  const ofw_split *split = t->m->split;
  size_t end = ofw_split_begin(split, split->here, part + 1);
  memset(share, 0, COLS * sizeof *share);
  for (size_t i = ofw_split_begin(split, split->here, part), n; i < end; i += n) {
    n = end - i < OFW_SPARSE_ROWS ? end - i : OFW_SPARSE_ROWS;
    ofw_sparse_times(&t->m->sparse, i, n, t->v, t->u + i);
    ofw_sparse_add_turned(&t->m->sparse, i, n, t->u + i, share);
  }
}

/* u = A v and w = A' u, of one read of A. */
static void pass(const void *ctx, const double *v, double *u, double *w)
{
  const matrix *m = ctx;
  ofw_split_fill(m->split, COLS, m->shares, COLS, rows_share, &(passing){m, v, u});
  ofw_split_add_own(m->split, COLS, m->shares, COLS, nothing, NULL, w);
}

/* The top value; |A v| of the pair is in *reached, passes and seconds in *out. */
static double search(const matrix *m, ofw_lanczos *l, uint32_t start, double relative, double *reached, outcome *out)
{
  ofw_singular top;
  ofw_error err;
  MPI_Barrier(MPI_COMM_WORLD);
  double begun = MPI_Wtime();
  stop_if(ofw_lanczos_top(l, pass, m, m->square, (ofw_rng_key){start, SEARCH, 0}, relative, INFINITY, &top, &err) !=
              OFW_OK,
          "the search failed");
  out->took += (MPI_Wtime() - begun) / STARTS;
  out->reads += (double)top.passes / STARTS;
  double *u = malloc((m->split->here + COLS) * sizeof *u);
  stop_if(!u, "no memory");
  pass(m, top.v, u, u + m->split->here);
  *reached = ofw_norm_over(m->split, m->split->here, u);
  free(u);
  return top.value;
}

/* ---- SLEPc: a shell counts the products ---- */

typedef struct counted {
  Mat of;
  size_t products;
} counted;

static PetscErrorCode times(Mat shell, Vec x, Vec y)
{
  counted *c;
  PetscFunctionBeginUser;
  PetscCall(MatShellGetContext(shell, &c));
  c->products++;
  PetscCall(MatMult(c->of, x, y));
  PetscFunctionReturn(0);
}

static PetscErrorCode times_transposed(Mat shell, Vec x, Vec y)
{
  counted *c;
  PetscFunctionBeginUser;
  PetscCall(MatShellGetContext(shell, &c));
  c->products++;
  PetscCall(MatMultTranspose(c->of, x, y));
  PetscFunctionReturn(0);
}

/* One search; |A v| of its pair, -1 if it did not converge. */
static PetscErrorCode slepc_search(Mat shell, const char *type, PetscInt ncv, double tolerance, PetscInt start,
                                   double *reached, outcome *out)
{
  SVD svd;
  Vec u, v;
  PetscInt found;
  PetscRandom random;
  BV bv;
  counted *c;
  PetscFunctionBeginUser;
  PetscCall(MatShellGetContext(shell, &c));
  PetscCall(SVDCreate(PETSC_COMM_WORLD, &svd));
  PetscCall(SVDSetOperators(svd, shell, NULL));
  PetscCall(SVDSetType(svd, type));
  PetscCall(SVDSetImplicitTranspose(svd, PETSC_TRUE));
  PetscCall(SVDSetDimensions(svd, 1, ncv, PETSC_DEFAULT));
  PetscCall(SVDSetTolerances(svd, tolerance, 1000));
  PetscCall(SVDGetBV(svd, &bv, NULL));
  PetscCall(BVGetRandomContext(bv, &random));
  PetscCall(PetscRandomSetSeed(random, (unsigned long)start + 1));
  PetscCall(PetscRandomSeed(random));
  c->products = 0;
  PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
  double begun = MPI_Wtime();
  PetscCall(SVDSolve(svd));
  out->took += (MPI_Wtime() - begun) / STARTS;
  out->reads += (double)c->products / STARTS;
  PetscCall(SVDGetConverged(svd, &found));
  *reached = -1.0;
  if (found > 0) {
    PetscCall(MatCreateVecs(c->of, &v, &u));
    PetscCall(SVDGetSingularTriplet(svd, 0, NULL, u, v));
    PetscCall(MatMult(c->of, v, u));
    PetscCall(VecNorm(u, NORM_2, reached));
    PetscCall(VecDestroy(&u));
    PetscCall(VecDestroy(&v));
  }
  PetscCall(SVDDestroy(&svd));
  PetscFunctionReturn(0);
}

static void print_row(int first, const char *who, const matrix *m, outcome o, double than)
{
  if (first && o.took < INFINITY)
    printf("| %s | %.1e | %.1f | %.1f | %.1f | %.2f |\n", who, o.error, o.reads, o.reads * 12e-6 * (double)m->entries,
           1e3 * o.took, o.took / than);
}

typedef struct candidate {
  outcome o; /* took INFINITY: no tolerance was enough */
  char who[100];
} candidate;

/* The largest tolerance for which no start's pair is further from the top one than `error`. */
static PetscErrorCode sharp_enough(Mat shell, const char *type, PetscInt ncv, double top, double error, candidate *out)
{
  static const double tolerances[] = {0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4};
  PetscFunctionBeginUser;
  for (size_t e = 0; e < sizeof tolerances / sizeof *tolerances; e++) {
    double reached = 0.0; /* if nothing is found */
    *out = (candidate){0};
    snprintf(out->who, sizeof out->who, "SLEPc %s, ncv %d, tolerance %g", type, (int)ncv, tolerances[e]);
    for (PetscInt start = 0; start < STARTS; start++) {
      PetscCall(slepc_search(shell, type, ncv, tolerances[e], start, &reached, &out->o));
      out->o.error = fmax(out->o.error, 1.0 - reached / top);
    }
    if (out->o.error <= error)
      PetscFunctionReturn(0);
  }
  out->o.took = INFINITY;
  PetscFunctionReturn(0);
}

static PetscErrorCode compare(const matrix *m, ofw_lanczos *l, int first)
{
  static const char *const types[] = {SVDTRLANCZOS, SVDLANCZOS, SVDCROSS};
  static const PetscInt sizes[] = {3, 4, 6, USUAL, 20};
  outcome ofw = {0}, unused = {0};
  double reached;
  Mat a, shell;
  counted c = {0};
  PetscFunctionBeginUser;
  double top = search(m, l, 99, 1e-13, &reached, &unused);
  search(m, l, 98, 1e-2, &reached, &unused); /* warm */
  for (uint32_t start = 0; start < STARTS; start++) {
    search(m, l, start, 1e-2, &reached, &ofw);
    ofw.error = fmax(ofw.error, 1.0 - reached / top);
  }
  PetscCall(MatCreateMPIAIJWithArrays(PETSC_COMM_WORLD, (PetscInt)m->split->here, PETSC_DECIDE, ROWS, COLS, m->begin,
                                      m->j, m->a, &a));
  c.of = a;
  PetscInt here, cols;
  PetscCall(MatGetLocalSize(a, &here, &cols));
  PetscCall(MatCreateShell(PETSC_COMM_WORLD, here, cols, ROWS, COLS, &c, &shell));
  PetscCall(MatShellSetOperation(shell, MATOP_MULT, (void (*)(void))times));
  PetscCall(MatShellSetOperation(shell, MATOP_MULT_TRANSPOSE, (void (*)(void))times_transposed));
  if (first)
    printf("| %zu entries | error of the pair, at most | reads of A or A' | MB of A read | ms | times ofw's time "
           "|\n|---|---|---|---|---|---|\n",
           m->entries);
  print_row(first, "ofw, relative accuracy 1e-2", m, ofw, ofw.took);
  for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
    candidate best = {.o.took = INFINITY}, usual = best;
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
      candidate found;
      PetscCall(sharp_enough(shell, types[t], sizes[n], top, ofw.error, &found));
      if (sizes[n] == USUAL)
        usual = found;
      int better = found.o.took < best.o.took; /* as the first rank sees it */
      PetscCallMPI(MPI_Bcast(&better, 1, MPI_INT, 0, PETSC_COMM_WORLD));
      if (better)
        best = found;
    }
    print_row(first, best.who, m, best.o, ofw.took);
    if (strcmp(usual.who, best.who) != 0)
      print_row(first, usual.who, m, usual.o, ofw.took);
  }
  PetscCall(MatDestroy(&shell));
  PetscCall(MatDestroy(&a));
  PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
  ofw_owned own = {0};
  ofw_lanczos *l;
  matrix m = {0};
  mpi_begin(&argc, &argv);
  size_t entries = argc > 1 ? strtoul(argv[1], NULL, 10) : 4000000;
  if (SlepcInitialize(NULL, NULL, NULL, NULL) != 0)
    return 1;
  stop_if(ofw_split_open(&own, mpi_ranks(), ROWS, &m.split, NULL) != OFW_OK, "too many ranks");
  draw(&m, &own, entries);
  stop_if(ofw_lanczos_open(&own, m.split->here, COLS, m.split, &l, NULL) != OFW_OK, "no memory");
  int failed = compare(&m, l, m.split->ranks->rank == 0) != 0;
  ofw_owned_free(&own);
  SlepcFinalize();
  return mpi_end(failed);
}
