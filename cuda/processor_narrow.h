/* processor_narrow.h — a narrow search by this processor */
#pragma once

#include "machine.h"

/* A search for which nobody grants more than these slots. 0: there is no memory for it, or a GPU has none for such blocks. */
int ofw_processor_narrow(const ofw_search_plan *plan, uint32_t slots);
