/* drawing.h — a drawing: paths and texts in the order in which they are painted, and its three formats
 *
 * Lengths are CSS pixels, 96 per inch; y grows downwards. Colours are inks, not numbers, so that an SVG can show others on a
 * dark screen. The same calls give the same bytes on every machine.
 */
#pragma once

#include <stddef.h>
#include <stdio.h>

typedef struct xy {
  double x, y;
} xy;

/* Okabe and Ito's colours, which colour-blind readers can tell apart; grey instead of their yellow, which is invisible on white. */
enum { DRAWING_COLOURS = 8 };
enum { INK_PAPER, INK_TEXT, INK_MUTED, INK_GRID, INK_FRAME, INK_COLOUR, INKS = INK_COLOUR + DRAWING_COLOURS };
/* 0xrrggbb, on white paper or on a dark screen. */
unsigned drawing_rgb(unsigned which, int dark);

/* Lengths of dashes and gaps: pattern 0 is solid. Lists end with 0. */
enum { DRAWING_DASHES = 9, DRAWING_MOST_DASHES = 6 };
extern const double drawing_dashes[DRAWING_DASHES][DRAWING_MOST_DASHES + 1];

typedef struct pen {
  unsigned ink;
  double width;   /* of a line; 0: the path is filled */
  double opacity; /* above 0, up to 1 */
  unsigned dash;  /* pattern of a line */
} pen;

typedef enum anchor { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END } anchor;

typedef struct lettering {
  unsigned ink;
  double size;
  anchor anchor; /* which part of the text stands at its place */
} lettering;

/* A path (n places from `first` on) or a text (n bytes from `first` on, which a 0 ends). */
typedef struct mark {
  int is_text;
  size_t first, n;
  pen pen;
  xy at; /* where the text's line begins, has its middle or ends, on its baseline */
  lettering as;
  size_t whole, whole_n; /* the text that this one is cut from; n = 0: it is not cut */
} mark;

typedef struct drawing {
  double width, height;
  mark *mark;
  size_t marks, mark_room;
  xy *place;
  size_t places, place_room;
  char *chars;
  size_t bytes, char_room;
  int failed; /* no memory: seen once, at the end */
} drawing;

void drawing_free(drawing *d);
/* A line through the places, or the area within. Fewer than two places draw nothing. */
void drawing_path(drawing *d, const xy *at, size_t n, pen how);
/* What is not plain UTF-8 becomes '?'. Wider than `most`, the text is cut and ends with an ellipsis; 0: as wide as it is. */
void drawing_text(drawing *d, xy at, const char *text, double most, lettering how);

/* Each returns 0, or -1 if there is no memory; an error of writing is the file's (ferror). `title` says what is drawn. */
int drawing_write_svg(const drawing *d, const char *title, FILE *out);
int drawing_write_pdf(const drawing *d, const char *title, FILE *out);
/* Two pixels per unit of length, on white. */
int drawing_write_png(const drawing *d, FILE *out);

/* A number with at most two decimals, whatever the locale. */
void drawing_put_number(FILE *out, double x);
