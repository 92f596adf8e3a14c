/* report_tuning.c — the tuning runs of an arm, with the scores and the front that src/lab/tune.h defines */
#include "report.h"

#include "base/base.h"
#include "lab/tune.h"

#include <stdlib.h>

static lab_result result_of(const results_cell *c)
{
  return (lab_result){
      .status = c->error ? OFW_FAILED : OFW_OK,
      .error = c->error,
      .G = c->G,
      .D = c->D,
      .metrics = {.rounds = c->rounds, .loss = c->loss, .regret = c->regret, .ccv = c->ccv},
  };
}

static void write_run(json *j, const lab_run *run)
{
  json_open(j, NULL);
  json_open_list(j, "factors");
  json_real(j, NULL, run->factor[0]);
  json_real(j, NULL, run->factor[1]);
  json_close_list(j);
  json_real(j, "loss", run->loss);
  json_real(j, "regret", run->regret);
  json_real(j, "ccv", run->ccv);
  json_real(j, "score", run->score);
  json_flag(j, "front", run->front);
  report_text(j, "error", run->error);
  json_close(j);
}

/* LAB_TUNE_RUNS runs of `seeds` cells each, the seeds of a run next to each other. */
static ofw_status write_runs(json *j, const results_cell *cell, size_t seeds, ofw_error *err)
{
  size_t n = LAB_TUNE_RUNS * seeds;
  lab_tuning t;
  OFW_TRY(lab_tuning_open(&t, NULL, cell[0].rounds, cell[0].seed, seeds, err));
  lab_result *result = calloc(n, sizeof *result);
  ofw_status st = result ? OFW_OK : ofw_fail_memory(err, n * sizeof *result);
  for (size_t i = 0; i < n && st == OFW_OK; i++) {
    result[i] = result_of(&cell[i]);
    t.cell[i].result = &result[i];
    t.run[i / seeds].factor[0] = cell[i].factor[0];
    t.run[i / seeds].factor[1] = cell[i].factor[1];
  }
  if (st == OFW_OK)
    st = lab_tuning_settle(&t, err);
  json_open_list(j, "runs");
  for (size_t i = 0; i < LAB_TUNE_RUNS && st == OFW_OK; i++)
    write_run(j, &t.run[i]);
  json_close_list(j);
  free(result);
  lab_tuning_free(&t);
  return st;
}

/* Null where nothing was tuned; without runs where the tuning is not done. */
ofw_status report_tuning(json *j, const results_cell *cell, size_t n, ofw_error *err)
{
  size_t cells = 0, seeds = 0;
  while (cells < n && cell[cells].tune)
    cells++;
  while (seeds < cells && cell[seeds].factor[0] == cell[0].factor[0] && cell[seeds].factor[1] == cell[0].factor[1])
    seeds++;
  if (cells == 0) {
    json_null(j, "tuning");
    return OFW_OK;
  }
  json_open(j, "tuning");
  json_count(j, "seeds", seeds);
  ofw_status st = cells == LAB_TUNE_RUNS * seeds ? write_runs(j, cell, seeds, err) : OFW_OK;
  json_close(j);
  return st;
}
