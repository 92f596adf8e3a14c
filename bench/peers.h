/* peers.h — what ofw is held against, on the same matrices (row by row, rows x cols) */
#ifndef OFW_BENCH_PEERS_H
#define OFW_BENCH_PEERS_H

#include <stddef.h>

/* u = A v, w = A' u, as a pair of OpenBLAS's dgemv: two reads of A. */
void peer_blas_pair(size_t rows, size_t cols, const double *a, const double *v, double *u, double *w);

/* The sum of n numbers by wide loads into eight accumulators: how fast memory can be read at all, which no pass can
 * beat. */
double peer_read(size_t n, const double *a);

#endif
