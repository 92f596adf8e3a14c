/* processor_narrow.h — a narrow search by this processor */
#pragma once

#include "machine.h"

typedef struct ofw_processor_narrow {
  ofw_search_plan plan;
  uint32_t slot; /* the next */
  char *shared;  /* all blocks' */
} ofw_processor_narrow;

/* 0: there is no memory for it. */
int ofw_processor_narrow_begin(ofw_processor_narrow *n, const ofw_search_plan *plan, uint32_t slots);
void ofw_processor_narrow_grant(ofw_processor_narrow *n, uint32_t slots);
