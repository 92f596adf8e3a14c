/* pace_budgets.c — budgets per campaign and day, from options and from a file */
#include "pace_budgets.h"

#include "base/plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_AMOUNT 1e18

/* The first place in the order of names that is not before this one. */
static size_t place_of(const pace_budgets *b, const char *name)
{
  size_t low = 0, high = b->campaigns;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (strcmp(b->campaign[b->sorted[middle]].name, name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

size_t pace_budgets_find(const pace_budgets *b, const char *name)
{
  size_t at = place_of(b, name);
  return at < b->campaigns && strcmp(b->campaign[b->sorted[at]].name, name) == 0 ? b->sorted[at] : b->campaigns;
}

/* That campaign, which is new if it is not there yet. */
static ofw_status take_campaign(pace_budgets *b, const char *name, pace_campaign **out, ofw_error *err)
{
  size_t found = pace_budgets_find(b, name), at = place_of(b, name);
  if (found < b->campaigns) {
    *out = &b->campaign[found];
    return OFW_OK;
  }
  if (b->campaigns == OFW_MOST_CAMPAIGNS)
    return ofw_fail(err, OFW_BAD_DATA, "more than %d campaigns", OFW_MOST_CAMPAIGNS);
  OFW_TRY(ofw_grow(&b->campaign, b->campaigns, 1, &b->room, sizeof *b->campaign, err));
  OFW_TRY(ofw_grow(&b->sorted, b->campaigns, 1, &b->sorted_room, sizeof *b->sorted, err));
  char *copy = ofw_copy_text(name);
  if (!copy)
    return ofw_fail_memory(err, strlen(name) + 1);
  memmove(b->sorted + at + 1, b->sorted + at, (b->campaigns - at) * sizeof *b->sorted);
  b->sorted[at] = b->campaigns;
  *out = &b->campaign[b->campaigns++];
  **out = (pace_campaign){.name = copy, .every = NAN};
  return OFW_OK;
}

/* The first of its days that is not before this one. */
static size_t day_place(const pace_campaign *c, int64_t day)
{
  size_t low = 0, high = c->days;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (c->on[middle].day < day)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

double pace_budgets_on(const pace_campaign *c, int64_t day)
{
  size_t at = day_place(c, day);
  return at < c->days && c->on[at].day == day ? c->on[at].amount : c->every;
}

ofw_status pace_budgets_add(pace_budgets *b, const char *text, ofw_error *err)
{
  const char *equals = strrchr(text, '=');
  size_t length = equals ? (size_t)(equals - text) : 0;
  char name[OFW_LONGEST_CAMPAIGN + 1];
  double amount;
  pace_campaign *c;
  if (length == 0 || length > OFW_LONGEST_CAMPAIGN)
    return ofw_fail(err, OFW_USAGE, "%.200s: expected CAMPAIGN=AMOUNT", text);
  memcpy(name, text, length);
  name[length] = 0;
  if (*ofw_plain_end(name, ""))
    return ofw_fail(err, OFW_USAGE, "expected a campaign's name in UTF-8 without control characters");
  if (!ofw_read_real(equals + 1, &amount) || !(amount >= 0.0) || amount > MOST_AMOUNT)
    return ofw_fail(err, OFW_USAGE, "%.200s: expected an amount from 0 to 1e18", text);
  OFW_TRY(take_campaign(b, name, &c, err));
  if (!isnan(c->every))
    return ofw_fail(err, OFW_USAGE, "found a second budget for every day of the campaign \"%.200s\"", name);
  c->every = amount;
  return OFW_OK;
}

/* ---- a file ---- */

enum { CAMPAIGN, DAY, BUDGET };

pace_table pace_budgets_table(const char *where)
{
  return (pace_table){.columns = 3,
                      .name = {"campaign", "day", "budget"},
                      .needed = 1u << CAMPAIGN | 1u << BUDGET,
                      .where = where,
                      .hint = "; the columns are campaign, budget and, if you like, day, separated by commas"};
}

static ofw_status read_day(const pace_table *t, int64_t *out, ofw_error *err)
{
  double day;
  const char *cell = t->cell[DAY];
  if (pace_read_date(cell, out))
    return OFW_OK;
  if (!ofw_read_real(cell, &day) || day != floor(day) || fabs(day) > 1e12)
    return pace_table_refuse(t, DAY, "a day's number or a date as 2026-11-17", err);
  *out = (int64_t)day;
  return OFW_OK;
}

ofw_status pace_budgets_line(pace_budgets *b, pace_table *t, char *line, size_t length, ofw_error *err)
{
  const char *name;
  double amount;
  int64_t day = 0;
  pace_campaign *c;
  OFW_TRY(pace_table_line(t, line, length, err));
  OFW_TRY(pace_table_text(t, CAMPAIGN, OFW_LONGEST_CAMPAIGN, &name, err));
  OFW_TRY(pace_table_number(t, BUDGET, 0.0, MOST_AMOUNT, &amount, err));
  if (t->cell[DAY])
    OFW_TRY(read_day(t, &day, err));
  OFW_TRY(take_campaign(b, name, &c, err));
  size_t at = day_place(c, day);
  if (t->cell[DAY] ? at < c->days && c->on[at].day == day : !isnan(c->every))
    return pace_table_refuse(t, t->cell[DAY] ? DAY : CAMPAIGN, "one budget per campaign and day", err);
  if (b->rows++ == OFW_MOST_BUDGETS)
    return ofw_fail(err, OFW_BAD_DATA, "more than %d budgets", OFW_MOST_BUDGETS);
  if (!t->cell[DAY]) {
    c->every = amount;
    return OFW_OK;
  }
  OFW_TRY(ofw_grow(&c->on, c->days, 1, &c->room, sizeof *c->on, err));
  memmove(c->on + at + 1, c->on + at, (c->days - at) * sizeof *c->on);
  c->on[at].day = day;
  c->on[at].amount = amount;
  c->days++;
  return OFW_OK;
}

void pace_budgets_free(pace_budgets *b)
{
  for (size_t i = 0; i < b->campaigns; i++) {
    free(b->campaign[i].name);
    free(b->campaign[i].on);
  }
  free(b->campaign);
  free(b->sorted);
  *b = (pace_budgets){0};
}
