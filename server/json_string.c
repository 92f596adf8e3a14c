/* json_string.c — escapes of JSON become the characters that they stand for */
#include "server/json_string.h"

#include "base/plain.h"

#include <stdlib.h>
#include <string.h>

/* Four digits of base 16; -1: they are none. */
static long read_unit(const char *at, const char *end)
{
  char digits[5] = "";
  if (end - at < 4)
    return -1;
  memcpy(digits, at, 4);
  return strspn(digits, "0123456789abcdefABCDEF") == 4 ? strtol(digits, NULL, 16) : -1;
}

/* A character as UTF-8; its length. */
static size_t put_character(char *out, unsigned long u)
{
  if (u < 0x80) {
    out[0] = (char)u;
    return 1;
  }
  size_t n = u < 0x800 ? 2 : u < 0x10000 ? 3 : 4;
  for (size_t k = n - 1; k > 0; k--, u >>= 6)
    out[k] = (char)(0x80 | (u & 0x3f));
  out[0] = (char)((0xf00u >> n & 0xf0u) | u);
  return n;
}

/* \uXXXX, or two of them for a character above U+FFFF, behind the 'u'; NULL: it is none. */
static const char *take_unicode(const char *at, const char *end, char **to)
{
  long first = read_unit(at, end);
  at += 4;
  if (first < 0 || (first >= 0xdc00 && first < 0xe000))
    return NULL;
  unsigned long u = (unsigned long)first;
  if (first >= 0xd800 && first < 0xdc00) {
    long second = end - at > 2 && at[0] == '\\' && at[1] == 'u' ? read_unit(at + 2, end) : -1;
    if (second < 0xdc00 || second >= 0xe000)
      return NULL;
    u = 0x10000 + ((u - 0xd800) << 10) + (unsigned long)(second - 0xdc00);
    at += 6;
  }
  *to += put_character(*to, u);
  return at;
}

/* What follows a backslash; NULL: nothing that may. */
static const char *take_escape(const char *at, const char *end, char **to)
{
  static const char escapes[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
  if (at < end && *at == 'u')
    return take_unicode(at + 1, end, to);
  const char *which = at < end && *at ? strchr(escapes, *at) : NULL;
  if (!which)
    return NULL;
  *(*to)++ = meant[which - escapes];
  return at + 1;
}

ofw_status json_string_read(ofw_cursor *c, char **out)
{
  if (!ofw_cursor_accept(c, '"'))
    return ofw_cursor_refuse(c, "a text in quotes");
  char *text = malloc((size_t)(c->end - c->at) + 1), *to = text;
  const char *at = c->at;
  if (!text)
    return ofw_fail_memory(c->err, (size_t)(c->end - c->at) + 1);
  while (at && at < c->end && *at != '"') {
    const char *plain = at;
    while (at < c->end && *at != '"' && *at != '\\')
      at++;
    memcpy(to, plain, (size_t)(at - plain));
    to += at - plain;
    if (at < c->end && *at == '\\')
      at = take_escape(at + 1, c->end, &to);
  }
  *to = 0;
  free(*out);
  *out = text;
  if (!at || at == c->end)
    return ofw_fail(c->err, OFW_BAD_DATA, "%s: %s", c->field,
                    at ? "the text has no end" : "an escape that JSON has not");
  c->at = at + 1;
  return ofw_plain_end(text, "") == to
             ? OFW_OK
             : ofw_fail(c->err, OFW_BAD_DATA, "%s: expected UTF-8 without control characters", c->field);
}
