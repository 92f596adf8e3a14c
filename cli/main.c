/* main.c — which subcommand; what 'ofw' alone says */
#include "cli.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

const command commands[] = {
    {"run", "--learner NAME --stream SPEC --rounds N [--domain SPEC] [option]...", "play a learner on a stream",
     "Plays N rounds and prints what they came to: the loss, the regret where the stream knows the best feasible "
     "point, the\n"
     "cumulative constraint violation (ccv), the oracle's work and the time. G, M and alpha come from the stream, the "
     "horizon is the\n"
     "number of rounds, unless they are given.",
     run_options, 0, run_main},
    {"stream", "--learner NAME --domain SPEC --horizon T --lipschitz G [option]...",
     "play over a pipe, from any language",
     "Prints {\"round\":1,\"decision\":[...]}, then one such line for each line of feedback on stdin:\n"
     "  {\"loss\":f,\"loss_gradient\":VEC,\"constraint\":g,\"constraint_gradient\":VEC}\n"
     "VEC is [..] or {\"index\":[..],\"value\":[..]}, indices from 0. Several constraints: \"constraint\":[g1,..] and\n"
     "\"constraint_gradient\":[VEC,..]; none: leave both out. A matrix is given row by row. A bad line ends the play "
     "with exit code 3.",
     stream_options, 0, stream_main},
    {"list", "[domains|learners|streams]", "what is there to choose from", "", list_options, 1, list_main},
    {"help", "[COMMAND|LEARNER|DOMAIN|STREAM]", "explain one of them", "", help_options, 1, help_main},
};
const size_t commands_count = sizeof commands / sizeof *commands;

static const command *find_command(const char *name)
{
  for (size_t i = 0; i < commands_count; i++)
    if (strcmp(commands[i].name, name) == 0)
      return &commands[i];
  return NULL;
}

static void print_overview(void)
{
  puts("ofw - projection-free online optimisation under time-varying constraints\n\n"
       "usage: ofw COMMAND [option]...\n");
  for (size_t i = 0; i < commands_count; i++)
    printf("  %-8s %s\n", commands[i].name, commands[i].summary);
  puts("\n'ofw help NAME' explains a command, a learner, a domain or a stream. First steps:\n\n"
       "  ofw run --learner ofw-tvc --set sigma=line-search --domain l2-ball:dim=10 --stream linear --rounds 10000");
}

void print_command_help(const command *self)
{
  printf("usage: ofw %s %s\n\n%s\n\n", self->name, self->usage, self->details[0] ? self->details : self->summary);
  for (const option_id *id = self->options; *id != OPTIONS; id++) {
    const option_row *row = &option_table[*id];
    char left[64];
    snprintf(left, sizeof left, "--%s%s%s%s%c", row->name, row->argument ? " " : "", row->argument ? row->argument : "",
             row->letter ? ", -" : "", row->letter);
    printf("  %-26s %s\n", left, row->help);
  }
}

enum { MOST_NAMES = 128 };

/* The names of all commands. */
static size_t command_names(const char **names)
{
  for (size_t i = 0; i < commands_count; i++)
    names[i] = commands[i].name;
  return commands_count;
}

static int no_command(const char *name)
{
  const char *names[MOST_NAMES];
  const char *near = ofw_nearest(name, names, command_names(names));
  if (near)
    return complain(NULL, EXIT_USAGE, "no command '%s'; did you mean '%s'?", name, near);
  return complain(NULL, EXIT_USAGE, "no command '%s'; see 'ofw help'", name);
}

const option_id help_options[] = {OPT_HELP, OPTIONS};

int help_main(const command *self, const arguments *args)
{
  if (args->words == 0) {
    print_overview();
    return EXIT_OK;
  }
  const char *name = args->word[0], *names[MOST_NAMES];
  const command *c = find_command(name);
  if (c)
    print_command_help(c);
  if (c || print_part_help(name))
    return EXIT_OK;
  size_t n = command_names(names);
  const char *near = ofw_nearest(name, names, n + part_names(names + n, MOST_NAMES - n));
  if (near)
    return complain(self, EXIT_USAGE, "nothing is called '%s'; did you mean '%s'?", name, near);
  return complain(self, EXIT_USAGE, "nothing is called '%s'; see 'ofw help' and 'ofw list'", name);
}

static int dispatch(int argc, char **argv)
{
  arguments args;
  if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
    print_overview();
    return EXIT_OK;
  }
  if (strcmp(argv[1], "--version") == 0) {
    printf("ofw %s\n", ofw_version());
    return EXIT_OK;
  }
  const command *c = find_command(argv[1]);
  if (!c)
    return no_command(argv[1]);
  int code = read_arguments(c, argc - 2, argv + 2, &args);
  if (code)
    return code;
  if (args.value[OPT_HELP]) {
    print_command_help(c);
    return EXIT_OK;
  }
  return c->run(c, &args);
}

int main(int argc, char **argv)
{
  signal(SIGPIPE, SIG_IGN); /* a reader that went away is an error like any other */
  int code = dispatch(argc, argv);
  if ((fflush(stdout) != 0 || ferror(stdout)) && code == EXIT_OK)
    return complain(NULL, EXIT_FAILED, "cannot write the result: %s", strerror(errno));
  return code;
}
