/* python.c — peer_numpy.py in a process of its own, asked over two pipes
 *
 * A process, because NumPy within ours would share its BLAS, its threads and its caches.
 */
#include "bench/python.h"

#include "base/basics.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct peer_python {
  pid_t pid; /* 0: none */
  FILE *to, *from;
};

enum { FILE_AT = 3, LINE_ROOM = 512 };

/* Its stdin and stdout are pipes, and the file is open as /dev/fd/3. */
static int spawn(peer_python *p, int questions, int answers, int fd, char *const argv[])
{
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions) != 0)
    return 0;
  int failed = posix_spawn_file_actions_adddup2(&actions, questions, STDIN_FILENO) ||
               posix_spawn_file_actions_adddup2(&actions, answers, STDOUT_FILENO) ||
               posix_spawn_file_actions_adddup2(&actions, fd, FILE_AT) ||
               posix_spawn(&p->pid, OFW_PYTHON, &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed)
    p->pid = 0;
  return !failed;
}

static int start(peer_python *p, int fd, char *const argv[])
{
  int questions[2] = {-1, -1}, answers[2] = {-1, -1};
  int done = pipe2(questions, O_CLOEXEC) == 0 && pipe2(answers, O_CLOEXEC) == 0 &&
             spawn(p, questions[0], answers[1], fd, argv);
  close(questions[0]);
  close(answers[1]);
  p->to = questions[1] >= 0 ? fdopen(questions[1], "w") : NULL;
  p->from = answers[0] >= 0 ? fdopen(answers[0], "r") : NULL;
  return done && p->to && p->from;
}

/* One thread against one thread, whatever BLAS it has. */
static void one_thread(void)
{
  static const char *const names[] = {"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    setenv(names[i], "1", 1);
}

static ofw_status greet(peer_python *p, ofw_error *err)
{
  char line[LINE_ROOM];
  if (!fgets(line, sizeof line, p->from))
    return ofw_fail(err, OFW_UNSUPPORTED, "%s did not start", OFW_PYTHON);
  line[strcspn(line, "\n")] = 0;
  if (strcmp(line, "ready") == 0)
    return OFW_OK;
  return ofw_fail(err, OFW_UNSUPPORTED, "%s: %s", OFW_PYTHON, strncmp(line, "none ", 5) == 0 ? line + 5 : line);
}

peer_python *peer_python_start(const char *what, int fd, const char *const args[PYTHON_ARGS], ofw_error *err)
{
  const char *argv[4 + PYTHON_ARGS + 1] = {OFW_PYTHON, "-I", OFW_PEER, what};
  for (size_t i = 0; i < PYTHON_ARGS && args[i]; i++)
    argv[4 + i] = args[i];
  peer_python *p = calloc(1, sizeof *p);
  if (!p) {
    ofw_fail_memory(err, sizeof *p);
    return NULL;
  }
  one_thread();
  if (!start(p, fd, (char *const *)(uintptr_t)argv))
    ofw_fail(err, OFW_UNSUPPORTED, "%s cannot be run", OFW_PYTHON);
  else if (greet(p, err) == OFW_OK)
    return p;
  peer_python_stop(p);
  return NULL;
}

int peer_python_ask(peer_python *p, size_t question, size_t n, double *answer)
{
  char line[LINE_ROOM], *at = line;
  if (fprintf(p->to, "%zu\n", question) < 0 || fflush(p->to) != 0 || !fgets(line, sizeof line, p->from))
    return 0;
  for (size_t i = 0; i < n; i++) {
    char *end;
    answer[i] = strtod(at, &end);
    if (end == at)
      return 0;
    at = end;
  }
  return 1;
}

void peer_python_stop(peer_python *p)
{
  if (!p)
    return;
  if (p->to)
    (void)fclose(p->to); /* no more questions: it ends */
  if (p->from)
    (void)fclose(p->from);
  if (p->pid)
    waitpid(p->pid, NULL, 0);
  free(p);
}
