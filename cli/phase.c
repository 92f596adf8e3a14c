/* phase.c — a timer whose handler writes a text that was made before: a phase is one call that takes its time */
#include "phase.h"

#include "shown.h"
#include "terminal.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum { MICROSECONDS = 300000, PHASE_TEXT = 400 };

static struct {
  int on, moves, takes_signals;
  volatile sig_atomic_t shown;
  char text[2 * PHASE_TEXT], kept[2 * PHASE_TEXT]; /* as they are written */
  struct sigaction before[2];
} phase;
static const int taken[2] = {SIGINT, SIGTERM};

static void put(const char *text)
{
  if (write(STDERR_FILENO, text, strlen(text)) < 0)
    errno = 0; /* whoever cannot be told is not told */
}

static void on_alarm(int number)
{
  (void)number;
  int before = errno;
  phase.shown = 1;
  put(phase.text);
  errno = before;
}

static void clear_line(void)
{
  if (phase.shown && phase.moves)
    put("\r\033[K");
  phase.shown = 0;
}

static void on_stop(int number)
{
  clear_line();
  put(phase.kept);
  _exit(128 + number);
}

static void set_timer(long microseconds)
{
  const struct itimerval once = {.it_value = {.tv_usec = microseconds}};
  (void)setitimer(ITIMER_REAL, &once, NULL);
}

/* `text` as a terminal may show it, in at most `room` bytes. */
static void add_shown(char *out, size_t room, const char *text)
{
  char piece[SHOWN_PIECE];
  size_t end = 0;
  for (size_t n; (n = next_shown(text, piece)) > 0 && end + strlen(piece) < room; text += n)
    end += (size_t)(stpcpy(out + end, piece) - (out + end));
  out[end] = 0;
}

static void make_text(const char *what)
{
  char shown[PHASE_TEXT];
  phase.moves = terminal_moves(STDERR_FILENO);
  add_shown(shown, terminal_columns(STDERR_FILENO) - 3,
            what); /* dots stand for what does not fit, and the last column stays free */
  snprintf(phase.text, sizeof phase.text, "%s%s ..%s", phase.moves ? "\r" : "", shown, phase.moves ? "\033[K" : "\n");
}

static void take_signals(void)
{
  struct sigaction stop = {.sa_handler = on_stop};
  for (size_t i = 0; i < 2; i++)
    if (sigaction(taken[i], &stop, &phase.before[i]) == 0 && phase.before[i].sa_handler == SIG_IGN)
      (void)signal(taken[i], SIG_IGN); /* as the caller wants it */
  phase.takes_signals = 1;
}

void phase_begin(const command *self, const arguments *args, const char *kept, const char *format, ...)
{
  char what[PHASE_TEXT];
  va_list rest;
  phase_end();
  va_start(rest, format);
  vsnprintf(what, sizeof what, format, rest);
  va_end(rest);
  phase.on = 1;
  before_complaint = clear_line;
  if (kept) {
    char shown[PHASE_TEXT];
    add_shown(shown, sizeof shown, kept);
    snprintf(phase.kept, sizeof phase.kept, "%s %s: interrupted; %s\n", this_program.name, self->name, shown);
    take_signals();
  }
  if (args->value[OPT_QUIET] || !isatty(STDERR_FILENO))
    return;
  struct sigaction alarm = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
  make_text(what);
  sigaction(SIGALRM, &alarm, NULL);
  set_timer(MICROSECONDS);
}

void phase_end(void)
{
  if (!phase.on)
    return;
  set_timer(0);
  clear_line();
  for (size_t i = 0; i < 2 && phase.takes_signals; i++)
    sigaction(taken[i], &phase.before[i], NULL);
  phase.on = phase.takes_signals = 0;
}
