/* scale.h — options of a learner as multiples of their defaults */
#pragma once

#include <ofw/base.h>

enum { LAB_MOST_SETS = 80, LAB_MOST_SCALES = 8, LAB_SCALED_TEXT = 96 };

/* Start it as {0}. */
typedef struct lab_options {
  const char *set[LAB_MOST_SETS]; /* "key=value" */
  size_t sets;
  char scaled[LAB_MOST_SCALES][LAB_SCALED_TEXT]; /* the texts of those that were multiplied; "": not this one */
} lab_options;

/* One more option, as long as LAB_MOST_SCALES still fit behind them. OFW_USAGE: too many. */
ofw_status lab_options_add(lab_options *o, const char *pair, ofw_error *err);
/* Sets the option to that multiple of what it is in `config`, of a learner made without it; k < LAB_MOST_SCALES counts
 * them. OFW_USAGE: it is no number there. */
ofw_status lab_options_scale(lab_options *o, size_t k, const char *learner, const char *config, const char *name,
                             double factor, ofw_error *err);
/* "name=value" of a configuration, in as few digits as read back to the same; "": it is no number there. */
void lab_option_text(const char *config, const char *name, char out[LAB_SCALED_TEXT]);
