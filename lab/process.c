/* process.c — both ends of a worker process
 *
 * They are one program, so what goes over the link is what is in memory: a task one way; a cell, two texts and the kept
 * rounds the other way.
 */
#include "lab/process.h"

#include "base/basics.h"
#include "lab/gpu_share.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the link ---- */

/* 1: all of it went, or came; 0: the other end is gone. */
static int put(int link, const void *data, size_t n)
{
  const char *at = data;
  while (n > 0) {
    ssize_t went = send(link, at, n, MSG_NOSIGNAL);
    if (went < 0 && errno != EINTR)
      return 0;
    at += went > 0 ? went : 0;
    n -= went > 0 ? (size_t)went : 0;
  }
  return 1;
}

static int get(int link, void *data, size_t n)
{
  char *at = data;
  while (n > 0) {
    ssize_t came = recv(link, at, n, 0);
    if (came == 0 || (came < 0 && errno != EINTR))
      return 0;
    at += came > 0 ? came : 0;
    n -= came > 0 ? (size_t)came : 0;
  }
  return 1;
}

typedef struct task {
  results_cell cell;
  uint64_t played; /* 0: only its config is asked for; as wide as what stands before it, so that no byte is unset */
} task;

/* What an answer begins with. The lengths count the 0 at the end; 0: there is no such text. */
typedef struct answer {
  results_cell cell;
  size_t config, error, points;
} answer;

/* ---- the worker's end ---- */

static size_t length_of(const char *text)
{
  return text ? strlen(text) + 1 : 0;
}

static int put_outcome(int link, const lab_outcome *o)
{
  const answer a = {o->cell, length_of(o->cell.config), length_of(o->cell.error), o->points};
  return put(link, &a, sizeof a) && put(link, o->cell.config, a.config) && put(link, o->cell.error, a.error) &&
         put(link, o->point, o->points * sizeof *o->point);
}

static ofw_status answer_to(const lab_plan *plan, const task *t, lab_outcome *out)
{
  const lab_arm *arm = &plan->arm[t->cell.arm - 1];
  return t->played ? lab_play(arm, &t->cell, plan->of->series, out, NULL) : lab_play_nothing(arm, &t->cell, out, NULL);
}

/* In the child, which never returns. It keeps none of its parent's files open: the lock on the folder is among them. */
static void work(const lab_plan *plan, int link, pid_t parent)
{
  enum { LINK = STDERR_FILENO + 1 };
  sigset_t blocked;
  task t;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGINT);
  sigprocmask(SIG_SETMASK, &blocked, NULL);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent || dup2(link, LINK) < 0) /* the parent was gone before that */
    _exit(1);
  close_range(LINK + 1, ~0u, 0);
  if (plan->gpu)
    lab_gpu_join(plan->gpu);
  while (get(LINK, &t, sizeof t)) {
    lab_outcome o;
    if (answer_to(plan, &t, &o) != OFW_OK || !put_outcome(LINK, &o))
      _exit(1);
    lab_outcome_free(&o);
  }
  _exit(0);
}

/* ---- the parent's end ---- */

static ofw_status start(lab_worker *w, const lab_plan *plan, ofw_error *err)
{
  int end[2];
  pid_t parent = getpid();
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, end) != 0)
    return ofw_fail(err, OFW_FAILED, "cannot connect to a worker process: %s", strerror(errno));
  w->pid = fork();
  if (w->pid == 0)
    work(plan, end[1], parent);
  int why = errno;
  close(end[1]);
  w->link = end[0];
  if (w->pid > 0)
    return OFW_OK;
  close(end[0]);
  *w = (lab_worker){0};
  return ofw_fail(err, OFW_FAILED, "cannot start a worker process: %s", strerror(why));
}

/* Its status as waitpid has it. One that still writes an answer ends, because nobody reads it. */
static int bury(lab_worker *w)
{
  int status = 0;
  close(w->link);
  while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
    continue;
  *w = (lab_worker){0};
  return status;
}

void lab_worker_end(lab_worker *w)
{
  if (!w->pid)
    return;
  kill(w->pid, SIGKILL);
  bury(w);
}

static ofw_status send_task(lab_worker *w, const lab_plan *plan, const task *t, ofw_error *err)
{
  if (w->pid && put(w->link, t, sizeof *t))
    return OFW_OK;
  lab_worker_end(w);
  OFW_TRY(start(w, plan, err));
  put(w->link, t, sizeof *t); /* if it is gone already, the one who waits for the answer sees it */
  return OFW_OK;
}

ofw_status lab_worker_send(lab_worker *w, const lab_plan *plan, const results_cell *cell, ofw_error *err)
{
  return send_task(w, plan, &(task){*cell, 1}, err);
}

/* 0: the link ended first. */
static int get_text(int link, size_t length, char **out)
{
  *out = length ? ofw_array(length, 1) : NULL;
  return !length || (*out && get(link, *out, length));
}

static int get_outcome(int link, lab_outcome *o)
{
  answer a;
  if (!get(link, &a, sizeof a))
    return 0;
  o->cell = a.cell;
  o->cell.config = o->cell.error = NULL;
  if (!get_text(link, a.config, &o->cell.config) || !get_text(link, a.error, &o->cell.error))
    return 0;
  o->point = ofw_array(a.points, sizeof *o->point);
  o->points = o->point ? a.points : 0;
  return o->point && get(link, o->point, a.points * sizeof *o->point);
}

ofw_status lab_worker_receive(lab_worker *w, const results_cell *cell, lab_outcome *out, ofw_error *err)
{
  char why[80];
  *out = (lab_outcome){.cell = *cell};
  if (get_outcome(w->link, out))
    return OFW_OK;
  lab_outcome_free(out);
  out->cell = *cell;
  int status = bury(w), signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (signal)
    snprintf(why, sizeof why, "the worker process was ended by signal %d (%s)", signal, strsignal(signal));
  else
    snprintf(why, sizeof why, "the worker process ended with status %d", WEXITSTATUS(status));
  return lab_outcome_fail(out, signal ? 128 + signal : 1, why, err);
}

ofw_status lab_worker_config(lab_worker *w, const lab_plan *plan, const results_cell *cell, char **out, ofw_error *err)
{
  lab_outcome o;
  *out = NULL;
  OFW_TRY(send_task(w, plan, &(task){*cell, 0}, err));
  OFW_TRY(lab_worker_receive(w, cell, &o, err));
  ofw_status st =
      o.cell.exit_code ? ofw_fail(err, o.cell.exit_code == 3 ? OFW_BAD_DATA : OFW_FAILED, "%s", o.cell.error) : OFW_OK;
  *out = o.cell.config;
  o.cell.config = NULL;
  lab_outcome_free(&o);
  return st;
}
