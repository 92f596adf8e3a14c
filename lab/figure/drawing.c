/* drawing.c — the list of what is painted, its colours and its dashes */
#include "lab/figure/drawing.h"
#include "lab/figure/font.h"

#include "base/basics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Light and dark as the page of 'ofw report' has them (web/shared/page.css). */
static const unsigned colours[INKS][2] = {
    {0xffffff, 0x14161a}, {0x1b1d22, 0xe8e9ea}, {0x565b66, 0xa6abb5}, {0xe9eae6, 0x282c33}, {0xd9dbd6, 0x363b44},
    {0x0072b2, 0x3d9fd8}, {0xd55e00, 0xe8772e}, {0x009e73, 0x1fb58a}, {0xcc79a7, 0xd68cb5}, {0xe69f00, 0xe69f00},
    {0x56b4e9, 0x7cc8f0}, {0x000000, 0xf2f2f2}, {0x7f7f7f, 0x9a9a9a}};

const double drawing_dashes[DRAWING_DASHES][DRAWING_MOST_DASHES + 1] = {
    {0}, {9, 4}, {3, 3}, {12, 4, 3, 4}, {6, 3}, {2, 4}, {16, 4}, {8, 3, 2, 3, 2, 3}, {14, 6, 6, 6}};

unsigned drawing_rgb(unsigned which, int dark)
{
  return colours[which][dark != 0];
}

void drawing_free(drawing *d)
{
  free(d->mark);
  free(d->place);
  free(d->chars);
}

static mark *add_mark(drawing *d)
{
  if (d->failed || ofw_grow(&d->mark, d->marks, 1, &d->mark_room, sizeof *d->mark, NULL) != OFW_OK) {
    d->failed = 1;
    return NULL;
  }
  d->mark[d->marks] = (mark){0};
  return &d->mark[d->marks++];
}

void drawing_path(drawing *d, const xy *at, size_t n, pen how)
{
  if (n < 2 || d->failed)
    return;
  if (ofw_grow(&d->place, d->places, n, &d->place_room, sizeof *d->place, NULL) != OFW_OK) {
    d->failed = 1;
    return;
  }
  mark *m = add_mark(d);
  if (!m)
    return;
  m->first = d->places;
  m->n = n;
  m->pen = how;
  memcpy(d->place + d->places, at, n * sizeof *at);
  d->places += n;
}

/* The text as plain UTF-8, behind the others; its length. */
static size_t add_chars(drawing *d, const char *text)
{
  size_t begin = d->bytes;
  if (ofw_grow(&d->chars, d->bytes, strlen(text) + 1, &d->char_room, 1, NULL) != OFW_OK) {
    d->failed = 1;
    return 0;
  }
  for (const char *at = text; *at;) {
    const char *from = at;
    if (font_next(&at) == FONT_UNKNOWN)
      d->chars[d->bytes++] = '?';
    else
      for (; from < at; from++)
        d->chars[d->bytes++] = *from;
  }
  d->chars[d->bytes++] = 0;
  return d->bytes - begin - 1;
}

/* How many bytes of a text are no wider than `most`. */
static size_t bytes_within(const char *text, double size, double most)
{
  double wide = 0.0;
  const char *at = text;
  while (*at) {
    const char *from = at;
    wide += font_advance(font_next(&at)) * size;
    if (wide > most)
      return (size_t)(from - text);
  }
  return (size_t)(at - text);
}

void drawing_text(drawing *d, xy at, const char *text, double most, lettering how)
{
  static const char dots[] = "…";
  if (!*text || d->failed)
    return;
  mark *m = add_mark(d);
  size_t first = d->bytes, n = m ? add_chars(d, text) : 0;
  if (d->failed)
    return;
  *m = (mark){.is_text = 1, .first = first, .n = n, .at = at, .as = how};
  if (!(most > 0.0) || font_width(d->chars + first, how.size) <= most)
    return;
  size_t kept = bytes_within(d->chars + first, how.size, most - font_width(dots, how.size));
  char *cut = ofw_format("%.*s%s", (int)kept, d->chars + first, dots);
  m->whole = first;
  m->whole_n = n;
  m->first = d->bytes;
  m->n = cut ? add_chars(d, cut) : 0;
  d->failed |= !cut;
  free(cut);
}

void drawing_put_number(FILE *out, double x)
{
  long long hundredths = llround(100.0 * x);
  unsigned long long size = (unsigned long long)llabs(hundredths), part = size % 100;
  fprintf(out,
          part == 0        ? "%s%llu"
          : part % 10 == 0 ? "%s%llu.%llu"
                           : "%s%llu.%02llu",
          hundredths < 0 ? "-" : "", size / 100, part % 10 == 0 ? part / 10 : part);
}
