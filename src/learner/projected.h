/* projected.h — learners that project on K instead of asking its oracle, as yardsticks for those that do not */
#pragma once

#include "learner/method.h"

/* Says that the method projects, and settles what its losses are: strongly convex where alpha is given, unless the option
 * says otherwise. */
enum { OFW_LOSSES_CONVEX, OFW_LOSSES_STRONGLY_CONVEX };
ofw_status ofw_projected_start(ofw_learner *l, int *losses);
/* Room for projections on l->K; refused where it has none, where a vertex is to be kept and where x is
 * kept as floats. */
ofw_status ofw_projected_open(ofw_learner *l);
/* x = the point of K nearest to d */
ofw_status ofw_project(ofw_learner *l);

#define OFW_LOSSES_ROW(at)                                                                                     \
  OFW_CHOICE_ROW(at, "losses", NULL, "strongly-convex where alpha > 0, else convex", "convex|strongly-convex", \
                 "which of its two forms is played")
