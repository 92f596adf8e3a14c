/* arpack.c — ARPACK's dsaupd on A'A, with any pass */
#include "base/basics.h"
#include "bench/peers.h"

#include <math.h>
#include <stdlib.h>

#include <arpack.h>

struct peer_arpack {
  size_t rows, cols;
  double *resid, *basis, *workd, *workl, *u, *v, *w;
  a_int *select;
};

peer_arpack *peer_arpack_open(size_t rows, size_t cols, size_t most_ncv)
{
  peer_arpack *p = calloc(1, sizeof *p);
  if (!p)
    return NULL;
  p->rows = rows;
  p->cols = cols;
  p->resid = ofw_doubles(cols);
  p->basis = ofw_doubles(cols * most_ncv);
  p->workd = ofw_doubles(3 * cols);
  p->workl = ofw_doubles(most_ncv * (most_ncv + 8));
  p->u = ofw_doubles(rows);
  p->v = ofw_doubles(cols);
  p->w = ofw_doubles(cols);
  p->select = ofw_array(most_ncv, sizeof *p->select);
  if (p->resid && p->basis && p->workd && p->workl && p->u && p->v && p->w && p->select)
    return p;
  peer_arpack_close(p);
  return NULL;
}

void peer_arpack_close(peer_arpack *p)
{
  if (!p)
    return;
  double *all[] = {p->resid, p->basis, p->workd, p->workl, p->u, p->v, p->w};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    free(all[i]);
  free(p->select);
  free(p);
}

int peer_arpack_top(peer_arpack *p, const double *a, peer_pass pass, size_t ncv, double tolerance, peer_top *out)
{
  a_int n = (a_int)p->cols, basis = (a_int)ncv, room = basis * (basis + 8), ido = 0, info = 0, pointer[11];
  a_int param[11] = {1, 0, 1000, 1, 0, 0, 1}; /* exact shifts, at most 1000 restarts, block size 1, A x = lambda x */
  double square;
  for (;;) {
    dsaupd_c(&ido, "I", n, "LA", 1, tolerance, p->resid, basis, p->basis, n, param, pointer, p->workd, p->workl, room,
             &info);
    if (ido != 1 && ido != -1)
      break;
    pass(p->rows, p->cols, a, p->workd + pointer[0] - 1, p->u, p->workd + pointer[1] - 1);
  }
  if (info != 0)
    return 0;
  dseupd_c(1, "A", p->select, &square, p->v, n, 0.0, "I", n, "LA", 1, tolerance, p->resid, basis, p->basis, n, param,
           pointer, p->workd, p->workl, room, &info);
  if (info != 0 || !(square > 0.0))
    return 0;
  pass(p->rows, p->cols, a, p->v, p->u, p->w);
  double theta = sqrt(square);
  for (size_t i = 0; i < p->rows; i++)
    p->u[i] /= theta;
  *out = (peer_top){.value = theta, .u = p->u, .v = p->v, .passes = (size_t)param[8] + 1};
  return 1;
}
