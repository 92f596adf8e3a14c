/* cmd_help.c — ofw help: the list of commands, a command's page, a part's page */
#include "cli.h"

#include <stdio.h>

const option_id help_options[] = {OPT_PLUGIN, OPT_HELP, OPTIONS};

void print_overview(void)
{
  printf("%s - %s\n\nusage: %s COMMAND [option]...\n\n", this_program.name, this_program.summary, this_program.name);
  for (size_t i = 0; i < commands_count; i++)
    printf("  %-9s  %s\n", commands[i].name, commands[i].summary);
  printf("\n%s\n", this_program.first_steps);
}

void print_command_help(const command *self)
{
  printf("usage: %s %s %s\n\n%s\n\n", this_program.name, self->name, self->usage,
         self->details[0] ? self->details : self->summary);
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
  if (c || print_part_help(&args->own, name))
    return EXIT_OK;
  size_t n = command_names(names);
  const char *near = ofw_nearest(name, names, n + part_names(names + n, MOST_NAMES - n));
  if (near)
    return complain(self, EXIT_USAGE, "nothing is called '%s'; did you mean '%s'?", name, near);
  return complain(self, EXIT_USAGE, "nothing is called '%s'; see '%s help' and 'ofw list'", name, this_program.name);
}
