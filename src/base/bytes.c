/* bytes.c — the bytes of a file, inflated by zlib if they are gzip's
 *
 * We drive inflate ourselves: zlib's gzread says nothing of bytes that follow the last member, and a cut or damaged
 * file must be told from a whole one.
 */
#include "base/bytes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* zlib's memory is the library's, so that it runs out where the tests say. */
static voidpf take(voidpf ctx, uInt n, uInt size)
{
  (void)ctx;
  return calloc(n, size);
}

static void give(voidpf ctx, voidpf at)
{
  (void)ctx;
  free(at);
}

ofw_bytes *ofw_bytes_open(FILE *in)
{
  ofw_bytes *b = calloc(1, sizeof *b);
  if (b)
    b->in = in;
  return b;
}

void ofw_bytes_close(ofw_bytes *b)
{
  if (b && b->zipped)
    inflateEnd(&b->z);
  free(b);
}

static int stop(ofw_bytes *b, ofw_bytes_end why)
{
  b->why = why;
  return 0;
}

/* More of the file into `from`, behind the `kept` bytes there; how many there are now. */
static size_t read_on(ofw_bytes *b, size_t kept)
{
  errno = 0;
  return kept + fread(b->from + kept, 1, sizeof b->from - kept, b->in);
}

/* gzip data begin with 1f 8b; a plain text does not. */
static int begin(ofw_bytes *b)
{
  size_t n = read_on(b, 0);
  if (n < 2 || b->from[0] != 0x1f || b->from[1] != 0x8b) {
    memcpy(b->to, b->from, n);
    b->end = n;
    b->begun = 1;
    return n > 0 ? 1 : stop(b, ferror(b->in) ? OFW_BYTES_FAILED : OFW_BYTES_ALL);
  }
  b->z = (z_stream){.zalloc = take, .zfree = give, .next_in = b->from, .avail_in = (uInt)n};
  if (inflateInit2(&b->z, 15 + 16) != Z_OK) { /* 16: gzip's frame */
    errno = ENOMEM;
    return stop(b, OFW_BYTES_FAILED);
  }
  b->begun = b->zipped = 1;
  return 1;
}

/* After a member: another one, the end, or something else. */
static int go_on(ofw_bytes *b)
{
  memmove(b->from, b->z.next_in, b->z.avail_in);
  size_t n = read_on(b, b->z.avail_in);
  if (n == 0)
    return stop(b, ferror(b->in) ? OFW_BYTES_FAILED : OFW_BYTES_ALL);
  if (b->from[0] != 0x1f || (n > 1 && b->from[1] != 0x8b))
    return stop(b, OFW_BYTES_FOLLOWED);
  b->z.next_in = b->from;
  b->z.avail_in = (uInt)n;
  b->between = 0;
  return inflateReset(&b->z) == Z_OK;
}

/* One step of inflate; 0: it is over. b->end tells whether bytes came of it. */
static int step(ofw_bytes *b)
{
  if (b->between && !go_on(b))
    return 0;
  if (b->z.avail_in == 0) {
    b->z.next_in = b->from;
    b->z.avail_in = (uInt)read_on(b, 0);
    if (b->z.avail_in == 0)
      return stop(b, ferror(b->in) ? OFW_BYTES_FAILED : OFW_BYTES_CUT);
  }
  b->z.next_out = b->to;
  b->z.avail_out = sizeof b->to;
  int code = inflate(&b->z, Z_NO_FLUSH);
  b->end = sizeof b->to - b->z.avail_out;
  b->between = code == Z_STREAM_END;
  if (code == Z_MEM_ERROR) {
    errno = ENOMEM;
    return stop(b, OFW_BYTES_FAILED);
  }
  return code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR || stop(b, OFW_BYTES_DAMAGED);
}

int ofw_bytes_fill(ofw_bytes *b)
{
  b->at = b->end = 0;
  if (!b->begun) {
    int more = begin(b);
    if (!more || !b->zipped)
      return more;
  }
  if (!b->zipped) {
    errno = 0;
    b->end = fread(b->to, 1, sizeof b->to, b->in);
    return b->end > 0 ? 1 : stop(b, ferror(b->in) ? OFW_BYTES_FAILED : OFW_BYTES_ALL);
  }
  while (b->end == 0)
    if (!step(b))
      return b->end > 0;
  return 1;
}
