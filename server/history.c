/* history.c — rows of a session's account are kept, thinned and printed */
#include "server/history.h"

#include <stdlib.h>
#include <string.h>

const char *const history_columns[COLUMNS] = {"round", "loss", "constraint",   "loss_sum",     "ccv",       "price",
                                              "sigma", "gap",  "oracle_calls", "regret_bound", "ccv_bound", "open"};

static uint64_t stride_of(const history *h)
{
  return h->stride ? h->stride : 1;
}

int history_due(const history *h, uint64_t round)
{
  return round % stride_of(h) == 0;
}

/* Every second row goes: those whose round is no multiple of the new distance. */
static void thin(history *h)
{
  size_t kept = 0;
  h->stride = 2 * stride_of(h);
  for (size_t k = 0; k < h->rows; k++)
    if ((uint64_t)h->number[k * COLUMNS + COLUMN_ROUND] % h->stride == 0)
      memmove(h->number + COLUMNS * kept++, h->number + COLUMNS * k, COLUMNS * sizeof *h->number);
  h->rows = kept;
}

void history_add(history *h, const double row[COLUMNS])
{
  if (h->rows == HISTORY_MOST)
    thin(h);
  if (!history_due(h, (uint64_t)row[COLUMN_ROUND]) ||
      ofw_grow(&h->number, h->rows * COLUMNS, COLUMNS, &h->room, sizeof *h->number, NULL) != OFW_OK)
    return;
  memcpy(h->number + COLUMNS * h->rows++, row, COLUMNS * sizeof *row);
}

void history_print_row(const double row[COLUMNS], ofw_text *out)
{
  for (size_t k = 0; k < COLUMNS; k++) {
    ofw_text_add(out, "%c\"%s\":", k ? ',' : '{', history_columns[k]);
    ofw_text_add_number(out, row[k]);
  }
  ofw_text_add(out, "}");
}

void history_print(const history *h, const double now[COLUMNS], size_t points, ofw_text *out)
{
  for (size_t k = 0; k < COLUMNS; k++)
    ofw_text_add(out, "%s\"%s\"", k ? "," : "{\"columns\":[", history_columns[k]);
  ofw_text_add(out, "],\"rows\":[");
  size_t rows = h->rows;
  if (rows > 0 && h->number[(rows - 1) * COLUMNS] == now[COLUMN_ROUND])
    rows--; /* which comes below */
  size_t every = rows / points + 1;
  for (size_t k = every - 1; k < rows; k += every) {
    ofw_text_add_numbers(out, COLUMNS, h->number + k * COLUMNS);
    ofw_text_add(out, ",");
  }
  ofw_text_add_numbers(out, COLUMNS, now);
  ofw_text_add(out, "]}\n");
}

void history_free(history *h)
{
  free(h->number);
  *h = (history){0};
}
