/* cuda_library.h — libofw-cuda.so, opened at run time */
#pragma once

#include "base/basics.h"
#include "engine/cuda_table.h"

/* The library's table, for as long as the process lives; NULL: why. */
const ofw_cuda_table *ofw_cuda_library(ofw_error *err);
