/* cmd_tune.c — ofw tune: a learner's two free constants by 22 runs, and the front that they are chosen from */
#include "analysis.h"
#include "compose.h"
#include "shown.h"

#include "lab/scale.h"

#include <math.h>

const option_id tune_options[] = {OPT_LEARNER, OPT_STREAM,     OPT_ROUNDS, OPT_DOMAIN, OPT_SET,
                                  OPT_SEED,    OPT_TUNE_SEEDS, OPT_OUTPUT, OPT_DROP,   OPT_PLUGIN,
                                  OPT_JOBS,    OPT_JSON,       OPT_QUIET,  OPT_HELP,   OPTIONS};

static void print_table(const lab_measured *m, char set[2][LAB_SCALED_TEXT])
{
  const lab_tuning *t = &m->tuning;
  char *const *name = m->arm->constant;
  int known = !isnan(t->run[t->best].regret);
  printf("  %12s %12s %12s %12s %12s  %s\n", name[0], name[1], known ? "regret" : "loss", "ccv", "score", "front");
  for (size_t i = 0; i < t->runs; i++) {
    const lab_run *run = &t->run[i];
    printf("%s %12g %12g", i == t->best ? ">" : " ", run->factor[0], run->factor[1]);
    print_known(stdout, known ? run->regret : run->loss);
    print_known(stdout, run->ccv);
    print_known(stdout, run->error ? NAN : run->score);
    print_shown("  %s%s\n", run->front ? "*" : "", run->error ? run->error : "");
  }
  printf("\nchosen: %s times %g, %s times %g of the default", name[0], t->run[t->best].factor[0], name[1],
         t->run[t->best].factor[1]);
  for (int k = 0; k < 2; k++)
    if (set[k][0])
      printf("%s --set %s", k == 0 || !set[0][0] ? ":" : "", set[k]);
  putchar('\n');
}

static void print_json(const lab_measured *m, char set[2][LAB_SCALED_TEXT])
{
  json j = {0};
  json_open(&j, NULL);
  json_text(&j, "learner", m->arm->learner);
  json_text(&j, "stream", m->arm->stream_spec);
  json_text(&j, "domain", m->arm->domain);
  print_tuning_json(&j, m);
  json_open_list(&j, "set");
  for (int k = 0; k < 2; k++)
    if (set[k][0])
      json_text(&j, NULL, set[k]);
  json_close_list(&j);
  json_close(&j);
  putchar('\n');
}

static int tell(const command *self, const arguments *args, const lab_measured *m)
{
  const lab_tuning *t = &m->tuning;
  char set[2][LAB_SCALED_TEXT] = {"", ""};
  if (isinf(t->run[t->best].score))
    return complain(self, EXIT_FAILED, "every run failed; the first: %s", t->run[0].error);
  for (int k = 0; k < 2; k++)
    if (t->run[t->best].factor[k] != 1.0)
      lab_option_text(m->cell[t->best * t->seeds].config, m->arm->constant[k], set[k]);
  (args->value[OPT_JSON] ? print_json : print_table)(m, set);
  return 0;
}

int tune_main(const command *self, const arguments *args)
{
  uint64_t rounds, seed, seeds;
  ofw_error err = {0};
  int code;
  if ((code = require(self, args, OPT_LEARNER)) || (code = require(self, args, OPT_STREAM)) ||
      (code = require(self, args, OPT_ROUNDS)) ||
      (code = read_count_in(self, args, OPT_ROUNDS, 0, 1, OFW_MOST_ROUNDS, &rounds)) ||
      (code = read_count(self, args, OPT_SEED, 1, &seed)) ||
      (code = read_count_in(self, args, OPT_TUNE_SEEDS, 4, 1, OFW_MOST_SEEDS, &seeds)))
    return code;
  const place at = {args->value[OPT_STREAM], args->value[OPT_DOMAIN]};
  const contender who = {args->value[OPT_LEARNER], args->value[OPT_LEARNER], args->set, args->sets, .tune = 1};
  if (compose_check(&args->own, &who, &at, rounds, seed + LAB_TUNE_SEEDS_FROM, &err) != OFW_OK)
    return refuse(self, &err);
  const ofw_promise *p = lab_promise(&args->own, who.learner);
  if (!p || !p->tuned[0])
    return complain(self, EXIT_USAGE, "%s has no constants to tune; choose another learner", who.learner);
  const compose_head head = {"ofw tune", &rounds, 1, .seed = seed, .tune_seeds = seeds};
  const unsigned char there = 1;
  ofw_text text = {0};
  analysis a;
  compose_begin(&text, &head, &at, &there, 1);
  compose_learner(&text, &who, &at, &there, 1);
  code = analysis_open(self, args, &text, &a);
  if (!code)
    code = tell(self, args, a.rows.row);
  analysis_close(&a);
  return code;
}
