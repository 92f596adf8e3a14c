/* pace_figure.c — spend against plan as a figure, by gnuplot
 *
 * A line of two panels per campaign, those with the largest budgets first: what was spent of each day's budget beside what was
 * planned, and the multiplier.
 */
#include "gnuplot.h"
#include "pace.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_CAMPAIGNS = 12, MOST_MARKS = 400, GREY = 0x888888 };

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

/* Days, percent of the day's budget that is spent, and that was planned, the multiplier. A blank line after each day. */
static void put_marks(gnuplot *out, const pacing *a, size_t campaign)
{
  size_t every = marks_of(a, campaign) / MOST_MARKS + 1, n = 0;
  double day = NAN;
  gnuplot_put(out, "$campaign%zu << end\n", campaign);
  for (size_t i = 0; i < a->n_marks; i++) {
    const pace_mark *m = &a->marks[i];
    if (m->campaign != campaign || n++ % every != 0 || !(m->budget > 0.0))
      continue;
    double now = floor((m->begins - a->midnight) / a->day);
    if (now > day)
      gnuplot_put(out, "\n");
    gnuplot_put(out, "%g %g %g %g\n", (m->begins + a->slot - a->midnight) / a->day, 100.0 * m->spent / m->budget,
                100.0 * m->planned / m->budget, m->multiplier);
    day = now;
  }
  gnuplot_put(out, "end\n");
}

static void put_campaign(gnuplot *out, const pacing *a, size_t line, size_t campaign)
{
  const char *name = a->budgets.campaign[campaign].name;
  put_marks(out, a, campaign);
  gnuplot_panel(out, line, 0);
  gnuplot_put(
      out, "set title %s\nset ylabel '%% of the budget' offset 1,0\nset yrange [0:*]\nunset logscale y\nset ytics 25\n",
      name);
  gnuplot_put(out,
              "plot $campaign%zu using 1:3 with lines dashtype 2 linewidth 1.5 linecolor rgb 0x%x notitle, "
              "'' using 1:2 with lines linewidth 1.5 linecolor rgb 0x%x notitle\n",
              campaign, GREY, gnuplot_colours[0]);
  gnuplot_panel(out, line, 1);
  gnuplot_put(
      out, "set title %s\nset ylabel 'multiplier' offset 1,0\nset yrange [*:*]\nset logscale y\nset ytics autofreq\n",
      name);
  gnuplot_put(out, "plot $campaign%zu using 1:4 with lines linewidth 1.2 linecolor rgb 0x%x notitle\n", campaign,
              gnuplot_colours[1]);
}

int pace_draw(const pacing *a, const char *path)
{
  gnuplot *figure;
  size_t campaign[MOST_CAMPAIGNS], lines = choose(a, campaign);
  gnuplot_sheet sheet = {.lines = lines, .columns = 2, .width = 420, .height = 190, .legend = 60};
  if (a->n_marks == 0)
    return complain(a->self, EXIT_BAD_DATA, "--figure: nothing to draw: the file has no opportunity");
  int code = gnuplot_open(a->self, path, &sheet, &figure);
  if (code)
    return code;
  gnuplot_put(figure, "set xlabel 'day' offset 0,0.7\nset lmargin 9\nset rmargin 2\nset tmargin 2\nset bmargin 3\n");
  for (size_t i = 0; i < lines; i++)
    put_campaign(figure, a, i, campaign[i]);
  gnuplot_put(figure, "unset logscale y\n");
  gnuplot_legend(figure, 3, 3);
  gnuplot_put(figure,
              " with lines linewidth 2 linecolor rgb 0x%x title 'spent', $nothing with lines dashtype 2 linewidth 2 "
              "linecolor rgb "
              "0x%x title 'planned', $nothing with lines linewidth 2 linecolor rgb 0x%x title 'multiplier'\n",
              gnuplot_colours[0], GREY, gnuplot_colours[1]);
  return gnuplot_close(figure);
}
