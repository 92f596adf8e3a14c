/* pool.h — plays cells, several at once, and keeps what comes of them */
#ifndef OFW_LAB_POOL_H
#define OFW_LAB_POOL_H

#include "lab/journal.h"

typedef struct lab_pool {
  lab_journal *journal;
  size_t jobs;            /* threads, at least 1 */
  const atomic_int *stop; /* may be NULL */
  /* Called for each cell that is done, by one thread at a time; `known`: the journal had it. May be NULL. */
  void (*done)(void *ctx, const lab_cell *c, int known);
  void *ctx;
} lab_pool;

/* Gives each of the n cells its result. What the journal knows is not played again, unless the system had refused it
 * something. OFW_END: stopped, and what was done is kept; OFW_FAILED: a result could not be kept. */
ofw_status lab_pool_play(const lab_pool *pool, lab_cell *const *cell, size_t n, ofw_error *err);

/* How many processors this process may use. */
size_t lab_processors(void);

#endif
