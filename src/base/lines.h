/* lines.h — a line reader with a length limit, so that a file without lines, as /dev/zero, does not take all memory */
#pragma once

#include "base/basics.h"

#include <sys/types.h>

/* Start it with the first three set and the rest 0. */
typedef struct ofw_lines {
  ssize_t (*read)(void *ctx, void *bytes, size_t n); /* as read(2) */
  void *ctx;
  size_t limit; /* of a line, without its end */
  char *bytes;
  size_t room;       /* for what is read, at most limit + 1; one more is for a 0 */
  size_t begin, end; /* what is read and not yet handed out */
  int at_end;
  uint64_t number; /* of the last line handed out */
  int ended;       /* it had a newline */
} ofw_lines;

typedef enum ofw_line_status {
  OFW_LINE,
  OFW_NO_LINE,
  OFW_LINE_TOO_LONG,
  OFW_LINE_UNREAD, /* errno says why */
  OFW_LINE_NO_MEMORY
} ofw_line_status;

/* The next line, with a 0 in place of its newline, valid until the next one; a last one that has none counts too. What
 * follows a line that could not be handed out is lost. */
ofw_line_status ofw_lines_next(ofw_lines *in, char **line, size_t *length);
/* 1: a whole line has been read already. */
int ofw_lines_waiting(const ofw_lines *in);
/* The source begins again. */
void ofw_lines_restart(ofw_lines *in);
void ofw_lines_free(ofw_lines *in);

/* `read` of a FILE, which is the ctx. */
ssize_t ofw_lines_from_file(void *file, void *bytes, size_t n);
