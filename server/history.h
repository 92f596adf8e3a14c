/* history.h — the account of a session at rounds that are equally far apart, in memory that is bounded
 *
 * When there is no room for another row, every second one goes and the distance doubles: so the rows are those of rounds k,
 * 2k, 3k, .. whatever the number of rounds, and between HISTORY_MOST/2 and HISTORY_MOST of them once there were so many.
 */
#pragma once

#include "base/basics.h"

enum { HISTORY_MOST = 512 };

/* The columns of a row; a number that is not known is NaN. */
enum {
  COLUMN_ROUND,
  COLUMN_LOSS,
  COLUMN_CONSTRAINT,
  COLUMN_LOSS_SUM,
  COLUMN_CCV,
  COLUMN_PRICE,
  COLUMN_SIGMA,
  COLUMN_GAP,
  COLUMN_ORACLE_CALLS,
  COLUMN_REGRET_BOUND,
  COLUMN_CCV_BOUND,
  COLUMN_OPEN,
  COLUMNS
};
extern const char *const history_columns[COLUMNS];

/* Start it as {0}. */
typedef struct history {
  double *number; /* rows of COLUMNS */
  size_t rows, room;
  uint64_t stride; /* 0: 1 */
} history;

/* 1: the row of this round belongs to it. */
int history_due(const history *h, uint64_t round);
/* A row that is due. Without memory for it, it is left out. */
void history_add(history *h, const double row[COLUMNS]);
/* A row as {"round":..,..}. */
void history_print_row(const double row[COLUMNS], ofw_text *out);
/* {"columns":[..],"rows":[[..],..]}: at most `points` rows, the last of them `now`. */
void history_print(const history *h, const double now[COLUMNS], size_t points, ofw_text *out);
void history_free(history *h);
