/* end_names.c — names at the ends of curves, none over another */
#include "lab/figure/panel.h"

#include <math.h>
#include <stdlib.h>

static int by_height(const void *a, const void *b)
{
  const end_name *left = a, *right = b;
  return left->y != right->y ? (left->y > right->y) - (left->y < right->y)
                             : (left->text > right->text) - (left->text < right->text);
}

/* A group of names that touch: it stands around the mean of where its names would like to be. */
typedef struct name_group {
  size_t first, n;
  double sum; /* of y - i line, i counted in the group: its top would like to be at sum / n */
} name_group;

static double top_of(const name_group *g, double line, double top, double bottom)
{
  double last = bottom - line * (double)(g->n - 1);
  return fmax(top, fmin(g->sum / (double)g->n, last));
}

void end_names_spread(end_name *name, size_t n, double line, double top, double bottom)
{
  name_group *group = n ? calloc(n, sizeof *group) : NULL;
  size_t groups = 0;
  qsort(name, n, sizeof *name, by_height);
  for (size_t i = 0; i < n; i++) {
    if (!group) { /* no memory: one below the other */
      name[i].at = top + line * (double)i;
      continue;
    }
    group[groups++] = (name_group){i, 1, name[i].y};
    while (groups > 1) { /* join the last two if they touch */
      name_group *a = &group[groups - 2], *b = &group[groups - 1];
      if (top_of(a, line, top, bottom) + line * (double)a->n <= top_of(b, line, top, bottom))
        break;
      a->sum += b->sum - line * (double)a->n * (double)b->n;
      a->n += b->n;
      groups--;
    }
  }
  for (size_t g = 0; g < groups; g++)
    for (size_t k = 0; k < group[g].n; k++)
      name[group[g].first + k].at = top_of(&group[g], line, top, bottom) + line * (double)k;
  free(group);
}
