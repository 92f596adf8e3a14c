/* assignment.c — the assignment by Jonker and Volgenant, step by step; assignment_ties.c then settles its ties */
#include "domain/matrix/assignment.h"

#include <math.h>
#include <string.h>

ofw_status ofw_assignment_open(ofw_owned *own, size_t n, ofw_assignment *a, ofw_error *err)
{
  size_t **whole[] = {&a->to, &a->from, &a->list, &a->left, &a->before, &a->next, &a->parent, &a->component};
  double **real[] = {&a->u, &a->v, &a->distance};
  *a = (ofw_assignment){.n = n, .words = (n + 63) / 64};
  for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
    *whole[i] = ofw_owned_array(own, n, sizeof(size_t));
  for (size_t i = 0; i < sizeof real / sizeof *real; i++)
    *real[i] = ofw_owned_doubles(own, n);
  a->fit = ofw_owned_array(own, n * a->words, sizeof *a->fit);
  a->unseen = ofw_owned_array(own, a->words, sizeof *a->unseen);
  return ofw_owned_check(own, err);
}

/* Sums of n costs stay in range. */
static void choose_scale(ofw_assignment *a)
{
  double largest = 0.0;
  for (size_t k = 0; k < a->n * a->n; k++) {
    double size = fabs(a->cost[k]);
    largest = size > largest && size < INFINITY ? size : largest;
  }
  a->scale = largest > 0x1p900 ? 0x1p-100 : 1.0;
}

/* v_j is the least cost of column j, which goes to the row that has it if that is still without one; `before` counts how
 * many columns would. 0: a column has no row. */
static int reduce_columns(ofw_assignment *a)
{
  size_t n = a->n, *row = a->list;
  for (size_t j = 0; j < n; j++) {
    a->v[j] = INFINITY;
    row[j] = 0;
    a->to[j] = a->from[j] = OFW_NONE;
    a->before[j] = 0;
  }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      if (ofw_cost_of(a, i, j) < a->v[j]) {
        a->v[j] = ofw_cost_of(a, i, j);
        row[j] = i;
      }
  for (size_t j = 0; j < n; j++) {
    if (!(a->v[j] < INFINITY))
      return 0;
    if (a->before[row[j]]++ == 0)
      ofw_assign(a, row[j], j);
  }
  return 1;
}

/* A row that has the one column it was cheapest in lowers the price as far as its next best allows. Gives the number of
 * rows that are left without a column. */
static size_t transfer_reductions(ofw_assignment *a)
{
  size_t left = 0;
  for (size_t i = 0; i < a->n; i++) {
    size_t mine = a->to[i];
    double least = INFINITY;
    if (mine == OFW_NONE)
      a->left[left++] = i;
    if (a->before[i] != 1)
      continue;
    for (size_t j = 0; j < a->n; j++) {
      double x = ofw_cost_of(a, i, j) - a->v[j];
      least = x < least && j != mine ? x : least;
    }
    if (least < INFINITY)
      a->v[mine] -= least;
  }
  return left;
}

/* The two columns that row i likes best, and how much; of equal ones the lower first. */
typedef struct favourites {
  size_t first, second;
  double x, y;
} favourites;

static favourites favourites_of(const ofw_assignment *a, size_t i)
{
  const double *row = a->cost + i * a->n;
  favourites f = {0, OFW_NONE, a->scale * row[0] - a->v[0], INFINITY};
  for (size_t j = 1; j < a->n; j++) {
    double x = a->scale * row[j] - a->v[j];
    if (x < f.y) {
      if (x < f.x) {
        f.y = f.x;
        f.second = f.first;
        f.x = x;
        f.first = j;
      } else {
        f.y = x;
        f.second = j;
      }
    }
  }
  return f;
}

/* Each row that is left takes the column it likes best, at a price lowered to where it likes the second as much; who had
 * the column is next. Gives how many are left: prices fall by little at times, so there is an end to the steps. */
static size_t reduce_rows(ofw_assignment *a, size_t left)
{
  size_t at = 0, kept = 0;
  for (size_t steps = 4 * a->n; at < left && steps > 0; steps--) {
    size_t i = a->left[at++];
    favourites f = favourites_of(a, i);
    size_t j = f.first, out = a->from[j];
    double lowered = f.y < INFINITY ? a->v[j] - (f.y - f.x) : a->v[j];
    int lowers = lowered < a->v[j];
    if (!(f.x < INFINITY)) {
      a->left[kept++] = i;
      continue;
    }
    if (lowers)
      a->v[j] = lowered;
    else if (out != OFW_NONE && f.y == f.x)
      out = a->from[j = f.second];
    ofw_assign(a, i, j);
    if (out == OFW_NONE)
      continue;
    a->to[out] = OFW_NONE;
    if (lowers)
      a->left[--at] = out;
    else
      a->left[kept++] = out;
  }
  memmove(a->left + kept, a->left + at, (left - at) * sizeof *a->left);
  return kept + (left - at);
}

/* ---- shortest augmenting paths ---- */

/* The columns in `list`: the first `ready` are settled, those up to `near` are as near as the nearest, `most` away, and not
 * yet looked from. */
typedef struct front {
  size_t ready, near;
  double most;
} front;

/* Brings the nearest of the columns that are left to the front. One that nobody has ends the search. */
static size_t find_nearest(ofw_assignment *a, front *f)
{
  f->most = INFINITY;
  for (size_t k = f->ready; k < a->n; k++) {
    size_t j = a->list[k];
    if (a->distance[j] > f->most || !(a->distance[j] < INFINITY))
      continue;
    if (a->distance[j] < f->most) {
      f->most = a->distance[j];
      f->near = f->ready;
    }
    a->list[k] = a->list[f->near];
    a->list[f->near++] = j;
  }
  for (size_t k = f->ready; k < f->near; k++)
    if (a->from[a->list[k]] == OFW_NONE)
      return a->list[k];
  return OFW_NONE;
}

/* Looks from the row that has the next of them. */
static size_t look(ofw_assignment *a, front *f)
{
  size_t here = a->list[f->ready++], i = a->from[here];
  const double *row = a->cost + i * a->n;
  double back = (a->scale * row[here] - a->v[here]) - f->most;
  for (size_t k = f->near; k < a->n; k++) {
    size_t j = a->list[k];
    double x = (a->scale * row[j] - a->v[j]) - back;
    if (x >= a->distance[j])
      continue;
    a->before[j] = i;
    a->distance[j] = x > f->most ? x : f->most; /* below that is rounding */
    if (x > f->most)
      continue;
    if (a->from[j] == OFW_NONE)
      return j;
    a->list[k] = a->list[f->near];
    a->list[f->near++] = j;
  }
  return OFW_NONE;
}

/* Gives row `start` a column, along the path that costs least; 0: there is none. */
static int augment(ofw_assignment *a, size_t start)
{
  size_t end = OFW_NONE;
  front f = {0};
  for (size_t j = 0; j < a->n; j++) {
    a->distance[j] = ofw_cost_of(a, start, j) - a->v[j];
    a->before[j] = start;
    a->list[j] = j;
  }
  while (end == OFW_NONE) {
    if (f.ready == f.near) {
      end = find_nearest(a, &f);
      if (!(f.most < INFINITY))
        return 0;
    }
    if (end == OFW_NONE)
      end = look(a, &f);
  }
  for (size_t k = 0; k < f.ready; k++)
    a->v[a->list[k]] += a->distance[a->list[k]] - f.most;
  for (size_t i = OFW_NONE; i != start;) {
    size_t j = end;
    i = a->before[j];
    end = a->to[i];
    ofw_assign(a, i, j);
  }
  return 1;
}

int ofw_assignment_solve(ofw_assignment *a, const double *cost)
{
  a->cost = cost;
  choose_scale(a);
  if (!reduce_columns(a))
    return 0;
  size_t left = transfer_reductions(a);
  left = reduce_rows(a, left);
  left = reduce_rows(a, left);
  for (size_t k = 0; k < left; k++)
    if (!augment(a, a->left[k]))
      return 0;
  for (size_t i = 0; i < a->n; i++)
    a->u[i] = ofw_cost_of(a, i, a->to[i]) - a->v[a->to[i]];
  ofw_assignment_settle(a);
  return 1;
}
