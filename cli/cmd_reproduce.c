/* cmd_reproduce.c — ofw reproduce: a published experiment from its data to its figures, claims and page */
#include "analysis.h"
#include "gnuplot.h"
#include "plot.h"
#include "report.h"
#include "shown.h"
#include "suites.h"
#include "verdicts.h"
#include "whole_file.h"

#include "base/basics.h"
#include "lab/data/sets.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const option_id reproduce_options[] = {OPT_OUTPUT, OPT_DROP, OPT_QUICK, OPT_JOBS, OPT_QUIET, OPT_HELP, OPTIONS};

typedef struct reproduction {
  const char *name, *quick; /* files of experiments/; the first also on the command line */
  const char *set;          /* of the data */
} reproduction;
static const reproduction reproductions[] = {
    {"movielens", "movielens-quick", "movielens-100k"},
    {"filmtrust", "filmtrust-quick", "filmtrust"},
};
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

/* Where the data are not there, ratings that are like them; the title says so. */
static char *with_generated(const char *text, const data_set *set)
{
  char from[96], to[96];
  snprintf(from, sizeof from, "file=%s", set->file);
  snprintf(to, sizeof to, "like=%s", set->name);
  char *other = replaced(text, from, to);
  char *titled = other ? replaced(other, "\nrounds =", ", generated ratings\nrounds =") : NULL;
  free(other);
  return titled;
}

/* One of ours, on the data if they are there. */
static int choose_ours(const command *self, const reproduction *r, int quick, lab_experiment *out)
{
  const data_set *set = data_set_find(r->set);
  char *path = NULL, *text = NULL;
  ofw_error err = {0};
  int is_there = data_set_path(set, &path, &err) == OFW_OK && access(path, R_OK) == 0;
  free(path);
  ofw_status st = lab_experiment_open(quick ? r->quick : r->name, &suite_library, out, &err);
  if (st == OFW_OK && !is_there) {
    complain(self, 0, "%s is not in the data folder: ratings like it are generated ('ofw help data')", set->name);
    text = with_generated(out->text, set);
    lab_experiment_free(out);
    st = text ? lab_experiment_read(r->name, text, out, &err) : ofw_fail_memory(&err, 1);
    free(text);
  }
  return st == OFW_OK ? 0 : refuse(self, &err);
}

/* The experiment that the word names: one of ours, or a file. lab_experiment_free returns it in any case. */
static int choose(const command *self, const char *word, int quick, lab_experiment *out)
{
  const reproduction *r = find(word);
  size_t length = strlen(word);
  ofw_error err = {0};
  *out = (lab_experiment){0};
  if (r)
    return choose_ours(self, r, quick, out);
  if (length < 4 || strcmp(word + length - 4, ".ini") != 0)
    return complain(self, EXIT_USAGE, "%s is none of movielens, filmtrust, FILE.ini", word);
  if (quick)
    return complain(self, EXIT_USAGE, "--quick is for movielens and filmtrust; %s says itself how long it is", word);
  return lab_experiment_open(word, &file_library, out, &err) == OFW_OK ? 0 : refuse(self, &err);
}

/* ---- what is made of the results ---- */

static int draw_all(const command *self, const char *folder, const plot_data *data)
{
  static const char *const figures[] = {"curves.svg", "curves.png", "curves.pdf",
                                        "front.svg",  "front.png",  "front.pdf"};
  const plot_view view = {.metric = {CURVE_LOSS, CURVE_CCV}, .metrics = 2, .across = CURVE_COLUMNS};
  int code = 0;
  for (size_t i = 0; i < sizeof figures / sizeof *figures && !code; i++) {
    char *path = ofw_format("%s/%s", folder, figures[i]);
    code = !path ? no_memory(self) : i < 3 ? plot_draw(self, data, &view, path) : plot_draw_front(self, data, path);
    free(path);
  }
  char *csv = ofw_format("%s/curves.csv", folder);
  if (!code)
    code = csv ? plot_write_csv(self, data, &view, csv) : no_memory(self);
  free(csv);
  return code;
}

static int write_claims(const command *self, const char *folder, const claims *judged)
{
  char *path = ofw_format("%s/claims.json", folder);
  json j = {0};
  int code = path ? open_result(self, path, &j.out) : no_memory(self);
  if (!code) {
    json_open(&j, NULL);
    json_text(&j, "title", judged->of.title);
    json_count(&j, "rounds", judged->of.rounds);
    json_count(&j, "seeds", judged->of.seeds);
    json_real(&j, "level", OFW_PAIRED_LEVEL);
    claims_json(&j, judged);
    json_close(&j);
    fputc('\n', j.out);
    code = close_result(self, path, j.out);
  }
  free(path);
  return code;
}

static int present(const command *self, const char *folder)
{
  results *from = NULL;
  plot_data data = {0};
  claims judged = {0};
  ofw_error err = {0};
  char *page = ofw_format("%s/report.html", folder);
  ofw_status st = page ? results_open(folder, &from, &err) : ofw_fail_memory(&err, strlen(folder));
  if (st == OFW_OK)
    st = plot_read(from, &data, &err);
  if (st == OFW_OK)
    st = claims_read(from, &judged, &err);
  int code = st == OFW_OK ? draw_all(self, folder, &data) : refuse(self, &err);
  if (!code && !(code = write_claims(self, folder, &judged)) &&
      !(code = report_write(self, results_path(from), page))) {
    claims_print(&judged);
    print_shown("\n%s\n", page);
  }
  claims_free(&judged);
  plot_free(&data);
  results_close(from);
  free(page);
  return code;
}

int reproduce_main(const command *self, const arguments *args)
{
  lab_experiment x = {0};
  const char *folder = args->value[OPT_OUTPUT];
  int whole = 0, code;
  if (!args->words)
    return complain(self, EXIT_USAGE, "movielens, filmtrust or FILE.ini is needed; see 'ofw help reproduce'");
  if (!(code = require(self, args, OPT_OUTPUT)) && !(code = gnuplot_check(self, "curves.svg")) &&
      !(code = choose(self, args->word[0], args->value[OPT_QUICK] != NULL, &x)))
    code = sweep_into(self, args, &x, folder, &whole);
  lab_experiment_free(&x);
  int presented = whole ? present(self, folder) : 0;
  return code ? code : presented;
}
