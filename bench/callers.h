/* callers.h — the top singular pair of one recorded direction after the other, by ofw and by its peers */
#ifndef OFW_BENCH_CALLERS_H
#define OFW_BENCH_CALLERS_H

#include "bench/directions/directions.h"

/* ofw's own oracle; ARPACK with OpenBLAS's pair of dgemv at its usual basis; SciPy's svds; then ARPACK with ofw's pass,
 * once for each basis that it might like best: asked for the tolerance as its residual, and asked for no more than the
 * residual that ofw's oracle is content with at that tolerance. */
enum { NCVS = 6 };
enum { CALL_OFW, CALL_ARPACK_BLAS, CALL_SCIPY, CALL_ARPACK, CALL_LAX = CALL_ARPACK + NCVS, CALLERS = CALL_LAX + NCVS };
extern const size_t caller_ncv[NCVS];
enum { USUAL_NCV = 20 };
#define LAXER 3.0 /* so many times the tolerance is that residual: linalg/lanczos.h */

typedef struct called {
  double seconds;
  double value;    /* u' A v of the pair that was found, or the singular value by a solver to be believed */
  double passes;   /* NaN: not known */
  double residual; /* the larger of |A v - value u| and |A' u - value v|, over value; NaN: not looked at */
} called;

typedef struct callers callers;

/* `all` has to stay. NULL: no memory, or no such matrices. If there is no SciPy, that caller is missing: `why` says so. */
callers *callers_open(const directions *all, double tolerance, uint64_t seed, ofw_error *why, ofw_error *err);
void callers_close(callers *c);
int callers_has(const callers *c, int caller);
/* As a learner does before its first round: what ofw's oracle remembers is forgotten. */
ofw_status callers_begin(callers *c, ofw_error *err);
/* Direction i. What ofw's oracle remembers are the directions it was called with before. */
ofw_status callers_call(callers *c, int caller, size_t i, called *out, ofw_error *err);

/* sigma_1 of direction i, by ARPACK to 1e-10. */
ofw_status callers_exact(callers *c, size_t i, called *out, ofw_error *err);
ofw_status callers_gesdd(callers *c, size_t i, called *out, ofw_error *err);

#endif
