/* choices_table.h — what other rules would have chosen (lab/choices.h), as tables for 'ofw export' and as JSON */
#ifndef OFW_CLI_CHOICES_TABLE_H
#define OFW_CLI_CHOICES_TABLE_H

#include "cli.h"

#include "lab/choices.h"

typedef void choices_row(void *ctx, const results_value *value, size_t n);

/* Every rule's choice of every arm, every tuning seed's, and their spread; the names of the columns come first, as
 * results_table has it. */
void choices_table(const lab_choices *c, choices_row *row, void *ctx);
/* The claims' comparisons under every rule, the same way. */
void choice_claims_table(const lab_choices *c, choices_row *row, void *ctx);

/* The same rows as objects: the field "tuning", a list, into an object that is open. */
void choices_json(json *j, const lab_choices *c);
/* The field "claims", a list: the comparisons under one rule, in the keys of claims_json as far as they are known. */
void choice_claims_json(json *j, const lab_choices *c, lab_rule rule);

#endif
