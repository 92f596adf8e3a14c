/* trace_option.h — the options of the examples that can write a trace: --trace FILE, --help
 *
 * A trace is a table: after a line with the learner's configuration, every tenth round with the sums up to it.
 */
#ifndef TRACE_OPTION_H
#define TRACE_OPTION_H

#include <ofw/run.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { GO_ON = -1 };

static int misused(const char *usage)
{
  fprintf(stderr, "usage: %s\n", usage);
  return 2;
}

/* Takes the options out of the words; *path is NULL if no trace is asked for. GO_ON, or the exit code. */
static int take_options(int *argc, char **argv, const char *usage, const char **path)
{
  int words = 1;
  *path = NULL;
  for (int i = 1; i < *argc; i++)
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
      return printf("usage: %s\n", usage) < 0;
    else if (strcmp(argv[i], "--trace") == 0 && i + 1 < *argc && !*path)
      *path = argv[++i];
    else if (argv[i][0] == '-')
      return misused(usage);
    else
      argv[words++] = argv[i];
  *argc = words;
  return GO_ON;
}

/* A file that exists is left alone. 0: it cannot be created. */
static int open_trace(const char *program, const char *path, FILE **trace)
{
  *trace = path ? fopen(path, "wx") : NULL;
  if (!path || *trace)
    return 1;
  fprintf(stderr, "%s: cannot create %s: %s\n", program, path, strerror(errno));
  return 0;
}

static void begin_trace(FILE *trace, const ofw_learner *learner)
{
  fprintf(trace, "# %s\nround,regret,violation\n", ofw_learner_config(learner));
}

/* For ofw_run_play; `trace` may be NULL. */
static int record(void *trace, const ofw_trace_row *row)
{
  if (trace && row->round % 10 == 0)
    fprintf(trace, "%d,%.17g,%.17g\n", (int)row->round, row->loss_sum - row->comparator_loss_sum, row->ccv);
  return 0;
}

#endif
