/* sort.h — many whole numbers into order, by their digits */
#ifndef OFW_SRC_SORT_H
#define OFW_SRC_SORT_H

#include "base/base.h"

/* Sorts n keys; `with` (NULL: none) are n numbers that go where their keys go. Equal keys stay in their order. It takes
 * as much memory again while it lasts. */
ofw_status ofw_sort(size_t n, uint64_t *key, uint32_t *with, ofw_error *err);
/* The same in memory that is there: room for n more of each. */
void ofw_sort_in(size_t n, uint64_t *key, uint32_t *with, uint64_t *spare_key, uint32_t *spare_with);

/* A finite number as a key: keys are in the order of the numbers, and equal where those are (0 and -0). */
uint64_t ofw_sort_key(double x);

#endif
