/* pace_figure.c — spend against plan as a figure
 *
 * A line of two panels per campaign, those with the largest budgets first: what was spent of each day's budget beside what was
 * planned, and the multiplier.
 */
#include "figure_file.h"
#include "pace.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_CAMPAIGNS = 12, MOST_MARKS = 400 };
typedef enum pace_line { PLANNED, SPENT, MULTIPLIER } pace_line;

static double budget_of(const pacing *a, size_t campaign)
{
  double sum = 0.0;
  for (size_t i = 0; i < a->n_days; i++)
    sum += a->days[i].campaign == campaign ? a->days[i].account.budget : 0.0;
  return sum;
}

/* The campaigns to draw, in the order of their budgets; how many. */
static size_t choose(const pacing *a, size_t out[MOST_CAMPAIGNS])
{
  size_t n = 0;
  for (size_t i = 0; i < a->budgets.campaigns; i++) {
    size_t at = n;
    while (at > 0 && budget_of(a, out[at - 1]) < budget_of(a, i))
      at--;
    if (at == MOST_CAMPAIGNS)
      continue;
    for (size_t k = n < MOST_CAMPAIGNS ? n : MOST_CAMPAIGNS - 1; k > at; k--)
      out[k] = out[k - 1];
    out[at] = i;
    n += n < MOST_CAMPAIGNS;
  }
  return n;
}

static size_t marks_of(const pacing *a, size_t campaign)
{
  size_t n = 0;
  for (size_t i = 0; i < a->n_marks; i++)
    n += a->marks[i].campaign == campaign;
  return n;
}

/* Times of a file are mostly dates, so days are counted from the first. */
typedef struct pace_days {
  double first; /* as whole days from 1970 on */
  char label[32];
} pace_days;

static pace_days days_of(const pacing *a)
{
  pace_days days = {.first = INFINITY, .label = "day"};
  for (size_t i = 0; i < a->n_marks; i++)
    days.first = fmin(days.first, floor((a->marks[i].begins - a->midnight) / a->day));
  struct tm date;
  int dated = days.first != 0.0 && fabs(days.first) < 1e6 && a->day == 86400.0;
  if (dated && gmtime_r(&(time_t){(time_t)(days.first * a->day)}, &date))
    strftime(days.label, sizeof days.label, "days from %Y-%m-%d on", &date);
  return days;
}

/* Percent of the day's budget, or the multiplier, against days. A curve ends with its day. */
static void add_line(figure *f, const pacing *a, const pace_days *days, size_t campaign, pace_line which)
{
  static const char *const names[] = {"planned", "spent", NULL};
  static const figure_style styles[] = {{.ink = INK_MUTED, .dash = 4, .line = FIGURE_STRAIGHT, .width = 1.5},
                                        {.ink = INK_COLOUR, .line = FIGURE_STRAIGHT, .width = 1.8},
                                        {.ink = INK_COLOUR + 1, .line = FIGURE_STRAIGHT, .width = 1.5}};
  size_t every = marks_of(a, campaign) / MOST_MARKS + 1, n = 0;
  double day = NAN;
  figure_add_series(f, names[which], styles[which]);
  for (size_t i = 0; i < a->n_marks; i++) {
    const pace_mark *m = &a->marks[i];
    if (m->campaign != campaign || n++ % every != 0 || !(m->budget > 0.0))
      continue;
    double now = floor((m->begins - a->midnight) / a->day);
    double y = which == MULTIPLIER ? m->multiplier : 100.0 * (which == SPENT ? m->spent : m->planned) / m->budget;
    if (now > day)
      figure_add_point(f, figure_point_at(NAN, NAN));
    figure_add_point(f, figure_point_at((m->begins + a->slot - a->midnight) / a->day - days->first, y));
    day = now;
  }
}

static void add_campaign(figure *f, const pacing *a, const pace_days *days, size_t campaign)
{
  const figure_axis across = {days->label, 0, 1}, percent = {"% of the budget", 0, 1},
                    multiplier = {"multiplier", 1, 0};
  const char *name = a->budgets.campaign[campaign].name;
  figure_add_panel(f, name, across, percent, "no budget");
  add_line(f, a, days, campaign, PLANNED);
  add_line(f, a, days, campaign, SPENT);
  figure_add_panel(f, name, across, multiplier, "no budget");
  add_line(f, a, days, campaign, MULTIPLIER);
}

int pace_draw(const pacing *a, const char *path)
{
  figure f;
  size_t campaign[MOST_CAMPAIGNS], n = choose(a, campaign);
  if (a->n_marks == 0)
    return complain(a->self, EXIT_BAD_DATA, "--figure: nothing to draw: the file has no opportunity");
  const pace_days days = days_of(a);
  figure_begin(&f, "spend against plan, and the multiplier, per campaign", 2, 480, 230);
  for (size_t i = 0; i < n; i++)
    add_campaign(&f, a, &days, campaign[i]);
  return figure_file_write(a->self, &f, path);
}
