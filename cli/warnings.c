/* warnings.c — warnings that a user gets once while a learner plays */
#include "cli.h"

#include <stdio.h>

void end_line(warnings *w)
{
  if (w->line_open)
    fputc('\n', stderr);
  w->line_open = 0;
}

/* 1: there is something to say that was not said before. */
static int is_news(warnings *w, int now, int *said)
{
  if (!now || *said)
    return 0;
  end_line(w);
  return *said = 1;
}

void warn(const command *self, ofw_learner *l, uint64_t round, warnings *w)
{
  ofw_info info = {.size = sizeof info};
  ofw_learner_info(l, &info);
  unsigned long long played = info.round - 1;
  if (is_news(w, info.steep != 0, &w->steep_said))
    complain(self, 0, "warning: round %llu has a gradient longer than --lipschitz %g; the guarantees no longer hold",
             played, w->lipschitz);
  if (is_news(w, info.capped != 0, &w->capped_said))
    complain(
        self, 0,
        "warning: the inner loop after round %llu reached its limit on oracle calls before its gap was small enough",
        played);
  if (is_news(w, w->horizon != OFW_HORIZON_AUTO && round > w->horizon, &w->late_said))
    complain(self, 0, "warning: round %llu is after --horizon %llu; the guarantees no longer hold",
             (unsigned long long)round, (unsigned long long)w->horizon);
}
