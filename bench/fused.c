/* fused.c — ofw's own pass, for ARPACK to use: so that the methods are compared and not the kernels */
#include "bench/peers.h"
#include "linalg/kernels.h"

void peer_fused_pass(size_t rows, size_t cols, const double *a, const double *v, double *u, double *w)
{
  ofw_pass(rows, cols, a, 0, v, u, w);
}

const char *peer_fused_name(void)
{
  return ofw_kernels_chosen()->name;
}
