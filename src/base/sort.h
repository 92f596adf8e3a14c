/* sort.h — sorts many whole numbers (radix sort) */
#pragma once

#include "base/basics.h"

#include <string.h>

/* Sorts n keys; `with` (NULL: none) are n numbers that go where their keys go. Equal keys stay in their order. It takes
 * as much memory again while it lasts. */
ofw_status ofw_sort(size_t n, uint64_t *key, uint32_t *with, ofw_error *err);
/* The same in room for as many again, for who may not ask for memory. */
void ofw_sort_within(size_t n, uint64_t *key, uint32_t *with, uint64_t *key_room, uint32_t *with_room);

/* A number as a key: keys are in the order of the numbers, and equal if those are (0 and -0). Bits alone count, so that
 * NaN has one key wherever this is compiled into. */
static inline uint64_t ofw_sort_key(double x)
{
  uint64_t bits, sign = (uint64_t)1 << 63;
  memcpy(&bits, &x, sizeof bits);
  bits = bits == sign ? 0 : bits; /* -0 */
  return bits ^ ((0 - (bits >> 63)) | sign);
}
/* The number whose key it is; below the key of 0 there is -0 as well. */
double ofw_sort_number(uint64_t key);
