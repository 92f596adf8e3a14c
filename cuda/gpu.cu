/* gpu.cu — the machine that is a GPU: memory, one stream of work, and the kernels' launches */
extern "C" {
#include "machine.h"
}

#include "gpu_narrow.h"

#include <stdio.h>
#include <stdlib.h>

enum { GRANTS = 64 }; /* searches that have not ended, at most */
typedef struct gpu {
  ofw_machine base;
  cudaStream_t stream;
  int blocks; /* of a search: all of them run at the same time */
  meeting *met;
  uint32_t
      *granted; /* seen by both: a search may do steps of slots below it; 0: it is to end. One per search, by turns */
  uint32_t searches;
  cudaError_t error;
  char why[160];
} gpu;

static gpu *of(const ofw_machine *m)
{
  return (gpu *)(uintptr_t)m;
}

static int note(gpu *g, cudaError_t error, const char *what)
{
  if (error != cudaSuccess && g->error == cudaSuccess) {
    g->error = error;
    snprintf(g->why, sizeof g->why, "%s: %s", what, cudaGetErrorString(error));
  }
  return g->error == cudaSuccess;
}

static void close_machine(ofw_machine *m)
{
  gpu *g = of(m);
  if (g->stream) {
    cudaStreamSynchronize(g->stream);
    cudaStreamDestroy(g->stream);
  }
  cudaFreeHost(g->granted);
  cudaFree(g->met);
  free(g);
}

static const char *failed(const ofw_machine *m)
{
  return of(m)->error == cudaSuccess ? NULL : of(m)->why;
}

/* ---- memory ---- */

/* Room that is not to be had fails only what asked for it. */
static void *room(ofw_machine *m, size_t bytes)
{
  gpu *g = of(m);
  void *at = NULL;
  if (g->error != cudaSuccess || cudaMalloc(&at, bytes > 0 ? bytes : 1) != cudaSuccess) {
    cudaGetLastError();
    return NULL;
  }
  note(g, cudaMemsetAsync(at, 0, bytes, g->stream), "memory cannot be cleared");
  return at;
}

static void *seen(ofw_machine *m, size_t bytes)
{
  void *at = NULL;
  if (of(m)->error != cudaSuccess || cudaHostAlloc(&at, bytes > 0 ? bytes : 1, cudaHostAllocMapped) != cudaSuccess) {
    cudaGetLastError();
    return NULL;
  }
  for (size_t i = 0; i < bytes; i++)
    ((char *)at)[i] = 0;
  return at;
}

/* A kernel is told the address that this program has. */
static int see(ofw_machine *m, void *here, size_t bytes)
{
  void *there = NULL;
  if (of(m)->error == cudaSuccess && cudaHostRegister(here, bytes, cudaHostRegisterMapped) == cudaSuccess &&
      cudaHostGetDevicePointer(&there, here, 0) == cudaSuccess && there == here)
    return 1;
  cudaGetLastError();
  return 0;
}

static void drop(ofw_machine *m, void *at)
{
  if (at) {
    cudaStreamSynchronize(of(m)->stream);
    cudaFree(at);
  }
}

static void drop_seen(ofw_machine *m, void *at)
{
  if (at) {
    cudaStreamSynchronize(of(m)->stream);
    cudaFreeHost(at);
  }
}

static void copy(ofw_machine *m, void *to, const void *from, size_t bytes)
{
  gpu *g = of(m);
  if (g->error != cudaSuccess || bytes == 0)
    return;
  if (from)
    note(g, cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, g->stream), "a copy failed");
  else
    note(g, cudaMemsetAsync(to, 0, bytes, g->stream), "memory cannot be cleared");
}

static int wait(ofw_machine *m)
{
  return note(of(m), cudaStreamSynchronize(of(m)->stream), "a kernel failed");
}

static int fetch(ofw_machine *m, void *to, const void *from, size_t bytes)
{
  copy(m, to, from, bytes);
  return wait(m);
}

/* Whether all that was asked for is done. */
static int is_idle(gpu *g)
{
  cudaError_t now = cudaStreamQuery(g->stream);
  if (now != cudaErrorNotReady)
    note(g, now, "a kernel failed");
  return now == cudaSuccess;
}

static void look(ofw_machine *m)
{
  is_idle(of(m));
}

/* A reply comes sooner than the stream is known to be idle. Whether the stream still works is asked now and then. */
static int await(ofw_machine *m, const ofw_reply *reply, uint64_t ticket)
{
  gpu *g = of(m);
  for (unsigned turns = 1; g->error == cudaSuccess; turns++) {
    if (__atomic_load_n((const uint64_t *)&reply->ticket, __ATOMIC_ACQUIRE) >= ticket)
      return 1;
    if (turns % (1u << 14) == 0 && is_idle(g) &&
        __atomic_load_n((const uint64_t *)&reply->ticket, __ATOMIC_ACQUIRE) < ticket)
      note(g, cudaErrorUnknown, "a kernel failed"); /* it has ended and not replied */
  }
  return 0;
}

/* ---- launches ---- */

extern __shared__ char shared_memory[];

static __device__ ofw_lane here()
{
  ofw_lane l = {blockIdx.x, gridDim.x, threadIdx.x};
  return l;
}

#define OFW_BODY(name, args_type, threads, each, memory, ...)                                                \
  static __global__ void __launch_bounds__(threads, each) kernel_##name(const __grid_constant__ args_type k) \
  {                                                                                                          \
    const ofw_lane l = here();                                                                               \
    __VA_ARGS__                                                                                              \
  }                                                                                                          \
  static cudaError_t launch_##name(cudaStream_t on, uint32_t blocks, const void *args)                       \
  {                                                                                                          \
    kernel_##name<<<blocks, threads, memory, on>>>(*(const args_type *)args);                                \
    return cudaPeekAtLastError();                                                                            \
  }                                                                                                          \
  static cudaError_t open_##name()                                                                           \
  {                                                                                                          \
    return cudaFuncSetAttribute(kernel_##name, cudaFuncAttributeMaxDynamicSharedMemorySize, memory);         \
  }
#define OFW_SHARED(name, args_type, shared, phases, threads, each, ...)                                           \
  OFW_BODY(name, args_type, threads, each, sizeof(shared), shared *s = reinterpret_cast<shared *>(shared_memory); \
           __VA_ARGS__)
#define OFW_SIMPLE(name, args_type, nothing) OFW_BODY(name, args_type, OFW_THREADS, 4, 0, ofw_##name(&k, l);)
#define OFW_OVER(name, args_type, floats) \
  OFW_BODY(name, args_type, OFW_THREADS, 4, 0, if (k.floats) ofw_##name(&k, l, 1); else ofw_##name(&k, l, 0);)
/* A thread reads its own sums alone, before the first of their phases ends. */
#define OFW_SUMMED(name, args_type, floats)                                  \
  OFW_SHARED(name, args_type, ofw_sums, OFW_SUM_PHASES, OFW_THREADS, 4,      \
             if (k.floats) ofw_sums_keep(s, l.thread, ofw_##name(&k, l, 1)); \
             else ofw_sums_keep(s, l.thread, ofw_##name(&k, l, 0));          \
             OFW_PHASES(OFW_SUM_PHASES, ofw_sums_phase(&k.to, l, s, phase)))
#define OFW_PHASED(name, args_type, shared, phases) \
  OFW_SHARED(name, args_type, shared, phases, OFW_THREADS, 4, OFW_PHASES(phases, ofw_##name(&k, l, s, phase)))
#define OFW_WIDER(name, args_type, shared, phases) \
  OFW_SHARED(name, args_type, shared, phases, OFW_WIDE, 2, OFW_PHASES(phases, ofw_##name(&k.of, k.at, l, s, phase)))
#define OFW_OWN(name, args_type, shared, phases)                                           \
  OFW_SHARED(name, args_type, shared, phases, OFW_WIDE, 1, ofw_pass_own own; own.held = 0; \
             OFW_PHASES(phases, ofw_##name(&k.of, k.at, l, &own, s, phase)))
OFW_KERNELS(OFW_SIMPLE, OFW_OVER, OFW_SUMMED, OFW_PHASED, OFW_WIDER, OFW_OWN)

typedef struct launcher {
  const char *name;
  cudaError_t (*open)();
  cudaError_t (*launch)(cudaStream_t on, uint32_t blocks, const void *args);
} launcher;

#define OFW_LAUNCHER(name, ...) {#name, open_##name, launch_##name},
static const launcher launchers[] = {
    OFW_KERNELS(OFW_LAUNCHER, OFW_LAUNCHER, OFW_LAUNCHER, OFW_LAUNCHER, OFW_LAUNCHER, OFW_LAUNCHER)};

static void run(ofw_machine *m, ofw_kernel which, uint32_t blocks, const void *args)
{
  gpu *g = of(m);
  char what[80];
  if (g->error != cudaSuccess)
    return;
  cudaError_t error = launchers[which].launch(g->stream, blocks, args);
  if (error == cudaSuccess)
    return;
  snprintf(what, sizeof what, "kernel %s cannot be started", launchers[which].name);
  note(g, error, what);
}

/* ---- a search: one kernel, whose blocks wait for each other between stages ----
 *
 * The band of a block stays in its registers if there are as many blocks as bands, so that a step reads nothing of d. The
 * last block, which has the least to do, talks to the program.
 */

typedef union search_shared {
  ofw_pass_shared pass;
  ofw_ortho_shared ortho;
} search_shared;

#define OFW_STAGE(name, blocks, k)                                          \
  for (uint32_t block = blockIdx.x; block < (blocks); block += gridDim.x) { \
    ofw_lane l = {block, (blocks), threadIdx.x};                            \
    OFW_PHASES(name, ofw_##k)                                               \
  }

/* The first stage of a step, and its meeting. */
static __device__ __forceinline__ void begin_step(const ofw_search_plan &plan, const ofw_search_at &at,
                                                  ofw_pass_own &own, search_shared &s, meeting *m, uint32_t *due)
{
  uint32_t bands = ofw_pass_bands(&plan.of), blocks = ofw_ortho_blocks(&plan.of);
  if (!at.draw) {
    OFW_STAGE(OFW_PASS_PHASES, bands, pass_body(&plan.of, at, l, &own, &s.pass, phase))
    own.held = bands <= gridDim.x && ofw_pass_tiles(&plan.of) == 1;
    meet(m, due);
  } else if (at.slot > 0) {
    OFW_STAGE(OFW_DIRECTION_PHASES, blocks, direction(&plan.of, at, l, &s.ortho, phase))
    meet(m, due);
  }
}

static __device__ __forceinline__ void tell(const ofw_search_plan &plan, const ofw_search_at &at, search_shared &s)
{
  ofw_lane l = {0, 1, threadIdx.x};
  OFW_PHASES(OFW_TELL_PHASES, ofw_tell(&plan.of, at, l, &s.ortho, phase))
}

static __global__ void __launch_bounds__(OFW_WIDE, 1)
    kernel_steps(const __grid_constant__ ofw_search_plan plan, uint32_t slots, meeting *m)
{
  search_shared &s = *reinterpret_cast<search_shared *>(shared_memory);
  ofw_pass_own own;
  uint32_t due = 0;
  int draw = plan.first.draw;
  own.held = 0;
  for (uint32_t slot = plan.first.slot; slot < slots;) {
    const ofw_search_at at = ofw_search_step(&plan, slot, draw);
    begin_step(plan, at, own, s, m, &due);
    OFW_STAGE(OFW_ORTHO_PHASES, ofw_ortho_blocks(&plan.of), ortho(&plan.of, at, l, &s.ortho, phase))
    meet(m, &due);
    if (blockIdx.x == gridDim.x - 1)
      tell(plan, at, s);
    slot += !draw;
    draw = 0;
  }
  leave(m);
}

/* Before the last of the slots that were granted at the start, nobody looks whether there is another step: grants are far away, in
 * the program's memory. */
static __global__ void __launch_bounds__(OFW_WIDE, 1)
    kernel_search(const __grid_constant__ ofw_search_plan plan, const volatile uint32_t *granted, uint32_t sure,
                  meeting *m)
{
  search_shared &s = *reinterpret_cast<search_shared *>(shared_memory);
  ofw_pass_own own;
  uint32_t due = 0, allowed = 1;
  int last = blockIdx.x == gridDim.x - 1, speaks = last && threadIdx.x == OFW_LANES, draw = plan.first.draw;
  own.held = 0;
  for (uint32_t slot = plan.first.slot;;) {
    const ofw_search_at at = ofw_search_step(&plan, slot, draw);
    uint32_t next = draw ? slot : slot + 1;
    begin_step(plan, at, own, s, m, &due);
    if (speaks && next + 1 >= sure)
      allowed = *granted;
    OFW_STAGE(OFW_ORTHO_PHASES, ofw_ortho_blocks(&plan.of), ortho(&plan.of, at, l, &s.ortho, phase))
    if (speaks && next + 1 >= sure)
      m->more = decide(plan.most, next, allowed);
    meet(m, &due);
    uint32_t more = next + 1 < sure ? YES : *(volatile uint32_t *)&m->more;
    if (last)
      tell(plan, at, s);
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
static void open_search(gpu *g)
{
  int device = 0, processors = 0, each = 0;
  note(g, cudaGetDevice(&device), "the GPU cannot be used");
  note(g, cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device), "the GPU cannot be used");
  note(g, cudaFuncSetAttribute(kernel_search, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(search_shared)),
       "the GPU is too small for a search");
  note(g, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel_search, OFW_WIDE, sizeof(search_shared)),
       "the GPU cannot be used");
  if (g->error == cudaSuccess && each == 0)
    note(g, cudaErrorInvalidDevice, "the GPU is too small for a search");
  note(g, cudaFuncSetAttribute(kernel_steps, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(search_shared)),
       "the GPU is too small for a search");
  g->blocks = processors;
  if (g->error == cudaSuccess && ofw_gpu_narrow_open() == cudaSuccess)
    g->base.narrow = (uint32_t)processors;
  cudaGetLastError(); /* one that is too small for narrow searches does without them */
  note(g, cudaHostAlloc(&g->granted, GRANTS * sizeof *g->granted, cudaHostAllocMapped), "memory cannot be shared");
  note(g, cudaMalloc(&g->met, sizeof *g->met), "out of memory");
  if (g->error == cudaSuccess)
    note(g, cudaMemsetAsync(g->met, 0, sizeof *g->met, g->stream), "memory cannot be cleared");
}

static void grant(ofw_machine *m, uint32_t slots)
{
  __atomic_store_n(&of(m)->granted[of(m)->searches % GRANTS], slots, __ATOMIC_RELEASE);
}

static void search(ofw_machine *m, const ofw_search_plan *plan, uint32_t slots)
{
  gpu *g = of(m);
  ofw_search_plan args = *plan;
  const uint32_t *granted = &g->granted[++g->searches % GRANTS];
  uint32_t sure = slots < args.most ? slots : args.most;
  void *list[] = {&args, &granted, &sure, &g->met};
  if (g->error != cudaSuccess)
    return;
  grant(m, slots);
  note(g,
       cudaLaunchCooperativeKernel((const void *)kernel_search, g->blocks, OFW_WIDE, list, sizeof(search_shared),
                                   g->stream),
       "a search cannot be started");
}

static void steps(ofw_machine *m, const ofw_search_plan *plan, uint32_t slots)
{
  gpu *g = of(m);
  cudaError_t error = cudaSuccess;
  if (g->error != cudaSuccess)
    return;
  if (plan->narrow)
    error = ofw_gpu_narrow(g->stream, plan, slots, g->met);
  else {
    kernel_steps<<<g->blocks, OFW_WIDE, sizeof(search_shared), g->stream>>>(*plan, slots, g->met);
    error = cudaPeekAtLastError();
  }
  note(g, error, "a search cannot be started");
}

/* ---- opening ---- */

static const ofw_machine_ops ops = {close_machine, failed, room,  seen, see, drop,   drop_seen, copy, fetch,
                                    copy,          wait,   await, look, run, search, grant,     steps};

extern "C" ofw_machine *ofw_machine_open(char *why, size_t length)
{
  gpu *g = (gpu *)calloc(1, sizeof *g);
  int devices = 0;
  if (!g) {
    snprintf(why, length, "out of memory");
    return NULL;
  }
  g->base.ops = &ops;
  if (note(g, cudaGetDeviceCount(&devices), "no GPU can be used") && devices == 0)
    note(g, cudaErrorNoDevice, "no GPU can be used");
  if (g->error == cudaSuccess)
    note(g, cudaStreamCreateWithFlags(&g->stream, cudaStreamNonBlocking), "the GPU cannot be used");
  for (uint32_t i = 0; i < OFW_KERNEL_COUNT && g->error == cudaSuccess; i++)
    note(g, launchers[i].open(), "the GPU is too small for the kernels");
  if (g->error == cudaSuccess)
    open_search(g);
  if (g->error == cudaSuccess)
    return &g->base;
  snprintf(why, length, "%s", g->why);
  close_machine(&g->base);
  return NULL;
}
