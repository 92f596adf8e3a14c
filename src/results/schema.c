/* schema.c — the tables of a results database; docs/experiments.md says what is in them */
#include "results/sql.h"

#include <stddef.h>
#include <string.h>

const char results_schema[] =
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;"

    "CREATE TABLE arm ("
    " arm INTEGER PRIMARY KEY, stream TEXT NOT NULL, stream_spec TEXT NOT NULL, domain TEXT, label TEXT NOT NULL,"
    " learner TEXT NOT NULL, options TEXT NOT NULL, tuned INTEGER NOT NULL, constant1 TEXT, constant2 TEXT) STRICT;"

    "CREATE TABLE cell ("
    " cell INTEGER PRIMARY KEY, arm INTEGER NOT NULL REFERENCES arm,"
    " role TEXT NOT NULL CHECK (role IN ('tune', 'play')), factor1 REAL NOT NULL, factor2 REAL NOT NULL,"
    " rounds INTEGER NOT NULL, seed INTEGER NOT NULL, config TEXT,"
    " version TEXT NOT NULL, kernel TEXT NOT NULL, threads INTEGER NOT NULL,"
    " status TEXT NOT NULL CHECK (status IN ('ok', 'failed')), error TEXT, exit_code INTEGER NOT NULL,"
    " loss REAL, regret REAL, ccv REAL, soft_violation REAL, held_out_rmse REAL, G REAL, D REAL,"
    " oracle_calls INTEGER, passes INTEGER, projections INTEGER) STRICT;"

    "CREATE TABLE series ("
    " cell INTEGER NOT NULL REFERENCES cell, round INTEGER NOT NULL, loss_sum REAL, ccv REAL, comparator_loss_sum REAL,"
    " oracle_calls INTEGER, passes INTEGER, PRIMARY KEY (cell, round)) STRICT, WITHOUT ROWID;"

    /* what depends on the machine and the moment */
    "CREATE TABLE timing ("
    " cell INTEGER PRIMARY KEY REFERENCES cell, machine TEXT NOT NULL, started TEXT NOT NULL, seconds REAL) STRICT;"

    "CREATE TABLE timing_series ("
    " cell INTEGER NOT NULL REFERENCES cell, round INTEGER NOT NULL, seconds REAL, PRIMARY KEY (cell, round))"
    " STRICT, WITHOUT ROWID;"

    "CREATE VIEW play AS SELECT cell, stream, label, learner, options, tuned, factor1, factor2, rounds, seed, status,"
    " error, loss, regret, ccv, soft_violation, held_out_rmse, oracle_calls, passes, projections"
    " FROM cell JOIN arm USING (arm) WHERE role = 'play' ORDER BY cell;";

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
