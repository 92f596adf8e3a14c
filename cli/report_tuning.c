/* report_tuning.c — the tuning runs of an arm */
#include "analysis.h"
#include "report.h"

/* Null where nothing was tuned; without runs where the tuning is not done. */
void report_tuning(json *j, const lab_tuning *t)
{
  if (t->seeds == 0) {
    json_null(j, "tuning");
    return;
  }
  json_open(j, "tuning");
  json_count(j, "seeds", t->seeds);
  if (t->runs > 0) {
    json_open_list(j, "runs");
    for (size_t i = 0; i < t->runs; i++)
      print_run_json(j, &t->run[i]);
    json_close_list(j);
  }
  json_close(j);
}
