/* assignment.h — the cheapest way to give each of n rows a column of its own
 *
 *     minimise sum_i c[i, to(i)] over the permutations to(.)
 *
 * With prices v_j, row i likes the column j least in c_ij - v_j. Prices are lowered until every row has a column that it
 * likes: column reduction, reduction transfer, augmenting row reduction, and for the rows that are left shortest
 * augmenting paths (R. Jonker, A. Volgenant, Computing 38, 1987). Then u_i = c[i, to(i)] - v[to(i)] and v are dual:
 * c_ij - u_i - v_j >= 0 for all i, j, so no other permutation is cheaper. All of it holds up to rounding; O(n^3), on random
 * costs about n^2 log n.
 *
 * Ties: of the permutations that are cheapest, as far as rounding can tell, the one that gives row 0 the lowest column, then
 * row 1, and so on. They are the perfect matchings of the pairs with c_ij - u_i - v_j = 0; two of them differ by cycles, so
 * only rows in a strong component of the graph "i could have the column of k" can do with another column.
 */
#pragma once

#include "base/owned.h"

/* Room for problems of one size; no state outlasts a call. */
typedef struct ofw_assignment {
  size_t n;
  size_t *to;    /* the column of a row */
  double *u, *v; /* the duals, of costs times `scale` */
  double scale;  /* a power of two: 1 unless sums of costs would overflow */
  /* the rest is the search's own */
  const double *cost;
  size_t *from, *list, *left, *before, *next, *parent, *component;
  double *distance, rounding;
  size_t words;     /* of 64 columns */
  uint64_t *fit;    /* n x words: a bit for each column that a row could have at no cost */
  uint64_t *unseen; /* a bit for each column whose row a search for ties has not reached */
} ofw_assignment;

/* The room is own's. */
ofw_status ofw_assignment_open(ofw_owned *own, size_t n, ofw_assignment *out, ofw_error *err);
/* cost is n x n by rows; INFINITY: this row must not have this column. Finds to, u and v; 0: there is no permutation of
 * finite cost. */
int ofw_assignment_solve(ofw_assignment *a, const double *cost);

/* ---- for the two files that do it: assignment.c, assignment_ties.c ---- */

#define OFW_NONE SIZE_MAX /* no row, no column */

static inline double ofw_cost_of(const ofw_assignment *a, size_t i, size_t j)
{
  return a->scale * a->cost[i * a->n + j];
}

static inline void ofw_assign(ofw_assignment *a, size_t i, size_t j)
{
  a->to[i] = j;
  a->from[j] = i;
}

/* Of the assignments that are as cheap, by the duals u and v, the one that the rule on ties names. */
void ofw_assignment_settle(ofw_assignment *a);
