/* compare_plan.h — the experiment of ofw compare */
#ifndef OFW_COMPARE_PLAN_H
#define OFW_COMPARE_PLAN_H

#include "cli.h"

#include "base/basics.h"

/* What is asked for, as the text of an experiment: learners, tuned alike where they can be, and a claim per learner that it is
 * better than its rivals. 0, or an exit code after a complaint. */
int compare_plan(const command *self, const arguments *args, ofw_text *out);

#endif
