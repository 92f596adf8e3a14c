/* gpu.cu — the machine that is a GPU: memory, one stream of work, and the kernels' launches */
extern "C" {
#include "machine.h"
}

#include <stdio.h>
#include <stdlib.h>

enum { GRANTS = 64 }; /* searches that have not ended, at most */
enum { NO, YES, LATER };

/* What the blocks of a search share. */
typedef struct meeting {
  uint32_t arrived; /* blocks, at all meetings so far */
  uint32_t left;    /* blocks that have ended */
  uint32_t more;    /* whether there is another step: NO, YES, or not known when they met */
  uint32_t later;   /* whether there is, known later */
} meeting;

struct ofw_machine {
  cudaStream_t stream;
  int blocks; /* of a search: all of them run at the same time */
  meeting *meeting;
  uint32_t
      *granted; /* seen by both: a search may do steps of slots below it; 0: it is to end. One per search, by turns */
  uint32_t searches;
  cudaError_t error;
  char why[160];
};

static int note(ofw_machine *m, cudaError_t error, const char *what)
{
  if (error != cudaSuccess && m->error == cudaSuccess) {
    m->error = error;
    snprintf(m->why, sizeof m->why, "%s: %s", what, cudaGetErrorString(error));
  }
  return m->error == cudaSuccess;
}

static void open_search(ofw_machine *m);

extern "C" ofw_machine *ofw_machine_open(char *why, size_t length)
{
  ofw_machine *m = (ofw_machine *)calloc(1, sizeof *m);
  int devices = 0;
  if (!m) {
    snprintf(why, length, "out of memory");
    return NULL;
  }
  if (note(m, cudaGetDeviceCount(&devices), "no GPU can be used") && devices == 0)
    note(m, cudaErrorNoDevice, "no GPU can be used");
  if (m->error == cudaSuccess)
    note(m, cudaStreamCreateWithFlags(&m->stream, cudaStreamNonBlocking), "the GPU cannot be used");
  if (m->error == cudaSuccess)
    open_search(m);
  if (m->error == cudaSuccess)
    return m;
  snprintf(why, length, "%s", m->why);
  ofw_machine_close(m);
  return NULL;
}

extern "C" void ofw_machine_close(ofw_machine *m)
{
  if (m->stream) {
    cudaStreamSynchronize(m->stream);
    cudaStreamDestroy(m->stream);
  }
  cudaFreeHost(m->granted);
  cudaFree(m->meeting);
  free(m);
}

extern "C" const char *ofw_machine_failed(const ofw_machine *m)
{
  return m->error == cudaSuccess ? NULL : m->why;
}

/* Room that is not to be had fails only what asked for it. */
extern "C" void *ofw_machine_room(ofw_machine *m, size_t bytes)
{
  void *room = NULL;
  if (m->error != cudaSuccess || cudaMalloc(&room, bytes > 0 ? bytes : 1) != cudaSuccess) {
    cudaGetLastError();
    return NULL;
  }
  note(m, cudaMemsetAsync(room, 0, bytes, m->stream), "memory cannot be cleared");
  return room;
}

extern "C" void *ofw_machine_seen(ofw_machine *m, size_t bytes)
{
  void *seen = NULL;
  if (m->error != cudaSuccess || cudaHostAlloc(&seen, bytes > 0 ? bytes : 1, cudaHostAllocMapped) != cudaSuccess) {
    cudaGetLastError();
    return NULL;
  }
  for (size_t i = 0; i < bytes; i++)
    ((char *)seen)[i] = 0;
  return seen;
}

extern "C" void ofw_machine_drop(ofw_machine *m, void *room)
{
  if (room) {
    cudaStreamSynchronize(m->stream);
    cudaFree(room);
  }
}

extern "C" void ofw_machine_drop_seen(ofw_machine *m, void *seen)
{
  if (seen) {
    cudaStreamSynchronize(m->stream);
    cudaFreeHost(seen);
  }
}

extern "C" void ofw_machine_copy(ofw_machine *m, void *to, const void *from, size_t bytes)
{
  if (m->error == cudaSuccess && bytes > 0)
    note(m, cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, m->stream), "a copy failed");
}

extern "C" void ofw_machine_clear(ofw_machine *m, void *to, size_t bytes)
{
  if (m->error == cudaSuccess)
    note(m, cudaMemsetAsync(to, 0, bytes, m->stream), "memory cannot be cleared");
}

extern "C" int ofw_machine_wait(ofw_machine *m)
{
  return note(m, cudaStreamSynchronize(m->stream), "a kernel failed");
}

/* A reply comes sooner than the stream is known to be idle. Whether the stream still works is asked now and then. */
extern "C" int ofw_machine_await(ofw_machine *m, const ofw_reply *reply, uint64_t ticket)
{
  for (unsigned turns = 1; m->error == cudaSuccess; turns++) {
    if (__atomic_load_n((const uint64_t *)&reply->ticket, __ATOMIC_ACQUIRE) >= ticket)
      return 1;
    if (turns % (1u << 14) != 0)
      continue;
    cudaError_t now = cudaStreamQuery(m->stream);
    if (now == cudaErrorNotReady)
      continue;
    if (now == cudaSuccess && __atomic_load_n((const uint64_t *)&reply->ticket, __ATOMIC_ACQUIRE) < ticket)
      now = cudaErrorUnknown; /* it has ended and not replied */
    if (!note(m, now, "a kernel failed"))
      return 0;
  }
  return 0;
}

/* ---- launches ---- */

static __device__ ofw_lane here()
{
  ofw_lane l = {blockIdx.x, gridDim.x, threadIdx.x};
  return l;
}

#define OFW_LAUNCH(name, args, threads)                                          \
  extern "C" void ofw_run_##name(ofw_machine *m, uint32_t blocks, const args *k) \
  {                                                                              \
    if (m->error != cudaSuccess)                                                 \
      return;                                                                    \
    kernel_##name<<<blocks, threads, 0, m->stream>>>(*k);                        \
    note(m, cudaPeekAtLastError(), "kernel " #name " cannot be started");        \
  }
#define OFW_PHASES(phases, call)                                   \
  _Pragma("unroll") for (int phase = 0; phase < (phases); phase++) \
  {                                                                \
    call;                                                          \
    __syncthreads();                                               \
  }
#define OFW_SIMPLE(name, args)                                                                           \
  static __global__ void __launch_bounds__(OFW_THREADS, 4) kernel_##name(const __grid_constant__ args k) \
  {                                                                                                      \
    ofw_##name(&k, here());                                                                              \
  }                                                                                                      \
  OFW_LAUNCH(name, args, OFW_THREADS)
#define OFW_PHASED(name, args, shared, phases)                                                           \
  static __global__ void __launch_bounds__(OFW_THREADS, 4) kernel_##name(const __grid_constant__ args k) \
  {                                                                                                      \
    __shared__ shared s;                                                                                 \
    OFW_PHASES(phases, ofw_##name(&k, here(), &s, phase))                                                \
  }                                                                                                      \
  OFW_LAUNCH(name, args, OFW_THREADS)
#define OFW_OWN(name, args, shared, mine, threads, phases)                                        \
  static __global__ void __launch_bounds__(threads) kernel_##name(const __grid_constant__ args k) \
  {                                                                                               \
    __shared__ shared s;                                                                          \
    mine own;                                                                                     \
    own.held = 0;                                                                                 \
    OFW_PHASES(phases, ofw_##name(&k, here(), &own, &s, phase))                                   \
  }                                                                                               \
  OFW_LAUNCH(name, args, threads)
OFW_KERNELS(OFW_SIMPLE, OFW_PHASED, OFW_OWN)

/* ---- a search: one kernel, whose blocks wait for each other between stages ----
 *
 * The band of a block stays in its registers if there are as many blocks as bands, so that a step reads nothing of d. The
 * last block, which has the least to do, talks to the program: by a thread that no meeting waits for.
 */

typedef union search_shared {
  ofw_pass_shared pass;
  ofw_ortho_shared ortho;
} search_shared;

/* Until all blocks are here: what they have written before is seen after it. `due` is how many arrivals that is. */
static __device__ void meet(meeting *m, uint32_t *due)
{
  __syncthreads();
  *due += gridDim.x;
  if (threadIdx.x == 0) {
    uint32_t arrived;
    asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(&m->arrived) : "memory");
    do
      asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(arrived) : "l"(&m->arrived) : "memory");
    while ((int32_t)(arrived - *due) < 0);
  }
  __syncthreads();
}

/* After the last meeting: whoever leaves last makes it ready for the next search. */
static __device__ void leave(meeting *m)
{
  if (threadIdx.x == 0 && ofw_is_last(&m->left, gridDim.x))
    m->arrived = 0;
}

#define OFW_STAGE(name, blocks, k, phases)                                  \
  for (uint32_t block = blockIdx.x; block < (blocks); block += gridDim.x) { \
    ofw_lane l = {block, (blocks), threadIdx.x};                            \
    OFW_PHASES(phases, ofw_##name(&(k), l, &s.ortho, phase))                \
  }                                                                         \
  meet(m, &due)

static __global__ void __launch_bounds__(OFW_WIDE, 1)
    kernel_search(const __grid_constant__ ofw_search_args a, const volatile uint32_t *granted, meeting *m)
{
  extern __shared__ char memory[];
  search_shared &s = *reinterpret_cast<search_shared *>(memory);
  ofw_pass_own own;
  uint32_t bands = ofw_pass_bands(&a.pass), due = 0, allowed = 1;
  int speaks = blockIdx.x == gridDim.x - 1 && threadIdx.x == OFW_LANES, draw = a.draw;
  own.held = 0;
  for (uint32_t slot = a.first;;) {
    uint32_t next = draw ? slot : slot + 1;
    if (!draw) {
      ofw_pass_args k = ofw_search_pass(&a, slot);
      for (uint32_t block = blockIdx.x; block < bands; block += gridDim.x) {
        ofw_lane l = {block, bands, threadIdx.x};
        OFW_PHASES(OFW_PASS_PHASES, ofw_pass_body(&k, l, &own, &s.pass, phase))
      }
      own.held = bands <= gridDim.x && ofw_pass_tiles(&k) == 1;
      meet(m, &due);
    }
    ofw_ortho_args k = ofw_search_ortho(&a, slot, draw);
    uint32_t blocks = ofw_ortho_blocks(&k);
    if (speaks)
      allowed = *granted;
    OFW_STAGE(collect, blocks, k, OFW_COLLECT_PHASES);
    if (speaks && allowed <= next)
      allowed = *granted;
    OFW_STAGE(again, blocks, k, OFW_AGAIN_PHASES);
    if (speaks)
      m->more = allowed == 0 || next >= a.most ? NO : allowed > next ? YES : LATER;
    OFW_STAGE(unit, blocks + 1, k, OFW_UNIT_PHASES);
    uint32_t more = *(volatile uint32_t *)&m->more;
    if (speaks)
      ofw_search_reply(&a, slot, draw);
    if (more == LATER) {
      if (speaks) {
        while (allowed != 0 && allowed <= next)
          allowed = *granted;
        m->later = allowed == 0 ? NO : YES;
      }
      meet(m, &due);
      more = *(volatile uint32_t *)&m->later;
    }
    if (more == NO)
      break;
    slot = next;
    draw = 0;
  }
  leave(m);
}

/* As many blocks as run at the same time, one per multiprocessor. */
static void open_search(ofw_machine *m)
{
  int device = 0, processors = 0, each = 0;
  note(m, cudaGetDevice(&device), "the GPU cannot be used");
  note(m, cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device), "the GPU cannot be used");
  note(m, cudaFuncSetAttribute(kernel_search, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(search_shared)),
       "the GPU is too small for a search");
  note(m, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel_search, OFW_WIDE, sizeof(search_shared)),
       "the GPU cannot be used");
  if (m->error == cudaSuccess && each == 0)
    note(m, cudaErrorInvalidDevice, "the GPU is too small for a search");
  m->blocks = processors;
  note(m, cudaHostAlloc(&m->granted, GRANTS * sizeof *m->granted, cudaHostAllocMapped), "memory cannot be shared");
  note(m, cudaMalloc(&m->meeting, sizeof *m->meeting), "out of memory");
  if (m->error == cudaSuccess)
    note(m, cudaMemsetAsync(m->meeting, 0, sizeof *m->meeting, m->stream), "memory cannot be cleared");
}

extern "C" void ofw_machine_search(ofw_machine *m, const ofw_search_args *k, uint32_t slots)
{
  ofw_search_args args = *k;
  const uint32_t *granted = &m->granted[++m->searches % GRANTS];
  void *list[] = {&args, &granted, &m->meeting};
  if (m->error != cudaSuccess)
    return;
  ofw_machine_grant(m, slots);
  note(m,
       cudaLaunchCooperativeKernel((const void *)kernel_search, m->blocks, OFW_WIDE, list, sizeof(search_shared),
                                   m->stream),
       "a search cannot be started");
}

extern "C" void ofw_machine_grant(ofw_machine *m, uint32_t slots)
{
  __atomic_store_n(&m->granted[m->searches % GRANTS], slots, __ATOMIC_RELEASE);
}
