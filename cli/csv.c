/* csv.c — cells of a CSV file that no spreadsheet runs as a formula */
#include "csv.h"

#include "base/basics.h"

#include <math.h>
#include <string.h>

void csv_text(FILE *out, const char *text)
{
  int begins_oddly = *text && strchr("=+-@\t\r\n'", *text) != NULL; /* the quote itself, so that none is ambiguous */
  if (!begins_oddly && !strpbrk(text, ",\"\n\r")) {
    fputs(text, out);
    return;
  }
  fputs(begins_oddly ? "\"'" : "\"", out);
  for (; *text; text++) {
    if (*text == '"')
      fputc('"', out);
    fputc(*text, out);
  }
  fputc('"', out);
}

void csv_real(FILE *out, double x)
{
  char number[OFW_REAL_TEXT];
  fputs(isnan(x) ? "" : ofw_print_real(x, number), out);
}
