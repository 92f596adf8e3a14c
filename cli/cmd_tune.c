/* cmd_tune.c — ofw tune: a learner's two free constants by 22 runs, and the front that they are chosen from */
#include "lab.h"
#include "shown.h"

#include <math.h>
#include <stdlib.h>

const option_id tune_options[] = {OPT_LEARNER, OPT_STREAM, OPT_ROUNDS, OPT_DOMAIN, OPT_SET,  OPT_SEED, OPT_TUNE_SEEDS,
                                  OPT_OUTPUT,  OPT_JOBS,   OPT_JSON,   OPT_QUIET,  OPT_HELP, OPTIONS};

static void print_real(double x)
{
  if (isnan(x))
    printf(" %12s", "-");
  else
    printf(" %12.6g", x);
}

static void print_table(const lab_tuning *t, char set[2][LAB_SCALED_TEXT])
{
  const ofw_promise *p = lab_promise(t->of->learner);
  int known = !isnan(t->run[t->best].regret);
  printf("  %12s %12s %12s %12s %12s  %s\n", p->tuned[0], p->tuned[1], known ? "regret" : "loss", "ccv", "score",
         "front");
  for (size_t i = 0; i < LAB_TUNE_RUNS; i++) {
    const lab_run *run = &t->run[i];
    printf("%s %12g %12g", i == t->best ? ">" : " ", run->factor[0], run->factor[1]);
    print_real(known ? run->regret : run->loss);
    print_real(run->ccv);
    print_real(run->error ? NAN : run->score);
    print_shown("  %s%s\n", run->front ? "*" : "", run->error ? run->error : "");
  }
  printf("\nchosen: %s times %g, %s times %g of the default", p->tuned[0], t->run[t->best].factor[0], p->tuned[1],
         t->run[t->best].factor[1]);
  for (int k = 0; k < 2; k++)
    if (set[k][0])
      printf("%s --set %s", k == 0 || !set[0][0] ? ":" : "", set[k]);
  putchar('\n');
}

void print_run_json(json *j, const lab_run *run)
{
  json_open(j, NULL);
  json_open_list(j, "factors");
  json_real(j, NULL, run->factor[0]);
  json_real(j, NULL, run->factor[1]);
  json_close_list(j);
  json_real(j, "regret", run->regret);
  json_real(j, "loss", run->loss);
  json_real(j, "ccv", run->ccv);
  json_real(j, "score", run->score);
  json_flag(j, "front", run->front);
  if (run->error)
    json_text(j, "error", run->error);
  else
    json_null(j, "error");
  json_close(j);
}

void print_tuning_json(json *j, const lab_tuning *t)
{
  const ofw_promise *p = lab_promise(t->of->learner);
  json_count(j, "rounds", t->rounds);
  json_count(j, "first_seed", t->first_seed);
  json_count(j, "seeds", t->seeds);
  json_open_list(j, "constants");
  json_text(j, NULL, p->tuned[0]);
  json_text(j, NULL, p->tuned[1]);
  json_close_list(j);
  json_open_list(j, "runs");
  for (size_t i = 0; i < LAB_TUNE_RUNS; i++)
    print_run_json(j, &t->run[i]);
  json_close_list(j);
  json_open_list(j, "chosen");
  json_real(j, NULL, t->run[t->best].factor[0]);
  json_real(j, NULL, t->run[t->best].factor[1]);
  json_close_list(j);
}

static void print_json(const lab_tuning *t, char set[2][LAB_SCALED_TEXT])
{
  json j = {0};
  json_open(&j, NULL);
  json_text(&j, "learner", t->of->learner);
  json_text(&j, "stream", t->of->stream);
  if (t->of->domain)
    json_text(&j, "domain", t->of->domain);
  else
    json_null(&j, "domain");
  print_tuning_json(&j, t);
  json_open_list(&j, "set");
  for (int k = 0; k < 2; k++)
    if (set[k][0])
      json_text(&j, NULL, set[k]);
  json_close_list(&j);
  json_close(&j);
  putchar('\n');
}

/* One half after the other. */
static int play(session *s, lab_tuning *t)
{
  size_t n = LAB_GRID * t->seeds;
  lab_cell **list = calloc(n, sizeof(lab_cell *));
  int code = list ? 0 : complain(s->self, EXIT_FAILED, "out of memory for %zu plays", n);
  session_plan(s, 2 * n, t->rounds);
  for (int half = 0; half < 2 && !code; half++) {
    lab_cell *cell = lab_tuning_half(t, half);
    for (size_t i = 0; i < n; i++)
      list[i] = &cell[i];
    code = session_play(s, list, n);
  }
  free(list);
  return code;
}

static int tune(const command *self, const arguments *args, const lab_setup *of, uint64_t rounds, uint64_t seed,
                uint64_t seeds)
{
  lab_tuning t = {0};
  session s;
  ofw_error err = {0};
  char set[2][LAB_SCALED_TEXT];
  int code = session_open(self, args, &s);
  if (!code && lab_tuning_open(&t, of, rounds, seed + LAB_TUNE_SEEDS_FROM, (size_t)seeds, &err) != OFW_OK)
    code = complain(self, EXIT_FAILED, "%s", err.message);
  if (!code)
    code = play(&s, &t);
  if (!code && lab_tuning_settle(&t, &err) != OFW_OK)
    code = complain(self, EXIT_FAILED, "%s", err.message);
  if (!code && isinf(t.run[t.best].score))
    code = complain(self, EXIT_FAILED, "every run failed; the first: %s", t.run[0].error);
  if (!code && lab_cell_scaled(&t.cell[t.best * t.seeds], set, &err) != OFW_OK)
    code = complain(self, exit_code(err.status), "%s", err.message);
  if (!code && args->value[OPT_JSON])
    print_json(&t, set);
  else if (!code)
    print_table(&t, set);
  lab_tuning_free(&t);
  session_close(&s);
  return code;
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
  const lab_setup of = {.learner = args->value[OPT_LEARNER],
                        .stream = args->value[OPT_STREAM],
                        .domain = args->value[OPT_DOMAIN],
                        .set = args->set,
                        .sets = args->sets};
  const lab_cell as_it_is = {.of = &of, .factor = {1.0, 1.0}, .rounds = rounds, .seed = seed + LAB_TUNE_SEEDS_FROM};
  if (lab_cell_check(&as_it_is, &err) != OFW_OK)
    return complain(self, exit_code(err.status), "%s", err.message);
  const ofw_promise *p = lab_promise(of.learner);
  if (!p || !p->tuned[0])
    return complain(self, EXIT_USAGE, "%s names no constants to tune", of.learner);
  return tune(self, args, &of, rounds, seed, seeds);
}
