/* sets.h — the data sets that ofw knows by name, and how to recognise each */
#pragma once

#include "base/basics.h"

#include <stdio.h>

typedef struct data_set {
  const char *name;
  const char *file;   /* where it is in the data folder: one folder and a name */
  const char *sha256; /* of the file, in hexadecimal */
  size_t rows, users, items;
  double lowest, highest, step; /* of the ratings */
  const char *from;             /* its owner, the terms, and where to get it */
} data_set;

extern const data_set data_sets[];
extern const size_t data_sets_count;

/* NULL: there is none of that name. */
const data_set *data_set_find(const char *name);
/* Where the set is looked for; the caller's to free. OFW_USAGE if there is no data folder. */
ofw_status data_set_path(const data_set *set, char **out, ofw_error *err);

/* Whether `in`, from where it stands, is the set: rows, shape, ratings, and the sum of its bytes. A message calls it
 * `called`. *duplicates are the rows that a later one of the same pair overrules. */
ofw_status data_set_check(const data_set *set, FILE *in, const char *called, size_t *duplicates, ofw_error *err);
