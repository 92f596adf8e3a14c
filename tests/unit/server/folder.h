/* folder.h — a folder of a test's own, and a disk that fails once */
#pragma once

#include "persist/disk.h"
#include "unit/base/check.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct test_folder {
  char path[64];
} test_folder;

static inline test_folder folder_make(void)
{
  test_folder f = {"/tmp/ofw-server-XXXXXX"};
  assert_non_null(mkdtemp(f.path));
  return f;
}

static inline void folder_remove(const test_folder *f)
{
  char *command = ofw_format("rm -rf '%s'", f->path);
  assert_int_equal(system(command), 0);
  free(command);
}

/* The machine's disk, but the call number fail_at fails with this errno. */
typedef struct failing_disk {
  size_t calls, fail_at;
  int why;
  int hit;
} failing_disk;

static inline int fails(void *ctx)
{
  failing_disk *d = ctx;
  if (++d->calls != d->fail_at)
    return 0;
  d->hit = 1;
  errno = d->why;
  return 1;
}

static inline int failing_open(void *ctx, const char *path, int flags)
{
  return fails(ctx) ? -1 : ofw_real_disk.open(NULL, path, flags);
}

static inline ssize_t failing_write(void *ctx, int file, const void *bytes, size_t n)
{
  return fails(ctx) ? -1 : ofw_real_disk.write(NULL, file, bytes, n);
}

static inline int failing_sync(void *ctx, int file)
{
  return fails(ctx) ? -1 : ofw_real_disk.sync(NULL, file);
}

static inline int failing_cut(void *ctx, int file, uint64_t size)
{
  return fails(ctx) ? -1 : ofw_real_disk.cut(NULL, file, size);
}

static inline int failing_rename(void *ctx, const char *from, const char *to)
{
  return fails(ctx) ? -1 : ofw_real_disk.rename(NULL, from, to);
}

static inline int failing_sync_folder(void *ctx, const char *path)
{
  return fails(ctx) ? -1 : ofw_real_disk.sync_folder(NULL, path);
}

static inline ofw_disk failing_ops(failing_disk *d)
{
  ofw_disk ops = ofw_real_disk;
  ops.open = failing_open;
  ops.write = failing_write;
  ops.sync = failing_sync;
  ops.cut = failing_cut;
  ops.rename = failing_rename;
  ops.sync_folder = failing_sync_folder;
  ops.ctx = d;
  return ops;
}
