/* csv.h — values separated by commas, as RFC 4180 has them but for the ends of lines */
#pragma once

#include <stdio.h>

/* Quoted if it must be. A text that a spreadsheet would take for a formula (it begins with = + - @, a tab or an end of line)
 * gets a ' in front, and so does one that begins with a ': without the first ' of a cell it is the text again. */
void csv_text(FILE *out, const char *text);
/* To the bits; NaN, which stands for what is not known, is empty. */
void csv_real(FILE *out, double x);
