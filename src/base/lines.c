#include "base/lines.h"

#include <errno.h>
#include <stdlib.h>

/* Room for one more byte and the 0. */
static int grow(ofw_line *line, size_t most)
{
  size_t more = 2 * line->room + 128;
  more = more > most ? most + 1 : more;
  char *text = realloc(line->text, more);
  if (!text)
    return 0;
  line->text = text;
  line->room = more;
  return 1;
}

ofw_line_found ofw_line_read(FILE *in, size_t most, ofw_line *line)
{
  int c;
  line->length = 0;
  errno = 0;
  do {
    if (line->length + 1 >= line->room && line->room <= most && !grow(line, most))
      return OFW_LINE_FAILED;
    c = getc_unlocked(in);
    if (c == EOF || c == '\n')
      break;
    if (line->length == most)
      return OFW_LINE_LONG;
    line->text[line->length++] = (char)c;
  } while (1);
  if (c == EOF && ferror(in))
    return OFW_LINE_FAILED;
  line->text[line->length] = 0;
  line->whole = c == '\n';
  return line->whole || line->length ? OFW_LINE_READ : OFW_LINE_NONE;
}
