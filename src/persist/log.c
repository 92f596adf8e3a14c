#include "persist/log.h"

#include "persist/log_read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
  OFW_TRY(make_room(log, length + OFW_LOG_SUM + 1, err));
  char *at = log->waiting + log->waits;
  log->sum = ofw_log_chain(log->sum, line, length);
  snprintf(at, OFW_LOG_SUM + 1, "%08x ", log->sum);
  memcpy(at + OFW_LOG_SUM, line, length);
  at[OFW_LOG_SUM + length] = '\n';
  log->waits += OFW_LOG_SUM + length + 1;
  return OFW_OK;
}

ofw_status ofw_log_commit(ofw_log *log, ofw_error *err)
{
  if (log->waits == 0 || log->failed)
    return log->failed ? ofw_fail(err, OFW_FAILED, "%.200s: it has failed before", log->path) : OFW_OK;
  if (ofw_disk_write(log->disk, log->file, log->waiting, log->waits) == 0 && ofw_disk_sync(log->disk, log->file) == 0) {
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
  size_t n = strlen(ofw_log_first_line);
  OFW_TRY(make_room(log, n, err));
  memcpy(log->waiting, ofw_log_first_line, n);
  log->waits = n;
  log->sum = ofw_log_chain_start();
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
  int born = 0, whole = got >= 0 && (size_t)got == log->waits;
  for (ssize_t k = 0; k < got; k++) {
    born |= there[k] && there[k] != log->waiting[k];
    whole &= there[k] == log->waiting[k];
  }
  free(there);
  return got < 0 ? -1 : !born && !whole;
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
  failed = failed || ofw_disk_sync(log->disk, log->file) != 0 || log->disk->sync_folder(log->disk->ctx, log->path) != 0;
  log->size = found->bytes;
  return failed ? ofw_fail(err, OFW_FAILED, "%.200s: cannot be written: %s", log->path, strerror(errno)) : OFW_OK;
}

static ofw_status go_on(ofw_log *log, uint64_t size, ofw_log_reading *how, ofw_error *err)
{
  ofw_error why = {0};
  ofw_status st = ofw_log_scan(log->disk, log->file, size, how, &why);
  OFW_TRY(ofw_log_name(log->path, st, &why, err));
  log->waits = 0;
  log->sum = how->sum;
  return mend(log, how->found, err);
}

static int rewind_file(const ofw_log *log)
{
  return log->disk->seek(log->disk->ctx, log->file, 0);
}

static ofw_status open_locked(ofw_log *log, const char *build, ofw_log_reading *how, ofw_error *err)
{
  uint64_t size;
  if (log->disk->lock(log->disk->ctx, log->file) != 0)
    return ofw_fail(err, OFW_FAILED, "%.200s: %s", log->path,
                    errno == EWOULDBLOCK ? "another process has it open" : strerror(errno));
  OFW_TRY(ofw_log_find(log->disk, log->path, &size, err));
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
  ofw_log_reading how = {each, ctx, config, found, 0};
  *out = NULL;
  *found = (ofw_log_found){0};
  ofw_error why = {0};
  ofw_status st = ofw_disk_find(disk, path, &size, &why); /* nothing that opening could hang on */
  if (st != OFW_OK && st != OFW_END)
    return ofw_fail(err, st, "%s", why.message);
  ofw_log *log = calloc(1, sizeof *log);
  char *name = ofw_copy_text(path);
  if (!log || !name) {
    free(log);
    free(name);
    return ofw_fail_memory(err, sizeof *log + strlen(path));
  }
  *log = (ofw_log){.disk = disk, .path = name, .file = disk->open(disk->ctx, path, O_RDWR | O_CREAT)};
  st = log->file < 0 ? ofw_fail(err, OFW_FAILED, "%.200s: %s", path, strerror(errno))
                     : open_locked(log, build, &how, err);
  if (st == OFW_OK) {
    *out = log;
    return st;
  }
  ofw_log_close(log);
  ofw_log_found_free(found);
  return st;
}
