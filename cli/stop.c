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

void wait_for_input(int file)
{
  struct pollfd on[] = {{.fd = file, .events = POLLIN}, {.fd = wake[0], .events = POLLIN}};
  while (!stop_signal && poll(on, 2, -1) < 0 && errno == EINTR)
    ;
}
