/* analysis.c — plays first, then reads: what is printed comes from the database alone, so a command that is run again on a
 * finished folder prints the same without a play */
#include "analysis.h"

#include "progress.h"

#include "base/limits.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- play ---- */

static void on_cell(void *ctx, const lab_tally *t)
{
  progress *p = ctx;
  p->cells = t->cells;
  p->known = t->known;
  p->played = t->played;
  p->work = t->work;
  p->known_work = t->known_work;
  p->played_work = t->played_work;
  if (t->played > 0) /* one that is finished has nothing to show */
    progress_report(p);
}

int play_experiment(const command *self, const arguments *args, const lab_experiment *x, const char *folder,
                    lab_tally *tally)
{
  uint64_t jobs;
  progress p;
  ofw_error err = {0};
  int code = read_count_in(self, args, OPT_JOBS, lab_processors(), 1, OFW_MOST_JOBS, &jobs);
  if (code)
    return code;
  progress_begin(&p, args->value[OPT_QUIET] != NULL);
  const lab_sweep ask = {.of = x,
                         .folder = folder,
                         .drop = args->value[OPT_DROP] != NULL,
                         .jobs = (size_t)jobs,
                         .watch = on_cell,
                         .ctx = &p};
  ofw_status st = lab_sweep_play(&ask, tally, &err);
  progress_end(&p);
  if (tally->signal)
    return complain(self, 128 + tally->signal, "%s with %zu of %zu plays done%s",
                    tally->signal == EXIT_INTERRUPTED - 128 ? "interrupted" : "terminated",
                    tally->known + tally->played, tally->cells,
                    args->value[OPT_OUTPUT] ? "; the same command goes on there"
                                            : ", which are lost; --output DIR would have kept them");
  return st == OFW_OK ? 0 : complain(self, exit_code(st), "%s", err.message);
}

/* ---- the folder ---- */

static ofw_status make_temporary(char **out, ofw_error *err)
{
  const char *within = getenv("TMPDIR");
  ofw_text path = {0};
  ofw_text_add(&path, "%s/ofw-XXXXXX", within && *within ? within : "/tmp");
  *out = path.failed ? NULL : path.chars;
  if (*out && mkdtemp(*out))
    return OFW_OK;
  ofw_status st = ofw_fail(err, OFW_FAILED, "cannot make the folder %.300s: %s", *out ? *out : "", strerror(errno));
  free(path.chars);
  *out = NULL;
  return st;
}

static void remove_temporary(const char *folder)
{
  static const char *const ends[] = {"", "-journal", "-wal", "-shm"};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    ofw_text path = {0};
    ofw_text_add(&path, "%s/results.db%s", folder, ends[i]);
    if (!path.failed)
      (void)unlink(path.chars);
    free(path.chars);
  }
  (void)rmdir(folder);
}

int analysis_open(const command *self, const arguments *args, ofw_text *text, analysis *out)
{
  const char *folder = args->value[OPT_OUTPUT];
  lab_tally tally = {0};
  ofw_error err = {0};
  *out = (analysis){0};
  ofw_status st = text->failed ? ofw_fail_memory(&err, text->room) : OFW_OK;
  if (st == OFW_OK)
    st = lab_experiment_read(self->name, text->chars, &out->of, &err);
  free(text->chars);
  if (st == OFW_OK)
    st = lab_experiment_check(&out->of, &err);
  if (st == OFW_OK && !folder)
    st = make_temporary(&out->folder, &err);
  folder = folder ? folder : out->folder;
  int code = st == OFW_OK ? play_experiment(self, args, &out->of, folder, &tally) : 0;
  if (st == OFW_OK && !code)
    st = results_open(folder, &out->from, &err);
  if (st == OFW_OK && out->from)
    st = lab_rows_read(out->from, &out->rows, &err);
  return st == OFW_OK ? code : complain(self, exit_code(st), "%s", err.message);
}

void analysis_close(analysis *a)
{
  lab_rows_free(&a->rows);
  results_close(a->from);
  lab_experiment_free(&a->of);
  if (a->folder)
    remove_temporary(a->folder);
  free(a->folder);
}

/* ---- tunings ---- */

void print_run_json(json *j, const lab_run *run)
{
  json_open(j, NULL);
  json_open_list(j, "factors");
  json_real(j, NULL, run->factor[0]);
  json_real(j, NULL, run->factor[1]);
  json_close_list(j);
  json_real(j, "regret", run->regret);
  json_real(j, "loss", run->loss);
  json_real(j, "ccv", run->ccv);
  json_real(j, "score", run->score);
  json_flag(j, "front", run->front);
  json_text(j, "error", run->error);
  json_close(j);
}

void print_tuning_json(json *j, const lab_measured *m)
{
  const lab_tuning *t = &m->tuning;
  json_count(j, "rounds", m->cell[0].rounds);
  json_count(j, "first_seed", m->cell[0].seed);
  json_count(j, "seeds", t->seeds);
  json_open_list(j, "constants");
  json_text(j, NULL, m->arm->constant[0]);
  json_text(j, NULL, m->arm->constant[1]);
  json_close_list(j);
  json_open_list(j, "runs");
  for (size_t i = 0; i < t->runs; i++)
    print_run_json(j, &t->run[i]);
  json_close_list(j);
  json_open_list(j, "chosen");
  json_real(j, NULL, t->run[t->best].factor[0]);
  json_real(j, NULL, t->run[t->best].factor[1]);
  json_close_list(j);
}

/* ---- tables ---- */

int wider(int width, const char *text)
{
  return text && (int)strlen(text) > width ? (int)strlen(text) : width;
}

void print_known(double x)
{
  if (isnan(x))
    printf(" %12s", "-");
  else
    printf(" %12.6g", x);
}
