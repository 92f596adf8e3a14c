/* flow_hull.h — the affine hull of flows: fixed edges, and as much in as out at every vertex
 *
 * Its normals are the unit vectors of fixed edges and an orthonormal basis of what the vertices' rows (1 if an edge
 * begins there, -1 if it ends there, over the edges that are not fixed) span, by Gram-Schmidt, each row twice. That is dense:
 * sets that are too large for it do without, and without r.
 */
#pragma once

#include "domain/set.h"

/* At most 2^22 numbers, and a second of work. */
int ofw_hull_fits(size_t vertices, size_t edges);
/* Makes the hull of K, which has a coordinate for each edge, and sets K's normals and r, the largest about its centre.
 * capacity NULL: edges have none. */
ofw_status ofw_hull_set(ofw_domain *K, size_t vertices, const uint32_t *from, const uint32_t *to,
                        const double *capacity, const unsigned char *fixed, ofw_error *err);
