/* growth_figure.c — the growth as a figure, by gnuplot
 *
 * A line of panels per learner: regret and violation against T, with the proved rate as a dashed guide, then both divided
 * by it, so that a metric that grows as proved is level. Colours tell the constants, shapes the streams, and whether they
 * are filled the domains.
 */
#include "gnuplot.h"
#include "growth.h"

#include "lab/fit.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { COLUMNS = 4, GREY = 0x444444 };

static const int shapes[][2] = {{7, 6}, {5, 4}, {9, 8}, {11, 10}, {13, 12}}; /* filled, hollow */
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* Where a text stands in a list; 0 if it does not. */
static size_t place_of(const char *text, const char *const *list, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (text && strcmp(list[i], text) == 0)
      return i;
  return 0;
}

static size_t variant_of(const growth *g, const growth_row *row)
{
  return place_of(row->constants, g->constants, g->variants);
}

/* ---- panels ---- */

typedef struct panel {
  const char *name;
  size_t offset; /* of the metric */
  int divided;   /* by the proved rate */
} panel;

static const panel panels[COLUMNS] = {{"regret", offsetof(results_cell, regret), 0},
                                      {"ccv", offsetof(results_cell, ccv), 0},
                                      {"regret", offsetof(results_cell, regret), 1},
                                      {"ccv", offsetof(results_cell, ccv), 1}};

static const lab_growth *growth_of(const growth_row *row, const panel *p)
{
  return p->offset == offsetof(results_cell, regret) ? &row->regret : &row->ccv;
}

static uint64_t horizon(const growth_row *row, size_t i)
{
  return row->of->plays.cell[i * row->of->plays.seeds].rounds;
}

/* What is drawn at horizon i. */
static double height(const growth_row *row, const panel *p, size_t i)
{
  double mean, deviation;
  lab_plays_mean(&row->of->plays, p->offset, i, &mean, &deviation);
  return p->divided ? mean / ofw_rate_at(growth_of(row, p)->rate, (double)horizon(row, i)) : mean;
}

/* Whether anything of the row can stand on a logarithmic axis. */
static int is_visible(const growth_row *row, const panel *p)
{
  if (p->divided && !(growth_of(row, p)->rate.power > 0.0))
    return 0;
  for (size_t i = 0; i < row->of->plays.horizons; i++)
    if (height(row, p, i) > 0.0)
      return 1;
  return 0;
}

static void put_rows(gnuplot *out, const growth *g, size_t from, size_t to, const panel *p)
{
  for (size_t r = from; r < to; r++) {
    const growth_row *row = &g->row[r];
    if (!is_visible(row, p))
      continue;
    gnuplot_put(out, "$row%zu << end\n", r);
    for (size_t i = 0; i < row->of->plays.horizons; i++)
      if (height(row, p, i) > 0.0)
        gnuplot_put(out, "%llu %g\n", (unsigned long long)horizon(row, i), height(row, p, i));
    gnuplot_put(out, "end\n");
  }
}

/* The proved rate through the highest of the first points. */
static void put_guide(gnuplot *out, const growth *g, size_t from, size_t to, const panel *p)
{
  ofw_rate rate = growth_of(&g->row[from], p)->rate;
  double top = 0.0, first = (double)g->rounds[0];
  for (size_t r = from; r < to; r++)
    if (is_visible(&g->row[r], p))
      top = fmax(top, height(&g->row[r], p, 0));
  if (!(rate.power > 0.0) || !(top > 0.0) || !isfinite(top))
    return;
  if (p->divided)
    gnuplot_put(out, "%g", top);
  else
    gnuplot_put(out, "%g*x**%g*log(x)**%g", top / ofw_rate_at(rate, first), rate.power, rate.log_power);
  gnuplot_put(out, " with lines dashtype 2 linewidth 1.5 linecolor rgb '#666666' notitle, ");
}

static void put_curve(gnuplot *out, const growth *g, size_t r)
{
  const growth_row *row = &g->row[r];
  size_t stream = place_of(row->of->arm->stream_spec, g->stream, g->streams);
  size_t domain = place_of(row->of->arm->domain, g->domain, g->domains);
  gnuplot_put(out, "$row%zu with linespoints linewidth 1.2 pointsize 0.7 pointtype %d linecolor rgb 0x%x notitle, ", r,
              shapes[stream % SHAPES][domain % 2], gnuplot_colours[variant_of(g, row) % GNUPLOT_COLOURS]);
}

/* One panel, of the rows from `from` on, which are one learner's. */
static void put_panel(gnuplot *out, const growth *g, size_t from, size_t to, const panel *p)
{
  char title[128], rate[OFW_RATE_TEXT];
  int visible = 0;
  ofw_rate proved = growth_of(&g->row[from], p)->rate;
  int divides = p->divided && proved.power > 0.0;
  snprintf(title, sizeof title, "%s: %s%s%s%s", g->row[from].of->arm->learner, p->name, divides ? " / (" : "",
           divides ? ofw_rate_text(proved, rate) : "", divides ? ")" : "");
  gnuplot_put(out, "set title %s\n", title);
  for (size_t r = from; r < to; r++)
    visible |= is_visible(&g->row[r], p);
  if (!visible) {
    gnuplot_put(out,
                "set label 1 %s at graph 0.5, 0.5 center\nset yrange [1:10]\nplot $nothing with dots notitle\n"
                "unset label 1\nset yrange [*:*]\n",
                p->divided && !divides ? "nothing is proved" : "nothing above 0");
    return;
  }
  put_rows(out, g, from, to, p);
  gnuplot_put(out, "plot ");
  put_guide(out, g, from, to, p);
  for (size_t r = from; r < to; r++)
    if (is_visible(&g->row[r], p))
      put_curve(out, g, r);
  gnuplot_put(out, "$nothing with dots notitle\n");
}

/* ---- the figure ---- */

/* A shape of 0 is a line. */
static void put_entry(gnuplot *out, const char *title, int shape, unsigned colour)
{
  if (shape)
    gnuplot_put(out, ", $nothing with points pointtype %d", shape);
  else
    gnuplot_put(out, ", $nothing with lines linewidth 2");
  gnuplot_put(out, " linecolor rgb 0x%x title %s", colour, title);
}

/* Whether a row has these constants: not all learners have all, and the theorem's may be several. */
static int is_drawn(const growth *g, size_t i)
{
  for (size_t r = 0; r < g->rows; r++)
    if (variant_of(g, &g->row[r]) == i)
      return 1;
  return 0;
}

static void put_legend(gnuplot *out, const growth *g)
{
  gnuplot_legend(out, 5, 3);
  gnuplot_put(out, " with lines dashtype 2 linewidth 1.5 linecolor rgb '#666666' title 'proved'");
  for (size_t i = 0; i < g->variants; i++)
    if (is_drawn(g, i))
      put_entry(out, g->constants[i], 0, gnuplot_colours[i % GNUPLOT_COLOURS]);
  for (size_t i = 0; i < g->streams; i++)
    put_entry(out, g->stream[i], shapes[i % SHAPES][0], GREY);
  for (size_t i = 0; i < g->domains && g->domains > 1; i++)
    put_entry(out, g->domain[i], shapes[SHAPES - 1][i % 2], GREY);
}

/* Where the learner's rows end. */
static size_t end_of(const growth *g, size_t from)
{
  size_t to = from;
  while (to < g->rows && strcmp(g->row[to].of->arm->learner, g->row[from].of->arm->learner) == 0)
    to++;
  return to;
}

static void put_script(gnuplot *out, const growth *g)
{
  size_t line = 0;
  gnuplot_put(out,
              "set logscale xy\nset format '10^{%%T}'\nset xlabel 'T' offset 0,0.7\nset lmargin 8\nset rmargin 2\n"
              "set tmargin 2\nset bmargin 3\nset xrange [%llu:%llu]\n",
              (unsigned long long)g->rounds[0], (unsigned long long)g->rounds[g->horizons - 1]);
  for (size_t from = 0; from < g->rows; from = end_of(g, from), line++)
    for (size_t k = 0; k < COLUMNS; k++) {
      gnuplot_panel(out, line, k);
      put_panel(out, g, from, end_of(g, from), &panels[k]);
    }
  put_legend(out, g);
}

int growth_draw(const growth *g, const char *path)
{
  gnuplot *figure;
  gnuplot_sheet sheet = {.columns = COLUMNS, .width = 320, .height = 250, .legend = 110};
  for (size_t from = 0; from < g->rows; from = end_of(g, from))
    sheet.lines++;
  int code = gnuplot_open(g->self, path, &sheet, &figure);
  if (code)
    return code;
  put_script(figure, g);
  return gnuplot_close(figure);
}
