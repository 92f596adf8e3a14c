/* terminal.h — lines that fit the terminal
 *
 * A terminal is as wide as COLUMNS says, or else as it says itself. Nothing is coloured, so NO_COLOR asks for nothing. If TERM is
 * dumb, no line is written over: progress comes as lines, as it does into a file.
 */
#pragma once

#include <stddef.h>

/* How wide lines on this file may be, from 40 to 200; 0: it is no terminal, and COLUMNS does not say. */
size_t terminal_columns(int file);
/* 1: a terminal on which a line can be written over. */
int terminal_moves(int file);

/* A text on stdout, whose cursor is in column `at`; its other lines begin in column `from`. An end of line in a paragraph is a space;
 * lines that begin with a space stay lines. As wide as the terminal, at most 120; 100 if there is none. */
void print_text(const char *text, size_t at, size_t from);
/* What programs read line by line: one line unless there is a terminal, on which it is a text. */
void print_line(const char *text, size_t at, size_t from);
/* The same of a row of a table: `name` in `width` columns behind two spaces, and its text beside it, or below it if that is too narrow. */
void print_row(const char *name, size_t width, const char *text);

/* Progress on the terminal's current line: a bar, the share done, and as many of the texts as fit, first ones first. */
void show_progress(double share, const char *const text[], size_t texts);
/* "12 s left", "5 min left", "3.2 h left". */
enum { LEFT_TEXT = 40 };
const char *time_left(double seconds, char out[LEFT_TEXT]);
