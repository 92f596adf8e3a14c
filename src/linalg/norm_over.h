/* norm_over.h — lengths of vectors whose numbers are shared among ranks like the rows of a matrix */
#pragma once

#include "base/ranks.h"

/* |a|, n numbers of which are here, over all ranks; as ofw_norm if there are none. Squares of its numbers must be doubles if
 * there are ranks. */
double ofw_norm_over(const ofw_split *split, size_t n, const double *a);
