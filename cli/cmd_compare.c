/* cmd_compare.c — ofw compare: learners and rivals, tuned alike and played on the same seeds, and who is better where */
#include "compare.h"

#include "base/basics.h"
#include "base/option_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const option_id compare_options[] = {OPT_SUITE, OPT_LEARNER, OPT_RIVAL, OPT_STREAM,     OPT_DOMAIN, OPT_ROUNDS,
                                     OPT_QUICK, OPT_SEEDS,   OPT_SEED,  OPT_TUNE_SEEDS, OPT_JOBS,   OPT_OUTPUT,
                                     OPT_JSON,  OPT_QUIET,   OPT_HELP,  OPTIONS};

enum { FULL_ROUNDS = 10000, QUICK_ROUNDS = 1000, SEEDS = 16 };

typedef struct suite_learner {
  const char *text;
  int is_rival, group;
} suite_learner;

/* The paper's four methods and those that it holds them against, with a projecting one as the yardstick. */
static const suite_learner rivals_learners[] = {
    {"ofw-tvc:sigma=line-search", 0, 0},
    {"scofw-tvc", 0, 0},
    {"opdp", 1, 0},
    {"lpm", 1, 0},
    {"coco-adagrad", 1, 0},
    {"bfw-tvc", 0, 1},
    {"scbfw-tvc", 0, 1},
    {"lbpm", 1, 1},
    {NULL, 0, 0},
};
#define BALL2 "l2-ball:dim=10"
#define BALL1 "l1-ball:dim=10"
static const place rivals_places[] = {
    {"linear", BALL2},
    {"linear", BALL1},
    {"linear:tight=0", BALL2},
    {"linear:tight=1", BALL2},
    {"quadratic", BALL2},
    {"quadratic", BALL1},
    {"quadratic:tight=0", BALL2},
    {"quadratic:tight=1", BALL2},
    {"alternating", BALL2},
    {"alternating", BALL1},
    {"conflict", BALL2},
    {"conflict", BALL1},
    {"ball-constraint", BALL2},
    {"ball-constraint", BALL1},
    {"drifting", BALL2},
    {"drifting", BALL1},
    {"trace-recovery", NULL},
    {NULL, NULL},
};

/* The learners that are told nothing against all that are tuned, on domains, dimensions and parameters that were not
 * looked at when their forms were chosen (experiments/ada). */
static const suite_learner ada_learners[] = {
    {"ofw-ada", 0, 0},   {"ofw-ada-sc", 0, 0}, {"ofw-tvc", 1, 0}, {"ofw-tvc:sigma=line-search", 1, 0},
    {"scofw-tvc", 1, 0}, {"opdp", 1, 0},       {"lpm", 1, 0},     {"bfw-ada", 0, 1},
    {"bfw-tvc", 1, 1},   {"scbfw-tvc", 1, 1},  {"lbpm", 1, 1},    {NULL, 0, 0},
};
#define BALL    "l2-ball:dim=20"
#define CUBE    "linf-ball:dim=15"
#define BOX     "box:dim=8,lower=-3,upper=0.5"
#define SIMPLEX "simplex:dim=30"
#define TRACE   "trace-ball:rows=7,cols=7"
static const place ada_places[] = {
    {"linear:drift=0.7", SIMPLEX},
    {"linear:tight=0.9", BALL},
    {"linear:drift=0.4,tight=0.6", BOX},
    {"linear:drift=0.6", TRACE},
    {"quadratic:spread=0.7,tight=0.3", SIMPLEX},
    {"quadratic:spread=0.4", BALL},
    {"quadratic:tight=0.7", CUBE},
    {"quadratic:spread=0.3", TRACE},
    {"alternating:block=20", BALL},
    {"alternating:block=50,drift=0.1", CUBE},
    {"conflict:pull=0.4,depth=0.6", BALL},
    {"conflict:noise=0.2", SIMPLEX},
    {"conflict:depth=0.3,tight=0.8", CUBE},
    {"conflict:pull=0.8", TRACE},
    {"ball-constraint:ball=0.7,pull=0.4", BALL},
    {"ball-constraint:swings=8", SIMPLEX},
    {"drifting:turns=4,spread=0.2", CUBE},
    {"drifting:stops=3,spread=0.1", BALL},
    {"trace-recovery:rows=7,cols=9,pull=0.3", NULL},
    {"trace-recovery:rows=10,cols=6,batch=10", NULL},
    {NULL, NULL},
};

static const struct {
  const char *name;
  const suite_learner *learners;
  const place *places;
} suites[] = {{"rivals", rivals_learners, rivals_places}, {"ada", ada_learners, ada_places}};
enum { SUITES = sizeof suites / sizeof *suites };

static int no_memory(const compare *c)
{
  return complain(c->self, EXIT_FAILED, "out of memory");
}

/* ---- what is asked for ---- */

static int add_contestant(compare *c, const char *text, int is_rival, int group)
{
  contestant *who = &c->who[c->contestants++];
  *who = (contestant){.text = text, .name = ofw_copy_text(text), .is_rival = is_rival, .group = group};
  if (!who->name)
    return no_memory(c);
  for (char *at = strchr(who->name, ':'); at; at = strchr(at, ',')) {
    *at++ = 0;
    if (who->sets == MOST_SETS)
      return complain(c->self, EXIT_USAGE, "%.80s..: more than %d options", text, MOST_SETS);
    who->set[who->sets++] = at;
  }
  return 0;
}

static void add_place(compare *c, const char *stream, const char *domain)
{
  c->place[c->places++] = (place){stream, domain};
}

static int take_suite(compare *c, const char *name)
{
  int code = 0;
  size_t at = 0;
  static const option_id chosen[] = {OPT_LEARNER, OPT_RIVAL, OPT_STREAM, OPT_DOMAIN};
  while (at < SUITES && strcmp(name, suites[at].name) != 0)
    at++;
  if (at == SUITES)
    return complain(c->self, EXIT_USAGE, "no suite '%s'; there are rivals and ada", name);
  for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++)
    if (c->args->value[chosen[i]])
      return complain(c->self, EXIT_USAGE, "--suite %s chooses for itself; --%s does not go with it", name,
                      option_table[chosen[i]].name);
  for (const suite_learner *l = suites[at].learners; l->text && !code; l++)
    code = add_contestant(c, l->text, l->is_rival, l->group);
  for (const place *p = suites[at].places; p->stream; p++)
    add_place(c, p->stream, p->domain);
  return code;
}

static int take_options(compare *c)
{
  const char *learner[MOST_REPEATED], *rival[MOST_REPEATED], *stream[MOST_REPEATED], *domain[MOST_REPEATED];
  int code;
  if ((code = require(c->self, c->args, OPT_LEARNER)) || (code = require(c->self, c->args, OPT_RIVAL)) ||
      (code = require(c->self, c->args, OPT_STREAM)))
    return code;
  size_t learners = repeated_values(c->args, OPT_LEARNER, learner), rivals = repeated_values(c->args, OPT_RIVAL, rival);
  size_t streams = repeated_values(c->args, OPT_STREAM, stream), domains = repeated_values(c->args, OPT_DOMAIN, domain);
  for (size_t i = 0; i < learners && !code; i++)
    code = add_contestant(c, learner[i], 0, 0);
  for (size_t i = 0; i < rivals && !code; i++)
    code = add_contestant(c, rival[i], 1, 0);
  for (size_t i = 0; i < streams; i++)
    for (size_t k = 0; k < domains || k == 0; k++)
      add_place(c, stream[i], domains ? domain[k] : NULL);
  return code;
}

static int read_numbers(compare *c)
{
  uint64_t rounds = c->args->value[OPT_QUICK] ? QUICK_ROUNDS : FULL_ROUNDS;
  int code;
  (void)((code = read_count_in(c->self, c->args, OPT_ROUNDS, rounds, 1, OFW_MOST_ROUNDS, &c->rounds)) ||
         (code = read_count_in(c->self, c->args, OPT_SEEDS, SEEDS, 2, OFW_MOST_SEEDS, &c->seeds)) ||
         (code = read_count(c->self, c->args, OPT_SEED, 1, &c->seed)) ||
         (code = read_count_in(c->self, c->args, OPT_TUNE_SEEDS, 4, 1, OFW_MOST_SEEDS, &c->tune_seeds)));
  return code;
}

/* ---- who plays where ---- */

/* A learner that cannot play there, for one that needs strong convexity, is left out there. */
static int add_entry(compare *c, const contestant *who, size_t at)
{
  lab_row *row = &c->row[c->entries];
  ofw_error err = {0};
  const place *p = &c->place[at];
  *row = (lab_row){
      .setup = {.learner = who->name, .stream = p->stream, .domain = p->domain, .set = who->set, .sets = who->sets},
      .constants = "",
      .horizons = 1,
      .seeds = (size_t)c->seeds,
      .rounds = &c->rounds,
      .first_seed = c->seed};
  const lab_cell first = {.of = &row->setup, .factor = {1.0, 1.0}, .rounds = c->rounds, .seed = c->seed};
  if (lab_cell_check(&first, &err) != OFW_OK) {
    complain(c->self, 0, "left out: %s on %s%s%s: %s", who->text, p->stream, p->domain ? ", " : "",
             p->domain ? p->domain : "", err.message);
    return 0;
  }
  c->entry[c->entries++] = (entry){who, at, row};
  const ofw_promise *promise = lab_promise(who->name);
  if (lab_row_open(row, &err) != OFW_OK)
    return no_memory(c);
  if (!promise || !promise->tuned[0])
    return 0;
  row->tuning = &c->tuning[c->tunings++];
  return lab_tuning_open(row->tuning, &row->setup, c->rounds, c->seed + LAB_TUNE_SEEDS_FROM, (size_t)c->tune_seeds,
                         &err) == OFW_OK
             ? 0
             : no_memory(c);
}

static int add_duels(compare *c)
{
  c->duel = calloc(c->entries * c->contestants + 1, sizeof *c->duel);
  if (!c->duel)
    return no_memory(c);
  for (size_t i = 0; i < c->entries; i++)
    for (size_t k = 0; k < c->entries; k++) {
      const entry *a = &c->entry[i], *b = &c->entry[k];
      if (a->place == b->place && a->who->group == b->who->group && !a->who->is_rival && b->who->is_rival)
        c->duel[c->duels++] = (duel){.learner = a, .rival = b};
    }
  if (c->duels == 0)
    return complain(c->self, EXIT_USAGE, "no learner and rival are left that play on the same stream");
  /* the least p that the signs of n differences can have is 2^(1-n) */
  if (c->seeds <= OFW_PAIRED_EXACT && ldexp(METRICS * (double)c->duels, 1 - (int)c->seeds) >= OFW_PAIRED_LEVEL)
    complain(c->self, 0, "%llu seeds are too few to decide any of %zu tests", (unsigned long long)c->seeds,
             METRICS * c->duels);
  return 0;
}

static int make_plan(compare *c)
{
  size_t most = c->contestants * c->places;
  int code = 0;
  c->entry = calloc(most + 1, sizeof *c->entry);
  c->row = calloc(most + 1, sizeof *c->row);
  c->tuning = calloc(most + 1, sizeof *c->tuning);
  if (!c->entry || !c->row || !c->tuning)
    return no_memory(c);
  for (size_t p = 0; p < c->places; p++)
    for (size_t i = 0; i < c->contestants && !code; i++)
      code = add_entry(c, &c->who[i], p);
  return code ? code : add_duels(c);
}

/* ---- what came of it ---- */

double compare_value(const lab_row *row, int metric, int by_loss, size_t k)
{
  const lab_result *r = row->cell[k].result;
  if (r->status != OFW_OK)
    return NAN;
  return metric == CCV ? r->metrics.ccv : by_loss ? r->metrics.loss : r->metrics.regret;
}

double compare_score(const lab_row *row)
{
  double sum = 0.0;
  for (size_t k = 0; k < row->seeds; k++) {
    const lab_result *r = row->cell[k].result;
    double regret = compare_value(row, REGRET, 0, k);
    regret = isnan(regret) ? compare_value(row, REGRET, 1, k) : fmax(regret, 0.0);
    sum += (regret + compare_value(row, CCV, 0, k)) / (r->G * r->D * (double)row->cell[k].rounds);
  }
  return sum / (double)row->seeds;
}

const char *compare_verdict(const duel *d, int metric)
{
  if (d->of[metric].n < 2)
    return "-";
  if (!(d->holm[metric] < OFW_PAIRED_LEVEL))
    return "not decided";
  return d->of[metric].mean < 0.0 ? "better" : "worse";
}

static int no_regret(const lab_row *row)
{
  for (size_t k = 0; k < row->seeds; k++)
    if (!isnan(compare_value(row, REGRET, 0, k)))
      return 0;
  return 1;
}

/* Holm's correction over all duels and both metrics. */
static int correct(compare *c)
{
  double *p = ofw_doubles(METRICS * c->duels);
  int failed = !p;
  for (size_t i = 0; i < METRICS * c->duels && !failed; i++)
    p[i] = c->duel[i / METRICS].of[i % METRICS].p;
  failed = failed || ofw_holm(METRICS * c->duels, p) != OFW_OK;
  for (size_t i = 0; i < METRICS * c->duels && !failed; i++)
    c->duel[i / METRICS].holm[i % METRICS] = p[i];
  free(p);
  return failed ? no_memory(c) : 0;
}

static int judge(compare *c)
{
  size_t n = (size_t)c->seeds;
  double *a = ofw_doubles(2 * n), *b = a ? a + n : NULL;
  int failed = !a;
  for (size_t i = 0; i < c->duels && !failed; i++) {
    duel *d = &c->duel[i];
    d->by_loss = no_regret(d->learner->row) && no_regret(d->rival->row);
    for (int m = 0; m < METRICS && !failed; m++) {
      for (size_t k = 0; k < n; k++) {
        a[k] = compare_value(d->learner->row, m, d->by_loss, k);
        b[k] = compare_value(d->rival->row, m, d->by_loss, k);
      }
      failed = ofw_paired_of(n, a, b, c->seed, &d->of[m]) != OFW_OK;
    }
  }
  free(a);
  return failed ? no_memory(c) : correct(c);
}

/* What failed is told once all is printed: the rest stands. */
static int tell_failures(const compare *c)
{
  for (size_t i = 0; i < c->entries; i++)
    for (size_t k = 0; k < c->row[i].seeds; k++) {
      const lab_result *r = c->row[i].cell[k].result;
      if (r->status != OFW_OK)
        return complain(c->self, exit_code(r->status), "%s on %s failed: %s", c->entry[i].who->text,
                        c->row[i].setup.stream, r->error);
    }
  return 0;
}

static void free_all(compare *c)
{
  for (size_t i = 0; i < c->entries; i++)
    lab_row_free(&c->row[i]);
  for (size_t i = 0; i < c->tunings; i++)
    lab_tuning_free(&c->tuning[i]);
  for (size_t i = 0; i < c->contestants; i++)
    free(c->who[i].name);
  free(c->entry);
  free(c->row);
  free(c->tuning);
  free(c->duel);
  free(c);
}

int compare_main(const command *self, const arguments *args)
{
  compare *c = calloc(1, sizeof *c);
  session s = {0};
  if (!c)
    return complain(self, EXIT_FAILED, "out of memory");
  c->self = self;
  c->args = args;
  const char *suite = args->value[OPT_SUITE];
  int code = suite ? take_suite(c, suite) : take_options(c);
  if (!code && !(code = read_numbers(c)) && !(code = make_plan(c)) && !(code = session_open(self, args, &s)))
    code = session_play_rows(&s, c->row, c->entries, c->tuning, c->tunings);
  if (!code && !(code = judge(c))) {
    if (args->value[OPT_JSON])
      compare_print_json(c);
    else
      compare_print_table(c);
    code = tell_failures(c);
  }
  session_close(&s);
  free_all(c);
  return code;
}
