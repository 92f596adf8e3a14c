/* option_table.h — reading "key=value" against a table of ofw_option into a part's own structure */
#pragma once

#include "base/basics.h"

#include <ofw/option.h>

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

/* Whether a type that comes from outside can be one: a name of small letters, digits and '-', and a table of options that can
 * be read, none of them with a name of the table `besides` (NULL: none). `what` is as above. */
ofw_status ofw_type_check(const ofw_type *type, const ofw_option *besides, const char *what, ofw_error *err);
