/* vec_arithmetic.h — arithmetic on structured vectors, for engines and streams */
#pragma once

#include "base/basics.h"
#include "linalg/kernels.h"

/* How many coordinates from its offset a vec may touch; SIZE_MAX: too many to count. */
size_t ofw_vec_extent(const ofw_vec *v);
/* out[k] += c * v[from + k] for k < n, where out holds the kernels' kind of number */
void ofw_vec_add(const ofw_kernels *kernels, const ofw_vec *v, double c, size_t from, size_t n, void *out);
/* <v, x> / v.scale over the coordinates from .. from + n - 1, the first of which x points to */
double ofw_vec_dot(const ofw_kernels *kernels, const ofw_vec *v, size_t from, size_t n, const void *x);
/* out[k] += c * sum[from + k] for k < n */
void ofw_sum_add(ofw_sum sum, double c, size_t from, size_t n, double *out);
/* The entry i of the sum. */
double ofw_sum_entry(ofw_sum sum, size_t i);
/* <sum, x> with x dense */
double ofw_sum_dot(ofw_sum sum, const double *x);
/* |sum|, or a bound: the terms' norms added up; exact for one term. A random term counts as its expected norm. */
double ofw_sum_norm(ofw_sum sum);

/* The sum as `dim` numbers. A term that does not fit in `dim` is a caller's error that ofw_sum_check finds. */
void ofw_sum_dense(ofw_sum sum, size_t dim, double *out);

/* OFW_BAD_DATA if a term is not within `dim` coordinates, holds a NaN or an infinity, or repeats an index. `what`
 * names the sum in the message. */
ofw_status ofw_sum_check(ofw_sum sum, size_t dim, const char *what, ofw_error *err);
/* The same, with the norm that ofw_sum_norm says. */
ofw_status ofw_sum_measure(ofw_sum sum, size_t dim, const char *what, double *norm, ofw_error *err);
