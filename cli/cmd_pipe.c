/* cmd_pipe.c — ofw pipe: decisions and answers out, feedback and requests in, one JSON object per line */
#include "build.h"
#include "cli.h"
#include "durable.h"
#include "phase.h"
#include "requests.h"
#include "standard_io.h"
#include "stop.h"

#include "base/lines.h"
#include "wire/ask.h"
#include "wire/ndjson.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const option_id pipe_options[] = {OPT_LEARNER,          OPT_DOMAIN,     OPT_HORIZON,    OPT_LIPSCHITZ,
                                  OPT_STRONG_CONVEXITY, OPT_LOSS_BOUND, OPT_SET,        OPT_SEED,
                                  OPT_THREADS,          OPT_DECISION,   OPT_ON_ERROR,   OPT_LOG_FILE,
                                  OPT_LOG_GROUP,        OPT_LOG_KEEP,   OPT_CHECKPOINT, OPT_CHECKPOINT_EVERY,
                                  OPT_START_STATE,      OPT_PLUGIN,     OPT_HELP,       OPTIONS};

/* A play over a pipe. */
typedef struct play {
  const command *self;
  ofw_learner *l;
  size_t dim;
  ofw_lines in;
  ofw_ndjson parser;
  uint64_t round;     /* of the decision that waits for its feedback; with a delay: of the next one */
  uint64_t lines;     /* that have changed the learner: those of the log */
  const ofw_point *x; /* that decision */
  warnings warnings;
  double *decision; /* room for it; NULL: decisions are not written, only asked about */
  ofw_text out;     /* decisions and answers that are not yet written */
  durable durable;  /* what makes them last */
  size_t group, grouped;
  int skips; /* a bad line is answered and left out */
} play;

/* ---- in ---- */

static int line_trouble(const play *p, ofw_line_status st)
{
  unsigned long long number = p->in.number;
  switch (st) {
  case OFW_LINE_TOO_LONG:
    return complain(p->self, EXIT_BAD_DATA, "line %llu: the line is longer than %zu bytes", number, p->in.limit);
  case OFW_LINE_UNREAD:
    if (stop_signal)
      return complain(p->self, stop_code(), "interrupted after round %llu; %s", (unsigned long long)p->round - 1,
                      p->durable.log ? "the log has it, and the same command resumes"
                                     : "nothing is kept, and --log FILE would keep the play");
    return complain(p->self, EXIT_FAILED, "line %llu: cannot read it: %s", number, strerror(errno));
  default:
    return complain(p->self, EXIT_FAILED, "line %llu: out of memory", number);
  }
}

static ofw_status observe(play *p, const ofw_full *fb)
{
  const ofw_ndjson *n = &p->parser;
  if (p->l->method->bandit)
    return ofw_learner_observe_values(p->l, &fb->values);
  if (p->l->open && n->round)
    return ofw_learner_observe_round(p->l, n->round, fb);
  return ofw_learner_observe_hinted(p->l, fb, n->hint.size > 0 ? &n->hint : NULL);
}

/* One line of feedback to the learner. */
static ofw_status feed(play *p, const char *line, size_t length, ofw_error *err)
{
  ofw_full fb;
  uint64_t open = p->l->open ? p->l->open->count : 0;
  OFW_TRY(
      ofw_ndjson_read(&p->parser, line, length, p->l->method->bandit ? OFW_NDJSON_VALUES : OFW_NDJSON_FULL, &fb, err));
  if (!p->l->open && p->parser.round && p->parser.round != p->round)
    return ofw_fail(err, OFW_BAD_DATA, "field 'round': expected feedback of round %llu, found %llu",
                    (unsigned long long)p->round, (unsigned long long)p->parser.round);
  if (p->l->open && p->parser.hint.size)
    return ofw_fail(err, OFW_BAD_DATA,
                    "field 'next_constraint': a hint about the coming round does not work with delay");
  if (open == 1 && !p->parser.round)
    p->parser.round = p->l->open->list[0].round; /* which the answer names */
  ofw_status st = observe(p, &fb);
  if (st != OFW_OK) /* a round that is not open is the line's fault */
    return ofw_fail(err, st == OFW_USAGE ? OFW_BAD_DATA : st, "%s", ofw_learner_error(p->l));
  p->round += p->l->open ? 0 : 1;
  p->lines++;
  return OFW_OK;
}

/* A request for a decision that names a round means that one alone: the pending one, or with a delay the next. */
static ofw_status check_asked(const play *p, uint64_t named, ofw_error *err)
{
  ofw_info info = {.size = sizeof info};
  ofw_learner_info(p->l, &info);
  return named == 0 || named == info.round
             ? OFW_OK
             : ofw_fail(err, OFW_BAD_DATA, "ask: decide: expected the decision of round %llu, found %llu",
                        (unsigned long long)info.round, (unsigned long long)named);
}

/* One more decision of a learner with a delay; `named` is its round, or 0. */
static ofw_status decide_more(play *p, uint64_t named, ofw_error *err)
{
  OFW_TRY(check_asked(p, named, err));
  ofw_status st = ofw_learner_decide(p->l, &p->x);
  if (st != OFW_OK)
    return ofw_fail(err, st == OFW_USAGE ? OFW_BAD_DATA : st, "%s", ofw_learner_error(p->l));
  p->round++;
  p->lines++;
  return OFW_OK;
}

/* ---- kept ---- */

static ofw_status save(void *ctx, ofw_state *state, ofw_error *err)
{
  ofw_learner *l = ((play *)ctx)->l;
  ofw_status st = ofw_learner_save_state(l, state);
  return st == OFW_OK ? st : ofw_fail(err, st, "%s", ofw_learner_error(l));
}

static ofw_status load(void *ctx, const ofw_state *state, ofw_error *err)
{
  ofw_learner *l = ((play *)ctx)->l;
  ofw_status st = ofw_learner_load_state(l, state);
  return st == OFW_OK ? st : ofw_fail(err, st, "%s", ofw_learner_error(l));
}

static ofw_status replay(void *ctx, const char *line, size_t length, ofw_error *err)
{
  play *p = ctx;
  ofw_ask ask;
  if (p->l->open && ofw_is_ask(line, length)) {
    OFW_TRY(ofw_ask_read(&p->parser, line, length, &ask, err));
    return ask.kind == OFW_ASK_DECIDE ? decide_more(p, ask.round, err)
                                      : ofw_fail(err, OFW_BAD_DATA, "expected feedback, or a decision asked for");
  }
  if (!p->l->open && ofw_learner_decide(p->l, &p->x) != OFW_OK)
    return ofw_fail(err, OFW_NUMERICAL, "%s", ofw_learner_error(p->l));
  p->round = p->l->t + 1;
  return feed(p, line, length, err);
}

static const durable_play kept = {"feedback", "feedback", save, load, replay};

/* The learner after the lines of the log; *lines: how many there are. */
static int open_log(play *p, const char *path, uint64_t *lines)
{
  char *config = ofw_copy_text(ofw_learner_config(p->l)); /* as it is at first: an epoch's changes */
  p->durable.play = &kept;
  p->durable.ctx = p;
  int code = config ? open_durable(&p->durable, path, config, lines) : no_memory(p->self);
  free(config);
  return code;
}

/* ---- out ---- */

static int out_of_memory(const play *p)
{
  return complain(p->self, EXIT_FAILED, "out of memory for decisions of dimension %zu", p->dim);
}

/* "id" of the line that is answered, as it stood there, and the end of the answer. */
static void end_answer(play *p)
{
  ofw_text_add(&p->out, "%s%s}\n", p->parser.id[0] ? ",\"id\":" : "", p->parser.id);
}

/* The decision of this round joins what waits to be written. */
static void add_decision(play *p, uint64_t round)
{
  ofw_text_add(&p->out, "{\"round\":%llu", (unsigned long long)round);
  if (p->decision) {
    ofw_point_dense(p->x, p->decision);
    ofw_text_add(&p->out, ",\"decision\":");
    ofw_text_add_numbers(&p->out, p->dim, p->decision);
  }
  if (p->decision && p->l->method->bandit) {
    ofw_point_centre(p->x, p->decision);
    ofw_text_add(&p->out, ",\"center\":");
    ofw_text_add_numbers(&p->out, p->dim, p->decision);
  }
  end_answer(p);
}

/* The next decision, which waits for its feedback. 0, or an exit code after a complaint, here and below. */
static int decide(play *p)
{
  if (ofw_learner_decide(p->l, &p->x) != OFW_OK)
    return complain(p->self, EXIT_NUMERICAL, "round %llu: %s", (unsigned long long)p->round, ofw_learner_error(p->l));
  add_decision(p, p->round);
  return p->out.failed ? out_of_memory(p) : 0;
}

/* With a delay feedback is answered by its round, and by how many decisions still wait for theirs. */
static int confirm(play *p)
{
  ofw_text_add(&p->out, "{\"round\":%llu,\"open\":%zu", (unsigned long long)p->parser.round, p->l->open->count);
  end_answer(p);
  return p->out.failed ? out_of_memory(p) : 0;
}

/* With a delay decisions are asked for; the first line says which of them wait for feedback, from before a restart. */
static int add_open_rounds(play *p)
{
  const ofw_open_rounds *o = p->l->open;
  ofw_text_add(&p->out, "{\"round\":%llu,\"open_rounds\":[", (unsigned long long)p->round);
  for (size_t i = 0; i < o->count; i++)
    ofw_text_add(&p->out, "%s%llu", i ? "," : "", (unsigned long long)o->list[i].round);
  ofw_text_add(&p->out, "]}\n");
  return p->out.failed ? out_of_memory(p) : 0;
}

/* What was wrong with a line joins what waits to be written; the same decision keeps waiting for its feedback. */
static int answer_error(play *p, const char *message)
{
  ofw_text_add(&p->out, "{\"round\":%llu,\"error\":\"line %llu: ", (unsigned long long)p->round,
               (unsigned long long)p->in.number);
  for (const char *c = message; *c; c++) {
    int plain = *c >= ' ' && *c <= '~';
    ofw_text_add(&p->out, "%s%c", *c == '"' || *c == '\\' ? "\\" : "", plain ? *c : '?');
  }
  ofw_text_add(&p->out, "\"");
  end_answer(p);
  return p->out.failed ? out_of_memory(p) : 0;
}

/* Feedback onto the disk, then decisions to the reader. 0, or an exit code after a complaint. */
static int answer(play *p)
{
  ofw_error err = {0};
  p->grouped = 0;
  if (p->durable.log && ofw_log_commit(p->durable.log, &err) != OFW_OK)
    return refuse(p->self, &err);
  size_t length = p->out.length;
  p->out.length = 0;
  if (write_stdout(p->out.chars, length))
    return 0;
  if (errno == EINTR)
    return complain(p->self, stop_code(), "interrupted after round %llu; nobody has read its answer",
                    (unsigned long long)p->round - 1);
  return complain(p->self, EXIT_FAILED, "cannot write the decision: %s", strerror(errno));
}

/* ---- the game ---- */

/* 1: more lines are here already that can share a sync with the last one. */
static int goes_on(const play *p)
{
  enum { MOST_BYTES = 1 << 20 };
  return p->grouped < p->group && p->out.length < MOST_BYTES && ofw_log_pending(p->durable.log) < MOST_BYTES &&
         ofw_lines_waiting(&p->in) && !stop_signal;
}

/* The answer to a line that asks joins what waits to be written, behind the decision that it speaks of; so nothing is
 * said of a decision before what led to it is on the disk. *changed: the line has changed
 * the learner. */
static ofw_status reply(play *p, const char *line, size_t length, int *changed, ofw_error *err)
{
  ofw_ask ask;
  OFW_TRY(ofw_ask_read(&p->parser, line, length, &ask, err));
  if (ask.kind != OFW_ASK_DECIDE)
    return answer_ask(&ask, p->l, p->x, &p->out, err);
  *changed = p->l->open != NULL;
  OFW_TRY(*changed ? decide_more(p, ask.round, err) : check_asked(p, ask.round, err));
  add_decision(p, p->round - (uint64_t)*changed);
  return p->out.failed ? ofw_fail_memory(err, p->out.length) : OFW_OK;
}

/* 1: the line was refused before anything changed. */
static int is_refusal(const play *p, ofw_status st)
{
  return !p->l->failed && st != OFW_FAILED && st != OFW_NUMERICAL;
}

/* A line, and what follows if it was feedback: the next decision or, with a delay, that it was heard. 0, or an exit code
 * after a complaint. */
static int play_line(play *p, const char *line, size_t length)
{
  ofw_error err = {0};
  if (length == 0)
    return 0;
  int asks = ofw_is_ask(line, length), changes = !asks;
  ofw_status st = asks ? reply(p, line, length, &changes, &err) : feed(p, line, length, &err);
  if (st != OFW_OK && p->skips && is_refusal(p, st))
    return answer_error(p, err.message);
  if (st == OFW_OK && p->durable.log && changes)
    st = ofw_log_append(p->durable.log, line, length, &err);
  if (st != OFW_OK)
    return complain(p->self, exit_code(st), "line %llu: %s", (unsigned long long)p->in.number, err.message);
  p->grouped += (size_t)changes;
  if (asks)
    return 0;
  return p->l->open ? confirm(p) : decide(p);
}

static int play_lines(play *p)
{
  int code = p->l->open ? add_open_rounds(p) : decide(p);
  if (!code)
    code = answer(p);
  while (!code) {
    char *line;
    size_t length;
    ofw_line_status got = stop_signal ? OFW_LINE_UNREAD : ofw_lines_next(&p->in, &line, &length);
    if (got == OFW_NO_LINE)
      break;
    code = got == OFW_LINE ? play_line(p, line, length) : line_trouble(p, got);
    if (!code && p->durable.log && goes_on(p))
      continue;
    int failed = answer(p); /* what came before a bad line too */
    code = failed ? failed : code;
    if (!code)
      warn(p->self, p->l, p->round, &p->warnings);
    if (!code && checkpoint_due(&p->durable.checkpoint, p->lines + 1))
      code = keep_checkpoint(&p->durable, p->lines, p->lines + 1);
  }
  return code;
}

/* Whether decisions are written, and room for them. 0, or an exit code after a complaint. */
static int open_decisions(play *p, const char *how)
{
  p->x = &p->l->point;
  ofw_point_shape(p->x, &p->parser.rows, &p->parser.cols);
  int possible = ofw_point_dense(p->x, NULL) == OFW_OK;
  if (how ? strcmp(how, "none") == 0 : !possible)
    return 0;
  if (!possible)
    return complain(p->self, EXIT_USAGE, "--decision all: %zu numbers are too many to write out; use --decision none",
                    p->dim);
  p->decision = ofw_doubles(p->dim);
  return p->decision ? 0 : out_of_memory(p);
}

/* Starts from a checkpoint of another play: one that 'ofw serve' has exported, or that --checkpoint has written. */
static int load_start(play *p, const char *path)
{
  ofw_checkpoint found = {0};
  ofw_error err = {0};
  int code = 0;
  ofw_status st = ofw_checkpoint_read_file(&ofw_real_disk, path, &found, &err);
  if (st == OFW_END)
    code = complain(p->self, EXIT_BAD_DATA, "%s: there is no such file", path);
  else if (st != OFW_OK)
    code = refuse(p->self, &err);
  else if (load(p, &found.state, &err) != OFW_OK)
    code = complain(p->self, EXIT_BAD_DATA, "%s: %s", path, err.message);
  else
    warn_build(p->self, path, found.about);
  ofw_checkpoint_free(&found);
  return code;
}

static int play_all(play *p, const arguments *args)
{
  p->in = (ofw_lines){.read = read_stdin, .limit = ofw_ndjson_longest(p->dim)};
  int code = open_decisions(p, args->value[OPT_DECISION]);
  checkpointing *c = &p->durable.checkpoint;
  uint64_t lines = 0;
  if (!code && args->value[OPT_START_STATE])
    code = load_start(p, args->value[OPT_START_STATE]);
  if (!code && args->value[OPT_LOG_FILE]) {
    phase_begin(p->self, args, "no answered line is lost, and the same command resumes", "playing the log %s",
                args->value[OPT_LOG_FILE]);
    code = open_log(p, args->value[OPT_LOG_FILE], &lines);
    phase_end();
  }
  ofw_info info = {.size = sizeof info};
  ofw_learner_info(p->l, &info);
  p->lines = lines;
  p->round = info.round;
  p->parser.id[0] = 0; /* a line of the log has had its answer */
  if (!code) {
    stop_on_signals();
    code = play_lines(p);
    /* not if the learner may be ahead of the log */
    if (c->path && c->round != p->lines + 1 && (code == 0 || code == stop_code())) {
      int failed = keep_checkpoint(&p->durable, p->lines, p->lines + 1);
      code = code ? code : failed;
    }
  }
  close_durable(&p->durable);
  ofw_ndjson_free(&p->parser);
  ofw_lines_free(&p->in);
  free(p->decision);
  free(p->out.chars);
  return code;
}

static int read_durability(const command *self, const arguments *args, play *p)
{
  uint64_t group = 1;
  const char *log = args->value[OPT_LOG_FILE];
  int code = read_durable(self, args, &p->durable);
  if (!code)
    code = read_count_in(self, args, OPT_LOG_GROUP, 1, 1, 1u << 20, &group);
  if (!code && log && args->value[OPT_START_STATE])
    code = complain(self, EXIT_USAGE, "--state and --log exclude each other: a log begins with round 1");
  if (!code && !log && (p->durable.checkpoint.path || args->value[OPT_LOG_GROUP]))
    code = complain(self, EXIT_USAGE, "--%s needs --log FILE", p->durable.checkpoint.path ? "checkpoint" : "log-group");
  p->group = (size_t)group;
  return code;
}

int pipe_main(const command *self, const arguments *args)
{
  ofw_learner_settings s;
  ofw_error err = {0};
  play p = {.self = self, .round = 1};
  int code = 0;
  const option_id needed[] = {OPT_LEARNER, OPT_DOMAIN, OPT_HORIZON, OPT_LIPSCHITZ};
  size_t n = args->value[OPT_LEARNER] && is_anytime(&args->own, args->value[OPT_LEARNER]) ? 2 : 4;
  for (size_t i = 0; i < n && !code; i++)
    code = require(self, args, needed[i]);
  const char *how = args->value[OPT_DECISION], *error = args->value[OPT_ON_ERROR];
  p.skips = error && strcmp(error, "skip") == 0;
  if (!code && error && !p.skips && strcmp(error, "stop") != 0)
    code = complain(self, EXIT_USAGE, "--on-error %s: expected 'skip' or 'stop'", error);
  if (!code && how && strcmp(how, "all") != 0 && strcmp(how, "none") != 0)
    code = complain(self, EXIT_USAGE, "--decision %s: expected 'all' or 'none'", how);
  if (code || (code = read_settings(self, args, &(ofw_constants){0}, 0, &s)) ||
      (code = read_durability(self, args, &p)))
    return code;
  static const char unchanged[] = "no round was played, and no file has changed";
  phase_begin(self, args, unchanged, "making the set %s", args->value[OPT_DOMAIN]);
  ofw_domain *K = ofw_registry_domain(&args->own, args->value[OPT_DOMAIN], &err);
  phase_begin(self, args, unchanged, "making the learner %s", args->value[OPT_LEARNER]);
  p.l = K ? ofw_registry_learner(&args->own, args->value[OPT_LEARNER], K, &s, &err) : NULL;
  p.warnings = (warnings){.lipschitz = s.lipschitz,
                          .horizon = is_anytime(&args->own, args->value[OPT_LEARNER]) ? OFW_HORIZON_AUTO : s.horizon};
  p.dim = K ? ofw_domain_dim(K) : 0;
  phase_end();
  if (p.l)
    code = play_all(&p, args);
  else
    code = refuse(self, &err);
  ofw_learner_free(p.l);
  ofw_domain_free(K);
  return code;
}
