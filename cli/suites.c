/* suites.c — experiments of files and of the command itself, whose texts the build makes of experiments/ (its CMakeLists.txt) */
#include "suites.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- files ---- */

static ofw_status refuse_text(const char *path, int why, int plain, ofw_error *err)
{
  if (why)
    return ofw_fail(err, OFW_BAD_DATA, "cannot read %.300s: %s", path, strerror(why));
  return plain ? ofw_fail(err, OFW_USAGE, "%.300s: more than %d bytes", path, OFW_MOST_EXPERIMENT)
               : ofw_fail(err, OFW_USAGE, "%.300s: the file contains a NUL byte", path);
}

static ofw_status read_text(const char *path, char **out, ofw_error *err)
{
  ofw_text text = {0};
  char part[4096];
  int plain = 1;
  FILE *in = fopen(path, "r");
  for (size_t got;
       in && text.length <= OFW_MOST_EXPERIMENT && plain && (got = fread(part, 1, sizeof part - 1, in)) > 0;) {
    part[got] = 0;
    plain &= strlen(part) == got;
    ofw_text_add(&text, "%s", part);
  }
  int why = !in || ferror(in) ? errno : text.failed ? ENOMEM : 0;
  ofw_text_add(&text, "%s", ""); /* also of an empty file */
  *out = text.chars;
  if (in)
    (void)fclose(in);
  return !why && plain && text.length <= OFW_MOST_EXPERIMENT ? OFW_OK : refuse_text(path, why, plain, err);
}

static ofw_status read_file(void *ctx, const char *from, const char *name, char **file, char **text, ofw_error *err)
{
  (void)ctx;
  const char *slash = from && *name != '/' ? strrchr(from, '/') : NULL;
  *file = ofw_format("%.*s%s", slash ? (int)(slash - from) + 1 : 0, slash ? from : "", name);
  return *file ? read_text(*file, text, err) : ofw_fail_memory(err, strlen(name));
}

const lab_library file_library = {read_file, NULL};

/* ---- the command's own ---- */

extern const char *const experiment_names[], *const experiment_texts[]; /* both end with NULL */

/* Its place, or that of the NULL. */
static size_t find_suite(const char *name)
{
  size_t length = strlen(name), i = 0;
  if (length > 4 && strcmp(name + length - 4, ".ini") == 0)
    length -= 4;
  while (experiment_names[i] && (strncmp(experiment_names[i], name, length) != 0 || experiment_names[i][length] != 0))
    i++;
  return i;
}

int suite_is_there(const char *name)
{
  return experiment_names[find_suite(name)] != NULL;
}

static ofw_status read_suite(void *ctx, const char *from, const char *name, char **file, char **text, ofw_error *err)
{
  (void)ctx, (void)from;
  size_t i = find_suite(name);
  if (!experiment_names[i])
    return ofw_fail(err, OFW_USAGE, "there is no experiment '%.200s'", name);
  *file = ofw_format("%s.ini", experiment_names[i]);
  *text = ofw_copy_text(experiment_texts[i]);
  return *file && *text ? OFW_OK : ofw_fail_memory(err, strlen(experiment_texts[i]));
}

const lab_library suite_library = {read_suite, NULL};

int suite_read(const command *self, const char *name, const char *first, const char *second, lab_experiment *out)
{
  char full[64];
  ofw_error err = {0};
  if (strcmp(name, first) != 0 && strcmp(name, second) != 0)
    return complain(self, EXIT_USAGE, "no suite '%s'; there are %s and %s", name, first, second);
  snprintf(full, sizeof full, "%s-%s", self->name, name);
  return lab_experiment_open(full, &suite_library, out, &err) == OFW_OK ? 0 : refuse(self, &err);
}
