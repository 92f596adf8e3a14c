/* bench_commands.c — ofw-bench: a program of cli's making, whose commands are the benches
 *
 * Options, messages, help and main are those of ofw (cli/main.c, arguments.c, cmd_help.c); this table stands in the place of
 * cli/commands.c. It is built and not installed: what it times ofw beside, is no part of the command.
 */
#include "bench/bench.h"

static const option_id kernel_options[] = {OPT_ROWS, OPT_COLS,  OPT_REPEATS, OPT_SEED,
                                           OPT_JSON, OPT_QUIET, OPT_HELP,    OPTIONS};

static const option_id oracle_options[] = {
    OPT_ROWS,   OPT_COLS,    OPT_STREAM, OPT_DIRECTIONS, OPT_DOMAIN, OPT_LEARNER, OPT_SET, OPT_STRONG_CONVEXITY,
    OPT_ROUNDS, OPT_REPEATS, OPT_SEED,   OPT_JSON,       OPT_QUIET,  OPT_HELP,    OPTIONS};

static const option_id domain_options[] = {OPT_REPEATS, OPT_SEED, OPT_JSON, OPT_HELP, OPTIONS};

static const option_id round_options[] = {
    OPT_ROWS, OPT_COLS, OPT_STREAM, OPT_LEARNER, OPT_SET, OPT_STRONG_CONVEXITY, OPT_ROUNDS, OPT_REPEATS,
    OPT_SEED, OPT_JSON, OPT_QUIET,  OPT_HELP,    OPTIONS};

const program this_program = {
    "ofw-bench", "times ofw beside its peers, on the same matrices",
    "'ofw-bench help NAME' explains a command. bench/README.md says how it is timed and what the numbers are."};

const command commands[] = {
    {"kernel", "[option]...", "one pass over a matrix",
     "Times one pass over a matrix, u = A v and w = A' u: ofw's, OpenBLAS's pair of dgemv, and a mere read of A as "
     "the\n"
     "yardstick; with A in the cache and out of it.",
     kernel_options, 0, bench_kernel},
    {"oracle", "[option]...", "the top singular pair of directions that learners asked about",
     "Plays a game of generated ratings, or reads a file, for the directions, and times on them the trace-ball's "
     "oracle,\n"
     "ARPACK with ofw's pass at its best basis, ARPACK with dgemv, SciPy's svds and LAPACK's dgesdd. With --domain "
     "SPEC it is\n"
     "'ofw-bench domain SPEC'.",
     oracle_options, 0, bench_oracle},
    {"domain", "SPEC [option]...", "any set's oracle",
     "Times a set's oracle on directions that move slowly, beside a read and a copy of them and an oracle that has "
     "never been\n"
     "asked; for a birkhoff SciPy's linear_sum_assignment, too.",
     domain_options, 1, bench_domain},
    {"round", "[option]...", "whole rounds of a learner",
     "Times rounds in the game of 'oracle', beside the same learner in NumPy and SciPy, and the memory of a run.",
     round_options, 0, bench_round},
    {"help", "[COMMAND]", "explain a command", "", help_options, 1, help_main},
};
const size_t commands_count = sizeof commands / sizeof *commands;
