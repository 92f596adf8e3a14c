/* point.h — a decision as its readers see it: by entries and dot products, never by pointer
 *
 * Where the numbers live is the learner's affair, so a reader that asks only for what it needs works for every engine.
 */
#ifndef OFW_POINT_H
#define OFW_POINT_H

#include <ofw/vec.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A handle on a decision, lent by the learner. */
typedef struct ofw_point ofw_point;

/* How many coordinates it has. */
OFW_API size_t ofw_point_dim(const ofw_point *x);
/* out[k] = x[index[k]]; every index must be below the dimension. */
OFW_API ofw_status ofw_point_entries(const ofw_point *x, size_t n, const size_t *index, double *out);
/* out = <sum, x> */
OFW_API ofw_status ofw_point_dot(const ofw_point *x, ofw_sum sum, double *out);
/* All of it: ofw_point_dim numbers. */
OFW_API ofw_status ofw_point_dense(const ofw_point *x, double *out);
/* The point around which a bandit learner probes; for others the decision itself. */
OFW_API ofw_status ofw_point_centre(const ofw_point *x, double *out);

#ifdef __cplusplus
}
#endif
#endif
