/* slurm.c — the steps of a sharded sweep as jobs of Slurm, each after the one before
 *
 * sbatch is run without a shell. It is asked for the number of each job, which the next one depends on. If a job fails, those that
 * wait for it are cancelled, so that nothing is left in the queue; the same command submits them again.
 */
#include "shards.h"

#include <ctype.h>
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* The command line of one submission. */
typedef struct words {
  char *word[MOST_REPEATED + 16];
  size_t n;
  int failed;
} words;

static void add(words *w, char *word)
{
  w->failed |= !word;
  w->word[w->n++] = word;
}

static void free_words(words *w)
{
  for (size_t i = 0; i < w->n; i++)
    free(w->word[i]);
}

/* The user's options come behind those that they may change, and before those that the chain needs. */
static void compose(words *w, const arguments *args, const shard_script *s, const shard_step *step, const char *after)
{
  const char *option[MOST_REPEATED];
  size_t n = repeated_values(args, OPT_SBATCH, option);
  add(w, ofw_copy_text("sbatch"));
  add(w, ofw_format("--job-name=ofw-%s", step->name));
  add(w, ofw_format("--cpus-per-task=%llu", (unsigned long long)s->jobs));
  for (size_t i = 0; i < n; i++)
    add(w, ofw_copy_text(option[i]));
  add(w, ofw_copy_text("--parsable"));
  add(w, ofw_copy_text("--output=/dev/null")); /* the script keeps its own log: % in a path would mean something here */
  if (step->tasks)
    add(w, ofw_format("--array=1-%zu", step->tasks));
  if (after) {
    add(w, ofw_format("--dependency=afterok:%s", after));
    add(w, ofw_copy_text("--kill-on-invalid-dep=yes"));
  }
  add(w, ofw_copy_text(s->path));
  add(w, ofw_copy_text(step->name));
}

/* Runs a program; what it prints, as far as there is room. 0 or its exit status; -1: it cannot be run, and errno says why. */
static int run(char *const *word, char *out, size_t room)
{
  posix_spawn_file_actions_t files;
  int pipes[2], status = 0;
  size_t length = 0;
  pid_t pid;
  if (pipe(pipes) != 0)
    return -1;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, pipes[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&files, pipes[0]);
  posix_spawn_file_actions_addclose(&files, pipes[1]);
  int why = posix_spawnp(&pid, word[0], &files, NULL, word, environ);
  posix_spawn_file_actions_destroy(&files);
  close(pipes[1]);
  for (ssize_t got = 1; !why && got > 0 && length + 1 < room; length += got > 0 ? (size_t)got : 0)
    got = read(pipes[0], out + length, room - 1 - length);
  close(pipes[0]);
  out[length] = 0;
  if (why) {
    errno = why;
    return -1;
  }
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
    continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* "123" or "123;cluster". */
static int read_job(const char *said, char out[32])
{
  size_t digits = strspn(said, "0123456789");
  int is_number =
      digits > 0 && digits < 32 && (!said[digits] || said[digits] == ';' || isspace((unsigned char)said[digits]));
  snprintf(out, 32, "%.*s", is_number ? (int)digits : 0, said);
  return is_number;
}

static int submit(const command *self, const arguments *args, const shard_script *s, shard_step *step,
                  const char *after)
{
  words w = {0};
  char said[256];
  compose(&w, args, s, step, after);
  int status = w.failed ? 0 : run(w.word, said, sizeof said);
  int code = w.failed ? no_memory(self) : 0;
  if (status < 0)
    code = complain(self, EXIT_FAILED,
                    "cannot run sbatch: %s; submit from a machine with Slurm, or play the shards by 'sh %s parallel'",
                    strerror(errno), s->path);
  else if (status > 0)
    code = complain(self, EXIT_FAILED, "sbatch refused the step %s with status %d%s%s", step->name, status,
                    after ? "; submitted before: job " : "", after ? after : "");
  else if (!code && !read_job(said, step->job))
    code = complain(self, EXIT_FAILED, "expected the number of a job from sbatch, found '%.60s'%s%s", said,
                    after ? "; submitted before: job " : "", after ? after : "");
  free_words(&w);
  return code;
}

int submit_steps(const command *self, const arguments *args, const shard_script *s, shard_step *step, size_t n)
{
  int code = 0;
  for (size_t i = 0; i < n && !code; i++)
    code = submit(self, args, s, &step[i], i ? step[i - 1].job : NULL);
  return code;
}
