/* analysis.h — an experiment that a command has composed: played into a results database, and read back from it
 *
 * tune, growth and compare are each a text (compose.h), this, and what they print of it.
 */
#pragma once

#include "cli.h"

#include "lab/plays.h"
#include "lab/sweep.h"

typedef struct analysis {
  lab_experiment of;
  results *from;
  lab_rows rows;
  char *folder; /* a temporary one, which goes again; NULL: --output */
} analysis;

/* Plays the experiment into --output, or into a folder that goes when the analysis is closed, and reads what came of it;
 * plays may have failed. 0, or an exit code after a complaint; analysis_close returns it in either case. The text is
 * freed. */
int analysis_open(const command *self, const arguments *args, ofw_text *text, analysis *out);
void analysis_close(analysis *a);

/* What an interrupt leaves before the first play (phase.h). */
#define NOT_BEGUN "no play was begun, and what was kept before is unchanged"

/* Plays an experiment into a folder, as --jobs and --quiet ask. 0 also if plays failed: the tally says so, and free() returns
 * its `refused`; else an exit code after a complaint. */
int play_experiment(const command *self, const arguments *args, const lab_experiment *x, const char *folder,
                    lab_tally *tally);
/* The same with all that 'ofw sweep' says of it on stderr. *whole: all plays are in the database, some of them failed, maybe.
 * The exit code, after a complaint if it is not 0. */
int sweep_into(const command *self, const arguments *args, const lab_experiment *x, const char *folder, int *whole);

/* Each line of a text, which is freed; NULL has none. */
void complain_lines(const command *self, char *lines);
/* "2 of 46 plays failed; the first: .."; the code. */
int complain_of_failures(const command *self, const lab_tally *t, int code);
/* The table of 'ofw sweep', or its object. */
int print_sweep(const command *self, const arguments *args, const char *folder);
/* Which command shows the results in the folder; nothing with --quiet or --json. */
void name_report(const command *self, const arguments *args, const char *folder);

/* A tuning run as an object of a list; a tuning's fields, into an object that is open. */
void print_run_json(json *j, const lab_run *run);
void print_tuning_json(json *j, const lab_measured *m);

/* For tables: the wider of a column and a text, which may be NULL. */
int wider(int width, const char *text);
