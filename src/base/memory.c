#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/mman.h>

/* A matrix on large pages, where the system gives them when asked: its rows are then found without a walk for each few
 * of them. The parts of the array that no large page fits into stay as they are. */
static void ask_for_large_pages(void *x, size_t bytes)
{
#ifdef MADV_HUGEPAGE
  enum { PAGE = 1 << 16, LARGE = 1 << 21 };
  size_t skip = (PAGE - (uintptr_t)x % PAGE) % PAGE;
  if (bytes >= 2 * LARGE)
    madvise((char *)x + skip, (bytes - skip) / PAGE * PAGE, MADV_HUGEPAGE);
#else
  (void)x, (void)bytes;
#endif
}

/* A system that lends more than it has kills whoever uses it all. A large array is used at once, so where that much is not
 * there it is refused instead. Where nobody tells what is there, the allocator has the say. */
static int is_there(size_t bytes)
{
  enum { LARGE = 1 << 30, KIB = 1024 };
  char line[128];
  unsigned long long kib;
  int known = 0;
  FILE *in = bytes < LARGE ? NULL : fopen("/proc/meminfo", "r");
  while (in && !known && fgets(line, sizeof line, in))
    known = sscanf(line, "MemAvailable: %llu", &kib) == 1;
  if (in)
    fclose(in);
  return !known || bytes / KIB < kib;
}

double *ofw_doubles(size_t n)
{
  if (n > (SIZE_MAX - 64) / sizeof(double))
    return NULL;
  size_t bytes = (n * sizeof(double) + 63) / 64 * 64;
  double *x = is_there(bytes) ? aligned_alloc(64, bytes ? bytes : 64) : NULL;
  if (!x)
    return NULL;
  ask_for_large_pages(x, bytes);
  return memset(x, 0, bytes);
}

void *ofw_array(size_t n, size_t item)
{
  if (n > SIZE_MAX / item)
    return NULL;
  return malloc(n ? n * item : 1);
}

char *ofw_copy_text(const char *text)
{
  size_t bytes = strlen(text) + 1;
  char *copy = malloc(bytes);
  return copy ? memcpy(copy, text, bytes) : NULL;
}
