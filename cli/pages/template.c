/* template.c — templates: generated text replaces lines "@name" */
#include "pages.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

FILE *open_file(const char *folder, const char *name, const char *mode, int may_be_missing)
{
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, mode);
  if (!file && !(may_be_missing && errno == ENOENT))
    fprintf(stderr, "ofw-pages: %s: %s\n", path, strerror(errno));
  return file;
}

int close_file(FILE *file, const char *name)
{
  int failed = ferror(file);
  if (fclose(file) == 0 && !failed)
    return 1;
  fprintf(stderr, "ofw-pages: cannot write %s\n", name);
  return 0;
}

int expand(FILE *out, FILE *template, mark_writer mark, void *ctx)
{
  char line[1024];
  while (fgets(line, sizeof line, template)) {
    if (line[0] != '@') {
      fputs(line, out);
      continue;
    }
    line[strcspn(line, "\n")] = 0;
    if (!mark(out, line + 1, ctx)) {
      fprintf(stderr, "ofw-pages: no mark %s\n", line);
      return 0;
    }
  }
  return 1;
}
