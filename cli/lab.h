/* lab.h — what the commands that play many cells share: workers, the journal, progress, interrupts */
#ifndef OFW_CLI_LAB_H
#define OFW_CLI_LAB_H

#include "cli.h"
#include "progress.h"

#include "base/limits.h"
#include "lab/pool.h"
#include "lab/row.h"

#include <stdio.h>

typedef struct session {
  const command *self;
  const char *folder; /* NULL: what is done is not kept */
  lab_journal *journal;
  size_t jobs;
  progress progress;
} session;

/* --output, --jobs and --quiet; from here on an interrupt stops the play. 0, or an exit code after a complaint. */
int session_open(const command *self, const arguments *args, session *s);
void session_close(session *s);
/* So many cells of so many rounds are going to be played, for the time that is left. */
void session_plan(session *s, size_t cells, uint64_t rounds);
/* Plays them; 130 or 143 after SIGINT or SIGTERM. */
int session_play(session *s, lab_cell *const *cell, size_t n);

/* Plans and plays the rows, and before them the tunings that some of them wait for. */
int session_play_rows(session *s, lab_row *row, size_t rows, lab_tuning *tuning, size_t tunings);

/* A tuning run as an object of a list. */
void print_run_json(json *j, const lab_run *run);
/* A tuning's fields, into an object that is open. */
void print_tuning_json(json *j, const lab_tuning *t);

/* Opens FILE.part; close_result gives it its name where all went well, drop_result takes it away. 0, or an exit code
 * after a complaint. */
int open_result(const command *self, const char *path, FILE **out);
int close_result(const command *self, const char *path, FILE *file);
void drop_result(const char *path, FILE *file);

#endif
