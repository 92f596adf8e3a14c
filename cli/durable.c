/* durable.c — a log and a checkpoint beside it: opened, checked against each other, kept short
 *
 * The log alone is enough to go on from; a checkpoint spares the replay. Only with --log-keep are they needed together:
 * then lines go that both the checkpoint and the one before it have, so that one damaged file costs nothing.
 */
#include "durable.h"

#include "build.h"

#include "persist/checkpoint.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char about_form[] = "line=%" PRIu64 " sum=%" PRIx32 "\n",
                  about_read[] = "line=%20" SCNu64 " sum=%8" SCNx32;

int read_durable(const command *self, const arguments *args, durable *d)
{
  int code = read_checkpointing(self, args, &d->checkpoint);
  d->self = self;
  if (!code && args->value[OPT_LOG_KEEP] && !d->checkpoint.path)
    code = complain(self, EXIT_USAGE, "--log-keep needs --checkpoint FILE, which stores the rounds that the log drops");
  return code ? code : read_count(self, args, OPT_LOG_KEEP, UINT64_MAX, &d->keep);
}

/* ---- the checkpoint ---- */

/* The lines that a checkpoint has, and the log's checksum after them. */
typedef struct kept {
  uint64_t lines;
  uint32_t sum;
} kept;

static int load_state(durable *d, const char *path, const ofw_checkpoint *found, kept *k)
{
  const char *line = strchr(found->about, '\n');
  if (!line || sscanf(line + 1, about_read, &k->lines, &k->sum) != 2)
    return complain(d->self, EXIT_BAD_DATA, "%s: expected a checkpoint of 'ofw %s', found another one", path,
                    d->self->name);
  ofw_error err = {0};
  if (d->play->load(d->ctx, &found->state, &err) != OFW_OK)
    return complain(d->self, EXIT_BAD_DATA, "%s: %s", path, err.message);
  warn_build(d->self, path, found->about);
  return 0;
}

/* From the one before it, if the checkpoint is damaged; if that is too, from the log's beginning. */
static int load_older(durable *d, const char *why, kept *k)
{
  ofw_checkpoint found = {0};
  char *path = ofw_format("%s.1", d->checkpoint.path);
  int code = 0;
  if (path && ofw_checkpoint_read_file(&ofw_real_disk, path, &found, NULL) == OFW_OK) {
    complain(d->self, 0, "warning: %s; resuming from it", why);
    code = load_state(d, path, &found, k);
  } else
    complain(d->self, 0, "warning: %s; replaying the whole log", why);
  ofw_checkpoint_free(&found);
  free(path);
  return code;
}

static int load_checkpoint(durable *d, kept *k)
{
  ofw_checkpoint found = {0};
  ofw_error err = {0};
  ofw_status st = ofw_checkpoint_read(&ofw_real_disk, d->checkpoint.path, &found, &err);
  int code = 0;
  if (st != OFW_OK && st != OFW_END)
    code = load_older(d, err.message, k);
  else if (st == OFW_OK && !(code = load_state(d, d->checkpoint.path, &found, k)))
    d->line = k->lines;
  ofw_checkpoint_free(&found);
  return code;
}

/* ---- the log ---- */

/* A log's lines, of which a checkpoint has the first ones. */
typedef struct replay {
  durable *d;
  kept kept;
} replay;

static ofw_status replay_line(void *ctx, uint64_t number, const char *line, size_t length, uint32_t sum, ofw_error *err)
{
  replay *r = ctx;
  const durable_play *play = r->d->play;
  if (number == r->kept.lines && sum != r->kept.sum)
    return ofw_fail(err, OFW_BAD_DATA, "the checkpoint %.200s belongs to another log", r->d->checkpoint.path);
  if (number <= r->kept.lines)
    return OFW_OK;
  ofw_error why = {0};
  ofw_status st = play->replay(r->d->ctx, line, length, &why);
  return st == OFW_OK ? st : ofw_fail(err, st, "%s %" PRIu64 ": %s", play->line, number, why.message);
}

/* What the log says of itself against what the checkpoint does. */
static int check_pair(const durable *d, const char *path, const ofw_log_found *found, const kept *k)
{
  if (k->lines > found->lines)
    return complain(d->self, EXIT_BAD_DATA,
                    "%s holds lines up to %" PRIu64 ", and the checkpoint %s is of line %" PRIu64, path, found->lines,
                    d->checkpoint.path, k->lines);
  if (k->lines < found->dropped)
    return complain(d->self, EXIT_BAD_DATA,
                    "%s begins behind line %" PRIu64 ", and %s%s; --checkpoint must name a checkpoint of it", path,
                    found->dropped,
                    d->checkpoint.path ? "there is no whole checkpoint of that line or a later one at "
                                       : "no --checkpoint is given",
                    d->checkpoint.path ? d->checkpoint.path : "");
  if (k->lines > 0 && k->lines == found->dropped && k->sum != found->from_sum)
    return complain(d->self, EXIT_BAD_DATA, "%s: the checkpoint %s belongs to another log", path, d->checkpoint.path);
  return 0;
}

/* What the process writes or reads must not be the log itself. */
static int check_standard_files(const durable *d, const char *path)
{
  static const char *const names[] = {"stdin", "stdout", "stderr"};
  uint64_t size;
  for (int k = 0; k < 3; k++)
    if (ofw_real_disk.holds(NULL, path, k, &size) == 1)
      return complain(d->self, EXIT_USAGE, "--log %s: this file is the command's %s; choose another", path, names[k]);
  return 0;
}

static int start_log(durable *d, const char *path, const ofw_log_found *found)
{
  ofw_error err = {0};
  if (ofw_log_start(d->log, &err) != OFW_OK)
    return refuse(d->self, &err);
  if (found->build)
    warn_build(d->self, path, found->build);
  if (found->torn > 0)
    complain(d->self, 0,
             "warning: %s: its last %" PRIu64 " bytes were part of %s that was never answered; they are now in %s.torn",
             path, found->torn, d->play->torn, path);
  return 0;
}

int open_durable(durable *d, const char *path, const char *config, uint64_t *lines)
{
  char build[BUILD_TEXT];
  ofw_error err = {0};
  ofw_log_found found = {0};
  replay r = {.d = d};
  int code = check_standard_files(d, path);
  if (!code && d->checkpoint.path)
    code = load_checkpoint(d, &r.kept);
  if (!code &&
      ofw_log_open(&ofw_real_disk, path, build_text(build), config, replay_line, &r, &d->log, &found, &err) != OFW_OK)
    code = complain(d->self, exit_code(err.status), "%s%s", err.message,
                    found.damaged ? "; 'ofw check' says how much of it is whole" : "");
  if (!code)
    code = check_pair(d, path, &found, &r.kept);
  if (!code)
    code = open_checkpoints(d->self, &d->checkpoint);
  if (!code)
    code = start_log(d, path, &found);
  *lines = found.lines;
  if (r.kept.lines)
    checkpoint_done(&d->checkpoint, r.kept.lines + 1);
  ofw_log_found_free(&found);
  return code;
}

/* ---- while it plays ---- */

/* The lines that both checkpoints have go, down to --log-keep of them, if they are at least as many as those that stay: so
 * each line is rewritten at most once on average. */
static int shorten_log(durable *d, uint64_t lines)
{
  ofw_error err = {0};
  uint64_t dropped = ofw_log_dropped(d->log), most = lines > d->keep ? lines - d->keep : 0;
  uint64_t upto = d->before < most ? d->before : most;
  if (upto <= dropped || upto - dropped < lines - upto || ofw_log_drop(d->log, upto, &err) == OFW_OK)
    return 0;
  if (ofw_log_commit(d->log, NULL) != OFW_OK) /* nothing waits: it says whether the log takes more */
    return refuse(d->self, &err);
  return complain(d->self, 0, "warning: %s; the log is not shortened", err.message);
}

int keep_checkpoint(durable *d, uint64_t lines, uint64_t round)
{
  char about[BUILD_TEXT + 64], build[BUILD_TEXT];
  ofw_state state = {0};
  ofw_error err = {0};
  int n = snprintf(about, sizeof about, "%s\n", build_text(build));
  snprintf(about + n, sizeof about - (size_t)n, about_form, lines, ofw_log_sum(d->log));
  ofw_status st = d->play->save(d->ctx, &state, &err);
  if (st == OFW_OK)
    st = ofw_checkpoint_write(&ofw_real_disk, d->checkpoint.path, &state, about, &err);
  ofw_state_free(&state);
  checkpoint_done(&d->checkpoint, round); /* else it would be tried again after every line */
  if (st != OFW_OK && !d->warned)
    complain(d->self, 0, "warning: %s; the log continues without it", err.message);
  d->warned = st != OFW_OK;
  if (st != OFW_OK)
    return 0;
  d->before = d->line;
  d->line = lines;
  return shorten_log(d, lines);
}

void close_durable(durable *d)
{
  unlock_file(&d->checkpoint.lock);
  ofw_log_close(d->log);
}
