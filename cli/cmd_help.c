/* cmd_help.c — ofw help: what 'ofw' alone says, a command's page, a part's page */
#include "cli.h"

#include <stdio.h>

const option_id help_options[] = {OPT_HELP, OPTIONS};

void print_overview(void)
{
  puts("ofw - projection-free online optimisation under time-varying constraints\n\n"
       "usage: ofw COMMAND [option]...\n");
  for (size_t i = 0; i < commands_count; i++)
    printf("  %-9s  %s\n", commands[i].name, commands[i].summary);
  puts("\n'ofw help NAME' explains a command, a learner, a domain or a stream. The learner to begin with is ofw-ada, "
       "which has\n"
       "to be told nothing; bfw-ada where only numbers are seen, ofw-ada-sc where losses are strongly convex. First "
       "steps:\n\n"
       "  ofw run --learner ofw-ada --domain l2-ball:dim=10 --stream linear --rounds 10000\n"
       "  ofw pipe --learner ofw-ada --domain simplex:dim=3");
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
