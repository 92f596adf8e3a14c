/* gnuplot.c — a gnuplot script from trusted parts and escaped texts, run without a shell
 *
 * The figure is written beside its place and renamed, so that an interrupted run leaves the old one.
 */
#include "gnuplot.h"
#include "whole_file.h"

#include "base/plain.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

const unsigned gnuplot_colours[GNUPLOT_COLOURS] = {0xe69f00, 0xd55e00, 0x0072b2, 0x000000,
                                                   0x009e73, 0xcc79a7, 0x56b4e9, 0x7f7f7f};

struct gnuplot {
  const command *self;
  const char *path;
  gnuplot_sheet sheet;
  FILE *script;  /* which figures write to by gnuplot_put alone */
  FILE *said;    /* gnuplot's stderr: what it says is shown if it fails */
  FILE *picture; /* gnuplot's stdout */
};

/* ---- the format ---- */

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
    return complain(self, EXIT_USAGE, "%s: expected a name that ends with .svg, .png or .pdf", path);
  if (system("command -v gnuplot > /dev/null 2>&1") != 0)
    return complain(self, EXIT_FAILED, "figures need gnuplot, which is not installed; install it");
  return 0;
}

/* ---- the script ---- */

enum { LONGEST_TEXT = 240 }; /* bytes; more would not fit into a figure */

/* In double quotes letters stand for themselves and every other byte is written \ooo; digits too, which gnuplot would take for a
 * fourth one of the \ooo before. So the script has no quote, no backquote and no line's end that a text brought along. */
static void put_bytes(FILE *out, const char *text, size_t length)
{
  for (size_t i = 0; i < length; i++) {
    unsigned char byte = (unsigned char)text[i];
    fprintf(out, byte < 128 && isalpha(byte) ? "%c" : "\\%03o", byte);
  }
}

static void put_text(FILE *out, const char *text)
{
  const char *at = text;
  fputc('"', out);
  while (*at && at < text + LONGEST_TEXT) {
    size_t length = ofw_plain_length(at);
    if (at > text + 1 && memcmp(at - 2, "]]>", 3) == 0)
      put_bytes(out, " ", 1); /* else gnuplot's SVG is not well-formed */
    put_bytes(out, length ? at : "?", length ? length : 1);
    at += length ? length : 1;
  }
  fputs(*at ? "..\" noenhanced" : "\" noenhanced", out);
}

/* One conversion, which ends with `kind`; is_long: it has an 'l' before that. */
static void put_value(FILE *out, char kind, int is_long, va_list *args)
{
  if (kind == 's')
    put_text(out, va_arg(*args, const char *));
  else if (kind == 'g')
    fprintf(out, "%.9g", va_arg(*args, double));
  else if (kind == 'u' && is_long)
    fprintf(out, "%llu", va_arg(*args, unsigned long long));
  else if (kind == 'u')
    fprintf(out, "%zu", va_arg(*args, size_t));
  else if (kind == 'x')
    fprintf(out, "%06x", va_arg(*args, unsigned));
  else if (kind == 'd')
    fprintf(out, "%d", va_arg(*args, int));
  else
    fputc('%', out); /* "%%" */
}

void gnuplot_put(gnuplot *g, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  for (const char *at = format; *at; at++) {
    if (*at != '%') {
      fputc(*at, g->script);
      continue;
    }
    size_t more = strspn(at + 1, "lz");
    put_value(g->script, at[1 + more], at[1] == 'l', &args);
    at += 1 + more;
  }
  va_end(args);
}

/* 1, 2 or 5 times a power of ten. */
void gnuplot_x_tics(gnuplot *g, double largest)
{
  static const double MOST = 6.0, step[] = {1.0, 2.0, 5.0};
  if (!(largest > 0.0 && isfinite(largest))) {
    gnuplot_put(g, "set xtics autofreq\n");
    return;
  }
  double power = pow(10.0, floor(log10(largest / MOST)));
  size_t k = 0;
  while (k < 3 && step[k] * power < largest / MOST)
    k++;
  gnuplot_put(g, "set xtics %g\n", k < 3 ? step[k] * power : 10.0 * power);
}

/* ---- the figure ---- */

static void discard(gnuplot *g)
{
  if (g->script)
    (void)fclose(g->script);
  if (g->said)
    (void)fclose(g->said);
  free(g);
}

static double all_lines(const gnuplot_sheet *s)
{
  return (double)s->lines * s->height + s->legend;
}

int gnuplot_open(const command *self, const char *path, const gnuplot_sheet *sheet, gnuplot **out)
{
  size_t format = format_of(path);
  gnuplot *g = *out = calloc(1, sizeof *g);
  if (!g)
    return no_memory(self);
  *g = (gnuplot){.self = self, .path = path, .sheet = *sheet, .script = tmpfile(), .said = tmpfile()};
  int code = g->script && g->said ? open_result(self, path, &g->picture)
                                  : complain(self, EXIT_FAILED, "no file for gnuplot's script: %s", strerror(errno));
  if (code) {
    discard(g);
    *out = NULL;
    return code;
  }
  fprintf(g->script,
          "set encoding utf8\nset terminal %s size %g,%g\n$nothing << end\n1 1\nend\nset multiplot\n"
          "set grid linecolor rgb '#dddddd'\nunset key\n",
          formats[format].terminal, (double)sheet->columns * sheet->width * formats[format].unit,
          all_lines(sheet) * formats[format].unit);
  return 0;
}

void gnuplot_panel(gnuplot *g, size_t line, size_t column)
{
  double high = g->sheet.height / all_lines(&g->sheet), columns = (double)g->sheet.columns;
  gnuplot_put(g, "set size %g,%g\nset origin %g,%g\n", 1.0 / columns, high, (double)column / columns,
              1.0 - (double)(line + 1) * high);
}

void gnuplot_legend(gnuplot *g, int columns, int sample)
{
  gnuplot_put(g,
              "set size 1,%g\nset origin 0,0\nunset logscale\nunset border\nunset tics\nunset title\nunset xlabel\n"
              "unset ylabel\nunset grid\nset format ''\n"
              "set key center center horizontal Left reverse maxcols %d samplen %d width 2\n"
              "plot [10:20][10:20] $nothing",
              g->sheet.legend / all_lines(&g->sheet), columns, sample);
}

/* gnuplot without start-up files (-d), from the script to the picture. Its exit status; -1: it did not start or end,
 * and errno says why. */
static int run(gnuplot *g)
{
  extern char **environ;
  static char name[] = "gnuplot", settings[] = "-d";
  char *const words[] = {name, settings, NULL};
  posix_spawn_file_actions_t files;
  pid_t child = 0;
  int status = 0;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, fileno(g->script), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, fileno(g->picture), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, fileno(g->said), STDERR_FILENO);
  errno = posix_spawnp(&child, name, &files, NULL, words, environ);
  posix_spawn_file_actions_destroy(&files);
  if (errno)
    return -1;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* With the last line that gnuplot said. */
static int tell_failure(gnuplot *g)
{
  char line[200], last[200] = "it did not say why";
  rewind(g->said);
  while (fgets(line, sizeof line, g->said)) {
    const char *words = line + strspn(line, " \t\n");
    if (*words)
      snprintf(last, sizeof last, "%.*s", (int)strcspn(words, "\n"), words);
  }
  return complain(g->self, EXIT_FAILED, "gnuplot cannot draw %s: %s", g->path, last);
}

static int draw(gnuplot *g)
{
  if (fflush(g->script) != 0 || ferror(g->script) || lseek(fileno(g->script), 0, SEEK_SET) != 0)
    return complain(g->self, EXIT_FAILED, "cannot write gnuplot's script: %s", strerror(errno));
  int status = run(g);
  if (status < 0)
    return complain(g->self, EXIT_FAILED, "cannot run gnuplot: %s", strerror(errno));
  return status > 0 ? tell_failure(g) : 0;
}

int gnuplot_close(gnuplot *g)
{
  gnuplot_put(g, "\nunset multiplot\n");
  int code = draw(g);
  if (code)
    drop_result(g->path, g->picture);
  else
    code = close_result(g->self, g->path, g->picture);
  discard(g);
  return code;
}
