/* checkpoint.c — a state on disk, in sections with a checksum each
 *
 *     0  "ofwcheck"
 *     8  version, 4 bytes
 *    12  0x01020304, 4 bytes: in another order on a machine of another order
 *    16  bytes of the file, 8
 *    24  sections, 4
 *    28  CRC-32 of the bytes before, 4
 *    32  sections: name in 8 bytes, size in 8, bytes padded with zeros to 8, CRC-32 of all these in 8
 */
#include "persist/checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { HEADER = 32, SECTION = 24, NAME = 8, SECTIONS = 2, ORDER = 0x01020304 };
static const char magic[] = "ofwcheck";
static const char *const names[SECTIONS] = {"about", "state"};

static size_t padded(size_t n)
{
  return (n + 7) / 8 * 8;
}

static uint32_t checksum(const unsigned char *bytes, size_t n)
{
  return (uint32_t)crc32_z(0, bytes, n);
}

/* ---- writing ---- */

static unsigned char *put_section(unsigned char *at, const char *name, const void *bytes, size_t size)
{
  uint64_t n = size, sum;
  memcpy(at, name, strlen(name));
  memcpy(at + NAME, &n, 8);
  if (size > 0)
    memcpy(at + 16, bytes, size);
  sum = checksum(at, 16 + padded(size));
  memcpy(at + 16 + padded(size), &sum, 8);
  return at + SECTION + padded(size);
}

static void put_header(unsigned char *at, uint64_t size)
{
  const uint32_t version[2] = {OFW_CHECKPOINT_VERSION, ORDER}, sections = SECTIONS;
  memcpy(at, magic, 8);
  memcpy(at + 8, version, 8);
  memcpy(at + 16, &size, 8);
  memcpy(at + 24, &sections, 4);
  uint32_t sum = checksum(at, 28);
  memcpy(at + 28, &sum, 4);
}

ofw_status ofw_checkpoint_pack(const ofw_state *state, const char *about, unsigned char **bytes, size_t *size,
                               ofw_error *err)
{
  *size = HEADER + SECTIONS * SECTION + padded(strlen(about)) + padded(state->size);
  *bytes = calloc(1, *size);
  if (!*bytes)
    return ofw_fail_memory(err, *size);
  put_header(*bytes, *size);
  put_section(put_section(*bytes + HEADER, names[0], about, strlen(about)), names[1], state->bytes, state->size);
  return OFW_OK;
}

ofw_status ofw_checkpoint_write(const ofw_disk *disk, const char *path, const ofw_state *state, const char *about,
                                ofw_error *err)
{
  size_t size = 0;
  unsigned char *bytes = NULL;
  char *before = ofw_format("%s.1", path);
  ofw_status st = before ? ofw_checkpoint_pack(state, about, &bytes, &size, err) : ofw_fail_memory(err, strlen(path));
  if (st == OFW_OK)
    st = ofw_disk_replace(disk, path, before, bytes, size, err);
  free(before);
  free(bytes);
  return st;
}

/* ---- reading ---- */

void ofw_checkpoint_free(ofw_checkpoint *checkpoint)
{
  if (!checkpoint)
    return;
  ofw_state_free(&checkpoint->state);
  free(checkpoint->about);
  checkpoint->about = NULL;
}

/* What the first bytes of a file of this size say; `got` of them are there. */
static ofw_status check_header(const unsigned char *head, size_t got, uint64_t file_size, ofw_error *err)
{
  uint32_t version, order, sections, sum;
  uint64_t size;
  if (got < 8 || memcmp(head, magic, 8) != 0)
    return ofw_fail(err, OFW_BAD_DATA, "not a checkpoint");
  if (got < HEADER)
    return ofw_fail(err, OFW_BAD_DATA, "cut short within its header");
  memcpy(&version, head + 8, 4);
  memcpy(&order, head + 12, 4);
  memcpy(&size, head + 16, 8);
  memcpy(&sections, head + 24, 4);
  memcpy(&sum, head + 28, 4);
  if (order == 0x04030201)
    return ofw_fail(err, OFW_BAD_DATA, "written on a machine with the other byte order");
  if (sum != checksum(head, 28))
    return ofw_fail(err, OFW_BAD_DATA, "damaged: the header does not match its checksum");
  if (version < 1 || version > OFW_CHECKPOINT_VERSION)
    return ofw_fail(err, OFW_BAD_DATA, "has format version %u, but this ofw reads versions up to %d; use a newer ofw",
                    version, OFW_CHECKPOINT_VERSION);
  if (order != ORDER || sections != SECTIONS || size < HEADER)
    return ofw_fail(err, OFW_BAD_DATA, "damaged: its header contradicts itself");
  if (size != file_size)
    return ofw_fail(err, OFW_BAD_DATA, "%s: %llu of %llu bytes", size > file_size ? "cut short" : "too long",
                    (unsigned long long)file_size, (unsigned long long)size);
  return OFW_OK;
}

/* The section at *at, which has this name; its bytes are copied out, with a 0 behind them. */
static ofw_status take_section(const unsigned char **at, const unsigned char *end, const char *name, void **out,
                               size_t *out_size, ofw_error *err)
{
  size_t left = (size_t)(end - *at);
  const unsigned char *section = *at;
  char expected[NAME] = {0};
  uint64_t size = 0, sum;
  memcpy(expected, name, strlen(name));
  if (left >= SECTION)
    memcpy(&size, section + NAME, 8);
  if (left < SECTION || size > left || padded((size_t)size) > left - SECTION)
    return ofw_fail(err, OFW_BAD_DATA, "damaged: section '%s' is larger than the file", name);
  memcpy(&sum, section + 16 + padded((size_t)size), 8);
  if (sum != checksum(section, 16 + padded((size_t)size)))
    return ofw_fail(err, OFW_BAD_DATA, "damaged: section '%s' does not match its checksum", name);
  if (memcmp(section, expected, NAME) != 0)
    return ofw_fail(err, OFW_BAD_DATA, "damaged: found section '%.8s', expected '%s'", (const char *)section, name);
  char *bytes = malloc((size_t)size + 1);
  if (!bytes)
    return ofw_fail_memory(err, (size_t)size + 1);
  memcpy(bytes, section + 16, (size_t)size);
  bytes[size] = 0;
  *out = bytes;
  *out_size = (size_t)size;
  *at += SECTION + padded((size_t)size);
  return OFW_OK;
}

static ofw_status take_sections(const unsigned char *bytes, size_t size, ofw_checkpoint *out, ofw_error *err)
{
  const unsigned char *at = bytes + HEADER, *end = bytes + size;
  ofw_checkpoint c = {0};
  void *about = NULL, *state = NULL;
  size_t about_size;
  ofw_status st = take_section(&at, end, names[0], &about, &about_size, err);
  if (st == OFW_OK)
    st = take_section(&at, end, names[1], &state, &c.state.size, err);
  if (st == OFW_OK && at != end)
    st = ofw_fail(err, OFW_BAD_DATA, "damaged: bytes follow its last section");
  c.about = about;
  c.state.bytes = state;
  if (st == OFW_OK) {
    ofw_checkpoint_free(out);
    *out = c;
  } else
    ofw_checkpoint_free(&c);
  return st;
}

ofw_status ofw_checkpoint_unpack(const unsigned char *bytes, size_t size, ofw_checkpoint *out, ofw_error *err)
{
  OFW_TRY(check_header(bytes, size < HEADER ? size : HEADER, size, err));
  return take_sections(bytes, size, out, err);
}

static ofw_status read_open(const ofw_disk *disk, int file, uint64_t file_size, ofw_checkpoint *out, ofw_error *err)
{
  unsigned char head[HEADER];
  ssize_t got = ofw_disk_read(disk, file, head, HEADER);
  if (got < 0)
    return ofw_fail(err, OFW_FAILED, "cannot be read: %s", strerror(errno));
  OFW_TRY(check_header(head, (size_t)got, file_size, err));
  size_t size = (size_t)file_size;
  unsigned char *bytes =
      size == file_size ? malloc(size) : NULL; /* not before the file has shown that it is that long */
  if (!bytes)
    return ofw_fail_memory(err, size);
  memcpy(bytes, head, HEADER);
  got = ofw_disk_read(disk, file, bytes + HEADER, size - HEADER);
  ofw_status st;
  if (got < 0)
    st = ofw_fail(err, OFW_FAILED, "cannot be read: %s", strerror(errno));
  else if ((size_t)got != size - HEADER)
    st = ofw_fail(err, OFW_BAD_DATA, "cut short while it was read");
  else
    st = take_sections(bytes, size, out, err);
  free(bytes);
  return st;
}

ofw_status ofw_checkpoint_read_file(const ofw_disk *disk, const char *path, ofw_checkpoint *out, ofw_error *err)
{
  uint64_t size = 0;
  ofw_error why = {0};
  OFW_TRY(ofw_disk_find(disk, path, &size, err));
  int file = disk->open(disk->ctx, path, O_RDONLY);
  if (file < 0)
    return ofw_fail(err, OFW_FAILED, "%.200s: cannot be opened: %s", path, strerror(errno));
  ofw_status st = read_open(disk, file, size, out, &why);
  disk->close(disk->ctx, file);
  return st == OFW_OK ? st : ofw_fail(err, st, "%.200s: %s", path, why.message);
}

ofw_status ofw_checkpoint_read(const ofw_disk *disk, const char *path, ofw_checkpoint *out, ofw_error *err)
{
  ofw_error why = {0};
  ofw_status st = ofw_checkpoint_read_file(disk, path, out, &why);
  if (st == OFW_OK)
    return st;
  ofw_checkpoint older = {0};
  char *before = ofw_format("%s.1", path);
  if (!before)
    return ofw_fail_memory(err, strlen(path) + 3);
  if (st == OFW_END)
    st = ofw_checkpoint_read_file(disk, before, out, err);
  else if (ofw_checkpoint_read_file(disk, before, &older, NULL) == OFW_OK)
    ofw_fail(err, st, "%s; the previous checkpoint, %.100s, is whole", why.message, before);
  else
    ofw_fail(err, st, "%s", why.message);
  ofw_checkpoint_free(&older);
  free(before);
  return st;
}
