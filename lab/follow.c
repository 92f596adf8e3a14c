/* follow.c — tunings that others have played: the choice is computed again from their cells, never taken from them */
#include "lab/follow.h"

#include "base/basics.h"
#include "lab/grow.h"
#include "lab/known.h"
#include "lab/origin.h"
#include "lab/share.h"
#include "linalg/kernels.h"

static ofw_status follow_arm(lab_front *f, const lab_known *known, const char *path, ofw_error *err)
{
  int settled;
  while (f->next < f->arm->tune) {
    const results_cell c = lab_front_cell(f, f->next), *k = lab_known_find(known, &c);
    if (!k)
      return ofw_fail(err, OFW_USAGE,
                      "%.200s lacks tuning run %zu of %zu of %.60s on %.60s; merge all shards of --stage tune", path,
                      f->next + 1, f->arm->tune, f->arm->player->label, f->arm->source->label);
    OFW_TRY(lab_front_note(f, k, &settled, err));
    f->next++;
  }
  return OFW_OK;
}

static ofw_status follow_all(const lab_plan *plan, lab_front *front, results *from, ofw_error *err)
{
  const lab_origin here = {plan->of->name, plan->of->text, "this machine plays", ofw_kernels_chosen()->name};
  lab_known known = {0};
  OFW_TRY(lab_origin_check(from, &here, err));
  OFW_TRY(results_cells(from, 0, &known.cell, &known.n, err));
  ofw_status st = lab_check_cells(plan, results_path(from), known.cell, known.n, err);
  for (size_t i = 0; i < plan->arms && st == OFW_OK; i++)
    st = follow_arm(&front[i], &known, results_path(from), err);
  results_cells_free(known.cell, known.n);
  return st;
}

ofw_status lab_follow(const lab_plan *plan, lab_front *front, const char *tuned, ofw_error *err)
{
  results *from;
  if (lab_shards_used(plan, LAB_TUNE, 1) == 0)
    return OFW_OK;
  if (!tuned)
    return ofw_fail(err, OFW_USAGE,
                    "%.200s tunes learners: --stage play needs --tuned DIR, the merged shards of --stage tune",
                    plan->of->name);
  OFW_TRY(results_open(tuned, &from, err));
  ofw_status st = follow_all(plan, front, from, err);
  results_close(from);
  return st;
}
