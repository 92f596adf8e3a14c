/* list_check.h — specs with lists of random numbers in them */
#ifndef OFW_TEST_LIST_CHECK_H
#define OFW_TEST_LIST_CHECK_H

#include "unit/domain/oracle_check.h"

enum { LIST_TEXT = 2 * MOST_DIM * OFW_REAL_TEXT };

/* spec + key + "(a,b,..)"; the room of spec is LIST_TEXT for each list and a little more */
static inline void add_list(char *spec, const char *key, size_t n, const double *x)
{
  char number[OFW_REAL_TEXT];
  strcat(spec, key);
  for (size_t i = 0; i < n; i++)
    strcat(strcat(spec, i ? "," : "("), ofw_print_real(x[i], number));
  strcat(spec, ")");
}

/* between 2^-spread and 1 */
static inline double chance_size(chance *c, double spread)
{
  return exp2(-spread * chance_unit(c));
}

static inline int falling_sizes(const void *a, const void *b)
{
  double x = fabs(*(const double *)a), y = fabs(*(const double *)b);
  return (x < y) - (x > y);
}

#endif
