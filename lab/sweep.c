/* sweep.c — plays the missing plays of an experiment, `jobs` at a time
 *
 * One thread hands plays to workers, writes what they answer, and reads the signals that end it.
 */
#include "lab/sweep.h"

#include "base/basics.h"
#include "lab/follow.h"
#include "lab/gpu_share.h"
#include "lab/grow.h"
#include "lab/known.h"
#include "lab/make_folder.h"
#include "lab/process.h"
#include "linalg/kernels.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* A worker and what it plays. */
typedef struct slot {
  lab_worker worker;
  lab_front *front; /* NULL: nothing */
  results_cell cell;
  char started[32]; /* UTC */
} slot;

typedef struct sweep {
  const lab_sweep *ask;
  lab_plan plan;
  lab_gpu gpu;         /* if any learner plays on one */
  lab_front *front;    /* one an arm */
  slot *slot;          /* one per job */
  struct pollfd *wait; /* the signals, then one per slot */
  size_t running;
  results *store;
  lab_known known; /* from the database */
  int begun;       /* the database is being written */
  char machine[200];
  lab_tally *tally;
  ofw_error *err;
} sweep;

/* ---- what is done ---- */

static ofw_status note(sweep *s, lab_front *f, const results_cell *c, int known)
{
  int settled;
  *(known ? &s->tally->known : &s->tally->played) += 1;
  *(known ? &s->tally->known_work : &s->tally->played_work) += (double)c->rounds;
  lab_tally_done(s->tally, f->arm, c);
  if (s->ask->watch)
    s->ask->watch(s->ask->ctx, s->tally);
  OFW_TRY(lab_front_note(f, c, &settled, s->err));
  if (settled)
    lab_tally_settled(s->tally, f);
  return OFW_OK;
}

/* ---- workers ---- */

static ofw_status start(sweep *s, lab_front *f, const results_cell *c)
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

/* Starts what may be started, while there are slots. A tuning of which this share has nothing never gets to its end. */
static ofw_status fill_slots(sweep *s)
{
  for (lab_front *f = s->front; f < s->front + s->plan.arms && s->running < s->ask->jobs; f++)
    while (f->next < f->ready && s->running < s->ask->jobs) {
      size_t k = f->next++;
      if (!lab_share_has(&s->ask->share, &s->plan, f->arm, k))
        continue;
      results_cell c = lab_front_cell(f, k);
      const results_cell *known = lab_known_find(&s->known, &c);
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

/* ---- the database ---- */

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
  ofw_status st = lab_folder_make(s->ask->folder, s->err);
  if (st == OFW_OK)
    st = results_create(s->ask->folder, &head, &s->store, s->err);
  if (st == OFW_OK)
    st = lab_grow(s->store, &s->plan, &head, s->ask->drop, s->err);
  free(arm);
  return st == OFW_OK ? results_cells(s->store, 0, &s->known.cell, &s->known.n, s->err) : st;
}

/* A play that went well on that stream; NULL: none is known. */
static const results_cell *known_on(const sweep *s, const lab_source *source)
{
  for (size_t i = 0; i < s->known.n; i++)
    if (s->known.cell[i].exit_code == 0 && s->plan.arm[s->known.cell[i].arm - 1].source == source)
      return &s->known.cell[i];
  return NULL;
}

/* A play of that arm that went well; NULL: none is known. */
static const results_cell *known_of(const sweep *s, const lab_arm *arm)
{
  for (size_t i = 0; i < s->known.n; i++)
    if (s->known.cell[i].exit_code == 0 && &s->plan.arm[s->known.cell[i].arm - 1] == arm)
      return &s->known.cell[i];
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

/* ---- before and after ---- */

static int plays_on_gpu(const lab_plan *plan)
{
  for (const lab_arm *arm = plan->arm; arm < plan->arm + plan->arms; arm++)
    for (size_t i = 0; i < arm->player->axes; i++)
      if (strcmp(arm->option[i], "storage=cuda") == 0 || strcmp(arm->option[i], "storage=cuda-float") == 0)
        return 1;
  return 0;
}

/* A play may be made twice, by its learner's constants, before its first round. */
static void share_gpu(sweep *s)
{
  if (!plays_on_gpu(&s->plan))
    return;
  lab_gpu_start(2 * s->ask->jobs + 2, &s->gpu);
  s->plan.gpu = &s->gpu;
}

/* How much this share is to play. */
static void count_share(sweep *s)
{
  for (const lab_arm *arm = s->plan.arm; arm < s->plan.arm + s->plan.arms; arm++)
    for (size_t k = 0; k < arm->tune + arm->play; k++)
      if (lab_share_has(&s->ask->share, &s->plan, arm, k)) {
        s->tally->cells++;
        s->tally->work += (double)lab_plan_place(&s->plan, arm, k).rounds;
      }
}

static ofw_status prepare(sweep *s)
{
  OFW_TRY(lab_plan_make(s->ask->of, &s->plan, s->err));
  share_gpu(s);
  count_share(s);
  s->front = calloc(s->plan.arms + 1, sizeof *s->front);
  s->slot = calloc(s->ask->jobs, sizeof *s->slot);
  s->wait = calloc(s->ask->jobs + 1, sizeof *s->wait);
  if (!s->front || !s->slot || !s->wait)
    return ofw_fail_memory(s->err, s->plan.arms * sizeof *s->front);
  for (size_t i = 0; i < s->plan.arms; i++)
    OFW_TRY(lab_front_open(&s->front[i], &s->plan, &s->plan.arm[i], s->err));
  if (s->ask->share.stage == LAB_PLAY)
    OFW_TRY(lab_follow(&s->plan, s->front, s->ask->tuned, s->err));
  describe_machine(s->machine, sizeof s->machine);
  OFW_TRY(open_store(s));
  return check_known(s);
}

static void close_sweep(sweep *s)
{
  for (size_t i = 0; s->front && i < s->plan.arms; i++)
    lab_front_close(&s->front[i]);
  lab_gpu_end(&s->gpu);
  free(s->front);
  free(s->slot);
  free(s->wait);
  results_cells_free(s->known.cell, s->known.n);
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
  if (st == OFW_OK && ask->share.stage != LAB_PLAY) /* else the stage before has told them */
    st = lab_tally_refusals(tally, s.front, s.plan.arms, err);
  if (st == OFW_OK)
    st = results_finish(s.store, err);
  close_sweep(&s);
  return st;
}
