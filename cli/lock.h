/* lock.h — keeps a file for one process, by a file FILE.lock beside it that lasts as long as the process */
#pragma once

#include "cli.h"

typedef struct lock {
  int file; /* -1: not locked */
  char *path;
} lock;

/* 0, or an exit code after a complaint: another process has it, or the file beside it cannot be made. A process that is
 * killed leaves FILE.lock behind, which is in nobody's way. */
int lock_file(const command *self, const char *path, lock *out);
/* Also if it is not locked. */
void unlock_file(lock *l);
