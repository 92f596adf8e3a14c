/* lock.c — flock on FILE.lock, which is removed while it is still locked
 *
 * Between open and flock another process may remove the file; then the lock is on no name, and is taken again.
 */
#include "lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

int lock_file(const command *self, const char *path, lock *out)
{
  uint64_t size;
  *out = (lock){-1, ofw_format("%s.lock", path)};
  if (!out->path)
    return no_memory(self);
  do {
    if (out->file >= 0)
      close(out->file);
    out->file = open(out->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (out->file < 0)
      return complain(self, EXIT_FAILED, "cannot write %s: %s", out->path, strerror(errno));
    if (flock(out->file, LOCK_EX | LOCK_NB) != 0) {
      int why = errno;
      close(out->file);
      out->file = -1; /* it is not ours to remove */
      return why == EWOULDBLOCK ? complain(self, EXIT_FAILED, "%s: another process has it open", path)
                                : complain(self, EXIT_FAILED, "cannot lock %s: %s", out->path, strerror(why));
    }
  } while (ofw_real_disk.holds(NULL, out->path, out->file, &size) != 1); /* it was removed before it was locked */
  return 0;
}

void unlock_file(lock *l)
{
  if (l->file >= 0) {
    unlink(l->path); /* while it is locked, so that nobody else has it */
    close(l->file);
  }
  free(l->path);
  *l = (lock){-1, NULL};
}
