/* option_table.h — reading "key=value" against a table of ofw_option into a part's own structure */
#pragma once

#include "base/basics.h"

/* What an option's value is. */
typedef enum ofw_option_kind {
  OFW_REAL,   /* a double in [lower, upper]; may also take one of `words`, stored as -1, -2, ... in their order */
  OFW_COUNT,  /* a uint64_t in [lower, upper], or one of `words`, stored as 2^64 - 1, 2^64 - 2, ... in their order */
  OFW_CHOICE, /* an int, the index of one of `words` */
  OFW_TEXT    /* a file name or a nested spec; a char * owned by the options */
} ofw_option_kind;

/* One option of a registered part. The same table feeds --set, the domain and stream specs, the API and the help. */
typedef struct ofw_option {
  const char *name;     /* NULL ends a table */
  ofw_option_kind kind; /* what its value is */
  const char *value;    /* the default, or NULL: worked out by `formula`, or required if that is NULL too */
  const char *formula;  /* how a default is worked out, for readers */
  const char *words;    /* "scale|paper|track" */
  double lower, upper;  /* what is allowed, both included */
  const char *help;     /* what it does, for readers */
  size_t offset;        /* of the value in the part's own structure */
} ofw_option;

/* How fast something grows at most: T^power (log T)^log_power. */
typedef struct ofw_rate {
  double power;     /* 0: nothing is proved */
  double log_power; /* 0: no logarithm */
} ofw_rate;

/* What is proved of a learner with the constants of its theorem, and what it leaves to a user to tune. */
typedef struct ofw_promise {
  ofw_rate regret;      /* of the regret */
  ofw_rate ccv;         /* of the cumulative constraint violation */
  const char *theorem;  /* the option that sets the theorem's constants; NULL: they are the default */
  const char *tuned[2]; /* two options that are numbers, whose defaults are to be multiplied; NULL: none */
  int anytime;          /* 1: it uses neither the horizon nor the Lipschitz constant, and need not be told them */
} ofw_promise;

/* Rows of a table; `at` is offsetof(the structure, the field). A default is a value or the formula it is worked out by.
 */
#define OFW_REAL_ROW(at, name, value, formula, lower, upper, help) \
  {                                                                \
    name, OFW_REAL, value, formula, NULL, lower, upper, help, at   \
  }
#define OFW_POSITIVE_ROW(at, name, value, formula, help) OFW_REAL_ROW(at, name, value, formula, 1e-300, 1e300, help)
#define OFW_COUNT_ROW(at, name, value, formula, lower, upper, help) \
  {                                                                 \
    name, OFW_COUNT, value, formula, NULL, lower, upper, help, at   \
  }
#define OFW_COUNT_OR_ROW(at, name, value, words, lower, upper, help) \
  {                                                                  \
    name, OFW_COUNT, value, NULL, words, lower, upper, help, at      \
  }
#define OFW_CHOICE_ROW(at, name, value, formula, words, help) \
  {                                                           \
    name, OFW_CHOICE, value, formula, words, 0, 0, help, at   \
  }
#define OFW_TEXT_ROW(at, name, help) OFW_TEXT_OR_ROW(at, name, NULL, help)
#define OFW_TEXT_OR_ROW(at, name, formula, help)        \
  {                                                     \
    name, OFW_TEXT, NULL, formula, NULL, 0, 0, help, at \
  }

/* A table and the structure its offsets point into. */
typedef struct ofw_options {
  const ofw_option *table;
  void *values;
  uint64_t given; /* bit i: row i has been set; starts as 0 */
} ofw_options;

/* The bytes of the structure that a table's offsets point into, whose every field has a row. */
size_t ofw_options_size(const ofw_option *table);
/* A part's options read from "key=value,...": such a structure with defaults, what was given, and nothing required missing.
 * ofw_options_drop frees it, also if making it failed. */
ofw_status ofw_options_make(const ofw_type *type, const char *pairs, ofw_options *out, ofw_error *err);
void ofw_options_drop(ofw_options *o);

/* Sets the defaults; an option without one is NaN, 0, -1 or NULL by its kind. */
void ofw_options_default(ofw_options o);
/* Frees the texts. */
void ofw_options_free(ofw_options o);

/* Reads one "key=value" of `length` characters; the key is looked up in the n sets in turn, and a second time is refused.
 * `owner` begins the messages. */
ofw_status ofw_options_set(ofw_options *o, size_t n, const char *owner, const char *pair, size_t length,
                           ofw_error *err);
/* Reads "key=value,key=value"; commas inside parentheses do not separate. */
ofw_status ofw_options_set_all(ofw_options *o, size_t n, const char *owner, const char *pairs, ofw_error *err);
/* How long the first pair of "key=value,key=value" is. Refuses a comma at the end. */
ofw_status ofw_pair_length(const char *pairs, const char *owner, size_t *length, ofw_error *err);
/* Refuses if an option has no value, no default and no formula. */
ofw_status ofw_options_require(ofw_options o, const char *owner, ofw_error *err);
/* Refuses if a number that was worked out is not in its option's range. */
ofw_status ofw_options_check(ofw_options o, const char *owner, ofw_error *err);
/* Adds " key=value" for each option that has a value. */
void ofw_options_print(ofw_options o, ofw_text *text);

/* The value of a formula replaces an option that was not set. */
void ofw_resolve(double *option, double value);
void ofw_resolve_count(uint64_t *option, double value); /* rounded, at least 1 */

/* "name:key=value,..." -> where the options begin ("" if there are none); *length is the name's. */
const char *ofw_spec_split(const char *spec, size_t *length);

/* Looks `name` up among n types reached by `get`. -1 and a message with the nearest name if it is not there; `what`
 * is "domain", "learner" or "stream". */
int ofw_type_find(const char *name, size_t length, size_t n, const ofw_type *(*get)(size_t), const char *what,
                  ofw_error *err);
