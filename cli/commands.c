/* commands.c — every subcommand by name; a new one is one row here, one file, and its options */
#include "cli.h"

const program this_program = {
    .name = "ofw",
    .summary = "projection-free online optimisation under time-varying constraints",
    .first_steps =
        "'ofw help NAME' explains a command, a learner, a domain or a stream. Start with the learner ofw-ada: it is\n"
        "parameter-free. If you observe only numbers, use bfw-ada; if losses are strongly convex, ofw-ada-sc. First "
        "steps:\n"
        "\n"
        "  ofw run --learner ofw-ada --domain l2-ball:dim=10 --stream linear --rounds 10000\n"
        "  ofw pipe --learner ofw-ada --domain simplex:dim=3"};

const command commands[] = {
    {"run", "--learner NAME --stream SPEC --rounds N [--domain SPEC] [option]...", "play a learner on a stream",
     "Plays N rounds and prints the results: the loss, the regret if the stream knows the best feasible point, the\n"
     "cumulative constraint violation (ccv), the oracle's work and the time. Unless you set them, G, M and alpha come "
     "from\n"
     "the stream, and the horizon is the number of rounds.",
     run_options, 0, run_main},
    {"pipe", "--learner NAME --domain SPEC [--horizon T --lipschitz G] [option]...",
     "play over a pipe, from any language",
     "Prints {\"round\":1,\"decision\":[...]}, then one such line per line of feedback on stdin:\n"
     "  {\"loss\":f,\"loss_gradient\":VEC,\"constraint\":g,\"constraint_gradient\":VEC}\n"
     "A bandit learner takes only {\"loss\":f,\"constraint\":g}. It also prints \"center\":[...], the point around "
     "which it probes.\n"
     "VEC is [..] or {\"index\":[..],\"value\":[..]}, with indices from 0. For several constraints, send "
     "\"constraint\":[g1,..] and\n"
     "\"constraint_gradient\":[VEC,..]; for none, leave both out. Send a matrix row by row, or as "
     "{\"u\":VEC,\"v\":VEC} if it is u v'.\n"
     "A line {\"ask\":{..}} is answered at once and changes nothing: \"entries\":[i,..], \"cells\":[[row,column],..], "
     "\"row\":r,\n"
     "\"dot\":VEC or \"top\":{\"row\":r,\"k\":n,\"exclude\":[column,..]}. A bad line ends the play with exit code 3.",
     pipe_options, 0, pipe_main},
    {"serve", "--state DIR [--listen ADDRESS:PORT] [--token-file FILE] [option]...", "serve decisions over HTTP",
     "Keeps sessions, each a learner, and answers requests: make a session, ask for its decision, send feedback. "
     "Feedback is on\n"
     "the disk before it is answered, and a restart with the same DIR resumes every session. It listens on this "
     "machine alone\n"
     "unless --listen says otherwise, and prints the address. SIGTERM ends it after the requests that have begun. "
     "docs/service.md\n"
     "has the interface; the server has it at /openapi.json.",
     serve_options, 0, serve_main},
    {"pace", "FILE|--live --budgets FILE|--budget CAMPAIGN=AMOUNT... [option]...",
     "spend daily budgets well in second-price auctions",
     "Reads opportunities, CSV or NDJSON with the columns time, campaign, value and cost (the price to beat). For each "
     "campaign\n"
     "and slot of time it decides the multiple of the value to bid. A bid that reaches the cost wins and pays the "
     "cost.\n"
     "Prints the value won, the spend, and the spend above the budgets. There are no constants to choose.\n"
     "With --live it reads one opportunity per line from stdin and answers at once with {\"multiplier\":m,\"bid\":b}. "
     "The next line\n"
     "reports the outcome: {\"cost\":c}. Add \"won\":true or false if that differs from whether the bid reaches the "
     "cost, and\n"
     "\"paid\":p if that differs from the cost.",
     pace_options, 1, pace_main},
    {"growth", "--suite NAME | --learner NAME --stream SPEC [--domain SPEC] [option]...",
     "compare measured growth with the proved rates",
     "Plays learners on streams at several horizons, fits how regret and violation grow, and compares the growth with "
     "the\n"
     "proved rates. Each learner plays with the theorem's constants, with gamma=lambda and preset=tight if it has "
     "them, and\n"
     "with constants tuned at the smallest horizon on other seeds. --learner, --stream and --domain may be repeated. "
     "--rounds\n"
     "takes several horizons: 1000,3162,10000. With --output, the same command resumes an interrupted or killed "
     "measurement.",
     growth_options, 0, growth_main},
    {"compare", "--suite NAME | --learner SPEC --rival SPEC --stream SPEC [--domain SPEC] [option]...",
     "compare learners on streams, with a paired test",
     "Tunes every learner and every rival alike on each stream ('ofw help tune') and plays them on other seeds, the "
     "same for all.\n"
     "Then it says who is better in violation and in regret (in loss, if the regret is not known): the differences "
     "seed by seed,\n"
     "and how often chance alone would make them as large. A learner may have options: ofw-tvc:sigma=line-search. "
     "--learner,\n"
     "--rival, --stream and --domain may be repeated. With --output, the same command resumes an interrupted or "
     "killed\n"
     "comparison.",
     compare_options, 0, compare_main},
    {"tune", "--learner NAME --stream SPEC --rounds N [--domain SPEC] [option]...",
     "choose a learner's two free constants",
     "Plays 22 runs. First it varies the first of the learner's two constants to tune ('ofw help LEARNER' names them): "
     "10^-5,\n"
     "10^-4, .. 10^5 times its default. Then it varies the second, with the best value of the first. Prints the result "
     "of each\n"
     "run, which runs no other beats in both regret and violation, and the run with the least (regret^+ + ccv) / (G D "
     "T).",
     tune_options, 0, tune_main},
    {"reproduce", "movielens|filmtrust|FILE.ini -o DIR [--reading NAME] [--quick] [option]...",
     "play the paper's experiments, from data to figures",
     "Plays a figure of Wang, Wan and Zhang: online matrix completion with full information (movielens) or bandit "
     "feedback\n"
     "(filmtrust), with every method tuned alike on other seeds. Then it draws the figures, tests the paper's claims "
     "and writes\n"
     "one page with all of it, DIR/report.html; the last line printed is its path. A reading fills in what the paper "
     "leaves\n"
     "open. The reading literal plays the formula as printed, into DIR. Every other reading plays into a folder of its "
     "name in\n"
     "DIR, and DIR/readings.json says which reading gives which claim.\n"
     "It takes minutes with --quick, hours without. If it is interrupted or killed, the same command resumes. It uses "
     "the data\n"
     "in the data folder ('ofw help data'); if there are none, it generates similar ratings. It plays an experiment "
     "file of\n"
     "your own the same way.",
     reproduce_options, 1, reproduce_main},
    {"sweep", "FILE -o DIR [option]... | FILE --shards N -o DIR [--slurm] | --merge DIR... -o OUT",
     "play an experiment: learners, grids of options, seeds",
     "Reads an experiment file and plays every learner with every combination of its options on every stream, once per "
     "seed.\n"
     "If a learner is to be tuned, it first plays the 22 runs of 'ofw tune', or 26, on other seeds. Worker processes "
     "play.\n"
     "DIR/results.db has the results so far, and the same command resumes from them, however the last one ended. A "
     "play that\n"
     "fails is kept with its error, and the other plays continue.\n"
     "If there are too many plays for one machine, --shards writes a script that plays them in N shards and merges "
     "their\n"
     "results; --slurm submits it. Its steps are --stage tune, --merge, --stage play and --merge. The merged database "
     "equals\n"
     "that of one sweep, times aside.",
     sweep_options, MOST_WORDS, sweep_main},
    {"export", "FILE [option]...", "print a table of a sweep's results as CSV or JSON",
     "Reads the results of 'ofw sweep', a file or the folder with results.db, and prints one of its tables. The "
     "default, 'play',\n"
     "has one row per reported play, with its learner, options, seed and results.",
     export_options, 1, export_main},
    {"metrics", "FILE... [option]...", "print regret and violation of recorded runs",
     "Reads traces of 'ofw run --trace' and prints the metrics of each: the regret against the best feasible point, "
     "also in the\n"
     "worst window and against a target that may move, the violation, the oracle's work and the time. A dash means "
     "that the\n"
     "trace does not tell.",
     metrics_options, MOST_WORDS, metrics_main},
    {"report", "FILE|DIR [option]...", "write the results of a sweep as one HTML page",
     "Reads the results of 'ofw sweep', a file or the folder with results.db, and writes one HTML page that needs no "
     "other file\n"
     "and no network. It shows loss and violation over rounds, oracle calls or seconds, the tuning landscape, loss "
     "against\n"
     "violation, costs, claims, the configuration, and the data behind each figure. Without --output it writes "
     "report.html\n"
     "beside the results.",
     report_options, 1, report_main},
    {"plot", "DIR|FILE -o FIGURE [option]...", "draw the curves of an experiment",
     "Draws the results of 'ofw sweep' or 'ofw reproduce' in DIR/results.db. The name of the figure sets "
     "the format:\n"
     "SVG, PNG or PDF. There is one row of panels per stream, with the mean over the seeds and a band of one standard\n"
     "deviation. --csv writes the numbers behind it.",
     plot_options, 1, plot_main},
    {"data", "list | import NAME PATH | generate NAME|SPEC | describe NAME|FILE [option]...",
     "import, check, describe and generate sets of ratings",
     "list shows the data sets that ofw knows, their owners, where ofw looks for each, and whether it is there and "
     "whole.\n"
     "import checks a set that you have (a zip file, a folder or the file of ratings itself) and copies it to that "
     "place.\n"
     "generate writes ratings with the shape, the counts, the values and about the leading singular values of a set, "
     "or those\n"
     "that a stream matrix-completion:users=N,items=N,ratings=N,rank=N generates.\n"
     "describe prints statistics of a file of ratings.\n"
     "The data folder is OFW_DATA_DIR, else ofw in XDG_DATA_HOME, else ~/.local/share/ofw.",
     data_options, 3, data_main},
    {"recommend", "FILE [USER] [--order time|file|random] [--cap SCORE] [--top K] [option]...",
     "predict ratings one by one, with a cap on a group of items",
     "Reads ratings ('user item rating [time]' per line) and plays them in order. It predicts each rating before it "
     "learns from\n"
     "it, and keeps the prediction on the scale. Prints the progressive errors (RMSE and MAE), the mean violation of "
     "the cap\n"
     "and the time per rating. With --cap, the mean score of the group over the users of each round stays at or below "
     "the cap.\n"
     "--top K ranks items for USER at the end. Set constants by --set KEY=VALUE; docs/recommend.md explains the method "
     "and what\n"
     "each part gains.",
     recommend_options, 2, recommend_main},
    {"info", "FILE [--json]", "describe a checkpoint or a log",
     "Describes a file of 'ofw run --checkpoint', 'ofw pipe --checkpoint' or 'ofw pipe --log': the build that wrote "
     "it, the\n"
     "configuration, its rounds and its contents. It says if the file is damaged.",
     info_options, 1, info_main},
    {"check", "FILE [--repair --output NEW] [--json] | --domain SPEC [--plugin FILE] [--json]",
     "check whether a log, a checkpoint or a database is whole, and a set sound",
     "Reads all of a file of 'ofw pipe --log', '--checkpoint' or 'ofw sweep' and changes nothing. It says whether the "
     "file is\n"
     "whole, torn or damaged, and up to where. A log is torn if a power cut stopped its writer; opening it repairs it. "
     "--repair\n"
     "writes the whole part to a new file: of a log all rounds before the damage, of a checkpoint the previous one. "
     "Exit code\n"
     "3: damaged. With --domain it checks a set, for example one of a plugin: whether the oracle's answers are minimal "
     "and in\n"
     "the set, whether its radii are true, and whether its projection is one.",
     check_options, 1, check_main},
    {"list", "[domains|learners|streams] [--json]", "list the domains, learners and streams", "", list_options, 1,
     list_main},
    {"help", "[COMMAND|LEARNER|DOMAIN|STREAM] [--json]", "explain a command, a domain, a learner or a stream", "",
     help_options, 1, help_main},
};
const size_t commands_count = sizeof commands / sizeof *commands;
