/* panel.c — a panel: title, grid, ticks, bands, lines, marks, and names at the ends */
#include "lab/figure/panel.h"
#include "lab/figure/font.h"
#include "lab/figure/ticks.h"

#include "base/basics.h"

#include <math.h>
#include <stdlib.h>

enum {
  HEAD = 50,         /* title and name of the y axis */
  FOOT = 44,         /* texts of the ticks and name of the x axis */
  GAP = 8,           /* between texts and what they belong to */
  LEADER = 22,       /* from the frame to a name */
  LONGEST_NAME = 150 /* longer ones are cut */
};
static const double BAND = 0.16; /* its opacity */

/* A panel while it is drawn: its frame, and what its axes show. */
typedef struct canvas {
  const figure_panel *of;
  drawing *out;
  double left, right, top, bottom;
  scale_range x, y;
  xy *at; /* room for the longest series, twice */
} canvas;

/* ---- ranges ---- */

static int is_shown(const figure_panel *p, const figure_point *at)
{
  return scale_shows(p->x.log, at->x) && scale_shows(p->y.log, at->y);
}

static size_t count_points(const figure_panel *p)
{
  size_t n = 0;
  for (size_t i = 0; i < p->count; i++)
    n += p->series[i].points;
  return n;
}

/* All numbers of an axis, three per point: a point that is not shown has none. */
static void list_numbers(const figure_panel *p, int across, double *out)
{
  for (size_t i = 0; i < p->count; i++)
    for (const figure_point *at = p->series[i].point; at < p->series[i].point + p->series[i].points; at++, out += 3) {
      out[0] = is_shown(p, at) ? across ? at->x : at->y : NAN;
      out[1] = is_shown(p, at) ? across ? at->left : at->low : NAN;
      out[2] = is_shown(p, at) ? across ? at->right : at->high : NAN;
    }
}

/* How many points are shown; -1: no memory. */
static long find_ranges(canvas *c)
{
  size_t n = count_points(c->of);
  double *number = ofw_array(3 * n, sizeof *number);
  long shown = 0;
  if (!number)
    return -1;
  int lines = 0;
  for (size_t i = 0; i < c->of->count; i++)
    lines |= c->of->series[i].style.line == FIGURE_STRAIGHT;
  list_numbers(c->of, 1, number);
  for (size_t i = 0; i < n; i++)
    shown += !isnan(number[3 * i]);
  c->x = scale_cover(&c->of->x, number, 3 * n, lines); /* curves reach to the frame: their names stand behind it */
  list_numbers(c->of, 0, number);
  c->y = scale_cover(&c->of->y, number, 3 * n, 0);
  free(number);
  return shown;
}

static double x_of(const canvas *c, double x)
{
  return c->left + fmin(fmax(scale_share(&c->x, x), 0.0), 1.0) * (c->right - c->left);
}

static double y_of(const canvas *c, double y)
{
  return c->bottom - fmin(fmax(scale_share(&c->y, y), 0.0), 1.0) * (c->bottom - c->top);
}

/* ---- axes ---- */

static void draw_segment(drawing *out, double x0, double y0, double x1, double y1, pen how)
{
  drawing_path(out, (xy[]){{x0, y0}, {x1, y1}}, 2, how);
}

static double widest(const scale_ticks *t)
{
  double wide = 0.0;
  for (size_t i = 0; i < t->n; i++)
    wide = fmax(wide, font_width(t->text[i], PANEL_SMALL));
  return wide;
}

/* "cumulative loss (10⁸)", free() returns it. */
static char *axis_title(const figure_axis *axis, int exponent)
{
  char power[TICK_TEXT];
  return exponent ? ofw_format("%s (%s)", axis->name, power_text(exponent, power)) : ofw_copy_text(axis->name);
}

/* As many ticks as have room beside each other, with a gap of two letters. */
static void choose_x_ticks(const canvas *c, scale_ticks *out)
{
  for (size_t most = 8; most >= 2; most--) {
    scale_ticks_of(&c->x, most, out);
    double end = -INFINITY;
    size_t i = 0;
    for (; i < out->n; i++) {
      double half = 0.5 * font_width(out->text[i], PANEL_SMALL), at = x_of(c, out->at[i]);
      if (at - half < end + 1.5 * PANEL_SMALL)
        break;
      end = at + half;
    }
    if (i == out->n)
      return;
  }
  out->n = out->n > 1 ? 1 : out->n;
}

static int draw_axes(const canvas *c, const scale_ticks *y, xy corner, double width)
{
  const pen grid = {INK_GRID, 1.0, 1.0, 0}, frame = {INK_FRAME, 1.0, 1.0, 0};
  scale_ticks x;
  choose_x_ticks(c, &x);
  for (size_t i = 0; i < y->n; i++) {
    double at = y_of(c, y->at[i]);
    draw_segment(c->out, c->left, at, c->right, at, grid);
    drawing_text(c->out, (xy){c->left - GAP, at + 4.0}, y->text[i], 0.0,
                 (lettering){INK_MUTED, PANEL_SMALL, ANCHOR_END});
  }
  for (size_t i = 0; i < x.n; i++) {
    double at = x_of(c, x.at[i]);
    draw_segment(c->out, at, c->bottom, at, c->bottom + 4.0, frame);
    drawing_text(c->out, (xy){at, c->bottom + 17.0}, x.text[i], 0.0,
                 (lettering){INK_MUTED, PANEL_SMALL, ANCHOR_MIDDLE});
  }
  draw_segment(c->out, c->left, c->bottom, c->right, c->bottom, frame);
  char *across = axis_title(&c->of->x, x.exponent), *up = axis_title(&c->of->y, y->exponent);
  int failed = !across || !up;
  if (!failed) {
    drawing_text(c->out, (xy){corner.x + GAP, corner.y + 18.0}, c->of->title, width - 2 * GAP,
                 (lettering){INK_TEXT, PANEL_TITLE, ANCHOR_START});
    drawing_text(c->out, (xy){corner.x + GAP, corner.y + 35.0}, up, width - 2 * GAP,
                 (lettering){INK_MUTED, PANEL_SMALL, ANCHOR_START});
    drawing_text(c->out, (xy){0.5 * (c->left + c->right), c->bottom + 34.0}, across, width - 2 * GAP,
                 (lettering){INK_MUTED, PANEL_SMALL, ANCHOR_MIDDLE});
  }
  free(across);
  free(up);
  return failed ? -1 : 0;
}

/* ---- curves ---- */

/* Where the run of shown points that begins at i ends. */
static size_t run_end(const canvas *c, const figure_series *s, size_t i)
{
  while (i < s->points && is_shown(c->of, &s->point[i]))
    i++;
  return i;
}

/* The lower edge on a logarithmic axis may lie at 0 or below: then the band ends at the frame. */
static double edge(const canvas *c, double y, double otherwise)
{
  if (c->of->y.log && y <= 0.0)
    return c->bottom;
  return scale_shows(c->of->y.log, y) ? y_of(c, y) : otherwise;
}

static void draw_band(const canvas *c, const figure_series *s, size_t from, size_t to)
{
  size_t n = to - from;
  int wide = 0;
  for (size_t i = 0; i < n; i++) {
    const figure_point *p = &s->point[from + i];
    double x = x_of(c, p->x), y = y_of(c, p->y);
    c->at[i] = (xy){x, edge(c, p->low, y)};
    c->at[2 * n - 1 - i] = (xy){x, edge(c, p->high, y)};
    wide |= c->at[i].y - c->at[2 * n - 1 - i].y > 0.1;
  }
  if (wide)
    drawing_path(c->out, c->at, 2 * n, (pen){s->style.ink, 0.0, BAND, 0});
}

static void draw_line(const canvas *c, const figure_series *s, size_t from, size_t to)
{
  size_t n = 0;
  for (size_t i = from; i < to; i++) {
    xy at = {x_of(c, s->point[i].x), y_of(c, s->point[i].y)};
    if (s->style.line == FIGURE_STEPS && n > 0)
      c->at[n] = (xy){at.x, c->at[n - 1].y}, n++;
    c->at[n++] = at;
  }
  if (n == 1 && !(s->style.mark > 0.0)) /* a lone point is a dot */
    panel_mark(c->out, c->at[0],
               &(figure_style){.ink = s->style.ink, .mark = 2.0 * s->style.width, .shape = FIGURE_CIRCLE});
  drawing_path(c->out, c->at, n, (pen){s->style.ink, s->style.width, 1.0, s->style.dash});
}

static void draw_bars(const canvas *c, const figure_series *s)
{
  const pen bar = {s->style.ink, 1.5, 1.0, 0};
  for (const figure_point *p = s->point; p < s->point + s->points; p++) {
    if (!is_shown(c->of, p))
      continue;
    double x = x_of(c, p->x), y = y_of(c, p->y);
    if (scale_shows(0, p->low) && scale_shows(0, p->high) && p->high > p->low)
      draw_segment(c->out, x, edge(c, p->low, y), x, edge(c, p->high, y), bar);
    if (scale_shows(c->of->x.log, p->left) && scale_shows(c->of->x.log, p->right) && p->right > p->left)
      draw_segment(c->out, x_of(c, p->left), y, x_of(c, p->right), y, bar);
  }
}

static void draw_marks(const canvas *c, const figure_series *s)
{
  for (const figure_point *p = s->point; p < s->point + s->points; p++)
    if (is_shown(c->of, p))
      panel_mark(c->out, (xy){x_of(c, p->x), y_of(c, p->y)}, &s->style);
}

/* All bands lie below all lines, and lines below marks. */
static void draw_curves(const canvas *c)
{
  enum { BANDS, LINES, MARKS };
  for (int layer = BANDS; layer <= MARKS; layer++)
    for (const figure_series *s = c->of->series; s < c->of->series + c->of->count; s++) {
      if (layer == MARKS && s->style.bars)
        draw_bars(c, s);
      if (layer == MARKS && s->style.mark > 0.0)
        draw_marks(c, s);
      for (size_t i = 0, end; i < s->points && layer < MARKS && s->style.line; i = end > i ? end : i + 1)
        if ((end = run_end(c, s, i)) > i && (layer == LINES || !s->style.bars))
          (layer == BANDS ? draw_band : draw_line)(c, s, i, end);
    }
}

void panel_mark(drawing *out, xy at, const figure_style *style)
{
  enum { MOST_CORNERS = 20 };
  static const struct {
    int corners;
    double turn, size;
  } shapes[FIGURE_SHAPES] = {{20, 0.0, 1.0}, {4, 0.125, 1.25}, {3, 0.75, 1.35}, {3, 0.25, 1.35}, {4, 0.0, 1.35}};
  xy corner[MOST_CORNERS + 1];
  int n = shapes[style->shape].corners;
  double radius = 0.5 * style->mark * shapes[style->shape].size;
  for (int i = 0; i <= n; i++) {
    double angle = 2.0 * 3.14159265358979323846 * (shapes[style->shape].turn + (i % n) / (double)n);
    corner[i] = (xy){at.x + radius * cos(angle), at.y + radius * sin(angle)};
  }
  if (style->hollow) {
    drawing_path(out, corner, (size_t)n, (pen){INK_PAPER, 0.0, 1.0, 0});
    drawing_path(out, corner, (size_t)n + 1, (pen){style->ink, 1.4, 1.0, 0});
  } else
    drawing_path(out, corner, (size_t)n, (pen){style->ink, 0.0, 1.0, 0});
}

/* ---- names ---- */

/* The last point of a series that is shown; NULL: none is. */
static const figure_point *last_shown(const figure_panel *p, const figure_series *s)
{
  size_t i = s->points;
  while (i > 0 && !is_shown(p, &s->point[i - 1]))
    i--;
  return i ? &s->point[i - 1] : NULL;
}

static size_t count_names(const figure_panel *p)
{
  size_t n = 0;
  for (size_t i = 0; i < p->count; i++)
    n += p->series[i].name && last_shown(p, &p->series[i]);
  return n;
}

static double names_width(const figure_panel *p)
{
  double wide = 0.0;
  for (size_t i = 0; i < p->count; i++)
    if (p->series[i].name && last_shown(p, &p->series[i]))
      wide = fmax(wide, fmin(font_width(p->series[i].name, PANEL_TEXT), LONGEST_NAME));
  return wide > 0.0 ? wide + LEADER + GAP : 2 * GAP;
}

/* From the end of each curve a thin line leads to its name. */
static int draw_names(const canvas *c)
{
  size_t n = 0, count = count_names(c->of);
  end_name *name = ofw_array(count, sizeof *name);
  for (const figure_series *s = c->of->series; name && s < c->of->series + c->of->count; s++) {
    const figure_point *end = last_shown(c->of, s);
    if (s->name && end)
      name[n++] = (end_name){.text = s->name, .ink = s->style.ink, .y = y_of(c, end->y), .x = x_of(c, end->x)};
  }
  int failed = !name;
  if (!failed)
    end_names_spread(name, n, PANEL_LINE, c->top, c->bottom);
  for (size_t i = 0; i < n; i++) {
    int is_far = name[i].x < c->right - LEADER; /* the name of a mark: its line must not look like data */
    const pen leader = {name[i].ink, 1.0, is_far ? 0.6 : 0.8, is_far ? 5 : 0};
    const xy way[] = {{name[i].x, name[i].y},
                      {c->right + 3.0, name[i].y},
                      {c->right + LEADER - 6.0, name[i].at},
                      {c->right + LEADER - 3.0, name[i].at}};
    drawing_path(c->out, way, 4, leader);
    drawing_text(c->out, (xy){c->right + LEADER, name[i].at + 4.0}, name[i].text, LONGEST_NAME,
                 (lettering){INK_TEXT, PANEL_TEXT, ANCHOR_START});
  }
  free(name);
  return failed ? -1 : 0;
}

/* ---- the panel ---- */

double panel_height(const figure_panel *p)
{
  return HEAD + FOOT + PANEL_LINE * (double)count_names(p);
}

static size_t longest_series(const figure_panel *p)
{
  size_t n = 1;
  for (size_t i = 0; i < p->count; i++)
    n = p->series[i].points > n ? p->series[i].points : n;
  return n;
}

int panel_draw(const figure_panel *p, xy corner, double width, double height, drawing *out)
{
  canvas c = {.of = p, .out = out, .top = corner.y + HEAD, .bottom = corner.y + height - FOOT};
  scale_ticks y;
  long shown = find_ranges(&c);
  if (shown < 0)
    return -1;
  size_t most = (size_t)((c.bottom - c.top) / 36.0);
  scale_ticks_of(&c.y, most < 2 ? 2 : most > 8 ? 8 : most, &y);
  c.left = corner.x + 2 * GAP + (shown ? widest(&y) : 0.0);
  c.right = corner.x + width - names_width(p);
  if (shown == 0) {
    c.x = c.y = (scale_range){0, 0.0, 1.0};
    y.n = 0;
  }
  c.at = ofw_array(2 * longest_series(p), sizeof *c.at);
  int failed = !c.at ? -1 : draw_axes(&c, &y, corner, width);
  if (!failed && shown == 0)
    drawing_text(out, (xy){0.5 * (c.left + c.right), 0.5 * (c.top + c.bottom)}, p->empty, 0.0,
                 (lettering){INK_MUTED, PANEL_TEXT, ANCHOR_MIDDLE});
  if (!failed && shown > 0) {
    draw_curves(&c);
    failed = draw_names(&c);
  }
  free(c.at);
  return failed;
}
