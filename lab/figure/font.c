/* font.c — characters of a text, their widths, and their outlines as polygons */
#include "lab/figure/font.h"

#include "base/plain.h"

#include <stdlib.h>

uint32_t font_next(const char **text)
{
  static const unsigned char first_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
  size_t length = ofw_plain_length(*text);
  if (length == 0) {
    (*text)++;
    return FONT_UNKNOWN;
  }
  uint32_t code = (unsigned char)**text & first_bits[length];
  for (size_t i = 1; i < length; i++)
    code = code << 6 | ((unsigned char)(*text)[i] & 0x3f);
  *text += length;
  return code;
}

static const font_glyph *find(uint32_t code)
{
  size_t low = 0, high = font_glyph_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (font_glyphs[middle].code < code)
      low = middle + 1;
    else
      high = middle;
  }
  return low < font_glyph_count && font_glyphs[low].code == code ? &font_glyphs[low] : NULL;
}

double font_advance(uint32_t code)
{
  const font_glyph *g = find(code);
  return g ? g->advance / (double)FONT_UNITS : 1.0;
}

double font_width(const char *text, double size)
{
  double wide = 0.0;
  while (*text)
    wide += font_advance(font_next(&text));
  return wide * size;
}

enum { MOST_PLACES = 512, BEND = 5 }; /* of a contour, and of a parabola */

typedef struct contour_walk {
  xy at[MOST_PLACES];
  size_t n;
  xy origin;
  double unit;
} contour_walk;

static xy read_place(contour_walk *w, const char **at)
{
  char *end;
  double x = (double)strtol(*at, &end, 10), y = (double)strtol(end, &end, 10);
  *at = end;
  return (xy){w->origin.x + x * w->unit, w->origin.y - y * w->unit};
}

static void add_place(contour_walk *w, xy p)
{
  if (w->n < MOST_PLACES)
    w->at[w->n++] = p;
}

/* (1-t)^2 a + 2 t (1-t) b + t^2 c */
static void add_parabola(contour_walk *w, xy b, xy c)
{
  xy a = w->at[w->n - 1];
  for (int i = 1; i <= BEND; i++) {
    double t = i / (double)BEND, s = 1.0 - t;
    add_place(w, (xy){s * s * a.x + 2.0 * s * t * b.x + t * t * c.x, s * s * a.y + 2.0 * s * t * b.y + t * t * c.y});
  }
}

static void trace_glyph(contour_walk *w, const char *outline, void (*contour)(void *to, const xy *at, size_t n),
                        void *to)
{
  for (const char *at = outline; *at;) {
    char command = *at++;
    xy p = read_place(w, &at);
    if (command == 'M') {
      if (w->n)
        contour(to, w->at, w->n);
      w->n = 0;
    }
    if (command == 'Q')
      add_parabola(w, p, read_place(w, &at));
    else
      add_place(w, p);
  }
  if (w->n)
    contour(to, w->at, w->n);
  w->n = 0;
}

void font_trace(const char *text, xy from, double size, void (*contour)(void *to, const xy *at, size_t n), void *to)
{
  contour_walk w = {.origin = from, .unit = size / FONT_UNITS};
  while (*text) {
    uint32_t code = font_next(&text);
    const font_glyph *known = find(code), *g = known ? known : find('?');
    if (g)
      trace_glyph(&w, g->outline, contour, to);
    w.origin.x += font_advance(code) * size;
  }
}
