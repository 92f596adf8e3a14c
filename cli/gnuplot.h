/* gnuplot.h — figures by gnuplot: one that is whole or not there */
#ifndef OFW_CLI_GNUPLOT_H
#define OFW_CLI_GNUPLOT_H

#include "cli.h"

#include <stdio.h>

/* Okabe and Ito's, which colour-blind readers can tell apart. */
enum { GNUPLOT_COLOURS = 7 };
extern const char *const gnuplot_colours[GNUPLOT_COLOURS];

typedef struct gnuplot {
  const command *self;
  const char *path;
  char *part; /* drawn there, and renamed once it is whole */
  FILE *out;  /* what is written here is the script */
} gnuplot;

/* Before long work: whether there is a gnuplot, and whether it can draw a file of this name. 0, or an exit code after a
 * complaint. */
int gnuplot_check(const command *self, const char *path);
/* Sets the terminal by the name's end (.svg, .png, .pdf) and the output. */
int gnuplot_open(gnuplot *g, const command *self, const char *path, double width, double height);
/* Draws; `code` is what came before, and what failed is removed. */
int gnuplot_close(gnuplot *g, int code);
/* So few labels on a linear x axis from 0 to `largest` that they do not touch. */
void gnuplot_x_tics(FILE *out, double largest);
/* A text in quotes. */
void gnuplot_text(FILE *out, const char *text);

#endif
