/* directions.h — the matrices that an oracle was asked about, kept in memory or in a file
 *
 * A file is words of 8 bytes, the least significant first:
 *
 *     "ofwdirec"   version (1)   rows   cols          whole numbers but for the name
 *     round   rows x cols doubles, row by row         once for each direction, in the order of play
 *
 * so its length says how many there are.
 */
#ifndef OFW_BENCH_DIRECTIONS_H
#define OFW_BENCH_DIRECTIONS_H

#include <ofw/domain.h>

#include <stdio.h>

typedef struct directions {
  size_t rows, cols, count;
  uint64_t *round;
  double **at; /* rows x cols numbers each */
} directions;

/* A copy of d, which was asked about in that round; NULL: numbers that are written later. rows and cols have been set.
 */
ofw_status directions_add(directions *all, uint64_t round, const double *d, ofw_error *err);
void directions_free(directions *all);
/* Reads a file. A bad one is OFW_BAD_DATA, and `all` is then empty. */
ofw_status directions_read(const char *path, directions *all, ofw_error *err);

/* All of them into a file that is open. */
ofw_status directions_write(const directions *all, FILE *file, ofw_error *err);

/* A file that is being written; it gets its name when it is whole. */
typedef struct directions_file directions_file;
directions_file *directions_open(const char *path, size_t rows, size_t cols, ofw_error *err);
ofw_status directions_put(directions_file *f, uint64_t round, const double *d, ofw_error *err);
/* Ends it and frees f, NULL being accepted. After a failure and without a direction (OFW_END) no file is left. */
ofw_status directions_close(directions_file *f, ofw_error *err);

/* ---- recording ---- */

/* Called with each direction before the oracle sees it. */
typedef ofw_status (*recorder)(void *ctx, const double *d, ofw_error *err);

/* The same set as K, whose oracle shows its directions to `see`. ctx has to outlive all that is done with the set. */
ofw_domain *recorded_domain(const ofw_domain *K, recorder see, void *ctx, ofw_error *err);

#endif
