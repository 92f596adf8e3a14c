/* warnings.c — what a user should hear once while a learner plays */
#include "cli.h"

int warn(const command *self, const ofw_learner *l, uint64_t round, warnings *w)
{
  ofw_info info = {.size = sizeof info};
  int said = 0;
  ofw_learner_info(l, &info);
  if (info.steep && !w->steep_said) {
    complain(self, 0, "warning: round %llu has a gradient longer than --lipschitz %g; the guarantees do not cover it",
             (unsigned long long)info.round - 1, w->lipschitz);
    said = w->steep_said = 1;
  }
  if (info.capped && !w->capped_said) {
    complain(self, 0, "warning: the inner loop at the end of round %llu's block was ended by inner-cap, not by its gap",
             (unsigned long long)info.round - 1);
    said = w->capped_said = 1;
  }
  if (w->horizon != OFW_HORIZON_AUTO && round == w->horizon + 1) {
    complain(self, 0, "warning: round %llu is beyond --horizon %llu; play goes on without the guarantees",
             (unsigned long long)round, (unsigned long long)w->horizon);
    said = 1;
  }
  return said;
}
