/* vec.h — arithmetic on structured vectors, for engines and streams */
#ifndef OFW_SRC_VEC_H
#define OFW_SRC_VEC_H

#include "base/base.h"

#include <ofw/vec.h>

/* How many coordinates from its offset a vec may touch; SIZE_MAX: too many to count. */
size_t ofw_vec_extent(const ofw_vec *v);
/* out[k] += c * sum[from + k] for k < n */
void ofw_sum_add(ofw_sum sum, double c, size_t from, size_t n, double *out);
/* The entry i of the sum. */
double ofw_sum_entry(ofw_sum sum, size_t i);
/* <sum, x> with x dense */
double ofw_sum_dot(ofw_sum sum, const double *x);
/* |sum|, or a bound: the terms' norms added up; exact for one term. A random term counts as its expected norm. */
double ofw_sum_norm(ofw_sum sum);

#endif
