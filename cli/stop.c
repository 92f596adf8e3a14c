/* stop.c — signal handlers that note the signal and wake poll by a pipe
 *
 * The second signal ends the program at once: its handler is gone by then.
 */
#include "stop.h"

#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

atomic_int stop_signal;

/* What the handler writes to and poll looks at, so that a signal just before it waits is not missed. */
static int wake[2] = {-1, -1};

static void note(int number)
{
  int before = errno;
  if (stop_signal) { /* its handler is gone by now, so that it ends the program when this returns */
    (void)raise(number);
    return;
  }
  stop_signal = number;
  if (wake[1] >= 0 && write(wake[1], "", 1) < 0)
    errno = 0; /* the pipe is full: poll will wake up */
  errno = before;
}

void stop_on_signals(void)
{
  struct sigaction action = {.sa_handler = note, .sa_flags = (int)SA_RESETHAND};
  if (wake[0] < 0 && pipe2(wake, O_NONBLOCK | O_CLOEXEC) != 0)
    wake[0] = wake[1] = -1; /* then only read's EINTR tells */
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

int stop_code(void)
{
  return stop_signal == SIGTERM ? EXIT_TERMINATED : EXIT_INTERRUPTED;
}

int wait_for(int file, short what)
{
  struct pollfd on[] = {{.fd = file, .events = what}, {.fd = wake[0], .events = POLLIN}};
  do {
    if (poll(on, 2, stop_signal ? 0 : -1) > 0 && on[0].revents)
      return 1;
  } while (!stop_signal);
  return 0;
}
