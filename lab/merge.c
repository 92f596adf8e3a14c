/* merge.c — all databases are opened and compared first; only then is anything written
 *
 * They stay open, each as it was when it was checked, so that cells can be copied in the order of the plan.
 */
#include "lab/merge.h"

#include "lab/contents.h"
#include "lab/gaps.h"
#include "lab/grow.h"
#include "lab/known.h"
#include "lab/make_folder.h"
#include "lab/origin.h"
#include "lab/sql.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct merge {
  const lab_merge *ask;
  results **from; /* those that are open; NULL: not yet */
  char *title, *text, *kernel;
  results_arm *arm; /* of the first */
  size_t arms;
  lab_experiment x;
  lab_plan plan;
  results *store;
  results_cell *cell; /* by number, from 0 */
  results **in;       /* by number, from 0: which of the databases has it, maybe the store; NULL: none */
  lab_front *front;
  lab_contents *contents;
  lab_merged *out;
  ofw_error *err;
} merge;

/* ---- cells ---- */

/* "tvc on ball, seed 5" */
static void describe(const merge *m, const results_cell *c, char *out, size_t room)
{
  const lab_arm *arm = &m->plan.arm[c->arm - 1];
  snprintf(out, room, "%.40s on %.40s, seed %llu", arm->player->label, arm->source->label, (unsigned long long)c->seed);
}

/* Takes a cell over unless it is known; then both must be the same. In the store an old play may stand for one with other constants. */
static ofw_status take_cell(merge *m, results *r, results_cell *c)
{
  size_t at = (size_t)c->cell - 1;
  char what[110];
  if (!lab_is_final(c))
    return OFW_OK;
  OFW_TRY(lab_contents_check(m->contents, c, results_path(r), m->err));
  if (!m->in[at]) {
    m->in[at] = r;
    m->cell[at] = *c;
    m->cell[at].config = c->error = NULL; /* the error is the copy's now */
    return OFW_OK;
  }
  if (r == m->store && !lab_same_factors(c, &m->cell[at]))
    return OFW_OK;
  describe(m, c, what, sizeof what);
  OFW_TRY(results_compare(m->in[at], r, c->cell, what, m->err));
  if (r == m->store)
    m->in[at] = r;
  return OFW_OK;
}

static ofw_status take_cells(merge *m, results *r)
{
  results_cell *cell;
  size_t n;
  OFW_TRY(results_cells(r, 0, &cell, &n, m->err));
  ofw_status st = lab_check_cells(&m->plan, results_path(r), cell, n, m->err);
  for (size_t i = 0; i < n && st == OFW_OK; i++)
    st = take_cell(m, r, &cell[i]);
  results_cells_free(cell, n);
  return st;
}

/* ---- the databases ---- */

static int same_text(const char *a, const char *b)
{
  return a && b ? strcmp(a, b) == 0 : a == b;
}

/* A learner of a plugin that is not here has constants whose names the plan does not know. */
static int is_arm(const results_arm *a, const lab_arm *b)
{
  return same_text(a->stream, b->source->label) && same_text(a->stream_spec, b->source->spec) &&
         same_text(a->domain, b->source->domain) && same_text(a->label, b->player->label) &&
         same_text(a->learner, b->player->learner) && same_text(a->options, b->options) && a->tuned == (b->tune > 0) &&
         (!b->player->constant[0] || same_text(a->constant[0], b->player->constant[0])) &&
         (!b->player->constant[1] || same_text(a->constant[1], b->player->constant[1]));
}

static ofw_status check_arms(merge *m, results *r)
{
  results_arm *arm;
  size_t n;
  OFW_TRY(results_arms(r, &arm, &n, m->err));
  int same = n == m->plan.arms;
  for (size_t i = 0; i < n && same; i++)
    same = arm[i].arm == (int64_t)i + 1 && is_arm(&arm[i], &m->plan.arm[i]);
  if (same && !m->arm) {
    m->arm = arm;
    m->arms = n;
  } else
    results_arms_free(arm, n);
  return same ? OFW_OK
              : ofw_fail(m->err, OFW_BAD_DATA, "%.300s is damaged: its arms are not those of its experiment",
                         results_path(r));
}

static ofw_status make_plan(merge *m, const char *path)
{
  OFW_TRY(lab_plan_played(path, m->text, &m->x, &m->plan, m->err));
  m->cell = calloc(m->plan.cells + 1, sizeof *m->cell);
  m->in = calloc(m->plan.cells + 1, sizeof *m->in);
  m->front = calloc(m->plan.arms + 1, sizeof *m->front);
  m->contents = lab_contents_make(&m->plan);
  return m->cell && m->in && m->front && m->contents ? OFW_OK
                                                     : ofw_fail_memory(m->err, m->plan.cells * sizeof *m->cell);
}

static ofw_status open_one(merge *m, size_t i)
{
  OFW_TRY(results_open(m->ask->from[i], &m->from[i], m->err));
  results *r = m->from[i], *first = m->from[0];
  if (i == 0) {
    OFW_TRY(results_meta(r, "title", &m->title, m->err));
    OFW_TRY(results_meta(r, "experiment", &m->text, m->err));
    OFW_TRY(results_meta(r, "kernel", &m->kernel, m->err));
  }
  const lab_origin wanted = {results_path(first), m->text, results_path(first), m->kernel};
  OFW_TRY(lab_origin_check(r, &wanted, m->err));
  if (i == 0)
    OFW_TRY(make_plan(m, results_path(r)));
  OFW_TRY(check_arms(m, r));
  OFW_TRY(take_cells(m, r));
  return sql_do(r, "PRAGMA cache_size = -256", m->err); /* KiB: there may be a thousand of them */
}

/* That no database is merged into itself: it cannot be read and written at once. */
static ofw_status check_folder(const merge *m)
{
  struct stat to, from;
  char *path = ofw_format("%s/results.db", m->ask->folder);
  int there = path && stat(path, &to) == 0;
  free(path);
  for (size_t i = 0; i < m->ask->n && there; i++)
    if (stat(results_path(m->from[i]), &from) == 0 && from.st_dev == to.st_dev && from.st_ino == to.st_ino)
      return ofw_fail(m->err, OFW_USAGE, "%.300s is among the folders to merge; choose another folder for --output",
                      m->ask->folder);
  return OFW_OK;
}

static results_head head_of(const merge *m)
{
  return (results_head){m->title, m->text, ofw_version(), m->kernel, m->arm, m->arms};
}

static ofw_status grow_store(merge *m)
{
  const results_head head = head_of(m);
  return lab_grow(m->store, &m->plan, &head, m->ask->drop, m->err);
}

static ofw_status compare_store(void *ctx)
{
  merge *m = ctx;
  OFW_TRY(grow_store(m));
  return take_cells(m, m->store);
}

/* What is there already is one more database, and becomes that of this text if its plays are the same. */
static ofw_status open_store(merge *m)
{
  const results_head head = head_of(m);
  OFW_TRY(lab_folder_make(m->ask->folder, m->err));
  OFW_TRY(results_create(m->ask->folder, &head, &m->store, m->err));
  OFW_TRY(results_try(m->store, compare_store, m, m->err));
  return grow_store(m);
}

/* ---- what is there, and what is not ---- */

static int is_asked(const merge *m, int tune)
{
  return tune || m->out->plays_asked;
}

static void find_out_stage(merge *m)
{
  size_t plays = 0;
  for (size_t i = 0; i < m->plan.cells; i++)
    plays += m->in[i] && !m->cell[i].tune;
  m->out->plays_asked = m->ask->stage == LAB_PLAY || (m->ask->stage == LAB_WHOLE && plays > 0);
}

/* Leads an arm through its cells. While its tuning is whole it says which constants the next ones have. */
static ofw_status walk_arm(merge *m, lab_front *f, lab_gap *gap)
{
  for (size_t k = 0; k < f->arm->tune + f->arm->play; k++) {
    size_t at = f->arm->first + k;
    int settled = 0, tune = k < f->arm->tune, follows = k < f->ready;
    results_cell c = {0};
    if (follows)
      c = lab_front_cell(f, k);
    if (follows && m->in[at] && !lab_same_factors(&c, &m->cell[at]))
      m->in[at] = NULL;
    if (is_asked(m, tune))
      m->out->tally.cells++;
    if (!m->in[at] && is_asked(m, tune))
      lab_gap_add(gap, &m->plan, f->arm, k);
    if (!m->in[at])
      continue;
    m->out->tally.known++;
    *(tune ? &m->out->tunings : &m->out->plays) += 1;
    lab_tally_done(&m->out->tally, f->arm, &m->cell[at]);
    if (follows)
      OFW_TRY(lab_front_note(f, &m->cell[at], &settled, m->err));
    if (settled)
      lab_tally_settled(&m->out->tally, f);
  }
  return OFW_OK;
}

static ofw_status walk(merge *m)
{
  ofw_text lines = {0};
  ofw_status st = OFW_OK;
  find_out_stage(m);
  for (size_t i = 0; i < m->plan.arms && st == OFW_OK; i++) {
    lab_gap gap = {0};
    st = lab_front_open(&m->front[i], &m->plan, &m->plan.arm[i], m->err);
    if (st == OFW_OK)
      st = walk_arm(m, &m->front[i], &gap);
    m->out->missing += gap.tune + gap.play;
    m->out->missing_tunings += gap.tune;
    lab_gap_tell(&gap, &m->plan.arm[i], &lines);
  }
  m->out->gaps = lines.chars;
  if (st == OFW_OK && lines.failed)
    st = ofw_fail_memory(m->err, lines.room);
  return st == OFW_OK ? lab_tally_refusals(&m->out->tally, m->front, m->plan.arms, m->err) : st;
}

/* ---- all of it ---- */

static ofw_status copy_cells(merge *m)
{
  for (size_t i = 0; i < m->plan.cells; i++)
    if (m->in[i] && m->in[i] != m->store) {
      if (m->out->copied++ == 0)
        OFW_TRY(results_begin(m->store, m->err));
      OFW_TRY(results_copy(m->store, m->in[i], (int64_t)i + 1, m->err));
    }
  return results_finish(m->store, m->err);
}

static ofw_status merge_all(merge *m)
{
  m->from = calloc(m->ask->n, sizeof *m->from);
  if (!m->from)
    return ofw_fail_memory(m->err, m->ask->n * sizeof *m->from);
  for (size_t i = 0; i < m->ask->n; i++)
    OFW_TRY(open_one(m, i));
  OFW_TRY(check_folder(m));
  OFW_TRY(open_store(m));
  OFW_TRY(walk(m));
  return copy_cells(m);
}

static void close_merge(merge *m)
{
  for (size_t i = 0; m->front && i < m->plan.arms; i++)
    lab_front_close(&m->front[i]);
  for (size_t i = 0; m->from && i < m->ask->n; i++)
    results_close(m->from[i]);
  results_close(m->store);
  results_cells_free(m->cell, m->cell ? m->plan.cells : 0);
  results_arms_free(m->arm, m->arms);
  lab_contents_free(m->contents);
  free(m->front);
  free(m->from);
  free(m->in);
  free(m->title);
  free(m->text);
  free(m->kernel);
  lab_plan_free(&m->plan);
  lab_experiment_free(&m->x);
}

ofw_status lab_merge_into(const lab_merge *ask, lab_merged *out, ofw_error *err)
{
  merge m = {.ask = ask, .out = out, .err = err};
  *out = (lab_merged){0};
  ofw_status st = merge_all(&m);
  close_merge(&m);
  return st;
}
