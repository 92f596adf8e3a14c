#include "lab/process.h"

#include "base/basics.h"
#include "base/plain.h"
#include "lab/scale.h"
#include "lab/setting.h"
#include "lab/tune.h"

#include <ofw/metrics.h>

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- start ---- */

enum { MOST_WORDS = 256, TRACE_FD = 3 };

/* The words of a command line. Those that are made are kept to be freed. */
typedef struct words {
  char *word[MOST_WORDS + 1]; /* ends with NULL */
  size_t n;
  int failed;
} words;

static void add_word(words *w, const char *text)
{
  char *copy = w->n < MOST_WORDS ? ofw_copy_text(text) : NULL;
  w->failed |= !copy;
  if (copy)
    w->word[w->n++] = copy;
}

static void add_option(words *w, const char *name, const char *value)
{
  add_word(w, name);
  add_word(w, value);
}

static void add_count(words *w, const char *name, uint64_t n)
{
  char text[32];
  snprintf(text, sizeof text, "%llu", (unsigned long long)n);
  add_option(w, name, text);
}

/* --scale KEY=FACTOR where a factor is not 1 */
static void add_scales(words *w, const lab_arm *arm, const double factor[2])
{
  const ofw_promise *p = lab_promise(arm->player->learner);
  for (int k = 0; k < 2; k++) {
    char text[LAB_SCALED_TEXT], number[OFW_REAL_TEXT];
    if (factor[k] == 1.0)
      continue;
    snprintf(text, sizeof text, "%s=%s", p->tuned[k], ofw_print_real(factor[k], number));
    add_option(w, "--scale", text);
  }
}

/* "key=value" as --set, or as --key=value where it is a setting of 'ofw run'. */
static void add_key(words *w, const char *pair)
{
  ofw_text text = {0};
  char key[32];
  snprintf(key, sizeof key, "%.*s", (int)strcspn(pair, "="), pair);
  if (!lab_is_setting(key)) {
    add_option(w, "--set", pair);
    return;
  }
  ofw_text_add(&text, "--%s", pair);
  w->failed |= text.failed;
  if (!text.failed)
    add_word(w, text.chars);
  free(text.chars);
}

static void command_line(words *w, const lab_arm *arm, const results_cell *cell)
{
  char trace[32];
  snprintf(trace, sizeof trace, "/dev/fd/%d", TRACE_FD);
  add_word(w, "ofw");
  add_word(w, "run");
  add_option(w, "--learner", arm->player->learner);
  add_option(w, "--stream", arm->source->spec);
  if (arm->source->domain)
    add_option(w, "--domain", arm->source->domain);
  add_count(w, "--rounds", cell->rounds);
  add_count(w, "--seed", cell->seed);
  add_count(w, "--threads", 1);
  for (size_t i = 0; i < arm->player->axes; i++)
    add_key(w, arm->option[i]);
  add_scales(w, arm, cell->factor);
  add_option(w, "--trace", trace);
  add_word(w, "--json");
  add_word(w, "--quiet");
}

/* In the child, which never returns. Its three files are opened anew by number, above where they are put. */
static void become(const char *program, char **argv, const lab_process *p, pid_t parent)
{
  sigset_t blocked;
  int fd[] = {fileno(p->trace), fileno(p->out), fileno(p->err)}, to[] = {TRACE_FD, STDOUT_FILENO, STDERR_FILENO};
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGINT);
  sigprocmask(SIG_SETMASK, &blocked, NULL);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) /* it was gone before that */
    _exit(1);
  for (int i = 0; i < 3; i++)
    fd[i] = fcntl(fd[i], F_DUPFD, TRACE_FD + 1);
  for (int i = 0; i < 3; i++)
    dup2(fd[i], to[i]);
  close_range(TRACE_FD + 1, ~0u, 0);
  execv(program, argv);
  dprintf(STDERR_FILENO, "ofw run: cannot start %s: %s\n", program, strerror(errno));
  _exit(1);
}

static ofw_status spawn(const char *program, const words *w, lab_process *p, ofw_error *err)
{
  pid_t parent = getpid();
  time_t now = time(NULL);
  struct tm utc;
  p->trace = tmpfile();
  p->out = tmpfile();
  p->err = tmpfile();
  if (!p->trace || !p->out || !p->err)
    return ofw_fail(err, OFW_FAILED, "no file for what a play writes: %s", strerror(errno));
  (void)strftime(p->started, sizeof p->started, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
  p->pid = fork();
  if (p->pid == 0)
    become(program, (char **)w->word, p, parent);
  return p->pid > 0 ? OFW_OK : ofw_fail(err, OFW_FAILED, "cannot start a process: %s", strerror(errno));
}

ofw_status lab_process_start(const char *program, const lab_arm *arm, const results_cell *cell, lab_process *out,
                             ofw_error *err)
{
  words w = {0};
  *out = (lab_process){0};
  command_line(&w, arm, cell);
  ofw_status st = w.failed ? ofw_fail(err, OFW_FAILED, "no memory for a command line of %zu words, or more than %d",
                                      w.n, MOST_WORDS)
                           : spawn(program, &w, out, err);
  for (size_t i = 0; i < w.n; i++)
    free(w.word[i]);
  if (st != OFW_OK)
    lab_process_close(out);
  return st;
}

void lab_process_close(lab_process *p)
{
  FILE *file[] = {p->trace, p->out, p->err};
  for (int i = 0; i < 3; i++)
    if (file[i])
      (void)fclose(file[i]);
  *p = (lab_process){0};
}

/* ---- what it left ---- */

void lab_outcome_free(lab_outcome *o)
{
  free(o->cell.config);
  free(o->cell.error);
  free(o->point);
  *o = (lab_outcome){0};
}

/* The last line of a file, without its end; NULL: no memory. */
static char *last_line(FILE *file)
{
  char *line = NULL, *last = NULL;
  size_t room = 0;
  rewind(file);
  for (ssize_t n; (n = getline(&line, &room, file)) > 0;) {
    line[n - (line[n - 1] == '\n')] = 0;
    free(last);
    last = ofw_copy_text(line);
  }
  free(line);
  return last ? last : ofw_copy_text("");
}

static ofw_status fail(lab_outcome *out, int code, const char *why, ofw_error *err)
{
  results_cell *c = &out->cell;
  free(c->error);
  free(c->config);
  c->config = NULL;
  c->exit_code = code;
  c->loss = c->regret = c->ccv = c->soft_violation = c->held_out_rmse = c->G = c->D = c->seconds = NAN;
  c->interval_regret = c->dynamic_regret = NAN;
  c->oracle_calls = c->passes = c->projections = c->interval_first = c->interval_last = 0;
  c->error = ofw_copy_text(why);
  ofw_make_plain(c->error, "\t"); /* a file's name may be in it, which may be any bytes */
  return c->error ? OFW_OK : ofw_fail_memory(err, strlen(why));
}

/* By its complaint, which is its last line on stderr. */
static ofw_status fail_by_complaint(const lab_process *p, lab_outcome *out, int code, ofw_error *err)
{
  static const char before[] = "ofw run: ";
  char *line = last_line(p->err);
  if (!line)
    return ofw_fail_memory(err, 1);
  const char *why = strncmp(line, before, strlen(before)) == 0 ? line + strlen(before) : line;
  ofw_status st = fail(out, code, *why ? why : "it did not say why", err);
  free(line);
  return st;
}

/* The number of a field of the result, an object on one line; null is NaN. */
static int field(const char *json, const char *name, double *out)
{
  char key[48], number[OFW_REAL_TEXT];
  snprintf(key, sizeof key, "\"%s\":", name); /* quotes within a text are written \" */
  const char *at = strstr(json, key);
  if (!at)
    return 0;
  at += strlen(key);
  snprintf(number, sizeof number, "%.*s", (int)strcspn(at, ",}"), at);
  *out = NAN;
  return strcmp(number, "null") == 0 || ofw_read_real(number, out);
}

static int read_fields(const char *json, results_cell *c)
{
  double projections;
  int good = field(json, "lipschitz", &c->G) && field(json, "diameter", &c->D) &&
             field(json, "held_out_rmse", &c->held_out_rmse) && field(json, "projections", &projections);
  c->projections = good ? (uint64_t)projections : 0;
  return good;
}

/* What the trace's head says below its first line, which is the program's. */
static char *config_of(const ofw_trace *t)
{
  ofw_text text = {0};
  for (size_t i = 1; i < t->headers; i++)
    ofw_text_add(&text, "%s%s", i > 1 ? "\n" : "", t->header[i]);
  if (text.failed) {
    free(text.chars);
    return NULL;
  }
  ofw_make_plain(text.chars, "\t\n");
  return text.chars;
}

static ofw_status keep_points(const ofw_trace *t, uint64_t every, lab_outcome *out, ofw_error *err)
{
  out->point = ofw_array(t->rows, sizeof *out->point);
  if (!out->point)
    return ofw_fail_memory(err, t->rows * sizeof *out->point);
  for (const ofw_trace_row *row = t->row; row < t->row + t->rows; row++)
    if (ofw_trace_due(every, row->round, out->cell.rounds))
      out->point[out->points++] = (results_point){.round = row->round,
                                                  .loss_sum = row->loss_sum,
                                                  .ccv = row->ccv,
                                                  .comparator_loss_sum = row->comparator_loss_sum,
                                                  .oracle_calls = row->oracle_calls,
                                                  .passes = row->passes,
                                                  .seconds = row->seconds};
  return OFW_OK;
}

static ofw_status sum_up(const ofw_trace *t, uint64_t series, lab_outcome *out, ofw_error *err)
{
  results_cell *c = &out->cell;
  ofw_metrics m = {.size = sizeof m};
  ofw_metrics_of(t->row, t->rows, 0, &m);
  c->loss = m.loss;
  c->regret = m.regret;
  c->ccv = m.ccv;
  c->soft_violation = m.soft_violation;
  c->interval_regret = m.interval_regret;
  c->interval_first = m.interval_first;
  c->interval_last = m.interval_last;
  c->dynamic_regret = m.dynamic_regret;
  c->oracle_calls = m.oracle_calls;
  c->passes = m.passes;
  c->seconds = m.seconds;
  c->config = config_of(t);
  if (!c->config)
    return ofw_fail_memory(err, 1);
  return c->tune ? OFW_OK : keep_points(t, (c->rounds + series - 1) / series, out, err);
}

/* It said that all went well. */
static ofw_status read_result(const lab_process *p, uint64_t series, lab_outcome *out, ofw_error *err)
{
  char path[32], *json = last_line(p->out);
  ofw_trace t;
  ofw_error why = {0};
  if (!json)
    return ofw_fail_memory(err, 1);
  int good = read_fields(json, &out->cell);
  free(json);
  if (!good)
    return fail(out, 1, "its result is not whole", err);
  snprintf(path, sizeof path, "/dev/fd/%d", fileno(p->trace));
  if (ofw_trace_read(path, &t, &why) != OFW_OK)
    return fail(out, 1, why.message, err);
  int whole = t.rows > 0 && t.row[t.rows - 1].round == out->cell.rounds;
  ofw_status st = whole ? sum_up(&t, series, out, err) : fail_by_complaint(p, out, 3, err); /* the stream ended */
  ofw_trace_free(&t);
  return st;
}

ofw_status lab_process_read(const lab_process *p, int status, const results_cell *cell, uint64_t series,
                            lab_outcome *out, ofw_error *err)
{
  char text[80];
  *out = (lab_outcome){.cell = *cell};
  if (WIFSIGNALED(status)) {
    snprintf(text, sizeof text, "ended by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    return fail(out, 128 + WTERMSIG(status), text, err);
  }
  if (WEXITSTATUS(status) != 0)
    return fail_by_complaint(p, out, WEXITSTATUS(status), err);
  return read_result(p, series, out, err);
}
