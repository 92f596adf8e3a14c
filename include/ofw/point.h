/* point.h — how to read a decision: by entries, rows and dot products, never by pointer
 *
 * Only the learner knows how the numbers are stored, so a reader that asks for what it needs works with every engine.
 * The decision of a bandit learner includes its probe, however you read it. An index, a row or a column out of range is
 * OFW_USAGE.
 */
#ifndef OFW_POINT_H
#define OFW_POINT_H

#include <ofw/vec.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A handle on a decision; it belongs to the learner. */
typedef struct ofw_point ofw_point;

/* The shape of x: a matrix has rows, read one after the other; a vector, or a matrix of one column, has one row. There are
 * rows * cols coordinates. */
OFW_API void ofw_point_shape(const ofw_point *x, size_t *rows, size_t *cols);
/* out[k] = x[index[k]]; every index must be below the dimension. */
OFW_API ofw_status ofw_point_entries(const ofw_point *x, size_t n, const size_t *index, double *out);
/* out = <sum, x> */
OFW_API ofw_status ofw_point_dot(const ofw_point *x, ofw_sum sum, double *out);
/* A row: as many numbers as there are columns. */
OFW_API ofw_status ofw_point_row(const ofw_point *x, size_t row, double *out);
/* The k largest numbers of a row and their columns, the largest first; of equal numbers the lower column comes first. Skips
 * the n_excluded columns, which may come in any order and repeat. *found, at most k, is the number of results. The outputs
 * need room for k, or for the whole row if that is shorter. The call writes out the row in memory. */
OFW_API ofw_status ofw_point_top(const ofw_point *x, size_t row, size_t k, size_t n_excluded, const size_t *excluded,
                                 size_t *index_out, double *value_out, size_t *found);
/* The whole decision: rows * cols numbers. OFW_UNSUPPORTED: that is too much to write out. With out = NULL nothing is
 * written, and the status says whether it could be. */
OFW_API ofw_status ofw_point_dense(const ofw_point *x, double *out);
/* The point around which a bandit learner probes; for others the decision itself. Otherwise like ofw_point_dense. */
OFW_API ofw_status ofw_point_centre(const ofw_point *x, double *out);

#ifdef __cplusplus
}
#endif
#endif
