/* cmd_help.c — ofw help: the list of commands, a command's page, a part's page */
#include "cli.h"
#include "terminal.h"

#include <stdio.h>
#include <string.h>

const option_id help_options[] = {OPT_PLUGIN, OPT_JSON, OPT_HELP, OPTIONS};

void print_overview(void)
{
  printf("%s - ", this_program.name);
  print_line(this_program.summary, strlen(this_program.name) + 3, 2);
  printf("\nusage: %s COMMAND [option]...\n\n", this_program.name);
  for (size_t i = 0; i < commands_count; i++)
    print_row(commands[i].name, 10, commands[i].summary);
  putchar('\n');
  print_text(this_program.first_steps, 0, 0);
}

void print_command_help(const command *self)
{
  printf("usage: %s %s ", this_program.name, self->name);
  print_line(self->usage, 9 + strlen(this_program.name) + strlen(self->name), 7);
  putchar('\n');
  print_text(self->details[0] ? self->details : self->summary, 0, 0);
  putchar('\n');
  for (const option_id *id = self->options; *id != OPTIONS; id++) {
    const option_row *row = &option_table[*id];
    char left[64];
    snprintf(left, sizeof left, "--%s%s%s%s%c", row->name, row->argument ? " " : "", row->argument ? row->argument : "",
             row->letter ? ", -" : "", row->letter);
    print_row(left, 26, row->help);
  }
}

/* ---- as JSON ---- */

static void json_overview(json *j)
{
  json_text(j, "program", this_program.name);
  json_text(j, "version", ofw_version());
  json_text(j, "summary", this_program.summary);
  json_open_list(j, "commands");
  for (size_t i = 0; i < commands_count; i++) {
    json_open(j, NULL);
    json_text(j, "name", commands[i].name);
    json_text(j, "usage", commands[i].usage);
    json_text(j, "summary", commands[i].summary);
    json_close(j);
  }
  json_close_list(j);
}

static void json_command(json *j, const command *c)
{
  json_text(j, "command", c->name);
  json_text(j, "usage", c->usage);
  json_text(j, "summary", c->summary);
  json_text(j, "details", c->details);
  json_open_list(j, "options");
  for (const option_id *id = c->options; *id != OPTIONS; id++) {
    const option_row *row = &option_table[*id];
    json_open(j, NULL);
    json_text(j, "name", row->name);
    json_text(j, "letter", row->letter ? (const char[]){row->letter, 0} : NULL);
    json_text(j, "argument", row->argument);
    json_text(j, "help", row->help);
    json_close(j);
  }
  json_close_list(j);
}

/* ---- the command ---- */

/* One object, or a page; 0: nothing has that name. */
static int print_help(const arguments *args, const char *name, const command *c)
{
  json j = {0};
  if (!args->value[OPT_JSON]) {
    if (c)
      print_command_help(c);
    else if (!name)
      print_overview();
    return c || !name || print_part_help(&args->own, name);
  }
  if (name && !c)
    return json_part_help(&j, &args->own, name);
  json_open(&j, NULL);
  if (c)
    json_command(&j, c);
  else
    json_overview(&j);
  json_close(&j);
  putchar('\n');
  return 1;
}

int help_main(const command *self, const arguments *args)
{
  const char *name = args->words ? args->word[0] : NULL, *names[MOST_NAMES];
  if (print_help(args, name, name ? find_command(name) : NULL))
    return EXIT_OK;
  size_t n = command_names(names);
  const char *near = ofw_nearest(name, names, n + part_names(names + n, MOST_NAMES - n));
  if (near)
    return complain(self, EXIT_USAGE, "nothing is called '%s'; did you mean '%s'?", name, near);
  return complain(self, EXIT_USAGE, "nothing is called '%s'; see '%s help' and 'ofw list'", name, this_program.name);
}
