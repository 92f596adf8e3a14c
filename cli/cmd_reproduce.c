/* cmd_reproduce.c — ofw reproduce: a published experiment from its data to its figures, claims and page
 *
 * What the paper leaves open is filled in by readings (readings.h). Each is played by itself; after each, everything that lays
 * readings side by side is made again from all that are there, so that the order in which they are played does not matter.
 */
#include "analysis.h"
#include "on_device.h"
#include "phase.h"
#include "plot.h"
#include "readings.h"
#include "report.h"
#include "shown.h"
#include "suites.h"
#include "whole_file.h"

#include "base/basics.h"
#include "lab/data/sets.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const option_id reproduce_options[] = {OPT_OUTPUT, OPT_READING, OPT_QUICK, OPT_DROP, OPT_DEVICE,
                                       OPT_JOBS,   OPT_JSON,    OPT_QUIET, OPT_HELP, OPTIONS};

typedef struct reproduction {
  const char *name; /* on the command line, and of files of experiments/ */
  const char *data; /* the set of ratings */
} reproduction;
static const reproduction reproductions[] = {{"movielens", "movielens-100k"}, {"filmtrust", "filmtrust"}};
enum { REPRODUCTIONS = sizeof reproductions / sizeof *reproductions };

static const reproduction *find(const char *name)
{
  for (size_t i = 0; i < REPRODUCTIONS; i++)
    if (strcmp(reproductions[i].name, name) == 0)
      return &reproductions[i];
  return NULL;
}

/* ---- the experiment ---- */

/* Every `from` becomes `to`; free() returns it. NULL: no memory. */
static char *replaced(const char *text, const char *from, const char *to)
{
  ofw_text out = {0};
  const char *at;
  for (; (at = strstr(text, from)); text = at + strlen(from))
    ofw_text_add(&out, "%.*s%s", (int)(at - text), text, to);
  ofw_text_add(&out, "%s", text);
  if (out.failed) {
    free(out.chars);
    return NULL;
  }
  return out.chars;
}

/* Ratings that are like those of a set which is not there; the title and the stream's label say so. */
static char *with_generated(const char *text, const data_set *set)
{
  char from[96], to[96];
  snprintf(from, sizeof from, "file=%s", set->file);
  snprintf(to, sizeof to, "like=%s", set->name);
  const struct {
    const char *from, *to;
  } change[] = {{from, to}, {"\nrounds =", ", generated ratings\nrounds ="}, {"[stream ", "[stream like "}};
  char *now = ofw_copy_text(text);
  for (size_t i = 0; now && i < sizeof change / sizeof *change; i++) {
    char *before = now;
    now = replaced(before, change[i].from, change[i].to);
    free(before);
  }
  return now;
}

/* Whether the ratings are in the data folder; says so if they are not. */
static int has_data(const command *self, const data_set *set)
{
  char *path = NULL;
  ofw_error err = {0};
  int is_there = data_set_path(set, &path, &err) == OFW_OK && access(path, R_OK) == 0;
  free(path);
  if (!is_there)
    complain(self, 0, "%s is not in the data folder, so similar ratings are generated ('ofw help data')", set->name);
  return is_there;
}

/* ---- what is made of the results ---- */

#define FIRST_FIGURE "curves" /* as lab/experiment.c names it */

/* One figure in all formats: "curves", "curves-ours" for the figure ours, or "front". */
static int draw_figure(const command *self, const char *folder, const plot_data *data, const plot_view *view)
{
  static const char *const formats[] = {"svg", "png", "pdf"};
  int code = 0, named = view && strcmp(view->figure, FIRST_FIGURE) != 0;
  for (size_t i = 0; i < sizeof formats / sizeof *formats && !code; i++) {
    char *path = ofw_format("%s/%s%s%s.%s", folder, view ? FIRST_FIGURE : "front", named ? "-" : "",
                            named ? view->figure : "", formats[i]);
    code = !path ? no_memory(self) : view ? plot_draw(self, data, view, path) : plot_draw_front(self, data, path);
    free(path);
  }
  return code;
}

/* 1: no learner before has the figure's name. */
static int begins_figure(const plot_data *data, size_t arm)
{
  for (size_t k = 0; k < arm; k++)
    if (strcmp(data->figure[k], data->figure[arm]) == 0)
      return 0;
  return 1;
}

static int draw_all(const command *self, const char *folder, const plot_data *data)
{
  plot_view view = {.metric = {CURVE_LOSS, CURVE_CCV}, .metrics = 2, .across = CURVE_COLUMNS};
  char *csv = ofw_format("%s/curves.csv", folder);
  int code = csv ? plot_write_csv(self, data, &view, csv) : no_memory(self);
  free(csv);
  for (size_t i = 0; i < data->arms && !code; i++)
    if (begins_figure(data, i)) {
      view.figure = data->figure[i];
      code = draw_figure(self, folder, data, &view);
    }
  return code ? code : draw_figure(self, folder, data, NULL);
}

/* Each learner in the figure that the experiment's file says. */
static void choose_figures(plot_data *data, const lab_experiment *x)
{
  for (size_t i = 0; i < data->arms; i++) {
    data->figure[i] = FIRST_FIGURE;
    for (const lab_player *p = x->player; p < x->player + x->players; p++)
      if (strcmp(p->label, data->arm[i].label) == 0)
        data->figure[i] = p->figure;
  }
}

static int draw(const command *self, const char *folder, results *from, const lab_experiment *x)
{
  plot_data data;
  ofw_error err = {0};
  int code = plot_read(from, &data, &err) == OFW_OK ? 0 : refuse(self, &err);
  if (!code) {
    choose_figures(&data, x);
    code = draw_all(self, folder, &data);
  }
  plot_free(&data);
  return code;
}

/* An object, whose fields `fill` writes, as a file of the folder. */
static int write_object(const command *self, const char *folder, const char *file,
                        void (*fill)(json *j, const void *from), const void *from)
{
  char *path = ofw_format("%s/%s", folder, file);
  json j = {0};
  int code = path ? open_result(self, path, &j.out) : no_memory(self);
  if (!code) {
    json_open(&j, NULL);
    fill(&j, from);
    json_close(&j);
    fputc('\n', j.out);
    code = close_result(self, path, j.out);
  }
  free(path);
  return code;
}

/* What claims.json is made of. */
typedef struct judged_reading {
  const reading *of; /* NULL: of a file */
  const claims *judged;
} judged_reading;

static void fill_claims(json *j, const void *from)
{
  const judged_reading *r = from;
  json_text(j, "title", r->judged->of.title);
  json_text(j, "reading", r->of ? r->of->name : NULL);
  json_count(j, "rounds", r->judged->of.rounds);
  json_count(j, "seeds", r->judged->of.seeds);
  json_real(j, "level", OFW_PAIRED_LEVEL);
  claims_json(j, r->judged);
}

static void fill_readings(json *j, const void *from)
{
  readings_json(j, from);
}

static int write_page(const command *self, const char *folder, const readings *all)
{
  char *page = ofw_format("%s/report.html", folder);
  int code = page ? report_write(self, folder, page, all) : no_memory(self);
  free(page);
  return code;
}

#define KEPT "all plays are kept, and the same command writes what is missing"

/* Figures and claims of what is in a folder. With --json the claims are a file alone: stdout has one object. */
static int present(const command *self, const arguments *args, const reading *of, const char *folder)
{
  results *from = NULL;
  claims judged = {0};
  ofw_error err = {0};
  phase_begin(self, args, KEPT, "testing the claims by the plays of %s", folder);
  ofw_status st = results_open(folder, &from, &err);
  if (st == OFW_OK)
    st = claims_read(from, &judged, &err);
  phase_begin(self, args, KEPT, "drawing the figures of %s", folder);
  int code = st == OFW_OK ? draw(self, folder, from, &judged.of) : refuse(self, &err);
  phase_end();
  const judged_reading result = {of, &judged};
  if (!code && !(code = write_object(self, folder, "claims.json", fill_claims, &result)) && !args->value[OPT_JSON]) {
    if (of)
      print_shown("reading %s: %s\n", of->name, judged.of.title);
    claims_print(&judged);
  }
  claims_free(&judged);
  results_close(from);
  return code;
}

/* readings.json, and the pages that show it: that of the first reading and of the one in `folder`. */
static int lay_side_by_side(const command *self, const arguments *args, const char *set, const char *output,
                            const char *folder, int print)
{
  readings all;
  phase_begin(self, args, KEPT, "writing the page of %s", folder);
  int code = readings_read(self, set, output, &all);
  if (!code)
    code = write_object(self, output, "readings.json", fill_readings, &all);
  if (!code)
    code = write_page(self, folder, &all);
  if (!code && strcmp(folder, output) != 0 && all.n > 0 && all.played->of == readings_known)
    code = write_page(self, output, &all);
  phase_end();
  if (!code && print && all.n > 1 && !args->value[OPT_JSON])
    readings_print(&all);
  readings_free(&all);
  return code;
}

/* What is printed last: where the page is, or all of it as one object. */
static int print_end(const command *self, const arguments *args, const reading *of, const char *folder)
{
  json j = {0};
  results *from = NULL;
  claims judged = {0};
  ofw_error err = {0};
  if (!args->value[OPT_JSON]) {
    print_shown("\n%s/report.html\n", folder);
    return 0;
  }
  char *page = ofw_format("%s/report.html", folder);
  ofw_status st = page ? results_open(folder, &from, &err) : ofw_fail_memory(&err, strlen(folder));
  if (st == OFW_OK)
    st = claims_read(from, &judged, &err);
  if (st == OFW_OK) {
    json_open(&j, NULL);
    json_text(&j, "page", page);
    fill_claims(&j, &(judged_reading){of, &judged});
    json_close(&j);
    putchar('\n');
  }
  claims_free(&judged);
  results_close(from);
  free(page);
  return st == OFW_OK ? 0 : refuse(self, &err);
}

/* ---- the command ---- */

/* A set to be played. */
typedef struct task {
  const arguments *args;
  const reproduction *of;
  const char *output;
  const data_set *generated; /* ratings like it stand in for it; NULL: it is there */
  int every;                 /* all of its readings */
} task;

/* The reading's experiment, on the data if they are there. 0, or an exit code after a complaint; lab_experiment_free returns
 * it in either case. */
static int open_reading(const command *self, const task *t, const reading *of, lab_experiment *out)
{
  const char *end = t->args->value[OPT_QUICK] ? "-quick" : "";
  char name[96];
  ofw_error err = {0};
  snprintf(name, sizeof name, "%s-%s%s", t->of->name, of->name, end);
  int code = open_on_device(self, t->args, name, &suite_library, out);
  if (code || !t->generated)
    return code;
  char *text = with_generated(out->text, t->generated);
  lab_experiment_free(out);
  ofw_status st = text ? lab_experiment_read(name, text, out, &err) : ofw_fail_memory(&err, 1);
  free(text);
  return st == OFW_OK ? 0 : refuse(self, &err);
}

/* Plays one reading and presents it, with the table of readings if it is the last. *shown: its page is there. */
static int play_reading(const command *self, const task *t, const reading *of, int last, int *shown)
{
  lab_experiment x = {0};
  char *folder = reading_folder(t->output, of);
  int whole = 0, presented = 0, code = folder ? open_reading(self, t, of, &x) : no_memory(self);
  if (!code)
    code = sweep_into(self, t->args, &x, folder, &whole);
  if (whole && !(presented = present(self, t->args, of, folder)))
    presented = lay_side_by_side(self, t->args, t->of->name, t->output, folder, last);
  *shown = whole && !presented;
  if (*shown && last) /* of all readings the first one's page is the one to look at */
    presented = print_end(self, t->args, t->every ? readings_known : of, t->every ? t->output : folder);
  lab_experiment_free(&x);
  free(folder);
  return code ? code : presented;
}

static const reading *next_reading(const task *t, const reading *after)
{
  const reading *of = after + 1;
  while (of->name && !reading_find(t->of->name, of->name))
    of++;
  return of->name ? of : NULL;
}

/* One after the other; plays that failed do not keep the next from being played, missing ones do. */
static int play_all(const command *self, const task *t)
{
  int code = 0, shown = 1;
  for (const reading *of = readings_known, *next; of && shown; of = next) {
    next = next_reading(t, of);
    if (!t->args->value[OPT_QUIET])
      complain(self, 0, "reading %s: %s", of->name, of->about);
    int failed = play_reading(self, t, of, !next, &shown);
    code = code ? code : failed;
  }
  return code;
}

/* "literal, vertex, .. or all" */
static int refuse_reading(const command *self, const reproduction *r, const char *name)
{
  ofw_text known = {0};
  for (const reading *of = readings_known; of->name; of++)
    if (reading_find(r->name, of->name))
      ofw_text_add(&known, "%s, ", of->name);
  int code = complain(self, EXIT_USAGE, "--reading %s: expected a reading of %s: %sall", name, r->name,
                      known.failed ? "" : known.chars);
  free(known.chars);
  return code;
}

static int reproduce_set(const command *self, const arguments *args, const reproduction *r)
{
  const char *name = args->value[OPT_READING] ? args->value[OPT_READING] : readings_known->name;
  int shown, every = strcmp(name, "all") == 0;
  const reading *of = every ? readings_known : reading_find(r->name, name);
  const data_set *set = data_set_find(r->data);
  if (!of)
    return refuse_reading(self, r, name);
  const task t = {args, r, args->value[OPT_OUTPUT], has_data(self, set) ? NULL : set, every};
  return every ? play_all(self, &t) : play_reading(self, &t, of, 1, &shown);
}

static int reproduce_file(const command *self, const arguments *args, const char *file)
{
  const char *folder = args->value[OPT_OUTPUT];
  lab_experiment x;
  int whole = 0, presented = 0, code = open_on_device(self, args, file, &file_library, &x);
  if (!code)
    code = sweep_into(self, args, &x, folder, &whole);
  lab_experiment_free(&x);
  if (whole && !(presented = present(self, args, NULL, folder)) && !(presented = write_page(self, folder, NULL)))
    presented = print_end(self, args, NULL, folder);
  return code ? code : presented;
}

int reproduce_main(const command *self, const arguments *args)
{
  int code;
  if (!args->words)
    return complain(self, EXIT_USAGE,
                    "expected movielens, filmtrust or FILE.ini, found nothing; see 'ofw help reproduce'");
  const char *word = args->word[0];
  const reproduction *r = find(word);
  size_t length = strlen(word);
  if ((code = require(self, args, OPT_OUTPUT)))
    return code;
  if (r)
    return reproduce_set(self, args, r);
  if (length < 4 || strcmp(word + length - 4, ".ini") != 0)
    return complain(self, EXIT_USAGE, "expected movielens, filmtrust or FILE.ini, found %s", word);
  if (args->value[OPT_QUICK] || args->value[OPT_READING])
    return complain(self, EXIT_USAGE, "--%s works only with movielens and filmtrust; edit %s instead",
                    args->value[OPT_QUICK] ? "quick" : "reading", word);
  return reproduce_file(self, args, word);
}
