/* lines.h — a file line by line, none longer than the reader says */
#ifndef OFW_SRC_LINES_H
#define OFW_SRC_LINES_H

#include "base/base.h"

#include <stdio.h>

typedef struct ofw_line {
  char *text; /* without its end, a 0 behind it; the caller's to free */
  size_t length, room;
  int whole; /* 1: a newline ended it; 0: the file's end did */
} ofw_line;

typedef enum ofw_line_found {
  OFW_LINE_READ,
  OFW_LINE_NONE,  /* the file has ended */
  OFW_LINE_LONG,  /* more than `most` bytes: some of them are gone */
  OFW_LINE_FAILED /* errno says why; a part of the line may be gone */
} ofw_line_found;

ofw_line_found ofw_line_read(FILE *in, size_t most, ofw_line *line);

#endif
