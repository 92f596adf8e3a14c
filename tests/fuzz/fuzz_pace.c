/* fuzz_pace.c — tables of opportunities and budgets, and the pacer: what is accepted is a number or a plain text, and no budget is
 * overspent
 *
 * A form feed ends the budgets and begins the opportunities.
 */
#include "fuzz.h"

#include "apps/pace/pacer.h"
#include "base/plain.h"

#include <math.h>

enum { TIME, CAMPAIGN, VALUE, COST, SLOTS = 24, MOST_LINES = 400 };

/* The next line of a text, as a reader of lines hands it out: with a 0 behind it. */
static char *next_line(char **rest, size_t *length)
{
  char *line = *rest;
  if (!line)
    return NULL;
  char *end = strchr(line, '\n');
  *length = end ? (size_t)(end - line) : strlen(line);
  line[*length] = 0;
  *rest = end ? end + 1 : NULL;
  return line;
}

static void must_refuse(ofw_status st, const ofw_error *err)
{
  must_explain(st, err->message);
  MUST(!*ofw_plain_end(err->message, ""));
}

/* 1: all of them were accepted. */
static int read_budgets(char *text, pace_budgets *b)
{
  pace_table t = pace_budgets_table("budgets");
  size_t length;
  for (char *line; (line = next_line(&text, &length));) {
    ofw_error err = {0};
    t.number++;
    ofw_status st = pace_budgets_line(b, &t, line, length, &err);
    if (st != OFW_OK && st != OFW_END) {
      must_refuse(st, &err);
      return 0;
    }
  }
  for (size_t i = 0; i < b->campaigns; i++) {
    const pace_campaign *c = &b->campaign[i];
    MUST(pace_budgets_find(b, c->name) == i && !*ofw_plain_end(c->name, ""));
    for (size_t k = 0; k < c->days; k++)
      MUST((k == 0 || c->on[k - 1].day < c->on[k].day) && c->on[k].amount >= 0.0 &&
           pace_budgets_on(c, c->on[k].day) == c->on[k].amount);
  }
  return b->campaigns > 0;
}

typedef struct days {
  const pace_budgets *budgets;
  double spend; /* of all days that are over */
} days;

static void on_slot(void *ctx, const pacer_slot *s)
{
  (void)ctx;
  MUST(s->multiplier > 0.0 && isfinite(s->multiplier) && s->plan >= 0.0 && s->spent <= s->budget * (1.0 + 1e-9));
}

static void on_day(void *ctx, size_t campaign, int64_t day, const pacer_account *account)
{
  days *d = ctx;
  double budget = pace_budgets_on(&d->budgets->campaign[campaign], day);
  MUST(account->budget == (isnan(budget) ? 0.0 : budget) && account->over <= 1e-9 * account->budget);
  MUST(account->won <= account->opportunities);
  d->spend += account->spend;
}

static void play(pacer *p, const pace_budgets *b, char *text)
{
  days seen = {b, 0.0};
  pace_table t = {.columns = 4, .name = {"time", "campaign", "value", "cost"}, .needed = 15};
  double paid = 0.0;
  size_t length, lines = 0;
  pacer_listen(p, on_slot, on_day, &seen);
  for (char *line; lines++ < MOST_LINES && (line = next_line(&text, &length));) {
    ofw_error err = {0};
    double time = NAN, value = NAN, cost = NAN, multiplier, bid;
    const char *name = NULL;
    t.number++;
    ofw_status st = pace_table_line(&t, line, length, &err);
    if (st == OFW_END)
      continue;
    if (st != OFW_OK || (st = pace_table_time(&t, TIME, &time, &err)) != OFW_OK ||
        (st = pace_table_text(&t, CAMPAIGN, OFW_LONGEST_CAMPAIGN, &name, &err)) != OFW_OK ||
        (st = pace_table_number(&t, VALUE, 0.0, 1e18, &value, &err)) != OFW_OK ||
        (st = pace_table_number(&t, COST, 0.0, 1e18, &cost, &err)) != OFW_OK) {
      must_refuse(st, &err);
      continue; /* the next line is read like the first */
    }
    MUST(isfinite(time) && value >= 0.0 && cost >= 0.0 && strlen(name) <= OFW_LONGEST_CAMPAIGN);
    size_t campaign = pace_budgets_find(b, name);
    if (campaign == b->campaigns)
      continue;
    if ((st = pacer_bid(p, time, campaign, value, &multiplier, &bid, &err)) != OFW_OK) {
      must_refuse(st, &err);
      if (st == OFW_NUMERICAL)
        return;
      continue;
    }
    MUST(bid >= 0.0 && bid <= multiplier * value);
    MUST(pacer_outcome(p, campaign, value, cost, bid >= cost, cost, &err) == OFW_OK);
    paid += bid >= cost ? cost : 0.0;
  }
  ofw_error err = {0};
  if (pacer_finish(p, &err) == OFW_OK)
    MUST(fabs(paid - seen.spend) <= 1e-9 * paid);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char *text = fuzz_text(data, size), *market = memchr(text, '\f', size);
  pace_budgets budgets = {0};
  ofw_error err = {0};
  const char *option[] = {"constraints=budgets"};
  pacer_settings s = {.slot = 3600.0,
                      .day = 3600.0 * SLOTS,
                      .first = 1.0,
                      .guard = 1,
                      .learner = "ofw-ada",
                      .options = 1,
                      .option = option};
  if (market)
    *market++ = 0;
  if (read_budgets(text, &budgets) && market && budgets.campaigns <= 4) {
    s.profit = budgets.campaigns % 2 == 0;
    pacer *p = pacer_create(&s, &budgets, &err);
    MUST(p);
    play(p, &budgets, market);
    pacer_free(p);
  }
  pace_budgets_free(&budgets);
  free(text);
  return 0;
}
