/* no_arpack.c — in place of arpack.c where it is not installed */
#include "bench/peers.h"

int peer_has_arpack(void)
{
  return 0;
}

peer_arpack *peer_arpack_open(size_t rows, size_t cols, size_t most_ncv)
{
  (void)rows;
  (void)cols;
  (void)most_ncv;
  return NULL;
}

void peer_arpack_close(peer_arpack *p)
{
  (void)p;
}

int peer_arpack_top(peer_arpack *p, const double *a, peer_pass pass, size_t ncv, double tolerance, peer_top *out)
{
  (void)p;
  (void)a;
  (void)pass;
  (void)ncv;
  (void)tolerance;
  (void)out;
  return 0;
}
