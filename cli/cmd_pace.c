/* cmd_pace.c — ofw pace: bid multipliers for daily budgets, over a file or live */
#include "csv.h"
#include "figure_file.h"
#include "pace.h"
#include "phase.h"
#include "whole_file.h"

#include "base/lines.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const option_id pace_options[] = {
    OPT_BUDGETS, OPT_BUDGET,      OPT_COLUMNS, OPT_SLOT,     OPT_DAY,      OPT_MIDNIGHT,   OPT_OBJECTIVE,
    OPT_FIRST,   OPT_NO_GUARD,    OPT_LIVE,    OPT_LOG_FILE, OPT_LOG_KEEP, OPT_CHECKPOINT, OPT_CHECKPOINT_EVERY,
    OPT_SLOTS,   OPT_PACE_FIGURE, OPT_SET,     OPT_JSON,     OPT_HELP,     OPTIONS};

/* ---- lines ---- */

static int line_trouble(const command *self, const char *path, const ofw_lines *in, ofw_line_status st)
{
  unsigned long long number = in->number;
  if (st == OFW_LINE_TOO_LONG)
    return complain(self, EXIT_BAD_DATA, "%s: line %llu: the line is longer than %zu bytes", path, number, in->limit);
  if (st == OFW_LINE_UNREAD)
    return complain(self, EXIT_FAILED, "%s: line %llu: cannot read it: %s", path, number, strerror(errno));
  return no_memory(self);
}

/* Every line of a file, or of stdin if it is called '-'. */
static int read_lines(const command *self, const char *path,
                      ofw_status (*take)(void *ctx, uint64_t number, char *line, size_t length, ofw_error *err),
                      void *ctx)
{
  int code = 0;
  ofw_error err = {0};
  FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");
  if (!file)
    return complain(self, EXIT_FAILED, "%s: %s", path, strerror(errno));
  ofw_lines in = {.read = ofw_lines_from_file, .ctx = file, .limit = OFW_LONGEST_OPPORTUNITY};
  while (!code) {
    char *line;
    size_t length;
    ofw_line_status got = ofw_lines_next(&in, &line, &length);
    if (got == OFW_NO_LINE)
      break;
    if (got != OFW_LINE) {
      code = line_trouble(self, path, &in, got);
      break;
    }
    ofw_status st = take(ctx, in.number, line, length, &err);
    if (st != OFW_OK && st != OFW_END)
      code = refuse(self, &err);
  }
  ofw_lines_free(&in);
  if (file != stdin)
    fclose(file);
  return code;
}

/* ---- what is played ---- */

typedef struct budget_file {
  pace_budgets *budgets;
  pace_table table;
} budget_file;

static ofw_status take_budget(void *ctx, uint64_t number, char *line, size_t length, ofw_error *err)
{
  budget_file *f = ctx;
  f->table.number = number;
  return pace_budgets_line(f->budgets, &f->table, line, length, err);
}

static int read_budgets(pacing *a, const arguments *args)
{
  const char *single[MOST_REPEATED], *path = args->value[OPT_BUDGETS];
  size_t n = repeated_values(args, OPT_BUDGET, single);
  ofw_error err = {0};
  for (size_t i = 0; i < n; i++)
    if (pace_budgets_add(&a->budgets, single[i], &err) != OFW_OK)
      return complain(a->self, EXIT_USAGE, "--budget %s", err.message);
  if (!path && n == 0)
    return complain(a->self, EXIT_USAGE,
                    "expected --budgets FILE or --budget CAMPAIGN=AMOUNT, found neither; see 'ofw help pace'");
  budget_file file = {&a->budgets, pace_budgets_table(path)};
  int code = path ? read_lines(a->self, path, take_budget, &file) : 0;
  if (!code && a->budgets.campaigns == 0)
    code = complain(a->self, EXIT_BAD_DATA, "%s: expected at least one budget, found none", path);
  return code;
}

ofw_status pace_read_offer(const pacing *a, pace_offer *out, ofw_error *err)
{
  const char *name;
  OFW_TRY(pace_table_time(&a->table, PACE_TIME, &out->time, err));
  OFW_TRY(pace_table_text(&a->table, PACE_CAMPAIGN, OFW_LONGEST_CAMPAIGN, &name, err));
  OFW_TRY(pace_table_number(&a->table, PACE_VALUE, 0.0, 1e18, &out->value, err));
  out->campaign = pace_budgets_find(&a->budgets, name);
  if (out->campaign == a->budgets.campaigns)
    return pace_table_refuse(&a->table, PACE_CAMPAIGN, "a campaign with a budget, by --budgets or --budget", err);
  return OFW_OK;
}

ofw_status pace_at_line(const pacing *a, ofw_status st, const ofw_error *why, ofw_error *err)
{
  return ofw_fail(err, st, "%s%sline %llu: %s", a->table.where ? a->table.where : "", a->table.where ? ": " : "",
                  (unsigned long long)a->table.number, why->message);
}

static ofw_status take_opportunity(void *ctx, uint64_t number, char *line, size_t length, ofw_error *err)
{
  pacing *a = ctx;
  pace_offer o;
  double cost, multiplier, bid;
  ofw_error why = {0};
  a->table.number = number;
  OFW_TRY(pace_table_line(&a->table, line, length, err));
  OFW_TRY(pace_read_offer(a, &o, err));
  OFW_TRY(pace_table_number(&a->table, PACE_COST, 0.0, 1e18, &cost, err));
  ofw_status st = pacer_bid(a->p, o.time, o.campaign, o.value, &multiplier, &bid, &why);
  if (st == OFW_OK)
    st = pacer_outcome(a->p, o.campaign, o.value, cost, bid >= cost, cost, &why);
  return st == OFW_OK ? st : pace_at_line(a, st, &why, err);
}

/* ---- what is kept of it ---- */

static void on_slot(void *ctx, const pacer_slot *s)
{
  pacing *a = ctx;
  if (a->slots) {
    csv_real(a->slots, s->begins);
    fputc(',', a->slots);
    csv_text(a->slots, a->budgets.campaign[s->campaign].name);
    const double numbers[] = {s->multiplier, s->value, s->spend, s->plan, s->spent, s->planned};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
      fputc(',', a->slots);
      csv_real(a->slots, numbers[i]);
    }
    fputc('\n', a->slots);
  }
  if (!a->draws)
    return;
  if (ofw_grow(&a->marks, a->n_marks, 1, &a->marks_room, sizeof *a->marks, NULL) != OFW_OK)
    a->failed = 1;
  else
    a->marks[a->n_marks++] = (pace_mark){s->campaign, s->begins, s->multiplier, s->spent, s->planned, s->budget};
}

static void on_day(void *ctx, size_t campaign, int64_t day, const pacer_account *account)
{
  pacing *a = ctx;
  if (ofw_grow(&a->days, a->n_days, 1, &a->days_room, sizeof *a->days, NULL) != OFW_OK)
    a->failed = 1;
  else
    a->days[a->n_days++] = (pace_day){campaign, day, *account};
}

/* ---- options ---- */

/* Which column this text up to its '=' names; PACE_COLUMNS: none. */
static size_t named_column(const char *const *own, const char *item, const char *equals)
{
  size_t k = 0, length = equals ? (size_t)(equals - item) : 0;
  while (k < PACE_COLUMNS && (length != strlen(own[k]) || strncmp(item, own[k], length) != 0))
    k++;
  return k;
}

/* time=ts,cost=price */
static int read_columns(pacing *a, char *list)
{
  static const char *const own[PACE_COLUMNS] = {"time", "campaign", "value", "cost", "won", "paid"};
  a->table.columns = PACE_COLUMNS;
  a->table.hint = "; separate columns by commas, and name others by --columns";
  memcpy(a->table.name, own, sizeof own);
  for (char *rest = list, *item; rest && (item = strsep(&rest, ","));) {
    const char *equals = strchr(item, '=');
    size_t k = named_column(own, item, equals);
    if (!equals || k == PACE_COLUMNS || !equals[1])
      return complain(
          a->self, EXIT_USAGE,
          "--columns %s: expected one of time, campaign, value, cost, won and paid, '=', and a column's name", item);
    a->table.name[k] = equals + 1;
  }
  return 0;
}

static int read_pacer_settings(pacing *a, const arguments *args, pacer_settings *s)
{
  const command *self = a->self;
  const char *objective = args->value[OPT_OBJECTIVE];
  int code;
  *s = (pacer_settings){.guard = !args->value[OPT_NO_GUARD], .learner = "ofw-ada"};
  if ((code = read_real(self, args, OPT_SLOT, 300.0, &s->slot)) ||
      (code = read_real(self, args, OPT_DAY, 86400.0, &s->day)) ||
      (code = read_real(self, args, OPT_MIDNIGHT, 0.0, &s->midnight)) ||
      (code = read_real(self, args, OPT_FIRST, 1.0, &s->first)))
    return code;
  if (objective && strcmp(objective, "value") != 0 && strcmp(objective, "profit") != 0)
    return complain(self, EXIT_USAGE, "--objective %s: expected 'value' or 'profit'", objective);
  s->profit = objective && strcmp(objective, "profit") == 0;
  if (!(s->day >= 1.0 && s->day <= 1e9))
    return complain(self, EXIT_USAGE, "--day %g: expected 1 to 1e9 seconds", s->day);
  if (!(s->slot > 0.0) || s->slot > s->day || s->day / s->slot > OFW_MOST_SLOTS)
    return complain(self, EXIT_USAGE, "--slot %g: expected from 1 to %d slots per day", s->slot, OFW_MOST_SLOTS);
  if (!(fabs(s->midnight) <= 1e12))
    return complain(self, EXIT_USAGE, "--midnight %g: expected a number from -1e12 to 1e12", s->midnight);
  if (!(s->first > 0.0) || s->first > 1e18)
    return complain(self, EXIT_USAGE, "--first %g: expected a number above 0 and at most 1e18", s->first);
  a->slot = s->slot;
  a->day = s->day;
  a->midnight = s->midnight;
  return 0;
}

static int check_use(const command *self, const arguments *args)
{
  int live = args->value[OPT_LIVE] != NULL;
  if (!live && args->words == 0)
    return complain(self, EXIT_USAGE,
                    "expected a file of opportunities ('-': stdin) or --live, found neither; see 'ofw help pace'");
  if (live && args->words > 0)
    return complain(self, EXIT_USAGE, "--live reads stdin, not '%s'; leave the file out", args->word[0]);
  static const option_id of_live[] = {OPT_LOG_FILE, OPT_LOG_KEEP, OPT_CHECKPOINT, OPT_CHECKPOINT_EVERY};
  for (size_t k = 0; !live && k < sizeof of_live / sizeof *of_live; k++)
    if (args->value[of_live[k]])
      return complain(self, EXIT_USAGE, "--%s needs --live", option_table[of_live[k]].name);
  if (args->value[OPT_PACE_FIGURE])
    return figure_file_check(self, args->value[OPT_PACE_FIGURE]);
  return 0;
}

/* --set, behind the default that it may replace; how many. */
static size_t learner_options(const arguments *args, const char *out[MOST_SETS + 1])
{
  static const char key[] = "constraints=";
  size_t n = 0;
  int given = 0;
  for (size_t i = 0; i < args->sets; i++)
    given |= strncmp(args->set[i], key, sizeof key - 1) == 0;
  if (!given)
    out[n++] = "constraints=budgets";
  for (size_t i = 0; i < args->sets; i++)
    out[n++] = args->set[i];
  return n;
}

/* ---- the command ---- */

static int play(pacing *a, const arguments *args)
{
  ofw_error err = {0};
  int code;
  if (args->value[OPT_LIVE])
    return pace_live(a, args);
  a->table.where = strcmp(args->word[0], "-") == 0 ? NULL : args->word[0];
  a->table.needed = 1u << PACE_TIME | 1u << PACE_CAMPAIGN | 1u << PACE_VALUE | 1u << PACE_COST;
  if (a->table.where) /* whoever types the opportunities sees what happens */
    phase_begin(a->self, args, "no result is written", "replaying %s", a->table.where);
  if (!(code = read_lines(a->self, args->word[0], take_opportunity, a)) && pacer_finish(a->p, &err) != OFW_OK)
    code = refuse(a->self, &err);
  phase_end();
  return code;
}

static int play_and_report(pacing *a, const arguments *args)
{
  const char *slots = args->value[OPT_SLOTS];
  int code = slots ? open_result(a->self, slots, &a->slots) : 0;
  if (code)
    return code;
  if (slots)
    fputs("time,campaign,multiplier,value,spend,plan,spent,planned\n", a->slots);
  a->draws = args->value[OPT_PACE_FIGURE] != NULL;
  pacer_listen(a->p, on_slot, on_day, a);
  code = play(a, args);
  if (!code && a->failed)
    code = no_memory(a->self);
  if (slots && code)
    drop_result(slots, a->slots);
  else if (slots)
    code = close_result(a->self, slots, a->slots);
  if (!code && a->draws)
    code = pace_draw(a, args->value[OPT_PACE_FIGURE]);
  if (!code && (args->value[OPT_JSON] || !args->value[OPT_LIVE])) /* a live play's stdout has its answers */
    pace_report(a, args->value[OPT_JSON] != NULL);
  return code;
}

int pace_main(const command *self, const arguments *args)
{
  pacing a = {.self = self};
  pacer_settings s;
  const char *option[MOST_SETS + 1];
  ofw_error err = {0};
  char *columns = args->value[OPT_COLUMNS] ? ofw_copy_text(args->value[OPT_COLUMNS]) : NULL;
  int code = args->value[OPT_COLUMNS] && !columns ? no_memory(self) : check_use(self, args);
  if (!code && !(code = read_columns(&a, columns)) && !(code = read_pacer_settings(&a, args, &s)) &&
      !(code = read_budgets(&a, args))) {
    s.options = learner_options(args, option);
    s.option = option;
    a.p = pacer_create(&s, &a.budgets, &err);
    code = a.p ? play_and_report(&a, args) : refuse(self, &err);
  }
  pacer_free(a.p);
  pace_budgets_free(&a.budgets);
  free(a.days);
  free(a.marks);
  free(columns);
  return code;
}
