/* fuzz_ini.c — experiment files: what is accepted has every part that was asked for, and a plan that counts its plays */
#include "fuzz.h"

#include "base/limits.h"
#include "lab/plan.h"

/* About how many plays there are; the fuzzer's time is not for a million of them. */
static double plays(const lab_experiment *x)
{
  double total = 0.0;
  for (size_t i = 0; i < x->players; i++) {
    double n = (double)x->sources;
    for (size_t k = 0; k < x->player[i].axes; k++)
      n *= (double)x->player[i].axis[k].value.n;
    total += n * ((double)x->horizons * (double)x->seeds + (double)x->player[i].tune * (double)x->tune_seeds);
  }
  return total;
}

static void plan(const lab_experiment *x)
{
  lab_plan p = {0};
  ofw_error err = {0};
  size_t cells = 0;
  ofw_status st = lab_plan_make(x, &p, &err);
  if (st == OFW_OK) {
    for (size_t i = 0; i < p.arms; i++) {
      MUST(p.arm[i].first == cells && p.arm[i].source && p.arm[i].player && p.arm[i].options);
      for (size_t k = 0; k < p.arm[i].player->axes; k++)
        MUST(strchr(p.arm[i].option[k], '='));
      cells += p.arm[i].tune + p.arm[i].play;
    }
    MUST(cells == p.cells && cells <= OFW_MOST_CELLS);
  } else
    must_explain(st, err.message);
  lab_plan_free(&p);
}

static void must_hold(const lab_experiment *x)
{
  MUST(x->title && x->title[0] && x->horizons > 0 && x->rounds == x->horizon[x->horizons - 1] && x->tune_seeds > 0 &&
       x->series > 0);
  MUST(x->sources > 0 && x->players > 0);
  for (size_t i = 0; i < x->sources; i++)
    MUST(x->source[i].label[0] && x->source[i].spec[0] && x->source[i].at);
  for (size_t i = 0; i < x->players; i++) {
    MUST(x->player[i].label[0] && x->player[i].learner);
    for (size_t k = 0; k < x->player[i].axes; k++)
      MUST(x->player[i].axis[k].key && x->player[i].axis[k].value.n > 0);
  }
  for (size_t i = 0; i < x->claims; i++)
    MUST(x->claim[i].text && x->claim[i].better && x->claim[i].than.n > 0 && x->claim[i].metric.n > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char *text = fuzz_text(data, size);
  lab_experiment x, again;
  ofw_error err = {0}, why = {0};
  ofw_status st = lab_experiment_read("fuzz.ini", text, &x, &err);
  MUST(lab_experiment_read("fuzz.ini", text, &again, &why) == st);
  if (st == OFW_OK) {
    must_hold(&x);
    MUST(x.sources == again.sources && x.players == again.players && x.claims == again.claims);
    if (plays(&x) <= 2000.0 || plays(&x) > 2.0 * OFW_MOST_CELLS)
      plan(&x);
  } else {
    must_explain(st, err.message);
    MUST(strncmp(err.message, "fuzz.ini:", 9) == 0 && strcmp(err.message, why.message) == 0);
  }
  lab_experiment_free(&x);
  lab_experiment_free(&again);
  free(text);
  return 0;
}
