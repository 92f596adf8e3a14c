/* factored_join.h — the saved factors of some rows, from those of ranks that shared the rows otherwise */
#pragma once

#include "base/ranks.h"

/* What a rank saved of its rows (factored_state.c). */
typedef struct ofw_factored_piece {
  size_t first, here; /* its rows */
  const uint64_t *words;
  size_t count;
} ofw_factored_piece;

/* The words of the rows that `to` has, to be freed. The pieces follow each other and have all of them. OFW_BAD_DATA: some are
 * no factors of that shape. */
ofw_status ofw_factored_join(const ofw_split *to, size_t cols, size_t n, const ofw_factored_piece *piece,
                             uint64_t **words, size_t *count, ofw_error *err);
