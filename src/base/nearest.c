/* nearest.c — "did you mean": the name with the fewest edits */
#include "base/basics.h"

#include <string.h>

enum { LONGEST = 63 };

static size_t least(size_t a, size_t b)
{
  return a < b ? a : b;
}

/* Optimal string alignment: insert, delete, replace, swap neighbours. */
static size_t edits(const char *a, const char *b)
{
  size_t m = strlen(a), n = strlen(b);
  if (m > LONGEST || n > LONGEST)
    return SIZE_MAX;
  size_t row[3][LONGEST + 1];
  size_t *before = row[0], *above = row[1], *now = row[2];
  for (size_t j = 0; j <= n; j++)
    above[j] = j;
  for (size_t i = 1; i <= m; i++) {
    now[0] = i;
    for (size_t j = 1; j <= n; j++) {
      now[j] = least(least(above[j], now[j - 1]) + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = least(now[j], before[j - 2] + 1);
    }
    size_t *spare = before;
    before = above;
    above = now;
    now = spare;
  }
  return above[n];
}

const char *ofw_nearest(const char *word, const char *const *names, size_t n)
{
  const char *best = NULL;
  size_t fewest = strlen(word) < 5 ? 1 : (strlen(word) + 1) / 3; /* one slip in a short word, more in a long one */
  for (size_t i = 0; i < n; i++) {
    size_t e = edits(word, names[i]);
    if (e <= fewest && (!best || e < fewest)) {
      best = names[i];
      fewest = e;
    }
  }
  return best;
}
