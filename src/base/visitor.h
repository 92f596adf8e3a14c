/* visitor.h — one walk over a state saves, loads and compares it
 *
 * Whatever has a state has one function that visits each of its variables, by name, always in the same order. Saving,
 * checking and loading are three visitors over that one walk, so they cannot disagree.
 */
#pragma once

#include <ofw/base.h>

/* One variable whose size changes, as words of 8 bytes. */
typedef struct ofw_packed {
  void *object;                                  /* handed to the rest */
  size_t (*size)(const void *object);            /* how many words it is now */
  void (*save)(const void *object, void *words); /* writes them */
  /* Whether these n words can be loaded: makes room for them, and changes nothing else. Message in err. */
  ofw_status (*check)(void *object, const void *words, size_t n, ofw_error *err);
  void (*load)(void *object, const void *words); /* after check */
} ofw_packed;

/* What a walk calls for each variable. */
typedef struct ofw_visitor {
  /* n items of 8 bytes each, to read or to overwrite */
  ofw_status (*words)(void *ctx, const char *name, void *item, size_t n);
  void *ctx; /* handed to both */
  /* the same for what has no fixed size; NULL: a walk that nothing of that kind is on */
  ofw_status (*packed)(void *ctx, const char *name, const ofw_packed *item);
} ofw_visitor;

/* Visits n counts. */
static inline ofw_status ofw_visit_u64(ofw_visitor *v, const char *name, uint64_t *item, size_t n)
{
  return v->words(v->ctx, name, item, n);
}
