/* layout.c — panels in lines and columns, and the key below them */
#include "lab/figure/font.h"
#include "lab/figure/panel.h"

#include "base/basics.h"

#include <math.h>

enum { SWATCH = 28, KEY_GAP = 22, KEY_LINE = 22 };

/* The height of a line of panels: the highest of them. */
static double line_height(const figure *f, size_t line)
{
  double height = f->height;
  for (size_t i = line * f->columns; i < (line + 1) * f->columns && i < f->panels; i++)
    height = fmax(height, panel_height(&f->panel[i]));
  return height;
}

static double sheet_width(const figure *f)
{
  return f->width * (double)(f->panels < f->columns ? f->panels : f->columns);
}

/* An entry of the key: a piece of its line with a mark, then its name. */
static void draw_key(const figure_key *k, xy at, double most, drawing *out)
{
  if (k->style.line)
    drawing_path(out, (xy[]){{at.x, at.y}, {at.x + SWATCH, at.y}}, 2,
                 (pen){k->style.ink, k->style.width, 1.0, k->style.dash});
  if (k->style.mark > 0.0)
    panel_mark(out, (xy){at.x + 0.5 * SWATCH, at.y}, &k->style);
  drawing_text(out, (xy){at.x + SWATCH + 7.0, at.y + 4.0}, k->name, most - SWATCH - 7.0,
               (lettering){INK_TEXT, PANEL_TEXT, ANCHOR_START});
}

/* Entries from left to right, in as many lines as they need; the height of all. */
static double lay_key(const figure *f, double top, double width, drawing *out)
{
  double x = KEY_GAP, y = top + 0.5 * KEY_LINE, most = width - 2 * KEY_GAP;
  for (const figure_key *k = f->key; k < f->key + f->keys; k++) {
    double wide = fmin(SWATCH + 7.0 + font_width(k->name, PANEL_TEXT), most);
    if (x > KEY_GAP && x + wide > width - KEY_GAP) {
      x = KEY_GAP;
      y += KEY_LINE;
    }
    draw_key(k, (xy){x, y}, most, out);
    x += wide + KEY_GAP;
  }
  return f->keys ? y + KEY_LINE - top : 0.0;
}

int figure_draw(const figure *f, drawing *out)
{
  *out = (drawing){.width = sheet_width(f)};
  if (f->failed)
    return -1;
  int failed = 0;
  for (size_t line = 0; line * f->columns < f->panels; line++) {
    double height = line_height(f, line);
    for (size_t i = line * f->columns; i < (line + 1) * f->columns && i < f->panels && !failed; i++)
      failed = panel_draw(&f->panel[i], (xy){f->width * (double)(i % f->columns), out->height}, f->width, height, out);
    out->height += height;
  }
  out->height += lay_key(f, out->height, out->width, out);
  return failed || out->failed ? -1 : 0;
}
