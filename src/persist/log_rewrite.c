/* log_rewrite.c — a log's lines, all or the later ones, as a new log
 *
 * The new file is whole, synced and locked before it takes the old one's place, so that at every moment the path names a
 * log which has every line that was answered and not dropped, and no second process can open it in between.
 */
#include "persist/log_handle.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

enum { COMMIT_BYTES = 1 << 20 };

/* A log whose lines are copied while it is read. */
typedef struct copy {
  ofw_log *to;
  ofw_log_found found; /* of the one that is read */
  uint64_t drop;       /* lines up to and with this one stay behind */
  uint32_t sum;        /* after them */
  int begun;
} copy;

static ofw_status begin(copy *c, ofw_error *err)
{
  char *build = ofw_copy_text(c->found.build), *config = ofw_copy_text(c->found.config);
  if (!build || !config) {
    free(build);
    free(config);
    return ofw_fail(err, OFW_FAILED, "out of memory");
  }
  free(c->to->header_build);
  free(c->to->header_config);
  c->to->header_build = build;
  c->to->header_config = config;
  c->begun = 1;
  int drops = c->drop > c->found.dropped;
  return ofw_log_begin(c->to, drops ? c->drop : c->found.dropped, drops ? &c->sum : &c->found.from_sum, err);
}

static ofw_status copy_line(void *ctx, uint64_t number, const char *line, size_t length, uint32_t sum, ofw_error *err)
{
  copy *c = ctx;
  if (number <= c->drop) {
    c->sum = sum;
    return OFW_OK;
  }
  if (!c->begun)
    OFW_TRY(begin(c, err));
  OFW_TRY(ofw_log_append(c->to, line, length, err));
  return ofw_log_pending(c->to) < COMMIT_BYTES ? OFW_OK : ofw_log_write(c->to, err);
}

/* All that the file has up to this size, into c->to, whose file is open and empty, and onto the disk. Damage, if there is
 * any, is not copied; *damage says whether. */
static ofw_status copy_lines(copy *c, const ofw_disk *disk, int file, uint64_t size, int *damage, ofw_error *err)
{
  ofw_log_reading how = {.each = copy_line, .ctx = c, .found = &c->found};
  ofw_status st = disk->seek(disk->ctx, file, 0) == 0
                      ? ofw_log_scan(disk, file, size, &how, err)
                      : ofw_fail(err, OFW_FAILED, "cannot be read: %s", strerror(errno));
  *damage = st == OFW_BAD_DATA && c->found.version && c->found.config && !c->to->failed;
  if (st != OFW_OK && !*damage)
    return st;
  if (!c->begun)
    OFW_TRY(begin(c, err));
  OFW_TRY(ofw_log_write(c->to, err));
  return ofw_disk_sync(disk, c->to->file) == 0 ? OFW_OK : ofw_log_give_up(c->to, strerror(errno), err);
}

/* The new file takes the old one's name, and the log goes on in it. */
static ofw_status swap(ofw_log *log, ofw_log *new, const char *tmp, ofw_error *err)
{
  const ofw_disk *disk = log->disk;
  if (disk->lock(disk->ctx, new->file) != 0 || disk->rename(disk->ctx, tmp, log->target) != 0)
    return ofw_fail(err, OFW_FAILED, "%.200s: cannot be rewritten: %s", log->path, strerror(errno));
  int old = log->file;
  log->file = new->file;
  new->file = old;
  log->version = OFW_LOG_VERSION;
  log->size = new->size;
  log->commits = new->commits;
  log->dropped = new->dropped;
  log->torn = 0;
  /* else a power cut may bring the old one back, without the lines to come */
  return disk->sync_folder(disk->ctx, log->target) == 0 ? OFW_OK : ofw_log_give_up(log, strerror(errno), err);
}

ofw_status ofw_log_rewrite(ofw_log *log, uint64_t line, ofw_error *err)
{
  const ofw_disk *disk = log->disk;
  ofw_error why = {0};
  char *tmp = ofw_format("%s.tmp", log->target);
  int damage = 0;
  copy c = {.drop = line};
  c.to = tmp ? ofw_log_new(disk, log->path, "", "", err) : NULL;
  if (!c.to) {
    free(tmp);
    return ofw_fail_memory(err, strlen(log->path));
  }
  c.to->file = ofw_disk_open_tmp(disk, tmp);
  ofw_status st = c.to->file < 0
                      ? ofw_fail(err, OFW_FAILED, "%.200s: cannot be rewritten: %s", log->path, strerror(errno))
                      : ofw_log_name(log->path, copy_lines(&c, disk, log->file, log->size, &damage, &why), &why, err);
  if (st == OFW_OK && (damage || c.to->committed_sum != log->committed_sum))
    st = ofw_fail(err, OFW_BAD_DATA, "%.200s: changed while it was open", log->path);
  int made = c.to->file >= 0;
  if (st == OFW_OK)
    st = swap(log, c.to, tmp, err);
  if (st != OFW_OK && made && !log->failed)
    disk->remove(disk->ctx, tmp);
  ofw_log_found_free(&c.found);
  ofw_log_close(c.to);
  free(tmp);
  return st;
}

ofw_status ofw_log_drop(ofw_log *log, uint64_t line, ofw_error *err)
{
  if (log->failed)
    return ofw_fail(err, OFW_FAILED, "%.200s: an earlier write failed", log->path);
  return line <= log->dropped ? OFW_OK : ofw_log_rewrite(log, line, err);
}

ofw_status ofw_log_salvage(const ofw_disk *disk, const char *from, const char *to, ofw_log_found *found, ofw_error *err)
{
  uint64_t size;
  ofw_error why = {0};
  int damage, file = -1;
  copy c = {0};
  *found = (ofw_log_found){0};
  OFW_TRY(ofw_disk_find(disk, from, &size, err));
  c.to = ofw_log_new(disk, to, "", "", err);
  if (!c.to)
    return OFW_FAILED;
  file = disk->open(disk->ctx, from, O_RDONLY);
  c.to->file = file < 0 ? -1 : disk->open(disk->ctx, to, O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW);
  ofw_status st;
  if (c.to->file < 0)
    st = ofw_fail(err, OFW_FAILED, "%.200s: %s", file < 0 ? from : to, strerror(errno));
  else {
    st = ofw_log_name(from, copy_lines(&c, disk, file, size, &damage, &why), &why, err);
    if (st == OFW_OK && disk->sync_folder(disk->ctx, to) != 0)
      st = ofw_log_give_up(c.to, strerror(errno), err);
    if (st != OFW_OK)
      disk->remove(disk->ctx, to);
  }
  c.to->started = st == OFW_OK; /* then it ends as a log that was closed */
  ofw_log_close(c.to);
  if (file >= 0)
    disk->close(disk->ctx, file);
  *found = c.found;
  return st;
}
