/* shown.c — escapes for what a terminal must not obey */
#include "shown.h"

#include "cli.h"

#include "base/plain.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* U+2028 to U+202E and U+2066 to U+2069: ends of lines, and marks after which letters run the other way. */
static int turns(const char *at)
{
  const unsigned char *byte = (const unsigned char *)at;
  return byte[0] == 0xe2 && ((byte[1] == 0x80 && byte[2] >= 0xa8 && byte[2] <= 0xae) ||
                             (byte[1] == 0x81 && byte[2] >= 0xa6 && byte[2] <= 0xa9));
}

size_t next_shown(const char *at, char piece[SHOWN_PIECE])
{
  size_t length = ofw_plain_length(at);
  if (!*at)
    return 0;
  if (length && !turns(at)) {
    memcpy(piece, at, length);
    piece[length] = 0;
    return length;
  }
  snprintf(piece, SHOWN_PIECE, "\\x%02x", (unsigned)(unsigned char)*at);
  return 1;
}

size_t shown_length(const char *text)
{
  char piece[SHOWN_PIECE];
  size_t all = 0;
  for (size_t n; (n = next_shown(text, piece)) > 0; text += n)
    all += strlen(piece);
  return all;
}

void put_shown(FILE *out, const char *text)
{
  char piece[SHOWN_PIECE];
  for (size_t n; (n = next_shown(text, piece)) > 0; text += n)
    fputs(piece, out);
}

void print_shown(const char *format, ...)
{
  char *text = NULL;
  va_list args;
  va_start(args, format);
  int length = vasprintf(&text, format, args);
  va_end(args);
  if (length < 0) {
    complain(NULL, 0, "out of memory for a line of the table");
    return;
  }
  for (char *rest = text, *line; (line = strsep(&rest, "\n")) != NULL;) {
    put_shown(stdout, line);
    if (rest)
      putchar('\n');
  }
  free(text);
}

void print_written(const char *path)
{
  fputs("wrote ", stdout);
  put_shown(stdout, path);
  putchar('\n');
}

void print_known(FILE *out, double x)
{
  if (isnan(x))
    fprintf(out, " %12s", "-");
  else
    fprintf(out, " %12.6g", x);
}
