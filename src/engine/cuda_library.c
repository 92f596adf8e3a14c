/* cuda_library.c — opens libofw-cuda.so by its name, when it is first asked for */
#include "engine/cuda_library.h"

#include <dlfcn.h>

/* The handle is closed, and the library stays (RTLD_NODELETE): what CUDA has started in this process has no end but the
 * process's. */
const ofw_cuda_table *ofw_cuda_library(ofw_error *err)
{
  void *library = dlopen(OFW_CUDA_LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!library) {
    ofw_fail(err, OFW_FAILED, "storage=cuda needs " OFW_CUDA_LIBRARY ", which cannot be opened (docs/gpu.md): %s",
             dlerror());
    return NULL;
  }
  const ofw_cuda_table *table = dlsym(library, OFW_CUDA_SYMBOL);
  dlclose(library);
  if (!table || table->version != OFW_CUDA_VERSION) {
    ofw_fail(err, OFW_FAILED,
             "storage=cuda: " OFW_CUDA_LIBRARY
             " is of another release of ofw; install the one that was built with this");
    return NULL;
  }
  return table;
}
