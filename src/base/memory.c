/* memory.c — allocation that refuses more than the machine has
 *
 * Linux lends more memory than there is and kills the process that writes to it. So large requests are compared with
 * what is free first, and the caller gets an error that it can report.
 */
#include "base/basics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/mman.h>
#include <sys/sysinfo.h>

enum { EDGE = 64, LARGE_PAGE = 1 << 21 };

/* A matrix is whole large pages, if the system gives them when asked: its rows are then found without a walk for each few of them. */
static void ask_for_large_pages(void *x, size_t bytes)
{
#ifdef MADV_HUGEPAGE
  if (bytes >= LARGE_PAGE)
    madvise(x, bytes, MADV_HUGEPAGE);
#else
  (void)x, (void)bytes;
#endif
}

/* What the system could give now, in bytes; what it has at all if it does not tell. */
static double memory_left(void)
{
  struct sysinfo s;
  static const char *const names[] = {"MemAvailable:", "SwapFree:"};
  char line[128];
  unsigned long long left = 0;
  int found = 0;
  FILE *in = fopen("/proc/meminfo", "r");
  while (in && fgets(line, sizeof line, in))
    for (size_t k = 0; k < 2; k++)
      if (strncmp(line, names[k], strlen(names[k])) == 0) {
        left += strtoull(line + strlen(names[k]), NULL, 10); /* KiB */
        found++;
      }
  if (in)
    (void)fclose(in);
  if (found == 2)
    return 1024.0 * (double)left;
  return sysinfo(&s) == 0 ? ((double)s.totalram + (double)s.totalswap) * s.mem_unit : INFINITY;
}

int ofw_fits(double bytes)
{
  return bytes < 0x1p30 || bytes <= memory_left();
}

double *ofw_doubles_unset(size_t n)
{
  if (n > (SIZE_MAX - LARGE_PAGE) / sizeof(double) || !ofw_fits((double)n * sizeof(double)))
    return NULL;
  size_t edge = n * sizeof(double) < LARGE_PAGE ? EDGE : LARGE_PAGE;
  size_t bytes = (n * sizeof(double) + edge - 1) / edge * edge;
  double *x = aligned_alloc(edge, bytes ? bytes : edge);
  if (!x)
    return NULL;
  ask_for_large_pages(x, bytes);
  return x;
}

double *ofw_doubles(size_t n)
{
  double *x = ofw_doubles_unset(n);
  return x ? memset(x, 0, n * sizeof *x) : NULL;
}

void *ofw_array(size_t n, size_t item)
{
  if (n > SIZE_MAX / item || !ofw_fits((double)n * (double)item))
    return NULL;
  return malloc(n ? n * item : 1);
}

ofw_status ofw_grow(void *array, size_t used, size_t more, size_t *room, size_t item, ofw_error *err)
{
  if (used < *room && more <= *room - used)
    return OFW_OK;
  size_t most = SIZE_MAX / 4 / item, wanted = used < most && more < most ? 2 * used + more + 16 : most;
  void *at;
  memcpy(&at, array, sizeof at);
  at = wanted < most && ofw_fits((double)wanted * (double)item) ? realloc(at, wanted * item) : NULL;
  if (!at)
    return ofw_fail_memory(err, wanted * item);
  memcpy(array, &at, sizeof at);
  *room = wanted;
  return OFW_OK;
}

char *ofw_copy_text(const char *text)
{
  size_t bytes = strlen(text) + 1;
  char *copy = malloc(bytes);
  return copy ? memcpy(copy, text, bytes) : NULL;
}
