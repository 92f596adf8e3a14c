/* option_list.h — every option of every command, one row each: its id without OPT_, its name, its letter or 0, what its value is
 * called (NULL: it is a flag), and its help
 *
 * cli.h makes the ids of it and arguments.c the table, so that a new option is one row here.
 */
OPTION(ACROSS, "across", 0, "WHAT", "what the curves run along: rounds (default), calls or seconds")
OPTION(ANSWERS, "answers", 0, "FILE", "write what the requests of --ask are answered, a line each")
OPTION(ASK, "ask", 0, "FILE",
       "requests, one JSON object a line as 'ofw pipe' takes them, for the decision that the run ends with")
OPTION(AS_CSV, "csv", 0, NULL, "write comma-separated values, which is the default")
OPTION(BUDGET, "budget", 0, "CAMPAIGN=AMOUNT", "what a campaign may spend per day; may be repeated")
OPTION(BUDGETS, "budgets", 0, "FILE",
       "CSV or NDJSON with the columns campaign, budget and perhaps day: budgets per day")
OPTION(CAP, "cap", 0, "SCORE", "keep the mean score of --group at most at SCORE in every round")
OPTION(CHECKPOINT, "checkpoint", 0, "FILE",
       "keep the state of the play in FILE, and the one before it in FILE.1; also when it is interrupted")
OPTION(CHECKPOINT_EVERY, "checkpoint-every", 0, "N", "after every N-th round (default: after 10 seconds)")
OPTION(COLS, "cols", 0, "N", "columns of the matrix (default 1682)")
OPTION(COLUMNS, "columns", 0, "LIST",
       "what the columns are called, if not by their own names: time=NAME,campaign=NAME,value=NAME,cost=NAME")
OPTION(CONSTANTS, "constants", 0, "LIST",
       "theorem, default, gamma=lambda, tight, tuned or KEY=VALUE+KEY=VALUE.., with commas between (default: the first "
       "five)")
OPTION(CSV, "csv", 0, "FILE", "write what each play came to as CSV")
OPTION(DAY, "day", 0, "SECONDS", "how long a budget lasts (default 86400)")
OPTION(DECISION, "decision", 0, "HOW",
       "all: its numbers are printed (default, where they can be); none: only its round, for those who ask about it")
OPTION(DIRECTIONS, "directions", 0, "FILE", "what 'ofw run --record-directions' wrote, instead of a game")
OPTION(DOMAIN, "domain", 0, "SPEC", "the set to decide in, name:key=value,... (see 'ofw list')")
OPTION(DROP, "drop", 0, NULL, "delete the plays that the folder has and the experiment no longer asks for")
OPTION(FIGURE, "figure", 0, "FILE", "draw the growth, by gnuplot: a name that ends with .svg, .png or .pdf")
OPTION(FIRST, "first", 0, "M", "the multiplier before anything of a campaign has been seen (default 1)")
OPTION(FRONT, "front", 0, NULL, "loss against violation: all tuning runs, each learner's front, and its mean")
OPTION(GROUP, "group", 0, "N",
       "how many items the cap is on, those rated most often in the file; up to 1 a share of all (default 0.1)")
OPTION(HELD_OUT_EVERY, "held-out-every", 0, "N",
       "say on stderr what the error on data held out is after every N-th round, and at the beginning that of the mean "
       "and of each item's mean")
OPTION(HELP, "help", 'h', NULL, "print this help")
OPTION(HIGHEST, "highest", 0, "SCORE", "the best rating that there can be (default: the best of the file)")
OPTION(
    HORIZON, "horizon", 0, "T",
    "how many rounds the learner's constants are chosen for, or 'auto': not known, restarts at 64, 128, 256, .. rounds")
OPTION(JOBS, "jobs", 'j', "N", "how many plays at a time (default: as many as there are processors)")
OPTION(JSON, "json", 0, NULL, "print the result as one JSON object")
OPTION(LABEL, "label", 0, "LABEL", "only the stream that the experiment calls so")
OPTION(LEARNER, "learner", 0, "NAME", "the method (see 'ofw list')")
OPTION(LIPSCHITZ, "lipschitz", 0, "G", "a bound on the gradients of losses and constraints")
OPTION(LIVE, "live", 0, NULL, "answer each opportunity on stdin with a bid, then read what came of it")
OPTION(LOG, "log", 0, NULL, "logarithmic axes")
OPTION(LOG_FILE, "log", 0, "FILE",
       "every accepted line is on the disk in FILE before the next decision is printed; with the same FILE a restart "
       "goes on there")
OPTION(LOG_GROUP, "log-group", 0, "N",
       "up to N lines that have come in together are made durable together, and then answered (default 1)")
OPTION(LOG_KEEP, "log-keep", 0, "N",
       "drop what the checkpoints have from the log, but for the last N rounds at least (default: keep all)")
OPTION(LOSS_BOUND, "loss-bound", 0, "M", "a bound on the size of the losses")
OPTION(LOWEST, "lowest", 0, "SCORE", "the worst rating that there can be (default: the worst of the file)")
OPTION(METRIC, "metric", 0, "LIST", "of loss, regret and ccv, with commas between (default loss,ccv)")
OPTION(MIDNIGHT, "midnight", 0, "SECONDS", "when the first day begins, for budgets by local days (default 0)")
OPTION(NO_GUARD, "no-guard", 0, NULL, "bid also what is above the rest of the day's budget")
OPTION(OBJECTIVE, "objective", 0, "WHAT", "what is to be large: value (default), or profit, which is value minus cost")
OPTION(ON_ERROR, "on-error", 0, "HOW",
       "stop: a line that cannot be accepted ends the play (default); skip: it is answered by {\"error\":..}, and the "
       "same "
       "decision waits for another line")
OPTION(ORDER, "order", 0, "HOW", "play the ratings by time (fourth column), as in the file (default), or random")
OPTION(OUTPUT, "output", 'o', "DIR", "keep what is done in this folder, and go on from there")
OPTION(OUTPUT_FILE, "output", 'o', "FILE", "write to this file")
OPTION(PACE_FIGURE, "figure", 0, "FILE",
       "draw spend against plan, by gnuplot: a name that ends with .svg, .png or .pdf")
OPTION(PER_ROUND, "per-round", 0, "N", "ratings per round of the cap (default 500)")
OPTION(PREDICTIONS, "predictions", 0, "FILE", "write user, item, rating and prediction of every rating as CSV")
OPTION(PLUGIN, "plugin", 0, "FILE",
       "a shared object that adds learners and sets (ofw/plugin.h); may be repeated. It runs as a part of ofw: trust "
       "it first")
OPTION(QUICK, "quick", 0, NULL, "shorter: smaller horizons, in growth fewer seeds too")
OPTION(QUIET, "quiet", 'q', NULL, "no progress on stderr")
OPTION(READING, "reading", 0, "NAME",
       "how what the paper leaves open is filled in: literal (default), vertex, one-pass, single, boxes, exposure, "
       "printed "
       "(filmtrust alone), or all of them")
OPTION(RECORD_DIRECTIONS, "record-directions", 0, "FILE",
       "write down the directions that the oracle is asked about, for 'ofw-bench oracle'")
OPTION(RECORD_EVERY, "record-every", 0, "N", "those of every N-th round and the last (default: what fits into 256 MiB)")
OPTION(REPAIR, "repair", 0, NULL, "write what is whole to a new file, which --output names")
OPTION(REPEATS, "repeats", 0, "N", "how often each is timed; the median counts")
OPTION(RESUME, "resume", 0, NULL, "go on from the checkpoint; from round 1 where there is none")
OPTION(RIVAL, "rival", 0, "SPEC", "a learner to hold it against; may be repeated")
OPTION(ROUNDS, "rounds", 0, "N", "how many rounds to play")
OPTION(ROWS, "rows", 0, "M", "rows of the matrix (default 943)")
OPTION(SCALE, "scale", 0, "KEY=FACTOR", "multiply what an option of the learner would be otherwise; may be repeated")
OPTION(SEED, "seed", 0, "S", "fixes every random choice (default 1)")
OPTION(SEEDS, "seeds", 0, "N", "how many seeds, from --seed on")
OPTION(SET, "set", 0, "KEY=VALUE",
       "an option of the learner ('ofw help LEARNER'), or a constant of recommend (its page); may be repeated")
OPTION(SLOT, "slot", 0, "SECONDS", "how long a multiplier is kept (default 300)")
OPTION(SLOTS, "slots", 0, "FILE", "write multiplier, value, spend and plan of every slot and campaign as CSV")
OPTION(STREAM, "stream", 0, "SPEC", "where the rounds come from, name:key=value,... (see 'ofw list')")
OPTION(STRONG_CONVEXITY, "strong-convexity", 0, "A", "alpha of the losses")
OPTION(SUITE, "suite", 0, "NAME",
       "a ready choice of learners and streams: table1 (growth), the paper's Table 1; rivals (compare), its methods "
       "against theirs; ada (both), the learners that are told nothing")
OPTION(TABLE, "table", 0, "NAME",
       "which one: play (default), meta, arm, cell, series, timing, timing_series, choices or choice_claims")
OPTION(THREADS, "threads", 0, "N", "threads that share the work on large matrices (default 1); they change no bit")
OPTION(TIME_LIMIT, "time-limit", 0, "SECONDS", "stop playing after the round in which they have passed")
OPTION(TOP, "top", 0, "K", "print the K items with the largest scores that USER has not rated")
OPTION(TRACE, "trace", 0, "FILE", "write a CSV row a recorded round")
OPTION(TRACE_EVERY, "trace-every", 0, "N",
       "record every N-th round and the last (default 1), or 'log': 1, 2, .. 9, 10, 20, ..")
OPTION(TUNE_SEEDS, "tune-seeds", 0, "N", "how many seeds constants are tuned on (default 4)")
OPTION(WINDOW, "window", 0, "N", "the worst window has N rounds (default: any number)")
