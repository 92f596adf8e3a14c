/* gpu_share.c — the process that has the GPU, from its start to its end */
#include "lab/gpu_share.h"

#include "engine/cuda_library.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* In the child, which never returns. It keeps none of its parent's files open, as a worker. */
static void serve(const lab_gpu *g, pid_t parent)
{
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGINT);
  sigprocmask(SIG_SETMASK, &blocked, NULL);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() == parent) {
    close_range(STDERR_FILENO + 1, ~0u, 0);
    g->table->serve(g->share);
  }
  _exit(1);
}

static int is_gone(pid_t pid)
{
  pid_t found = waitpid(pid, NULL, WNOHANG);
  return found == pid || (found < 0 && errno != EINTR);
}

/* Until the child can be told from one that has ended. */
static int has_begun(const lab_gpu *g)
{
  while (!g->table->begun(g->share)) {
    if (is_gone(g->pid))
      return 0;
    nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
  }
  return 1;
}

void lab_gpu_start(size_t plays, lab_gpu *out)
{
  pid_t parent = getpid();
  *out = (lab_gpu){.table = ofw_cuda_library(NULL)};
  if (!out->table || !(out->share = out->table->share(plays)))
    return;
  out->pid = fork();
  if (out->pid == 0)
    serve(out, parent);
  if (out->pid > 0 && has_begun(out))
    return;
  out->table->unshare(out->share);
  *out = (lab_gpu){0};
}

void lab_gpu_join(const lab_gpu *gpu)
{
  if (gpu->share)
    gpu->table->join(gpu->share);
}

void lab_gpu_end(lab_gpu *gpu)
{
  if (!gpu->share)
    return;
  kill(gpu->pid, SIGKILL);
  while (waitpid(gpu->pid, NULL, 0) < 0 && errno == EINTR)
    continue;
  gpu->table->unshare(gpu->share);
  *gpu = (lab_gpu){0};
}
