/* pareto.c — the front of two costs, by one sort and one sweep */
#include "lab/pareto.h"

#include "base/basics.h"

#include <math.h>
#include <stdlib.h>

typedef struct point {
  double x, y;
  size_t at;
} point;

static int by_cost(const void *a, const void *b)
{
  const point *p = a, *q = b;
  return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->y > q->y) - (p->y < q->y);
}

ofw_status ofw_pareto(size_t n, const double *x, const double *y, unsigned char *front)
{
  point *sorted = ofw_array(n, sizeof *sorted);
  size_t known = 0;
  if (!sorted)
    return OFW_FAILED;
  for (size_t i = 0; i < n; i++) {
    front[i] = 0;
    if (!isnan(x[i]) && !isnan(y[i]))
      sorted[known++] = (point){x[i], y[i], i};
  }
  qsort(sorted, known, sizeof *sorted, by_cost);
  /* Along x a point must beat the y of all that came before, but for those that are the same point. */
  const point *last = NULL;
  for (size_t i = 0; i < known; i++) {
    const point *p = &sorted[i];
    if (last && !(p->y < last->y) && !(p->y == last->y && p->x == last->x))
      continue;
    front[p->at] = 1;
    last = p;
  }
  free(sorted);
  return OFW_OK;
}
