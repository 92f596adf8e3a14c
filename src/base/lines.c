#include "base/lines.h"

#include <errno.h>
#include <stdlib.h>

static int grow(char **text, size_t *room, size_t most)
{
  size_t more = 2 * *room + 128;
  char *grown = realloc(*text, more < most ? more : most);
  if (!grown)
    return 0;
  *text = grown;
  *room = more < most ? more : most;
  return 1;
}

ofw_line ofw_line_read(FILE *in, size_t longest, char **text, size_t *room, size_t *length)
{
  size_t most = longest > SIZE_MAX - 2 ? SIZE_MAX : longest + 2; /* its end, and the byte 0 */
  int c = 0;
  errno = 0;
  for (*length = 0; c != '\n';) {
    if (*length + 1 >= *room && !grow(text, room, most)) {
      errno = ENOMEM;
      return OFW_LINE_FAILED;
    }
    c = getc_unlocked(in);
    if (c == EOF)
      break;
    if (*length == longest && c != '\n')
      return OFW_LINE_LONG;
    (*text)[(*length)++] = (char)c;
  }
  if (c == EOF && ferror(in))
    return OFW_LINE_FAILED;
  (*text)[*length] = 0;
  return *length > 0 ? OFW_LINE : OFW_LINE_END;
}
