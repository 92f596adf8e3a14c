/* verdicts.h — verdicts on an experiment's claims, for reports and reproductions */
#pragma once

#include "cli.h"

#include "lab/claims.h"

/* The claims of the experiment that the results are of. */
typedef struct claims {
  lab_experiment of;
  lab_judgement *judged;
  size_t n;
} claims;

/* claims_free returns it, also if this failed. */
ofw_status claims_read(results *from, claims *out, ofw_error *err);
void claims_free(claims *c);

/* Says which claims cannot be decided, since they name learners that play with several options. */
void claims_warn(const command *self, const claims *c);
/* The fields "comparisons", "relative_level", "seeds_needed" (null: there are enough) and "claims", a list, into an object
 * that is open. */
void claims_json(json *j, const claims *c);
void claims_print(const claims *c);

enum { SEEDS_TEXT = 48 };
/* "12 would do"; of 0 that no number would. */
const char *seeds_text(size_t needed, char out[SEEDS_TEXT]);
