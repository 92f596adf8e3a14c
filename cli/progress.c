/* progress.c — what stands on stderr while many cells are played */
#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void progress_begin(progress *p, int quiet)
{
  *p = (progress){.quiet = quiet, .terminal = isatty(STDERR_FILENO), .begun = now()};
}

static void print_left(char *text, size_t room, double seconds)
{
  if (seconds < 100.0)
    snprintf(text, room, "%.0f s", seconds);
  else
    snprintf(text, room, "%.0f min", seconds / 60.0);
}

void progress_report(progress *p)
{
  enum { WIDTH = 40 };
  static const char full[] = "########################################";
  double share = (p->known_work + p->played_work) / p->work, passed = now() - p->begun;
  double todo = p->work - p->known_work - p->played_work;
  int tenths = (int)(10.0 * share + 1e-9), all = p->known + p->played == p->cells;
  char left[32];
  if (p->quiet || (p->terminal ? passed - p->last_bar < 0.1 && !all : tenths <= p->tenths))
    return;
  p->last_bar = passed;
  p->tenths = tenths;
  print_left(left, sizeof left, p->played_work > 0.0 ? passed * todo / p->played_work : 0.0);
  if (p->terminal)
    fprintf(stderr, "\r[%-*.*s] %3.0f%%  %zu of %zu plays  %s left \033[K", WIDTH, (int)(share * WIDTH), full,
            100.0 * share, p->known + p->played, p->cells, left);
  else
    fprintf(stderr, "%3.0f%%  %zu of %zu plays, %zu of them done before, %s left\n", 100.0 * share,
            p->known + p->played, p->cells, p->known, left);
  p->line_open = p->terminal;
}

void progress_end(progress *p)
{
  if (p->line_open)
    fputc('\n', stderr);
  p->line_open = 0;
}
