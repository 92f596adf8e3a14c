#include "lab/sweep.h"

#include "base/basics.h"
#include "lab/folder.h"
#include "lab/process.h"
#include "lab/tune.h"
#include "linalg/kernels.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>

/* An arm on its way: `ready` of its cells may be played, `next` of those were started or known, `done` are done. */
typedef struct front {
  lab_arm *arm;
  size_t next, ready, done;
  double factor[2];    /* of its plays */
  lab_tuning tuning;   /* where it is tuned */
  results_cell *tuned; /* what the tuning's cells came to */
} front;

/* A process and what it plays. */
typedef struct slot {
  lab_process process; /* pid 0: none */
  front *front;
  results_cell cell;
} slot;

typedef struct sweep {
  const lab_sweep *ask;
  lab_plan plan;
  front *front; /* one an arm */
  slot *slot;   /* one a job */
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

/* ---- an arm's cells ---- */

static size_t cells_of(const front *f)
{
  return f->arm->tune + f->arm->play;
}

/* The cell at place k of the arm, as it is to be played. Tuning cells are those that the tuning has laid out. */
static results_cell cell_at(const sweep *s, const front *f, size_t k)
{
  const lab_experiment *x = s->plan.of;
  results_cell c = {.cell = (int64_t)(f->arm->first + k + 1),
                    .arm = (int64_t)(f - s->front + 1),
                    .tune = k < f->arm->tune,
                    .factor = {f->factor[0], f->factor[1]},
                    .rounds = x->horizon[0],
                    .seed = x->seed};
  if (c.tune) {
    memcpy(c.factor, f->tuning.run[k / f->tuning.seeds].factor, sizeof c.factor);
    c.seed += LAB_TUNE_SEEDS_FROM + k % f->tuning.seeds;
  } else {
    c.rounds = x->horizon[(k - f->arm->tune) / x->seeds];
    c.seed += (k - f->arm->tune) % x->seeds;
  }
  return c;
}

/* Once all that were ready are done: the second half of the tuning, then the plays with what it came to. */
static ofw_status advance(sweep *s, front *f)
{
  size_t half = f->arm->tune / 2;
  if (f->done < f->ready)
    return OFW_OK;
  if (f->ready == half && half > 0) {
    lab_tuning_go_on(&f->tuning, f->tuned);
    f->ready = f->arm->tune;
  } else if (f->ready == f->arm->tune && half > 0) {
    OFW_TRY(lab_tuning_settle(&f->tuning, f->tuned, s->err));
    memcpy(f->factor, f->tuning.run[f->tuning.best].factor, sizeof f->factor);
    f->ready = cells_of(f);
  }
  return OFW_OK;
}

static ofw_status open_front(sweep *s, lab_arm *arm, front *f)
{
  *f = (front){.arm = arm, .ready = arm->tune ? arm->tune / 2 : arm->play, .factor = {1.0, 1.0}};
  if (!arm->tune)
    return OFW_OK;
  lab_tuning_begin(&f->tuning, (size_t)s->plan.of->tune_seeds);
  f->tuned = calloc(arm->tune, sizeof *f->tuned);
  return f->tuned ? OFW_OK : ofw_fail_memory(s->err, arm->tune * sizeof *f->tuned);
}

/* ---- what is done ---- */

static void tell_failure(sweep *s, const front *f, const results_cell *c)
{
  s->tally->failed++;
  if (s->tally->failed > 1 && (size_t)c->cell > s->first_failed)
    return;
  s->first_failed = (size_t)c->cell;
  snprintf(s->tally->failure, sizeof s->tally->failure, "%.60s on %.60s, seed %llu: %.240s", f->arm->player->label,
           f->arm->source->label, (unsigned long long)c->seed, c->error);
}

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
  if (c->exit_code)
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

/* ---- processes ---- */

static ofw_status start(sweep *s, front *f, const results_cell *c)
{
  slot *free_slot = s->slot;
  while (free_slot->process.pid)
    free_slot++;
  if (!s->begun)
    OFW_TRY(results_begin(s->store, s->err));
  s->begun = 1;
  const char *program = s->ask->program ? s->ask->program : "/proc/self/exe";
  OFW_TRY(lab_process_start(program, f->arm, c, &free_slot->process, s->err));
  free_slot->front = f;
  free_slot->cell = *c;
  s->running++;
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

static ofw_status keep(sweep *s, slot *at, int status)
{
  lab_outcome o;
  ofw_status st = lab_process_read(&at->process, status, &at->cell, s->plan.of->series, &o, s->err);
  if (st == OFW_OK)
    st = results_put(s->store, &o.cell, o.point, o.points, at->process.started, s->machine, s->err);
  lab_process_close(&at->process);
  s->running--;
  if (st == OFW_OK)
    st = note(s, at->front, &o.cell, 0);
  lab_outcome_free(&o);
  return st;
}

/* Keeps what came of the processes that have ended. */
static ofw_status reap(sweep *s)
{
  for (slot *at = s->slot; at < s->slot + s->ask->jobs; at++) {
    int status;
    if (at->process.pid && waitpid(at->process.pid, &status, WNOHANG) == at->process.pid)
      OFW_TRY(keep(s, at, status));
  }
  return OFW_OK;
}

static void end_all(sweep *s)
{
  for (slot *at = s->slot; s->slot && at < s->slot + s->ask->jobs; at++)
    if (at->process.pid) {
      kill(at->process.pid, SIGKILL);
      while (waitpid(at->process.pid, NULL, 0) < 0 && errno == EINTR)
        continue;
      lab_process_close(&at->process);
    }
}

/* With the three signals blocked: what waits is one of them. */
static ofw_status play(sweep *s, const sigset_t *signals)
{
  for (;;) {
    OFW_TRY(fill_slots(s));
    if (s->running == 0)
      return OFW_OK;
    int signal = sigwaitinfo(signals, NULL);
    OFW_TRY(reap(s));
    if (signal == SIGINT || signal == SIGTERM) {
      s->tally->signal = signal;
      return ofw_fail(s->err, OFW_END, "stopped");
    }
  }
}

/* The signals are taken one at a time and not by handlers, so none comes between a look and a wait. */
static ofw_status play_blocked(sweep *s)
{
  sigset_t signals, before;
  struct sigaction usual = {.sa_handler = SIG_DFL}, old;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGCHLD);
  sigprocmask(SIG_BLOCK, &signals, &before);
  sigaction(SIGCHLD, &usual, &old); /* a parent may have had it ignored, and then there is nothing to wait for */
  ofw_status st = play(s, &signals);
  end_all(s);
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

static ofw_status open_store(sweep *s)
{
  const lab_experiment *x = s->plan.of;
  const results_head head = {x->title, x->text, ofw_version(), ofw_kernels_chosen()->name};
  results_arm *arm = calloc(s->plan.arms + 1, sizeof *arm);
  if (!arm)
    return ofw_fail_memory(s->err, s->plan.arms * sizeof *arm);
  for (size_t i = 0; i < s->plan.arms; i++) {
    const lab_arm *a = &s->plan.arm[i];
    const ofw_promise *p = a->tune ? lab_promise(a->player->learner) : NULL;
    arm[i] = (results_arm){.arm = (int64_t)i + 1,
                           .stream = (char *)a->source->label,
                           .stream_spec = (char *)a->source->spec,
                           .domain = (char *)a->source->domain,
                           .label = (char *)a->player->label,
                           .learner = (char *)a->player->learner,
                           .options = a->options,
                           .tuned = a->tune > 0,
                           .constant = {(char *)(p ? p->tuned[0] : NULL), (char *)(p ? p->tuned[1] : NULL)}};
  }
  ofw_status st = lab_make_folder(s->ask->folder, s->err);
  if (st == OFW_OK)
    st = results_create(s->ask->folder, &head, arm, s->plan.arms, &s->store, s->err);
  free(arm);
  return st == OFW_OK ? results_cells(s->store, 0, &s->known, &s->knowns, s->err) : st;
}

static ofw_status prepare(sweep *s)
{
  OFW_TRY(lab_plan_make(s->ask->of, &s->plan, s->err));
  s->tally->cells = s->plan.cells;
  s->tally->work = lab_plan_work(&s->plan);
  s->front = calloc(s->plan.arms + 1, sizeof *s->front);
  s->slot = calloc(s->ask->jobs, sizeof *s->slot);
  if (!s->front || !s->slot)
    return ofw_fail_memory(s->err, s->plan.arms * sizeof *s->front);
  for (size_t i = 0; i < s->plan.arms; i++)
    OFW_TRY(open_front(s, &s->plan.arm[i], &s->front[i]));
  describe_machine(s->machine, sizeof s->machine);
  return open_store(s);
}

static void close_sweep(sweep *s)
{
  for (size_t i = 0; s->front && i < s->plan.arms; i++) {
    front *f = &s->front[i];
    results_cells_free(f->tuned, f->tuned ? f->arm->tune : 0);
  }
  free(s->front);
  free(s->slot);
  results_cells_free(s->known, s->knowns);
  results_close(s->store);
  lab_plan_free(&s->plan);
}

ofw_status lab_sweep_play(const lab_sweep *ask, lab_tally *tally, ofw_error *err)
{
  sweep s = {.ask = ask, .tally = tally, .err = err};
  *tally = (lab_tally){0};
  ofw_status st = prepare(&s);
  if (st == OFW_OK)
    st = play_blocked(&s);
  if (st == OFW_OK)
    st = results_finish(s.store, err);
  close_sweep(&s);
  return st;
}
