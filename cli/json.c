/* json.c — a result as one JSON object */
#include "cli.h"

#include "base/plain.h"

#include <math.h>
#include <stdio.h>

static FILE *to(const json *j)
{
  return j->out ? j->out : stdout;
}

static void begin_field(json *j, const char *key)
{
  if (j->fields++)
    fputc(',', to(j));
  if (key)
    fprintf(to(j), "\"%s\":", key);
}

void json_open(json *j, const char *key)
{
  begin_field(j, key);
  fputc('{', to(j));
  j->fields = 0;
}

void json_close(json *j)
{
  fputc('}', to(j));
  j->fields = 1; /* of what it stands in */
}

void json_open_list(json *j, const char *key)
{
  begin_field(j, key);
  fputc('[', to(j));
  j->fields = 0;
}

void json_close_list(json *j)
{
  fputc(']', to(j));
  j->fields = 1;
}

void json_flag(json *j, const char *key, int x)
{
  begin_field(j, key);
  fputs(x ? "true" : "false", to(j));
}

void json_null(json *j, const char *key)
{
  begin_field(j, key);
  fputs("null", to(j));
}

void json_real(json *j, const char *key, double x)
{
  if (!isfinite(x)) {
    json_null(j, key);
    return;
  }
  begin_field(j, key);
  fprintf(to(j), "%.17g", x);
}

void json_reals(json *j, const char *key, size_t n, const double *x)
{
  json_open_list(j, key);
  for (size_t i = 0; i < n; i++)
    json_real(j, NULL, x[i]);
  json_close_list(j);
}

void json_count(json *j, const char *key, uint64_t x)
{
  begin_field(j, key);
  fprintf(to(j), "%llu", (unsigned long long)x);
}

/* One character, or a byte that is in none; how many bytes that was. JSON is UTF-8, and a file's name may be any bytes: for those
 * that are not, U+FFFD stands. */
static size_t put_character(FILE *out, const char *at)
{
  const unsigned char *byte = (const unsigned char *)at;
  size_t length = ofw_plain_length(at);
  if (*at == '"' || *at == '\\')
    fprintf(out, "\\%c", *at);
  else if (length)
    fwrite(at, 1, length, out);
  else if (*byte < 0x80)
    fprintf(out, "\\u%04x", *byte);
  else if (*byte == 0xc2 && (byte[1] & 0xe0) == 0x80) { /* U+0080 to U+009F */
    fprintf(out, "\\u%04x", byte[1]);
    return 2;
  } else
    fputs("\\ufffd", out);
  return length ? length : 1;
}

void json_text(json *j, const char *key, const char *text)
{
  if (!text) {
    json_null(j, key);
    return;
  }
  begin_field(j, key);
  fputc('"', to(j));
  while (*text)
    text += put_character(to(j), text);
  fputc('"', to(j));
}
