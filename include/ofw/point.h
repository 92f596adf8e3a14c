/* point.h — a decision as its readers see it: by entries, rows and dot products, never by pointer
 *
 * Where the numbers live is the learner's affair, so a reader that asks only for what it needs works for every engine.
 * What a bandit learner plays has its probe in it, however it is read. An index, a row or a column that is not there is
 * OFW_USAGE.
 */
#ifndef OFW_POINT_H
#define OFW_POINT_H

#include <ofw/vec.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A handle on a decision, lent by the learner. */
typedef struct ofw_point ofw_point;

/* Its shape: a matrix has rows, read one after the other; a vector, as a matrix of one column, is one row. It has
 * rows * cols coordinates. */
OFW_API void ofw_point_shape(const ofw_point *x, size_t *rows, size_t *cols);
/* out[k] = x[index[k]]; every index must be below the dimension. */
OFW_API ofw_status ofw_point_entries(const ofw_point *x, size_t n, const size_t *index, double *out);
/* out = <sum, x> */
OFW_API ofw_status ofw_point_dot(const ofw_point *x, ofw_sum sum, double *out);
/* A row: as many numbers as there are columns. */
OFW_API ofw_status ofw_point_row(const ofw_point *x, size_t row, double *out);
/* The k largest numbers of a row and their columns, the largest first and of equal ones the first; none of the n_excluded
 * columns, which may stand in any order and repeat. *found, at most k, is how many there were. Room for k is needed where
 * the row has as many, and a row's numbers are written out meanwhile. */
OFW_API ofw_status ofw_point_top(const ofw_point *x, size_t row, size_t k, size_t n_excluded, const size_t *excluded,
                                 size_t *index_out, double *value_out, size_t *found);
/* All of it: rows * cols numbers. OFW_UNSUPPORTED where that is more than can be written out; with out = NULL nothing
 * is written, and the answer is whether it could be. */
OFW_API ofw_status ofw_point_dense(const ofw_point *x, double *out);
/* The point around which a bandit learner probes; for others the decision itself. Otherwise as ofw_point_dense. */
OFW_API ofw_status ofw_point_centre(const ofw_point *x, double *out);

#ifdef __cplusplus
}
#endif
#endif
