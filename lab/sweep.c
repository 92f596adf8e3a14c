/* sweep.c — plays the missing plays of an experiment, `jobs` at a time
 *
 * One thread hands plays to workers, writes what they answer, and reads the signals that end it.
 */
#include "lab/sweep.h"

#include "base/basics.h"
#include "lab/grow.h"
#include "lab/process.h"
#include "lab/tune.h"
#include "linalg/kernels.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* An arm on its way: `ready` of its cells may be played, `next` of those were started or known, `done` are done. */
typedef struct front {
  lab_arm *arm;
  size_t next, ready, done;
  double factor[2];    /* of its plays */
  lab_tuning tuning;   /* if it is tuned */
  results_cell *tuned; /* the outcomes of the tuning's cells */
} front;

/* A worker and what it plays. */
typedef struct slot {
  lab_worker worker;
  front *front; /* NULL: nothing */
  results_cell cell;
  char started[32]; /* UTC */
} slot;

typedef struct sweep {
  const lab_sweep *ask;
  lab_plan plan;
  front *front;        /* one an arm */
  slot *slot;          /* one per job */
  struct pollfd *wait; /* the signals, then one per slot */
  size_t running;
  results *store;
  results_cell *known; /* from the database */
  size_t knowns;
  int begun; /* the database is being written */
  char machine[200];
  lab_tally *tally;
  size_t first_failed; /* the place of the failure that the tally tells */
  ofw_error *err;
} sweep;

/* ---- what went wrong ---- */

static void tell_failure(sweep *s, const front *f, const results_cell *c)
{
  s->tally->failed++;
  if (s->tally->failed > 1 && (size_t)c->cell > s->first_failed)
    return;
  s->first_failed = (size_t)c->cell;
  snprintf(s->tally->failure, sizeof s->tally->failure, "%.60s on %.60s, seed %llu: %.240s", f->arm->player->label,
           f->arm->source->label, (unsigned long long)c->seed, c->error);
}

/* A learner that takes none of its constants is not played by the wrong ones: it cannot be played so. */
static void judge_refusals(sweep *s, const front *f)
{
  if (lab_tuning_refused(&f->tuning) == f->tuning.runs)
    for (size_t k = 0; k < f->arm->tune; k++)
      tell_failure(s, f, &f->tuned[k]);
}

/* "SCBFW-TVC on uniform: 8 of 26 grid points refused: c=.. probes .. away\n", if not all were. */
static ofw_status tell_refusals(sweep *s)
{
  ofw_text lines = {0};
  for (const front *f = s->front; f < s->front + s->plan.arms; f++) {
    const lab_tuning *t = &f->tuning;
    const lab_run *first = t->run;
    size_t n = lab_tuning_refused(t);
    while (n > 0 && !first->refused)
      first++;
    if (n > 0 && n < t->runs)
      ofw_text_add(&lines, "%.60s on %.60s: %zu of %zu grid points refused: %.240s\n", f->arm->player->label,
                   f->arm->source->label, n, t->runs, first->error);
  }
  s->tally->refused = lines.chars;
  return lines.failed ? ofw_fail_memory(s->err, lines.room) : OFW_OK;
}

/* ---- an arm's cells ---- */

/* The cell at place k of the arm, as it is to be played. Tuning cells are those that the tuning has laid out. */
static results_cell cell_at(const sweep *s, const front *f, size_t k)
{
  const lab_place at = lab_plan_place(&s->plan, f->arm, k);
  const double *factor = at.tune ? f->tuning.run[at.run].factor : f->factor;
  return (results_cell){.cell = (int64_t)(f->arm->first + k + 1),
                        .arm = (int64_t)(f - s->front + 1),
                        .tune = at.tune,
                        .factor = {factor[0], factor[1]},
                        .rounds = at.rounds,
                        .seed = at.seed};
}

/* Once all that were ready are done: the next stage of the tuning, then the plays with its result. */
static ofw_status advance(sweep *s, front *f)
{
  lab_tuning *t = &f->tuning;
  if (f->done < f->ready || f->ready > f->arm->tune || f->arm->tune == 0)
    return OFW_OK;
  if (f->ready < f->arm->tune) {
    lab_tuning_go_on(t, f->tuned);
    f->ready = t->laid * t->seeds;
    return OFW_OK;
  }
  OFW_TRY(lab_tuning_settle(t, f->tuned, s->err));
  judge_refusals(s, f);
  memcpy(f->factor, t->run[t->best].factor, sizeof f->factor);
  f->ready = f->arm->tune + f->arm->play;
  return OFW_OK;
}

static ofw_status open_front(sweep *s, lab_arm *arm, front *f)
{
  *f = (front){.arm = arm, .ready = arm->play, .factor = {1.0, 1.0}};
  if (!arm->tune)
    return OFW_OK;
  lab_tuning_begin(&f->tuning, (size_t)s->plan.of->tune_seeds);
  f->ready = f->tuning.laid * f->tuning.seeds;
  f->tuned = calloc(arm->tune, sizeof *f->tuned);
  return f->tuned ? OFW_OK : ofw_fail_memory(s->err, arm->tune * sizeof *f->tuned);
}

/* ---- what is done ---- */

/* A cell's result for its tuning. */
static ofw_status note_result(sweep *s, front *f, const results_cell *c)
{
  results_cell *kept = &f->tuned[(size_t)c->cell - 1 - f->arm->first];
  *kept = *c;
  kept->config = NULL;
  if (!c->error)
    return OFW_OK;
  kept->error = ofw_copy_text(c->error);
  return kept->error ? OFW_OK : ofw_fail_memory(s->err, strlen(c->error));
}

static ofw_status note(sweep *s, front *f, const results_cell *c, int known)
{
  f->done++;
  *(known ? &s->tally->known : &s->tally->played) += 1;
  *(known ? &s->tally->known_work : &s->tally->played_work) += (double)c->rounds;
  if (c->exit_code && !lab_is_refused(c))
    tell_failure(s, f, c);
  if (c->tune)
    OFW_TRY(note_result(s, f, c));
  if (s->ask->watch)
    s->ask->watch(s->ask->ctx, s->tally);
  return advance(s, f);
}

static int by_number(const void *a, const void *b)
{
  const results_cell *left = a, *right = b;
  return (left->cell > right->cell) - (left->cell < right->cell);
}

/* What the database has of the cell, as it is to be played; NULL: nothing, or what the system may have refused. */
static const results_cell *find_known(const sweep *s, const results_cell *c)
{
  const results_cell *k = s->knowns ? bsearch(c, s->known, s->knowns, sizeof *c, by_number) : NULL;
  int final = k && (k->exit_code == 0 || (k->exit_code > 1 && k->exit_code < 128));
  return final && k->factor[0] == c->factor[0] && k->factor[1] == c->factor[1] ? k : NULL;
}

/* ---- workers ---- */

static ofw_status start(sweep *s, front *f, const results_cell *c)
{
  slot *at = s->slot;
  time_t now = time(NULL);
  struct tm utc;
  while (at->front)
    at++;
  if (!s->begun)
    OFW_TRY(results_begin(s->store, s->err));
  s->begun = 1;
  (void)strftime(at->started, sizeof at->started, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
  OFW_TRY(lab_worker_send(&at->worker, &s->plan, c, s->err));
  at->front = f;
  at->cell = *c;
  s->running++;
  if (s->tally->started++ == 0 && s->ask->watch)
    s->ask->watch(s->ask->ctx, s->tally);
  return OFW_OK;
}

/* Starts what may be started, while there are slots. */
static ofw_status fill_slots(sweep *s)
{
  for (front *f = s->front; f < s->front + s->plan.arms && s->running < s->ask->jobs; f++)
    while (f->next < f->ready && s->running < s->ask->jobs) {
      results_cell c = cell_at(s, f, f->next++);
      const results_cell *known = find_known(s, &c);
      OFW_TRY(known ? note(s, f, known, 1) : start(s, f, &c));
    }
  return OFW_OK;
}

/* Writes what came of a play, while the worker is already at the next one. */
static ofw_status keep(sweep *s, slot *at)
{
  lab_outcome o;
  const slot was = *at;
  ofw_status st = lab_worker_receive(&at->worker, &at->cell, &o, s->err);
  at->front = NULL;
  s->running--;
  if (st == OFW_OK)
    st = fill_slots(s);
  if (st == OFW_OK)
    st = results_put(s->store, &o.cell, o.point, o.points, was.started, s->machine, s->err);
  if (st == OFW_OK)
    st = note(s, was.front, &o.cell, 0);
  lab_outcome_free(&o);
  return st;
}

/* Until a worker has answered or died, or a signal came. */
static void wait_for_any(sweep *s)
{
  for (size_t i = 0; i < s->ask->jobs; i++)
    s->wait[i + 1] = (struct pollfd){.fd = s->slot[i].front ? s->slot[i].worker.link : -1, .events = POLLIN};
  while (poll(s->wait, s->ask->jobs + 1, -1) < 0 && errno == EINTR)
    continue;
}

static ofw_status play(sweep *s)
{
  for (;;) {
    struct signalfd_siginfo signal;
    OFW_TRY(fill_slots(s));
    if (s->running == 0)
      return OFW_OK;
    wait_for_any(s);
    for (size_t i = 0; i < s->ask->jobs; i++)
      if (s->wait[i + 1].revents)
        OFW_TRY(keep(s, &s->slot[i]));
    if (s->wait[0].revents && read(s->wait[0].fd, &signal, sizeof signal) == sizeof signal) {
      s->tally->signal = (int)signal.ssi_signo;
      return ofw_fail(s->err, OFW_END, "stopped");
    }
  }
}

/* The signals are read like the answers and not taken by handlers, so none comes between a look and a wait. */
static ofw_status play_blocked(sweep *s)
{
  sigset_t signals, before;
  struct sigaction usual = {.sa_handler = SIG_DFL}, old;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigprocmask(SIG_BLOCK, &signals, &before);
  sigaction(SIGCHLD, &usual, &old); /* a parent may have had it ignored, and then waiting would never end */
  s->wait[0] = (struct pollfd){.fd = signalfd(-1, &signals, SFD_CLOEXEC), .events = POLLIN};
  ofw_status st =
      s->wait[0].fd >= 0 ? play(s) : ofw_fail(s->err, OFW_FAILED, "cannot wait for signals: %s", strerror(errno));
  for (size_t i = 0; i < s->ask->jobs; i++)
    lab_worker_end(&s->slot[i].worker);
  if (s->wait[0].fd >= 0)
    close(s->wait[0].fd);
  sigaction(SIGCHLD, &old, NULL);
  sigprocmask(SIG_SETMASK, &before, NULL);
  return st;
}

/* ---- before and after ---- */

size_t lab_processors(void)
{
  cpu_set_t set;
  int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  return n > 0 ? (size_t)n : 1;
}

/* "Linux x86_64, 2 processors, Some CPU @ 2 GHz" */
static void describe_machine(char *out, size_t room)
{
  struct utsname name = {0};
  char line[200], model[120] = "";
  FILE *in = fopen("/proc/cpuinfo", "r");
  while (in && !model[0] && fgets(line, sizeof line, in))
    (void)sscanf(line, "model name : %119[^\n]", model);
  if (in)
    (void)fclose(in);
  uname(&name);
  snprintf(out, room, "%.20s %.20s, %zu processors%s%s", name.sysname, name.machine, lab_processors(),
           model[0] ? ", " : "", model);
}

/* With those that it is in, if they are missing. */
static ofw_status make_folder(const char *folder, ofw_error *err)
{
  char *path = ofw_copy_text(folder);
  if (!path)
    return ofw_fail_memory(err, strlen(folder));
  int failed = 0;
  for (char *at = path + 1; !failed && *at; at++)
    if (*at == '/') {
      *at = 0;
      failed = mkdir(path, 0777) != 0 && errno != EEXIST;
      *at = '/';
    }
  failed = failed || (mkdir(path, 0777) != 0 && errno != EEXIST);
  free(path);
  return failed ? ofw_fail(err, OFW_FAILED, "cannot make the folder %.300s: %s", folder, strerror(errno)) : OFW_OK;
}

static ofw_status open_store(sweep *s)
{
  const lab_experiment *x = s->plan.of;
  results_arm *arm = calloc(s->plan.arms + 1, sizeof *arm);
  const results_head head = {x->title, x->text, ofw_version(), ofw_kernels_chosen()->name, arm, s->plan.arms};
  if (!arm)
    return ofw_fail_memory(s->err, s->plan.arms * sizeof *arm);
  for (size_t i = 0; i < s->plan.arms; i++) {
    const lab_arm *a = &s->plan.arm[i];
    arm[i] = (results_arm){.arm = (int64_t)i + 1,
                           .stream = (char *)a->source->label,
                           .stream_spec = (char *)a->source->spec,
                           .domain = (char *)a->source->domain,
                           .label = (char *)a->player->label,
                           .learner = (char *)a->player->learner,
                           .options = a->options,
                           .tuned = a->tune > 0,
                           .constant = {(char *)a->player->constant[0], (char *)a->player->constant[1]}};
  }
  ofw_status st = make_folder(s->ask->folder, s->err);
  if (st == OFW_OK)
    st = results_create(s->ask->folder, &head, &s->store, s->err);
  if (st == OFW_OK)
    st = lab_grow(s->store, &s->plan, &head, s->ask->drop, s->err);
  free(arm);
  return st == OFW_OK ? results_cells(s->store, 0, &s->known, &s->knowns, s->err) : st;
}

/* A play that went well on that stream; NULL: none is known. */
static const results_cell *known_on(const sweep *s, const lab_source *source)
{
  for (size_t i = 0; i < s->knowns; i++)
    if (s->known[i].exit_code == 0 && s->plan.arm[s->known[i].arm - 1].source == source)
      return &s->known[i];
  return NULL;
}

/* A play of that arm that went well; NULL: none is known. */
static const results_cell *known_of(const sweep *s, const lab_arm *arm)
{
  for (size_t i = 0; i < s->knowns; i++)
    if (s->known[i].exit_code == 0 && &s->plan.arm[s->known[i].arm - 1] == arm)
      return &s->known[i];
  return NULL;
}

/* Whether a play would be configured now as it was: a config has the checksums of files and plugins. */
static ofw_status is_same(sweep *s, lab_worker *w, const results_cell *c, int *same)
{
  char *now = NULL;
  OFW_TRY(lab_worker_config(w, &s->plan, c, &now, s->err));
  *same = strcmp(now, c->config ? c->config : "") == 0;
  free(now);
  return OFW_OK;
}

static ofw_status check_streams(sweep *s, lab_worker *w)
{
  const lab_experiment *x = s->plan.of;
  int same = 1;
  for (const lab_source *source = x->source; source < x->source + x->sources; source++) {
    const results_cell *c = known_on(s, source);
    if (c)
      OFW_TRY(is_same(s, w, c, &same));
    if (!same)
      return ofw_fail(s->err, OFW_USAGE,
                      "%.200s has plays on [stream %.60s] with other data or other libraries; choose another folder",
                      results_path(s->store), source->label);
  }
  return OFW_OK;
}

static ofw_status check_plugins(sweep *s, lab_worker *w)
{
  int same = 1;
  for (const lab_arm *arm = s->plan.arm; arm < s->plan.arm + s->plan.arms; arm++) {
    const results_cell *c = known_of(s, arm);
    const char *learner = arm->player->learner;
    if (c && ofw_registry_method(s->plan.of->own, learner, strlen(learner), NULL).by)
      OFW_TRY(is_same(s, w, c, &same));
    if (!same)
      return ofw_fail(s->err, OFW_USAGE, "%.200s has plays of [learner %.60s] by another plugin; choose another folder",
                      results_path(s->store), arm->player->label);
  }
  return OFW_OK;
}

/* That the known plays are of the data that are there now, and by the plugins that are. */
static ofw_status check_known(sweep *s)
{
  lab_worker w = {0};
  ofw_status st = check_streams(s, &w);
  if (st == OFW_OK)
    st = check_plugins(s, &w);
  lab_worker_end(&w);
  return st;
}

static ofw_status prepare(sweep *s)
{
  OFW_TRY(lab_plan_make(s->ask->of, &s->plan, s->err));
  s->tally->cells = s->plan.cells;
  s->tally->work = s->plan.work;
  s->front = calloc(s->plan.arms + 1, sizeof *s->front);
  s->slot = calloc(s->ask->jobs, sizeof *s->slot);
  s->wait = calloc(s->ask->jobs + 1, sizeof *s->wait);
  if (!s->front || !s->slot || !s->wait)
    return ofw_fail_memory(s->err, s->plan.arms * sizeof *s->front);
  for (size_t i = 0; i < s->plan.arms; i++)
    OFW_TRY(open_front(s, &s->plan.arm[i], &s->front[i]));
  describe_machine(s->machine, sizeof s->machine);
  OFW_TRY(open_store(s));
  return check_known(s);
}

static void close_sweep(sweep *s)
{
  for (size_t i = 0; s->front && i < s->plan.arms; i++) {
    front *f = &s->front[i];
    results_cells_free(f->tuned, f->tuned ? f->arm->tune : 0);
  }
  free(s->front);
  free(s->slot);
  free(s->wait);
  results_cells_free(s->known, s->knowns);
  results_close(s->store);
  lab_plan_free(&s->plan);
}

ofw_status lab_sweep_play(const lab_sweep *ask, lab_tally *tally, ofw_error *err)
{
  sweep s = {.ask = ask, .tally = tally, .err = err};
  *tally = (lab_tally){0};
  ofw_status st = prepare(&s);
  if (st == OFW_OK && ask->watch)
    ask->watch(ask->ctx, tally);
  if (st == OFW_OK)
    st = play_blocked(&s);
  if (st == OFW_OK)
    st = tell_refusals(&s);
  if (st == OFW_OK)
    st = results_finish(s.store, err);
  close_sweep(&s);
  return st;
}
