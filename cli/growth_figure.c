/* growth_figure.c — the growth as a figure
 *
 * A line of panels per learner: regret and violation against T, with the proved rate as a dashed guide, then both divided
 * by it, so that a metric that grows as proved is level. Colours tell the constants, shapes the streams, and whether they
 * are filled the domains.
 */
#include "figure_file.h"
#include "growth.h"

#include "lab/fit.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { COLUMNS = 4 };

/* The proved rate, dashed and grey. */
static const figure_style guide = {.ink = INK_MUTED, .dash = 4, .line = FIGURE_STRAIGHT, .width = 1.5};

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

/* Colour by constants, shape by stream, hollow by domain. */
static figure_style style_of(size_t variant, size_t stream, size_t domain)
{
  return (figure_style){.ink = figure_look(variant).ink,
                        .width = 1.5,
                        .mark = 6.0,
                        .shape = (figure_shape)(stream % FIGURE_SHAPES),
                        .hollow = domain % 2 == 1};
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

static void add_row(figure *f, const growth *g, const growth_row *row, const panel *p)
{
  size_t stream = place_of(row->of->arm->stream_spec, g->stream, g->streams);
  size_t domain = place_of(row->of->arm->domain, g->domain, g->domains);
  figure_style style = style_of(variant_of(g, row), stream, domain);
  style.line = FIGURE_STRAIGHT;
  figure_add_series(f, NULL, style);
  for (size_t i = 0; i < row->of->plays.horizons; i++)
    figure_add_point(f, figure_point_at((double)horizon(row, i), height(row, p, i)));
}

/* The proved rate through the highest of the first points. */
static void add_guide(figure *f, const growth *g, size_t from, size_t to, const panel *p)
{
  enum { PIECES = 32 }; /* a power of log T bends the line */
  ofw_rate rate = growth_of(&g->row[from], p)->rate;
  double top = 0.0, first = (double)g->rounds[0], last = (double)g->rounds[g->horizons - 1];
  for (size_t r = from; r < to; r++)
    if (is_visible(&g->row[r], p))
      top = fmax(top, height(&g->row[r], p, 0));
  if (!(rate.power > 0.0) || !(top > 0.0) || !isfinite(top))
    return;
  figure_add_series(f, NULL, guide);
  for (int i = 0; i <= PIECES; i++) {
    double T = first * pow(last / first, i / (double)PIECES);
    figure_add_point(f, figure_point_at(T, p->divided ? top : top * ofw_rate_at(rate, T) / ofw_rate_at(rate, first)));
  }
}

/* One panel, of the rows from `from` on, which are one learner's. */
static void add_panel(figure *f, const growth *g, size_t from, size_t to, const panel *p)
{
  char title[128], rate[OFW_RATE_TEXT];
  ofw_rate proved = growth_of(&g->row[from], p)->rate;
  int divides = p->divided && proved.power > 0.0;
  snprintf(title, sizeof title, "%s: %s%s%s%s", g->row[from].of->arm->learner, p->name, divides ? " / (" : "",
           divides ? ofw_rate_text(proved, rate) : "", divides ? ")" : "");
  figure_add_panel(f, title, (figure_axis){"T", 1, 0}, (figure_axis){"", 1, 0},
                   p->divided && !divides ? "nothing is proved" : "nothing above 0");
  add_guide(f, g, from, to, p);
  for (size_t r = from; r < to; r++)
    if (is_visible(&g->row[r], p))
      add_row(f, g, &g->row[r], p);
}

/* ---- the figure ---- */

/* Whether a row has these constants: not all learners have all, and the theorem's may be several. */
static int is_drawn(const growth *g, size_t i)
{
  for (size_t r = 0; r < g->rows; r++)
    if (variant_of(g, &g->row[r]) == i)
      return 1;
  return 0;
}

static void add_keys(figure *f, const growth *g)
{
  figure_style shape;
  figure_add_key(f, "proved", guide);
  for (size_t i = 0; i < g->variants; i++)
    if (is_drawn(g, i))
      figure_add_key(f, g->constants[i],
                     (figure_style){.ink = style_of(i, 0, 0).ink, .line = FIGURE_STRAIGHT, .width = 2.0});
  for (size_t i = 0; i < g->streams; i++) {
    shape = style_of(0, i, 0);
    shape.ink = INK_MUTED;
    figure_add_key(f, g->stream[i], shape);
  }
  for (size_t i = 0; i < g->domains && g->domains > 1; i++) {
    shape = style_of(0, FIGURE_SHAPES - 1, i);
    shape.ink = INK_MUTED;
    figure_add_key(f, g->domain[i], shape);
  }
}

/* Where the learner's rows end. */
static size_t end_of(const growth *g, size_t from)
{
  size_t to = from;
  while (to < g->rows && strcmp(g->row[to].of->arm->learner, g->row[from].of->arm->learner) == 0)
    to++;
  return to;
}

int growth_draw(const growth *g, const char *path)
{
  figure f;
  figure_begin(&f, "growth of regret and CCV with T, beside the proved rates", COLUMNS, 320, 270);
  for (size_t from = 0; from < g->rows; from = end_of(g, from))
    for (size_t k = 0; k < COLUMNS; k++)
      add_panel(&f, g, from, end_of(g, from), &panels[k]);
  add_keys(&f, g);
  return figure_file_write(g->self, &f, path);
}
