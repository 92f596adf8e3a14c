/* drawing_svg.c — a drawing as SVG: texts stay texts, and a reader who has a dark screen sees dark colours */
#include "lab/figure/drawing.h"

#include <string.h>

/* A text of XML, which is plain already. */
static void put_escaped(FILE *out, const char *text)
{
  for (const char *at = text; *at; at++)
    if (*at == '&')
      fputs("&amp;", out);
    else if (*at == '<')
      fputs("&lt;", out);
    else if (*at == '>')
      fputs("&gt;", out);
    else
      fputc(*at, out);
}

/* Class fN fills with ink N, class sN draws a line of it. */
static void put_inks(FILE *out, int dark)
{
  for (unsigned i = 0; i < INKS; i++)
    fprintf(out, ".f%u{fill:#%06x}.s%u{stroke:#%06x}", i, drawing_rgb(i, dark), i, drawing_rgb(i, dark));
}

static void put_attribute(FILE *out, const char *name, double value)
{
  fprintf(out, " %s=\"", name);
  drawing_put_number(out, value);
  fputc('"', out);
}

static void put_dashes(FILE *out, unsigned dash)
{
  const double *length = drawing_dashes[dash % DRAWING_DASHES];
  for (const double *at = length; *at > 0.0; at++) {
    fputs(at == length ? " stroke-dasharray=\"" : " ", out);
    drawing_put_number(out, *at);
  }
  if (*length > 0.0)
    fputc('"', out);
}

static void put_path(const drawing *d, const mark *m, FILE *out)
{
  const pen *how = &m->pen;
  fprintf(out, "<path class=\"%c%u\" d=\"", how->width > 0.0 ? 's' : 'f', how->ink);
  for (size_t i = 0; i < m->n; i++) {
    fputc(i == 0 ? 'M' : i == 1 ? 'L' : ' ', out);
    drawing_put_number(out, d->place[m->first + i].x);
    fputc(' ', out);
    drawing_put_number(out, d->place[m->first + i].y);
  }
  fputs(how->width > 0.0 ? "\"" : "z\"", out);
  if (how->width > 0.0) {
    put_attribute(out, "stroke-width", how->width);
    put_dashes(out, how->dash);
  }
  if (how->opacity < 1.0)
    put_attribute(out, how->width > 0.0 ? "stroke-opacity" : "fill-opacity", how->opacity);
  fputs("/>\n", out);
}

static void put_text(const drawing *d, const mark *m, FILE *out)
{
  static const char *const anchors[] = {"start", "middle", "end"};
  fprintf(out, "<text class=\"f%u\"", m->as.ink);
  put_attribute(out, "x", m->at.x);
  put_attribute(out, "y", m->at.y);
  put_attribute(out, "font-size", m->as.size);
  if (m->as.anchor != ANCHOR_START)
    fprintf(out, " text-anchor=\"%s\"", anchors[m->as.anchor]);
  fputc('>', out);
  if (m->whole_n) {
    fputs("<title>", out);
    put_escaped(out, d->chars + m->whole);
    fputs("</title>", out);
  }
  put_escaped(out, d->chars + m->first);
  fputs("</text>\n", out);
}

int drawing_write_svg(const drawing *d, const char *title, FILE *out)
{
  fputs("<svg xmlns=\"http://www.w3.org/2000/svg\"", out);
  put_attribute(out, "width", d->width);
  put_attribute(out, "height", d->height);
  fprintf(out, " viewBox=\"0 0 %.0f %.0f\" role=\"img\" font-family=\"system-ui, 'DejaVu Sans', sans-serif\">\n<title>",
          d->width, d->height);
  put_escaped(out, title);
  fputs("</title>\n<style>path{stroke-linejoin:round}path[stroke-width]{fill:none}", out);
  put_inks(out, 0);
  fputs("\n@media (prefers-color-scheme:dark){", out);
  put_inks(out, 1);
  fputs("}</style>\n<rect class=\"f0\" width=\"100%\" height=\"100%\"/>\n", out);
  for (const mark *m = d->mark; m < d->mark + d->marks; m++)
    if (m->is_text)
      put_text(d, m, out);
    else
      put_path(d, m, out);
  fputs("</svg>\n", out);
  return 0;
}
