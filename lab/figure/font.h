/* font.h — the shapes and widths of letters, for what no viewer draws for us: pixels, PDF, and room for a text
 *
 * SVG names the reader's own sans-serif font. The letters here are wider than those of most such fonts, so what has room by
 * them has room there.
 */
#pragma once

#include "lab/figure/drawing.h"

#include <stdint.h>

enum {
  FONT_UNITS = 512,     /* lengths of a glyph, per size of the font */
  FONT_UNKNOWN = 0xfffd /* what is no plain character of UTF-8 */
};

/* The outline is made of contours: "M x y", then lines "L x y" and parabolas "Q x y x y"; y grows upwards from the baseline. */
typedef struct font_glyph {
  uint32_t code;
  uint16_t advance;
  const char *outline;
} font_glyph;
extern const font_glyph font_glyphs[]; /* by code */
extern const size_t font_glyph_count;

/* The character at *text, which moves behind it; FONT_UNKNOWN is one byte. */
uint32_t font_next(const char **text);
/* Of a size of 1. A character that has no glyph is as wide as one of Chinese. */
double font_advance(uint32_t code);
double font_width(const char *text, double size);
/* The contours of a text whose baseline begins at a place, each closed; '?' for what has no glyph. */
void font_trace(const char *text, xy from, double size, void (*contour)(void *to, const xy *at, size_t n), void *to);
