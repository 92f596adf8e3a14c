/* figure_file.c — a figure is laid out once and written in the format that its name asks for */
#include "figure_file.h"
#include "whole_file.h"

#include <string.h>

static int write_png(const drawing *d, const char *title, FILE *out)
{
  (void)title; /* of which a picture shows nothing */
  return drawing_write_png(d, out);
}

static const struct {
  const char *end;
  int (*write)(const drawing *d, const char *title, FILE *out);
} formats[] = {{".svg", drawing_write_svg}, {".png", write_png}, {".pdf", drawing_write_pdf}};
enum { FORMATS = sizeof formats / sizeof *formats };

/* FORMATS: none of them. */
static size_t format_of(const char *path)
{
  size_t length = strlen(path), i = 0;
  while (i < FORMATS && (length < 4 || strcmp(path + length - 4, formats[i].end) != 0))
    i++;
  return i;
}

int figure_file_check(const command *self, const char *path)
{
  return format_of(path) < FORMATS
             ? 0
             : complain(self, EXIT_USAGE, "%s: expected a name that ends with .svg, .png or .pdf", path);
}

int figure_file_write(const command *self, figure *f, const char *path)
{
  drawing d;
  FILE *out;
  int code = figure_draw(f, &d) ? no_memory(self) : open_result(self, path, &out);
  if (!code && formats[format_of(path)].write(&d, f->title, out) != 0) {
    drop_result(path, out);
    code = no_memory(self);
  } else if (!code)
    code = close_result(self, path, out);
  drawing_free(&d);
  figure_free(f);
  return code;
}
