/* gnuplot.h — figures by gnuplot: one that is whole or not there
 *
 * gnuplot runs whatever its script says, commands of the system included. A text that came from a file or from the command line
 * gets into a script by gnuplot_put alone, whose %s cannot be anything but a text. The script's file is hidden, so a figure has
 * no other way. The name of the figure never reaches gnuplot: it writes to a file that is opened here.
 */
#pragma once

#include "cli.h"

#include <stdio.h>

/* Okabe and Ito's, which colour-blind readers can tell apart, without yellow and with grey; as "linecolor rgb 0x%x" takes them.
 * The first four are also four greys. */
enum { GNUPLOT_COLOURS = 8 };
extern const unsigned gnuplot_colours[GNUPLOT_COLOURS];

typedef struct gnuplot gnuplot;

/* Before long work: whether there is a gnuplot, and whether it can draw a file of this name. 0, or an exit code after a
 * complaint. */
int gnuplot_check(const command *self, const char *path);
/* Lines of panels over a legend. Sizes are in pixels; paper has 100 of them per inch. */
typedef struct gnuplot_sheet {
  size_t lines, columns;
  double width, height; /* of a panel */
  double legend;        /* its height */
} gnuplot_sheet;
/* A script that draws a file of this name, whose end (.svg, .png, .pdf) says the format. In it $nothing is one point, (1, 1). */
int gnuplot_open(const command *self, const char *path, const gnuplot_sheet *sheet, gnuplot **out);
/* What is plotted from now on stands in that panel, counted from 0. */
void gnuplot_panel(gnuplot *g, size_t line, size_t column);
/* The last plot, which shows titles alone, in so many columns: begins it, up to "$nothing". */
void gnuplot_legend(gnuplot *g, int columns, int sample);
/* Adds to the script, like printf. %s becomes a text in quotes, followed by the word noenhanced: it is shown as it is and can
 * neither end nor be run, whatever is in it. What cannot be shown in it becomes '?'. Numbers are %d, %zu, %llu, %x and %g,
 * whose nine digits are not asked for. */
void gnuplot_put(gnuplot *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* So few labels on a linear x axis from 0 to `largest` that they do not touch. */
void gnuplot_x_tics(gnuplot *g, double largest);
/* Draws. 0, or an exit code after a complaint; then no file is left. NULL is not accepted. */
int gnuplot_close(gnuplot *g);
