/* cli.h — what the subcommands share: the option table, exit codes, messages */
#pragma once

#include "base/basics.h"
#include "base/limits.h"
#include "learner/registry.h"
#include "persist/checkpoint.h"
#include "run/metrics.h"
#include "run/run_state.h"
#include "stream/generator.h"

/* One row a long option; help and parsing both walk the table of arguments.c. */
typedef enum option_id {
#define OPTION(id, ...) OPT_##id,
#include "option_list.h"
#undef OPTION
  OPTIONS
} option_id;

typedef struct option_row {
  const char *name;
  char letter;          /* 0: none */
  const char *argument; /* NULL: a flag */
  const char *help;
} option_row;
extern const option_row option_table[OPTIONS];

enum { MOST_SETS = 64, MOST_REPEATED = 64, MOST_WORDS = 1024 };

/* What was on the command line after the subcommand. */
typedef struct arguments {
  const char *value[OPTIONS]; /* NULL: not given; "" for flags; of several the first */
  struct {
    option_id id;
    const char *value;
  } repeated[MOST_REPEATED]; /* the options that this command takes several times, but for --set */
  size_t repeats;
  const char *set[MOST_SETS];
  size_t sets;
  const char *word[MOST_WORDS]; /* what is no option */
  size_t words;
  ofw_registry own; /* what --plugin adds */
} arguments;

/* Does what a command is for; the exit code. */
struct command;
typedef int command_main(const struct command *self, const arguments *args);

typedef struct command {
  const char *name, *usage, *summary, *details;
  const option_id *options; /* ends with OPTIONS */
  size_t words;             /* how many it takes at most */
  command_main *run;
} command;
extern const command commands[];
extern const size_t commands_count;

/* Which program it is whose commands these are: ofw, ofw-bench or ofw-mpi. */
typedef struct program {
  const char *name, *summary;
  const char *first_steps; /* what 'help' says after the commands */
  /* NULL, all three, unless several processes are one run: */
  void (*begin)(int *argc, char ***argv);
  const ofw_ranks *(*ranks)(void);
  int (*end)(int code); /* the exit code, of all of them */
} program;
extern const program this_program;

const command *find_command(const char *name); /* NULL: there is none */
enum { MOST_NAMES = 128 };
size_t command_names(const char **names);

/* What there is to choose from: the domains, the learners, the streams. */
typedef struct registry {
  const char *name; /* plural */
  const char *kind; /* singular */
  size_t (*count)(void);
  const ofw_type *(*get)(size_t i);
  const ofw_option *(*common)(void); /* options that all of them have; NULL: none */
} registry;
extern const registry registries[];
extern const size_t registries_count;

enum {
  EXIT_OK = 0,
  EXIT_FAILED = 1,
  EXIT_USAGE = 2,
  EXIT_BAD_DATA = 3,
  EXIT_NUMERICAL = 4,
  EXIT_INTERRUPTED = 130,
  EXIT_TERMINATED = 143
};
int exit_code(ofw_status status);

/* "ofw NAME: message" on stderr; returns the code, so that a refusal is one line. */
int complain(const command *self, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));
#if defined(OFW_ANALYSE) || defined(__clang_analyzer__) /* what analysers cannot see: it hands its code back */
#define complain(self, code, ...) ((complain)(self, code, __VA_ARGS__), (code))
#endif
/* Frees the terminal's line first, if something stands on it; NULL: nothing does. */
extern void (*before_complaint)(void);
/* The same with an error's message and the code of its status. */
int refuse(const command *self, const ofw_error *err);
static inline int no_memory(const command *self)
{
  return complain(self, EXIT_FAILED, "out of memory");
}

/* 0, or an exit code after a complaint. */
int read_arguments(const command *self, int argc, char **argv, arguments *out);
/* --plugin: loads every shared object that is given and lets it add its parts to args->own. 0, or an exit code after a
 * complaint. */
int load_plugins(const command *self, arguments *args);
/* Learners, streams and domains are known by name. It comes before all else that may be missing: what is needed depends on
 * the learner, and a slip of the pen has none of its needs. 0, or an exit code after a complaint. */
int check_names(const command *self, const arguments *args);
/* Options as numbers; `fallback` if they were not given. 0, or an exit code after a complaint. */
int read_count(const command *self, const arguments *args, option_id id, uint64_t fallback, uint64_t *out);
int read_real(const command *self, const arguments *args, option_id id, double fallback, double *out);
/* A count of at least `least` and at most `most`, if it is given. */
int read_count_in(const command *self, const arguments *args, option_id id, uint64_t fallback, uint64_t least,
                  uint64_t most, uint64_t *out);
/* The learner's settings: what is not given is as the stream knows it, the horizon as it says itself. */
int read_settings(const command *self, const arguments *args, const ofw_constants *known, uint64_t horizon,
                  ofw_learner_settings *out);
int require(const command *self, const arguments *args, option_id id);
/* All values of an option that may be repeated; how many there are. */
size_t repeated_values(const arguments *args, option_id id, const char *out[MOST_REPEATED]);

/* A result as JSON: fields into an object that has been opened and not closed. A number that is not finite is null. */
typedef struct json {
  FILE *out;  /* NULL: stdout */
  int fields; /* written into the object or list that is open */
} json;
void json_open(json *j, const char *key); /* NULL: the outermost, or in a list: nothing stands before it */
void json_close(json *j);
void json_open_list(json *j, const char *key);
void json_close_list(json *j);
void json_real(json *j, const char *key, double x);
void json_reals(json *j, const char *key, size_t n, const double *x); /* a list of them */
void json_count(json *j, const char *key, uint64_t x);
void json_text(json *j, const char *key, const char *text); /* NULL: null */
void json_flag(json *j, const char *key, int x);
void json_null(json *j, const char *key);

/* A gradient beyond G, an inner loop that was cut short, a round beyond T: each is said once. `round` is the one being
 * played. */
typedef struct warnings {
  double lipschitz;
  uint64_t horizon;
  int steep_said, capped_said, late_said;
  int line_open; /* a progress bar stands on the terminal's line, which is ended first */
} warnings;
void warn(const command *self, ofw_learner *l, uint64_t round, warnings *w);
void end_line(warnings *w);

/* ofw run --record-directions */
typedef struct recording {
  const char *path; /* NULL: nothing is recorded */
  uint64_t every;   /* which rounds, as in a trace */
  uint64_t rounds, round;
  struct directions_file *file;
} recording;
int prepare_recording(const command *self, const arguments *args, uint64_t rounds, recording *r);
/* The same set, whose oracle is listened to; NULL: it cannot be made. */
ofw_domain *record_from(recording *r, const ofw_domain *of, ofw_error *err);
int begin_recording(const command *self, recording *r, const ofw_domain *of);
/* The exit code: `code`, or that of a file that could not be written. */
int end_recording(const command *self, recording *r, int code);

void print_overview(void);
void print_command_help(const command *self);
/* A part's page, the library's or one of `own`; 0: there is none of that name. */
int print_part_help(const ofw_registry *own, const char *name);
/* The same as one JSON object. */
int json_part_help(json *j, const ofw_registry *own, const char *name);
/* Fields of a part, into an object that is open; a list of options. */
void json_part(json *j, const registry *r, const ofw_type *type);
void json_options(json *j, const char *key, const ofw_option *options);
/* The forms that an option takes: "theorem|tight", "NUMBER", "NUMBER|lambda", "COUNT", "TEXT". */
enum { FORM_TEXT = 96 };
const char *option_form(const ofw_option *o, char text[FORM_TEXT]);
/* "proved: regret O(T^(3/4)), ...; options to tune: step, ...". */
enum { PROMISE_TEXT = 256 };
const char *promise_text(const ofw_promise *p, char text[PROMISE_TEXT]);
/* 1: the learner of this name needs neither horizon nor Lipschitz constant. */
int is_anytime(const ofw_registry *own, const char *learner);
/* The names of all registered parts, at most `room`; how many there were. */
size_t part_names(const char **names, size_t room);

command_main data_main, export_main, plot_main, compare_main, reproduce_main, growth_main, tune_main, sweep_main,
    pipe_main, run_main, metrics_main, report_main, list_main, info_main, check_main, help_main, pace_main,
    recommend_main, serve_main;
extern const option_id data_options[], pipe_options[], run_options[], compare_options[], growth_options[],
    plot_options[], tune_options[], sweep_options[], export_options[], report_options[], reproduce_options[],
    metrics_options[], info_options[], check_options[], list_options[], help_options[], pace_options[],
    recommend_options[], serve_options[];
