/* gpu_narrow.cu — the kernel of a narrow search (body_narrow.h)
 *
 * It takes few blocks, one per multiprocessor because of their shared memory, so several searches run side by side. It goes on as
 * long as the program grants steps. If it has to wait for that too long it ends, and the program begins another one from there: no
 * kernel depends on a process that may have ended.
 */
#include "gpu_narrow.h"

#include "body_narrow.h"

enum { PATIENCE = 64 }; /* looks at the grants, each of which takes about a microsecond */

static __device__ uint32_t wait_for_grant(const ofw_search_plan &plan, uint32_t next)
{
  uint32_t allowed = *plan.granted;
  for (int looks = 0; looks < PATIENCE && allowed != 0 && allowed <= next; looks++)
    allowed = *plan.granted;
  if (allowed > next)
    return YES;
  if (allowed != 0) {
    uint64_t ticket = ofw_search_step(&plan, next, 0).ticket;
    ofw_answer_now(&plan.of.reply[ticket % plan.of.replies], OFW_NARROW_LEFT, OFW_NARROW_LEFT, ticket);
  }
  return NO;
}

/* The last block, which has the fewest rows, talks to the program; before the last of the slots that were granted at the start it
 * does not look. */
template <int wide>
static __device__ __forceinline__ void search(const ofw_search_plan &plan, uint32_t sure, meeting *m)
{
  extern __shared__ __align__(16) char narrow_memory[];
  const ofw_narrow b = ofw_narrow_block(&plan.of, wide, blockIdx.x, gridDim.x, narrow_memory);
  const uint32_t thread = threadIdx.x;
  const int last = blockIdx.x == gridDim.x - 1, speaks = last && thread == 0;
  ofw_narrow_own own;
  uint32_t due = 0, said = 0, more = LATER;
  ofw_narrow_open(&plan.of, &b, plan.first, thread);
  __syncthreads();
  if (plan.first.draw) {
    ofw_narrow_begin(&plan.of, &b, thread);
    meet(m, &due);
  }
  for (uint32_t slot = plan.first.slot; more != NO; slot++) {
    const ofw_search_at at = ofw_search_step(&plan, slot, 0);
    uint32_t allowed = sure;
    OFW_PHASES(OFW_NARROW_PASS_PHASES, ofw_narrow_pass(&plan.of, &b, at, last && more == YES, thread, &own, phase))
    meet(m, &due);
    if (speaks && slot + 2 >= sure)
      allowed = *plan.granted;
    OFW_PHASES(OFW_NARROW_ORTHO_PHASES, ofw_narrow_ortho(&plan.of, &b, at, thread, phase))
    more = decide(plan.most, slot + 1, allowed);
    if (speaks)
      m->more = more;
    more = meet_saying(m, &due, speaks && more != YES, &said) ? *(volatile uint32_t *)&m->more : YES;
    if (more != YES && last) {
      OFW_PHASES(OFW_NARROW_TELL_PHASES, ofw_narrow_tell(&plan.of, &b, at, thread, phase))
    }
    if (more == LATER) {
      if (speaks)
        m->later = wait_for_grant(plan, slot + 1);
      meet(m, &due);
      if (*(volatile uint32_t *)&m->later == NO)
        more = NO;
    }
  }
  leave(m);
  if (speaks)
    ofw_answer_now(plan.left, 0.0, 0.0, plan.left_ticket);
}

/* So few registers leave room for other plays' kernels on the same multiprocessor. */
static __global__ void __maxnreg__(96)
    kernel_narrow(const __grid_constant__ ofw_search_plan plan, uint32_t sure, meeting *m)
{
  search<0>(plan, sure, m);
}

static __global__ void __maxnreg__(112)
    kernel_narrow_wide(const __grid_constant__ ofw_search_plan plan, uint32_t sure, meeting *m)
{
  search<1>(plan, sure, m);
}

static cudaError_t open_one(void (*kernel)(ofw_search_plan plan, uint32_t sure, meeting *m))
{
  int each = 0;
  cudaError_t error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, OFW_NARROW_BYTES);
  if (error == cudaSuccess)
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, OFW_WIDE, OFW_NARROW_BYTES);
  return error == cudaSuccess && each == 0 ? cudaErrorInvalidDevice : error;
}

cudaError_t ofw_gpu_narrow_open(void)
{
  cudaError_t error = open_one(kernel_narrow);
  return error == cudaSuccess ? open_one(kernel_narrow_wide) : error;
}

cudaError_t ofw_gpu_narrow(cudaStream_t on, const ofw_search_plan *plan, uint32_t slots, meeting *m)
{
  size_t bytes = ofw_narrow_bytes(plan->of.rows, plan->of.cols, plan->wide, plan->narrow);
  if (plan->wide)
    kernel_narrow_wide<<<plan->narrow, OFW_WIDE, bytes, on>>>(*plan, slots, m);
  else
    kernel_narrow<<<plan->narrow, OFW_WIDE, bytes, on>>>(*plan, slots, m);
  return cudaPeekAtLastError();
}
