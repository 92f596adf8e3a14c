/* commands.c — every subcommand by name; a new one is one row here, one file, and its options */
#include "cli.h"

const program this_program = {
    "ofw", "projection-free online optimisation under time-varying constraints",
    "'ofw help NAME' explains a command, a learner, a domain or a stream. The learner to begin with is ofw-ada, "
    "which has\n"
    "to be told nothing; bfw-ada where only numbers are seen, ofw-ada-sc where losses are strongly convex. First "
    "steps:\n\n"
    "  ofw run --learner ofw-ada --domain l2-ball:dim=10 --stream linear --rounds 10000\n"
    "  ofw pipe --learner ofw-ada --domain simplex:dim=3"};

const command commands[] = {
    {"run", "--learner NAME --stream SPEC --rounds N [--domain SPEC] [option]...", "play a learner on a stream",
     "Plays N rounds and prints what they came to: the loss, the regret where the stream knows the best feasible "
     "point, the\n"
     "cumulative constraint violation (ccv), the oracle's work and the time. G, M and alpha come from the stream, the "
     "horizon is the\n"
     "number of rounds, unless they are given.",
     run_options, 0, run_main},
    {"pipe", "--learner NAME --domain SPEC [--horizon T --lipschitz G] [option]...",
     "play over a pipe, from any language",
     "Prints {\"round\":1,\"decision\":[...]}, then one such line for each line of feedback on stdin:\n"
     "  {\"loss\":f,\"loss_gradient\":VEC,\"constraint\":g,\"constraint_gradient\":VEC}\n"
     "A bandit learner is given {\"loss\":f,\"constraint\":g} alone, and prints \"center\":[...] too, around which it "
     "probes.\n"
     "VEC is [..] or {\"index\":[..],\"value\":[..]}, indices from 0. Several constraints: \"constraint\":[g1,..] and\n"
     "\"constraint_gradient\":[VEC,..]; none: leave both out. A matrix is given row by row, or as "
     "{\"u\":VEC,\"v\":VEC} "
     "where it is u v'.\n"
     "A line {\"ask\":{..}} is answered at once and changes nothing: \"entries\":[i,..], \"cells\":[[row,column],..], "
     "\"row\":r,\n"
     "\"dot\":VEC or \"top\":{\"row\":r,\"k\":n,\"exclude\":[column,..]}. A bad line ends the play with exit code 3.",
     pipe_options, 0, pipe_main},
    {"pace", "FILE|--live --budgets FILE|--budget CAMPAIGN=AMOUNT... [option]...",
     "spend daily budgets well in second-price auctions",
     "Reads opportunities, CSV or NDJSON with the columns time, campaign, value and cost (the price to beat), and "
     "decides per "
     "campaign and\n"
     "slot of time by which multiple of the value to bid. A bid that reaches the cost wins and pays it. Prints what "
     "was won, "
     "what was spent\n"
     "and what of it was above the budgets. No constants have to be chosen.\n"
     "With --live an opportunity per line is read from stdin and answered at once by {\"multiplier\":m,\"bid\":b}; the "
     "next line "
     "tells its outcome:\n"
     "{\"cost\":c}, and \"won\":true or false and \"paid\":p if that is not whether the bid reaches the cost, and the "
     "cost.",
     pace_options, 1, pace_main},
    {"growth", "--suite NAME | --learner NAME --stream SPEC [--domain SPEC] [option]...",
     "measured exponents against what is proved",
     "Plays learners on streams at several horizons, fits how regret and violation grow with them, and holds that "
     "against the\n"
     "proved rates, with each learner's constants as the theorem has them, with gamma=lambda and preset=tight where it "
     "has them, and\n"
     "tuned at the smallest horizon on other seeds. --learner, --stream and --domain may be repeated; --rounds takes "
     "several horizons,\n"
     "1000,3162,10000. With --output an interrupted or killed measurement goes on where it was.",
     growth_options, 0, growth_main},
    {"compare", "--suite NAME | --learner SPEC --rival SPEC --stream SPEC [--domain SPEC] [option]...",
     "which learner is better where, with a paired test",
     "Tunes every learner and every rival alike on each stream ('ofw help tune'), plays them on other seeds, the same "
     "ones for all, and\n"
     "tells for regret (the loss, where it is not known) and violation who is better: differences seed by seed, and "
     "how often chance alone\n"
     "would make them as large. A learner may have options of its own: ofw-tvc:sigma=line-search. --learner, --rival, "
     "--stream and\n"
     "--domain may be repeated. With --output an interrupted or killed comparison goes on where it was.",
     compare_options, 0, compare_main},
    {"tune", "--learner NAME --stream SPEC --rounds N [--domain SPEC] [option]...",
     "choose a learner's two free constants",
     "Plays 22 runs: the first of the learner's two constants to tune ('ofw help LEARNER' names them) at 10^-5, 10^-4, "
     ".. 10^5 times\n"
     "its default, then the second with the best of the first. Prints what each came to, which ones no other beats in "
     "both regret\n"
     "and violation, and the one with the least (regret^+ + ccv) / (G D T).",
     tune_options, 0, tune_main},
    {"reproduce", "movielens|filmtrust|FILE.ini -o DIR [--reading NAME] [--quick] [option]...",
     "the paper's experiments, from data to figures",
     "Plays a figure of Wang, Wan and Zhang: online matrix completion with full information (movielens) or bandit "
     "feedback\n"
     "(filmtrust), every method tuned alike on other seeds. Then draws the figures, tests the paper's claims and makes "
     "a "
     "page\n"
     "of it all: DIR/report.html, whose path is the last line printed. What the paper leaves open is a reading: "
     "literal "
     "plays the\n"
     "formula as printed into DIR, every other reading plays into a folder of its name in DIR, and DIR/readings.json "
     "says "
     "which\n"
     "reading gives which claim.\n"
     "Minutes with --quick, hours without; if it is interrupted or killed, the same command resumes. The data are "
     "those "
     "in the data\n"
     "folder ('ofw help data'); if there are none, ratings like them are generated. An experiment file of your own is "
     "played the\n"
     "same way.",
     reproduce_options, 1, reproduce_main},
    {"sweep", "FILE -o DIR [option]...", "play an experiment: learners, grids of options, seeds",
     "Reads an experiment file and plays every learner with every combination of its options on every stream, once a "
     "seed; where a\n"
     "learner is to be tuned, first the 22 runs of 'ofw tune' on other seeds, or 26. Worker processes play. What is "
     "done is "
     "in DIR/results.db,\n"
     "and the same command goes on from there, however it was ended. A play that fails is kept with its error, and the "
     "rest goes on.",
     sweep_options, 1, sweep_main},
    {"export", "FILE [option]...", "a table of a sweep's results as CSV or JSON",
     "Reads what 'ofw sweep' wrote, the file or the folder that holds results.db, and prints a table of it: of 'play', "
     "the default, a row\n"
     "a reported play with its learner, options, seed and what came of it.",
     export_options, 1, export_main},
    {"metrics", "FILE... [option]...", "regret and violation of recorded runs",
     "Reads traces that 'ofw run --trace' wrote and prints what each came to: the regret against the best feasible "
     "point, in the\n"
     "worst window too and against a target that may move, the violation, the oracle's work and the time. A dash: the "
     "trace does\n"
     "not tell.",
     metrics_options, MOST_WORDS, metrics_main},
    {"report", "FILE|DIR [--output FILE] [--json]", "the results of a sweep as one page",
     "Reads what 'ofw sweep' wrote, the file or the folder that holds results.db, and writes one page of HTML that "
     "needs "
     "nothing\n"
     "else, no network either: loss and violation over rounds, oracle calls or seconds, the tuning landscape, loss "
     "against\n"
     "violation, costs, claims, configuration, and the data behind each figure. Without --output it is report.html "
     "beside the results.",
     report_options, 1, report_main},
    {"plot", "DIR|FILE -o FIGURE [option]...", "an experiment's curves as a figure",
     "Draws what 'ofw sweep' or 'ofw reproduce' kept in DIR/results.db, by gnuplot, as SVG, PNG or PDF by the figure's "
     "name: a line of\n"
     "panels a stream, the mean over the seeds with a band of one standard deviation. --csv writes the numbers behind "
     "it.",
     plot_options, 1, plot_main},
    {"data", "list | import NAME PATH | generate NAME|SPEC | describe NAME|FILE [option]...",
     "import, check, describe and generate sets of ratings",
     "list says which data sets ofw knows, whose they are, where each is looked for, and whether it is there and "
     "whole.\n"
     "import checks a set that you have got, a zip file, a folder or the file of ratings itself, and copies it to "
     "where "
     "it is looked\n"
     "for. generate writes ratings that have the shape, the counts, the values and about the leading singular values "
     "of "
     "a set,\n"
     "or those that a stream matrix-completion:users=N,items=N,ratings=N,rank=N generates.\n"
     "describe says what there is in a file of ratings.\n"
     "The data folder is OFW_DATA_DIR, else ofw in XDG_DATA_HOME, else ~/.local/share/ofw.",
     data_options, 3, data_main},
    {"recommend", "FILE [USER] [--order time|file|random] [--cap SCORE] [--top K] [option]...",
     "predict ratings one by one, with a cap on a group of items",
     "Reads ratings ('user item rating [time]' per line) and plays them in order. Each rating is predicted before it "
     "is learned from, "
     "and\n"
     "the prediction is kept on the scale. Prints the progressive errors (RMSE and MAE), the mean violation of the cap "
     "and the time per "
     "rating.\n"
     "With --cap the mean score of the group, over the users of each round, stays at or below the cap. --top K ranks "
     "items for USER "
     "at the end.\n"
     "Constants are set by --set KEY=VALUE; docs/recommend.md explains the method and what each part gains.",
     recommend_options, 2, recommend_main},
    {"info", "FILE [--json]", "what a checkpoint or a log holds",
     "Describes what 'ofw run --checkpoint', 'ofw pipe --checkpoint' or 'ofw pipe --log' wrote: which build wrote "
     "it, the\n"
     "configuration, the rounds that it has, and what is in it. A damaged file is told from a whole one.",
     info_options, 1, info_main},
    {"check", "FILE [--repair --output NEW] [--json]", "whether a log, a checkpoint or a database is whole",
     "Reads all of what 'ofw pipe --log', '--checkpoint' or 'ofw sweep' wrote and changes nothing. It says whether "
     "the file is whole,\n"
     "torn (a log whose writer was stopped by a power cut: opening it mends that) or damaged, and up to where. With "
     "--repair what is\n"
     "whole is written to a new file: of a log all rounds before the damage, of a checkpoint the one before it. Exit "
     "code 3: damaged.",
     check_options, 1, check_main},
    {"list", "[domains|learners|streams] [--json]", "what is there to choose from", "", list_options, 1, list_main},
    {"help", "[COMMAND|LEARNER|DOMAIN|STREAM] [--json]", "explain a command, a domain, a learner or a stream", "",
     help_options, 1, help_main},
};
const size_t commands_count = sizeof commands / sizeof *commands;
