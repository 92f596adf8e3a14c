/* assignment_ties.c — of all cheapest assignments the first, so that an answer does not depend on the order of the search
 *
 * The pairs that could be had at no cost are found once, as bits: a search from row to row then looks at 64 columns at a time.
 */
#include "domain/matrix/assignment.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A bound on the rounding of the duals: they have grown to no more than the largest of them. */
static double rounding_of(const ofw_assignment *a)
{
  double most = 0.0;
  for (size_t i = 0; i < a->n; i++)
    most = fmax(most, fmax(fabs(a->u[i]), fabs(a->v[i])));
  return 16.0 * DBL_EPSILON * most;
}

/* Which columns each row could have at no cost, as far as the duals can tell. */
static void find_fits(ofw_assignment *a)
{
  size_t n = a->n;
  for (size_t i = 0; i < n; i++)
    for (size_t w = 0; w < a->words; w++) {
      const double *cost = a->cost + i * n + 64 * w, *v = a->v + 64 * w;
      size_t count = n - 64 * w < 64 ? n - 64 * w : 64;
      uint64_t bits = 0;
      for (size_t k = 0; k < count; k++) {
        double c = a->scale * cost[k];
        bits |= (uint64_t)(c < INFINITY && (c - v[k]) - a->u[i] <= a->rounding) << k;
      }
      a->fit[i * a->words + w] = bits;
    }
}

static int fits(const ofw_assignment *a, size_t i, size_t j)
{
  return a->fit[i * a->words + j / 64] >> j % 64 & 1;
}

/* The first column from j on that row i could have; n: there is none. */
static size_t next_fit(const ofw_assignment *a, size_t i, size_t j)
{
  if (j >= a->n)
    return a->n;
  const uint64_t *row = a->fit + i * a->words;
  size_t w = j / 64;
  uint64_t bits = row[w] >> j % 64 << j % 64;
  while (bits == 0 && ++w < a->words)
    bits = row[w];
  return bits ? 64 * w + (size_t)__builtin_ctzll(bits) : a->n;
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
  size_t parent = a->parent[i], last = OFW_NONE;
  while (w->lowest[i] == w->order[i] && last != i)
    a->component[last = w->open[--w->height]] = i;
  if (parent != OFW_NONE && w->lowest[i] < w->lowest[parent])
    w->lowest[parent] = w->lowest[i];
  return parent;
}

static void walk_from(ofw_assignment *a, walk *w, size_t start)
{
  enter(a, w, start, OFW_NONE);
  for (size_t i = start; i != OFW_NONE;) {
    size_t j = next_fit(a, i, a->next[i]);
    a->next[i] = j + 1;
    if (j >= a->n) {
      i = leave(a, w, i);
      continue;
    }
    size_t k = a->from[j];
    if (w->order[k] == OFW_NONE) {
      enter(a, w, k, i);
      i = k;
    } else if (a->component[k] == OFW_NONE && w->order[k] < w->lowest[i])
      w->lowest[i] = w->order[k];
  }
}

/* The component of each row, by one of its rows, at which `next` has its size. */
static void find_components(ofw_assignment *a)
{
  walk w = {.order = a->left, .lowest = a->before, .open = a->list};
  for (size_t i = 0; i < a->n; i++)
    w.order[i] = a->component[i] = OFW_NONE;
  for (size_t i = 0; i < a->n; i++)
    if (w.order[i] == OFW_NONE)
      walk_from(a, &w, i);
  memset(a->next, 0, a->n * sizeof *a->next);
  for (size_t i = 0; i < a->n; i++)
    a->next[a->component[i]]++;
}

/* Row i takes the column of `first`, each on the way from there to `last` that of the next, and last what row i had; unless
 * that costs more, by what is no rounding of these costs themselves. */
static int turn(ofw_assignment *a, size_t i, size_t first, size_t last)
{
  size_t goal = a->to[i], given = a->to[first];
  long double more = (long double)ofw_cost_of(a, i, given) - ofw_cost_of(a, i, goal), size = 0.0L;
  for (size_t k = last, j = goal;; j = a->to[k], k = a->parent[k]) {
    more += (long double)ofw_cost_of(a, k, j) - ofw_cost_of(a, k, a->to[k]);
    size += fabs(ofw_cost_of(a, k, j)) + fabs(ofw_cost_of(a, k, a->to[k]));
    if (k == first)
      break;
  }
  if (more > 4.0 * DBL_EPSILON * size)
    return 0;
  for (size_t k = last, j = goal, had;; j = had, k = a->parent[k]) {
    had = a->to[k];
    ofw_assign(a, k, j);
    if (k == first)
      break;
  }
  ofw_assign(a, i, given);
  return 1;
}

/* The search has come to the row of column j, by row k. */
static size_t reach(ofw_assignment *a, size_t j, size_t k)
{
  size_t row = a->from[j];
  a->unseen[j / 64] &= ~((uint64_t)1 << j % 64);
  a->parent[row] = k;
  return row;
}

/* Looks for a way from the row of column j to one that could have what row i has, over rows that are not seen yet. */
static int exchange(ofw_assignment *a, size_t i, size_t j)
{
  size_t height = 0, goal = a->to[i], first = reach(a, j, a->from[j]);
  a->list[height++] = first;
  if (fits(a, first, goal))
    return turn(a, i, first, first);
  while (height > 0) {
    size_t k = a->list[--height];
    for (size_t w = 0; w < a->words; w++)
      for (uint64_t bits = a->fit[k * a->words + w] & a->unseen[w]; bits; bits &= bits - 1) {
        size_t next = reach(a, 64 * w + (size_t)__builtin_ctzll(bits), k);
        a->list[height++] = next;
        if (fits(a, next, goal))
          return turn(a, i, first, next);
      }
  }
  return 0;
}

/* Only rows of the same component after row i may have to do with another column. */
static void begin_search(ofw_assignment *a, size_t i)
{
  memset(a->unseen, 0, a->words * sizeof *a->unseen);
  for (size_t k = i + 1; k < a->n; k++)
    a->unseen[a->to[k] / 64] |= (uint64_t)(a->component[k] == a->component[i]) << a->to[k] % 64;
}

/* Row by row the lowest column that leaves the rows after it as well off as they are. */
void ofw_assignment_settle(ofw_assignment *a)
{
  a->rounding = rounding_of(a);
  find_fits(a);
  find_components(a);
  for (size_t i = 0; i < a->n; i++) {
    if (a->next[a->component[i]] == 1)
      continue;
    begin_search(a, i);
    for (size_t j = next_fit(a, i, 0); j < a->to[i]; j = next_fit(a, i, j + 1))
      if (a->unseen[j / 64] >> j % 64 & 1 && exchange(a, i, j))
        break;
  }
}
