/* place.h — points and directions of any domain, for streams that choose where their comparator lies */
#pragma once

#include "domain/set.h"

/* A random unit vector among the directions in which K extends, those of its affine hull; 0 if K has none. */
void ofw_place_direction(const ofw_domain *K, ofw_rng_key key, double *out);

/* A point well inside K: the mean of a few random vertices, drawn in by a third towards the centre. */
ofw_status ofw_place_inside(const ofw_domain *K, uint64_t seed, double *out, ofw_error *err);

/* |x - y|^2 */
double ofw_place_square(size_t n, const double *x, const double *y);
