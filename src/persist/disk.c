/* disk.c — the machine's own disk, and operations of durable files on any disk: whole reads and writes, syncs, replacing */
#include "persist/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the machine's ---- */

static ofw_there real_look(void *ctx, const char *path, uint64_t *size)
{
  (void)ctx;
  struct stat st;
  if (stat(path, &st) != 0)
    return errno == ENOENT ? OFW_NOT_THERE : OFW_UNKNOWN;
  if (!S_ISREG(st.st_mode))
    return OFW_SPECIAL;
  *size = (uint64_t)st.st_size;
  return OFW_REGULAR;
}

static int real_open(void *ctx, const char *path, int flags)
{
  (void)ctx;
  return open(path, flags | O_CLOEXEC, 0666);
}

static ssize_t real_read(void *ctx, int file, void *bytes, size_t n)
{
  (void)ctx;
  return read(file, bytes, n);
}

static ssize_t real_write(void *ctx, int file, const void *bytes, size_t n)
{
  (void)ctx;
  return write(file, bytes, n);
}

static int real_sync(void *ctx, int file)
{
  (void)ctx;
  return fsync(file);
}

static int real_seek(void *ctx, int file, uint64_t at)
{
  (void)ctx;
  return lseek(file, (off_t)at, SEEK_SET) < 0 ? -1 : 0;
}

static int real_cut(void *ctx, int file, uint64_t size)
{
  return ftruncate(file, (off_t)size) != 0 ? -1 : real_seek(ctx, file, size);
}

static int real_lock(void *ctx, int file)
{
  (void)ctx;
  return flock(file, LOCK_EX | LOCK_NB);
}

static int real_close(void *ctx, int file)
{
  (void)ctx;
  return close(file);
}

static int real_rename(void *ctx, const char *from, const char *to)
{
  (void)ctx;
  return rename(from, to);
}

static int real_remove(void *ctx, const char *path)
{
  (void)ctx;
  return unlink(path);
}

static int real_sync_folder(void *ctx, const char *path)
{
  (void)ctx;
  char *folder = ofw_copy_text(strchr(path, '/') ? path : "./");
  if (!folder)
    return -1;
  strrchr(folder, '/')[1] = 0;
  int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  free(folder);
  if (file < 0)
    return -1;
  int failed;
  do
    failed = fsync(file) != 0 && errno != EINVAL; /* which says that this file system does not sync folders */
  while (failed && errno == EINTR);
  int why = errno;
  close(file);
  errno = why;
  return failed ? -1 : 0;
}

static int real_holds(void *ctx, const char *path, int file, uint64_t *size)
{
  (void)ctx;
  struct stat named, open;
  if (fstat(file, &open) != 0)
    return -1;
  *size = (uint64_t)open.st_size;
  if (stat(path, &named) != 0)
    return errno == ENOENT || errno == ENOTDIR ? 0 : -1;
  return open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

static char *real_resolve(void *ctx, const char *path)
{
  (void)ctx;
  return realpath(path, NULL);
}

const ofw_disk ofw_real_disk = {.look = real_look,
                                .open = real_open,
                                .read = real_read,
                                .write = real_write,
                                .sync = real_sync,
                                .seek = real_seek,
                                .cut = real_cut,
                                .lock = real_lock,
                                .close = real_close,
                                .rename = real_rename,
                                .remove = real_remove,
                                .sync_folder = real_sync_folder,
                                .holds = real_holds,
                                .resolve = real_resolve};

/* ---- on any disk ---- */

ofw_status ofw_disk_find(const ofw_disk *disk, const char *path, uint64_t *size, ofw_error *err)
{
  *size = 0;
  switch (disk->look(disk->ctx, path, size)) {
  case OFW_NOT_THERE:
    return ofw_fail(err, OFW_END, "%.200s: no such file", path);
  case OFW_SPECIAL:
    return ofw_fail(err, OFW_BAD_DATA, "%.200s: expected a regular file", path);
  case OFW_UNKNOWN:
    return ofw_fail(err, OFW_FAILED, "%.200s: %s", path, strerror(errno));
  case OFW_REGULAR:
    break;
  }
  return OFW_OK;
}

int ofw_disk_write(const ofw_disk *disk, int file, const void *bytes, size_t n)
{
  for (const char *at = bytes; n > 0;) {
    ssize_t put = disk->write(disk->ctx, file, at, n);
    if (put < 0 && errno != EINTR)
      return -1;
    if (put == 0) { /* which no disk should say, and no loop should wait for */
      errno = EIO;
      return -1;
    }
    at += put > 0 ? put : 0;
    n -= put > 0 ? (size_t)put : 0;
  }
  return 0;
}

ssize_t ofw_disk_read(const ofw_disk *disk, int file, void *bytes, size_t n)
{
  size_t got = 0;
  while (got < n) {
    ssize_t more = disk->read(disk->ctx, file, (char *)bytes + got, n - got);
    if (more < 0 && errno != EINTR)
      return -1;
    if (more == 0)
      break;
    got += more > 0 ? (size_t)more : 0;
  }
  return (ssize_t)got;
}

int ofw_disk_sync(const ofw_disk *disk, int file)
{
  int failed;
  do
    failed = disk->sync(disk->ctx, file);
  while (failed && errno == EINTR);
  return failed;
}

int ofw_disk_open_tmp(const ofw_disk *disk, const char *tmp)
{
  if (disk->remove(disk->ctx, tmp) != 0 && errno != ENOENT)
    return -1;
  return disk->open(disk->ctx, tmp, O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW);
}

/* A new file of these bytes, on the disk for good; -1 and errno, and then it is gone. */
static int write_new(const ofw_disk *disk, const char *path, const void *bytes, size_t n)
{
  int file = ofw_disk_open_tmp(disk, path);
  if (file < 0)
    return -1;
  int failed = ofw_disk_write(disk, file, bytes, n) || ofw_disk_sync(disk, file);
  int why = errno;
  if (disk->close(disk->ctx, file) != 0 && !failed && errno != EINTR) {
    failed = 1;
    why = errno;
  }
  if (failed)
    disk->remove(disk->ctx, path);
  errno = why;
  return failed ? -1 : 0;
}

/* path.tmp becomes path, and what was there `before`; -1 and errno, and then path is what it was and path.tmp is gone. */
static int swap_in(const ofw_disk *disk, const char *path, const char *new, const char *before)
{
  int moved = before && disk->rename(disk->ctx, path, before) == 0;
  if ((!before || moved) && disk->rename(disk->ctx, new, path) == 0)
    return disk->sync_folder(disk->ctx, path);
  int why = errno;
  if (moved)
    disk->rename(disk->ctx, before, path);
  disk->remove(disk->ctx, new);
  errno = why;
  return -1;
}

ofw_status ofw_disk_replace(const ofw_disk *disk, const char *path, const char *before, const void *bytes, size_t n,
                            ofw_error *err)
{
  uint64_t size;
  char *tmp = ofw_format("%s.tmp", path);
  if (!tmp)
    return ofw_fail_memory(err, strlen(path) + 8);
  ofw_there there = disk->look(disk->ctx, path, &size);
  int failed = there == OFW_UNKNOWN;
  if (there == OFW_SPECIAL) { /* a device would be renamed as readily as a file */
    failed = 1;
    errno = EINVAL;
  }
  failed = failed || write_new(disk, tmp, bytes, n) != 0 ||
           swap_in(disk, path, tmp, there == OFW_REGULAR ? before : NULL) != 0;
  int why = errno;
  free(tmp);
  return failed ? ofw_fail(err, OFW_FAILED, "cannot write %.300s: %s", path, strerror(why)) : OFW_OK;
}
