/* progress.h — how far a command that plays many cells is: a bar on a terminal, elsewhere a line a tenth */
#ifndef OFW_CLI_PROGRESS_H
#define OFW_CLI_PROGRESS_H

#include <stddef.h>

typedef struct progress {
  int quiet, terminal;
  int line_open; /* the bar stands on the terminal's line */
  double begun, last_bar;
  int tenths;                           /* of the work that were reported */
  size_t cells, known, played;          /* planned; done before; done now */
  double work, known_work, played_work; /* the same in rounds */
} progress;

void progress_begin(progress *p, int quiet);
/* One more cell is done. */
void progress_report(progress *p);
/* Ends the bar's line, if there is one. */
void progress_end(progress *p);

#endif
