#include "persist/log_read.h"

#include "base/lines.h"
#include "persist/state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { SECTOR = 512, HEADER_LINES = 2 };
const char ofw_log_first_line[] = "ofwlog 1\n";

void ofw_log_found_free(ofw_log_found *found)
{
  free(found->build);
  free(found->config);
  *found = (ofw_log_found){0};
}

uint32_t ofw_log_chain(uint32_t sum, const char *line, size_t length)
{
  uLong crc = sum;
  for (size_t at = 0; at < length; at += (size_t)1 << 30) {
    size_t n = length - at < (size_t)1 << 30 ? length - at : (size_t)1 << 30;
    crc = crc32(crc, (const Bytef *)line + at, (uInt)n);
  }
  return (uint32_t)crc32(crc, (const Bytef *)"\n", 1);
}

uint32_t ofw_log_chain_start(void)
{
  return ofw_log_chain(0, ofw_log_first_line, strlen(ofw_log_first_line) - 1);
}

typedef struct source {
  const ofw_disk *disk;
  int file;
} source;

static ssize_t read_source(void *ctx, void *bytes, size_t n)
{
  source *s = ctx;
  return ofw_disk_read(s->disk, s->file, bytes, n);
}

/* A line of a log, at this place in the file. */
typedef struct record {
  const char *text; /* with its sum */
  size_t length;
  uint64_t at;
  int ended; /* by a newline */
} record;

/* 1: its sum fits, and *sum has moved on. */
static int fits(const record *r, size_t length, uint32_t *sum)
{
  char digits[OFW_LOG_SUM + 1];
  if (length < OFW_LOG_SUM)
    return 0;
  uint32_t next = ofw_log_chain(*sum, r->text + OFW_LOG_SUM, length - OFW_LOG_SUM);
  snprintf(digits, sizeof digits, "%08x ", next);
  if (memcmp(digits, r->text, OFW_LOG_SUM) != 0)
    return 0;
  *sum = next;
  return 1;
}

/* Zeros where a disk did not come to write a sector: from its beginning, or the record's, to its end, or the file's.
 * One flipped byte does not look so. */
static int has_lost_sector(const record *r)
{
  for (size_t k = 0; k < r->length;) {
    if (r->text[k]) {
      k++;
      continue;
    }
    size_t from = k;
    while (k < r->length && !r->text[k])
      k++;
    int begins = from == 0 || (r->at + from) % SECTOR == 0;
    int ends = (r->at + k) % SECTOR == 0 || (k == r->length && !r->ended);
    if (begins && ends)
      return 1;
  }
  return 0;
}

/* A record that does not fit: the end of a power cut, or damage? */
static int is_torn(const record *r, uint32_t sum)
{
  if (!r->ended)
    return !(r->length > 0 && fits(r, r->length - 1, &sum)); /* then its newline has become something else */
  return has_lost_sector(r);
}

static ofw_status keep_header(ofw_log_found *found, uint64_t k, const record *r, ofw_error *err)
{
  char *copy = malloc(r->length - OFW_LOG_SUM + 1);
  if (!copy)
    return ofw_fail_memory(err, r->length);
  memcpy(copy, r->text + OFW_LOG_SUM, r->length - OFW_LOG_SUM);
  copy[r->length - OFW_LOG_SUM] = 0;
  *(k == 0 ? &found->build : &found->config) = copy;
  return OFW_OK;
}

static ofw_status take(ofw_log_reading *how, uint64_t k, const record *r, ofw_error *err)
{
  ofw_log_found *found = how->found;
  if (k < HEADER_LINES) {
    OFW_TRY(keep_header(found, k, r, err));
    if (k == 1 && how->config && strcmp(how->config, found->config) != 0)
      return ofw_config_refuse("a log written", found->config, how->config, err);
    return OFW_OK;
  }
  found->lines++;
  return how->each ? how->each(how->ctx, found->lines, r->text + OFW_LOG_SUM, r->length - OFW_LOG_SUM, how->sum, err)
                   : OFW_OK;
}

static ofw_status refuse_line(ofw_line_status got, ofw_error *err)
{
  if (got == OFW_LINE_UNREAD)
    return ofw_fail(err, OFW_FAILED, "cannot be read: %s", strerror(errno));
  return ofw_fail(err, OFW_FAILED, "out of memory");
}

static ofw_status read_records(ofw_log_reading *how, ofw_lines *in, ofw_error *err)
{
  ofw_log_found *found = how->found;
  for (uint64_t k = 0;; k++) {
    char *line;
    record r = {.at = found->bytes};
    ofw_line_status got = ofw_lines_next(in, &line, &r.length);
    if (got == OFW_NO_LINE)
      return k < HEADER_LINES ? ofw_fail(err, OFW_BAD_DATA, "cut short within its header") : OFW_OK;
    if (got != OFW_LINE)
      return refuse_line(got, err);
    r.text = line;
    r.ended = in->ended;
    if (!fits(&r, r.length, &how->sum)) {
      if (k < HEADER_LINES || !is_torn(&r, how->sum))
        return ofw_fail(err, OFW_BAD_DATA, "damaged: line %llu, at byte %llu, does not fit its checksum",
                        (unsigned long long)k + 2, (unsigned long long)r.at);
      return OFW_OK; /* what follows is torn */
    }
    OFW_TRY(take(how, k, &r, err));
    found->unterminated = !r.ended;
    found->bytes += r.length + 1;
  }
}

ofw_status ofw_log_scan(const ofw_disk *disk, int file, uint64_t size, ofw_log_reading *how, ofw_error *err)
{
  ofw_log_found *found = how->found;
  char *line;
  size_t length, head = strlen(ofw_log_first_line) - 1;
  ofw_lines in = {.read = read_source,
                  .ctx = &(source){disk, file},
                  .limit = size < SIZE_MAX / 4 ? (size_t)size + 1 : SIZE_MAX / 4};
  ofw_status st = OFW_OK;
  ofw_line_status got = ofw_lines_next(&in, &line, &length);
  if (got != OFW_LINE && got != OFW_NO_LINE)
    st = refuse_line(got, err);
  else if (got == OFW_NO_LINE || length < 7 || memcmp(line, ofw_log_first_line, 7) != 0)
    st = ofw_fail(err, OFW_BAD_DATA, "not a log of ofw");
  else if (length != head || memcmp(line, ofw_log_first_line, head) != 0)
    st = ofw_fail(err, OFW_BAD_DATA, "of another format than this ofw reads, which is %d", OFW_LOG_VERSION);
  else {
    how->sum = ofw_log_chain_start();
    found->bytes = length + 1;
    st = read_records(how, &in, err);
  }
  found->torn = size > found->bytes ? size - found->bytes : 0;
  ofw_lines_free(&in);
  return st;
}

ofw_status ofw_log_name(const char *path, ofw_status st, const ofw_error *why, ofw_error *err)
{
  return st == OFW_OK ? st : ofw_fail(err, st, "%.200s: %s", path, why->message);
}

ofw_status ofw_log_find(const ofw_disk *disk, const char *path, uint64_t *size, ofw_error *err)
{
  ofw_status st = ofw_disk_find(disk, path, size, err);
  return st == OFW_END ? ofw_fail(err, OFW_FAILED, "%.200s: %s", path, strerror(ENOENT)) : st;
}

ofw_status ofw_log_read(const ofw_disk *disk, const char *path, ofw_log_line each, void *ctx, ofw_log_found *found,
                        ofw_error *err)
{
  uint64_t size;
  ofw_error why = {0};
  ofw_log_reading how = {.each = each, .ctx = ctx, .found = found};
  *found = (ofw_log_found){0};
  OFW_TRY(ofw_log_find(disk, path, &size, err));
  int file = disk->open(disk->ctx, path, O_RDONLY);
  if (file < 0)
    return ofw_fail(err, OFW_FAILED, "%.200s: %s", path, strerror(errno));
  ofw_status st = ofw_log_scan(disk, file, size, &how, &why);
  disk->close(disk->ctx, file);
  if (st != OFW_OK)
    ofw_log_found_free(found);
  return ofw_log_name(path, st, &why, err);
}
