/* plain.c — a strict UTF-8 decoder that also refuses control characters */
#include "base/plain.h"

#include <string.h>

/* How many bytes the lead byte announces, and the bits of the character that it holds; 0: it is no lead byte. */
static size_t announced(unsigned char lead, unsigned *bits)
{
  size_t length = lead < 0x80 ? 1 : lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : 0;
  if (lead >= 0xf0 && lead < 0xf5)
    length = 4;
  *bits = length == 1 ? lead : lead & (0x7fu >> length);
  return length;
}

/* Shorter forms exist for what is below `least`; U+D800 to U+DFFF are halves of UTF-16 characters. */
static int is_allowed(unsigned c, size_t length)
{
  static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
  int is_control = c < 0x20 || (c >= 0x7f && c < 0xa0);
  return c >= least[length] && c <= 0x10ffff && !is_control && (c < 0xd800 || c > 0xdfff) && (c & 0xfffe) != 0xfffe;
}

size_t ofw_plain_length(const char *at)
{
  const unsigned char *byte = (const unsigned char *)at;
  unsigned c;
  size_t length = announced(*byte, &c);
  for (size_t i = 1; i < length; i++) {
    if ((byte[i] & 0xc0) != 0x80) /* also the end of the text */
      return 0;
    c = c << 6 | (byte[i] & 0x3fu);
  }
  return length && is_allowed(c, length) ? length : 0;
}

const char *ofw_plain_end(const char *text, const char *but)
{
  for (size_t length; *text; text += length) {
    length = strchr(but, *text) ? 1 : ofw_plain_length(text);
    if (!length)
      break;
  }
  return text;
}

void ofw_make_plain(char *text, const char *but)
{
  for (; text && *(text += ofw_plain_end(text, but) - text); text++)
    *text = '?';
}
