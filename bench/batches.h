/* batches.h — the ratings that a stream reveals, for a peer that plays the same game */
#ifndef OFW_BENCH_BATCHES_H
#define OFW_BENCH_BATCHES_H

#include "stream/generator.h"

#include <stdio.h>

/* For each of the rounds 1..rounds its cells as whole numbers of 8 bytes, then their ratings as doubles; *batch of each.
 * OFW_UNSUPPORTED if the losses are not |X - M|^2 / 2 on as many cells in every round, or the constraint is not
 * <P, X> <= 0 with P uniform. */
ofw_status batches_write(ofw_stream *s, uint64_t rounds, FILE *out, size_t *batch, ofw_error *err);

#endif
