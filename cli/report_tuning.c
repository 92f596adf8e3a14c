/* report_tuning.c — the tuning runs of an arm */
#include "analysis.h"
#include "report.h"

/* Null where nothing was tuned; without runs where the tuning is not done. */
ofw_status report_tuning(json *j, const results_cell *cell, size_t n, ofw_error *err)
{
  lab_tuning t;
  OFW_TRY(lab_tuning_read(cell, n, &t, err));
  if (t.seeds == 0) {
    json_null(j, "tuning");
    return OFW_OK;
  }
  json_open(j, "tuning");
  json_count(j, "seeds", t.seeds);
  if (t.runs > 0) {
    json_open_list(j, "runs");
    for (size_t i = 0; i < t.runs; i++)
      print_run_json(j, &t.run[i]);
    json_close_list(j);
  }
  json_close(j);
  return OFW_OK;
}
