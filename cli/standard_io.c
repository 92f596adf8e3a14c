/* standard_io.c — stdin and stdout, waited for in poll alone, where a signal is seen */
#include "standard_io.h"

#include "stop.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <unistd.h>

ssize_t read_stdin(void *ctx, void *bytes, size_t n)
{
  (void)ctx;
  for (;;) {
    wait_for(STDIN_FILENO, POLLIN);
    if (stop_signal) {
      errno = EINTR;
      return -1;
    }
    ssize_t got = read(STDIN_FILENO, bytes, n);
    if (got >= 0 || (errno != EINTR && errno != EAGAIN))
      return got;
  }
}

/* A pipe that can be written to takes PIPE_BUF bytes, so the program only ever waits in poll. */
int write_stdout(const char *bytes, size_t n)
{
  while (n > 0) {
    if (!wait_for(STDOUT_FILENO, POLLOUT)) {
      errno = EINTR;
      return 0;
    }
    ssize_t put = write(STDOUT_FILENO, bytes, n < PIPE_BUF ? n : PIPE_BUF);
    if (put < 0 && errno != EINTR && errno != EAGAIN) /* whoever shares this end may have made it non-blocking */
      return 0;
    if (put > 0) {
      bytes += put;
      n -= (size_t)put;
    }
  }
  return 1;
}
