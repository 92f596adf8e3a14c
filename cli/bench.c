/* bench.c — ofw bench: which of the benches, and the options that it takes */
#include "cli.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const option_id bench_options[] = {OPT_ROWS, OPT_COLS, OPT_REPEATS, OPT_SEED, OPT_JSON, OPT_QUIET, OPT_HELP, OPTIONS};

void bench_say(const arguments *args, const char *format, ...)
{
  va_list more;
  if (args->value[OPT_QUIET])
    return;
  va_start(more, format);
  vfprintf(stderr, format, more);
  va_end(more);
  fputc('\n', stderr);
}

typedef struct bench {
  const char *name;
  int (*run)(const command *self, const arguments *args);
} bench;

static const bench benches[] = {{"kernel", bench_kernel}};
enum { BENCHES = sizeof benches / sizeof *benches };

int bench_main(const command *self, const arguments *args)
{
  if (args->words == 0)
    return complain(self, EXIT_USAGE, "'kernel' is needed; see 'ofw help bench'");
  for (size_t i = 0; i < BENCHES; i++)
    if (strcmp(benches[i].name, args->word[0]) == 0)
      return benches[i].run(self, args);
  return complain(self, EXIT_USAGE, "'%s' is not 'kernel'", args->word[0]);
}
