/* report_tuning.c — the tuning runs of an arm */
#include "report.h"

#include "base/base.h"

#include "lab/tuned.h"

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

/* Null where nothing was tuned; without runs where the tuning is not done. */
ofw_status report_tuning(json *j, const results_cell *cell, size_t n, ofw_error *err)
{
  lab_tuned t;
  OFW_TRY(lab_tuned_read(cell, n, &t, err));
  if (t.seeds == 0) {
    json_null(j, "tuning");
    return OFW_OK;
  }
  json_open(j, "tuning");
  json_count(j, "seeds", t.seeds);
  if (t.runs > 0) {
    json_open_list(j, "runs");
    for (size_t i = 0; i < t.runs; i++)
      write_run(j, &t.run[i]);
    json_close_list(j);
  }
  json_close(j);
  return OFW_OK;
}
