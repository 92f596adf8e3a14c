/* disk.h — the little that durable files ask of a file system
 *
 * Checkpoints and logs reach their files through this, so that a test can be a disk that runs full, fails, or loses what
 * was not synced. Every call behaves as the system call of its name: -1 and errno if it fails.
 */
#pragma once

#include "base/basics.h"

#include <sys/types.h>

typedef enum ofw_there {
  OFW_NOT_THERE,
  OFW_REGULAR,
  OFW_SPECIAL, /* a folder, a pipe, a device: nothing that may be read to its end or renamed */
  OFW_UNKNOWN  /* errno says why */
} ofw_there;

typedef struct ofw_disk {
  ofw_there (*look)(void *ctx, const char *path, uint64_t *size);
  int (*open)(void *ctx, const char *path, int flags);
  ssize_t (*read)(void *ctx, int file, void *bytes, size_t n);
  ssize_t (*write)(void *ctx, int file, const void *bytes, size_t n);
  int (*sync)(void *ctx, int file);
  int (*seek)(void *ctx, int file, uint64_t at);
  int (*cut)(void *ctx, int file, uint64_t size); /* and go on behind that */
  int (*lock)(void *ctx, int file);               /* EWOULDBLOCK: somebody else has it */
  int (*close)(void *ctx, int file);
  int (*rename)(void *ctx, const char *from, const char *to);
  int (*remove)(void *ctx, const char *path);
  int (*sync_folder)(void *ctx, const char *path); /* the one that holds path */
  /* 1: path still names this open file, which has *size bytes; 0: another one, or none; -1 and errno */
  int (*holds)(void *ctx, const char *path, int file, uint64_t *size);
  /* Where a path leads through symbolic links, to be freed; NULL and errno. */
  char *(*resolve)(void *ctx, const char *path);
  void *ctx;
} ofw_disk;

/* The machine's. */
extern const ofw_disk ofw_real_disk;

/* A regular file is there, of *size bytes. OFW_END: nothing is; OFW_BAD_DATA: something else; OFW_FAILED: nobody knows. */
ofw_status ofw_disk_find(const ofw_disk *disk, const char *path, uint64_t *size, ofw_error *err);
/* All n bytes; 0, or -1 and errno. */
int ofw_disk_write(const ofw_disk *disk, int file, const void *bytes, size_t n);
/* n bytes, fewer only at the end of the file; -1 and errno. */
ssize_t ofw_disk_read(const ofw_disk *disk, int file, void *bytes, size_t n);
/* All of it is on the disk; 0, or -1 and errno: then nobody knows what is, and trying again tells nothing. */
int ofw_disk_sync(const ofw_disk *disk, int file);

/* path.tmp, opened for writing, newly made: whatever had that name is gone, a symbolic link too. */
int ofw_disk_open_tmp(const ofw_disk *disk, const char *tmp);
/* A file that is whole or not there: n bytes go to path.tmp, are synced, and renamed to path, and the folder is synced.
 * `before`, if it is not NULL, is what a file at path is renamed to first. */
ofw_status ofw_disk_replace(const ofw_disk *disk, const char *path, const char *before, const void *bytes, size_t n,
                            ofw_error *err);
