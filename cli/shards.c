/* shards.c — --shard, --stage and what goes with them */
#include "shards.h"

#include <stdlib.h>
#include <string.h>

/* ---- which options go together ---- */

static const struct {
  option_id one, other;
} apart[] = {{OPT_MERGE, OPT_SHARD},  {OPT_MERGE, OPT_SHARDS}, {OPT_MERGE, OPT_TUNED},
             {OPT_MERGE, OPT_SLURM},  {OPT_MERGE, OPT_DEVICE}, {OPT_MERGE, OPT_JOBS},
             {OPT_SHARDS, OPT_SHARD}, {OPT_SHARDS, OPT_STAGE}, {OPT_SHARDS, OPT_TUNED}};

static const struct {
  option_id one, needs;
} together[] = {{OPT_SHARD, OPT_STAGE}, {OPT_TUNED, OPT_STAGE}, {OPT_SLURM, OPT_SHARDS}, {OPT_SBATCH, OPT_SLURM}};

/* What ofw says to sbatch itself. */
static const char *const own[] = {"--array", "--dependency", "--parsable",           "--output",
                                  "--error", "--wrap",       "--kill-on-invalid-dep"};

/* A word without dashes would be the script to sbatch. */
static int check_sbatch(const command *self, const arguments *args)
{
  const char *option[MOST_REPEATED];
  size_t n = repeated_values(args, OPT_SBATCH, option);
  for (size_t i = 0; i < n; i++) {
    if (strncmp(option[i], "--", 2) != 0 || !option[i][2])
      return complain(self, EXIT_USAGE, "--sbatch '%s': expected an option that begins with --", option[i]);
    for (size_t k = 0; k < sizeof own / sizeof *own; k++)
      if (strncmp(option[i], own[k], strcspn(option[i], "=")) == 0) /* sbatch takes the beginning of a name for it */
        return complain(self, EXIT_USAGE, "--sbatch '%s': ofw sets %s itself", option[i], own[k]);
  }
  return 0;
}

int check_shard_options(const command *self, const arguments *args)
{
  lab_stage stage;
  for (size_t i = 0; i < sizeof apart / sizeof *apart; i++)
    if (args->value[apart[i].one] && args->value[apart[i].other])
      return complain(self, EXIT_USAGE, "--%s and --%s do not go together", option_table[apart[i].one].name,
                      option_table[apart[i].other].name);
  for (size_t i = 0; i < sizeof together / sizeof *together; i++)
    if (args->value[together[i].one] && !args->value[together[i].needs])
      return complain(self, EXIT_USAGE, "--%s needs --%s; see 'ofw help sweep'", option_table[together[i].one].name,
                      option_table[together[i].needs].name);
  int code = read_stage(self, args, &stage);
  if (!code && args->value[OPT_TUNED] && stage != LAB_PLAY)
    return complain(self, EXIT_USAGE, "--tuned needs --stage play");
  return code ? code : check_sbatch(self, args);
}

/* ---- a share ---- */

int read_stage(const command *self, const arguments *args, lab_stage *out)
{
  const char *name = args->value[OPT_STAGE];
  *out = !name ? LAB_WHOLE : strcmp(name, "tune") == 0 ? LAB_TUNE : LAB_PLAY;
  if (*out == LAB_PLAY && strcmp(name, "play") != 0)
    return complain(self, EXIT_USAGE, "--stage %s: expected tune or play", name);
  return 0;
}

/* The digits that *text begins with; 0: there are none, or too many. */
static size_t read_number(const char **text)
{
  size_t digits = strspn(*text, "0123456789");
  unsigned long n = digits > 0 && digits < 8 ? strtoul(*text, NULL, 10) : 0;
  *text += digits;
  return n;
}

int read_share(const command *self, const arguments *args, lab_share *out)
{
  const char *text = args->value[OPT_SHARD], *at = text;
  *out = (lab_share){.shard = 1, .shards = 1};
  int code = read_stage(self, args, &out->stage);
  if (code || !text)
    return code;
  out->shard = read_number(&at);
  int slash = *at == '/';
  at += slash;
  out->shards = read_number(&at);
  if (*at || !slash || out->shard < 1 || out->shard > out->shards || out->shards > OFW_MOST_SHARDS)
    return complain(self, EXIT_USAGE, "--shard %s: expected I/N with 1 <= I <= N <= %d, such as 2/8", text,
                    OFW_MOST_SHARDS);
  return 0;
}
