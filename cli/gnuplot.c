#include "gnuplot.h"

#include "base/base.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

const char *const gnuplot_colours[GNUPLOT_COLOURS] = {"#0072b2", "#e69f00", "#009e73", "#cc79a7",
                                                      "#d55e00", "#56b4e9", "#000000"};

/* Sizes are given in pixels; paper has 100 of them an inch. */
static const struct {
  const char *end, *terminal;
  double unit;
} formats[] = {
    {".svg", "svg font 'sans,12' background 'white'", 1.0},
    {".png", "pngcairo font 'sans,12' background 'white'", 1.0},
    {".pdf", "pdfcairo font 'sans,9' background 'white'", 0.01},
};
enum { FORMATS = sizeof formats / sizeof *formats };

/* FORMATS: none of them. */
static size_t format_of(const char *path)
{
  size_t length = strlen(path), i = 0;
  while (i < FORMATS && (length < 4 || strcmp(path + length - 4, formats[i].end) != 0))
    i++;
  return i;
}

int gnuplot_check(const command *self, const char *path)
{
  if (format_of(path) == FORMATS)
    return complain(self, EXIT_USAGE, "%s: a figure's name ends with .svg, .png or .pdf", path);
  if (system("command -v gnuplot > /dev/null 2>&1") != 0)
    return complain(self, EXIT_FAILED, "figures need gnuplot, which is not installed");
  return 0;
}

int gnuplot_open(gnuplot *g, const command *self, const char *path, double width, double height)
{
  size_t format = format_of(path);
  ofw_text part = {0};
  ofw_text_add(&part, "%s.part", path);
  *g = (gnuplot){.self = self, .path = path, .part = part.chars};
  g->out = part.failed ? NULL : popen("gnuplot", "w");
  if (!g->out)
    return complain(self, EXIT_FAILED, "cannot run gnuplot: %s", strerror(errno));
  fprintf(g->out, "set terminal %s size %g,%g\nset output ", formats[format].terminal, width * formats[format].unit,
          height * formats[format].unit);
  gnuplot_text(g->out, g->part);
  fputc('\n', g->out);
  return 0;
}

int gnuplot_close(gnuplot *g, int code)
{
  int status = g->out ? pclose(g->out) : 0;
  if (!code && (!WIFEXITED(status) || WEXITSTATUS(status) != 0))
    code = complain(g->self, EXIT_FAILED, "gnuplot could not draw %s", g->path);
  else if (!code && rename(g->part, g->path) != 0)
    code = complain(g->self, EXIT_FAILED, "cannot write %s: %s", g->path, strerror(errno));
  if (code && g->part)
    unlink(g->part);
  free(g->part);
  return code;
}

/* 1, 2 or 5 times a power of ten. */
void gnuplot_x_tics(FILE *out, double largest)
{
  static const double MOST = 6.0, step[] = {1.0, 2.0, 5.0};
  if (!(largest > 0.0 && isfinite(largest))) {
    fputs("set xtics autofreq\n", out);
    return;
  }
  double power = pow(10.0, floor(log10(largest / MOST)));
  size_t k = 0;
  while (k < 3 && step[k] * power < largest / MOST)
    k++;
  fprintf(out, "set xtics %.9g\n", k < 3 ? step[k] * power : 10.0 * power);
}

void gnuplot_text(FILE *out, const char *text)
{
  fputc('\'', out);
  for (; *text; text++) {
    if (*text == '\'')
      fputc('\'', out);
    fputc(*text, out);
  }
  fputc('\'', out);
}
