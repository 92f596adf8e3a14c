/* streams.c — every stream by name, in alphabetical order; a new one is one row here */
#include "stream/generator.h"

#define OFW_STREAMS(row)                                                                                              \
  row(alternating) row(ball_constraint) row(conflict) row(drifting) row(linear) row(matrix_completion) row(quadratic) \
      row(replay) row(routes) row(trace_recovery) row(uneven)

#define DECLARE(name) extern const ofw_stream_kind ofw_##name##_kind;
#define ADDRESS(name) &ofw_##name##_kind,

OFW_STREAMS(DECLARE)
const ofw_stream_kind *const ofw_stream_kinds[] = {OFW_STREAMS(ADDRESS)};
const size_t ofw_stream_kinds_count = sizeof ofw_stream_kinds / sizeof ofw_stream_kinds[0];
