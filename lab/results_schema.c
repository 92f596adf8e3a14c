/* results_schema.c — the tables of a results database; docs/experiments.md says what is in them */
#include "lab/sql.h"

#include "base/limits.h"

#include <stddef.h>
#include <string.h>

/* ---- what the values of a column may be ---- */

const results_kind results_kinds[] = {
    [KIND_CELL] = {.type = RESULTS_COUNT, .least = 1, .most = OFW_MOST_CELLS},
    [KIND_ROUND] = {.type = RESULTS_COUNT, .least = 1, .most = OFW_MOST_ROUNDS},
    [KIND_FLAG] = {.type = RESULTS_COUNT, .most = 1},
    [KIND_EXIT_CODE] = {.type = RESULTS_COUNT, .most = 255},
    [KIND_COUNT] = {.type = RESULTS_COUNT, .most = INT64_MAX},
    [KIND_REAL] = {.type = RESULTS_REAL},
    [KIND_NAME] = {.type = RESULTS_TEXT, .most = OFW_MOST_EXPERIMENT, .but = "\t"},
    [KIND_LINES] = {.type = RESULTS_TEXT, .most = OFW_LONGEST_RESULT, .but = "\t\n"},
    [KIND_ROLE] = {.type = RESULTS_TEXT, .most = OFW_MOST_EXPERIMENT, .but = "\t", .word = {"play", "tune"}},
    [KIND_STATUS] = {.type = RESULTS_TEXT, .most = OFW_MOST_EXPERIMENT, .but = "\t", .word = {"ok", "failed"}},
    [KIND_FILE] = {.type = RESULTS_TEXT, .most = OFW_MOST_EXPERIMENT, .but = "\t\n\r"},
};

enum {
  REAL_OR_NULL = KIND_REAL | KIND_OR_NULL,
  COUNT_OR_NULL = KIND_COUNT | KIND_OR_NULL,
  NAME_OR_NULL = KIND_NAME | KIND_OR_NULL
};

#define ARM(member)   offsetof(results_arm, member)
#define CELL(member)  offsetof(results_cell, member)
#define POINT(member) offsetof(ofw_trace_row, member)

static const results_column meta_columns[] = {{KIND_NAME, NO_MEMBER}, {KIND_FILE, NO_MEMBER}};
static const results_column arm_columns[] = {
    {KIND_CELL, ARM(arm)},           {KIND_NAME, ARM(stream)}, {KIND_NAME, ARM(stream_spec)},
    {NAME_OR_NULL, ARM(domain)},     {KIND_NAME, ARM(label)},  {KIND_NAME, ARM(learner)},
    {KIND_NAME, ARM(options)},       {KIND_FLAG, ARM(tuned)},  {NAME_OR_NULL, ARM(constant[0])},
    {NAME_OR_NULL, ARM(constant[1])}};
static const results_column cell_columns[] = {
    {KIND_CELL, CELL(cell)},
    {KIND_CELL, CELL(arm)},
    {KIND_ROLE, CELL(tune)},
    {KIND_REAL, CELL(factor[0])},
    {KIND_REAL, CELL(factor[1])},
    {KIND_ROUND, CELL(rounds)},
    {KIND_COUNT, CELL(seed)},
    {KIND_LINES | KIND_OR_NULL, CELL(config)},
    {KIND_NAME, NO_MEMBER}, /* version, kernel, threads */
    {KIND_NAME, NO_MEMBER},
    {KIND_COUNT, NO_MEMBER},
    {KIND_STATUS, CELL(exit_code)}, /* whether it is 0; what it is comes behind */
    {NAME_OR_NULL, CELL(error)},
    {KIND_EXIT_CODE, CELL(exit_code)},
    {REAL_OR_NULL, CELL(loss)},
    {REAL_OR_NULL, CELL(regret)},
    {REAL_OR_NULL, CELL(ccv)},
    {REAL_OR_NULL, CELL(soft_violation)},
    {REAL_OR_NULL, CELL(held_out_rmse)},
    {REAL_OR_NULL, CELL(G)},
    {REAL_OR_NULL, CELL(D)},
    {COUNT_OR_NULL, CELL(oracle_calls)},
    {COUNT_OR_NULL, CELL(passes)},
    {COUNT_OR_NULL, CELL(projections)},
    {REAL_OR_NULL, CELL(interval_regret)},
    {REAL_OR_NULL, CELL(dynamic_regret)},
    {COUNT_OR_NULL, CELL(interval_first)},
    {COUNT_OR_NULL, CELL(interval_last)}};
static const results_column series_columns[] = {{KIND_CELL, NO_MEMBER},
                                                {KIND_ROUND, POINT(round)},
                                                {REAL_OR_NULL, POINT(loss_sum)},
                                                {REAL_OR_NULL, POINT(ccv)},
                                                {REAL_OR_NULL, POINT(comparator_loss_sum)},
                                                {COUNT_OR_NULL, POINT(oracle_calls)},
                                                {COUNT_OR_NULL, POINT(passes)}};
static const results_column timing_columns[] = {
    {KIND_CELL, CELL(cell)}, {KIND_NAME, NO_MEMBER}, {KIND_NAME, NO_MEMBER}, {REAL_OR_NULL, CELL(seconds)}};
static const results_column timing_series_columns[] = {
    {KIND_CELL, NO_MEMBER}, {KIND_ROUND, POINT(round)}, {REAL_OR_NULL, POINT(seconds)}};

/* ---- the tables ---- */

#define COLUMNS(of) of, sizeof of / sizeof *of
#define PLAYS                                                                                    \
  "SELECT cell, stream, label, learner, options, tuned, factor1, factor2, rounds, seed, status," \
  " error, loss, regret, ccv, soft_violation, held_out_rmse, oracle_calls, passes, projections"  \
  " FROM cell JOIN arm USING (arm) WHERE role = 'play' ORDER BY cell"

#define CELL_1                                                                                          \
  "CREATE TABLE cell ("                                                                                 \
  " cell INTEGER PRIMARY KEY, arm INTEGER NOT NULL REFERENCES arm,"                                     \
  " role TEXT NOT NULL CHECK (role IN ('tune', 'play')), factor1 REAL NOT NULL, factor2 REAL NOT NULL," \
  " rounds INTEGER NOT NULL, seed INTEGER NOT NULL, config TEXT,"                                       \
  " version TEXT NOT NULL, kernel TEXT NOT NULL, threads INTEGER NOT NULL,"                             \
  " status TEXT NOT NULL CHECK (status IN ('ok', 'failed')), error TEXT, exit_code INTEGER NOT NULL,"   \
  " loss REAL, regret REAL, ccv REAL, soft_violation REAL, held_out_rmse REAL, G REAL, D REAL,"         \
  " oracle_calls INTEGER, passes INTEGER, projections INTEGER"

const char results_cell_made_1[] = CELL_1 ") STRICT";
const char results_cell_from_1[] = "CREATE TEMP VIEW cell AS SELECT *, NULL AS interval_regret, NULL AS dynamic_regret,"
                                   " NULL AS interval_first, NULL AS interval_last FROM main.cell";

/* SQLite keeps these texts in the file, and a file whose texts are others is refused: a change here is a new format. The last
 * two tables are what depends on the machine and the moment. The view is for users of SQL: ofw runs its own query. */
const results_table_kind results_tables[] = {
    {"meta", "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
     "SELECT * FROM meta", COLUMNS(meta_columns)},

    {"arm",
     "CREATE TABLE arm ("
     " arm INTEGER PRIMARY KEY, stream TEXT NOT NULL, stream_spec TEXT NOT NULL, domain TEXT, label TEXT NOT NULL,"
     " learner TEXT NOT NULL, options TEXT NOT NULL, tuned INTEGER NOT NULL, constant1 TEXT, constant2 TEXT) STRICT",
     "SELECT * FROM arm", COLUMNS(arm_columns)},

    {"cell",
     CELL_1 ", interval_regret REAL, dynamic_regret REAL, interval_first INTEGER, interval_last INTEGER) STRICT",
     "SELECT * FROM cell", COLUMNS(cell_columns)},

    {"series",
     "CREATE TABLE series ("
     " cell INTEGER NOT NULL REFERENCES cell, round INTEGER NOT NULL, loss_sum REAL, ccv REAL,"
     " comparator_loss_sum REAL, oracle_calls INTEGER, passes INTEGER, PRIMARY KEY (cell, round)) STRICT, WITHOUT "
     "ROWID",
     "SELECT * FROM series", COLUMNS(series_columns)},

    {"timing",
     "CREATE TABLE timing ("
     " cell INTEGER PRIMARY KEY REFERENCES cell, machine TEXT NOT NULL, started TEXT NOT NULL, seconds REAL) STRICT",
     "SELECT * FROM timing", COLUMNS(timing_columns)},

    {"timing_series",
     "CREATE TABLE timing_series ("
     " cell INTEGER NOT NULL REFERENCES cell, round INTEGER NOT NULL, seconds REAL, PRIMARY KEY (cell, round))"
     " STRICT, WITHOUT ROWID",
     "SELECT * FROM timing_series", COLUMNS(timing_series_columns)},

    {"play", "CREATE VIEW play AS " PLAYS, PLAYS, NULL, 0},
};

const results_table_kind *results_table_find(const char *name)
{
  for (size_t i = 0; i < RESULTS_TABLES; i++)
    if (strcmp(results_tables[i].name, name) == 0)
      return &results_tables[i];
  return NULL;
}

/* ---- metrics ---- */

const results_metric results_metrics[] = {
    {"loss", OFW_REAL, offsetof(results_cell, loss)},
    {"regret", OFW_REAL, offsetof(results_cell, regret)},
    {"ccv", OFW_REAL, offsetof(results_cell, ccv)},
    {"soft_violation", OFW_REAL, offsetof(results_cell, soft_violation)},
    {"held_out_rmse", OFW_REAL, offsetof(results_cell, held_out_rmse)},
    {"oracle_calls", OFW_COUNT, offsetof(results_cell, oracle_calls)},
    {"passes", OFW_COUNT, offsetof(results_cell, passes)},
    {"projections", OFW_COUNT, offsetof(results_cell, projections)},
    {0},
};

const results_metric *results_metric_find(const char *name)
{
  for (const results_metric *m = results_metrics; m->name; m++)
    if (strcmp(m->name, name) == 0)
      return m;
  return NULL;
}

double results_metric_of(const results_cell *cell, const results_metric *metric)
{
  const void *at = (const char *)cell + metric->offset;
  return metric->kind == OFW_COUNT ? (double)*(const uint64_t *)at : *(const double *)at;
}
