/* state.h — saving and loading what one walk visits */
#ifndef OFW_SRC_STATE_H
#define OFW_SRC_STATE_H

#include "base/base.h"

#include <ofw/state.h>

/* Something with a state: its walk, and the text that says how it was configured. */
typedef struct ofw_saved {
  void *object;
  ofw_status (*visit)(void *object, ofw_visitor *v);
  const char *config;
} ofw_saved;

ofw_status ofw_state_save(const ofw_saved *part, size_t n, ofw_state *state, ofw_error *err);
/* Checks the whole state against the walk first; refuses with OFW_BAD_DATA before anything changes. */
ofw_status ofw_state_load(const ofw_saved *part, size_t n, const ofw_state *state, ofw_error *err);

/* Of the 8-byte words in n bytes; what a state has of its own items, so that a damaged one is refused. */
uint64_t ofw_state_sum(const unsigned char *bytes, size_t n);

/* The first item of a whole state where it has this name and is one number; 1: it has. */
int ofw_state_first(const ofw_state *state, const char *name, uint64_t *out);

#endif
