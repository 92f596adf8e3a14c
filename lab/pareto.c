/* pareto.c — the front of two costs and its hypervolume, each by one sort and one sweep */
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

ofw_status ofw_hypervolume(size_t n, const double *x, const double *y, const double ref[2], double *out)
{
  point *sorted = ofw_array(n, sizeof *sorted);
  size_t below = 0;
  double least = ref[1]; /* y of all points so far */
  if (!sorted)
    return OFW_FAILED;
  for (size_t i = 0; i < n; i++)
    if (isfinite(x[i]) && isfinite(y[i]) && x[i] < ref[0])
      sorted[below++] = (point){x[i], y[i], i};
  qsort(sorted, below, sizeof *sorted, by_cost);
  *out = 0.0;
  for (const point *p = sorted; p < sorted + below; p++)
    if (p->y < least) { /* a strip that no point further to the left reaches */
      *out += (ref[0] - p->x) * (least - p->y);
      least = p->y;
    }
  free(sorted);
  return OFW_OK;
}
