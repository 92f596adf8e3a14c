/* repeats.h — the last lines of feedback that were played, so that one which comes again is known
 *
 * Of each there is its round and a digest of its bytes. With a delay rounds are answered in any order, and the last lines
 * are those that were played last, whatever their rounds.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { REPEATS_MOST = 256 };

/* Start it as {0}. */
typedef struct repeats {
  uint64_t round[REPEATS_MOST]; /* 0: none */
  uint64_t digest[REPEATS_MOST];
} repeats;

/* A line that was played in this round; `number` is how many there were before it. */
void repeats_add(repeats *r, uint64_t number, uint64_t round, const char *line, size_t length);
/* 1: this line was played in that round; 0: another one was; -1: nobody knows any more. */
int repeats_find(const repeats *r, uint64_t round, const char *line, size_t length);
