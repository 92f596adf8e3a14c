/* plan.c — an experiment's arms: streams by learners by combinations of options, in the file's order */
#include "lab/plan.h"

#include "base/basics.h"
#include "base/limits.h"
#include "lab/tune.h"

#include <stdlib.h>
#include <string.h>

/* How many combinations; more than `most` count as one more. */
static size_t combinations(const lab_player *p, size_t most)
{
  size_t n = 1;
  for (size_t i = 0; i < p->axes && n <= most; i++)
    n *= p->axis[i].value.n;
  return n;
}

/* Combination number k: its digits choose the values. */
static ofw_status choose(lab_arm *arm, size_t k, ofw_error *err)
{
  const lab_player *p = arm->player;
  ofw_text all = {0};
  arm->option = calloc(p->axes + 1, sizeof *arm->option);
  if (!arm->option)
    return ofw_fail_memory(err, p->axes * sizeof *arm->option);
  for (size_t i = p->axes; i-- > 0;) {
    ofw_text pair = {0};
    ofw_text_add(&pair, "%s=%s", p->axis[i].key, p->axis[i].value.item[k % p->axis[i].value.n]);
    all.failed |= pair.failed;
    arm->option[i] = pair.chars;
    k /= p->axis[i].value.n;
  }
  ofw_text_add(&all, "%s", "");
  for (size_t i = 0; i < p->axes && !all.failed; i++)
    ofw_text_add(&all, "%s%s", i ? " " : "", arm->option[i]);
  arm->options = all.chars;
  return all.failed ? ofw_fail_memory(err, p->axes) : OFW_OK;
}

static ofw_status add_arm(lab_plan *plan, const lab_source *source, const lab_player *player, size_t k, ofw_error *err)
{
  const lab_experiment *x = plan->of;
  lab_arm *more = realloc(plan->arm, (plan->arms + 1) * sizeof *more);
  if (!more)
    return ofw_fail_memory(err, (plan->arms + 1) * sizeof *more);
  plan->arm = more;
  lab_arm *arm = &more[plan->arms++];
  *arm = (lab_arm){.source = source, .player = player, .first = plan->cells, .play = x->horizons * (size_t)x->seeds};
  arm->tune = player->tune * (size_t)x->tune_seeds;
  arm->tunings = plan->arms > 1 ? arm[-1].tunings + (arm[-1].tune > 0) : 0;
  plan->cells += arm->tune + arm->play;
  plan->work += (double)arm->tune * (double)x->horizon[0];
  for (size_t i = 0; i < x->horizons; i++)
    plan->work += (double)x->seeds * (double)x->horizon[i];
  if (plan->cells > OFW_MOST_CELLS)
    return ofw_fail(err, OFW_USAGE, "%.300s asks for more than %d plays", x->name, OFW_MOST_CELLS);
  return choose(arm, k, err);
}

ofw_status lab_plan_make(const lab_experiment *of, lab_plan *out, ofw_error *err)
{
  *out = (lab_plan){.of = of};
  for (size_t i = 0; i < of->sources; i++)
    for (size_t j = 0; j < of->players; j++) {
      const lab_player *p = &of->player[j];
      size_t n = lab_list_admits(&p->streams, of->source[i].label) ? combinations(p, OFW_MOST_CELLS) : 0;
      for (size_t k = 0; k < n; k++)
        OFW_TRY(add_arm(out, &of->source[i], p, k, err));
    }
  return OFW_OK;
}

lab_place lab_plan_place(const lab_plan *plan, const lab_arm *arm, size_t k)
{
  const lab_experiment *x = plan->of;
  if (k < arm->tune)
    return (lab_place){.tune = 1,
                       .run = k / (size_t)x->tune_seeds,
                       .rounds = x->horizon[0],
                       .seed = x->seed + LAB_TUNE_SEEDS_FROM + k % x->tune_seeds};
  uint64_t rounds = x->horizon[(k - arm->tune) / x->seeds];
  return (lab_place){
      .rounds = rounds, .seed = x->seed + (k - arm->tune) % x->seeds, .every = lab_series_every(rounds, x->series)};
}

uint64_t lab_series_every(uint64_t rounds, uint64_t series)
{
  return (rounds + series - 1) / series;
}

void lab_plan_free(lab_plan *plan)
{
  for (size_t i = 0; i < plan->arms; i++) {
    for (size_t k = 0; plan->arm[i].option && k < plan->arm[i].player->axes; k++)
      free(plan->arm[i].option[k]);
    free(plan->arm[i].option);
    free(plan->arm[i].options);
  }
  free(plan->arm);
  *plan = (lab_plan){0};
}
