/* openblas.c — two dgemv as a pass, and a full SVD by dgesdd, as a caller of OpenBLAS would write them */
#include "base/basics.h"
#include "bench/peers.h"

#include <stdlib.h>
#include <string.h>

#include <cblas.h>
#include <lapacke.h>

void peer_blas_pair(size_t rows, size_t cols, const double *a, const double *v, double *u, double *w)
{
  blasint m = (blasint)rows, n = (blasint)cols;
  cblas_dgemv(CblasRowMajor, CblasNoTrans, m, n, 1.0, a, n, v, 1, 0.0, u, 1);
  cblas_dgemv(CblasRowMajor, CblasTrans, m, n, 1.0, a, n, u, 1, 0.0, w, 1);
}

/* A by rows is A' by columns, so LAPACK is given A' = V S U' and need not transpose anything. */
struct peer_gesdd {
  size_t rows, cols, rank;
  double *copy, *s; /* what dgesdd overwrites, and the singular values */
  double *v, *u;    /* cols x rank by columns, rank x rows by columns */
  double *top;      /* the first row of u */
};

peer_gesdd *peer_gesdd_open(size_t rows, size_t cols)
{
  peer_gesdd *g = calloc(1, sizeof *g);
  if (!g)
    return NULL;
  *g = (peer_gesdd){.rows = rows, .cols = cols, .rank = rows < cols ? rows : cols};
  g->copy = ofw_doubles(rows * cols);
  g->s = ofw_doubles(g->rank);
  g->v = ofw_doubles(cols * g->rank);
  g->u = ofw_doubles(g->rank * rows);
  g->top = ofw_doubles(rows);
  if (g->copy && g->s && g->v && g->u && g->top)
    return g;
  peer_gesdd_close(g);
  return NULL;
}

void peer_gesdd_close(peer_gesdd *g)
{
  if (!g)
    return;
  free(g->copy);
  free(g->s);
  free(g->v);
  free(g->u);
  free(g->top);
  free(g);
}

int peer_gesdd_top(peer_gesdd *g, const double *a, peer_top *out)
{
  lapack_int m = (lapack_int)g->cols, n = (lapack_int)g->rows, k = (lapack_int)g->rank;
  memcpy(g->copy, a, g->rows * g->cols * sizeof *a);
  if (LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'S', m, n, g->copy, m, g->s, g->v, m, g->u, k) != 0)
    return 0;
  for (size_t i = 0; i < g->rows; i++)
    g->top[i] = g->u[i * g->rank];
  *out = (peer_top){.value = g->s[0], .u = g->top, .v = g->v};
  return 1;
}
