/* ini.h — an experiment file as sections of keys, each with the line where it stands
 *
 *     [kind label]
 *     key = value        ; a comment
 *         goes on        a line that begins with a blank is part of the one before
 */
#ifndef OFW_LAB_INI_H
#define OFW_LAB_INI_H

#include <ofw/base.h>

typedef struct lab_entry {
  char *key, *value;
  unsigned line;
  size_t length; /* of the value */
} lab_entry;

typedef struct lab_section {
  char *kind, *label; /* of "[kind label]"; without one "" */
  unsigned line;
  lab_entry *entry;
  size_t entries;
} lab_section;

typedef struct lab_ini {
  const char *name; /* the file's, for messages; the caller's */
  char *text;       /* cut up: all kinds, labels, keys and values are in it */
  lab_section *section;
  size_t sections;
} lab_ini;

/* OFW_USAGE: a line is neither; err has "NAME:LINE: ...". lab_ini_free returns it, also where this failed. */
ofw_status lab_ini_read(const char *name, const char *text, lab_ini *out, ofw_error *err);
void lab_ini_free(lab_ini *ini);
/* The section's entry of that key; NULL: there is none. */
const lab_entry *lab_section_find(const lab_section *s, const char *key);
/* OFW_USAGE with "NAME:LINE: ..." */
ofw_status lab_ini_refuse(const lab_ini *ini, unsigned line, ofw_error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
