/* gpu_narrow.h — narrow searches on a GPU */
#pragma once

#include "body_search.h"
#include "gpu_meeting.h"

/* Whether the GPU has room for their blocks. */
cudaError_t ofw_gpu_narrow_open(void);
/* One that is granted so many slots at the start; plan->granted has more. */
cudaError_t ofw_gpu_narrow(cudaStream_t on, const ofw_search_plan *plan, uint32_t slots, meeting *m);
