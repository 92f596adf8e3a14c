/* owned.c — a list of pieces of memory; it grows by one at a time, since an owner has a handful */
#include "base/owned.h"

#include <stdlib.h>

void *ofw_owned_take(ofw_owned *o, void *piece, size_t bytes)
{
  void **grown = piece ? realloc(o->piece, (o->pieces + 1) * sizeof(void *)) : NULL;
  if (!grown) {
    free(piece);
    o->missing = bytes ? bytes : 1;
    return NULL;
  }
  o->piece = grown;
  return o->piece[o->pieces++] = piece;
}

double *ofw_owned_doubles(ofw_owned *o, size_t n)
{
  return ofw_owned_take(o, ofw_doubles(n), n * sizeof(double));
}

void *ofw_owned_array(ofw_owned *o, size_t n, size_t item)
{
  return ofw_owned_take(o, ofw_array(n, item), n * item);
}

ofw_status ofw_owned_check(const ofw_owned *o, ofw_error *err)
{
  return o->missing ? ofw_fail_memory(err, o->missing) : OFW_OK;
}

void ofw_owned_free(ofw_owned *o)
{
  for (size_t k = 0; k < o->pieces; k++)
    free(o->piece[k]);
  free(o->piece);
  *o = (ofw_owned){0};
}
