/* ini.c — an experiment's lines as sections and entries that know their line numbers */
#include "lab/ini.h"

#include "base/basics.h"
#include "base/limits.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reading {
  lab_ini *ini;
  unsigned line; /* the number of the one that is being read */
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

/* "kind label" */
static ofw_status add_section(reading *r, char *text)
{
  lab_ini *ini = r->ini;
  char *label = text + strcspn(text, " \t");
  if (ini->sections == OFW_MOST_SECTIONS)
    return lab_ini_refuse(ini, r->line, r->err, "more than %d sections", OFW_MOST_SECTIONS);
  lab_section *more = realloc(ini->section, (ini->sections + 1) * sizeof *more);
  if (!more)
    return ofw_fail_memory(r->err, (ini->sections + 1) * sizeof *more);
  ini->section = more;
  lab_section *s = &more[ini->sections++];
  *s = (lab_section){.kind = text, .label = label + strspn(label, " \t"), .line = r->line};
  *label = 0;
  return OFW_OK;
}

static ofw_status add_entry(reading *r, lab_section *s, char *key, char *value)
{
  const lab_entry *before = lab_section_find(s, key);
  if (!*key)
    return lab_ini_refuse(r->ini, r->line, r->err, "no key before '='");
  if (before)
    return lab_ini_refuse(r->ini, r->line, r->err, "%.40s is given twice, first in line %u", key, before->line);
  if (s->entries == OFW_MOST_KEYS)
    return lab_ini_refuse(r->ini, r->line, r->err, "more than %d keys in a section", OFW_MOST_KEYS);
  lab_entry *more = realloc(s->entry, (s->entries + 1) * sizeof *more);
  if (!more)
    return ofw_fail_memory(r->err, (s->entries + 1) * sizeof *more);
  s->entry = more;
  more[s->entries++] = (lab_entry){key, value, r->line, strlen(value)};
  return OFW_OK;
}

/* What stands on a line of its own belongs to the entry before: after a comma at once, else after a blank. The line's end and the
 * blank that it begins with make room for it. */
static void go_on(lab_entry *e, const char *value)
{
  size_t length = strlen(value);
  if (e->length == 0 || e->value[e->length - 1] != ',')
    e->value[e->length++] = ' ';
  memmove(e->value + e->length, value, length + 1);
  e->length += length;
}

const lab_entry *lab_section_find(const lab_section *s, const char *key)
{
  for (size_t i = 0; i < s->entries; i++)
    if (strcmp(s->entry[i].key, key) == 0)
      return &s->entry[i];
  return NULL;
}

/* ---- lines ---- */

/* Where one of these characters stands, or a comment begins, a ';' after a blank; else the end. */
static char *find(char *at, const char *any)
{
  for (const char *start = at; *at && !strchr(any, *at); at++)
    if (*at == ';' && at > start && isblank((unsigned char)at[-1]))
      break;
  return at;
}

/* Without the blanks around it, and without what stands from `end` on. */
static char *trimmed(char *text, char *end)
{
  text += strspn(text, " \t");
  while (end > text && isspace((unsigned char)end[-1]))
    end--;
  *end = 0;
  return text;
}

static ofw_status read_line(reading *r, char *line)
{
  lab_section *s = r->ini->sections ? &r->ini->section[r->ini->sections - 1] : NULL;
  char *start = trimmed(line, line + strlen(line));
  if (!*start || *start == ';' || *start == '#')
    return OFW_OK;
  if (start > line && s && s->entries) {
    go_on(&s->entry[s->entries - 1], trimmed(start, find(start, "")));
    return OFW_OK;
  }
  char *end = find(start, *start == '[' ? "]" : "=:");
  if (!*end || *end == ';')
    return lab_ini_refuse(r->ini, r->line, r->err, "neither [section] nor key = value");
  if (*start == '[')
    return add_section(r, trimmed(start + 1, end));
  char *value = trimmed(end + 1, find(end + 1, "")), *key = trimmed(start, end);
  return s ? add_entry(r, s, key, value)
           : lab_ini_refuse(r->ini, r->line, r->err, "'%.40s' stands before the first [section]", key);
}

ofw_status lab_ini_read(const char *name, const char *text, lab_ini *out, ofw_error *err)
{
  reading r = {.ini = out, .err = err};
  *out = (lab_ini){.name = name, .text = ofw_copy_text(text)};
  ofw_status st = out->text ? OFW_OK : ofw_fail_memory(err, strlen(text));
  for (char *rest = out->text, *line; st == OFW_OK && (line = strsep(&rest, "\n"));) {
    r.line++;
    st = read_line(&r, line);
  }
  return st;
}

void lab_ini_free(lab_ini *ini)
{
  for (size_t i = 0; i < ini->sections; i++)
    free(ini->section[i].entry);
  free(ini->section);
  free(ini->text);
  *ini = (lab_ini){0};
}
