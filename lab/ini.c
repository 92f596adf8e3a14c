/* ini.c — an experiment's lines as sections and entries that know their line numbers */
#include "lab/ini.h"

#include "base/limits.h"
#include "base/plain.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reading {
  lab_ini *ini;
  lab_spot at;          /* the line that is being read */
  lab_section *section; /* that it is in; NULL: none yet */
  lab_entry *entry;     /* that a line which begins with a blank continues; NULL: none */
  ofw_error *err;
} reading;

ofw_status lab_ini_refuse(lab_spot at, ofw_error *err, const char *format, ...)
{
  char what[400];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  return ofw_fail(err, OFW_USAGE, "%.300s:%u: %s", at.file, at.line, what);
}

ofw_status lab_ini_pass_on(lab_spot at, const ofw_error *why, ofw_error *err)
{
  return ofw_fail(err, why->status, "%.200s:%u: %.260s", at.file, at.line, why->message);
}

/* ---- sections and entries ---- */

static lab_section *find_section(const lab_ini *ini, const char *kind, const char *label)
{
  for (size_t i = 0; i < ini->sections; i++)
    if (strcmp(ini->section[i].kind, kind) == 0 && strcmp(ini->section[i].label, label) == 0)
      return &ini->section[i];
  return NULL;
}

/* If the file continues a section of an earlier file. */
static ofw_status open_again(reading *r, lab_section *s)
{
  if (s->last.file == r->at.file) /* names are copied once per text */
    return lab_ini_refuse(r->at, r->err, "[%.40s%s%.80s] appears twice, first in line %u", s->kind,
                          *s->label ? " " : "", s->label, s->last.line);
  s->last = r->at;
  r->section = s;
  return OFW_OK;
}

/* "kind label" */
static ofw_status add_section(reading *r, char *text)
{
  lab_ini *ini = r->ini;
  char *label = text + strcspn(text, " \t"), *rest = label + strspn(label, " \t");
  *label = 0;
  lab_section *before = find_section(ini, text, rest);
  r->entry = NULL;
  if (before)
    return open_again(r, before);
  if (ini->sections == OFW_MOST_SECTIONS)
    return lab_ini_refuse(r->at, r->err, "more than %d sections", OFW_MOST_SECTIONS);
  lab_section *more = realloc(ini->section, (ini->sections + 1) * sizeof *more);
  if (!more)
    return ofw_fail_memory(r->err, (ini->sections + 1) * sizeof *more);
  ini->section = more;
  r->section = &more[ini->sections++];
  *r->section = (lab_section){.kind = text, .label = rest, .spot = r->at, .last = r->at};
  return OFW_OK;
}

static ofw_status add_entry(reading *r, char *key, char *value)
{
  lab_section *s = r->section;
  const lab_entry now = {key, value, r->at, strlen(value)};
  r->entry = lab_section_find(s, key);
  if (!*key)
    return lab_ini_refuse(r->at, r->err, "expected a key before '='");
  if (r->entry && r->entry->spot.file == r->at.file)
    return lab_ini_refuse(r->at, r->err, "%.40s is given twice, first in line %u", key, r->entry->spot.line);
  if (!r->entry) {
    if (s->entries == OFW_MOST_KEYS)
      return lab_ini_refuse(r->at, r->err, "more than %d keys in a section", OFW_MOST_KEYS);
    lab_entry *more = realloc(s->entry, (s->entries + 1) * sizeof *more);
    if (!more)
      return ofw_fail_memory(r->err, (s->entries + 1) * sizeof *more);
    s->entry = more;
    r->entry = &more[s->entries++];
  }
  *r->entry = now;
  return OFW_OK;
}

/* What stands before the first section. */
static ofw_status set_include(reading *r, char *key, char *value)
{
  lab_entry *e = &r->ini->include;
  if (strcmp(key, "include") != 0)
    return lab_ini_refuse(r->at, r->err, "'%.40s' is before the first [section]", key);
  if (e->key)
    return lab_ini_refuse(r->at, r->err, "include is given twice, first in line %u", e->spot.line);
  if (!*value)
    return lab_ini_refuse(r->at, r->err, "include: expected a file's name, found none");
  *e = (lab_entry){key, value, r->at, strlen(value)};
  return OFW_OK;
}

/* What stands on a line of its own belongs to the entry before: after a comma, or if it has no value yet, at once, else after a blank. The line's end and the
 * blank that it begins with make room for it. */
static void go_on(lab_entry *e, const char *value)
{
  size_t length = strlen(value);
  if (e->length > 0 && e->value[e->length - 1] != ',')
    e->value[e->length++] = ' ';
  memmove(e->value + e->length, value, length + 1);
  e->length += length;
}

lab_entry *lab_section_find(const lab_section *s, const char *key)
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
  char *start = trimmed(line, line + strlen(line));
  if (!*start || *start == ';' || *start == '#')
    return OFW_OK;
  if (start > line && r->entry) {
    go_on(r->entry, trimmed(start, find(start, "")));
    return OFW_OK;
  }
  char *end = find(start, *start == '[' ? "]" : "=:");
  if (!*end || *end == ';')
    return lab_ini_refuse(r->at, r->err, "expected [section] or key = value");
  if (*start == '[')
    return add_section(r, trimmed(start + 1, end));
  char *value = trimmed(end + 1, find(end + 1, "")), *key = trimmed(start, end);
  return r->section ? add_entry(r, key, value) : set_include(r, key, value);
}

/* Names go into tables, figures and pages, so no character of the file may be one that they cannot show. */
static ofw_status check_text(lab_spot at, const char *text, ofw_error *err)
{
  const char *start = text;
  at.line = 1;
  for (; *(text = ofw_plain_end(text, "\t")); text++)
    if (*text == '\n') {
      at.line++;
      start = text + 1;
    } else if (*text != '\r' || text[1] != '\n')
      return lab_ini_refuse(at, err, "byte %zu is 0x%02x, a control character or not UTF-8; remove it",
                            (size_t)(text - start) + 1, (unsigned char)*text);
  return OFW_OK;
}

ofw_status lab_ini_add(lab_ini *ini, const char *name, const char *text, ofw_error *err)
{
  reading r = {.ini = ini, .err = err};
  r.at.file = ofw_owned_take(&ini->own, ofw_copy_text(name), strlen(name));
  char *rest = ofw_owned_take(&ini->own, ofw_copy_text(text), strlen(text));
  ini->include = (lab_entry){0};
  OFW_TRY(ofw_owned_check(&ini->own, err));
  OFW_TRY(check_text(r.at, text, err));
  for (char *line; (line = strsep(&rest, "\n"));) {
    r.at.line++;
    OFW_TRY(read_line(&r, line));
  }
  return OFW_OK;
}

void lab_ini_free(lab_ini *ini)
{
  for (size_t i = 0; i < ini->sections; i++)
    free(ini->section[i].entry);
  free(ini->section);
  ofw_owned_free(&ini->own);
  *ini = (lab_ini){0};
}
