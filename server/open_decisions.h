/* open_decisions.h — the decisions of open rounds, for a session with a delay
 *
 * A learner keeps no past decision. But what a decision has cost is told at that decision, so a client that has lost it, or
 * never got the answer that had it, could not answer its round any more. So the session keeps it until then.
 *
 * There is room for as many as may be open, and it is written to at once: a session takes its memory when it is made, where
 * the limit on memory is checked, and never fails when it plays.
 */
#pragma once

#include "base/visitor.h"

#include <ofw/point.h>

typedef struct open_decision {
  uint64_t round;
  size_t place; /* of its numbers */
} open_decision;

typedef struct open_decisions {
  size_t most, dim;
  size_t count;
  open_decision *list; /* by their rounds; behind `count` are places that are free */
  double *number;      /* `most` places of `dim` numbers */
} open_decisions;

ofw_status open_decisions_open(open_decisions *o, size_t most, size_t dim, ofw_error *err);
void open_decisions_close(open_decisions *o);
/* The decision of a round behind all others, which there must be room for. */
void open_decisions_add(open_decisions *o, uint64_t round, const ofw_point *x);
/* Its numbers; NULL: it is not kept. */
const double *open_decisions_find(const open_decisions *o, uint64_t round);
/* It is answered. Nothing happens if it is not kept. */
void open_decisions_drop(open_decisions *o, uint64_t round);
ofw_status open_decisions_visit(open_decisions *o, ofw_visitor *v);
