#include "persist/log.h"

#include "base/lines.h"
#include "persist/state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { SUM = 9, SECTOR = 512, HEADER_LINES = 2 }; /* "9f0a3b7e " */
static const char first_line[] = "ofwlog 1\n";

struct ofw_log {
  const ofw_disk *disk;
  int file;
  char *path;
  uint64_t size; /* committed */
  uint32_t sum;  /* of all lines, those that wait too */
  char *waiting;
  size_t waits, room;
  int failed;
};

void ofw_log_found_free(ofw_log_found *found)
{
  free(found->build);
  free(found->config);
  *found = (ofw_log_found){0};
}

/* The chain goes on over a line and its newline. */
static uint32_t chain(uint32_t sum, const char *line, size_t length)
{
  uLong crc = sum;
  for (size_t at = 0; at < length; at += (size_t)1 << 30) {
    size_t n = length - at < (size_t)1 << 30 ? length - at : (size_t)1 << 30;
    crc = crc32(crc, (const Bytef *)line + at, (uInt)n);
  }
  return (uint32_t)crc32(crc, (const Bytef *)"\n", 1);
}

static uint32_t chain_start(void)
{
  return chain(0, first_line, strlen(first_line) - 1);
}

/* ---- reading ---- */

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
  char digits[SUM + 1];
  if (length < SUM)
    return 0;
  uint32_t next = chain(*sum, r->text + SUM, length - SUM);
  snprintf(digits, sizeof digits, "%08x ", next);
  if (memcmp(digits, r->text, SUM) != 0)
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
  char *copy = malloc(r->length - SUM + 1);
  if (!copy)
    return ofw_fail_memory(err, r->length);
  memcpy(copy, r->text + SUM, r->length - SUM);
  copy[r->length - SUM] = 0;
  *(k == 0 ? &found->build : &found->config) = copy;
  return OFW_OK;
}

/* What is done with each line, and before the first. */
typedef struct reading {
  ofw_log_line each;
  void *ctx;
  const char *config; /* NULL: any */
  ofw_log_found *found;
  uint32_t sum;
} reading;

static ofw_status take(reading *how, uint64_t k, const record *r, ofw_error *err)
{
  ofw_log_found *found = how->found;
  if (k < HEADER_LINES) {
    OFW_TRY(keep_header(found, k, r, err));
    if (k == 1 && how->config && strcmp(how->config, found->config) != 0)
      return ofw_config_refuse("a log written", found->config, how->config, err);
    return OFW_OK;
  }
  found->lines++;
  return how->each ? how->each(how->ctx, found->lines, r->text + SUM, r->length - SUM, how->sum, err) : OFW_OK;
}

static ofw_status refuse_line(ofw_line_status got, ofw_error *err)
{
  if (got == OFW_LINE_UNREAD)
    return ofw_fail(err, OFW_FAILED, "cannot be read: %s", strerror(errno));
  return ofw_fail(err, OFW_FAILED, "out of memory");
}

static ofw_status read_records(reading *how, ofw_lines *in, ofw_error *err)
{
  ofw_log_found *found = how->found;
  for (uint64_t k = 0;; k++) {
    record r = {.at = found->bytes};
    ofw_line_status got = ofw_lines_next(in, &r.text, &r.length);
    if (got == OFW_NO_LINE)
      return k < HEADER_LINES ? ofw_fail(err, OFW_BAD_DATA, "cut short within its header") : OFW_OK;
    if (got != OFW_LINE)
      return refuse_line(got, err);
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

static ofw_status read_open(source s, uint64_t size, reading *how, ofw_error *err)
{
  ofw_log_found *found = how->found;
  const char *line;
  size_t length, head = strlen(first_line) - 1;
  ofw_lines in = {.read = read_source, .ctx = &s, .limit = size < SIZE_MAX / 4 ? (size_t)size + 1 : SIZE_MAX / 4};
  ofw_status st = OFW_OK;
  ofw_line_status got = ofw_lines_next(&in, &line, &length);
  if (got != OFW_LINE && got != OFW_NO_LINE)
    st = refuse_line(got, err);
  else if (got == OFW_NO_LINE || length < 7 || memcmp(line, first_line, 7) != 0)
    st = ofw_fail(err, OFW_BAD_DATA, "not a log of ofw");
  else if (length != head || memcmp(line, first_line, head) != 0)
    st = ofw_fail(err, OFW_BAD_DATA, "of format version '%.*s', and this ofw reads up to %d",
                  (int)(length - 7 < 20 ? length - 7 : 20), line + 7, OFW_LOG_VERSION);
  else {
    how->sum = chain_start();
    found->bytes = length + 1;
    st = read_records(how, &in, err);
  }
  found->torn = size > found->bytes ? size - found->bytes : 0;
  ofw_lines_free(&in);
  return st;
}

/* `why` with the file's name before it. */
static ofw_status name_file(const char *path, ofw_status st, const ofw_error *why, ofw_error *err)
{
  return st == OFW_OK ? st : ofw_fail(err, st, "%.200s: %s", path, why->message);
}

static ofw_status check_place(const ofw_disk *disk, const char *path, int may_lack, uint64_t *size, ofw_error *err)
{
  *size = 0;
  switch (disk->look(disk->ctx, path, size)) {
  case OFW_NOT_THERE:
    return may_lack ? OFW_OK : ofw_fail(err, OFW_FAILED, "%.200s: %s", path, strerror(ENOENT));
  case OFW_SPECIAL:
    return ofw_fail(err, OFW_BAD_DATA, "%.200s: not a regular file", path);
  case OFW_UNKNOWN:
    return ofw_fail(err, OFW_FAILED, "%.200s: %s", path, strerror(errno));
  case OFW_REGULAR:
    break;
  }
  return OFW_OK;
}

ofw_status ofw_log_read(const ofw_disk *disk, const char *path, ofw_log_line each, void *ctx, ofw_log_found *found,
                        ofw_error *err)
{
  uint64_t size;
  ofw_error why = {0};
  reading how = {.each = each, .ctx = ctx, .found = found};
  *found = (ofw_log_found){0};
  OFW_TRY(check_place(disk, path, 0, &size, err));
  int file = disk->open(disk->ctx, path, O_RDONLY);
  if (file < 0)
    return ofw_fail(err, OFW_FAILED, "%.200s: %s", path, strerror(errno));
  ofw_status st = read_open((source){disk, file}, size, &how, &why);
  disk->close(disk->ctx, file);
  if (st != OFW_OK)
    ofw_log_found_free(found);
  return name_file(path, st, &why, err);
}

/* ---- writing ---- */

size_t ofw_log_pending(const ofw_log *log)
{
  return log ? log->waits : 0;
}

uint32_t ofw_log_sum(const ofw_log *log)
{
  return log->sum;
}

static ofw_status make_room(ofw_log *log, size_t n, ofw_error *err)
{
  if (n <= log->room - log->waits)
    return OFW_OK;
  size_t room = n > SIZE_MAX / 4 || log->waits > SIZE_MAX / 4 ? 0 : 2 * (log->waits + n);
  char *grown = room ? realloc(log->waiting, room) : NULL;
  if (!grown)
    return ofw_fail_memory(err, log->waits + n);
  log->waiting = grown;
  log->room = room;
  return OFW_OK;
}

ofw_status ofw_log_append(ofw_log *log, const char *line, size_t length, ofw_error *err)
{
  if (log->failed)
    return ofw_fail(err, OFW_FAILED, "%.200s: it has failed before, and takes no more lines", log->path);
  if (length > SIZE_MAX / 4)
    return ofw_fail_memory(err, length);
  OFW_TRY(make_room(log, length + SUM + 1, err));
  char *at = log->waiting + log->waits;
  log->sum = chain(log->sum, line, length);
  snprintf(at, SUM + 1, "%08x ", log->sum);
  memcpy(at + SUM, line, length);
  at[SUM + length] = '\n';
  log->waits += SUM + length + 1;
  return OFW_OK;
}

static int sync_log(const ofw_log *log)
{
  int failed;
  do
    failed = log->disk->sync(log->disk->ctx, log->file);
  while (failed && errno == EINTR);
  return failed;
}

ofw_status ofw_log_commit(ofw_log *log, ofw_error *err)
{
  if (log->waits == 0 || log->failed)
    return log->failed ? ofw_fail(err, OFW_FAILED, "%.200s: it has failed before", log->path) : OFW_OK;
  if (ofw_disk_write(log->disk, log->file, log->waiting, log->waits) == 0 && sync_log(log) == 0) {
    log->size += log->waits;
    log->waits = 0;
    return OFW_OK;
  }
  int why = errno; /* after a failed sync nobody knows what is on the disk: it is not tried again */
  log->failed = 1;
  log->disk->cut(log->disk->ctx, log->file, log->size);
  return ofw_fail(err, OFW_FAILED, "%.200s: cannot be written: %s", log->path, strerror(why));
}

void ofw_log_close(ofw_log *log)
{
  if (!log)
    return;
  if (log->file >= 0)
    log->disk->close(log->disk->ctx, log->file);
  free(log->waiting);
  free(log->path);
  free(log);
}

/* ---- opening ---- */

/* The header waits for a commit. */
static ofw_status append_header(ofw_log *log, const char *build, const char *config, ofw_error *err)
{
  size_t n = strlen(first_line);
  OFW_TRY(make_room(log, n, err));
  memcpy(log->waiting, first_line, n);
  log->waits = n;
  log->sum = chain_start();
  OFW_TRY(ofw_log_append(log, build, strlen(build), err));
  return ofw_log_append(log, config, strlen(config), err);
}

/* 1: the file is the beginning of this very header, with zeros maybe: a log that was being made when the power went.
 * -1: it cannot be read. */
static int is_stillborn(const ofw_log *log, uint64_t size)
{
  if (size > log->waits)
    return 0;
  char *there = malloc(log->waits);
  if (!there)
    return -1;
  ssize_t got = ofw_disk_read(log->disk, log->file, there, (size_t)size);
  int born = 0;
  for (ssize_t k = 0; k < got; k++)
    born |= there[k] && there[k] != log->waiting[k];
  free(there);
  if (got < 0)
    return -1;
  return !born && (uint64_t)got < log->waits;
}

static ofw_status begin(ofw_log *log, ofw_error *err)
{
  if (log->disk->cut(log->disk->ctx, log->file, 0) != 0)
    return ofw_fail(err, OFW_FAILED, "%.200s: cannot be written: %s", log->path, strerror(errno));
  OFW_TRY(ofw_log_commit(log, err));
  if (log->disk->sync_folder(log->disk->ctx, log->path) != 0)
    return ofw_fail(err, OFW_FAILED, "%.200s: its folder cannot be synced: %s", log->path, strerror(errno));
  return OFW_OK;
}

/* Behind the last whole line: without what is torn, with the newline that it lacks. And synced, the file's name too, even
 * where nothing was to be mended: a process that was killed may have made the file or written lines that it did not come
 * to sync, and from now on they count. */
static ofw_status mend(ofw_log *log, const ofw_log_found *found, ofw_error *err)
{
  uint64_t whole = found->bytes - (found->unterminated ? 1 : 0);
  int failed = log->disk->cut(log->disk->ctx, log->file, whole) != 0;
  if (!failed && found->unterminated)
    failed = ofw_disk_write(log->disk, log->file, "\n", 1) != 0;
  failed = failed || sync_log(log) != 0 || log->disk->sync_folder(log->disk->ctx, log->path) != 0;
  log->size = found->bytes;
  return failed ? ofw_fail(err, OFW_FAILED, "%.200s: cannot be written: %s", log->path, strerror(errno)) : OFW_OK;
}

static ofw_status go_on(ofw_log *log, uint64_t size, reading *how, ofw_error *err)
{
  ofw_error why = {0};
  ofw_status st = read_open((source){log->disk, log->file}, size, how, &why);
  OFW_TRY(name_file(log->path, st, &why, err));
  log->waits = 0;
  log->sum = how->sum;
  return mend(log, how->found, err);
}

static int rewind_file(const ofw_log *log)
{
  return log->disk->seek(log->disk->ctx, log->file, 0);
}

static ofw_status open_locked(ofw_log *log, const char *build, reading *how, ofw_error *err)
{
  uint64_t size;
  if (log->disk->lock(log->disk->ctx, log->file) != 0)
    return ofw_fail(err, OFW_FAILED, "%.200s: %s", log->path,
                    errno == EWOULDBLOCK ? "another process has it open" : strerror(errno));
  OFW_TRY(check_place(log->disk, log->path, 0, &size, err));
  OFW_TRY(append_header(log, build, how->config, err));
  int stillborn = is_stillborn(log, size);
  if (stillborn < 0 || rewind_file(log) != 0)
    return ofw_fail(err, OFW_FAILED, "%.200s: cannot be read: %s", log->path, strerror(errno));
  return stillborn ? begin(log, err) : go_on(log, size, how, err);
}

ofw_status ofw_log_open(const ofw_disk *disk, const char *path, const char *build, const char *config,
                        ofw_log_line each, void *ctx, ofw_log **out, ofw_log_found *found, ofw_error *err)
{
  uint64_t size;
  reading how = {each, ctx, config, found, 0};
  *out = NULL;
  *found = (ofw_log_found){0};
  OFW_TRY(check_place(disk, path, 1, &size, err));
  ofw_log *log = calloc(1, sizeof *log);
  char *name = ofw_copy_text(path);
  if (!log || !name) {
    free(log);
    free(name);
    return ofw_fail_memory(err, sizeof *log + strlen(path));
  }
  *log = (ofw_log){.disk = disk, .path = name, .file = disk->open(disk->ctx, path, O_RDWR | O_CREAT)};
  ofw_status st = log->file < 0 ? ofw_fail(err, OFW_FAILED, "%.200s: %s", path, strerror(errno))
                                : open_locked(log, build, &how, err);
  if (st == OFW_OK) {
    *out = log;
    return st;
  }
  ofw_log_close(log);
  ofw_log_found_free(found);
  return st;
}
