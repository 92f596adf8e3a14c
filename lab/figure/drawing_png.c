/* drawing_png.c — a drawing as pixels: painted by raster.c, packed as PNG */
#include "lab/figure/font.h"
#include "lab/figure/raster.h"

#include "base/basics.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Pixels per unit of length: sharp on screens of today and on slides, less if the file would be too large for any program. */
static double scale_of(const drawing *d)
{
  static const double USUAL = 2.0, MOST_PIXELS = 64e6;
  return fmin(USUAL, sqrt(MOST_PIXELS / (d->width * d->height)));
}

/* ---- painting ---- */

static void add_area(void *to, const xy *at, size_t n)
{
  raster_area(to, at, n);
}

static void paint_text(raster *r, const drawing *d, const mark *m, double scale)
{
  const char *text = d->chars + m->first;
  double size = scale * m->as.size, wide = font_width(text, size), part = 0.5 * (double)m->as.anchor;
  font_trace(text, (xy){scale * m->at.x - part * wide, scale * m->at.y}, size, add_area, r);
  raster_paint_areas(r, drawing_rgb(m->as.ink, 0), 1.0);
}

/* 0, or -1 if there is no memory. */
static int paint_path(raster *r, const drawing *d, const mark *m, double scale)
{
  double dash[DRAWING_MOST_DASHES + 1];
  xy *at = ofw_array(m->n, sizeof *at);
  if (!at)
    return -1;
  for (size_t i = 0; i < m->n; i++)
    at[i] = (xy){scale * d->place[m->first + i].x, scale * d->place[m->first + i].y};
  for (int i = 0; i <= DRAWING_MOST_DASHES; i++)
    dash[i] = scale * drawing_dashes[m->pen.dash % DRAWING_DASHES][i];
  unsigned rgb = drawing_rgb(m->pen.ink, 0);
  if (m->pen.width > 0.0) {
    raster_line(r, at, m->n, scale * m->pen.width, dash);
    raster_paint_lines(r, rgb, m->pen.opacity);
  } else {
    raster_area(r, at, m->n);
    raster_paint_areas(r, rgb, m->pen.opacity);
  }
  free(at);
  return 0;
}

/* ---- the file ---- */

static void put_word(unsigned char *out, uint32_t x)
{
  for (int i = 0; i < 4; i++)
    out[i] = (unsigned char)(x >> (24 - 8 * i));
}

/* Length, name, bytes, and a check sum of the last two. */
static void put_chunk(FILE *out, const char *name, const unsigned char *bytes, size_t n)
{
  unsigned char word[4];
  uLong sum = crc32(crc32(0, (const unsigned char *)name, 4), bytes, (uInt)n);
  put_word(word, (uint32_t)n);
  fwrite(word, 1, 4, out);
  fwrite(name, 1, 4, out);
  fwrite(bytes, 1, n, out);
  put_word(word, (uint32_t)sum);
  fwrite(word, 1, 4, out);
}

/* Each line as its differences from the one above (filter 2): what is empty becomes zeros. */
static void filter(const raster *r, unsigned char *out)
{
  size_t line = 3 * r->width;
  for (size_t y = 0; y < r->height; y++) {
    *out++ = 2;
    for (size_t i = 0; i < line; i++)
      *out++ = (unsigned char)(r->rgb[y * line + i] - (y > 0 ? r->rgb[(y - 1) * line + i] : 0));
  }
}

static int write_file(const raster *r, FILE *out)
{
  static const unsigned char begin[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  unsigned char size[13] = {[8] = 8, [9] = 2}; /* 8 bits of red, green and blue */
  uLong plain_length = (uLong)((3 * r->width + 1) * r->height);
  uLongf length = compressBound(plain_length);
  unsigned char *plain = ofw_array(plain_length, 1), *packed = ofw_array(length, 1);
  int failed = !plain || !packed ? -1 : 0;
  if (!failed) {
    filter(r, plain);
    failed = compress2(packed, &length, plain, plain_length, 6) == Z_OK ? 0 : -1;
  }
  if (!failed) {
    put_word(size, (uint32_t)r->width);
    put_word(size + 4, (uint32_t)r->height);
    fwrite(begin, 1, sizeof begin, out);
    put_chunk(out, "IHDR", size, sizeof size);
    put_chunk(out, "IDAT", packed, length);
    put_chunk(out, "IEND", size, 0);
  }
  free(plain);
  free(packed);
  return failed;
}

int drawing_write_png(const drawing *d, FILE *out)
{
  raster r;
  double scale = scale_of(d);
  int failed = raster_begin(&r, (size_t)ceil(scale * d->width), (size_t)ceil(scale * d->height));
  for (const mark *m = d->mark; !failed && m < d->mark + d->marks; m++)
    if (m->is_text)
      paint_text(&r, d, m, scale);
    else
      failed = paint_path(&r, d, m, scale);
  if (!failed)
    failed = write_file(&r, out);
  raster_free(&r);
  return failed;
}
