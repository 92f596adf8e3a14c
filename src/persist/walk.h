/* walk.h — saving and loading what one walk visits (base/visitor.h). A state is saved to memory as
 *
 *     "ofwstate"  version  sizes  checksum  the configuration  then per item: name, count, 8-byte words
 */
#pragma once

#include "base/basics.h"
#include "base/visitor.h"

#include <ofw/state.h>

/* Something with a state: its walk, and the text that says how it was configured. */
typedef struct ofw_saved {
  void *object;
  ofw_status (*visit)(void *object, ofw_visitor *v); /* NULL: its configuration says it all */
  const char *config;
} ofw_saved;

ofw_status ofw_state_save(const ofw_saved *part, size_t n, ofw_state *state, ofw_error *err);
/* Checks the whole state against the walk first; refuses with OFW_BAD_DATA before anything changes. */
ofw_status ofw_state_load(const ofw_saved *part, size_t n, const ofw_state *state, ofw_error *err);

/* The first item of a whole state if it has this name and is one number; 1: it has. */
int ofw_state_first(const ofw_state *state, const char *name, uint64_t *out);

/* Of the 8-byte words in n bytes, so that a damaged state is refused. Every step is one to one in the hash and in the word:
 * no change of one word goes unseen. */
uint64_t ofw_state_sum(const unsigned char *bytes, size_t n);

/* OFW_BAD_DATA, naming the first words in which two configurations differ. */
ofw_status ofw_config_refuse(const char *what, const char *there, const char *here, ofw_error *err);

/* What a state says of itself: the configurations it was saved under, each ended by 0 (none in version 1, which keeps
 * a hash alone), and where its items begin. The texts are in the state. */
typedef struct ofw_state_texts {
  uint64_t version;
  const char *config, *config_end;
  size_t items;
} ofw_state_texts;
ofw_status ofw_state_describe(const ofw_state *state, ofw_state_texts *out, ofw_error *err);

/* Whether both were saved under the same configurations, as ofw_state_load would say of a play with that of `here`. */
ofw_status ofw_state_same_config(const ofw_state *there, const ofw_state *here, ofw_error *err);

/* The item at *at, which moves on to the next one; 0: there is none, or the state is damaged there. */
typedef struct ofw_state_item {
  const char *name; /* of `length` characters, without an ending 0 */
  size_t length;
  size_t count;               /* of words */
  const unsigned char *words; /* of 8 bytes each */
} ofw_state_item;
int ofw_state_next(const ofw_state *state, size_t *at, ofw_state_item *item);
