/* sort.c — radix sort by digits of 12 bits; insertion sort for up to 64 keys
 *
 * Keys are sorted in time proportional to their number, stably, and a digit that all keys share costs no pass.
 */
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

enum { BITS = 12, DIGITS = 1 << BITS, WIDTH = 64, FEW = 64 };

/* Keys and what goes with them. */
typedef struct list {
  uint64_t *key;
  uint32_t *with;
} list;

static size_t digit(uint64_t key, unsigned at)
{
  return (size_t)(key >> at) % DIGITS;
}

/* From one list into the other, by the digit whose lowest bit is `at`; first[d]: where the keys with digit d go. */
static void deal(size_t n, list from, list to, unsigned at, size_t *first)
{
  for (size_t k = 0; k < n; k++) {
    size_t place = first[digit(from.key[k], at)]++;
    to.key[place] = from.key[k];
    if (from.with)
      to.with[place] = from.with[k];
  }
}

/* How many keys have a lower digit; 0: all have the same, so the pass can be skipped. */
static int count(size_t n, const uint64_t *key, unsigned at, size_t *first)
{
  size_t before = 0;
  memset(first, 0, DIGITS * sizeof *first);
  for (size_t k = 0; k < n; k++)
    first[digit(key[k], at)]++;
  if (first[digit(key[0], at)] == n)
    return 0;
  for (size_t d = 0; d < DIGITS; d++) {
    size_t here = first[d];
    first[d] = before;
    before += here;
  }
  return 1;
}

static int in_order(size_t n, const uint64_t *key)
{
  for (size_t k = 1; k < n; k++)
    if (key[k - 1] > key[k])
      return 0;
  return 1;
}

/* Each key moves down past those that are larger: soonest if there are fewer keys than digits. */
static void insert(size_t n, list l)
{
  for (size_t k = 1; k < n; k++) {
    uint64_t key = l.key[k];
    uint32_t with = l.with ? l.with[k] : 0;
    size_t place = k;
    for (; place > 0 && l.key[place - 1] > key; place--) {
      l.key[place] = l.key[place - 1];
      if (l.with)
        l.with[place] = l.with[place - 1];
    }
    l.key[place] = key;
    if (l.with)
      l.with[place] = with;
  }
}

void ofw_sort_within(size_t n, uint64_t *key, uint32_t *with, uint64_t *key_room, uint32_t *with_room)
{
  size_t first[DIGITS];
  list now = {key, with}, next = {key_room, with_room};
  if (in_order(n, key))
    return;
  if (n <= FEW) {
    insert(n, now);
    return;
  }
  for (unsigned at = 0; at < WIDTH; at += BITS)
    if (count(n, now.key, at, first)) {
      list dealt = next;
      deal(n, now, next, at, first);
      next = now;
      now = dealt;
    }
  if (now.key != key) {
    memcpy(key, now.key, n * sizeof *key);
    if (with)
      memcpy(with, now.with, n * sizeof *with);
  }
}

ofw_status ofw_sort(size_t n, uint64_t *key, uint32_t *with, ofw_error *err)
{
  if (in_order(n, key))
    return OFW_OK;
  list room = {ofw_array(n, sizeof *key), with ? ofw_array(n, sizeof *with) : NULL};
  ofw_status st = room.key && (room.with || !with) ? OFW_OK : ofw_fail_memory(err, n * (sizeof *key + sizeof *with));
  if (st == OFW_OK)
    ofw_sort_within(n, key, with, room.key, room.with);
  free(room.key);
  free(room.with);
  return st;
}

double ofw_sort_number(uint64_t key)
{
  double x;
  uint64_t sign = (uint64_t)1 << (WIDTH - 1), bits = (key & sign) ? key ^ sign : ~key;
  memcpy(&x, &bits, sizeof x);
  return x;
}
