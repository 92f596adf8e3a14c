/* tally.c — counts failures, and says of the first one what it is */
#include "lab/tally.h"

#include "base/basics.h"
#include "lab/known.h"

#include <stdio.h>

static void tell_failure(lab_tally *t, const lab_arm *arm, const results_cell *c)
{
  t->failed++;
  if (t->failed > 1 && (size_t)c->cell > t->first_failed)
    return;
  t->first_failed = (size_t)c->cell;
  snprintf(t->failure, sizeof t->failure, "%.60s on %.60s, seed %llu: %.240s", arm->player->label, arm->source->label,
           (unsigned long long)c->seed, c->error);
}

void lab_tally_done(lab_tally *t, const lab_arm *arm, const results_cell *c)
{
  t->ended += !lab_is_final(c);
  if (c->exit_code && !lab_is_refused(c))
    tell_failure(t, arm, c);
}

void lab_tally_settled(lab_tally *t, const lab_front *f)
{
  if (lab_tuning_refused(&f->tuning) == f->tuning.runs)
    for (size_t k = 0; k < f->arm->tune; k++)
      tell_failure(t, f->arm, &f->tuned[k]);
}

/* "SCBFW-TVC on uniform: 8 of 26 grid points refused: c=.. probes .. away\n", if not all were. */
ofw_status lab_tally_refusals(lab_tally *t, const lab_front *front, size_t n, ofw_error *err)
{
  ofw_text lines = {0};
  for (const lab_front *f = front; f < front + n; f++) {
    const lab_run *first = f->tuning.run;
    size_t refused = lab_tuning_refused(&f->tuning);
    while (refused > 0 && !first->refused)
      first++;
    if (refused > 0 && refused < f->tuning.runs)
      ofw_text_add(&lines, "%.60s on %.60s: %zu of %zu grid points refused: %.240s\n", f->arm->player->label,
                   f->arm->source->label, refused, f->tuning.runs, first->error);
  }
  t->refused = lines.chars;
  return lines.failed ? ofw_fail_memory(err, lines.room) : OFW_OK;
}
