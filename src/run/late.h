/* late.h — feedback that a run holds back until it is due, for learners that take it late
 *
 * A stream's feedback is valid until it reveals the next round, so what waits is a copy.
 */
#pragma once

#include "base/visitor.h"

#include <ofw/feedback.h>

/* A round's feedback, copied. */
typedef struct ofw_held {
  uint64_t round, due; /* after the decision of which round it is told */
  ofw_full full;
  void *memory; /* of all that it points to; NULL: this place is free */
} ofw_held;

typedef struct ofw_late {
  size_t most; /* places */
  ofw_held *held;
  ofw_held *checked; /* as many, of a state that is being loaded; NULL: none is */
} ofw_late;

/* Room for so many. OFW_FAILED: there is no memory. ofw_late_close returns it. */
ofw_status ofw_late_open(ofw_late *late, size_t most, ofw_error *err);
void ofw_late_close(ofw_late *late);
/* OFW_USAGE: no place is free. */
ofw_status ofw_late_hold(ofw_late *late, uint64_t round, uint64_t due, const ofw_full *full, ofw_error *err);
/* The first that is due after the decision of this round, and of those the first round; NULL: none is. */
ofw_held *ofw_late_due(const ofw_late *late, uint64_t round);
/* Frees its place. */
void ofw_late_drop(ofw_held *held);

/* late_state.c: what is held back, in a state. */
ofw_status ofw_late_visit(ofw_late *late, ofw_visitor *v);
/* What was checked and not loaded goes. */
void ofw_late_forget(ofw_late *late);
