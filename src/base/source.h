/* source.h — what a spec says in place or in a file: "(a;b;c)" is three lines, "@FILE" those of the file
 *
 * In place a ';' within parentheses ends no line.
 *
 * Sets that are more than a few numbers are given this way: lists of numbers, graphs, polytopes, points.
 *
 * A set is what its files hold, too, so that a state is never loaded over another file. Readers therefore take a
 * `content`: the checksum of the files read so far, 0 if there were none. They add to it what they read.
 */
#pragma once

#include "base/lines.h"
#include "base/owned.h"

#include <stdio.h>

/* Start it with ofw_source_open; whatever that says, ofw_source_close returns it. */
typedef struct ofw_source {
  const char *owner; /* the set's name */
  const char *path;  /* NULL: in place */
  char *text, *rest; /* in place: all of it, and what has not been handed out */
  FILE *in;
  ofw_lines lines;
  uint64_t number; /* of the last line */
  uint32_t checksum;
} ofw_source;

/* `text` stays the caller's and is read until the source is closed. */
ofw_status ofw_source_open(ofw_source *s, const char *owner, const char *text, ofw_error *err);
/* The next line without blanks at its ends, valid until the next call; NULL: there is none. A file is read once, since it
 * may be a pipe. */
ofw_status ofw_source_next(ofw_source *s, char **line, ofw_error *err);
/* Refuses the last line: "FILE:LINE: ..", or "OWNER: line LINE: .." */
ofw_status ofw_source_refuse(const ofw_source *s, ofw_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* What was read from a file is added to the content. */
void ofw_source_close(ofw_source *s, uint32_t *content);
/* Reads all of it: `each` gets every line in turn, then NULL, when it can still refuse what is missing. */
typedef ofw_status ofw_source_line(void *ctx, const ofw_source *s, char *line, ofw_error *err);
ofw_status ofw_source_read(const char *owner, const char *text, uint32_t *content, ofw_source_line *each, void *ctx,
                           ofw_error *err);
/* Another file's checksum. */
void ofw_content_add(uint32_t *content, uint32_t checksum);

/* A word of the last line as a number, which must be finite. */
ofw_status ofw_source_number(const ofw_source *s, const char *word, double *out, ofw_error *err);

/* The next word of a line, ended by blanks or commas, as a text of its own; NULL: none. *rest is what follows. */
char *ofw_source_word(char **rest);

/* Numbers as a spec has them: one for all coordinates, "(a,b,c)", or "@FILE" with one per line. */
typedef struct ofw_numbers {
  double *x;
  size_t count, room;
  int one;          /* a single number that is none of a list */
  const char *name; /* its file, or its option: for messages, as long as the spec's text is there */
} ofw_numbers;

ofw_status ofw_numbers_read(const char *owner, const char *key, const char *text, uint32_t *content, ofw_numbers *out,
                            ofw_error *err);
/* An option that is a number for each coordinate. */
typedef struct ofw_list {
  const char *key, *text; /* text NULL: it was not given */
  double *x;              /* its numbers; NULL: not given */
  int one;                /* it is one number for all */
} ofw_list;

/* Reads lists of one length. *dim is that length; 0: that of the first that is more than one number for all, and if
 * there is none, `without` completes "dim is required because ..". Their memory is own's. */
ofw_status ofw_lists_read(const char *owner, size_t lists, ofw_list *list, const char *without, ofw_owned *own,
                          uint32_t *content, size_t *dim, ofw_error *err);
/* Another number behind the others. */
ofw_status ofw_numbers_add(ofw_numbers *v, double x, ofw_error *err);
void ofw_numbers_free(ofw_numbers *v);
