/* import.h — a data set from where it was put to where it is looked for */
#pragma once

#include "lab/data/sets.h"

typedef struct data_imported {
  size_t duplicates;
  int was_there; /* the same was in its place already, and nothing was written */
} data_imported;

/* `from` is a zip file with the set's file in it, a folder with it, or the file itself. It is checked as a whole before
 * anything is written, and `to` is the old file or the new one at any time. What is wrong with it is OFW_BAD_DATA, a
 * place that cannot be written to OFW_FAILED; both leave `to` as it was. */
ofw_status data_import(const data_set *set, const char *from, const char *to, data_imported *out, ofw_error *err);
