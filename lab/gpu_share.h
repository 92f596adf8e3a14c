/* gpu_share.h — a GPU that the workers of a sweep share
 *
 * A GPU runs kernels of one process at a time. So one process has it, and does what the workers' learners ask for, several at
 * once (cuda/shared_gpu.h). It is a child like the workers, and never plays.
 */
#pragma once

#include "engine/cuda_table.h"

#include <ofw/base.h>

#include <sys/types.h>

typedef struct lab_gpu {
  const ofw_cuda_table *table;
  ofw_cuda_share *share;
  pid_t pid;
} lab_gpu;

/* Before any worker is started. If there is no libofw-cuda.so, or no such process, *out is empty, and the plays say why. */
void lab_gpu_start(size_t plays, lab_gpu *out);
/* In a worker. */
void lab_gpu_join(const lab_gpu *gpu);
/* An empty one is accepted. */
void lab_gpu_end(lab_gpu *gpu);
