/* ini.c — libinih's lines as sections and entries that know their line numbers */
#include "lab/ini.h"

#include "base/basics.h"
#include "base/limits.h"

#include <ctype.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Between libinih's two callbacks. */
typedef struct reading {
  lab_ini *ini;
  const char *rest;  /* of the text */
  const char *start; /* of the line that is being read */
  unsigned line;     /* its number */
  ofw_status status; /* the first refusal ends the reading */
  ofw_error *err;
} reading;

ofw_status lab_ini_refuse(const lab_ini *ini, unsigned line, ofw_error *err, const char *format, ...)
{
  char what[400];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  return ofw_fail(err, OFW_USAGE, "%.300s:%u: %s", ini->name, line, what);
}

/* ---- sections and entries ---- */

static char *copy(const char *from, size_t length)
{
  char *text = ofw_array(length + 1, 1);
  if (text) {
    memcpy(text, from, length);
    text[length] = 0;
  }
  return text;
}

static lab_section *add_section(reading *r)
{
  lab_ini *ini = r->ini;
  if (ini->sections == OFW_MOST_SECTIONS) {
    r->status = lab_ini_refuse(ini, r->line, r->err, "more than %d sections", OFW_MOST_SECTIONS);
    return NULL;
  }
  lab_section *more = realloc(ini->section, (ini->sections + 1) * sizeof *more);
  if (!more) {
    r->status = ofw_fail_memory(r->err, (ini->sections + 1) * sizeof *more);
    return NULL;
  }
  ini->section = more;
  more[ini->sections] = (lab_section){.line = r->line};
  return &more[ini->sections++];
}

/* "[kind label]", from its '[' to its ']'. */
static void open_section(reading *r, const char *from, const char *to)
{
  do
    from++;
  while (from < to && isblank((unsigned char)*from));
  while (to > from && isblank((unsigned char)to[-1]))
    to--;
  const char *blank = from;
  while (blank < to && !isblank((unsigned char)*blank))
    blank++;
  const char *label = blank;
  while (label < to && isblank((unsigned char)*label))
    label++;
  lab_section *s = add_section(r);
  if (!s)
    return;
  s->kind = copy(from, (size_t)(blank - from));
  s->label = copy(label, (size_t)(to - label));
  if (!s->kind || !s->label)
    r->status = ofw_fail_memory(r->err, (size_t)(to - from));
}

/* Where a ';' after a blank begins a comment, which libinih leaves in such lines; else the length. */
static size_t comment_in(const char *value)
{
  size_t i = 0;
  while (value[i] && !(value[i] == ';' && i > 0 && isblank((unsigned char)value[i - 1])))
    i++;
  return i;
}

/* What stands on a line of its own belongs to the entry before: after a comma at once, else after a blank. */
static void go_on(reading *r, lab_entry *e, const char *value)
{
  ofw_text joined = {.chars = e->value, .length = e->length, .room = e->room};
  size_t more = comment_in(value);
  while (more > 0 && isblank((unsigned char)value[more - 1]))
    more--;
  ofw_text_add(&joined, "%s%.*s", e->length && e->value[e->length - 1] == ',' ? "" : " ", (int)more, value);
  e->value = joined.chars;
  e->length = joined.length;
  e->room = joined.room;
  if (joined.failed)
    r->status = ofw_fail_memory(r->err, e->length + strlen(value));
}

static void add_entry(reading *r, lab_section *s, const char *key, const char *value)
{
  if (s->entries == OFW_MOST_KEYS) {
    r->status = lab_ini_refuse(r->ini, r->line, r->err, "more than %d keys in a section", OFW_MOST_KEYS);
    return;
  }
  lab_entry *more = realloc(s->entry, (s->entries + 1) * sizeof *more);
  if (!more) {
    r->status = ofw_fail_memory(r->err, (s->entries + 1) * sizeof *more);
    return;
  }
  s->entry = more;
  size_t length = strlen(value);
  more[s->entries] =
      (lab_entry){ofw_copy_text(key), ofw_copy_text(value), .line = r->line, .length = length, .room = length + 1};
  if (!more[s->entries].key || !more[s->entries].value)
    r->status = ofw_fail_memory(r->err, strlen(key) + strlen(value));
  s->entries++;
}

const lab_entry *lab_section_find(const lab_section *s, const char *key)
{
  for (size_t i = 0; i < s->entries; i++)
    if (strcmp(s->entry[i].key, key) == 0)
      return &s->entry[i];
  return NULL;
}

/* ---- what libinih calls ---- */

/* The next line, as fgets would give it. */
static char *next_line(char *out, int room, void *ctx)
{
  reading *r = ctx;
  if (r->status != OFW_OK || !*r->rest)
    return NULL;
  size_t length = strcspn(r->rest, "\n"), whole = length + (r->rest[length] == '\n');
  r->line++;
  if (whole >= (size_t)room) {
    r->status = lab_ini_refuse(r->ini, r->line, r->err,
                               "longer than %d characters; a line that begins with a blank goes on with the one before",
                               room - 2);
    return NULL;
  }
  memcpy(out, r->rest, whole);
  out[whole] = 0;
  r->start = r->rest;
  r->rest += whole;
  const char *bracket = out + strspn(out, " \t"), *end = *bracket == '[' ? strchr(bracket, ']') : NULL;
  int goes_on = bracket > out && r->ini->sections && r->ini->section[r->ini->sections - 1].entries;
  if (end && !goes_on)
    open_section(r, bracket, end);
  return out;
}

static int on_pair(void *ctx, const char *section, const char *key, const char *value)
{
  reading *r = ctx;
  (void)section; /* cut off by libinih at 50 characters */
  if (r->status != OFW_OK)
    return 1;
  lab_section *s = r->ini->sections ? &r->ini->section[r->ini->sections - 1] : NULL;
  if (!s)
    r->status = lab_ini_refuse(r->ini, r->line, r->err, "'%.40s' stands before the first [section]", key);
  else if (s->entries && isblank((unsigned char)*r->start))
    go_on(r, &s->entry[s->entries - 1], value);
  else if (!*key)
    r->status = lab_ini_refuse(r->ini, r->line, r->err, "no key before '='");
  else if (lab_section_find(s, key))
    r->status = lab_ini_refuse(r->ini, r->line, r->err, "%.40s is given twice, first in line %u", key,
                               lab_section_find(s, key)->line);
  else
    add_entry(r, s, key, value);
  return 1;
}

ofw_status lab_ini_read(const char *name, const char *text, lab_ini *out, ofw_error *err)
{
  reading r = {.ini = out, .rest = text, .start = text, .err = err};
  *out = (lab_ini){.name = name};
  int bad = ini_parse_stream(next_line, &r, on_pair, &r);
  if (bad > 0 && (r.status == OFW_OK || (unsigned)bad < r.line))
    return lab_ini_refuse(out, (unsigned)bad, err, "neither [section] nor key = value");
  return bad < 0 ? ofw_fail_memory(err, strlen(text)) : r.status;
}

void lab_ini_free(lab_ini *ini)
{
  for (size_t i = 0; i < ini->sections; i++) {
    lab_section *s = &ini->section[i];
    for (size_t k = 0; k < s->entries; k++) {
      free(s->entry[k].key);
      free(s->entry[k].value);
    }
    free(s->entry);
    free(s->kind);
    free(s->label);
  }
  free(ini->section);
  *ini = (lab_ini){0};
}
