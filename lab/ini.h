/* ini.h — an experiment file as sections of keys, each with its file and line
 *
 *     include = other.ini    before the first section; include.h follows it
 *     [kind label]
 *     key = value        ; a comment
 *         goes on        a line that begins with a blank is part of the one before
 */
#pragma once

#include "base/owned.h"

/* A file and a line. */
typedef struct lab_spot {
  const char *file;
  unsigned line;
} lab_spot;

typedef struct lab_entry {
  char *key, *value;
  lab_spot spot;
  size_t length; /* of the value */
} lab_entry;

typedef struct lab_section {
  char *kind, *label; /* of "[kind label]"; without one "" */
  lab_spot spot;      /* of the first heading */
  lab_spot last;      /* of the last one */
  lab_entry *entry;
  size_t entries;
} lab_section;

/* Start it as {0}. */
typedef struct lab_ini {
  lab_section *section;
  size_t sections;
  lab_entry include; /* of the text that was added last; no key: there is none */
  ofw_owned own;     /* the texts, cut up: all kinds, labels, keys and values are in them; and the names of the files */
} lab_ini;

/* Adds a text to those that are there: a section with the heading of an earlier text's adds its keys to that one, and replaces
 * those of the same name in their place. OFW_USAGE: a line is neither; err has "NAME:LINE: ...". lab_ini_free returns it, also
 * if this failed. */
ofw_status lab_ini_add(lab_ini *ini, const char *name, const char *text, ofw_error *err);
void lab_ini_free(lab_ini *ini);
/* The section's entry of that key; NULL: there is none. */
lab_entry *lab_section_find(const lab_section *s, const char *key);
/* OFW_USAGE with "FILE:LINE: ..." */
ofw_status lab_ini_refuse(lab_spot at, ofw_error *err, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* What somebody else has refused, with "FILE:LINE: " before it. */
ofw_status lab_ini_pass_on(lab_spot at, const ofw_error *why, ofw_error *err);
