/* warnings.c — what a user should hear once while a learner plays */
#include "cli.h"

#include <stdio.h>

void end_line(warnings *w)
{
  if (w->line_open)
    fputc('\n', stderr);
  w->line_open = 0;
}

void warn(const command *self, ofw_learner *l, uint64_t round, warnings *w)
{
  ofw_info info = {.size = sizeof info};
  ofw_learner_info(l, &info);
  unsigned long long played = info.round - 1;
  if (info.steep && !w->steep_said) {
    end_line(w);
    complain(self, 0, "warning: round %llu has a gradient longer than --lipschitz %g; the guarantees do not cover it",
             played, w->lipschitz);
    w->steep_said = 1;
  }
  if (info.capped && !w->capped_said) {
    end_line(w);
    complain(
        self, 0,
        "warning: the inner loop at the end of round %llu's block was ended by its limit on oracle calls, not by its "
        "gap",
        played);
    w->capped_said = 1;
  }
  if (w->horizon != OFW_HORIZON_AUTO && round > w->horizon && !w->late_said) {
    w->late_said = 1;
    end_line(w);
    complain(self, 0, "warning: round %llu is beyond --horizon %llu; play goes on without the guarantees",
             (unsigned long long)round, (unsigned long long)w->horizon);
  }
}
