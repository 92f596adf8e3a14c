/* threads.h — threads that share out the parts of a loop
 *
 * How a loop is cut into parts must not depend on how many threads there are, and what the parts find is to be put
 * together in their order: then neither do the bits.
 */
#pragma once

#include "base/basics.h"
#include "base/limits.h"

typedef struct ofw_pool ofw_pool; /* NULL is a pool of one thread, the caller's */

/* threads - 1 threads beside the caller's; at most OFW_MOST_THREADS. They take no signals. */
ofw_status ofw_pool_open(size_t threads, ofw_pool **out, ofw_error *err);
/* NULL is accepted. */
void ofw_pool_close(ofw_pool *pool);
/* work(ctx, part) for every part below `parts`, in any order and thread; all are done when it returns. */
void ofw_pool_run(ofw_pool *pool, size_t parts, void (*work)(void *ctx, size_t part), void *ctx);
