/* top.c — the k largest numbers, by a heap of k in the caller's own arrays */
#include "engine/engine.h"

#include <math.h>

/* A heap whose first number comes last of those that it holds. */
typedef struct heap {
  size_t n;
  size_t *index;
  double *value;
} heap;

/* Whether a at i comes after b at j. */
static int after(double a, size_t i, double b, size_t j)
{
  return a < b || (a == b && i > j);
}

static int item_after(const heap *h, size_t a, size_t b)
{
  return after(h->value[a], h->index[a], h->value[b], h->index[b]);
}

static void swap(heap *h, size_t a, size_t b)
{
  size_t index = h->index[a];
  double value = h->value[a];
  h->index[a] = h->index[b];
  h->value[a] = h->value[b];
  h->index[b] = index;
  h->value[b] = value;
}

static void rise(heap *h, size_t at)
{
  for (; at > 0 && item_after(h, at, (at - 1) / 2); at = (at - 1) / 2)
    swap(h, at, (at - 1) / 2);
}

static void sink(heap *h, size_t at)
{
  for (size_t child; (child = 2 * at + 1) < h->n; at = child) {
    child += child + 1 < h->n && item_after(h, child + 1, child);
    if (!item_after(h, child, at))
      return;
    swap(h, at, child);
  }
}

size_t ofw_top(size_t n, const double *number, size_t k, size_t *index, double *value)
{
  heap h = {0, index, value};
  for (size_t i = 0; i < n && k > 0; i++) {
    if (isnan(number[i]) || (h.n == k && after(number[i], i, value[0], index[0])))
      continue;
    size_t at = h.n < k ? h.n++ : 0;
    index[at] = i;
    value[at] = number[i];
    if (at == 0)
      sink(&h, 0);
    else
      rise(&h, at);
  }
  size_t found = h.n;
  while (h.n > 1) { /* the last goes to the end */
    swap(&h, 0, --h.n);
    sink(&h, 0);
  }
  return found;
}
