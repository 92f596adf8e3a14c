/* spectrum.h — the leading singular values of a matrix of ratings, whose other entries are 0 */
#ifndef OFW_DATA_SPECTRUM_H
#define OFW_DATA_SPECTRUM_H

#include "ratings/ratings.h"

/* The `most` largest into out, falling, each to about five digits; *found of them, fewer where the others are 0. From
 * each rating `less` is taken. */
ofw_status data_spectrum(const ofw_ratings *r, double less, size_t most, double *out, size_t *found, ofw_error *err);

#endif
