/* stream.c — ofw stream: decisions and answers out, feedback and requests in, one JSON object a line */
#include "build.h"
#include "checkpoint.h"
#include "cli.h"
#include "stop.h"

#include "base/base.h"
#include "base/lines.h"
#include "persist/log.h"
#include "stream/ask.h"
#include "stream/ndjson.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const option_id stream_options[] = {OPT_LEARNER,          OPT_DOMAIN,           OPT_HORIZON,  OPT_LIPSCHITZ,
                                    OPT_STRONG_CONVEXITY, OPT_LOSS_BOUND,       OPT_SET,      OPT_SEED,
                                    OPT_THREADS,          OPT_DECISION,         OPT_LOG_FILE, OPT_LOG_GROUP,
                                    OPT_CHECKPOINT,       OPT_CHECKPOINT_EVERY, OPT_HELP,     OPTIONS};

/* A play over a pipe. */
typedef struct play {
  const command *self;
  ofw_learner *l;
  size_t dim;
  ofw_lines in;
  ofw_ndjson parser;
  uint64_t round;     /* of the decision that waits for its feedback */
  const ofw_point *x; /* that decision */
  warnings warnings;
  double *decision; /* room for it; NULL: decisions are not written, only asked about */
  ofw_text out;     /* decisions and answers that are not yet written */
  /* what makes them last */
  ofw_log *log; /* NULL: nothing does */
  size_t group, grouped;
  checkpointing checkpoint;
} play;

/* ---- in ---- */

static ssize_t read_stdin(void *ctx, void *bytes, size_t n)
{
  (void)ctx;
  for (;;) {
    wait_for_input(STDIN_FILENO);
    if (stop_signal) {
      errno = EINTR;
      return -1;
    }
    ssize_t got = read(STDIN_FILENO, bytes, n);
    if (got >= 0 || (errno != EINTR && errno != EAGAIN))
      return got;
  }
}

static int line_trouble(const play *p, ofw_line_status st)
{
  unsigned long long number = p->in.number;
  switch (st) {
  case OFW_LINE_TOO_LONG:
    return complain(p->self, EXIT_BAD_DATA, "line %llu: longer than %zu bytes", number, p->in.limit);
  case OFW_LINE_UNREAD:
    if (stop_signal)
      return complain(p->self, stop_code(), "interrupted after round %llu", (unsigned long long)p->round - 1);
    return complain(p->self, EXIT_FAILED, "line %llu: cannot read: %s", number, strerror(errno));
  default:
    return complain(p->self, EXIT_FAILED, "line %llu: out of memory", number);
  }
}

/* One line of feedback to the learner. */
static ofw_status feed(play *p, const char *line, size_t length, ofw_error *err)
{
  ofw_full fb;
  int bandit = ofw_learner_is_bandit(p->l);
  OFW_TRY(ofw_ndjson_read(&p->parser, line, length, bandit ? OFW_NDJSON_VALUES : OFW_NDJSON_FULL, &fb, err));
  ofw_status st = bandit ? ofw_learner_observe_values(p->l, &fb.values) : ofw_learner_observe(p->l, &fb);
  if (st != OFW_OK)
    return ofw_fail(err, st, "%s", ofw_learner_error(p->l));
  p->round++;
  return OFW_OK;
}

/* ---- out ---- */

static int write_all(const char *bytes, size_t n)
{
  while (n > 0) {
    ssize_t put = write(STDOUT_FILENO, bytes, n);
    if (put < 0 && errno == EAGAIN) /* who shares this end has made it non-blocking */
      poll(&(struct pollfd){.fd = STDOUT_FILENO, .events = POLLOUT}, 1, -1);
    else if (put < 0 && errno != EINTR)
      return 0;
    if (put > 0) {
      bytes += put;
      n -= (size_t)put;
    }
  }
  return 1;
}

static int out_of_memory(const play *p)
{
  return complain(p->self, EXIT_FAILED, "out of memory for decisions of dimension %zu", p->dim);
}

/* The next decision joins what waits to be written. 0, or an exit code after a complaint. */
static int decide(play *p)
{
  if (ofw_learner_decide(p->l, &p->x) != OFW_OK)
    return complain(p->self, EXIT_NUMERICAL, "round %llu: %s", (unsigned long long)p->round, ofw_learner_error(p->l));
  ofw_text_add(&p->out, "{\"round\":%llu", (unsigned long long)p->round);
  if (p->decision) {
    ofw_point_dense(p->x, p->decision);
    ofw_text_add(&p->out, ",\"decision\":");
    ofw_text_add_numbers(&p->out, p->dim, p->decision);
  }
  if (p->decision && ofw_learner_is_bandit(p->l)) {
    ofw_point_centre(p->x, p->decision);
    ofw_text_add(&p->out, ",\"center\":");
    ofw_text_add_numbers(&p->out, p->dim, p->decision);
  }
  ofw_text_add(&p->out, "}\n");
  return p->out.failed ? out_of_memory(p) : 0;
}

/* Feedback onto the disk, then decisions to the reader. 0, or an exit code after a complaint. */
static int answer(play *p)
{
  ofw_error err = {0};
  p->grouped = 0;
  if (p->log && ofw_log_commit(p->log, &err) != OFW_OK)
    return complain(p->self, exit_code(err.status), "%s", err.message);
  size_t length = p->out.length;
  p->out.length = 0;
  if (!write_all(p->out.chars, length))
    return complain(p->self, EXIT_FAILED, "cannot write the decision: %s", strerror(errno));
  return 0;
}

/* ---- what lasts ---- */

static const char about_form[] = "line=%llu sum=%lx\n";

/* The learner after the lines that are in the log. */
static int keep_state(play *p)
{
  char about[BUILD_TEXT + 64], build[BUILD_TEXT];
  ofw_state state = {0};
  ofw_error err = {0};
  int code = 0, n = snprintf(about, sizeof about, "%s\n", build_text(build));
  snprintf(about + n, sizeof about - (size_t)n, about_form, (unsigned long long)p->round - 1,
           (unsigned long)ofw_log_sum(p->log));
  if (ofw_learner_save(p->l, &state) != OFW_OK)
    code = complain(p->self, EXIT_FAILED, "%s", ofw_learner_error(p->l));
  else if (ofw_checkpoint_write(p->checkpoint.path, &state, about, &err) != OFW_OK)
    code = complain(p->self, exit_code(err.status), "%s", err.message);
  else
    checkpoint_done(&p->checkpoint, p->round);
  ofw_state_free(&state);
  return code;
}

/* A log's lines, of which a checkpoint has the first ones. */
typedef struct replay {
  play *p;
  unsigned long long kept; /* lines that are in the learner already */
  unsigned long sum;       /* of the log after them */
} replay;

static ofw_status replay_line(void *ctx, uint64_t number, const char *line, size_t length, uint32_t sum, ofw_error *err)
{
  replay *r = ctx;
  const ofw_point *x;
  if (number == r->kept && sum != r->sum)
    return ofw_fail(err, OFW_BAD_DATA, "the checkpoint %.200s goes with another log", r->p->checkpoint.path);
  if (number <= r->kept)
    return OFW_OK;
  ofw_error why = {0};
  if (ofw_learner_decide(r->p->l, &x) != OFW_OK)
    return ofw_fail(err, OFW_NUMERICAL, "feedback %llu: %s", (unsigned long long)number, ofw_learner_error(r->p->l));
  ofw_status st = feed(r->p, line, length, &why);
  return st == OFW_OK ? st : ofw_fail(err, st, "feedback %llu: %s", (unsigned long long)number, why.message);
}

/* What a checkpoint spares the replay. The log has everything, so that one which is damaged is only a loss of time. */
static int load_checkpoint(play *p, replay *r)
{
  ofw_checkpoint found = {0};
  ofw_error err = {0};
  ofw_status st = ofw_checkpoint_read(p->checkpoint.path, &found, &err);
  const char *line = st == OFW_OK ? strchr(found.about, '\n') : NULL;
  int code = 0;
  if (st != OFW_OK && st != OFW_END)
    complain(p->self, 0, "warning: %s; the log is played from its beginning", err.message);
  else if (st == OFW_OK && (!line || sscanf(line + 1, about_form, &r->kept, &r->sum) != 2))
    code = complain(p->self, EXIT_BAD_DATA, "%s: not a checkpoint of 'ofw stream'", p->checkpoint.path);
  else if (st == OFW_OK && ofw_learner_load(p->l, &found.state) != OFW_OK)
    code = complain(p->self, EXIT_BAD_DATA, "%s: %s", p->checkpoint.path, ofw_learner_error(p->l));
  else if (st == OFW_OK) {
    p->round = r->kept + 1;
    checkpoint_done(&p->checkpoint, p->round);
  }
  ofw_checkpoint_free(&found);
  return code;
}

static int open_log(play *p, const char *path)
{
  char build[BUILD_TEXT];
  ofw_error err = {0};
  ofw_log_found found = {0};
  replay r = {.p = p};
  char *config = ofw_copy_text(ofw_learner_config(p->l)); /* as it is at first: an epoch's changes */
  int code = config ? 0 : complain(p->self, EXIT_FAILED, "out of memory");
  if (!code && p->checkpoint.path)
    code = load_checkpoint(p, &r);
  if (!code &&
      ofw_log_open(&ofw_real_disk, path, build_text(build), config, replay_line, &r, &p->log, &found, &err) != OFW_OK)
    code = complain(p->self, exit_code(err.status), "%s", err.message);
  if (!code && r.kept > found.lines)
    code = complain(p->self, EXIT_BAD_DATA, "%s holds %llu lines, and the checkpoint %s is of line %llu", path,
                    (unsigned long long)found.lines, p->checkpoint.path, r.kept);
  if (!code && found.build)
    warn_build(p->self, path, found.build);
  if (!code && found.torn > 0)
    complain(p->self, 0, "warning: %s: its last %llu bytes were torn off a line that was never answered", path,
             (unsigned long long)found.torn);
  ofw_log_found_free(&found);
  free(config);
  return code;
}

/* ---- the game ---- */

/* 1: more lines are here already that can share a sync with the last one. */
static int goes_on(const play *p)
{
  enum { MOST_BYTES = 1 << 20 };
  return p->grouped < p->group && p->out.length < MOST_BYTES && ofw_log_pending(p->log) < MOST_BYTES &&
         ofw_lines_waiting(&p->in) && !stop_signal;
}

/* The answer to a line that asks joins what waits to be written, behind the decision that it speaks of; so nothing is
 * said of a decision before what led to it is on the disk. */
static ofw_status reply(play *p, const char *line, size_t length, ofw_error *err)
{
  ofw_ask ask;
  OFW_TRY(ofw_ask_read(&p->parser, line, length, &ask, err));
  return ofw_ask_answer(&ask, p->round, p->x, &p->out, err);
}

/* A line, and the decision that follows where it was feedback. 0, or an exit code after a complaint. */
static int play_line(play *p, const char *line, size_t length)
{
  ofw_error err = {0};
  int asks = ofw_is_ask(line, length);
  ofw_status st = asks ? reply(p, line, length, &err) : feed(p, line, length, &err);
  if (st == OFW_OK && p->log && !asks)
    st = ofw_log_append(p->log, line, length, &err);
  if (st != OFW_OK)
    return complain(p->self, exit_code(st), "line %llu: %s", (unsigned long long)p->in.number, err.message);
  if (asks)
    return 0;
  p->grouped++;
  return decide(p);
}

static int play_lines(play *p)
{
  int code = decide(p);
  if (!code)
    code = answer(p);
  while (!code) {
    char *line;
    size_t length;
    ofw_line_status got = stop_signal ? OFW_LINE_UNREAD : ofw_lines_next(&p->in, &line, &length);
    if (got == OFW_NO_LINE)
      break;
    code = got == OFW_LINE ? play_line(p, line, length) : line_trouble(p, got);
    if (!code && p->log && goes_on(p))
      continue;
    int failed = answer(p); /* what came before a bad line too */
    code = failed ? failed : code;
    if (!code)
      warn(p->self, p->l, p->round, &p->warnings);
    if (!code && checkpoint_due(&p->checkpoint, p->round))
      code = keep_state(p);
  }
  return code;
}

/* Whether decisions are written, and room for them. 0, or an exit code after a complaint. */
static int open_decisions(play *p, const char *how)
{
  if (ofw_learner_decide(p->l, &p->x) != OFW_OK) /* which the first decide asks again */
    return complain(p->self, EXIT_NUMERICAL, "%s", ofw_learner_error(p->l));
  p->parser.rows = ofw_point_rows(p->x);
  p->parser.cols = ofw_point_cols(p->x);
  int possible = ofw_point_dense(p->x, NULL) == OFW_OK;
  if (how ? strcmp(how, "none") == 0 : !possible)
    return 0;
  if (!possible)
    return complain(p->self, EXIT_USAGE, "--decision all: %zu numbers are too many to be written out", p->dim);
  p->decision = ofw_doubles(p->dim);
  return p->decision ? 0 : out_of_memory(p);
}

static int play_all(play *p, const arguments *args)
{
  p->in = (ofw_lines){.read = read_stdin, .limit = ofw_ndjson_longest(p->dim)};
  int code = open_decisions(p, args->value[OPT_DECISION]);
  if (!code && args->value[OPT_LOG_FILE])
    code = open_log(p, args->value[OPT_LOG_FILE]);
  if (!code)
    code = open_checkpoints(p->self, &p->checkpoint);
  if (!code) {
    stop_on_signals();
    code = play_lines(p);
    /* not where the learner may be ahead of the log */
    if (p->checkpoint.path && p->checkpoint.round != p->round && (code == 0 || code == stop_code())) {
      int failed = keep_state(p);
      code = code ? code : failed;
    }
  }
  close_checkpoints(&p->checkpoint);
  ofw_log_close(p->log);
  ofw_ndjson_free(&p->parser);
  ofw_lines_free(&p->in);
  free(p->decision);
  free(p->out.chars);
  return code;
}

static int read_durability(const command *self, const arguments *args, play *p)
{
  uint64_t group = 1;
  int code = read_checkpointing(self, args, &p->checkpoint);
  if (!code)
    code = read_count_in(self, args, OPT_LOG_GROUP, 1, 1, 1u << 20, &group);
  if (!code && !args->value[OPT_LOG_FILE] && (p->checkpoint.path || args->value[OPT_LOG_GROUP]))
    code = complain(self, EXIT_USAGE, "--%s needs --log FILE", p->checkpoint.path ? "checkpoint" : "log-group");
  p->group = (size_t)group;
  return code;
}

int stream_main(const command *self, const arguments *args)
{
  ofw_learner_settings s = {.size = sizeof s, .sets = args->sets, .set = args->set};
  ofw_error err = {0};
  play p = {.self = self, .round = 1};
  int code = 0;
  const option_id needed[] = {OPT_LEARNER, OPT_DOMAIN, OPT_HORIZON, OPT_LIPSCHITZ};
  size_t n = args->value[OPT_LEARNER] && is_anytime(args->value[OPT_LEARNER]) ? 2 : 4;
  for (size_t i = 0; i < n && !code; i++)
    code = require(self, args, needed[i]);
  const char *how = args->value[OPT_DECISION];
  if (!code && how && strcmp(how, "all") != 0 && strcmp(how, "none") != 0)
    code = complain(self, EXIT_USAGE, "--decision %s: neither 'all' nor 'none'", how);
  if (code || (code = read_horizon(self, args, 0, &s.horizon)) ||
      (code = read_real(self, args, OPT_LIPSCHITZ, 0.0, &s.lipschitz)) ||
      (code = read_real(self, args, OPT_STRONG_CONVEXITY, 0.0, &s.strong_convexity)) ||
      (code = read_real(self, args, OPT_LOSS_BOUND, 0.0, &s.loss_bound)) ||
      (code = read_count(self, args, OPT_SEED, 1, &s.seed)) || (code = read_threads(self, args, &s.threads)) ||
      (code = read_durability(self, args, &p)))
    return code;
  ofw_domain *K = ofw_domain_create(args->value[OPT_DOMAIN], &err);
  p.l = K ? ofw_learner_create(args->value[OPT_LEARNER], K, &s, &err) : NULL;
  p.warnings = (warnings){.lipschitz = s.lipschitz,
                          .horizon = is_anytime(args->value[OPT_LEARNER]) ? OFW_HORIZON_AUTO : s.horizon};
  p.dim = K ? ofw_domain_dim(K) : 0;
  if (p.l)
    code = play_all(&p, args);
  else
    code = complain(self, exit_code(err.status), "%s", err.message);
  ofw_learner_free(p.l);
  ofw_domain_free(K);
  return code;
}
