/* blocks.h — a graph's blocks: edges on a common cycle are in the same one, a bridge and a loop have their own */
#ifndef OFW_SRC_BLOCKS_H
#define OFW_SRC_BLOCKS_H

#include "domain/graph/graph.h"

/* Blocks are numbered from 0 on; *count is how many there are, *parts into how many the graph falls. */
ofw_status ofw_graph_blocks(const ofw_graph *g, uint32_t *block, size_t *count, size_t *parts, ofw_error *err);

#endif
