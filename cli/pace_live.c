/* pace_live.c — ofw pace --live: an opportunity in, a bid out, its outcome in
 *
 * With a log every opportunity and every outcome is on the disk before the next bid is printed. The log's lines are of a form of
 * their own, "bid TIME VALUE CAMPAIGN" and "got COST WON PAID", because what stdin has may be CSV as well as NDJSON. A restart plays
 * them through the functions that took them.
 */
#include "build.h"
#include "pace.h"
#include "standard_io.h"
#include "stop.h"

#include "base/lines.h"
#include "persist/log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct outcome {
  double cost, paid;
  int won;
} outcome;

typedef struct live {
  pacing *a;
  ofw_log *log; /* NULL: nothing is kept */
  ofw_lines in;
  ofw_text out;  /* the answer */
  ofw_text line; /* for the log */
  uint64_t opportunities;
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
  return v->log ? ofw_log_append(v->log, v->line.chars, v->line.length, err) : OFW_OK;
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

static ofw_status replay(void *ctx, uint64_t number, const char *bytes, size_t length, uint32_t sum, ofw_error *err)
{
  live *v = ctx;
  char line[OFW_LONGEST_CAMPAIGN + 80];
  pace_offer offer;
  outcome got;
  double multiplier;
  int name = 0;
  ofw_error why = {0};
  ofw_status st = OFW_BAD_DATA;
  (void)sum;
  snprintf(line, sizeof line, "%.*s", (int)(length < sizeof line ? length : sizeof line - 1), bytes);
  ofw_fail(&why, OFW_BAD_DATA, "not a line of 'ofw pace'");
  if (sscanf(line, "bid %lf %lf %n", &offer.time, &offer.value, &name) == 2 && name > 0) {
    offer.campaign = pace_budgets_find(&v->a->budgets, line + name);
    st = offer.campaign < v->a->budgets.campaigns
             ? take_offer(v, &offer, &multiplier, &why)
             : ofw_fail(&why, OFW_BAD_DATA, "the campaign \"%.200s\" has no budget", line + name);
  } else if (v->waits && sscanf(line, "got %lf %d %lf", &got.cost, &got.won, &got.paid) == 3)
    st = take_outcome(v, &got, &why);
  return st == OFW_OK ? st : ofw_fail(err, st, "entry %llu: %s", (unsigned long long)number, why.message);
}

static int open_log(live *v, const char *path)
{
  char build[BUILD_TEXT];
  ofw_error err = {0};
  ofw_log_found found = {0};
  int code = 0;
  if (ofw_log_open(&ofw_real_disk, path, build_text(build), pacer_config(v->a->p), replay, v, &v->log, &found, &err) !=
      OFW_OK)
    code = complain(v->a->self, exit_code(err.status), "%s%s", err.message,
                    found.damaged ? "; 'ofw check' says what is whole" : "");
  else if (ofw_log_start(v->log, &err) != OFW_OK)
    code = refuse(v->a->self, &err);
  else if (found.build)
    warn_build(v->a->self, path, found.build);
  v->resumed = found.lines > 0;
  ofw_log_found_free(&found);
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
  st = outcome_alone || (v->waits && !t->cell[PACE_TIME]) ? play_outcome(v, err) : play_offer(v, err);
  v->resumed = 0;
  return st;
}

/* ---- the play ---- */

static int line_trouble(const live *v, ofw_line_status st)
{
  unsigned long long number = v->in.number;
  if (st == OFW_LINE_TOO_LONG)
    return complain(v->a->self, EXIT_BAD_DATA, "line %llu: longer than %zu bytes", number, v->in.limit);
  if (st == OFW_LINE_UNREAD && stop_signal)
    return complain(v->a->self, stop_code(), "interrupted after opportunity %llu",
                    (unsigned long long)v->opportunities);
  if (st == OFW_LINE_UNREAD)
    return complain(v->a->self, EXIT_FAILED, "line %llu: cannot read: %s", number, strerror(errno));
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
  if (v->log && ofw_log_commit(v->log, &err) != OFW_OK)
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
  }
  return code;
}

int pace_live(pacing *a, const char *log)
{
  live v = {.a = a, .in = {.read = read_stdin, .limit = OFW_LONGEST_OPPORTUNITY}};
  ofw_error err = {0};
  a->table.needed = 1u << PACE_TIME | 1u << PACE_CAMPAIGN | 1u << PACE_VALUE;
  stop_on_signals();
  int code = log ? open_log(&v, log) : 0;
  if (!code)
    code = play_lines(&v);
  if (!code && v.log && ofw_log_commit(v.log, &err) != OFW_OK)
    code = refuse(a->self, &err);
  if (!code && pacer_finish(a->p, &err) != OFW_OK)
    code = refuse(a->self, &err);
  ofw_log_close(v.log);
  ofw_lines_free(&v.in);
  free(v.out.chars);
  free(v.line.chars);
  return code;
}
