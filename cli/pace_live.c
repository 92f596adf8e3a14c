/* pace_live.c — ofw pace --live: an opportunity in, a bid out, its outcome in
 *
 * With a log every opportunity and every outcome is on the disk before the next bid is printed. The log's lines are of a form of
 * their own, "bid TIME VALUE CAMPAIGN" and "got COST WON PAID", because what stdin has may be CSV as well as NDJSON. A restart plays
 * them through the functions that took them, from the checkpoint on if there is one.
 */
#include "durable.h"
#include "pace.h"
#include "standard_io.h"
#include "stop.h"

#include "base/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct outcome {
  double cost, paid;
  int won;
} outcome;

typedef struct live {
  pacing *a;
  durable durable; /* what makes it last */
  uint64_t lines;  /* of the log */
  ofw_lines in;
  ofw_text out;  /* the answer */
  ofw_text line; /* for the log */
  uint64_t opportunities;
  size_t loading;   /* days that a state that has been checked holds */
  int waits;        /* the last one's outcome has not come */
  int resumed;      /* nothing has come since the log was played: an outcome may have been lost */
  pace_offer offer; /* the last one */
  double bid;
} live;

/* ---- what happens ---- */

static ofw_status take_offer(live *v, const pace_offer *o, double *multiplier, ofw_error *err)
{
  OFW_TRY(pacer_bid(v->a->p, o->time, o->campaign, o->value, multiplier, &v->bid, err));
  v->offer = *o;
  v->waits = 1;
  v->opportunities++;
  return OFW_OK;
}

static ofw_status take_outcome(live *v, const outcome *o, ofw_error *err)
{
  OFW_TRY(pacer_outcome(v->a->p, v->offer.campaign, v->offer.value, o->cost, o->won, o->paid, err));
  v->waits = 0;
  return OFW_OK;
}

/* ---- the log ---- */

static ofw_status keep(live *v, ofw_error *err)
{
  if (v->line.failed)
    return ofw_fail_memory(err, v->line.length);
  if (v->durable.log)
    OFW_TRY(ofw_log_append(v->durable.log, v->line.chars, v->line.length, err));
  v->lines++;
  return OFW_OK;
}

static ofw_status keep_offer(live *v, ofw_error *err)
{
  v->line.length = 0;
  ofw_text_add(&v->line, "bid %.17g %.17g %s", v->offer.time, v->offer.value,
               v->a->budgets.campaign[v->offer.campaign].name);
  return keep(v, err);
}

static ofw_status keep_outcome(live *v, const outcome *o, ofw_error *err)
{
  v->line.length = 0;
  ofw_text_add(&v->line, "got %.17g %d %.17g", o->cost, o->won, o->paid);
  return keep(v, err);
}

static ofw_status replay(void *ctx, const char *bytes, size_t length, ofw_error *err)
{
  live *v = ctx;
  char line[OFW_LONGEST_CAMPAIGN + 80];
  pace_offer offer;
  outcome got;
  double multiplier;
  int name = 0;
  snprintf(line, sizeof line, "%.*s", (int)(length < sizeof line ? length : sizeof line - 1), bytes);
  if (sscanf(line, "bid %lf %lf %n", &offer.time, &offer.value, &name) == 2 && name > 0) {
    offer.campaign = pace_budgets_find(&v->a->budgets, line + name);
    return offer.campaign < v->a->budgets.campaigns
               ? take_offer(v, &offer, &multiplier, err)
               : ofw_fail(err, OFW_BAD_DATA, "the campaign \"%.200s\" has no budget", line + name);
  }
  if (v->waits && sscanf(line, "got %lf %d %lf", &got.cost, &got.won, &got.paid) == 3)
    return take_outcome(v, &got, err);
  return ofw_fail(err, OFW_BAD_DATA, "expected a line of 'ofw pace'");
}

/* ---- the checkpoint: the pacer, the opportunity that waits, and the days that are over ---- */

enum { OPPORTUNITIES, WAITS, CAMPAIGN, TIME, VALUE, BID, PENDING_WORDS };

static size_t pending_size(const void *object)
{
  (void)object;
  return PENDING_WORDS;
}

static void pending_save(const void *object, void *words)
{
  const live *v = object;
  const double number[] = {v->offer.time, v->offer.value, v->bid};
  uint64_t pending[PENDING_WORDS] = {
      [OPPORTUNITIES] = v->opportunities, [WAITS] = (uint64_t)v->waits, [CAMPAIGN] = v->offer.campaign};
  memcpy(pending + TIME, number, sizeof number);
  memcpy(words, pending, sizeof pending);
}

static ofw_status pending_check(void *object, const void *words, size_t n, ofw_error *err)
{
  const live *v = object;
  uint64_t pending[PENDING_WORDS];
  if (n != PENDING_WORDS)
    return ofw_fail(err, OFW_BAD_DATA, "the state is damaged: pending has %zu words", n);
  memcpy(pending, words, sizeof pending);
  return pending[WAITS] <= 1 && pending[CAMPAIGN] < v->a->budgets.campaigns
             ? OFW_OK
             : ofw_fail(err, OFW_BAD_DATA, "the state is damaged: pending has no opportunity");
}

static void pending_load(void *object, const void *words)
{
  live *v = object;
  uint64_t pending[PENDING_WORDS];
  double number[3];
  memcpy(pending, words, sizeof pending);
  memcpy(number, pending + TIME, sizeof number);
  v->opportunities = pending[OPPORTUNITIES];
  v->waits = (int)pending[WAITS];
  v->offer = (pace_offer){.time = number[0], .value = number[1], .campaign = (size_t)pending[CAMPAIGN]};
  v->bid = number[2];
}

enum { DAY_WORDS = sizeof(pace_day) / 8 };
_Static_assert(DAY_WORDS * 8 == sizeof(pace_day) && DAY_WORDS == 8, "a day is whole words of a state");

static size_t days_size(const void *object)
{
  return DAY_WORDS * ((const live *)object)->a->n_days;
}

static void days_save(const void *object, void *words)
{
  const pacing *a = ((const live *)object)->a;
  if (a->n_days > 0)
    memcpy(words, a->days, a->n_days * sizeof *a->days);
}

static ofw_status days_check(void *object, const void *words, size_t n, ofw_error *err)
{
  live *v = object;
  pacing *a = v->a;
  const unsigned char *at = words;
  v->loading = n / DAY_WORDS;
  for (size_t k = 0; k < v->loading; k++) {
    pace_day day;
    memcpy(&day, at + k * sizeof day, sizeof day);
    if (day.campaign >= a->budgets.campaigns)
      return ofw_fail(err, OFW_BAD_DATA, "the state is damaged: place %zu of days has no campaign's day", k);
  }
  if (n % DAY_WORDS)
    return ofw_fail(err, OFW_BAD_DATA, "the state is damaged: days has %zu words", n);
  return v->loading <= a->n_days
             ? OFW_OK
             : ofw_grow(&a->days, a->n_days, v->loading - a->n_days, &a->days_room, sizeof *a->days, err);
}

static void days_load(void *object, const void *words)
{
  live *v = object;
  v->a->n_days = v->loading;
  if (v->loading > 0)
    memcpy(v->a->days, words, v->loading * sizeof *v->a->days);
}

static ofw_status visit(void *object, ofw_visitor *visitor)
{
  const ofw_packed pending = {object, pending_size, pending_save, pending_check, pending_load},
                   days = {object, days_size, days_save, days_check, days_load};
  OFW_TRY(visitor->packed(visitor->ctx, "pending", &pending));
  return visitor->packed(visitor->ctx, "days", &days);
}

static ofw_status save(void *ctx, ofw_state *state, ofw_error *err)
{
  live *v = ctx;
  return pacer_save(v->a->p, &(ofw_saved){v, visit, "live"}, state, err);
}

static ofw_status load(void *ctx, const ofw_state *state, ofw_error *err)
{
  live *v = ctx;
  return pacer_load(v->a->p, &(ofw_saved){v, visit, "live"}, state, err);
}

static const durable_play kept = {"entry", "an entry", save, load, replay};

/* All that has come is on the disk; then it is kept as a checkpoint. */
static int keep_state(live *v)
{
  ofw_error err = {0};
  if (ofw_log_commit(v->durable.log, &err) != OFW_OK)
    return refuse(v->a->self, &err);
  return keep_checkpoint(&v->durable, v->lines, v->opportunities);
}

static int open_log(live *v, const char *path)
{
  v->durable.play = &kept;
  v->durable.ctx = v;
  int code = open_durable(&v->durable, path, pacer_config(v->a->p), &v->lines);
  checkpoint_done(&v->durable.checkpoint, v->opportunities);
  v->resumed = v->lines > 0;
  return code;
}

/* ---- lines ---- */

/* yes, no, 1, 0, true, false */
static ofw_status read_won(const pace_table *t, int *out, ofw_error *err)
{
  static const char *const words[] = {"false", "true", "0", "1", "no", "yes"};
  for (int i = 0; i < 6; i++)
    if (strcmp(t->cell[PACE_WON], words[i]) == 0) {
      *out = i % 2;
      return OFW_OK;
    }
  return pace_table_refuse(t, PACE_WON, "true or false", err);
}

static ofw_status read_outcome(const live *v, outcome *o, ofw_error *err)
{
  const pace_table *t = &v->a->table;
  OFW_TRY(pace_table_number(t, PACE_COST, 0.0, 1e18, &o->cost, err));
  o->won = v->bid >= o->cost;
  o->paid = o->cost;
  if (t->cell[PACE_WON])
    OFW_TRY(read_won(t, &o->won, err));
  if (t->cell[PACE_PAID])
    OFW_TRY(pace_table_number(t, PACE_PAID, 0.0, 1e18, &o->paid, err));
  return OFW_OK;
}

/* COST[,WON[,PAID]], which is what an outcome is if opportunities are CSV */
static ofw_status split_outcome(pace_table *t, char *line, ofw_error *err)
{
  static const size_t column[] = {PACE_COST, PACE_WON, PACE_PAID};
  memset(t->cell, 0, sizeof t->cell);
  line[strcspn(line, "\r")] = 0;
  for (size_t i = 0; line; i++) {
    char *cell = strsep(&line, ",");
    if (i == 3)
      return pace_table_refuse(t, PACE_PAID, "an outcome as COST,WON,PAID", err);
    t->cell[column[i]] = *cell ? cell : NULL;
  }
  return OFW_OK;
}

/* An opportunity, which is answered; its outcome, if the same line has that, too. */
static ofw_status play_offer(live *v, ofw_error *err)
{
  const pace_table *t = &v->a->table;
  pace_offer offer;
  outcome got;
  double multiplier;
  ofw_error why = {0};
  if (v->waits && !v->resumed)
    return pace_at_line(v->a, OFW_BAD_DATA,
                        &(ofw_error){.message = "the outcome of the opportunity before it is missing"}, err);
  OFW_TRY(pace_read_offer(v->a, &offer, err));
  if (t->cell[PACE_COST])
    OFW_TRY(read_outcome(v, &got, err));
  ofw_status st = take_offer(v, &offer, &multiplier, &why);
  if (st == OFW_OK)
    st = keep_offer(v, &why);
  if (st == OFW_OK && t->cell[PACE_COST]) {
    OFW_TRY(read_outcome(v, &got, err)); /* now that the bid is known */
    st = take_outcome(v, &got, &why);
    if (st == OFW_OK)
      st = keep_outcome(v, &got, &why);
  }
  if (st != OFW_OK)
    return pace_at_line(v->a, st, &why, err);
  ofw_text_add(&v->out, "{\"opportunity\":%llu,\"multiplier\":", (unsigned long long)v->opportunities);
  ofw_text_add_number(&v->out, multiplier);
  ofw_text_add(&v->out, ",\"bid\":");
  ofw_text_add_number(&v->out, v->bid);
  ofw_text_add(&v->out, "}\n");
  return v->out.failed ? ofw_fail_memory(err, v->out.length) : OFW_OK;
}

static ofw_status play_outcome(live *v, ofw_error *err)
{
  outcome got;
  ofw_error why = {0};
  OFW_TRY(read_outcome(v, &got, err));
  ofw_status st = take_outcome(v, &got, &why);
  if (st == OFW_OK)
    st = keep_outcome(v, &got, &why);
  return st == OFW_OK ? st : pace_at_line(v->a, st, &why, err);
}

static ofw_status play_line(live *v, char *line, size_t length, ofw_error *err)
{
  pace_table *t = &v->a->table;
  int outcome_alone = t->format == PACE_CSV && v->waits && !v->resumed;
  t->number = v->in.number;
  ofw_status st = outcome_alone ? split_outcome(t, line, err) : pace_table_line(t, line, length, err);
  if (st != OFW_OK) /* OFW_END: no row */
    return st == OFW_END ? OFW_OK : st;
  int told =
      v->resumed && !v->waits && !t->cell[PACE_TIME] && t->cell[PACE_COST]; /* an outcome that is known already */
  if (!told)
    st = outcome_alone || (v->waits && !t->cell[PACE_TIME]) ? play_outcome(v, err) : play_offer(v, err);
  v->resumed = 0;
  return st;
}

/* ---- the play ---- */

static int line_trouble(const live *v, ofw_line_status st)
{
  unsigned long long number = v->in.number;
  if (st == OFW_LINE_TOO_LONG)
    return complain(v->a->self, EXIT_BAD_DATA, "line %llu: the line is longer than %zu bytes", number, v->in.limit);
  if (st == OFW_LINE_UNREAD && stop_signal)
    return complain(v->a->self, stop_code(), "interrupted after opportunity %llu; %s",
                    (unsigned long long)v->opportunities,
                    v->durable.log ? "the log has it, and the same command resumes"
                                   : "nothing is kept, and --log FILE would keep the play");
  if (st == OFW_LINE_UNREAD)
    return complain(v->a->self, EXIT_FAILED, "line %llu: cannot read it: %s", number, strerror(errno));
  return no_memory(v->a->self);
}

/* What has come onto the disk, then the answer to the reader. */
static int answer(live *v)
{
  ofw_error err = {0};
  size_t length = v->out.length;
  v->out.length = 0;
  if (length == 0)
    return 0;
  if (v->durable.log && ofw_log_commit(v->durable.log, &err) != OFW_OK)
    return refuse(v->a->self, &err);
  if (write_stdout(v->out.chars, length))
    return 0;
  if (errno == EINTR)
    return complain(v->a->self, stop_code(), "interrupted; nobody has read the last bid");
  return complain(v->a->self, EXIT_FAILED, "cannot write the bid: %s", strerror(errno));
}

static int play_lines(live *v)
{
  int code = 0;
  while (!code) {
    char *line;
    size_t length;
    ofw_error err = {0};
    ofw_line_status got = stop_signal ? OFW_LINE_UNREAD : ofw_lines_next(&v->in, &line, &length);
    if (got == OFW_NO_LINE)
      break;
    if (got != OFW_LINE)
      code = line_trouble(v, got);
    else if (play_line(v, line, length, &err) != OFW_OK)
      code = refuse(v->a->self, &err);
    else
      code = answer(v);
    if (!code && checkpoint_due(&v->durable.checkpoint, v->opportunities))
      code = keep_state(v);
  }
  return code;
}

/* The last checkpoint, unless the pacer may be ahead of the log. */
static int end_log(live *v, int code)
{
  ofw_error err = {0};
  if (v->durable.checkpoint.path && v->durable.line != v->lines && (code == 0 || code == stop_code())) {
    int failed = keep_state(v);
    return code ? code : failed;
  }
  return !code && ofw_log_commit(v->durable.log, &err) != OFW_OK ? refuse(v->a->self, &err) : code;
}

static int read_options(live *v, const arguments *args)
{
  int code = read_durable(v->a->self, args, &v->durable), kept_too = v->durable.checkpoint.path != NULL;
  if (code)
    return code;
  if (kept_too && !args->value[OPT_LOG_FILE])
    return complain(v->a->self, EXIT_USAGE, "--checkpoint needs --log FILE");
  for (size_t k = 0; kept_too && k < 2; k++) {
    option_id other = k ? OPT_PACE_FIGURE : OPT_SLOTS;
    if (args->value[other])
      return complain(v->a->self, EXIT_USAGE,
                      "--%s does not work with --checkpoint, which stores no finished slots; leave one out",
                      option_table[other].name);
  }
  return 0;
}

int pace_live(pacing *a, const arguments *args)
{
  live v = {.a = a, .in = {.read = read_stdin, .limit = OFW_LONGEST_OPPORTUNITY}};
  ofw_error err = {0};
  const char *log = args->value[OPT_LOG_FILE];
  a->table.needed = 1u << PACE_TIME | 1u << PACE_CAMPAIGN | 1u << PACE_VALUE;
  int code = read_options(&v, args);
  if (code)
    return code;
  stop_on_signals();
  code = log ? open_log(&v, log) : 0;
  if (!code)
    code = play_lines(&v);
  if (v.durable.log)
    code = end_log(&v, code);
  if (!code && pacer_finish(a->p, &err) != OFW_OK)
    code = refuse(a->self, &err);
  close_durable(&v.durable);
  ofw_lines_free(&v.in);
  free(v.out.chars);
  free(v.line.chars);
  return code;
}
