/* round_plan.h — what a line is to a session, once the lines before it have been played
 *
 * The lines of a request are sorted before any of them is on the disk. So each is compared with the rounds that the session
 * will have decided and answered by then. Without new lines before it, a plan says what a line is to the session as it is.
 */
#pragma once

#include "server/session.h"

typedef enum round_fit {
  ROUND_IS_NEXT,   /* it can be played */
  ROUND_IS_REPEAT, /* it was played before, with the same bytes */
  ROUND_IS_TAKEN,  /* the round has other feedback, or such that nobody knows any more */
  ROUND_IS_LATER,  /* other lines come first */
  ROUND_IS_BEYOND  /* it asks for a decision while as many are open as may be */
} round_fit;

typedef struct round_plan {
  const session *s;
  size_t lines;                 /* new ones so far */
  size_t answered;              /* those of them that are feedback, */
  uint64_t round[REPEATS_MOST]; /* and with a delay, for which rounds */
  size_t constraints;           /* of those that have any; 0: none has */
} round_plan;

void round_plan_open(round_plan *p, const session *s);
/* One that is next becomes part of the plan. Behind new lines nothing counts as a repeat. */
round_fit round_plan_sort(round_plan *p, const session_line *line);
/* Whether the learner will accept a line that is next, as far as the new lines before it decide that: a line that is on the disk
 * must not be refused when it is played. session_admit says the rest. */
ofw_status round_plan_admit(round_plan *p, const session_line *line, ofw_error *err);
/* Why a line is refused that is neither next nor a repeat. */
void round_plan_explain(const round_plan *p, const session_line *line, round_fit fit, ofw_error *err);
