/* csv.h — values separated by commas, as RFC 4180 has them but for the ends of lines */
#ifndef OFW_CLI_CSV_H
#define OFW_CLI_CSV_H

#include <stdio.h>

/* Quoted where it must be. */
void csv_text(FILE *out, const char *text);
/* To the bits; NaN, which stands for what is not known, is empty. */
void csv_real(FILE *out, double x);

#endif
