#include "bench/peers.h"

#include <cblas.h>

void peer_blas_pair(size_t rows, size_t cols, const double *a, const double *v, double *u, double *w)
{
  blasint m = (blasint)rows, n = (blasint)cols;
  cblas_dgemv(CblasRowMajor, CblasNoTrans, m, n, 1.0, a, n, v, 1, 0.0, u, 1);
  cblas_dgemv(CblasRowMajor, CblasTrans, m, n, 1.0, a, n, u, 1, 0.0, w, 1);
}
