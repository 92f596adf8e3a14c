/* contents.h — whether plays that were made on several machines read the same data and used the same plugins
 *
 * A play's config has checksums of what it read: of a stream's file, of a set's, of a learner's plugin. Plays of one experiment have
 * the same ones, whoever played them.
 */
#pragma once

#include "lab/plan.h"
#include "lab/results.h"

typedef struct lab_contents lab_contents;

/* NULL: no memory. lab_contents_free returns it; NULL is accepted. */
lab_contents *lab_contents_make(const lab_plan *plan);
void lab_contents_free(lab_contents *c);
/* Looks at a play of the database at `path`, which outlives this. OFW_USAGE: an earlier one had another checksum; err names both
 * files. */
ofw_status lab_contents_check(lab_contents *c, const results_cell *cell, const char *path, ofw_error *err);
