/* lp_check.h — the least <d, x> over a polyhedron of rows and bounds, by CLP: what polyhedral oracles are held against */
#ifndef OFW_TEST_LP_CHECK_H
#define OFW_TEST_LP_CHECK_H

#include "unit/linalg/chance.h"

#include <Clp_C_Interface.h>
#include <float.h>

/* row_low[i] <= sum_j a[i n + j] x_j <= row_high[i],  low[j] <= x_j <= high[j]; infinite: no bound. */
typedef struct lp {
  Clp_Simplex *model;
  int n;
} lp;

static inline double lp_bound(double x)
{
  return isinf(x) ? copysign(DBL_MAX, x) : x;
}

static inline lp lp_open(size_t rows, size_t n, const double *a, const double *row_low, const double *row_high,
                         const double *low, const double *high)
{
  lp p = {Clp_newModel(), (int)n};
  int *start = calloc(n + 1, sizeof *start), *index = calloc(rows * n + 1, sizeof *index);
  double *value = room_for(rows * n + 1), *bounds = room_for(2 * (rows + n) + 1);
  double *l = bounds, *h = l + n, *rl = h + n, *rh = rl + rows;
  assert_true(p.model && start && index);
  for (size_t j = 0; j < n; j++) {
    int at = start[j];
    for (size_t i = 0; i < rows; i++)
      if (a[i * n + j] != 0.0) {
        index[at] = (int)i;
        value[at++] = a[i * n + j];
      }
    start[j + 1] = at;
    l[j] = lp_bound(low[j]);
    h[j] = lp_bound(high[j]);
  }
  for (size_t i = 0; i < rows; i++) {
    rl[i] = lp_bound(row_low[i]);
    rh[i] = lp_bound(row_high[i]);
  }
  Clp_setLogLevel(p.model, 0);
  Clp_loadProblem(p.model, (int)n, (int)rows, start, index, value, l, h, NULL, rl, rh);
  free(start);
  free(index);
  free(value);
  free(bounds);
  return p;
}

/* The set is neither empty nor unbounded along d. x may be NULL. */
static inline double lp_least(lp p, const double *d, double *x)
{
  Clp_chgObjCoefficients(p.model, d);
  assert_int_equal(Clp_primal(p.model, 0), 0);
  const double *at = Clp_primalColumnSolution(p.model);
  for (int j = 0; x && j < p.n; j++)
    x[j] = at[j];
  return Clp_objectiveValue(p.model);
}

static inline void lp_close(lp p)
{
  Clp_deleteModel(p.model);
}

#endif
