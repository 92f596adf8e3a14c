/* cmd_run.c — ofw run: a learner on a stream, progress on stderr, the account on stdout */
#include "cli.h"
#include "phase.h"
#include "requests.h"
#include "resume.h"
#include "shown.h"
#include "stop.h"
#include "terminal.h"
#include "trace_file.h"

#include "lab/scale.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const option_id run_options[] = {OPT_LEARNER,
                                 OPT_STREAM,
                                 OPT_ROUNDS,
                                 OPT_DOMAIN,
                                 OPT_HORIZON,
                                 OPT_LIPSCHITZ,
                                 OPT_LOSS_BOUND,
                                 OPT_STRONG_CONVEXITY,
                                 OPT_SET,
                                 OPT_SCALE,
                                 OPT_SEED,
                                 OPT_THREADS,
                                 OPT_LATE,
                                 OPT_CHECKPOINT,
                                 OPT_CHECKPOINT_EVERY,
                                 OPT_RESUME,
                                 OPT_TRACE,
                                 OPT_TRACE_EVERY,
                                 OPT_RECORD_DIRECTIONS,
                                 OPT_RECORD_EVERY,
                                 OPT_HELD_OUT_EVERY,
                                 OPT_PLUGIN,
                                 OPT_ASK,
                                 OPT_ANSWERS,
                                 OPT_TIME_LIMIT,
                                 OPT_JSON,
                                 OPT_QUIET,
                                 OPT_HELP,
                                 OPTIONS};

/* --held-out-every: the error on data that no round shows, and what to hold it against. */
typedef struct held_errors {
  uint64_t every;         /* rounds; 0: only at the end */
  double mean, item_mean; /* the errors of two predictors; NaN: nothing is held out */
} held_errors;

/* What is watched between rounds. */
typedef struct watch {
  const ofw_ranks *ranks; /* that play together; NULL: there are none */
  uint64_t rounds;
  double time_limit; /* infinite: none */
  size_t threads;
  trace_file trace;
  checkpointing checkpoint;
  int code; /* of what failed meanwhile, after a complaint */
  int quiet, terminal;
  uint64_t next_report; /* doubling table */
  double last_bar;
  const command *self;
  ofw_learner *l;
  ofw_run *run;
  warnings warnings;
  recording recording;
  requests requests;
  held_errors held_out;
  ofw_lateness late;
} watch;

/* The exit code of all ranks: 0 if none has failed. */
static int agreed(const watch *w, int code)
{
  return (int)ofw_ranks_largest(w->ranks, code);
}

static double regret(const ofw_trace_row *row)
{
  return row->loss_sum - row->comparator_loss_sum;
}

static void report_row(watch *w, const ofw_trace_row *row)
{
  if (row->round < w->next_report && row->round < w->rounds)
    return;
  if (w->next_report == 1)
    fprintf(stderr, "%10s %12s %12s %12s %9s\n", "round", "loss", "regret", "ccv", "seconds");
  fprintf(stderr, "%10llu %12.6g", (unsigned long long)row->round, row->loss_sum);
  print_known(stderr, regret(row));
  fprintf(stderr, " %12.6g %9.3f\n", row->ccv, row->seconds);
  w->next_report = 2 * row->round;
}

static void report_bar(watch *w, const ofw_trace_row *row)
{
  if (row->seconds - w->last_bar < 0.1 && row->round < w->rounds)
    return;
  w->last_bar = row->seconds;
  double share = (double)row->round / (double)w->rounds;
  double left = row->seconds / share - row->seconds;
  char time[LEFT_TEXT], loss[40], ccv[40];
  snprintf(loss, sizeof loss, "loss %.5g", row->loss_sum);
  snprintf(ccv, sizeof ccv, "ccv %.5g", row->ccv);
  show_progress(share, (const char *const[]){time_left(left, time), loss, ccv}, 3);
  w->warnings.line_open = 1;
}

/* Works the predictors out. With --held-out-every they are said, and a stream that holds nothing out is refused. */
static int begin_held_out(const command *self, held_errors *h, ofw_stream *s)
{
  ofw_status st = ofw_stream_held_out_baselines(s, &h->mean, &h->item_mean);
  if (st == OFW_UNSUPPORTED && !h->every)
    return 0;
  if (st != OFW_OK)
    return complain(self, exit_code(st), "%s%s", st == OFW_UNSUPPORTED ? "--held-out-every: " : "",
                    ofw_stream_error(s));
  if (h->every)
    fprintf(stderr, "held-out rmse %.6g of the mean, %.6g of each item's mean\n", h->mean, h->item_mean);
  return 0;
}

/* Of the decision after this round, on stderr. */
static int report_held_out(const command *self, ofw_run *run, uint64_t round)
{
  double rmse;
  ofw_status st = ofw_run_held_out(run, &rmse);
  if (st != OFW_OK)
    return complain(self, exit_code(st), "%s", ofw_run_error(run));
  fprintf(stderr, "held-out rmse %.6g after round %llu\n", rmse, (unsigned long long)round);
  return 0;
}

static int on_round(void *ctx, const ofw_trace_row *row)
{
  watch *w = ctx;
  int stop = ofw_ranks_any(w->ranks, stop_signal || row->seconds >= w->time_limit);
  phase_end();
  w->recording.round = row->round + 1;
  warn(w->self, w->l, row->round, &w->warnings);
  if (ofw_trace_due(w->trace.every, row->round, w->rounds))
    trace_row(&w->trace, row, 1);
  if (!w->quiet && w->terminal)
    report_bar(w, row);
  else if (!w->quiet)
    report_row(w, row);
  if (w->held_out.every && row->round % w->held_out.every == 0) {
    end_line(&w->warnings);
    w->code = report_held_out(w->self, w->run, row->round);
  }
  stop = ofw_ranks_any(w->ranks, stop || w->trace.failed || w->code);
  if (!stop && ofw_ranks_any(w->ranks, checkpoint_due(&w->checkpoint, row->round))) {
    end_line(&w->warnings);
    w->code = checkpoint_run(w->self, &w->checkpoint, w->run, &w->trace);
  }
  return stop || w->code;
}

/* Columns for what is held out, and for the oracle's time, only if there is something to say. */
static void print_table(const char *learner, const watch *w, const ofw_trace_row *row, const ofw_info *info,
                        double held_out)
{
  int held = !isnan(held_out);
  printf("%-12s %10s %12s %12s %12s%s %12s%s %10s\n", "learner", "rounds", "loss", "regret", "ccv",
         held ? " held-out-rmse    mean-rmse item-mean-rmse" : "", "oracle-calls",
         info->oracle_seconds > 0.0 ? " oracle-seconds" : "", "seconds");
  printf("%-12s %10llu %12.6g", learner, (unsigned long long)row->round, row->loss_sum);
  print_known(stdout, regret(row));
  printf(" %12.6g", row->ccv);
  if (held)
    printf(" %13.6g %12.6g %14.6g", held_out, w->held_out.mean, w->held_out.item_mean);
  printf(" %12llu", (unsigned long long)row->oracle_calls);
  if (info->oracle_seconds > 0.0)
    printf(" %14.3f", info->oracle_seconds);
  printf(" %10.3f\n", row->seconds);
}

static void print_json(const arguments *args, const watch *w, const ofw_stream *s, const ofw_trace_row *row,
                       const ofw_info *info, double held_out)
{
  double G = ofw_stream_constants(s)->lipschitz;
  json j = {0};
  json_open(&j, NULL);
  json_text(&j, "learner", args->value[OPT_LEARNER]);
  json_text(&j, "stream", args->value[OPT_STREAM]);
  json_text(&j, "config", ofw_learner_config(w->l));
  json_real(&j, "lipschitz", G > 0.0 ? G : w->warnings.lipschitz);
  json_real(&j, "diameter", 2.0 * ofw_stream_domain(s)->R);
  json_count(&j, "rounds", row->round);
  json_real(&j, "loss", row->loss_sum);
  json_real(&j, "regret", regret(row));
  json_real(&j, "ccv", row->ccv);
  json_real(&j, "regret_bound", info->regret_bound);
  json_real(&j, "ccv_bound", info->ccv_bound);
  json_real(&j, "bound_failure", info->bound_failure);
  json_real(&j, "target_loss", row->target_loss_sum);
  json_real(&j, "held_out_rmse", held_out);
  json_real(&j, "held_out_mean_rmse", w->held_out.mean);
  json_real(&j, "held_out_item_mean_rmse", w->held_out.item_mean);
  json_count(&j, "oracle_calls", row->oracle_calls);
  json_count(&j, "passes", row->passes);
  json_count(&j, "projections", info->projections);
  json_count(&j, "capped", info->capped);
  json_count(&j, "left", info->left);
  json_count(&j, "right", info->right);
  json_count(&j, "entries", info->entries);
  json_count(&j, "compressions", info->compressions);
  json_real(&j, "lost", info->lost);
  json_real(&j, "lost_direction", info->lost_direction);
  json_real(&j, "oracle_seconds", info->oracle_seconds);
  json_real(&j, "seconds", row->seconds);
  json_close(&j);
  putchar('\n');
}

/* What a decision over factors is made of. */
static void report_factors(const ofw_info *info)
{
  if (info->left + info->right + info->entries == 0)
    return;
  fprintf(stderr, "factors of %zu and %zu vectors, %zu entries beside them; ", info->left, info->right, info->entries);
  if (info->compressions > 0)
    fprintf(stderr, "%llu compressions have moved the decision by %.2g at most, the direction by %.2g of its norm\n",
            (unsigned long long)info->compressions, info->lost, info->lost_direction);
  else
    fprintf(stderr, "nothing was compressed\n");
}

static void print_result(const arguments *args, const watch *w, const ofw_stream *s, ofw_run *run)
{
  double held_out = NAN; /* and so it stays if nothing is held out */
  ofw_run_held_out(run, &held_out);
  ofw_info info = {.size = sizeof info};
  ofw_learner_info(w->l, &info);
  if (!w->quiet)
    report_factors(&info);
  if (args->value[OPT_JSON])
    print_json(args, w, s, ofw_run_account(run), &info, held_out);
  else
    print_table(args->value[OPT_LEARNER], w, ofw_run_account(run), &info, held_out);
}

/* Plays what is left. The account of a play that stopped early is written too, and its state. */
static int play_on(const command *self, const arguments *args, watch *w, ofw_run *run, ofw_stream *s)
{
  uint64_t next = ofw_run_account(run)->round + 1;
  phase_begin(self, args, NULL, "playing round %llu of %llu", (unsigned long long)next, (unsigned long long)w->rounds);
  stop_on_signals();
  ofw_status st = ofw_run_play(run, w->rounds - ofw_run_account(run)->round, on_round, w);
  phase_end();
  end_line(&w->warnings);
  const ofw_trace_row *row = ofw_run_account(run);
  trace_row(&w->trace, row, 0);
  int code = agreed(w, w->code);
  stop_signal = agreed(w, stop_signal); /* one to any rank has stopped all */
  if (st == OFW_END)
    complain(self, 0, "%s", ofw_run_error(run));
  else if (st != OFW_OK)
    code = complain(self, exit_code(st), "%s", ofw_run_error(run));
  if (!code && w->checkpoint.path && w->checkpoint.round != row->round)
    code = checkpoint_run(self, &w->checkpoint, run, &w->trace);
  if (!code) {
    print_result(args, w, s, run);
    code = answer_requests(self, &w->requests, w->l, ofw_run_decision(run));
  }
  if (!code && stop_signal)
    code = complain(self, stop_code(), "interrupted after round %llu%s", (unsigned long long)row->round,
                    w->checkpoint.path ? "; to resume, repeat the command with --resume"
                    : w->trace.path    ? "; only the trace is kept, and --checkpoint FILE would keep the play"
                                       : "; nothing is kept, and --checkpoint FILE would keep the play");
  return code;
}

static int play(const command *self, const arguments *args, watch *w, ofw_learner *l, ofw_stream *s)
{
  ofw_error err = {0};
  int code = 0, resumed = 0;
  ofw_run *run = ofw_run_create(l, s, &err);
  if (!run)
    return refuse(self, &err);
  w->run = run;
  ofw_run_set_late(run, w->late);
  if (ofw_stream_note(s)[0])
    complain(self, 0, "warning: %s", ofw_stream_note(s));
  code = begin_held_out(self, &w->held_out, s);
  w->checkpoint.split = ofw_stream_domain(s)->split;
  w->checkpoint.cols = ofw_stream_domain(s)->cols;
  if (!code)
    code = open_checkpoints(self, &w->checkpoint);
  code = agreed(w, code);
  if (!code && w->checkpoint.path)
    code = resume_run(self, &w->checkpoint, args->value[OPT_RESUME] != NULL, run, &w->trace, &resumed);
  if (!code && w->trace.path && !resumed)
    code = begin_trace(self, &w->trace, w->threads, l, s);
  if (!code && w->recording.path)
    code = begin_recording(self, &w->recording, ofw_stream_domain(s));
  code = agreed(w, code);
  if (!code)
    code = play_on(self, args, w, run, s);
  code = end_recording(self, &w->recording, end_trace(self, &w->trace, code));
  unlock_file(&w->checkpoint.lock);
  ofw_run_free(run);
  return code;
}

static int read_lateness(const command *self, const arguments *args, ofw_lateness *out)
{
  static const char *const words[] = {
      [OFW_LATE_FIXED] = "fixed", [OFW_LATE_RANDOM] = "random", [OFW_LATE_NEVER] = "never"};
  const char *how = args->value[OPT_LATE];
  *out = OFW_LATE_FIXED;
  for (size_t i = 0; how && i < sizeof words / sizeof *words; i++)
    if (strcmp(how, words[i]) == 0) {
      *out = (ofw_lateness)i;
      return 0;
    }
  return how ? complain(self, EXIT_USAGE, "--late %s: expected 'fixed', 'random' or 'never'", how) : 0;
}

static int read_watch(const command *self, const arguments *args, watch *w)
{
  int code;
  *w = (watch){.self = self,
               .quiet = args->value[OPT_QUIET] != NULL,
               .terminal = terminal_moves(STDERR_FILENO),
               .ranks = args->own.sets.ranks,
               .next_report = 1,
               .held_out = {0, NAN, NAN}};
  if ((code = read_count_in(self, args, OPT_ROUNDS, 0, 0, OFW_MOST_ROUNDS, &w->rounds)) ||
      (code = read_real(self, args, OPT_TIME_LIMIT, INFINITY, &w->time_limit)))
    return code;
  if (w->time_limit < 0.0)
    return complain(self, EXIT_USAGE, "--time-limit %s: expected a number of seconds >= 0",
                    args->value[OPT_TIME_LIMIT]);
  if (w->rounds < 1)
    return complain(self, EXIT_USAGE, "--rounds 0: expected a whole number >= 1");
  if ((code = read_count_in(self, args, OPT_HELD_OUT_EVERY, 0, 1, UINT64_MAX, &w->held_out.every)) ||
      (code = read_trace_file(self, args, &w->trace)) || (code = read_checkpointing(self, args, &w->checkpoint)) ||
      (code = read_requests(self, args, &w->requests)) || (code = read_lateness(self, args, &w->late)))
    return code;
  if (w->ranks && w->ranks->rank > 0)
    w->trace.path = NULL; /* the first rank writes it */
  if (w->checkpoint.path && args->value[OPT_RECORD_DIRECTIONS])
    return complain(self, EXIT_USAGE, "--record-directions does not work with --checkpoint; leave one of them out");
  return prepare_recording(self, args, w->rounds, &w->recording);
}

static int check_delay(const command *self, const arguments *args, const ofw_learner *l)
{
  return args->value[OPT_LATE] && !l->open ? complain(self, EXIT_USAGE, "--late needs a learner with --set delay=N")
                                           : 0;
}

static int check_lipschitz(const command *self, const arguments *args, const ofw_learner_settings *s)
{
  if (args->value[OPT_LIPSCHITZ] || s->lipschitz != 0.0 || is_anytime(&args->own, args->value[OPT_LEARNER]))
    return 0;
  return complain(self, EXIT_USAGE, "the stream does not know its Lipschitz constant; give it by --lipschitz G");
}

/* --scale KEY=FACTOR */
static ofw_status scale(const char *pair, size_t k, const ofw_learner *l, const char *learner, lab_options *o,
                        ofw_error *err)
{
  const char *equals = strchr(pair, '=');
  char name[64];
  double factor;
  if (!equals || equals == pair || equals - pair >= (ptrdiff_t)sizeof name || !ofw_read_real(equals + 1, &factor))
    return ofw_fail(err, OFW_USAGE, "--scale %.80s: expected KEY=NUMBER", pair);
  if (k == LAB_MOST_SCALES)
    return ofw_fail(err, OFW_USAGE, "at most %d --scale can be given", LAB_MOST_SCALES);
  snprintf(name, sizeof name, "%.*s", (int)(equals - pair), pair);
  return lab_options_scale(o, k, learner, ofw_learner_config(l), name, factor, err);
}

/* The learner; if options are to be multiplied, made again with the multiples of what it had. NULL: err says why. */
static ofw_learner *make_learner(const arguments *args, const ofw_domain *K, const ofw_learner_settings *s,
                                 ofw_error *err)
{
  const char *pair[MOST_REPEATED], *name = args->value[OPT_LEARNER];
  size_t pairs = repeated_values(args, OPT_SCALE, pair);
  lab_options o = {0};
  ofw_status st = OFW_OK;
  ofw_learner_settings scaled = *s;
  ofw_learner *l = ofw_registry_learner(&args->own, name, K, s, err);
  if (!l || pairs == 0)
    return l;
  for (size_t k = 0; k < s->options && st == OFW_OK; k++)
    st = lab_options_add(&o, s->option[k], err);
  for (size_t k = 0; k < pairs && st == OFW_OK; k++)
    st = scale(pair[k], k, l, name, &o, err);
  ofw_learner_free(l);
  scaled.option = o.set;
  scaled.options = o.sets;
  return st == OFW_OK ? ofw_registry_learner(&args->own, name, K, &scaled, err) : NULL;
}

int run_main(const command *self, const arguments *args)
{
  watch w;
  uint64_t seed;
  ofw_error err = {0};
  int code;
  if ((code = require(self, args, OPT_LEARNER)) || (code = require(self, args, OPT_STREAM)) ||
      (code = require(self, args, OPT_ROUNDS)) || (code = read_watch(self, args, &w)) ||
      (code = read_count(self, args, OPT_SEED, 1, &seed)))
    return code;
  ofw_domain *K = NULL, *recorded = NULL;
  ofw_stream *s = NULL;
  ofw_learner *l = NULL;
  ofw_learner_settings settings;
  const char *domain = args->value[OPT_DOMAIN];
  static const char kept[] = "no round was played, and no file has changed";
  phase_begin(self, args, kept, "making the set %s", domain ? domain : "of the stream");
  if (!domain || (K = ofw_registry_domain(&args->own, domain, &err))) {
    phase_begin(self, args, kept, "making the stream %s", args->value[OPT_STREAM]);
    s = ofw_stream_create_shared(w.ranks, args->value[OPT_STREAM], K, w.rounds, seed, &err);
  }
  phase_begin(self, args, kept, "making the learner %s", args->value[OPT_LEARNER]);
  const ofw_domain *played = s ? ofw_stream_domain(s) : NULL;
  if (played && w.recording.path)
    played = recorded = record_from(&w.recording, played, &err);
  if (played && !(code = read_settings(self, args, ofw_stream_constants(s), w.rounds, &settings)) &&
      !(code = check_lipschitz(self, args, &settings)) && !(code = open_requests(self, &w.requests, played)))
    l = make_learner(args, played, &settings, &err);
  phase_end();
  if (l) {
    w.l = l;
    w.threads = settings.threads;
    w.warnings =
        (warnings){.lipschitz = settings.lipschitz,
                   .horizon = is_anytime(&args->own, args->value[OPT_LEARNER]) ? OFW_HORIZON_AUTO : settings.horizon};
    code = check_delay(self, args, l);
    code = code ? code : play(self, args, &w, l, s);
  } else if (!code)
    code = refuse(self, &err);
  close_requests(&w.requests);
  ofw_learner_free(l);
  ofw_domain_free(recorded);
  ofw_stream_free(s);
  ofw_domain_free(K);
  return code;
}
