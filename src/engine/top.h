/* top.h — the largest of many numbers */
#ifndef OFW_SRC_TOP_H
#define OFW_SRC_TOP_H

#include <stddef.h>

/* The k largest of n numbers and where they are, the largest first and of equal ones the first. NaN is none of them. How
 * many there were. No memory but what is handed out, and n log k comparisons. */
size_t ofw_top(size_t n, const double *number, size_t k, size_t *index, double *value);

#endif
