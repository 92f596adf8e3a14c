/* json_text.c — a text between quotes, with what JSON does not allow there escaped */
#include "server/json_text.h"

#include "base/plain.h"

void json_text_add(ofw_text *out, const char *text)
{
  ofw_text_add(out, "\"");
  while (*text) {
    const char *end = text;
    size_t length;
    while (*end != '"' && *end != '\\' && (length = ofw_plain_length(end)) > 0)
      end += length;
    if (end > text)
      ofw_text_add(out, "%.*s", (int)(end - text), text);
    else if (*end == '"' || *end == '\\')
      ofw_text_add(out, "\\%c", *end);
    else if ((unsigned char)*end < 0x80)
      ofw_text_add(out, "\\u%04x", (unsigned)*end);
    else
      ofw_text_add(out, "\\ufffd");
    text = end > text ? end : end + 1;
  }
  ofw_text_add(out, "\"");
}
