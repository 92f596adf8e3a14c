/* peers.h — what ofw is compared with, on the same matrices (row by row, rows x cols) */
#ifndef OFW_BENCH_PEERS_H
#define OFW_BENCH_PEERS_H

#include <stddef.h>

/* ---- one pass ---- */

/* u = A v, w = A' u */
typedef void (*peer_pass)(size_t rows, size_t cols, const double *a, const double *v, double *u, double *w);

/* ofw's own, for a peer that it is lent to. */
void peer_fused_pass(size_t rows, size_t cols, const double *a, const double *v, double *u, double *w);
const char *peer_fused_name(void); /* which variant that is */
/* A pair of OpenBLAS's dgemv: two reads of A. */
void peer_blas_pair(size_t rows, size_t cols, const double *a, const double *v, double *u, double *w);

/* The sum of n numbers by wide loads into eight accumulators: how fast memory can be read at all, which no pass can
 * beat. */
double peer_read(size_t n, const double *a);

/* ---- the top singular pair ---- */

typedef struct peer_top {
  double value;
  const double *u, *v; /* unit vectors; valid until the next call */
  size_t passes;       /* reads of A, both of its directions counted as one */
} peer_top;

/* LAPACK's dgesdd, which finds all pairs. */
typedef struct peer_gesdd peer_gesdd;
peer_gesdd *peer_gesdd_open(size_t rows, size_t cols); /* NULL: no memory */
void peer_gesdd_close(peer_gesdd *g);
/* 0: it failed. */
int peer_gesdd_top(peer_gesdd *g, const double *a, peer_top *out);

/* ARPACK's implicitly restarted Lanczos on A'A with a basis of ncv vectors.
 *
 * It stops if |A'A v - theta^2 v| <= tolerance theta^2, by its own estimate, that is |A' u - theta v| <= tolerance
 * theta: the residual that ofw's oracle asks for at the same tolerance. (ofw's asks for a bound on the error as well.)
 */
typedef struct peer_arpack peer_arpack;
peer_arpack *peer_arpack_open(size_t rows, size_t cols, size_t most_ncv); /* NULL: no memory */
void peer_arpack_close(peer_arpack *p);
/* 1 < ncv <= cols. 0: it failed. Not for two threads: ARPACK keeps variables of its own. */
int peer_arpack_top(peer_arpack *p, const double *a, peer_pass pass, size_t ncv, double tolerance, peer_top *out);

#endif
