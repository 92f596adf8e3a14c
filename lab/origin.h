/* origin.h — whether a database is of the same experiment, version and kernel as what it is to be joined with */
#pragma once

#include "lab/results.h"

/* What a database is to be of. The version is that of this ofw. */
typedef struct lab_origin {
  const char *of, *experiment; /* the name of a file, and its text */
  const char *player, *kernel; /* who plays with that kernel, for a message: "this machine plays", or a file */
} lab_origin;

/* OFW_USAGE: it is of another one; err has both names and the first difference. */
ofw_status lab_origin_check(results *r, const lab_origin *wanted, ofw_error *err);
