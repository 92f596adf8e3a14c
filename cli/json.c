/* json.c — a result as one JSON object */
#include "cli.h"

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

void json_count(json *j, const char *key, uint64_t x)
{
  begin_field(j, key);
  fprintf(to(j), "%llu", (unsigned long long)x);
}

void json_text(json *j, const char *key, const char *text)
{
  begin_field(j, key);
  fputc('"', to(j));
  for (; *text; text++) {
    if (*text == '"' || *text == '\\')
      fputc('\\', to(j));
    if ((unsigned char)*text < ' ')
      fprintf(to(j), "\\u%04x", (unsigned)*text);
    else
      fputc(*text, to(j));
  }
  fputc('"', to(j));
}
