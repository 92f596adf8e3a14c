/* experiment.h — the contents of an experiment file: streams, learners with grids of options, claims
 *
 * docs/experiments.md has the format. Reading checks all that can be checked without a stream's data: names, numbers,
 * labels; so a report reads the text that a results database keeps, wherever it is.
 */
#pragma once

#include "lab/include.h"
#include "learner/registry.h"

typedef struct lab_list {
  char **item;
  size_t n;
} lab_list;

/* [stream LABEL] */
typedef struct lab_source {
  const char *label, *spec;
  const char *domain;      /* NULL: the stream's own */
  const ofw_registry *own; /* the names that the domain may have besides the library's */
  const lab_section *at;
} lab_source;

/* A key with the values that it takes in turn. */
typedef struct lab_axis {
  const char *key;
  lab_list value;
} lab_axis;

/* [learner LABEL] */
typedef struct lab_player {
  const char *label, *learner;
  const ofw_registry *own; /* the names that the learner may have besides the library's */
  size_t tune;             /* runs by which its two constants are tuned first; 0: they are not */
  const char *constant[2]; /* their names; NULL: it is not tuned */
  const char *figure;      /* that its curve is drawn in */
  lab_axis *axis;          /* its own, then those of [every learner] */
  size_t axes;
  lab_list streams; /* labels; none: all */
  const lab_section *at;
} lab_player;

/* [claim LABEL]: `better` is below each of `than` in each metric, on each stream. */
typedef struct lab_claim {
  const char *label, *text, *better;
  lab_list than, metric, streams; /* no streams: all */
  const lab_section *at;
} lab_claim;

typedef struct lab_experiment {
  char *name, *text; /* the file's; with what it includes */
  lab_ini ini;
  const char *title;
  uint64_t *horizon; /* ascending: an arm plays each with every seed, and is tuned at the first */
  size_t horizons;
  uint64_t rounds;                  /* the last of them, which figures and claims are of */
  uint64_t seed, seeds, tune_seeds; /* no seeds: constants are tuned, and nothing else is played */
  uint64_t series;                  /* about how many rounds of a play are kept */
  lab_source *source;
  size_t sources;
  lab_axis *every; /* [every learner] */
  size_t everys;
  lab_player *player;
  size_t players;
  lab_claim *claim;
  size_t claims;
  const ofw_registry *own; /* names besides the library's; NULL: none */
  int foreign;             /* 1: a learner whose name is not known is taken as it is */
  ofw_owned owned;         /* its lists and texts */
} lab_experiment;

/* An experiment by its text, which includes no other. OFW_USAGE: it is none; err has "NAME:LINE: ...". lab_experiment_free
 * returns it, also if this failed. */
ofw_status lab_experiment_read(const char *name, const char *text, lab_experiment *out, ofw_error *err);
/* The same by a name that the library knows, with what it includes; errors have the file and the line where the text stands. */
ofw_status lab_experiment_open(const char *name, const lab_library *library, lab_experiment *out, ofw_error *err);
/* Both with names from outside, which must outlive it. */
ofw_status lab_experiment_read_own(const char *name, const char *text, const ofw_registry *own, lab_experiment *out,
                                   ofw_error *err);
ofw_status lab_experiment_open_own(const char *name, const lab_library *library, const ofw_registry *own,
                                   lab_experiment *out, ofw_error *err);
/* For those who only read what was played: a learner that is not known, of a plugin that is not there, is taken as it is. */
ofw_status lab_experiment_read_played(const char *name, const char *text, lab_experiment *out, ofw_error *err);
void lab_experiment_free(lab_experiment *e);
/* Before the first play: that every claim can be judged once all is played, and every stream be made, with the data that it
 * reads. err has "NAME:LINE: ..." */
ofw_status lab_experiment_check(const lab_experiment *e, ofw_error *err);
/* 1: the claim compares its `better` with `than`, one of its list, on that stream: both play there. */
int lab_claim_is_on(const lab_experiment *e, const lab_claim *c, const char *than, const char *stream);
/* How many pairs on streams the claims before `end` name, whether or not both play there. */
double lab_claims_named(const lab_experiment *e, const lab_claim *end);
/* 1: the list is empty or holds the text. */
int lab_list_admits(const lab_list *list, const char *text);
