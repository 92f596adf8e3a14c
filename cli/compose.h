/* compose.h — the text of an experiment from options of the command line (docs/experiments.md has the format) */
#pragma once

#include "cli.h"

/* A stream and the domain that it is over. */
typedef struct place {
  const char *stream, *domain; /* no domain: the stream brings its own */
} place;

/* A learner with options, and whether it is tuned. */
typedef struct contender {
  const char *label, *learner;
  const char *const *option; /* "key=value"; of two with one key the later counts */
  size_t options;
  int untold; /* 1: it is not told the horizon */
  int tune;
} contender;

enum { MOST_PLACES = MOST_REPEATED * MOST_REPEATED };
/* Every stream over every domain, or over its own if there are none; how many places those are. */
size_t compose_places(const char *const *stream, size_t streams, const char *const *domain, size_t domains, place *out);

typedef struct compose_head {
  const char *title;
  const uint64_t *rounds;
  size_t horizons;
  uint64_t seed, seeds, tune_seeds;
} compose_head;

/* [experiment], and a [stream] per place that somebody plays on: played[i] is 1. */
void compose_begin(ofw_text *out, const compose_head *head, const place *at, const unsigned char *played,
                   size_t places);
/* [learner] on the places that fits[i] is 1 of; nothing if there is none. */
void compose_learner(ofw_text *out, const contender *who, const place *at, const unsigned char *fits, size_t places);
/* A text without commas, which divide labels. */
void compose_label(ofw_text *out, const char *text);

/* Whether the learner can play there: all that a play needs is made, and nothing is played. */
ofw_status compose_check(const ofw_registry *own, const contender *who, const place *at, uint64_t rounds, uint64_t seed,
                         ofw_error *err);
