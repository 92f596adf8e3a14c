/* owned.h — memory that goes with its owner: asked for piece by piece, returned all at once
 *
 * A piece that is not to be had is NULL and remembered, so that one check at the end does for all of them.
 */
#pragma once

#include "base/basics.h"

/* Start it as {0}. */
typedef struct ofw_owned {
  void **piece;
  size_t pieces;
  size_t missing; /* bytes that were not to be had; 0: all were */
} ofw_owned;

/* As ofw_doubles and ofw_array. */
double *ofw_owned_doubles(ofw_owned *o, size_t n);
void *ofw_owned_array(ofw_owned *o, size_t n, size_t item);
/* Takes over what malloc has given, `bytes` of it, and hands it back; NULL: there was nothing, or no room to note it. */
void *ofw_owned_take(ofw_owned *o, void *piece, size_t bytes);
/* Refuses if a piece is missing. */
ofw_status ofw_owned_check(const ofw_owned *o, ofw_error *err);
void ofw_owned_free(ofw_owned *o);
