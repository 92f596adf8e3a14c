/* fuzz_checkpoint.c — checkpoints: of any bytes; damaged; and with checksums that fit over nonsense
 *
 * Whatever is accepted can be written and is read again as it was. Damage is refused.
 */
#include "fuzz.h"

#include "persist/checkpoint.h"

#include <zlib.h>

enum { HEADER = 32, MOST = 4096 };

static int read_one(const void *bytes, size_t size, ofw_checkpoint *c)
{
  ofw_error err = {0};
  fuzz_file file = fuzz_keep(bytes, size);
  ofw_status st = ofw_checkpoint_read_file(&ofw_real_disk, file.path, c, &err);
  if (st != OFW_OK) {
    MUST(st == OFW_BAD_DATA || st == OFW_FAILED);
    must_explain(st, err.message);
  }
  fuzz_drop(file);
  return st == OFW_OK;
}

/* A disk that keeps what is written to it, for one file. */
typedef struct page {
  unsigned char *bytes;
  size_t size;
} page;

static ofw_there look(void *ctx, const char *path, uint64_t *size)
{
  (void)ctx, (void)path, (void)size;
  return OFW_NOT_THERE;
}

static int open_page(void *ctx, const char *path, int flags)
{
  (void)ctx, (void)path, (void)flags;
  return 0;
}

static ssize_t write_page(void *ctx, int file, const void *bytes, size_t n)
{
  page *p = ctx;
  (void)file;
  MUST(p->size + n <= 4 * MOST);
  memcpy(p->bytes + p->size, bytes, n);
  p->size += n;
  return (ssize_t)n;
}

static int done(void *ctx, int file)
{
  (void)ctx, (void)file;
  return 0;
}

static int renamed(void *ctx, const char *from, const char *to)
{
  (void)ctx, (void)from, (void)to;
  return 0;
}

static int synced(void *ctx, const char *path)
{
  (void)ctx, (void)path;
  return 0;
}

/* As it would be on a disk. */
static size_t write_one(const ofw_state *state, const char *about, unsigned char *out)
{
  page p = {out, 0};
  const ofw_disk disk = {.look = look,
                         .open = open_page,
                         .write = write_page,
                         .sync = done,
                         .close = done,
                         .rename = renamed,
                         .remove = synced,
                         .sync_folder = synced,
                         .ctx = &p};
  MUST(ofw_checkpoint_write(&disk, "c", state, about, NULL) == OFW_OK);
  return p.size;
}

static void must_survive(const ofw_checkpoint *c)
{
  unsigned char *bytes = malloc(4 * MOST);
  ofw_checkpoint again = {0};
  MUST(bytes);
  if (c->state.size + strlen(c->about) < MOST) {
    MUST(read_one(bytes, write_one(&c->state, c->about, bytes), &again));
    MUST(again.state.size == c->state.size && memcmp(again.state.bytes, c->state.bytes, c->state.size) == 0);
    MUST(strcmp(again.about, c->about) == 0);
    ofw_checkpoint_free(&again);
  }
  free(bytes);
}

/* The header's checksum, and those of the sections as far as their sizes can be followed. */
static void forge(unsigned char *bytes, size_t size)
{
  uint32_t head = (uint32_t)crc32(0, bytes, 28);
  memcpy(bytes + 28, &head, 4);
  for (size_t at = HEADER; at + 24 <= size;) {
    uint64_t n, sum;
    memcpy(&n, bytes + at + 8, 8);
    if (n > size - at - 24 || (n + 7) / 8 * 8 > size - at - 24)
      return;
    size_t covered = 16 + (size_t)(n + 7) / 8 * 8;
    sum = crc32(0, bytes + at, (uInt)covered);
    memcpy(bytes + at + covered, &sum, 8);
    at += covered + 8;
  }
}

static void spoil_one(fuzz_bytes *b)
{
  static unsigned char whole[4 * MOST], bytes[4 * MOST];
  int forged = fuzz_byte(b) % 2;
  size_t n = fuzz_below(b, 40), spots = 1 + fuzz_below(b, 4), cut = fuzz_byte(b) % 4 == 0;
  char about[41] = "";
  unsigned char state[64];
  for (size_t i = 0; i < n; i++)
    about[i] = (char)(1 + fuzz_byte(b) % 255);
  for (size_t i = 0; i < sizeof state; i++)
    state[i] = fuzz_byte(b);
  size_t size = write_one(&(ofw_state){state, fuzz_below(b, sizeof state)}, about, whole), left = size;
  memcpy(bytes, whole, size);
  for (; spots > 0; spots--)
    bytes[fuzz_below(b, size)] = fuzz_byte(b);
  if (cut)
    left = fuzz_below(b, size);
  if (forged && left >= HEADER)
    forge(bytes, left);
  ofw_checkpoint c = {0};
  int same = left == size && memcmp(bytes, whole, size) == 0;
  if (read_one(bytes, left, &c)) {
    MUST(forged || same);
    must_survive(&c);
  } else
    MUST(!same);
  ofw_checkpoint_free(&c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  fuzz_bytes b = {data, size};
  ofw_checkpoint c = {0};
  if (fuzz_byte(&b) % 2)
    spoil_one(&b);
  else if (read_one(b.at, b.left, &c))
    must_survive(&c);
  ofw_checkpoint_free(&c);
  return 0;
}
