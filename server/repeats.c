/* repeats.c — lines of feedback are noted and known again, by a digest each */
#include "server/repeats.h"

#include <string.h>

/* A hash of a line, eight bytes at a time. It tells a line that was sent again from another one; nobody gains anything by a
 * collision. */
static uint64_t digest_of(const char *line, size_t length)
{
  uint64_t hash = 14695981039346656037u ^ length;
  for (size_t k = 0; k < length; k += 8) {
    uint64_t word = 0;
    memcpy(&word, line + k, length - k < 8 ? length - k : 8);
    hash = (hash ^ word) * 1099511628211u;
    hash ^= hash >> 32;
  }
  return hash;
}

void repeats_add(repeats *r, uint64_t number, uint64_t round, const char *line, size_t length)
{
  r->round[number % REPEATS_MOST] = round;
  r->digest[number % REPEATS_MOST] = digest_of(line, length);
}

int repeats_find(const repeats *r, uint64_t round, const char *line, size_t length)
{
  size_t k = 0;
  while (k < REPEATS_MOST && r->round[k] != round)
    k++;
  return k < REPEATS_MOST ? r->digest[k] == digest_of(line, length) : -1;
}
