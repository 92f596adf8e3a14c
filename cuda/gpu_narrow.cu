/* gpu_narrow.cu — the kernel of a narrow search (body_narrow.h)
 *
 * It takes few blocks, one per multiprocessor because of their shared memory, so several searches run side by side. It goes on as
 * long as the program grants steps. If it has to wait for that too long it ends, and the program begins another one from there: no
 * kernel depends on a process that may have ended.
 */
#include "gpu_narrow.h"

#include "body_narrow.h"

enum {
  ARRIVED = (1 << 20) - 1, /* the bits of a meeting that count blocks */
  PATIENCE = 64            /* looks at the grants, each of which takes about a microsecond */
};

/* The last block, which has the fewest rows, talks to the program. */
static __device__ __forceinline__ int is_speaker(const ofw_narrow &b)
{
  return b.block == b.blocks - 1;
}

/* What the speaker knows before the second meeting of a step. */
static __device__ uint32_t decide(const ofw_search_plan &plan, uint32_t next, uint32_t allowed)
{
  return allowed == 0 || next >= plan.most ? NO : allowed > next ? YES : LATER;
}

static __device__ void meet_here(meeting *m, uint32_t *due)
{
  meet_saying(m, due, ARRIVED, 0);
  __syncthreads();
}

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

static __global__ void __launch_bounds__(OFW_WIDE, 1)
    kernel_narrow(const __grid_constant__ ofw_search_plan plan, meeting *m)
{
  extern __shared__ __align__(16) char narrow_memory[];
  const ofw_narrow b = ofw_narrow_block(&plan.of, blockIdx.x, gridDim.x, narrow_memory);
  const uint32_t thread = threadIdx.x;
  ofw_narrow_own own;
  uint32_t due = 0, said = 0, more = LATER;
  const int speaks = is_speaker(b) && thread == 0;
  ofw_narrow_open(&plan.of, &b, plan.first, thread);
  __syncthreads();
  if (plan.first.draw) {
    ofw_narrow_begin(&plan.of, &b, thread);
    meet_here(m, &due);
  }
  for (uint32_t slot = plan.first.slot; more != NO; slot++) {
    const ofw_search_at at = ofw_search_step(&plan, slot, 0);
    const int tells = more == YES && is_speaker(b);
    OFW_PHASES(OFW_NARROW_PASS_PHASES, ofw_narrow_pass(&plan.of, &b, at, tells, thread, &own, phase))
    meet_here(m, &due);
    uint32_t allowed = speaks ? *plan.granted : 0;
    OFW_PHASES(OFW_NARROW_ORTHO_PHASES, ofw_narrow_ortho(&plan.of, &b, at, thread, phase))
    more = YES;
    if (speaks)
      m->more = more = decide(plan, slot + 1, allowed);
    uint32_t now = meet_saying(m, &due, ARRIVED, more == YES ? 0 : ARRIVED + 1);
    if (thread == 0)
      b.s->said = now;
    __syncthreads();
    now = b.s->said;
    more = now == said ? YES : *(volatile uint32_t *)&m->more;
    said = now;
    if (more != YES && is_speaker(b)) {
      OFW_PHASES(OFW_NARROW_TELL_PHASES, ofw_narrow_tell(&plan.of, &b, at, thread, phase))
    }
    if (more == LATER) {
      if (speaks)
        m->later = wait_for_grant(plan, slot + 1);
      meet_here(m, &due);
      if (*(volatile uint32_t *)&m->later == NO)
        more = NO;
    }
  }
  leave(m);
  if (speaks && plan.left)
    ofw_answer_now(plan.left, 0.0, 0.0, plan.left_ticket);
}

cudaError_t ofw_gpu_narrow_open(void)
{
  int each = 0;
  cudaError_t error = cudaFuncSetAttribute(kernel_narrow, cudaFuncAttributeMaxDynamicSharedMemorySize, OFW_NARROW_BYTES);
  if (error == cudaSuccess)
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel_narrow, OFW_WIDE, OFW_NARROW_BYTES);
  return error == cudaSuccess && each == 0 ? cudaErrorInvalidDevice : error;
}

cudaError_t ofw_gpu_narrow(cudaStream_t on, const ofw_search_plan *plan, meeting *m)
{
  size_t bytes = ofw_narrow_bytes(plan->of.rows, plan->of.cols, plan->narrow);
  kernel_narrow<<<plan->narrow, OFW_WIDE, bytes, on>>>(*plan, m);
  return cudaPeekAtLastError();
}
