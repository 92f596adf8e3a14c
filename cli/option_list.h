/* option_list.h — every option of every command, one row each: its id without OPT_, its name, its letter or 0, what its value is
 * called (NULL: it is a flag), and its help
 *
 * cli.h makes the ids of it and arguments.c the table, so that a new option is one row here.
 */
OPTION(ACROSS, "across", 0, "WHAT", "the horizontal axis: rounds (default), calls or seconds")
OPTION(ANSWERS, "answers", 0, "FILE", "write the answers to the requests of --ask, one per line")
OPTION(ASK, "ask", 0, "FILE", "requests about the last decision, one JSON object per line as for 'ofw pipe'")
OPTION(AS_CSV, "csv", 0, NULL, "write comma-separated values (default)")
OPTION(BUDGET, "budget", 0, "CAMPAIGN=AMOUNT", "the budget of a campaign per day; may be repeated")
OPTION(BUDGETS, "budgets", 0, "FILE",
       "budgets per day: CSV or NDJSON with the columns campaign, budget and, if you like, day")
OPTION(CAP, "cap", 0, "SCORE", "keep the mean score of --group at or below SCORE in every round")
OPTION(CHECKPOINT, "checkpoint", 0, "FILE",
       "save the state of the play in FILE and keep the previous one in FILE.1; also when interrupted")
OPTION(CHECKPOINT_EVERY, "checkpoint-every", 0, "N",
       "save a checkpoint after every N-th round (default: after 10 seconds)")
OPTION(COLS, "cols", 0, "N", "columns of the matrix (default 1682)")
OPTION(COLUMNS, "columns", 0, "LIST",
       "names of the columns in the file, if they differ: time=NAME,campaign=NAME,value=NAME,cost=NAME")
OPTION(CONSTANTS, "constants", 0, "LIST",
       "the constants to play with: theorem, default, gamma=lambda, tight, tuned or KEY=VALUE+KEY=VALUE.., separated "
       "by commas (default: the first five)")
OPTION(CSV, "csv", 0, "FILE", "write the results of each play as CSV")
OPTION(DAY, "day", 0, "SECONDS", "duration of a day, for which a budget lasts (default 86400)")
OPTION(DECISION, "decision", 0, "HOW",
       "all: print the decision's numbers (default, unless they are too many); none: print only its round, for clients "
       "that ask about it")
OPTION(DEVICE, "device", 0, "NAME",
       "what the learners play on: cpu (default); or cuda or cuda-float, which are the storage of every learner that "
       "names none")
OPTION(DIRECTIONS, "directions", 0, "FILE", "directions that 'ofw run --record-directions' wrote, instead of a game")
OPTION(DOMAIN, "domain", 0, "SPEC", "the set to decide in, name:key=value,... (see 'ofw list')")
OPTION(DROP, "drop", 0, NULL, "delete plays of the folder that the experiment no longer asks for")
OPTION(FIGURE, "figure", 0, "FILE", "draw the growth; the name ends with .svg, .png or .pdf")
OPTION(FIRST, "first", 0, "M", "the first multiplier of a campaign (default 1)")
OPTION(FRONT, "front", 0, NULL, "draw loss against violation: all tuning runs, each learner's front, and its mean")
OPTION(GROUP, "group", 0, "N",
       "number of items under the cap, those rated most often in the file; up to 1 it is a share of all items (default "
       "0.1)")
OPTION(HELD_OUT_EVERY, "held-out-every", 0, "N",
       "print the error on held-out data to stderr after every N-th round, and first that of the mean and of each "
       "item's mean")
OPTION(HELP, "help", 'h', NULL, "print this help")
OPTION(HIGHEST, "highest", 0, "SCORE", "the best possible rating (default: the best of the file)")
OPTION(HORIZON, "horizon", 0, "T",
       "the number of rounds that constants are chosen for, or 'auto' if it is not known: restarts after 64, 128, 256, "
       ".. rounds")
OPTION(JOBS, "jobs", 'j', "N", "number of plays at a time (default: the number of processors)")
OPTION(JSON, "json", 0, NULL, "print the result as one JSON object")
OPTION(LABEL, "label", 0, "LABEL", "only the stream with this label in the experiment")
OPTION(
    LATE, "late", 0, "HOW",
    "how late feedback comes to a learner with --set delay=N: fixed, after N more decisions (default); random, after 0 "
    "to N by the seed; or never")
OPTION(LEARNER, "learner", 0, "NAME", "the method (see 'ofw list')")
OPTION(LIPSCHITZ, "lipschitz", 0, "G", "a bound on the gradients of losses and constraints")
OPTION(LISTEN, "listen", 0, "ADDRESS:PORT",
       "the address to listen on (default 127.0.0.1:8780; port 0: any free one); an address that others reach needs "
       "--token-file")
OPTION(LIVE, "live", 0, NULL, "answer each opportunity on stdin with a bid, then read its outcome")
OPTION(LOG, "log", 0, NULL, "logarithmic axes")
OPTION(LOG_FILE, "log", 0, "FILE",
       "write every accepted line to FILE on the disk before printing the next decision; a restart with the same FILE "
       "resumes")
OPTION(LOG_GROUP, "log-group", 0, "N",
       "write up to N lines that arrive together to the disk at once, then answer them (default 1)")
OPTION(LOG_KEEP, "log-keep", 0, "N",
       "drop rounds from the log that the checkpoints have, except at least the last N rounds (default: keep all)")
OPTION(LOSS_BOUND, "loss-bound", 0, "M", "a bound on the size of the losses")
OPTION(LOWEST, "lowest", 0, "SCORE", "the worst possible rating (default: the worst of the file)")
OPTION(MAX_BODY, "max-body", 0, "BYTES", "the largest body of a request (default 8388608)")
OPTION(MAX_CONNECTIONS, "max-connections", 0, "N", "the most connections at a time (default 1024)")
OPTION(MAX_DIM, "max-dim", 0, "N", "the most numbers of a session's decision (default 10000000)")
OPTION(MAX_LOG, "max-log", 0, "BYTES",
       "the size of the log at which sessions are checkpointed and the log begins again (default 67108864)")
OPTION(MAX_MEMORY, "max-memory", 0, "BYTES",
       "memory in use at which no more sessions are made (default: half of the machine's)")
OPTION(MAX_SESSIONS, "max-sessions", 0, "N", "the most sessions (default 10000)")
OPTION(MAX_STREAMS, "max-streams", 0, "N", "the most streams of events at a time (default 100)")
OPTION(MERGE, "merge", 0, NULL, "join results: each DIR is the folder of a shard, or one that was merged before")
OPTION(METRIC, "metric", 0, "LIST", "any of loss, regret and ccv, separated by commas (default loss,ccv)")
OPTION(MIDNIGHT, "midnight", 0, "SECONDS", "when a day begins, in seconds after 0:00 UTC: -3600 in UTC+1 (default 0)")
OPTION(NO_GUARD, "no-guard", 0, NULL, "allow bids above the rest of the day's budget")
OPTION(OBJECTIVE, "objective", 0, "WHAT", "what to maximise: value (default), or profit, which is value minus cost")
OPTION(ON_ERROR, "on-error", 0, "HOW",
       "stop: a bad line ends the play (default); skip: a bad line is answered by {\"error\":..}, and the same "
       "decision waits for another line")
OPTION(ORDER, "order", 0, "HOW", "play the ratings by time (fourth column), as in the file (default), or random")
OPTION(OUTPUT, "output", 'o', "DIR", "store results in this folder; the same command resumes from them")
OPTION(OUTPUT_FILE, "output", 'o', "FILE", "write to this file")
OPTION(PACE_FIGURE, "figure", 0, "FILE", "draw spend against plan; the name ends with .svg, .png or .pdf")
OPTION(PER_ROUND, "per-round", 0, "N", "ratings per round of the cap (default 500)")
OPTION(PREDICTIONS, "predictions", 0, "FILE", "write user, item, rating and prediction of every rating as CSV")
OPTION(PLUGIN, "plugin", 0, "FILE",
       "a shared object that adds learners and sets (ofw/plugin.h); may be repeated. It runs as a part of ofw: trust "
       "it first")
OPTION(QUICK, "quick", 0, NULL, "play less: smaller horizons, and fewer seeds in growth")
OPTION(QUIET, "quiet", 'q', NULL, "no progress on stderr")
OPTION(RATE, "rate", 0, "N", "the most requests per second to one session (default: no limit)")
OPTION(READING, "reading", 0, "NAME",
       "how to fill in what the paper leaves open: literal (default), vertex, one-pass, single, boxes, exposure, "
       "printed (only filmtrust), or all")
OPTION(RECORD_DIRECTIONS, "record-directions", 0, "FILE",
       "write the directions that the oracle is called with, for 'ofw-bench oracle'")
OPTION(RECORD_EVERY, "record-every", 0, "N",
       "record the directions of every N-th round and the last (default: what fits into 256 MiB)")
OPTION(REPAIR, "repair", 0, NULL, "write the whole part to a new file, which --output names")
OPTION(REPEATS, "repeats", 0, "N", "number of timings of each; the median counts")
OPTION(RESUME, "resume", 0, NULL, "resume from the checkpoint; start with round 1 if there is none")
OPTION(RIVAL, "rival", 0, "SPEC", "a learner to compare with; may be repeated")
OPTION(ROUNDS, "rounds", 0, "N", "number of rounds to play")
OPTION(ROWS, "rows", 0, "M", "rows of the matrix (default 943)")
OPTION(SBATCH, "sbatch", 0, "OPTION",
       "with --slurm: an option for sbatch, such as --partition=long or --time=2:00:00; may be repeated")
OPTION(SCALE, "scale", 0, "KEY=FACTOR", "multiply the default of an option of the learner; may be repeated")
OPTION(SEED, "seed", 0, "S", "fixes every random choice (default 1)")
OPTION(SEEDS, "seeds", 0, "N", "number of seeds, beginning with --seed")
OPTION(SERVE_STATE, "state", 0, "DIR", "the folder of the sessions; it is made if it is not there")
OPTION(SET, "set", 0, "KEY=VALUE",
       "an option of the learner ('ofw help LEARNER'), or a constant of 'ofw recommend' (its manual page); may be "
       "repeated")
OPTION(SHARD, "shard", 0, "I/N", "with --stage: play the I-th of N shares of that stage")
OPTION(SHARDS, "shards", 0, "N",
       "write a script that plays in N shards, for 'sh DIR/shards.sh parallel' (GNU parallel) or --slurm")
OPTION(SLURM, "slurm", 0, NULL, "with --shards: submit the script to Slurm as two job arrays and two merges")
OPTION(SLOT, "slot", 0, "SECONDS", "duration of a slot, in which the multiplier stays the same (default 300)")
OPTION(SLOTS, "slots", 0, "FILE", "write multiplier, value, spend and plan of every slot and campaign as CSV")
OPTION(STAGE, "stage", 0, "STAGE",
       "tune: play only the tuning runs; play: play only the reported plays, with the constants of --tuned")
OPTION(START_STATE, "state", 0, "FILE",
       "start from the state in FILE, a checkpoint of a learner with the same options; without --log")
OPTION(STREAM, "stream", 0, "SPEC", "where the rounds come from, name:key=value,... (see 'ofw list')")
OPTION(STRONG_CONVEXITY, "strong-convexity", 0, "A", "alpha, the strong convexity of the losses")
OPTION(SUITE, "suite", 0, "NAME",
       "a ready choice of learners and streams: table1 (growth), the paper's Table 1; rivals (compare), its methods "
       "against their rivals; ada (both), the parameter-free learners")
OPTION(TABLE, "table", 0, "NAME",
       "the table to print: play (default), meta, arm, cell, series, timing, timing_series, choices or choice_claims")
OPTION(THREADS, "threads", 0, "N",
       "threads that share the work on large matrices (default 1); the results are bit for bit the same")
OPTION(TIMEOUT, "timeout", 0, "SECONDS", "the most time that a client may take for a request (default 30)")
OPTION(TIME_LIMIT, "time-limit", 0, "SECONDS", "stop after the round in which this time has passed")
OPTION(TOKEN_FILE, "token-file", 0, "FILE", "lines 'read TOKEN' or 'write TOKEN'; every request then needs one of them")
OPTION(TOP, "top", 0, "K", "print the K items with the largest scores that USER has not rated")
OPTION(TRACE, "trace", 0, "FILE", "write one CSV row per recorded round")
OPTION(TRACE_EVERY, "trace-every", 0, "N",
       "record every N-th round and the last (default 1), or 'log': 1, 2, .. 9, 10, 20, ..")
OPTION(TUNED, "tuned", 0, "DIR", "with --stage play: the merged shards of --stage tune")
OPTION(TUNE_SEEDS, "tune-seeds", 0, "N", "number of seeds to tune constants on (default 4)")
OPTION(WINDOW, "window", 0, "N", "length of the worst window (default: any)")
