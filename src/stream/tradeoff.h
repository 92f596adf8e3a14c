/* tradeoff.h — losses that pull across a limit, and the best point that keeps it, on any domain
 *
 *     min <c, x>   over x in K with <b, x> <= s
 *
 * c = -(pull b + ..), so the losses pull across the limit. s lies `depth` of the way from what <b, .> is where <c, .>
 * is least to its minimum over K.
 */
#pragma once

#include "stream/generator.h"

typedef struct ofw_tradeoff {
  double *c, *b; /* |b| = 1 and |c| <= 1 */
  double *best;  /* x*, with <b, x*> = s */
  double mu;     /* x* minimises <c + mu b, .> over K */
} ofw_tradeoff;

#define OFW_PULL_OPTION(type, value)                            \
  OFW_REAL_ROW(offsetof(type, pull), "pull", value, NULL, 0, 1, \
               "the share of the losses that pulls straight across the limit")
#define OFW_DEPTH_OPTION(type, value)                                   \
  OFW_REAL_ROW(offsetof(type, depth), "depth", value, NULL, 0.01, 0.99, \
               "place of the limit: 0 at the minimiser of the losses, 1 if only one point satisfies it")

/* Draws c and b by the stream's seed and places x*, which becomes the stream's comparator. The memory is the stream's;
 * `name` begins the messages. Refuses a domain that is too thin for the two to disagree. */
ofw_status ofw_tradeoff_open(ofw_tradeoff *f, ofw_stream *s, const char *name, double pull, double depth,
                             ofw_error *err);
