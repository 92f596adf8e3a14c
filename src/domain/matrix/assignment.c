/* assignment.c — the assignment by Jonker and Volgenant, step by step, and then its ties
 *
 * Without the last part the answer would depend on the order of the search; a learner's decisions must not.
 */
#include "domain/matrix/assignment.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define NONE SIZE_MAX

ofw_status ofw_assignment_open(ofw_owned *own, size_t n, ofw_assignment *a, ofw_error *err)
{
  size_t **whole[] = {&a->to, &a->from, &a->list, &a->left, &a->before, &a->next, &a->parent, &a->component};
  double **real[] = {&a->u, &a->v, &a->distance};
  *a = (ofw_assignment){.n = n};
  for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
    *whole[i] = ofw_owned_array(own, n, sizeof(size_t));
  for (size_t i = 0; i < sizeof real / sizeof *real; i++)
    *real[i] = ofw_owned_doubles(own, n);
  return ofw_owned_check(own, err);
}

static inline double cost_of(const ofw_assignment *a, size_t i, size_t j)
{
  return a->scale * a->cost[i * a->n + j];
}

static void assign(ofw_assignment *a, size_t i, size_t j)
{
  a->to[i] = j;
  a->from[j] = i;
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
    a->to[j] = a->from[j] = NONE;
    a->before[j] = 0;
  }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      if (cost_of(a, i, j) < a->v[j]) {
        a->v[j] = cost_of(a, i, j);
        row[j] = i;
      }
  for (size_t j = 0; j < n; j++) {
    if (!(a->v[j] < INFINITY))
      return 0;
    if (a->before[row[j]]++ == 0)
      assign(a, row[j], j);
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
    if (mine == NONE)
      a->left[left++] = i;
    if (a->before[i] != 1)
      continue;
    for (size_t j = 0; j < a->n; j++) {
      double x = cost_of(a, i, j) - a->v[j];
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
  favourites f = {0, NONE, a->scale * row[0] - a->v[0], INFINITY};
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
    else if (out != NONE && f.y == f.x)
      out = a->from[j = f.second];
    assign(a, i, j);
    if (out == NONE)
      continue;
    a->to[out] = NONE;
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
    if (a->from[a->list[k]] == NONE)
      return a->list[k];
  return NONE;
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
    if (a->from[j] == NONE)
      return j;
    a->list[k] = a->list[f->near];
    a->list[f->near++] = j;
  }
  return NONE;
}

/* Gives row `start` a column, along the path that costs least; 0: there is none. */
static int augment(ofw_assignment *a, size_t start)
{
  size_t end = NONE;
  front f = {0};
  for (size_t j = 0; j < a->n; j++) {
    a->distance[j] = cost_of(a, start, j) - a->v[j];
    a->before[j] = start;
    a->list[j] = j;
  }
  while (end == NONE) {
    if (f.ready == f.near) {
      end = find_nearest(a, &f);
      if (!(f.most < INFINITY))
        return 0;
    }
    if (end == NONE)
      end = look(a, &f);
  }
  for (size_t k = 0; k < f.ready; k++)
    a->v[a->list[k]] += a->distance[a->list[k]] - f.most;
  for (size_t i = NONE; i != start;) {
    size_t j = end;
    i = a->before[j];
    end = a->to[i];
    assign(a, i, j);
  }
  return 1;
}

/* ---- ties ---- */

/* A bound on the rounding of the duals: they have grown to no more than the largest of them. */
static double rounding_of(const ofw_assignment *a)
{
  double most = 0.0;
  for (size_t i = 0; i < a->n; i++)
    most = fmax(most, fmax(fabs(a->u[i]), fabs(a->v[i])));
  return 16.0 * DBL_EPSILON * most;
}

/* Whether row i could have column j at no cost, as far as the duals can tell. */
static int fits(const ofw_assignment *a, size_t i, size_t j)
{
  double c = cost_of(a, i, j);
  return c < INFINITY && (c - a->v[j]) - a->u[i] <= a->rounding;
}

/* A walk over the graph "i could have the column of k" that finds its strong components (R. Tarjan, 1972). */
typedef struct walk {
  size_t *order, *lowest; /* when a row was met; the first met that it leads to */
  size_t *open, height;   /* rows whose component is not known yet */
  size_t count;
} walk;

static void enter(ofw_assignment *a, walk *w, size_t i, size_t parent)
{
  w->order[i] = w->lowest[i] = w->count++;
  w->open[w->height++] = i;
  a->next[i] = 0;
  a->parent[i] = parent;
}

/* All that row i leads to is known: what is open from it on is a component if nothing earlier is among it. */
static size_t leave(ofw_assignment *a, walk *w, size_t i)
{
  size_t parent = a->parent[i], last = NONE;
  while (w->lowest[i] == w->order[i] && last != i)
    a->component[last = w->open[--w->height]] = i;
  if (parent != NONE && w->lowest[i] < w->lowest[parent])
    w->lowest[parent] = w->lowest[i];
  return parent;
}

static void walk_from(ofw_assignment *a, walk *w, size_t start)
{
  enter(a, w, start, NONE);
  for (size_t i = start; i != NONE;) {
    size_t j = a->next[i];
    while (j < a->n && !fits(a, i, j))
      j++;
    a->next[i] = j + 1;
    if (j >= a->n) {
      i = leave(a, w, i);
      continue;
    }
    size_t k = a->from[j];
    if (w->order[k] == NONE) {
      enter(a, w, k, i);
      i = k;
    } else if (a->component[k] == NONE && w->order[k] < w->lowest[i])
      w->lowest[i] = w->order[k];
  }
}

/* The component of each row, by one of its rows, at which `next` has its size. */
static void find_components(ofw_assignment *a)
{
  walk w = {.order = a->left, .lowest = a->before, .open = a->list};
  for (size_t i = 0; i < a->n; i++)
    w.order[i] = a->component[i] = NONE;
  for (size_t i = 0; i < a->n; i++)
    if (w.order[i] == NONE)
      walk_from(a, &w, i);
  memset(a->next, 0, a->n * sizeof *a->next);
  for (size_t i = 0; i < a->n; i++)
    a->next[a->component[i]]++;
}

/* Whether k is a row of the same component after row i that has not been reached. */
static int is_new(const ofw_assignment *a, size_t i, size_t k)
{
  return k > i && a->component[k] == a->component[i] && a->parent[k] == NONE;
}

/* Row i takes the column of `first`, each on the way from there to `last` that of the next, and last what row i had; unless
 * that costs more, by what is no rounding of these costs themselves. */
static int turn(ofw_assignment *a, size_t i, size_t first, size_t last)
{
  size_t goal = a->to[i], given = a->to[first];
  long double more = (long double)cost_of(a, i, given) - cost_of(a, i, goal), size = 0.0L;
  for (size_t k = last, j = goal;; j = a->to[k], k = a->parent[k]) {
    more += (long double)cost_of(a, k, j) - cost_of(a, k, a->to[k]);
    size += fabs(cost_of(a, k, j)) + fabs(cost_of(a, k, a->to[k]));
    if (k == first)
      break;
  }
  if (more > 4.0 * DBL_EPSILON * size)
    return 0;
  for (size_t k = last, j = goal, had;; j = had, k = a->parent[k]) {
    had = a->to[k];
    assign(a, k, j);
    if (k == first)
      break;
  }
  assign(a, i, given);
  return 1;
}

/* Looks for a way from the row `first` to one that could have what row i has, over rows after i. */
static int exchange(ofw_assignment *a, size_t i, size_t first)
{
  size_t height = 0, goal = a->to[i];
  a->parent[first] = first;
  a->list[height++] = first;
  if (fits(a, first, goal))
    return turn(a, i, first, first);
  while (height > 0) {
    size_t k = a->list[--height];
    for (size_t j = 0; j < a->n; j++) {
      size_t next = a->from[j];
      if (!fits(a, k, j) || !is_new(a, i, next))
        continue;
      a->parent[next] = k;
      a->list[height++] = next;
      if (fits(a, next, goal))
        return turn(a, i, first, next);
    }
  }
  return 0;
}

/* Row by row the lowest column that leaves the rows after it as well off as they are. */
static void settle_ties(ofw_assignment *a)
{
  a->rounding = rounding_of(a);
  find_components(a);
  for (size_t i = 0; i < a->n; i++) {
    if (a->next[a->component[i]] == 1)
      continue;
    for (size_t k = i; k < a->n; k++)
      a->parent[k] = NONE;
    for (size_t j = 0; j < a->to[i]; j++)
      if (fits(a, i, j) && is_new(a, i, a->from[j]) && exchange(a, i, a->from[j]))
        break;
  }
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
    a->u[i] = cost_of(a, i, a->to[i]) - a->v[a->to[i]];
  settle_ties(a);
  return 1;
}
