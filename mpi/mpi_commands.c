/* mpi_commands.c — ofw-mpi: 'ofw run' by several processes that share a matrix by rows
 *
 * Options, messages, help, main and the command itself are those of ofw (cli); this table stands in the place of
 * cli/commands.c. All ranks run the same program with the same arguments. What they share are the rows: each has its own of U,
 * of the sparse part and of the ratings, and V, the cores and everything a learner knows are the same at all of them, to the
 * last bit. So every rank takes the same turns, and meets the others in the engine's operations, in the oracle's passes and
 * in the stream's sums (base/ranks.h).
 */
#include "cli/cli.h"
#include "mpi_ranks.h"

static const option_id options[] = {OPT_LEARNER,     OPT_STREAM,
                                    OPT_ROUNDS,      OPT_DOMAIN,
                                    OPT_HORIZON,     OPT_LIPSCHITZ,
                                    OPT_LOSS_BOUND,  OPT_STRONG_CONVEXITY,
                                    OPT_SET,         OPT_SCALE,
                                    OPT_SEED,        OPT_THREADS,
                                    OPT_CHECKPOINT,  OPT_CHECKPOINT_EVERY,
                                    OPT_RESUME,      OPT_TRACE,
                                    OPT_TRACE_EVERY, OPT_HELD_OUT_EVERY,
                                    OPT_TIME_LIMIT,  OPT_JSON,
                                    OPT_QUIET,       OPT_HELP,
                                    OPTIONS};

const program this_program = {.name = "ofw-mpi",
                              .summary = "plays over matrices that several processes share by rows",
                              .first_steps =
                                  "Start it by mpirun:\n"
                                  "\n"
                                  "  mpirun -n 4 ofw-mpi run --learner ofw-tvc --rounds 100 --stream \\\n"
                                  "    matrix-completion:users=162541,items=59047,ratings=25000000,constraint=exposure",
                              .begin = mpi_begin,
                              .ranks = mpi_ranks,
                              .end = mpi_end};

const command commands[] = {
    {"run", "--learner NAME --stream matrix-completion:.. --rounds N [option]...", "play a learner on a stream",
     "Plays as 'ofw run' does, with the matrix shared by rows among the processes that mpirun has started. The "
     "decisions "
     "are\n"
     "the same to the last bit for any number of them. The stream is matrix-completion with constraint=exposure or "
     "none "
     "and\n"
     "order=shuffled; the domain, if it is given, is a trace-ball.",
     options, 0, run_main},
    {"help", "[COMMAND]", "explain a command", "", help_options, 1, help_main},
};
const size_t commands_count = sizeof commands / sizeof *commands;
