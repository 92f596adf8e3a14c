/* lines.c — a buffer that hands out whole lines of a source
 *
 * A line is returned in place, without a copy. The buffer only grows while one line does not fit, up to the limit.
 */
#include "base/lines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More bytes behind `end`: first by moving what is there to the front, then by growing. */
static ofw_line_status read_more(ofw_lines *in)
{
  if (in->bytes && in->begin > 0) {
    memmove(in->bytes, in->bytes + in->begin, in->end - in->begin);
    in->end -= in->begin;
    in->begin = 0;
  }
  if (in->end == in->room) {
    if (in->room > in->limit)
      return OFW_LINE_TOO_LONG;
    size_t more = in->limit - in->room < in->room + 4096 ? in->limit + 1 : 2 * in->room + 4096;
    char *grown = realloc(in->bytes, more + 1);
    if (!grown)
      return OFW_LINE_NO_MEMORY;
    in->bytes = grown;
    in->room = more;
  }
  ssize_t got = in->read(in->ctx, in->bytes + in->end, in->room - in->end);
  if (got < 0)
    return OFW_LINE_UNREAD;
  in->at_end = got == 0;
  in->end += (size_t)got;
  return OFW_LINE;
}

ofw_line_status ofw_lines_next(ofw_lines *in, char **line, size_t *length)
{
  size_t seen = 0;
  for (;;) {
    char *from = in->bytes ? in->bytes + in->begin : NULL;
    char *newline = from ? memchr(from + seen, '\n', in->end - in->begin - seen) : NULL;
    size_t have = in->end - in->begin;
    if (from && (newline || (in->at_end && have > 0))) {
      *line = from;
      *length = newline ? (size_t)(newline - from) : have;
      in->ended = newline != NULL;
      in->begin += *length + (size_t)in->ended;
      from[*length] = 0;
      in->number++;
      return *length > in->limit ? OFW_LINE_TOO_LONG : OFW_LINE;
    }
    if (in->at_end)
      return OFW_NO_LINE;
    seen = have;
    ofw_line_status st = read_more(in);
    if (st != OFW_LINE) {
      in->number++;
      return st;
    }
  }
}

int ofw_lines_waiting(const ofw_lines *in)
{
  return in->end > in->begin && memchr(in->bytes + in->begin, '\n', in->end - in->begin) != NULL;
}

void ofw_lines_restart(ofw_lines *in)
{
  in->begin = in->end = 0;
  in->at_end = 0;
  in->number = 0;
}

void ofw_lines_free(ofw_lines *in)
{
  free(in->bytes);
  in->bytes = NULL;
  in->room = 0;
  ofw_lines_restart(in);
}

ssize_t ofw_lines_from_file(void *file, void *bytes, size_t n)
{
  errno = 0;
  size_t got = fread(bytes, 1, n, file);
  return got == 0 && ferror((FILE *)file) ? -1 : (ssize_t)got;
}
