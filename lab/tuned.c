#include "lab/tuned.h"

#include "base/basics.h"

#include <stdlib.h>
#include <string.h>

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

/* LAB_TUNE_RUNS runs of `seeds` cells each, the seeds of a run next to each other. */
static ofw_status settle(const results_cell *cell, lab_tuned *out, ofw_error *err)
{
  size_t n = LAB_TUNE_RUNS * out->seeds;
  lab_tuning t;
  OFW_TRY(lab_tuning_open(&t, NULL, cell[0].rounds, cell[0].seed, out->seeds, err));
  lab_result *result = calloc(n, sizeof *result);
  ofw_status st = result ? OFW_OK : ofw_fail_memory(err, n * sizeof *result);
  for (size_t i = 0; i < n && st == OFW_OK; i++) {
    result[i] = result_of(&cell[i]);
    t.cell[i].result = &result[i];
    memcpy(t.run[i / out->seeds].factor, cell[i].factor, sizeof cell[i].factor);
  }
  if (st == OFW_OK)
    st = lab_tuning_settle(&t, err);
  memcpy(out->run, t.run, sizeof out->run);
  out->runs = st == OFW_OK ? LAB_TUNE_RUNS : 0;
  free(result);
  lab_tuning_free(&t);
  return st;
}

ofw_status lab_tuned_read(const results_cell *cell, size_t n, lab_tuned *out, ofw_error *err)
{
  size_t cells = 0;
  *out = (lab_tuned){0};
  while (cells < n && cell[cells].tune)
    cells++;
  while (out->seeds < cells && memcmp(cell[out->seeds].factor, cell[0].factor, sizeof cell->factor) == 0)
    out->seeds++;
  return cells > 0 && cells == LAB_TUNE_RUNS * out->seeds ? settle(cell, out, err) : OFW_OK;
}
