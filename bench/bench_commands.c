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

static const option_id domain_options[] = {OPT_DIRECTIONS, OPT_REPEATS, OPT_SEED, OPT_JSON, OPT_HELP, OPTIONS};

static const option_id round_options[] = {
    OPT_ROWS, OPT_COLS, OPT_STREAM, OPT_LEARNER, OPT_SET, OPT_STRONG_CONVEXITY, OPT_ROUNDS, OPT_REPEATS,
    OPT_SEED, OPT_JSON, OPT_QUIET,  OPT_HELP,    OPTIONS};

const program this_program = {
    .name = "ofw-bench",
    .summary = "times ofw and its peers on the same matrices",
    .first_steps = "'ofw-bench help NAME' explains a command. bench/README.md explains the timing and the numbers."};

const command commands[] = {
    {"kernel", "[option]...", "time one pass over a matrix",
     "Times one pass over a matrix, u = A v and w = A' u: ofw's, two calls of OpenBLAS's dgemv, and a plain read of A "
     "for\n"
     "comparison; with A in the cache and out of it.",
     kernel_options, 0, bench_kernel},
    {"oracle", "[option]...", "time the top singular pair on directions of a game",
     "Gets directions from a game of generated ratings or from a file. On them it times the trace-ball's oracle, "
     "ARPACK with\n"
     "ofw's pass at its best basis, ARPACK with dgemv, SciPy's svds and LAPACK's dgesdd. With --domain SPEC it is the "
     "same as\n"
     "'ofw-bench domain SPEC'.",
     oracle_options, 0, bench_oracle},
    {"domain", "SPEC [option]...", "time the oracle of any set",
     "Times how long a set takes to make, and its oracle on directions that move slowly or are read from a file. For "
     "comparison\n"
     "it times a read and a copy of them, an oracle that was never called before, and for a birkhoff also SciPy's\n"
     "linear_sum_assignment.",
     domain_options, 1, bench_domain},
    {"round", "[option]...", "time whole rounds of a learner",
     "Times rounds in the game of 'oracle' and the same learner in NumPy and SciPy, and measures the memory of a run.",
     round_options, 0, bench_round},
    {"help", "[COMMAND]", "explain a command", "", help_options, 1, help_main},
};
const size_t commands_count = sizeof commands / sizeof *commands;
