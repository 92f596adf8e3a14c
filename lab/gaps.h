/* gaps.h — which cells of an arm are missing, in words */
#pragma once

#include "lab/plan.h"

#include "base/basics.h"

typedef struct lab_gap {
  size_t tune, play; /* cells of either kind */
  ofw_text named;    /* the first few plays */
} lab_gap;

/* The k-th cell of the arm is missing. */
void lab_gap_add(lab_gap *g, const lab_plan *plan, const lab_arm *arm, size_t k);
/* "tvc step=1 on ball: 2 of 22 tuning runs and 1 of 3 plays are missing: seed 2\n"; nothing if none is. It frees the gap. */
void lab_gap_tell(lab_gap *g, const lab_arm *arm, ofw_text *lines);
