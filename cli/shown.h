/* shown.h — texts of any bytes for a terminal: no name of a file or in one can move its cursor, colour it or add a line
 *
 * What is not a character of UTF-8, a control character, or one that turns the order of others around, becomes "\x1b", its bytes
 * in hexadecimal. All else stays as it is.
 */
#pragma once

#include <stdio.h>

/* The next piece of a text, ended by a 0; how many bytes of the text it stands for, 0 at the end. */
enum { SHOWN_PIECE = 5 };
size_t next_shown(const char *at, char piece[SHOWN_PIECE]);
/* How many bytes put_shown writes. */
size_t shown_length(const char *text);
void put_shown(FILE *out, const char *text);
/* Like printf, for the lines of a table: what is printed is shown so, but for the ends of lines. */
void print_shown(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* "wrote FILE", on a line of its own. */
void print_written(const char *path);
/* A number in 13 characters, a dash if it is not known. */
void print_known(FILE *out, double x);
