/* json.c — a result as one JSON object on stdout */
#include "cli.h"

#include <math.h>
#include <stdio.h>

static void begin_field(json *j, const char *key)
{
  if (j->fields++)
    putchar(',');
  if (key)
    printf("\"%s\":", key);
}

void json_open(json *j, const char *key)
{
  begin_field(j, key);
  putchar('{');
  j->fields = 0;
}

void json_close(json *j)
{
  putchar('}');
  j->fields = 1; /* of what it stands in */
}

void json_open_list(json *j, const char *key)
{
  begin_field(j, key);
  putchar('[');
  j->fields = 0;
}

void json_close_list(json *j)
{
  putchar(']');
  j->fields = 1;
}

void json_flag(json *j, const char *key, int x)
{
  begin_field(j, key);
  fputs(x ? "true" : "false", stdout);
}

void json_null(json *j, const char *key)
{
  begin_field(j, key);
  fputs("null", stdout);
}

void json_real(json *j, const char *key, double x)
{
  if (!isfinite(x)) {
    json_null(j, key);
    return;
  }
  begin_field(j, key);
  printf("%.17g", x);
}

void json_count(json *j, const char *key, uint64_t x)
{
  begin_field(j, key);
  printf("%llu", (unsigned long long)x);
}

void json_text(json *j, const char *key, const char *text)
{
  begin_field(j, key);
  putchar('"');
  for (; *text; text++) {
    if (*text == '"' || *text == '\\')
      putchar('\\');
    if ((unsigned char)*text < ' ')
      printf("\\u%04x", (unsigned)*text);
    else
      putchar(*text);
  }
  putchar('"');
}
