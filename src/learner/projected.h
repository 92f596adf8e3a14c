/* projected.h — learners that project onto K instead of calling its oracle, as baselines */
#pragma once

#include "learner/method.h"

/* Says that the method projects, and settles what its losses are: strongly convex if alpha is given, unless the option
 * says otherwise. */
enum { OFW_LOSSES_CONVEX, OFW_LOSSES_STRONGLY_CONVEX };
ofw_status ofw_projected_start(ofw_learner *l, int *losses);
/* Room for projections on l->K; refused if it has none, if a vertex is to be kept and if x is
 * kept as floats. */
ofw_status ofw_projected_open(ofw_learner *l);
/* x = the point of K nearest to d */
ofw_status ofw_project(ofw_learner *l);

#define OFW_LOSSES_ROW(at)                                                                                  \
  OFW_CHOICE_ROW(at, "losses", NULL, "strongly-convex if alpha > 0, else convex", "convex|strongly-convex", \
                 "which of the method's two forms to play")
