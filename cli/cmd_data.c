/* cmd_data.c — ofw data: which data sets there are and how they get into the data folder */
#include "data.h"
#include "shown.h"

#include "lab/data/import.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const option_id data_options[] = {OPT_SEED, OPT_OUTPUT_FILE, OPT_JSON, OPT_HELP, OPTIONS};

int data_no_set(const command *self, const char *name)
{
  const char *names[MOST_NAMES];
  for (size_t i = 0; i < data_sets_count; i++)
    names[i] = data_sets[i].name;
  const char *near = ofw_nearest(name, names, data_sets_count);
  if (near)
    return complain(self, EXIT_USAGE, "no data set '%s'; did you mean '%s'?", name, near);
  return complain(self, EXIT_USAGE, "no data set '%s'; see 'ofw data list'", name);
}

/* ---- list ---- */

/* "there", "no such file", or what is wrong with it. */
static const char *state_of(const data_set *set, const char *path, ofw_error *err)
{
  size_t duplicates;
  FILE *file = fopen(path, "r");
  if (!file && errno == ENOENT)
    return "no such file";
  if (!file)
    return strerror(errno);
  ofw_status st = data_set_check(set, file, path, &duplicates, err);
  (void)fclose(file);
  return st == OFW_OK ? "there, whole" : err->message;
}

static int list_sets(const command *self, const arguments *args)
{
  (void)args;
  for (size_t i = 0; i < data_sets_count; i++) {
    const data_set *set = &data_sets[i];
    ofw_error err = {0};
    char *path;
    if (data_set_path(set, &path, &err) != OFW_OK)
      return refuse(self, &err);
    printf("%s\n  %zu ratings of %zu items by %zu users, %g to %g by %g\n  %s\n  ", set->name, set->rows, set->items,
           set->users, set->lowest, set->highest, set->step, set->from);
    put_shown(stdout, path);
    fputs(": ", stdout);
    put_shown(stdout, state_of(set, path, &err));
    putchar('\n');
    free(path);
  }
  return EXIT_OK;
}

/* ---- import ---- */

static int import_set(const command *self, const arguments *args)
{
  const data_set *set = data_set_find(args->word[1]);
  data_imported got;
  ofw_error err = {0};
  char *to;
  if (!set)
    return data_no_set(self, args->word[1]);
  ofw_status st = data_set_path(set, &to, &err);
  if (st == OFW_OK)
    st = data_import(set, args->word[2], to, &got, &err);
  if (st == OFW_OK) {
    printf("%s is %s", set->name, got.was_there ? "already in " : "now in ");
    put_shown(stdout, to);
    putchar('\n');
  }
  if (st == OFW_OK && got.duplicates)
    printf("%zu of its %zu rows rate a pair of user and item that a later row rates again: the last counts\n",
           got.duplicates, set->rows);
  free(to);
  return st == OFW_OK ? EXIT_OK : refuse(self, &err);
}

/* ---- which ---- */

static const option_id none[] = {OPTIONS}, generate_takes[] = {OPT_SEED, OPT_OUTPUT_FILE, OPTIONS},
                       describe_takes[] = {OPT_JSON, OPTIONS};

static const struct deed {
  const char *name, *usage; /* usage: the words behind the name */
  size_t words;
  const option_id *takes;
  command_main *run;
} deeds[] = {{"list", "", 1, none, list_sets},
             {"import", " NAME PATH", 3, none, import_set},
             {"generate", " NAME|SPEC", 2, generate_takes, data_generate_main},
             {"describe", " NAME|FILE", 2, describe_takes, data_describe_main}};

static int takes(const struct deed *d, option_id id)
{
  for (const option_id *at = d->takes; *at != OPTIONS; at++)
    if (*at == id)
      return 1;
  return 0;
}

int data_main(const command *self, const arguments *args)
{
  const struct deed *d = NULL;
  for (size_t i = 0; args->words && i < sizeof deeds / sizeof *deeds; i++)
    if (strcmp(deeds[i].name, args->word[0]) == 0)
      d = &deeds[i];
  if (!args->words)
    return complain(self, EXIT_USAGE,
                    "expected list, import, generate or describe, found nothing; see 'ofw help data'");
  if (!d)
    return complain(self, EXIT_USAGE, "expected list, import, generate or describe, found '%s'", args->word[0]);
  if (args->words != d->words)
    return complain(self, EXIT_USAGE, "expected 'ofw data %s%s'; see 'ofw help data'", d->name, d->usage);
  for (const option_id *id = data_options; *id != OPTIONS; id++)
    if (args->value[*id] && !takes(d, *id))
      return complain(self, EXIT_USAGE, "--%s is not an option of 'data %s'", option_table[*id].name, d->name);
  return d->run(self, args);
}
