/* search_steps.h — a search by a kernel per stage: for machines on which others work too, so that none waits in a kernel */
#pragma once

#include "machine.h"

typedef struct ofw_steps {
  ofw_search_plan plan;
  uint32_t slot; /* the next */
} ofw_steps;

void ofw_steps_begin(ofw_steps *s, ofw_machine *m, const ofw_search_plan *plan, uint32_t slots);
void ofw_steps_grant(ofw_steps *s, ofw_machine *m, uint32_t slots);
