/* panel_loops.h — products with panels, in the registers of the file that includes this (panels.h) */
#include "linalg/panels.h"

#include <string.h>

enum { ROWS = 64 }; /* that are multiplied together: their panels stay in a cache from one product to the other */

typedef float narrow __attribute__((vector_size(16), aligned(16), may_alias));
typedef double wide __attribute__((vector_size(32)));

/* Half a row of a panel. */
#define widened(x) __builtin_convertvector(*(const narrow *)(const void *)(x), wide)

/* The eight numbers of a panel's columns, as far as there are columns. */
static inline size_t columns_of(const ofw_panels *b, size_t p)
{
  return b->count - p < OFW_PANEL ? b->count - p : OFW_PANEL;
}

/* The same panel's next rows are fetched meanwhile: the processor does not see that their turn comes. */
static void few_times(const ofw_panels *b, size_t from, size_t n, const double *z, double *u)
{
  const size_t ahead = sizeof(float) * ROWS * OFW_PANEL;
  wide sum[ROWS];
  memset(sum, 0, n * sizeof *sum);
  for (size_t p = 0; p < b->count; p += OFW_PANEL) {
    const float *row = b->number + p * b->rows + from * OFW_PANEL;
    double own[OFW_PANEL] = {0};
    wide low, high;
    memcpy(own, z + p, columns_of(b, p) * sizeof *own);
    memcpy(&low, own, sizeof low);
    memcpy(&high, own + OFW_PANEL / 2, sizeof high);
    for (size_t i = 0; i < n; i++, row += OFW_PANEL) {
      __builtin_prefetch((const void *)((uintptr_t)row + ahead), 0, 2);
      sum[i] += widened(row) * low + widened(row + OFW_PANEL / 2) * high;
    }
  }
  for (size_t i = 0; i < n; i++)
    u[i] += (sum[i][0] + sum[i][2]) + (sum[i][1] + sum[i][3]);
}

static void few_turned(const ofw_panels *b, size_t from, size_t n, const double *u, double *y)
{
  for (size_t p = 0; p < b->count; p += OFW_PANEL) {
    const float *row = b->number + p * b->rows + from * OFW_PANEL;
    double own[OFW_PANEL];
    wide low[2] = {{0}}, high[2] = {{0}};
    size_t i = 0;
    for (; i + 2 <= n; i += 2, row += 2 * OFW_PANEL)
      for (size_t k = 0; k < 2; k++) {
        low[k] += widened(row + k * OFW_PANEL) * u[i + k];
        high[k] += widened(row + k * OFW_PANEL + OFW_PANEL / 2) * u[i + k];
      }
    if (i < n) {
      low[0] += widened(row) * u[i];
      high[0] += widened(row + OFW_PANEL / 2) * u[i];
    }
    low[0] += low[1];
    high[0] += high[1];
    memcpy(own, &low[0], sizeof low[0]);
    memcpy(own + OFW_PANEL / 2, &high[0], sizeof high[0]);
    for (size_t k = 0; k < columns_of(b, p); k++)
      y[p + k] += own[k];
  }
}

static void times(const ofw_panels *b, size_t from, size_t n, const double *z, double *u)
{
  for (size_t i = 0; i < n; i += ROWS)
    few_times(b, from + i, n - i < ROWS ? n - i : ROWS, z, u + i);
}

static void add_turned(const ofw_panels *b, size_t from, size_t n, const double *u, double *y)
{
  for (size_t i = 0; i < n; i += ROWS)
    few_turned(b, from + i, n - i < ROWS ? n - i : ROWS, u + i, y);
}

static void pass(const ofw_panels *b, size_t from, size_t n, const double *z, double *u, double *y)
{
  for (size_t i = 0; i < n; i += ROWS) {
    size_t few = n - i < ROWS ? n - i : ROWS;
    few_times(b, from + i, few, z, u + i);
    few_turned(b, from + i, few, u + i, y);
  }
}
