/* lab.c — many cells: workers, interrupts, and files that are whole or not there */
#include "lab.h"

#include "stop.h"

#include "base/basics.h"
#include "linalg/kernels.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int session_open(const command *self, const arguments *args, session *s)
{
  uint64_t jobs;
  char head[96];
  ofw_error err = {0};
  *s = (session){.self = self, .folder = args->value[OPT_OUTPUT]};
  progress_begin(&s->progress, args->value[OPT_QUIET] != NULL);
  int code = read_count_in(self, args, OPT_JOBS, lab_processors(), 1, OFW_MOST_JOBS, &jobs);
  if (code)
    return code;
  s->jobs = (size_t)jobs;
  /* Like a sweep's database: the libraries are left out, since an upgrade of one would turn hours of plays away. */
  snprintf(head, sizeof head, "# ofw %s kernel=%s", ofw_version(), ofw_kernels_chosen()->name);
  if (lab_journal_open(s->folder, head, &s->journal, &err) != OFW_OK)
    return complain(self, exit_code(err.status), "%s", err.message);
  stop_on_signals(); /* a second one ends the program at once, and the journal is whole all the same */
  return 0;
}

void session_close(session *s)
{
  lab_journal_close(s->journal);
}

void session_plan(session *s, size_t cells, uint64_t rounds)
{
  s->progress.cells += cells;
  s->progress.work += (double)cells * (double)rounds;
}

/* ---- play ---- */

static void on_done(void *ctx, const lab_cell *c, int known)
{
  progress *p = &((session *)ctx)->progress;
  p->known += (size_t)known;
  p->played += (size_t)!known;
  *(known ? &p->known_work : &p->played_work) += (double)c->rounds;
  progress_report(p);
}

static int was_interrupted(session *s)
{
  size_t done = s->progress.known + s->progress.played, cells = s->progress.cells;
  int code = stop_code();
  if (s->folder)
    return complain(s->self, code, "interrupted with %zu of %zu plays done; the same command goes on there", done,
                    cells);
  return complain(s->self, code,
                  "interrupted with %zu of %zu plays done, which are lost; --output DIR would have kept them", done,
                  cells);
}

int session_play(session *s, lab_cell *const *cell, size_t n)
{
  ofw_error err = {0};
  lab_pool pool = {.journal = s->journal, .jobs = s->jobs, .stop = &stop_signal, .done = on_done, .ctx = s};
  ofw_status st = lab_pool_play(&pool, cell, n, &err);
  if (st != OFW_OK || s->progress.known + s->progress.played == s->progress.cells)
    progress_end(&s->progress);
  if (st == OFW_END)
    return was_interrupted(s);
  return st == OFW_OK ? 0 : complain(s->self, exit_code(st), "%s", err.message);
}

/* ---- rows ---- */

/* What waits for nothing, then the second halves of the tunings, then the rows that wait for them. */
enum { FIRST, SECOND, TUNED, STAGES };

typedef struct plan {
  lab_row *row;
  size_t rows;
  lab_tuning *tuning;
  size_t tunings;
  lab_cell **cell; /* the stage's */
  size_t cells;
} plan;

static void add_cells(plan *p, lab_cell *cell, size_t n)
{
  for (size_t i = 0; i < n; i++)
    p->cell[p->cells++] = &cell[i];
}

static int collect(const session *s, plan *p, int stage)
{
  ofw_error err = {0};
  p->cells = 0;
  for (size_t i = 0; i < p->tunings && stage != TUNED; i++)
    add_cells(p, lab_tuning_half(&p->tuning[i], stage == SECOND), LAB_GRID * p->tuning[i].seeds);
  for (size_t i = 0; i < p->tunings && stage == TUNED; i++)
    if (lab_tuning_settle(&p->tuning[i], &err) != OFW_OK)
      return complain(s->self, EXIT_FAILED, "%s", err.message);
  for (size_t i = 0; i < p->rows && stage != SECOND; i++) {
    lab_row *row = &p->row[i];
    if ((row->tuning != NULL) != (stage == TUNED))
      continue;
    if (row->tuning)
      lab_row_take_tuning(row);
    add_cells(p, row->cell, row->horizons * row->seeds);
  }
  return 0;
}

int session_play_rows(session *s, lab_row *row, size_t rows, lab_tuning *tuning, size_t tunings)
{
  plan p = {.row = row, .rows = rows, .tuning = tuning, .tunings = tunings};
  for (size_t i = 0; i < rows; i++)
    for (size_t h = 0; h < row[i].horizons; h++)
      session_plan(s, row[i].seeds, row[i].rounds[h]);
  for (size_t i = 0; i < tunings; i++)
    session_plan(s, LAB_TUNE_RUNS * tuning[i].seeds, tuning[i].rounds);
  p.cell = calloc(s->progress.cells + 1, sizeof(lab_cell *));
  int code = p.cell ? 0 : complain(s->self, EXIT_FAILED, "out of memory for %zu plays", s->progress.cells);
  for (int stage = FIRST; stage < STAGES && !code; stage++)
    if (!(code = collect(s, &p, stage)))
      code = session_play(s, p.cell, p.cells);
  free(p.cell);
  return code;
}

/* ---- files that are whole or not there ---- */

static char *part_of(const char *path)
{
  ofw_text part = {0};
  ofw_text_add(&part, "%s.part", path);
  return part.failed ? NULL : part.chars;
}

int open_result(const command *self, const char *path, FILE **out)
{
  char *part = part_of(path);
  *out = part ? fopen(part, "w") : NULL;
  free(part);
  return *out ? 0 : complain(self, EXIT_FAILED, "cannot write %s: %s", path, strerror(errno));
}

int close_result(const command *self, const char *path, FILE *file)
{
  char *part = part_of(path);
  int failed = ferror(file);
  errno = 0;
  failed |= fclose(file) != 0;
  failed = failed || !part || rename(part, path) != 0;
  int why = errno;
  free(part);
  return failed ? complain(self, EXIT_FAILED, "cannot write %s: %s", path, strerror(why ? why : EIO)) : 0;
}

void drop_result(const char *path, FILE *file)
{
  char *part = part_of(path);
  (void)fclose(file);
  if (part)
    (void)remove(part);
  free(part);
}
