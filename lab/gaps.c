/* gaps.c — a line per arm, short enough to read: the first plays by name, the rest by their number */
#include "lab/gaps.h"

#include <stdlib.h>

enum { NAMED = 8 };

void lab_gap_add(lab_gap *g, const lab_plan *plan, const lab_arm *arm, size_t k)
{
  const lab_place at = lab_plan_place(plan, arm, k);
  if (at.tune) {
    g->tune++;
    return;
  }
  if (g->play++ >= NAMED)
    return;
  ofw_text_add(&g->named, g->play > 1 ? ", " : ": ");
  if (plan->of->horizons > 1)
    ofw_text_add(&g->named, "%llu rounds with ", (unsigned long long)at.rounds);
  ofw_text_add(&g->named, "seed %llu", (unsigned long long)at.seed);
}

void lab_gap_tell(lab_gap *g, const lab_arm *arm, ofw_text *lines)
{
  if (g->tune + g->play > 0) {
    ofw_text_add(lines, "%.60s%s%.120s on %.60s: ", arm->player->label, *arm->options ? " " : "", arm->options,
                 arm->source->label);
    if (g->tune)
      ofw_text_add(lines, "%zu of %zu tuning runs", g->tune, arm->tune);
    if (g->play)
      ofw_text_add(lines, "%s%zu of %zu plays", g->tune ? " and " : "", g->play, arm->play);
    ofw_text_add(lines, " are missing%s%s\n", g->play ? g->named.chars : "", g->play > NAMED ? ", .." : "");
  }
  lines->failed |= g->named.failed;
  free(g->named.chars);
  *g = (lab_gap){0};
}
