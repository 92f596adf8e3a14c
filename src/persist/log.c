/* log.c — a log is opened, takes lines and commits them; log.h has the format, log_read.c reads it */
#include "persist/log_handle.h"

#include "persist/log_format.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t ofw_log_pending(const ofw_log *log)
{
  return log ? log->waits : 0;
}

uint32_t ofw_log_sum(const ofw_log *log)
{
  return log->sum;
}

uint64_t ofw_log_dropped(const ofw_log *log)
{
  return log->dropped;
}

/* ---- lines and commits ---- */

static ofw_status make_room(ofw_log *log, size_t n, ofw_error *err)
{
  size_t used = OFW_LOG_MARK + log->waits; /* the commit's mark comes before its lines */
  return ofw_grow(&log->waiting, used, n, &log->room, 1, err);
}

ofw_status ofw_log_append(ofw_log *log, const char *line, size_t length, ofw_error *err)
{
  if (log->failed)
    return ofw_fail(err, OFW_FAILED, "%.200s: an earlier write failed, so it accepts no more lines", log->path);
  if (length > SIZE_MAX / 4)
    return ofw_fail_memory(err, length);
  OFW_TRY(make_room(log, OFW_LOG_SUM + length + 1, err));
  char *at = log->waiting + OFW_LOG_MARK + log->waits;
  log->sum = ofw_log_chain(log->sum, line, length);
  ofw_log_sum_write(log->sum, at);
  memcpy(at + OFW_LOG_SUM, line, length);
  at[OFW_LOG_SUM + length] = '\n';
  log->waits += OFW_LOG_SUM + length + 1;
  return OFW_OK;
}

/* The lines that wait become a commit that would begin at byte `at`: padded, behind their mark. Returns its first byte. */
static ofw_status seal(ofw_log *log, uint64_t at, char **first, size_t *size, ofw_error *err)
{
  char mark[OFW_LOG_MARK + 1];
  ofw_log_mark m = {OFW_LOG_COMMIT, log->commits, log->waits, log->committed_sum};
  size_t padding = ofw_log_padding(at + ofw_log_mark_write(&m, mark) + log->waits);
  m.bytes += padding;
  size_t length = ofw_log_mark_write(&m, mark);
  OFW_TRY(make_room(log, padding, err));
  char *lines = log->waiting + OFW_LOG_MARK;
  if (padding > 0) {
    memset(lines + log->waits, ' ', padding - 1);
    lines[log->waits + padding - 1] = '\n';
  }
  *first = lines - length;
  memcpy(*first, mark, length);
  *size = length + log->waits + padding;
  return OFW_OK;
}

ofw_status ofw_log_write(ofw_log *log, ofw_error *err)
{
  char *first;
  size_t size;
  if (log->failed)
    return ofw_fail(err, OFW_FAILED, "%.200s: an earlier write failed", log->path);
  if (log->waits == 0)
    return OFW_OK;
  OFW_TRY(seal(log, log->size, &first, &size, err));
  if (ofw_disk_write(log->disk, log->file, first, size) != 0)
    return ofw_log_give_up(log, strerror(errno), err);
  log->size += size;
  log->waits = 0;
  log->commits++;
  log->committed_sum = log->sum;
  return OFW_OK;
}

ofw_status ofw_log_give_up(ofw_log *log, const char *why, ofw_error *err)
{
  log->failed = 1;
  return ofw_fail(err, OFW_FAILED, "%.200s: cannot be written: %s", log->path, why);
}

/* What was written is the end of the file that the path names: nobody has removed, replaced or cut it meanwhile. */
static ofw_status check_place(ofw_log *log, ofw_error *err)
{
  uint64_t size;
  int there = log->disk->holds(log->disk->ctx, log->path, log->file, &size);
  if (there < 0)
    return ofw_log_give_up(log, strerror(errno), err);
  if (there == 0)
    return ofw_log_give_up(log, "it was removed or replaced while it was open", err);
  if (size != log->size)
    return ofw_log_give_up(log, "another program has changed its size while it was open", err);
  return OFW_OK;
}

ofw_status ofw_log_commit(ofw_log *log, ofw_error *err)
{
  uint64_t before = log->size;
  int waits = log->waits > 0;
  ofw_status st = ofw_log_write(log, err);
  /* after a failed sync nobody knows what is on the disk: it is not tried again */
  if (st == OFW_OK && waits && ofw_disk_sync(log->disk, log->file) != 0)
    st = ofw_log_give_up(log, strerror(errno), err);
  if (st == OFW_OK)
    return waits ? check_place(log, err) : OFW_OK;
  if (waits && log->file >= 0)
    log->disk->cut(log->disk->ctx, log->file, before);
  return st;
}

/* ---- the end ---- */

/* So that whoever opens it next knows that nothing was under way: then no damage can pass for a torn commit. Not synced,
 * since nothing is lost without it. */
static void write_end(ofw_log *log)
{
  char marks[OFW_LOG_MARK * OFW_LOG_END_MARKS + 1];
  uint64_t size;
  const ofw_log_mark m = {OFW_LOG_END, log->commits - 1, log->size, log->committed_sum};
  if (log->disk->holds(log->disk->ctx, log->path, log->file, &size) != 1 || size != log->size)
    return;
  ofw_log_mark_write(&m, marks);
  for (size_t k = 1; k < OFW_LOG_END_MARKS; k++)
    memcpy(marks + k * OFW_LOG_MARK, marks, OFW_LOG_MARK);
  if (ofw_disk_write(log->disk, log->file, marks, OFW_LOG_MARK * OFW_LOG_END_MARKS) != 0)
    log->disk->cut(log->disk->ctx, log->file, log->size);
}

void ofw_log_close(ofw_log *log)
{
  if (!log)
    return;
  if (log->started && !log->failed)
    write_end(log);
  if (log->file >= 0)
    log->disk->close(log->disk->ctx, log->file);
  free(log->waiting);
  free(log->path);
  free(log->target);
  free(log->header_build);
  free(log->header_config);
  free(log);
}

/* ---- opening ---- */

ofw_log *ofw_log_new(const ofw_disk *disk, const char *path, const char *build, const char *config, ofw_error *err)
{
  ofw_log *log = calloc(1, sizeof *log);
  if (log) {
    *log = (ofw_log){.disk = disk, .file = -1};
    log->path = ofw_copy_text(path);
    log->header_build = ofw_copy_text(build);
    log->header_config = ofw_copy_text(config);
  }
  if (log && log->path && log->header_build && log->header_config)
    return log;
  ofw_log_close(log);
  ofw_fail_memory(err, sizeof *log + strlen(path) + strlen(build) + strlen(config));
  return NULL;
}

/* The header waits for a commit, behind the first line. */
static ofw_status append_header(ofw_log *log, uint64_t dropped, const uint32_t *from_sum, ofw_error *err)
{
  char from[64];
  log->waits = 0;
  log->commits = 0;
  log->sum = log->committed_sum = ofw_log_chain(0, ofw_log_first_line, strlen(ofw_log_first_line) - 1);
  OFW_TRY(ofw_log_append(log, log->header_build, strlen(log->header_build), err));
  OFW_TRY(ofw_log_append(log, log->header_config, strlen(log->header_config), err));
  uint32_t sum = from_sum ? *from_sum : log->sum;
  int n = snprintf(from, sizeof from, "from=%" PRIu64 " sum=%08" PRIx32, dropped, sum);
  OFW_TRY(ofw_log_append(log, from, (size_t)n, err));
  log->sum = sum; /* the lines go on from there */
  return OFW_OK;
}

/* A new log's first bytes in memory, to be freed. */
static ofw_status make_header(ofw_log *log, uint64_t dropped, const uint32_t *from_sum, char **out, size_t *size,
                              ofw_error *err)
{
  const size_t head = strlen(ofw_log_first_line);
  char *first;
  OFW_TRY(append_header(log, dropped, from_sum, err));
  OFW_TRY(seal(log, head, &first, size, err));
  *out = malloc(head + *size);
  if (!*out)
    return ofw_fail_memory(err, head + *size);
  memcpy(*out, ofw_log_first_line, head);
  memcpy(*out + head, first, *size);
  *size += head;
  log->waits = 0;
  return OFW_OK;
}

ofw_status ofw_log_begin(ofw_log *log, uint64_t dropped, const uint32_t *from_sum, ofw_error *err)
{
  char *header = NULL;
  size_t size;
  OFW_TRY(make_header(log, dropped, from_sum, &header, &size, err));
  int failed = ofw_disk_write(log->disk, log->file, header, size);
  free(header);
  if (failed)
    return ofw_log_give_up(log, strerror(errno), err);
  log->size = size;
  log->commits = 1;
  log->committed_sum = log->sum;
  log->dropped = dropped;
  return OFW_OK;
}

/* 1: the file is the beginning of the header that this log would have, with zeros maybe: it was being made when the power
 * went. -1: after an error. */
static int is_stillborn(ofw_log *log, uint64_t size, ofw_error *err)
{
  char *header = NULL, *there = NULL;
  size_t whole;
  int born = 0, same = 1;
  if (make_header(log, 0, NULL, &header, &whole, err) != OFW_OK)
    return -1;
  ssize_t got = size > whole ? 0 : -1;
  if (size <= whole) {
    there = malloc(whole);
    got = there ? ofw_disk_read(log->disk, log->file, there, (size_t)size) : -1;
  }
  if (got < 0)
    ofw_fail(err, OFW_FAILED, "%.200s: cannot be read: %s", log->path, strerror(errno));
  for (ssize_t k = 0; k < got; k++) {
    born |= there[k] && there[k] != header[k];
    same &= there[k] == header[k];
  }
  free(header);
  free(there);
  if (got < 0)
    return -1;
  return size <= whole && !born && !(same && size == whole);
}

static ofw_status lock(ofw_log *log, uint64_t *size, ofw_error *err)
{
  if (log->disk->lock(log->disk->ctx, log->file) != 0)
    return ofw_fail(err, OFW_FAILED, "%.200s: %s", log->path,
                    errno == EWOULDBLOCK ? "another process has it open" : strerror(errno));
  int there = log->disk->holds(log->disk->ctx, log->path, log->file, size);
  if (there < 0)
    return ofw_fail(err, OFW_FAILED, "%.200s: %s", log->path, strerror(errno));
  return there ? OFW_OK : ofw_fail(err, OFW_FAILED, "%.200s: another process has just replaced it", log->path);
}

static ofw_status read_existing(ofw_log *log, ofw_log_reading *how, ofw_error *err)
{
  uint64_t size;
  ofw_error why = {0};
  OFW_TRY(lock(log, &size, err));
  log->stillborn = is_stillborn(log, size, err);
  if (log->stillborn < 0)
    return err ? err->status : OFW_FAILED;
  if (log->stillborn)
    return OFW_OK;
  if (log->disk->seek(log->disk->ctx, log->file, 0) != 0)
    return ofw_fail(err, OFW_FAILED, "%.200s: cannot be read: %s", log->path, strerror(errno));
  ofw_status st = ofw_log_scan(log->disk, log->file, size, how, &why);
  OFW_TRY(ofw_log_name(log->path, st, &why, err));
  log->sum = log->committed_sum = how->sum;
  log->size = how->found->bytes;
  log->torn = how->found->torn;
  log->commits = how->found->commits + 1;
  log->dropped = how->found->dropped;
  log->version = how->found->version;
  return OFW_OK;
}

ofw_status ofw_log_open(const ofw_disk *disk, const char *path, const char *build, const char *config,
                        ofw_log_line each, void *ctx, ofw_log **out, ofw_log_found *found, ofw_error *err)
{
  uint64_t size;
  ofw_error why = {0};
  ofw_log_reading how = {each, ctx, config, found, 0};
  *out = NULL;
  *found = (ofw_log_found){0};
  ofw_status st = ofw_disk_find(disk, path, &size, &why); /* nothing that opening could hang on */
  if (st != OFW_OK && st != OFW_END)
    return ofw_fail(err, st, "%s", why.message);
  ofw_log *log = ofw_log_new(disk, path, build, config, err);
  if (!log)
    return OFW_FAILED;
  if (st == OFW_OK) {
    log->file = disk->open(disk->ctx, path, O_RDWR | O_APPEND);
    st = log->file < 0 ? ofw_fail(err, OFW_FAILED, "%.200s: %s", path, strerror(errno)) : read_existing(log, &how, err);
  } else
    st = OFW_OK; /* it is made by ofw_log_start */
  if (st == OFW_OK) {
    *out = log;
    return st;
  }
  ofw_log_close(log);
  return st;
}

/* ---- starting ---- */

static ofw_status refuse_start(const ofw_log *log, ofw_error *err)
{
  return ofw_fail(err, OFW_FAILED, "%.200s: cannot be written: %s", log->path, strerror(errno));
}

/* A file that is not there, or the beginning of a header. */
static ofw_status make(ofw_log *log, ofw_error *err)
{
  uint64_t size = 0;
  if (log->file < 0) {
    log->file = log->disk->open(log->disk->ctx, log->path, O_RDWR | O_APPEND | O_CREAT);
    if (log->file < 0)
      return ofw_fail(err, OFW_FAILED, "%.200s: %s", log->path, strerror(errno));
    OFW_TRY(lock(log, &size, err));
    if (size > 0)
      return ofw_fail(err, OFW_FAILED, "%.200s: another process has just made it", log->path);
  }
  if (log->disk->cut(log->disk->ctx, log->file, 0) != 0)
    return refuse_start(log, err);
  ofw_status st = ofw_log_begin(log, 0, NULL, err);
  if (st != OFW_OK)
    log->disk->cut(log->disk->ctx, log->file, 0);
  return st;
}

/* The bytes behind the last whole commit go to path.torn; whatever had that name to path.torn.1. */
static ofw_status keep_torn(const ofw_log *log, ofw_error *err)
{
  char *bytes = ofw_array((size_t)log->torn, 1);
  char *name = ofw_format("%s.torn", log->target), *before = ofw_format("%s.torn.1", log->target);
  ofw_status st = OFW_OK;
  if (!bytes || !name || !before)
    st = ofw_fail_memory(err, (size_t)log->torn);
  else if (log->disk->seek(log->disk->ctx, log->file, log->size) != 0 ||
           ofw_disk_read(log->disk, log->file, bytes, (size_t)log->torn) != (ssize_t)log->torn)
    st = ofw_fail(err, OFW_FAILED, "%.200s: cannot be read: %s", log->path, strerror(errno));
  else {
    ofw_error why = {0};
    st = ofw_disk_replace(log->disk, name, before, bytes, (size_t)log->torn, &why);
    st = ofw_log_name(log->path, st, &why, err);
  }
  free(bytes);
  free(name);
  free(before);
  return st;
}

ofw_status ofw_log_start(ofw_log *log, ofw_error *err)
{
  if (log->file < 0 || log->stillborn)
    OFW_TRY(make(log, err));
  log->target = log->disk->resolve(log->disk->ctx, log->path);
  if (!log->target)
    return refuse_start(log, err);
  if (log->torn > 0)
    OFW_TRY(keep_torn(log, err));
  if (log->version == 1)
    OFW_TRY(ofw_log_rewrite(log, 0, err));
  /* Without what is torn and without end marks. And synced, the file's name too, even if there was nothing to cut: a
   * process that was killed may have made the file or written commits that it did not come to sync, and now they count. */
  if (log->disk->cut(log->disk->ctx, log->file, log->size) != 0 || ofw_disk_sync(log->disk, log->file) != 0 ||
      log->disk->sync_folder(log->disk->ctx, log->target) != 0)
    return refuse_start(log, err);
  log->started = 1;
  return OFW_OK;
}
