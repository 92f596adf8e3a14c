#include "base/base.h"

#include <stdlib.h>
#include <string.h>

double *ofw_doubles(size_t n)
{
  if (n > (SIZE_MAX - 64) / sizeof(double))
    return NULL;
  size_t bytes = (n * sizeof(double) + 63) / 64 * 64;
  double *x = aligned_alloc(64, bytes ? bytes : 64);
  return x ? memset(x, 0, bytes) : NULL;
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
