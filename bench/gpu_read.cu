/* gpu_read.cu — reads of a GPU's memory and nothing else, for bench/gpu.py, which compares kernels with them
 *
 *     bench_gpu_read MEGABYTES..
 *
 * Each size is read several times by launches of several shapes; Nsight Compute times them, and the best shape counts.
 */
#include <cstdio>
#include <cstdlib>

enum { REPEATS = 12, THREADS = 512, MOST = 1 << 20 };

/* A thread has every so many pairs, and asks for several before it adds one. */
template <int at_once> static __global__ void read(const double2 *a, size_t n, double *never)
{
  const size_t apart = (size_t)gridDim.x * blockDim.x;
  double sum = 0.0;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += at_once * apart) {
    double2 got[at_once];
    for (int k = 0; k < at_once; k++)
      got[k] = i + k * apart < n ? a[i + k * apart] : make_double2(0.0, 0.0);
    for (int k = 0; k < at_once; k++)
      sum += got[k].x + got[k].y;
  }
  if (sum != 0.0) /* all numbers are 0 */
    *never = sum;
}

/* A thread has one pair, two or four, or as many as are needed if all threads run at once. */
template <int at_once> static void read_all(const double2 *a, size_t n, double *never)
{
  int processors = 0;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  const size_t all = (n + THREADS * at_once - 1) / (THREADS * at_once), most = 4 * (size_t)processors;
  for (int i = 0; i < REPEATS; i++) {
    read<at_once><<<(unsigned)all, THREADS>>>(a, n, never);
    read<at_once><<<(unsigned)(all < most ? all : most), THREADS>>>(a, n, never);
  }
}

static int read_megabytes(size_t megabytes)
{
  const size_t bytes = megabytes * 1000000;
  double2 *a = nullptr;
  double *never = nullptr;
  if (cudaMalloc(&a, bytes) != cudaSuccess || cudaMalloc(&never, sizeof *never) != cudaSuccess ||
      cudaMemset(a, 0, bytes) != cudaSuccess)
    return 0;
  read_all<1>(a, bytes / sizeof *a, never);
  read_all<2>(a, bytes / sizeof *a, never);
  read_all<4>(a, bytes / sizeof *a, never);
  int done = cudaDeviceSynchronize() == cudaSuccess;
  cudaFree(a);
  cudaFree(never);
  return done;
}

int main(int argc, char **argv)
{
  if (argc < 2) {
    fprintf(stderr, "usage: bench_gpu_read MEGABYTES..\n");
    return 2;
  }
  for (int i = 1; i < argc; i++) {
    const size_t megabytes = strtoul(argv[i], nullptr, 10);
    if (megabytes == 0 || megabytes > MOST || !read_megabytes(megabytes)) {
      fprintf(stderr, "bench_gpu_read: %s: not a number of megabytes that the GPU has\n", argv[i]);
      return 1;
    }
  }
  return 0;
}
