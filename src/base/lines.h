/* lines.h — lines of a file, none longer than a limit: what is no text, as /dev/zero, must not take all memory */
#ifndef OFW_SRC_LINES_H
#define OFW_SRC_LINES_H

#include "base/base.h"

#include <stdio.h>

typedef enum ofw_line {
  OFW_LINE,       /* there is one */
  OFW_LINE_END,   /* there is none: the file has ended */
  OFW_LINE_LONG,  /* it is longer than the limit */
  OFW_LINE_FAILED /* errno says why */
} ofw_line;

/* The next line into *text, which grows to *room as that of getline does and is the caller's to free; *length of them with
 * the line's end, which the last line may lack, then a byte 0. */
ofw_line ofw_line_read(FILE *in, size_t longest, char **text, size_t *room, size_t *length);

#endif
