/* norm_over.c — lengths of vectors that are shared by rows */
#include "linalg/norm_over.h"

#include "linalg/kernels.h"

#include <math.h>

double ofw_norm_over(const ofw_split *split, size_t n, const double *a)
{
  double part[OFW_MOST_ROW_BANDS], square;
  if (!split)
    return ofw_norm(n, a);
  for (size_t k = 0; k < split->bands_here; k++) {
    size_t from = ofw_split_begin(split, n, k), to = ofw_split_begin(split, n, k + 1);
    part[k] = ofw_dot(to - from, a + from, a + from);
  }
  ofw_split_add(split, 1, part, 1, &square);
  return sqrt(square);
}
