/* ratings_reader.h — a file of ratings while it is read: by one process (ratings_file.c), or by ranks (ratings_parts.c) */
#pragma once

#include "base/bytes.h"
#include "base/limits.h"
#include "ratings/rows.h"

/* The ids of one column. */
typedef struct ofw_ratings_column {
  const char *name;
  uint64_t most, largest; /* how many there may be; the largest seen, */
  uint64_t line;          /* and where it was seen first */
  int given, zero;        /* `most` is an option's value; an id 0 was seen */
} ofw_ratings_column;

typedef struct ofw_ratings_reader {
  const ofw_ratings_source *from;
  char *path; /* where it was found */
  FILE *file; /* where it is open: ours, or the caller's */
  ofw_bytes *in;
  uint64_t line;    /* the one being read, from 1 */
  uint64_t at, end; /* where in the file the next line begins; no line is read from `end` on */
  char text[OFW_LONGEST_RATING + 1];
  const char *separator;
  int separated; /* a row has shown what the separator is */
  ofw_ratings_column user, item;
  ofw_rows rows;
  ofw_error *err;
} ofw_ratings_reader;

/* ---- ratings_file.c ---- */

/* Rows, up to `most` of them in all, into in->rows. */
ofw_status ofw_reader_rows(ofw_ratings_reader *in, size_t most);
/* "cannot read PATH: ..", for an errno; elsewhere: where else it is not, or NULL */
ofw_status ofw_reader_refuse(const ofw_ratings_reader *in, int why, const char *elsewhere);

/* ---- ratings_parts.c, called by all ranks together ---- */

/* Whether the ranks can read parts of it: a file of `size` bytes as they are. */
int ofw_reader_has_parts(ofw_ratings_reader *in, uint64_t *size);
/* This rank's part. What was seen of the columns is of all parts. */
ofw_status ofw_reader_part(ofw_ratings_reader *in, uint64_t size);
/* The ratings of the users that this rank has; r has users, items and where their ids begin. parts: each rank has read one, else
 * all of the file. */
ofw_status ofw_reader_share(ofw_ratings_reader *in, int parts, ofw_ratings *r);
