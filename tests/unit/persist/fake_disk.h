/* fake_disk.h — a disk in memory that can fail, and lose power
 *
 * It writes down every change as it is made. After a power cut what was synced is there; of the rest each sector, each
 * file's size and each name is as it was at some time since, whichever: a real disk may write them in any order, or not at all.
 */
#ifndef OFW_TEST_FAKE_DISK_H
#define OFW_TEST_FAKE_DISK_H

#include "persist/disk.h"
#include "unit/base/check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef FAKE_BYTES /* how large a file can be; a test may want more */
#define FAKE_BYTES 16384
#endif
enum { FILES = 64, NAMES = 16, NAME_TEXT = 32, MOST_CHANGES = 1024, MOST_BYTES = FAKE_BYTES, SECTOR = 512 };

typedef enum change_kind { MADE, WROTE, CUT, RENAMED, REMOVED, SYNCED, SYNCED_FOLDER } change_kind;

typedef struct change {
  change_kind kind;
  int inode;
  size_t at, n; /* of the bytes that were written; n: also the size of a cut */
  unsigned char *bytes;
  char from[NAME_TEXT], to[NAME_TEXT];
} change;

typedef struct inode {
  unsigned char bytes[MOST_BYTES];
  size_t size;
} inode;

typedef struct fake_disk {
  inode *inode[FILES];
  struct {
    char name[NAME_TEXT];
    int inode; /* -1: free */
  } name[NAMES];
  struct {
    int inode; /* -1: closed */
    size_t at;
    int append;
  } file[FILES];
  int inodes;
  change change[MOST_CHANGES];
  size_t changes;
  /* the calls that can fail, and what the chosen one does */
  size_t calls, fail_at; /* 0: none does */
  int fail_with;         /* an errno; 0: it is short */
  int killed;            /* it and all that follow: the process is gone, and what it wrote is in memory still */
  int retryable;         /* it was a call that is to be made again after EINTR, or goes on after a short one */
  int locked;            /* somebody else has it */
} fake_disk;

static inline fake_disk *fake_new(void)
{
  fake_disk *d = calloc(1, sizeof *d);
  assert_non_null(d);
  for (size_t i = 0; i < NAMES; i++)
    d->name[i].inode = -1;
  for (size_t i = 0; i < FILES; i++)
    d->file[i].inode = -1;
  return d;
}

static inline void fake_free(fake_disk *d)
{
  for (int i = 0; i < d->inodes; i++)
    free(d->inode[i]);
  for (size_t i = 0; i < d->changes; i++)
    free(d->change[i].bytes);
  free(d);
}

/* 1: this call fails, with errno set, or is to be short. */
static inline int fake_fails(fake_disk *d, int *is_short)
{
  *is_short = 0;
  if (++d->calls != d->fail_at && !(d->killed && d->fail_at && d->calls > d->fail_at))
    return 0;
  errno = d->fail_with;
  *is_short = d->fail_with == 0;
  return 1;
}

/* The same of a call that cannot be short. */
static inline int fake_refuses(fake_disk *d)
{
  int is_short;
  return fake_fails(d, &is_short) && !is_short;
}

static inline int fake_find(const fake_disk *d, const char *name)
{
  for (int i = 0; i < NAMES; i++)
    if (d->name[i].inode >= 0 && strcmp(d->name[i].name, name) == 0)
      return i;
  return -1;
}

static inline void fake_link(fake_disk *d, const char *name, int to)
{
  int i = fake_find(d, name);
  for (int k = 0; i < 0 && k < NAMES; k++)
    if (d->name[k].inode < 0)
      i = k;
  assert_true(i >= 0);
  snprintf(d->name[i].name, NAME_TEXT, "%s", name);
  d->name[i].inode = to;
}

static inline void fake_unlink(fake_disk *d, const char *name)
{
  int i = fake_find(d, name);
  if (i >= 0)
    d->name[i].inode = -1;
}

static inline int fake_inode(fake_disk *d)
{
  assert_true(d->inodes < FILES);
  d->inode[d->inodes] = calloc(1, sizeof(inode));
  assert_non_null(d->inode[d->inodes]);
  return d->inodes++;
}

static inline void fake_note(fake_disk *d, change c, const void *bytes)
{
  assert_true(d->changes < MOST_CHANGES);
  if (bytes) {
    c.bytes = malloc(c.n);
    assert_non_null(c.bytes);
    memcpy(c.bytes, bytes, c.n);
  }
  d->change[d->changes++] = c;
}

static inline void fake_put(inode *f, size_t at, const unsigned char *bytes, size_t n)
{
  assert_true(at + n <= MOST_BYTES);
  memcpy(f->bytes + at, bytes, n);
  f->size = at + n > f->size ? at + n : f->size;
}

/* ---- the calls ---- */

static inline ofw_there fake_look(void *ctx, const char *path, uint64_t *size)
{
  fake_disk *d = ctx;
  int i = fake_find(d, path);
  if (fake_refuses(d))
    return OFW_UNKNOWN;
  if (i < 0)
    return OFW_NOT_THERE;
  *size = d->inode[d->name[i].inode]->size;
  return OFW_REGULAR;
}

static inline int fake_open(void *ctx, const char *path, int flags)
{
  fake_disk *d = ctx;
  int i = fake_find(d, path);
  if (fake_refuses(d))
    return -1;
  if (i < 0 && !(flags & O_CREAT)) {
    errno = ENOENT;
    return -1;
  }
  if (i >= 0 && flags & O_EXCL) {
    errno = EEXIST;
    return -1;
  }
  if (i < 0) {
    int made = fake_inode(d);
    change c = {.kind = MADE, .inode = made};
    snprintf(c.to, NAME_TEXT, "%s", path);
    fake_note(d, c, NULL);
    fake_link(d, path, made);
    i = fake_find(d, path);
  }
  int file = 0, at = d->name[i].inode;
  while (d->file[file].inode >= 0)
    assert_true(++file < FILES);
  d->file[file].inode = at;
  d->file[file].at = 0;
  d->file[file].append = (flags & O_APPEND) != 0;
  return file;
}

static inline ssize_t fake_read(void *ctx, int file, void *bytes, size_t n)
{
  fake_disk *d = ctx;
  const inode *f = d->inode[d->file[file].inode];
  size_t left = f->size - d->file[file].at;
  int is_short;
  d->retryable |= d->calls + 1 == d->fail_at;
  if (fake_fails(d, &is_short)) {
    if (!is_short)
      return -1;
    n = n > 1 ? n / 2 : n;
  }
  n = n < left ? n : left;
  memcpy(bytes, f->bytes + d->file[file].at, n);
  d->file[file].at += n;
  return (ssize_t)n;
}

static inline ssize_t fake_write(void *ctx, int file, const void *bytes, size_t n)
{
  fake_disk *d = ctx;
  int is_short;
  d->retryable |= d->calls + 1 == d->fail_at;
  if (fake_fails(d, &is_short)) {
    if (!is_short)
      return -1;
    n = n > 1 ? n / 2 : n;
  }
  if (d->file[file].append)
    d->file[file].at = d->inode[d->file[file].inode]->size;
  size_t at = d->file[file].at;
  fake_note(d, (change){.kind = WROTE, .inode = d->file[file].inode, .at = at, .n = n}, bytes);
  fake_put(d->inode[d->file[file].inode], at, bytes, n);
  d->file[file].at += n;
  return (ssize_t)n;
}

static inline int fake_sync(void *ctx, int file)
{
  fake_disk *d = ctx;
  d->retryable |= d->calls + 1 == d->fail_at;
  if (fake_refuses(d))
    return -1;
  fake_note(d, (change){.kind = SYNCED, .inode = d->file[file].inode}, NULL);
  return 0;
}

static inline int fake_seek(void *ctx, int file, uint64_t at)
{
  fake_disk *d = ctx;
  if (fake_refuses(d))
    return -1;
  d->file[file].at = (size_t)at;
  return 0;
}

static inline int fake_cut(void *ctx, int file, uint64_t size)
{
  fake_disk *d = ctx;
  if (fake_refuses(d))
    return -1;
  fake_note(d, (change){.kind = CUT, .inode = d->file[file].inode, .n = (size_t)size}, NULL);
  inode *f = d->inode[d->file[file].inode];
  assert_true(size <= f->size);
  memset(f->bytes + size, 0, f->size - (size_t)size);
  f->size = (size_t)size;
  d->file[file].at = (size_t)size;
  return 0;
}

static inline int fake_lock(void *ctx, int file)
{
  (void)file;
  fake_disk *d = ctx;
  if (fake_refuses(d))
    return -1;
  errno = EWOULDBLOCK;
  return d->locked ? -1 : 0;
}

static inline int fake_close(void *ctx, int file)
{
  fake_disk *d = ctx;
  assert_true(d->file[file].inode >= 0); /* once */
  d->file[file].inode = -1;
  return fake_refuses(d) ? -1 : 0;
}

static inline int fake_rename(void *ctx, const char *from, const char *to)
{
  fake_disk *d = ctx;
  int i = fake_find(d, from);
  if (fake_refuses(d))
    return -1;
  assert_true(i >= 0);
  change c = {.kind = RENAMED};
  snprintf(c.from, NAME_TEXT, "%s", from);
  snprintf(c.to, NAME_TEXT, "%s", to);
  fake_note(d, c, NULL);
  int moved = d->name[i].inode;
  fake_unlink(d, from);
  fake_link(d, to, moved);
  return 0;
}

static inline int fake_remove(void *ctx, const char *path)
{
  fake_disk *d = ctx;
  if (fake_refuses(d))
    return -1;
  if (fake_find(d, path) < 0) {
    errno = ENOENT;
    return -1;
  }
  change c = {.kind = REMOVED};
  snprintf(c.from, NAME_TEXT, "%s", path);
  fake_note(d, c, NULL);
  fake_unlink(d, path);
  return 0;
}

static inline int fake_sync_folder(void *ctx, const char *path)
{
  (void)path;
  fake_disk *d = ctx;
  if (fake_refuses(d))
    return -1;
  fake_note(d, (change){.kind = SYNCED_FOLDER}, NULL);
  return 0;
}

static inline int fake_holds(void *ctx, const char *path, int file, uint64_t *size)
{
  fake_disk *d = ctx;
  int i = fake_find(d, path);
  if (fake_refuses(d))
    return -1;
  *size = d->inode[d->file[file].inode]->size;
  return i >= 0 && d->name[i].inode == d->file[file].inode;
}

static inline char *fake_resolve(void *ctx, const char *path)
{
  return fake_refuses(ctx) ? NULL : ofw_copy_text(path);
}

static inline ofw_disk fake_ops(fake_disk *d)
{
  return (ofw_disk){fake_look,   fake_open,        fake_read,  fake_write,   fake_sync,
                    fake_seek,   fake_cut,         fake_lock,  fake_close,   fake_rename,
                    fake_remove, fake_sync_folder, fake_holds, fake_resolve, d};
}

/* ---- the power cut ---- */

/* What becomes of all that was not synced. */
enum { NOTHING_KEPT, ALL_KEPT, BY_CHANCE };
typedef struct luck {
  int of;
  uint64_t seed;
} luck;

/* A whole number from `low` to `high`: how many changes a sector, a size or a name has seen. */
static inline size_t seen(luck *by, size_t low, size_t high)
{
  if (by->of != BY_CHANCE)
    return by->of == ALL_KEPT ? high : low;
  return low + any_below(&by->seed, high - low + 1);
}

/* What changes from..to make of a file's size and, if `bytes` is not NULL, of its bytes in [at, at + n). */
static inline size_t file_after(const fake_disk *d, int of, size_t from, size_t to, size_t size, unsigned char *bytes,
                                size_t at, size_t n)
{
  for (size_t i = from; i < to; i++) {
    const change *c = &d->change[i];
    if (c->inode != of || (c->kind != WROTE && c->kind != CUT))
      continue;
    size_t first = c->kind == WROTE ? c->at : c->n, end = c->kind == WROTE ? c->at + c->n : MOST_BYTES;
    size = c->kind == CUT ? (c->n < size ? c->n : size) : (end > size ? end : size);
    first = first > at ? first : at;
    end = end < at + n ? end : at + n;
    if (!bytes || first >= end)
      continue;
    if (c->kind == CUT)
      memset(bytes + first - at, 0, end - first);
    else
      memcpy(bytes + first - at, c->bytes + first - c->at, end - first);
  }
  return size;
}

/* Every sector is as it was at some time since the last sync, and so is the size. */
static inline void keep_sectors(const fake_disk *d, const fake_disk *base, int of, size_t done, luck *by, inode *out)
{
  size_t since = 0;
  for (size_t k = 0; k < done; k++)
    if (d->change[k].kind == SYNCED && d->change[k].inode == of)
      since = k + 1;
  if (base && of < base->inodes)
    *out = *base->inode[of];
  out->size = file_after(d, of, 0, since, out->size, out->bytes, 0, MOST_BYTES);
  out->size = file_after(d, of, since, seen(by, since, done), out->size, NULL, 0, 0);
  for (size_t at = 0; at < out->size; at += SECTOR)
    file_after(d, of, since, seen(by, since, done), 0, out->bytes + at, at, SECTOR);
  memset(out->bytes + out->size, 0, MOST_BYTES - out->size);
}

/* Names that were changed after the last sync of the folder have changed or not, each for itself. */
static inline void keep_names(const fake_disk *d, size_t done, luck *by, fake_disk *after)
{
  size_t since = 0;
  for (size_t k = 0; k < done; k++)
    if (d->change[k].kind == SYNCED_FOLDER)
      since = k + 1;
  for (size_t k = 0; k < done; k++) {
    const change *c = &d->change[k];
    int from = c->kind == RENAMED ? fake_find(after, c->from) : -1;
    if (k >= since && !seen(by, 0, 1))
      continue;
    if (c->kind == MADE)
      fake_link(after, c->to, c->inode);
    else if (c->kind == REMOVED)
      fake_unlink(after, c->from);
    else if (from >= 0) {
      int moved = after->name[from].inode;
      fake_unlink(after, c->from);
      fake_link(after, c->to, moved);
    }
  }
}

/* The disk that is found where the power went after `done` changes to what was `base` (NULL: an empty one). */
static inline fake_disk *power_cut(const fake_disk *d, const fake_disk *base, size_t done, luck by)
{
  fake_disk *after = fake_new();
  for (int i = 0; i < d->inodes; i++)
    keep_sectors(d, base, i, done, &by, after->inode[fake_inode(after)]);
  for (size_t i = 0; base && i < NAMES; i++)
    after->name[i] = base->name[i];
  keep_names(d, done, &by, after);
  return after;
}

/* A disk to go on with, whose changes are counted from here. */
static inline fake_disk *fake_copy(const fake_disk *of)
{
  fake_disk *d = fake_new();
  for (int i = 0; i < of->inodes; i++)
    *d->inode[fake_inode(d)] = *of->inode[i];
  memcpy(d->name, of->name, sizeof d->name);
  return d;
}

#endif
