/* analysis.c — plays first, then reads: what is printed comes from the database alone, so a command that is run again on a
 * finished folder prints the same without a play */
#include "analysis.h"
#include "phase.h"
#include "shards.h"
#include "terminal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- play ---- */

/* How far it is: a bar on a terminal, elsewhere a line a tenth. */
typedef struct progress {
  int quiet, terminal;
  int line_open; /* the bar stands on the terminal's line */
  double begun, last_bar;
  int tenths; /* of the work that were reported */
} progress;

static void on_cell(void *ctx, const lab_tally *t)
{
  progress *p = ctx;
  phase_end();
  if (p->quiet || t->started == 0) /* one that is finished has nothing to show */
    return;
  double done = t->known_work + t->played_work, share = done / t->work, passed = ofw_now() - p->begun;
  size_t plays = t->known + t->played;
  int tenths = (int)(10.0 * share + 1e-9);
  if (p->terminal ? passed - p->last_bar < 0.1 && plays < t->cells : tenths <= p->tenths)
    return;
  p->last_bar = passed;
  p->tenths = tenths;
  double left = t->played_work > 0.0 ? passed * (t->work - done) / t->played_work : 0.0;
  char counted[60], before[60] = "", time[LEFT_TEXT];
  snprintf(counted, sizeof counted, "%zu of %zu plays", plays, t->cells);
  if (t->known)
    snprintf(before, sizeof before, ", %zu of them done before", t->known);
  time_left(left, time);
  if (p->terminal)
    show_progress(share, (const char *const[]){counted, t->played ? time : "the first are played"}, 2);
  else
    fprintf(stderr, "%3.0f%%  %s%s%s%s\n", 100.0 * share, counted, before, t->played ? ", " : "",
            t->played ? time : "");
  p->line_open = p->terminal;
}

int play_experiment(const command *self, const arguments *args, const lab_experiment *x, const char *folder,
                    lab_tally *tally)
{
  uint64_t jobs;
  lab_share share = {0};
  ofw_error err = {0};
  int code = read_count_in(self, args, OPT_JOBS, lab_processors(), 1, OFW_MOST_JOBS, &jobs);
  if (!code)
    code = read_share(self, args, &share);
  if (code)
    return code;
  progress p = {.quiet = args->value[OPT_QUIET] != NULL,
                .terminal = terminal_moves(STDERR_FILENO),
                .begun = ofw_now(),
                .last_bar = -1.0,
                .tenths = -1};
  const lab_sweep ask = {.of = x,
                         .folder = folder,
                         .drop = args->value[OPT_DROP] != NULL,
                         .jobs = (size_t)jobs,
                         .share = share,
                         .tuned = args->value[OPT_TUNED],
                         .watch = on_cell,
                         .ctx = &p};
  phase_begin(self, args, NOT_BEGUN, "preparing the plays");
  ofw_status st = lab_sweep_play(&ask, tally, &err);
  phase_end();
  if (p.line_open)
    fputc('\n', stderr);
  if (tally->signal)
    return complain(self, 128 + tally->signal, "%s with %zu of %zu plays done%s",
                    tally->signal == EXIT_INTERRUPTED - 128 ? "interrupted" : "terminated",
                    tally->known + tally->played, tally->cells,
                    args->value[OPT_OUTPUT] ? "; the same command resumes"
                                            : ", which are lost; --output DIR keeps them next time");
  return st == OFW_OK ? 0 : refuse(self, &err);
}

/* ---- the folder ---- */

static ofw_status make_temporary(char **out, ofw_error *err)
{
  const char *within = getenv("TMPDIR");
  *out = ofw_format("%s/ofw-XXXXXX", within && *within ? within : "/tmp");
  if (*out && mkdtemp(*out))
    return OFW_OK;
  ofw_status st = ofw_fail(err, OFW_FAILED, "cannot make the folder %.300s: %s", *out ? *out : "", strerror(errno));
  free(*out);
  *out = NULL;
  return st;
}

static void remove_temporary(const char *folder)
{
  static const char *const ends[] = {"", "-journal", "-wal", "-shm"};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    char *path = ofw_format("%s/results.db%s", folder, ends[i]);
    if (path)
      (void)unlink(path);
    free(path);
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
    st = lab_experiment_read_own(self->name, text->chars, &args->own, &out->of, &err);
  free(text->chars);
  phase_begin(self, args, NOT_BEGUN, "checking the experiment");
  if (st == OFW_OK)
    st = lab_experiment_check(&out->of, &err);
  phase_end();
  if (st == OFW_OK && !folder)
    st = make_temporary(&out->folder, &err);
  folder = folder ? folder : out->folder;
  int code = st == OFW_OK ? play_experiment(self, args, &out->of, folder, &tally) : 0;
  free(tally.refused);
  if (st == OFW_OK && !code)
    st = results_open(folder, &out->from, &err);
  if (st == OFW_OK && out->from)
    st = lab_rows_read(out->from, &out->rows, &err);
  return st == OFW_OK ? code : refuse(self, &err);
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
  json_reals(j, "factors", 2, run->factor);
  json_real(j, "regret", run->regret);
  json_real(j, "loss", run->loss);
  json_real(j, "ccv", run->ccv);
  json_real(j, "score", run->score);
  json_flag(j, "front", run->front);
  json_text(j, "error", run->error);
  json_flag(j, "refused", run->refused);
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
  json_reals(j, "chosen", 2, t->run[t->best].factor);
}

/* ---- tables ---- */

int wider(int width, const char *text)
{
  return text && (int)strlen(text) > width ? (int)strlen(text) : width;
}
