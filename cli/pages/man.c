/* man.c — the manual: a page a command in section 1 or, for administrators, 8; the formats in 5, a page a registry in 7 */
#include "pages.h"

#include "apps/recommend/recommender.h"
#include "run/metrics.h"
#include "run/trace.h"

#include <string.h>

/* A page is a head, a command's usage and details, its template docs/man/NAME.SECTION.scd, a registry's parts, and an
 * end. A command or a registry may do without a template. */
typedef struct page {
  char name[64];
  int section;
  char summary[128];
  const command *c;  /* NULL: of none */
  const registry *r; /* NULL: of none */
} page;

enum { MOST_PAGES = 64 };
typedef struct manual {
  page page[MOST_PAGES];
  size_t pages; /* may be more than there is room for: then nothing is written */
} manual;

/* ---- what tables give ---- */

static int section_of(const command *c)
{
  return strcmp(c->name, "serve") == 0 ? 8 : 1;
}

static void write_commands(FILE *out)
{
  for (size_t i = 0; i < commands_count; i++) {
    fprintf(out, "*ofw-%s*(%d)\n\t", commands[i].name, section_of(&commands[i]));
    scd_text(out, commands[i].summary);
    fputs("\n\n", out);
  }
}

static void write_columns(FILE *out, size_t n, const ofw_column *column, int kinds)
{
  for (size_t i = 0; i < n; i++) {
    fputc('*', out);
    scd_text(out, column[i].name);
    fputs(!kinds ? "*\n\t" : column[i].kind == OFW_COUNT ? "* (whole number)\n\t" : "* (number)\n\t", out);
    scd_text(out, column[i].help);
    fputs("\n\n", out);
  }
}

static void write_option_row(FILE *out, const option_row *row)
{
  fprintf(out, "*--%s*", row->name);
  if (row->argument) {
    fputc(' ', out);
    scd_usage(out, row->argument);
  }
  if (row->letter)
    fprintf(out, ", *-%c*", row->letter);
  fputs("\n\t", out);
  scd_text(out, row->help);
  fputs("\n\n", out);
}

static void write_command_options(FILE *out, const command *c)
{
  for (const option_id *id = c->options; *id != OPTIONS; id++)
    write_option_row(out, &option_table[*id]);
}

static void write_command(FILE *out, const command *c)
{
  fprintf(out, "# SYNOPSIS\n\n*ofw %s* ", c->name);
  scd_usage(out, c->usage);
  fputs("\n\n# DESCRIPTION\n\n", out);
  scd_paragraphs(out, c->details[0] ? c->details : c->summary);
  fputc('\n', out);
}

/* What may stand for the value, and what stands there if it is left out. */
static void write_range(FILE *out, const ofw_option *o)
{
  char text[FORM_TEXT];
  if (o->kind == OFW_REAL || o->kind == OFW_COUNT) {
    snprintf(text, sizeof text, "%g to %g; ", o->lower, o->upper);
    scd_text(out, text);
  }
  fputs(o->value || o->formula ? "default " : "required", out);
  scd_text(out, o->value ? o->value : o->formula ? o->formula : "");
}

static void write_options(FILE *out, const ofw_option *options)
{
  char form[FORM_TEXT];
  for (const ofw_option *o = options; o->name; o++) {
    fprintf(out, "*%s*=", o->name);
    scd_usage(out, option_form(o, form));
    fputs("\n\t", out);
    scd_text(out, o->help);
    fputs("++\n(", out);
    write_range(out, o);
    fputs(")\n\n", out);
  }
}

static int write_mark(FILE *out, const char *name, void *ctx)
{
  const page *p = ctx;
  if (strcmp(name, "options") == 0 && p->c)
    write_command_options(out, p->c);
  else if (strcmp(name, "commands") == 0)
    write_commands(out);
  else if (strcmp(name, "constants") == 0)
    write_options(out, recommender_options);
  else if (strcmp(name, "columns") == 0)
    write_columns(out, ofw_trace_columns_count, ofw_trace_columns, 1);
  else if (strcmp(name, "metrics") == 0)
    write_columns(out, ofw_metric_count, ofw_metric_table, 0);
  else
    return 0;
  return 1;
}

/* Another line, if there is such a text. */
static void add_line(FILE *out, const char *before, const char *text)
{
  if (!text)
    return;
  fprintf(out, "++\n%s", before);
  scd_text(out, text);
}

static void write_part(FILE *out, const ofw_type *type)
{
  char promise[PROMISE_TEXT];
  fprintf(out, "## %s\n\n", type->name);
  scd_text(out, type->summary);
  add_line(out, "", type->source);
  add_line(out, "", type->promise ? promise_text(type->promise, promise) : NULL);
  add_line(out, "For instance ", type->example);
  fputs("\n\n", out);
  write_options(out, type->options);
}

static void write_upper(FILE *out, const char *text)
{
  for (; *text; text++)
    fputc(*text >= 'a' && *text <= 'z' ? *text - 'a' + 'A' : *text, out);
}

static void write_registry(FILE *out, const registry *r)
{
  fputs("# ", out);
  write_upper(out, r->name);
  fputs("\n\n", out);
  for (size_t i = 0; i < r->count(); i++)
    write_part(out, r->get(i));
  if (r->common) {
    fputs("# OPTIONS OF ALL ", out);
    write_upper(out, r->name);
    fputs("\n\n", out);
    write_options(out, r->common());
  }
}

/* ---- pages ---- */

static void add_page(manual *m, const page *p)
{
  if (m->pages < MOST_PAGES)
    m->page[m->pages] = *p;
  m->pages++;
}

static void collect(manual *m)
{
  add_page(m, &(page){"ofw", 1, "projection-free online optimisation under time-varying constraints", NULL, NULL});
  for (size_t i = 0; i < commands_count; i++) {
    page p = {.section = section_of(&commands[i]), .c = &commands[i]};
    snprintf(p.name, sizeof p.name, "ofw-%s", commands[i].name);
    snprintf(p.summary, sizeof p.summary, "%s", commands[i].summary);
    add_page(m, &p);
  }
  add_page(m, &(page){"ofw-mpi", 1, "plays over matrices that several processes share by rows", NULL, NULL});
  add_page(m, &(page){"ofw-checkpoint", 5, "files of a saved play and of a log of feedback", NULL, NULL});
  add_page(m, &(page){"ofw-pipe", 5, "decisions and feedback as lines of JSON", NULL, NULL});
  add_page(m, &(page){"ofw-trace", 5, "the CSV file of a run", NULL, NULL});
  for (size_t i = 0; i < registries_count; i++) {
    page p = {.section = 7, .r = &registries[i]};
    snprintf(p.name, sizeof p.name, "ofw-%s", registries[i].name);
    snprintf(p.summary, sizeof p.summary, "the %s of ofw and their options", registries[i].name);
    add_page(m, &p);
  }
}

static void write_head(FILE *out, const page *p)
{
  fprintf(out, "%s(%d) \"ofw %s\"\n\n# NAME\n\n%s - ", p->name, p->section, ofw_version(), p->name);
  scd_text(out, p->summary);
  fputs("\n\n", out);
}

static void write_end(FILE *out, const manual *m, const page *p)
{
  const char *comma = "";
  if (p->c)
    fputs("# EXIT STATUS\n\n0 if all went well, else as *ofw*(1) says.\n\n", out);
  fputs("# SEE ALSO\n\n", out);
  for (size_t i = 0; i < m->pages; i++)
    if (&m->page[i] != p) {
      fprintf(out, "%s*%s*(%d)", comma, m->page[i].name, m->page[i].section);
      comma = ", ";
    }
  fputc('\n', out);
}

static int write_body(FILE *out, page *p, FILE *template)
{
  if (p->c)
    write_command(out, p->c);
  if (template && !expand(out, template, write_mark, p))
    return 0;
  if (template)
    fputc('\n', out); /* a template ends without an empty line */
  if (p->c && !template) {
    fputs("# OPTIONS\n\n", out);
    write_command_options(out, p->c);
  }
  if (p->r)
    write_registry(out, p->r);
  return 1;
}

static int write_page(const manual *m, page *p, const char *templates, const char *folder)
{
  char name[sizeof p->name + 16];
  snprintf(name, sizeof name, "%s.%d.scd", p->name, p->section);
  FILE *template = open_file(templates, name, "r", p->c || p->r), *out = NULL;
  if ((template || p->c || p->r) && (out = open_file(folder, name, "w", 0)))
    write_head(out, p);
  int done = out && write_body(out, p, template);
  if (out) {
    write_end(out, m, p);
    done = close_file(out, name) && done;
  }
  if (template)
    (void)fclose(template);
  return done;
}

int write_manual(const char *templates, const char *folder)
{
  manual m = {.pages = 0};
  collect(&m);
  int done = m.pages <= MOST_PAGES;
  if (!done)
    fprintf(stderr, "ofw-pages: %zu pages, room for %d\n", m.pages, MOST_PAGES);
  for (size_t i = 0; i < m.pages && done; i++)
    done = write_page(&m, &m.page[i], templates, folder);
  return done;
}
