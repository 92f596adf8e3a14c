/* figure_file.h — a figure as a file that is whole or not there; the end of its name (.svg, .png, .pdf) says the format */
#pragma once

#include "cli.h"

#include "lab/figure/figure.h"

/* Before long work: whether a file of this name can be drawn. 0, or an exit code after a complaint. */
int figure_file_check(const command *self, const char *path);
/* Draws, and returns the figure's memory in either case. 0, or an exit code after a complaint; then no file is left. */
int figure_file_write(const command *self, figure *f, const char *path);
