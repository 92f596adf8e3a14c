/* join.h — a run's state for this rank, from the states of ranks that shared the rows otherwise */
#pragma once

#include "base/ranks.h"

#include <ofw/state.h>

/* What a rank saved. */
typedef struct ofw_piece {
  size_t first, here; /* its rows */
  ofw_state state;
} ofw_piece;

/* The pieces follow each other and have all rows that `to` has. What is not kept by rows is as in the first of them. */
ofw_status ofw_run_join(const ofw_split *to, size_t cols, size_t n, const ofw_piece *piece, ofw_state *out,
                        ofw_error *err);
