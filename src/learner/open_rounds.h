/* open_rounds.h — decisions whose feedback has not come, for a learner with delay=N
 *
 * A late gradient is one of the point that was played, x_s, and is added to a sum at the point that has been reached since,
 * x. The rule is that of Wan, Tu, Zhang, "Online Frank-Wolfe with Arbitrary Delays", NeurIPS 2022: one step per feedback,
 * and every round plays the latest x. No point is kept. Of |x_s - x| two bounds are, by two numbers per open round:
 *
 *     path - path_s                   path: the lengths of all steps so far
 *     aim - aim_s + near + near_s     aim: how far the minimiser z of the regularised sum has moved at most; |x - z| <= near
 *
 * The second one is for a method that says how far its z moves; it does not grow with steps that go to and fro.
 */
#pragma once

#include "base/visitor.h"

typedef struct ofw_open_round {
  uint64_t round;
  double path, aim; /* when it was decided; aim less near */
} ofw_open_round;

typedef struct ofw_open_rounds {
  size_t most;          /* that may be open */
  size_t count;         /* that are */
  ofw_open_round *list; /* by their rounds */
  double path, aim;
  double near; /* infinite: the method does not know z */
  double late; /* of the feedback that is being observed: |x_s - x| at most */
} ofw_open_rounds;

/* One more decision, which there must be room for. */
void ofw_open_rounds_add(ofw_open_rounds *o, uint64_t round);
/* Where this round is in the list; o->count: it is not open. */
size_t ofw_open_rounds_find(const ofw_open_rounds *o, uint64_t round);
/* The decision at this place of the list has its feedback. */
void ofw_open_rounds_close(ofw_open_rounds *o, size_t at, double diameter);

/* z has moved by this much at most, and x is now this near to it. */
void ofw_open_rounds_aim(ofw_open_rounds *o, double moved, double near);
/* The open rounds of another learner of the same delay. */
void ofw_open_rounds_copy(const ofw_open_rounds *from, ofw_open_rounds *to);
ofw_status ofw_open_rounds_visit(ofw_open_rounds *o, ofw_visitor *v);
