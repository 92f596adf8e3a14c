/* choices_table.h — the choices of other rules (lab/choices.h), as tables for 'ofw export' */
#pragma once

#include "lab/choices.h"

typedef void choices_row(void *ctx, const results_value *value, size_t n);

/* Every rule's choice of every arm, every tuning seed's, and their spread; the names of the columns come first, as
 * results_table has it. */
void choices_table(const lab_choices *c, choices_row *row, void *ctx);
/* The claims' comparisons under every rule, the same way. */
void choice_claims_table(const lab_choices *c, choices_row *row, void *ctx);
