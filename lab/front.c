/* front.c — which cells of an arm may be played: a tuning's come in stages, each laid out by what came of those before */
#include "lab/front.h"

#include "base/basics.h"

#include <stdlib.h>
#include <string.h>

ofw_status lab_front_open(lab_front *f, const lab_plan *plan, const lab_arm *arm, ofw_error *err)
{
  *f = (lab_front){.plan = plan, .arm = arm, .ready = arm->play, .factor = {1.0, 1.0}};
  if (!arm->tune)
    return OFW_OK;
  lab_tuning_begin(&f->tuning, (size_t)plan->of->tune_seeds);
  f->ready = f->tuning.laid * f->tuning.seeds;
  f->tuned = calloc(arm->tune, sizeof *f->tuned);
  return f->tuned ? OFW_OK : ofw_fail_memory(err, arm->tune * sizeof *f->tuned);
}

void lab_front_close(lab_front *f)
{
  results_cells_free(f->tuned, f->tuned ? f->arm->tune : 0);
  *f = (lab_front){0};
}

results_cell lab_front_cell(const lab_front *f, size_t k)
{
  const lab_place at = lab_plan_place(f->plan, f->arm, k);
  const double *factor = at.tune ? f->tuning.run[at.run].factor : f->factor;
  return (results_cell){.cell = (int64_t)(f->arm->first + k + 1),
                        .arm = (int64_t)(f->arm - f->plan->arm + 1),
                        .tune = at.tune,
                        .factor = {factor[0], factor[1]},
                        .rounds = at.rounds,
                        .seed = at.seed};
}

/* A cell's result for its tuning. */
static ofw_status keep(lab_front *f, const results_cell *c, ofw_error *err)
{
  results_cell *kept = &f->tuned[(size_t)c->cell - 1 - f->arm->first];
  *kept = *c;
  kept->config = NULL;
  if (!c->error)
    return OFW_OK;
  kept->error = ofw_copy_text(c->error);
  return kept->error ? OFW_OK : ofw_fail_memory(err, strlen(c->error));
}

ofw_status lab_front_note(lab_front *f, const results_cell *c, int *settled, ofw_error *err)
{
  lab_tuning *t = &f->tuning;
  *settled = 0;
  f->done++;
  if (!c->tune)
    return OFW_OK;
  OFW_TRY(keep(f, c, err));
  if (f->done < f->ready)
    return OFW_OK;
  if (f->ready < f->arm->tune) {
    lab_tuning_go_on(t, f->tuned);
    f->ready = t->laid * t->seeds;
    return OFW_OK;
  }
  OFW_TRY(lab_tuning_settle(t, f->tuned, err));
  memcpy(f->factor, t->run[t->best].factor, sizeof f->factor);
  f->ready = f->arm->tune + f->arm->play;
  *settled = 1;
  return OFW_OK;
}
