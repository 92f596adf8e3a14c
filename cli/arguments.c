/* arguments.c — the option table, and the command line read against it
 *
 * One table feeds the parser, the help, the manual and the completions, so that they cannot disagree.
 */
#include "cli.h"
#include "shown.h"

#include "base/option_table.h"
#include "base/threads.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const option_row option_table[OPTIONS] = {
#define OPTION(id, name, letter, argument, help) {name, letter, argument, help},
#include "option_list.h"
#undef OPTION
};

const command *find_command(const char *name)
{
  if (strcmp(name, "stream") == 0) /* what 'pipe' was called up to 0.1; programs that play over it need not change */
    name = "pipe";
  for (size_t i = 0; i < commands_count; i++)
    if (strcmp(commands[i].name, name) == 0)
      return &commands[i];
  return NULL;
}

size_t command_names(const char **names)
{
  for (size_t i = 0; i < commands_count; i++)
    names[i] = commands[i].name;
  return commands_count;
}

int exit_code(ofw_status status)
{
  static const int code[] = {[OFW_OK] = EXIT_OK,
                             [OFW_END] = EXIT_OK,
                             [OFW_FAILED] = EXIT_FAILED,
                             [OFW_USAGE] = EXIT_USAGE,
                             [OFW_UNSUPPORTED] = EXIT_USAGE,
                             [OFW_BAD_DATA] = EXIT_BAD_DATA,
                             [OFW_NUMERICAL] = EXIT_NUMERICAL};
  return code[status];
}

void (*before_complaint)(void);

int(complain)(const command *self, int code, const char *format, ...)
{
  enum { LONGEST = 1024 };
  char text[LONGEST], line[(SHOWN_PIECE - 1) * LONGEST], piece[SHOWN_PIECE];
  size_t end = 0;
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  for (size_t at = 0, n; (n = next_shown(text + at, piece)) > 0; at += n) /* one line, whatever was in an argument */
    end += (size_t)(stpcpy(line + end, piece) - (line + end));
  line[end] = 0;
  if (before_complaint)
    before_complaint();
  fprintf(stderr, "%s%s%s: %s\n", this_program.name, self ? " " : "", self ? self->name : "", line); /* in one write */
  return code;
}

int refuse(const command *self, const ofw_error *err)
{
  return complain(self, exit_code(err->status), "%s", err->message);
}

/* `text` as it was typed, with its dashes. */
static int unknown_option(const command *self, const char *text)
{
  const char *names[OPTIONS];
  char name[64];
  size_t n = 0, dashes = strspn(text, "-");
  int length = (int)strcspn(text, "=");
  for (const option_id *id = self->options; *id != OPTIONS; id++)
    names[n++] = option_table[*id].name;
  snprintf(name, sizeof name, "%.*s", length - (int)dashes, text + dashes);
  const char *near = ofw_nearest(name, names, n);
  if (near)
    return complain(self, EXIT_USAGE, "unknown option '%.*s'; did you mean '--%s'?", length, text, near);
  return complain(self, EXIT_USAGE, "unknown option '%.*s'; see '%s help %s'", length, text, this_program.name,
                  self->name);
}

/* The option that "--name", "--name=value" or "-x" stands for, among the command's; OPTIONS: none. */
static option_id find_option(const command *self, const char *text, const char **value)
{
  for (const option_id *id = self->options; *id != OPTIONS; id++) {
    const option_row *row = &option_table[*id];
    size_t length = strlen(row->name);
    if (text[1] == '-' && strncmp(text + 2, row->name, length) == 0 && (!text[2 + length] || text[2 + length] == '=')) {
      *value = text[2 + length] ? text + 3 + length : NULL;
      return *id;
    }
    if (row->letter && text[1] == row->letter && !text[2])
      return *id;
    if (row->letter && row->argument && text[1] == row->letter && isdigit((unsigned char)text[2])) { /* -j4 */
      *value = text + 2;
      return *id;
    }
  }
  return OPTIONS;
}

/* Options that may be given more than once: to any command, or to one. */
static const struct {
  option_id id;
  const char *command; /* NULL: any */
} may_repeat[] = {{OPT_SET, NULL},         {OPT_SCALE, NULL},       {OPT_PLUGIN, NULL},       {OPT_LEARNER, "growth"},
                  {OPT_STREAM, "growth"},  {OPT_DOMAIN, "growth"},  {OPT_LEARNER, "compare"}, {OPT_RIVAL, "compare"},
                  {OPT_STREAM, "compare"}, {OPT_DOMAIN, "compare"}, {OPT_BUDGET, "pace"},     {OPT_SBATCH, "sweep"}};

static int repeats(const command *self, option_id id)
{
  for (size_t i = 0; i < sizeof may_repeat / sizeof *may_repeat; i++)
    if (may_repeat[i].id == id && (!may_repeat[i].command || strcmp(may_repeat[i].command, self->name) == 0))
      return 1;
  return 0;
}

/* One more of an option that may be repeated. */
static int add_repeated(const command *self, option_id id, const char *value, arguments *out)
{
  size_t *count = id == OPT_SET ? &out->sets : &out->repeats;
  int most = id == OPT_SET ? MOST_SETS : MOST_REPEATED;
  if (*count == (size_t)most)
    return complain(self, EXIT_USAGE, "at most %d --%s can be given", most, option_table[id].name);
  if (id == OPT_SET)
    out->set[*count] = value;
  else {
    out->repeated[*count].id = id;
    out->repeated[*count].value = value;
    out->value[id] = out->value[id] ? out->value[id] : value;
  }
  ++*count;
  return 0;
}

size_t repeated_values(const arguments *args, option_id id, const char *out[MOST_REPEATED])
{
  size_t n = 0;
  for (size_t i = 0; i < args->repeats; i++)
    if (args->repeated[i].id == id)
      out[n++] = args->repeated[i].value;
  return n;
}

static int read_option(const command *self, char **argv, int argc, int *i, arguments *out)
{
  const char *value = NULL, *text = argv[*i];
  option_id id = find_option(self, text, &value);
  if (id == OPTIONS)
    return unknown_option(self, text);
  const option_row *row = &option_table[id];
  if (!row->argument && value)
    return complain(self, EXIT_USAGE, "--%s takes no value", row->name);
  if (row->argument && !value) {
    if (++*i >= argc)
      return complain(self, EXIT_USAGE, "--%s needs a value (%s)", row->name, row->argument);
    value = argv[*i];
  }
  if (repeats(self, id))
    return add_repeated(self, id, value, out);
  if (out->value[id])
    return complain(self, EXIT_USAGE, "--%s is given twice", row->name);
  out->value[id] = value ? value : "";
  return 0;
}

int read_arguments(const command *self, int argc, char **argv, arguments *out)
{
  *out = (arguments){0};
  out->own.sets.ranks = this_program.ranks ? this_program.ranks() : NULL;
  for (int i = 0; i < argc; i++) {
    int code = 0;
    if (argv[i][0] == '-' && argv[i][1])
      code = read_option(self, argv, argc, &i, out);
    else if (out->words == self->words)
      code = complain(self, EXIT_USAGE, "unexpected '%s'; see '%s help %s'", argv[i], this_program.name, self->name);
    else if (!*argv[i])
      code = complain(self, EXIT_USAGE, "argument %zu is empty", out->words + 1);
    else
      out->word[out->words++] = argv[i];
    if (code)
      return code;
  }
  return 0;
}

static int knows_learner(const ofw_registry *own, const char *spec, ofw_error *err)
{
  size_t length;
  ofw_spec_split(spec, &length);
  return ofw_registry_method(own, spec, length, err).of != NULL;
}

static int knows_stream(const ofw_registry *own, const char *spec, ofw_error *err)
{
  size_t length;
  (void)own;
  ofw_spec_split(spec, &length);
  return ofw_type_find(spec, length, ofw_stream_types(), ofw_stream_type, "stream", err) >= 0;
}

static int knows_domain(const ofw_registry *own, const char *spec, ofw_error *err)
{
  return ofw_registry_check_set(own, spec, err) == OFW_OK;
}

/* The options whose values are names, or specs that begin with one. */
static const struct {
  option_id id;
  int (*is_known)(const ofw_registry *own, const char *spec, ofw_error *err);
} named[] = {
    {OPT_LEARNER, knows_learner}, {OPT_RIVAL, knows_learner}, {OPT_STREAM, knows_stream}, {OPT_DOMAIN, knows_domain}};

int check_names(const command *self, const arguments *args)
{
  for (size_t k = 0; k < sizeof named / sizeof *named; k++) {
    const char *spec[MOST_REPEATED] = {args->value[named[k].id]};
    size_t n = spec[0] && repeats(self, named[k].id) ? repeated_values(args, named[k].id, spec) : spec[0] != NULL;
    for (size_t i = 0; i < n; i++) {
      ofw_error err = {0};
      if (!named[k].is_known(&args->own, spec[i], &err))
        return complain(self, EXIT_USAGE, "%s", err.message);
    }
  }
  return 0;
}

int read_real(const command *self, const arguments *args, option_id id, double fallback, double *out)
{
  *out = fallback;
  if (!args->value[id] || ofw_read_real(args->value[id], out))
    return 0;
  return complain(self, EXIT_USAGE, "--%s %s: expected a finite number", option_table[id].name, args->value[id]);
}

int read_count(const command *self, const arguments *args, option_id id, uint64_t fallback, uint64_t *out)
{
  *out = fallback;
  int read = args->value[id] ? ofw_read_count(args->value[id], out) : 1;
  if (read == 0)
    return complain(self, EXIT_USAGE, "--%s %s: expected a whole number >= 0", option_table[id].name, args->value[id]);
  if (read < 0)
    return complain(self, EXIT_USAGE, "--%s %s: too large", option_table[id].name, args->value[id]);
  return 0;
}

int read_count_in(const command *self, const arguments *args, option_id id, uint64_t fallback, uint64_t least,
                  uint64_t most, uint64_t *out)
{
  int code = read_count(self, args, id, fallback, out);
  if (code || !args->value[id] || (*out >= least && *out <= most))
    return code;
  return complain(self, EXIT_USAGE, "--%s %s: expected a whole number from %llu to %llu", option_table[id].name,
                  args->value[id], (unsigned long long)least, (unsigned long long)most);
}

/* --horizon, which may be 'auto'. */
static int read_horizon(const command *self, const arguments *args, uint64_t fallback, uint64_t *out)
{
  const char *text = args->value[OPT_HORIZON];
  *out = text ? OFW_HORIZON_AUTO : fallback;
  if (!text || strcmp(text, "auto") == 0)
    return 0;
  int read = ofw_read_count(text, out);
  if (read < 0)
    return complain(self, EXIT_USAGE, "--horizon %s: too large", text);
  if (read == 0 || *out == OFW_HORIZON_AUTO)
    return complain(self, EXIT_USAGE, "--horizon %s: expected a whole number >= 1 or 'auto'", text);
  return 0;
}

int read_settings(const command *self, const arguments *args, const ofw_constants *known, uint64_t horizon,
                  ofw_learner_settings *out)
{
  uint64_t threads = 1;
  int code;
  *out = (ofw_learner_settings){.size = sizeof *out, .options = args->sets, .option = args->set, .terms = known->terms};
  (void)((code = read_horizon(self, args, horizon, &out->horizon)) ||
         (code = read_real(self, args, OPT_LIPSCHITZ, known->lipschitz, &out->lipschitz)) ||
         (code = read_real(self, args, OPT_LOSS_BOUND, known->loss_bound, &out->loss_bound)) ||
         (code = read_real(self, args, OPT_STRONG_CONVEXITY, known->strong_convexity, &out->strong_convexity)) ||
         (code = read_count(self, args, OPT_SEED, 1, &out->seed)) ||
         (code = read_count_in(self, args, OPT_THREADS, 1, 1, OFW_MOST_THREADS, &threads)));
  out->threads = (size_t)threads;
  return code;
}

int require(const command *self, const arguments *args, option_id id)
{
  if (args->value[id])
    return 0;
  return complain(self, EXIT_USAGE, "--%s %s is missing; see '%s help %s'", option_table[id].name,
                  option_table[id].argument, this_program.name, self->name);
}
