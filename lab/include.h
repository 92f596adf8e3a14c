/* include.h — an experiment file that includes another, read as one
 *
 * The included file's sections come first. A section of the including file with the same heading adds its keys to the included one
 * and replaces keys of the same name. A file includes at most one other, which may include a third.
 */
#pragma once

#include "lab/ini.h"

/* Where experiments are found by a name: a folder, or what a program brings along. */
typedef struct lab_library {
  /* What `name` means in the file `from` (NULL: in none): the file that it is, and its text. free() returns both, also if it failed. */
  ofw_status (*read)(void *ctx, const char *from, const char *name, char **file, char **text, ofw_error *err);
  void *ctx;
} lab_library;

/* Adds the file of that name with those that it includes. *text is all of it as one text: the file's own if it includes none;
 * free() returns it, NULL if this failed. OFW_USAGE: err has "FILE:LINE: ..."; or what the library has refused. */
ofw_status lab_ini_gather(lab_ini *ini, const lab_library *library, const char *name, char **text, ofw_error *err);
