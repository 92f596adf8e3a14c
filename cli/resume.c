/* resume.c — checkpoints of a run: when one is due, what it says of the trace, and how a run resumes
 *
 * The trace is synced before the checkpoint that names its length; so a resumed run can cut it there.
 */
#include "resume.h"

#include "build.h"
#include "rank_files.h"

#include "persist/disk.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* So that a short round is not spent on waiting for the disk, and a long run does not lose much. */
#define SECONDS_BETWEEN 10.0

static const char *name_in_folder(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* 1: there is one. */
static int look_at_folder(const char *path, struct stat *out)
{
  size_t n = (size_t)(name_in_folder(path) - path);
  char *folder = n ? strndup(path, n) : strdup(".");
  int there = folder && stat(folder, out) == 0;
  free(folder);
  return there;
}

/* What is written beside a checkpoint, a log and a trace, under their names and more. */
static const char *const beside_checkpoint[] = {"", ".1", ".tmp", ".lock", NULL};
static const char *const beside_log[] = {"", ".tmp", ".torn", ".torn.1", ".torn.tmp", NULL};
static const char *const beside_trace[] = {"", NULL};

/* 1: a file of the one would take the place of a file of the other. */
static int is_in_the_way(const char *checkpoint, const char *other, const char *const *beside_other)
{
  struct stat a, b;
  if (!look_at_folder(checkpoint, &a) || !look_at_folder(other, &b) || a.st_dev != b.st_dev || a.st_ino != b.st_ino)
    return 0;
  int same = 0;
  for (const char *const *mine = beside_checkpoint; *mine; mine++)
    for (const char *const *its = beside_other; *its; its++) {
      char *x = ofw_format("%s%s", name_in_folder(checkpoint), *mine),
           *y = ofw_format("%s%s", name_in_folder(other), *its);
      same |= !x || !y || strcmp(x, y) == 0;
      free(x);
      free(y);
    }
  return same;
}

int read_checkpointing(const command *self, const arguments *args, checkpointing *c)
{
  *c = (checkpointing){.path = args->value[OPT_CHECKPOINT], .second = ofw_now(), .lock = {-1, NULL}};
  if (!c->path && args->value[OPT_CHECKPOINT_EVERY])
    return complain(self, EXIT_USAGE, "--checkpoint-every needs --checkpoint FILE");
  if (!c->path && args->value[OPT_RESUME])
    return complain(self, EXIT_USAGE, "--resume needs --checkpoint FILE");
  const char *others[] = {args->value[OPT_LOG_FILE], args->value[OPT_TRACE]};
  for (size_t k = 0; c->path && k < sizeof others / sizeof *others; k++)
    if (others[k] && is_in_the_way(c->path, others[k], k ? beside_trace : beside_log))
      return complain(self, EXIT_USAGE,
                      "--checkpoint %s would overwrite --%s %s, or a file that belongs to it; choose another name",
                      c->path, k ? "trace" : "log", others[k]);
  return read_count_in(self, args, OPT_CHECKPOINT_EVERY, 0, 1, UINT64_MAX, &c->every);
}

/* The first rank does what one process is enough for. */
static int is_first(const checkpointing *c)
{
  return !c->split || c->split->ranks->rank == 0;
}

int open_checkpoints(const command *self, checkpointing *c)
{
  uint64_t size;
  if (!is_first(c))
    return 0;
  if (c->path && ofw_real_disk.look(NULL, c->path, &size) == OFW_SPECIAL)
    return complain(self, EXIT_BAD_DATA, "%s: expected a regular file", c->path);
  return c->path ? lock_file(self, c->path, &c->lock) : 0;
}

int checkpoint_due(const checkpointing *c, uint64_t round)
{
  if (!c->path || round == c->round)
    return 0;
  if (c->every) /* not round % every: a group of lines may go past a multiple */
    return round / c->every != c->round / c->every;
  return ofw_now() - c->second >= SECONDS_BETWEEN;
}

void checkpoint_done(checkpointing *c, uint64_t round)
{
  c->round = round;
  c->second = ofw_now();
}

/* What is kept beside the state: the build, and where the trace was. */
static const char trace_form[] = "trace every=%llu bytes=%llu round=%llu\n", no_trace[] = "trace none\n";

int checkpoint_run(const command *self, checkpointing *c, ofw_run *run, trace_file *t)
{
  char about[BUILD_TEXT + 128], build[BUILD_TEXT];
  ofw_state state = {0};
  ofw_error err = {0};
  int n = snprintf(about, sizeof about, "%s\n", build_text(build)), code = sync_trace(self, t);
  if (c->split)
    code = (int)ofw_ranks_largest(c->split->ranks, code); /* only the first has a trace */
  if (code)
    return code;
  if (t->path)
    snprintf(about + n, sizeof about - (size_t)n, trace_form, (unsigned long long)t->every,
             (unsigned long long)t->bytes, (unsigned long long)t->round);
  else
    snprintf(about + n, sizeof about - (size_t)n, no_trace);
  ofw_status st = ofw_run_save(run, &state);
  if (st != OFW_OK)
    ofw_fail(&err, OFW_FAILED, "%s", ofw_run_error(run));
  if (c->split)
    st = rank_files_write(c->split, c->path, ofw_run_account(run)->round, c->round, st, &state, about, &err);
  else if (st == OFW_OK)
    st = ofw_checkpoint_write(&ofw_real_disk, c->path, &state, about, &err);
  if (st != OFW_OK)
    code = refuse(self, &err);
  else
    checkpoint_done(c, ofw_run_account(run)->round);
  ofw_state_free(&state);
  return code;
}

static int resume_its_trace(const command *self, const char *about, trace_file *t)
{
  unsigned long long every, bytes, round;
  const char *line = strchr(about, '\n');
  line = line ? line + 1 : "";
  if (strcmp(line, no_trace) == 0)
    return t->path ? complain(self, EXIT_BAD_DATA, "the checkpoint is of a play without --trace; leave --trace out")
                   : 0;
  if (sscanf(line, trace_form, &every, &bytes, &round) != 3)
    return complain(self, EXIT_BAD_DATA, "the checkpoint does not say how far the trace was");
  if (!t->path)
    return complain(self, EXIT_BAD_DATA, "the checkpoint is of a play with --trace FILE; give it again");
  if (every != t->every)
    return complain(self, EXIT_BAD_DATA, "the checkpoint is of a play with another --trace-every; use the same one");
  return resume_trace(self, t, bytes, round);
}

/* ---- resuming ---- */

/* If there is no manifest: files of several rounds are those of a checkpoint that was moved in part, and this play would delete
 * them; of one round, what a rank has left that died before the first manifest. */
static int refuse_left_overs(const command *self, const char *path, int resume)
{
  int many = 0, code = 0;
  char *name = rank_files_left(path, &many);
  if (name && (many || !resume))
    code =
        complain(self, EXIT_USAGE,
                 "%s is not there, but %s is, a file of such a checkpoint; move all of its files, %s.*, away or back",
                 path, name, path);
  free(name);
  return code;
}

static int refuse_what_exists(const command *self, const checkpointing *c)
{
  uint64_t size;
  const char *before = ofw_real_disk.look(NULL, c->path, &size) == OFW_NOT_THERE ? ".1" : "";
  if (c->split)
    return complain(self, EXIT_USAGE,
                    "%s%s already exists; --resume continues it, and to start again move all of its files, %s*, away",
                    c->path, before, c->path);
  return complain(self, EXIT_USAGE, "%s%s already exists; --resume continues it, and to start again move it away",
                  c->path, before);
}

static ofw_status read_of_ranks(const checkpointing *c, ofw_run *run, ofw_checkpoint *found, ofw_error *err)
{
  ofw_state own = {0};
  ofw_status st = ofw_run_save(run, &own);
  if (st != OFW_OK)
    ofw_fail(err, st, "%s", ofw_run_error(run));
  st = ofw_ranks_agree(c->split->ranks, st, err);
  if (st == OFW_OK)
    st = rank_files_read(c->split, c->cols, c->path, &own, found, err);
  ofw_state_free(&own);
  return st;
}

/* A refusal by one rank is one by all. */
static ofw_status load(const checkpointing *c, const ofw_checkpoint *found, ofw_run *run, ofw_error *err)
{
  const ofw_ranks *ranks = c->split ? c->split->ranks : NULL;
  ofw_status st = ofw_run_load(run, &found->state);
  if (st != OFW_OK)
    ofw_fail(err, OFW_BAD_DATA, "%.200s: %s", c->path, ofw_run_error(run));
  OFW_TRY(ofw_ranks_agree(ranks, st == OFW_OK ? st : OFW_BAD_DATA, err));
  double round = (double)ofw_run_account(run)->round;
  if (ofw_ranks_largest(ranks, round) != -ofw_ranks_largest(ranks, -round))
    return ofw_fail(err, OFW_BAD_DATA, "%.200s: the files of its ranks are of several rounds", c->path);
  return OFW_OK;
}

int resume_run(const command *self, checkpointing *c, int resume, ofw_run *run, trace_file *t, int *resumed)
{
  ofw_checkpoint found = {0};
  ofw_error err = {0};
  ofw_status st =
      c->split ? read_of_ranks(c, run, &found, &err) : ofw_checkpoint_read(&ofw_real_disk, c->path, &found, &err);
  int code = 0;
  *resumed = 0;
  if (st == OFW_END) {
    if (c->split && is_first(c))
      code = refuse_left_overs(self, c->path, resume);
    if (resume && !code)
      complain(self, 0, "%s does not exist; starting with round 1", c->path);
    return code;
  }
  if (!resume)
    code = refuse_what_exists(self, c);
  else if (st == OFW_OK && !c->split && is_of_ranks(&found))
    code = complain(self, EXIT_BAD_DATA, "%s: a checkpoint of ofw-mpi; resume it by that", c->path);
  else if (st != OFW_OK || load(c, &found, run, &err) != OFW_OK)
    code = refuse(self, &err);
  else if (!is_first(c) || !(code = resume_its_trace(self, found.about, t))) {
    warn_build(self, c->path, found.about);
    checkpoint_done(c, ofw_run_account(run)->round);
    *resumed = 1;
  }
  ofw_checkpoint_free(&found);
  return code;
}
