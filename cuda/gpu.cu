/* gpu.cu — the machine that is a GPU: memory, one stream of work, and the kernels' launches */
extern "C" {
#include "machine.h"
}

#include <stdio.h>
#include <stdlib.h>

struct ofw_machine {
  cudaStream_t stream;
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
    return m;
  snprintf(why, length, "%s", m->why);
  free(m);
  return NULL;
}

extern "C" void ofw_machine_close(ofw_machine *m)
{
  cudaStreamSynchronize(m->stream);
  cudaStreamDestroy(m->stream);
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
#define OFW_SIMPLE(name, args)                                                                        \
  static __global__ void __launch_bounds__(OFW_THREADS) kernel_##name(const __grid_constant__ args k) \
  {                                                                                                   \
    ofw_##name(&k, here());                                                                           \
  }                                                                                                   \
  OFW_LAUNCH(name, args, OFW_THREADS)
#define OFW_PHASED(name, args, shared, phases)                                                        \
  static __global__ void __launch_bounds__(OFW_THREADS) kernel_##name(const __grid_constant__ args k) \
  {                                                                                                   \
    __shared__ shared s;                                                                              \
    _Pragma("unroll") for (int phase = 0; phase < (phases); phase++)                                  \
    {                                                                                                 \
      ofw_##name(&k, here(), &s, phase);                                                              \
      __syncthreads();                                                                                \
    }                                                                                                 \
  }                                                                                                   \
  OFW_LAUNCH(name, args, OFW_THREADS)
#define OFW_OWN(name, args, shared, mine, threads, phases)                                        \
  static __global__ void __launch_bounds__(threads) kernel_##name(const __grid_constant__ args k) \
  {                                                                                               \
    __shared__ shared s;                                                                          \
    mine own;                                                                                     \
    _Pragma("unroll") for (int phase = 0; phase < (phases); phase++)                              \
    {                                                                                             \
      ofw_##name(&k, here(), &own, &s, phase);                                                    \
      __syncthreads();                                                                            \
    }                                                                                             \
  }                                                                                               \
  OFW_LAUNCH(name, args, threads)
OFW_KERNELS(OFW_SIMPLE, OFW_PHASED, OFW_OWN)
