/* libraries.c — which BLAS, LAPACK, CLP and C library this process runs on
 *
 * OpenBLAS chooses its loops by the processor, and those of another core round differently. Which BLAS answers is known only
 * at run time: Debian's alternatives, a preload or a packager may have put another one in OpenBLAS's place. So OpenBLAS's
 * functions are looked up by name, and believed only if they come from the file that answers cblas_dgemm. */
#include "linalg/libraries.h"

#ifdef OFW_CLP
#include <Clp_C_Interface.h>
#else
#define Clp_Version() "none"
#endif
#include <dlfcn.h>
#include <lapacke.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PART = 48 };

/* The library whose function of this name is called here; 0: none is known. */
static int find_file(const char *function, Dl_info *file)
{
  void *at = dlsym(RTLD_DEFAULT, function);
  return at && dladdr(at, file) && file->dli_fname;
}

/* "libblas.so.3.11.0": the file's name, without links and folders. */
static void file_name(const Dl_info *file, char name[PART])
{
  char path[PATH_MAX];
  const char *whole = realpath(file->dli_fname, path) ? path : file->dli_fname, *slash = strrchr(whole, '/');
  snprintf(name, PART, "%.*s", PART - 1, slash ? slash + 1 : whole);
}

/* The function of this name, if the BLAS itself has it. ISO C has no cast from dlsym's pointer, so its bytes are copied. */
static int find_in(const Dl_info *blas, const char *name, void *function)
{
  Dl_info file;
  void *at = dlsym(RTLD_DEFAULT, name);
  if (!find_file(name, &file) || file.dli_fbase != blas->dli_fbase)
    return 0;
  memcpy(function, &at, sizeof at);
  return 1;
}

static int name_openblas(const Dl_info *blas, char name[PART])
{
  char *(*config)(void), *(*core)(void), version[16] = "unknown";
  int (*is_parallel)(void), (*threads)(void);
  if (!find_in(blas, "openblas_get_config", &config) || !find_in(blas, "openblas_get_corename", &core))
    return 0;
  sscanf(config(), "OpenBLAS %15s", version);
  int n = snprintf(name, PART, "openblas-%s/%.16s", version, core());
  if (find_in(blas, "openblas_get_parallel", &is_parallel) && is_parallel() &&
      find_in(blas, "openblas_get_num_threads", &threads))
    snprintf(name + n, PART - (size_t)n, "/%d", threads());
  return 1;
}

/* Its version, and its file if that is not the BLAS's. */
static void name_lapack(const Dl_info *blas, char name[2 * PART])
{
  Dl_info file;
  char other[PART];
  lapack_int major = 0, minor = 0, patch = 0;
  LAPACK_ilaver(&major, &minor, &patch);
  int n = snprintf(name, PART, "%d.%d.%d", (int)major, (int)minor, (int)patch);
  if (!find_file("dgesdd_", &file) || (blas && file.dli_fbase == blas->dli_fbase))
    return;
  file_name(&file, other);
  snprintf(name + n, 2 * PART - (size_t)n, "/%s", other);
}

/* A file may have any name, and this is to be one word. */
static const char *as_word(char *text)
{
  for (char *c = text; *c; c++)
    if ((unsigned char)*c <= ' ' || *c == 127)
      *c = '-';
  return text;
}

const char *ofw_libraries_text(char text[OFW_LIBRARIES_TEXT])
{
  Dl_info file;
  const Dl_info *found = find_file("cblas_dgemm", &file) ? &file : NULL; /* NULL: it is linked statically */
  char blas[PART] = "unknown", lapack[2 * PART], libc[PART] = "unknown";
  if (found && !name_openblas(found, blas))
    file_name(found, blas);
  name_lapack(found, lapack);
  confstr(_CS_GNU_LIBC_VERSION, libc, sizeof libc);
  snprintf(text, OFW_LIBRARIES_TEXT, "blas=%s lapack=%s clp=%.16s libc=%s", as_word(blas), as_word(lapack),
           Clp_Version(), as_word(libc));
  return text;
}
