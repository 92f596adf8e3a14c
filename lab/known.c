/* known.c — whether a play has to be played: one with other constants is another play */
#include "lab/known.h"

#include <stdlib.h>

int lab_is_final(const results_cell *c)
{
  return c->exit_code == 0 || (c->exit_code > 1 && c->exit_code < 128);
}

int lab_same_factors(const results_cell *a, const results_cell *b)
{
  return a->factor[0] == b->factor[0] && a->factor[1] == b->factor[1];
}

static int by_number(const void *a, const void *b)
{
  const results_cell *left = a, *right = b;
  return (left->cell > right->cell) - (left->cell < right->cell);
}

const results_cell *lab_known_find(const lab_known *known, const results_cell *c)
{
  const results_cell *k = known->n ? bsearch(c, known->cell, known->n, sizeof *c, by_number) : NULL;
  return k && lab_is_final(k) && lab_same_factors(k, c) ? k : NULL;
}
