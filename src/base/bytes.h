/* bytes.h — the bytes of a file, plain or compressed by gzip
 *
 * Like zlib's own gzread, but for the end: of what follows a member that is no further one, gzread says nothing.
 */
#pragma once

#include "base/basics.h"

#include <stdio.h>

#include <zlib.h>

enum { OFW_BYTES_CHUNK = 1 << 14 };

/* Why there is no further byte. */
typedef enum ofw_bytes_end {
  OFW_BYTES_ALL,     /* that was all */
  OFW_BYTES_FAILED,  /* errno says why */
  OFW_BYTES_CUT,     /* the file ends within gzip data */
  OFW_BYTES_DAMAGED, /* these are no gzip data */
  OFW_BYTES_FOLLOWED /* something else follows the gzip data */
} ofw_bytes_end;

typedef struct ofw_bytes {
  FILE *in;
  int begun, zipped, between; /* the first bytes have been looked at; they are gzip's; a member has ended */
  z_stream z;
  size_t at, end; /* what is left in `to` */
  ofw_bytes_end why;
  unsigned char from[OFW_BYTES_CHUNK], to[OFW_BYTES_CHUNK];
} ofw_bytes;

/* From where the file is on; it stays the caller's to close. NULL: no memory. */
ofw_bytes *ofw_bytes_open(FILE *in);
/* NULL is accepted. */
void ofw_bytes_close(ofw_bytes *b);
/* More of them into b->to, from its beginning; 0: there are none, and b->why says so. */
int ofw_bytes_fill(ofw_bytes *b);
