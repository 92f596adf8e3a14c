/* verdicts.c — claims judged from a results database, as JSON and as lines */
#include "verdicts.h"
#include "shown.h"

#include "base/basics.h"

#include <stdlib.h>

ofw_status claims_read(results *from, claims *out, ofw_error *err)
{
  char *text = NULL;
  *out = (claims){0};
  OFW_TRY(results_meta(from, "experiment", &text, err));
  ofw_status st = lab_experiment_read_played(results_path(from), text, &out->of, err);
  free(text);
  if (st == OFW_USAGE) /* in a database a wrong text is damage */
    st = err->status = OFW_BAD_DATA;
  return st == OFW_OK ? lab_claims_judge(&out->of, from, &out->judged, &out->n, err) : st;
}

void claims_free(claims *c)
{
  free(c->judged);
  lab_experiment_free(&c->of);
}

static void json_judgement(json *j, const lab_judgement *g)
{
  json_open(j, NULL);
  json_text(j, "claim", g->claim->label);
  json_text(j, "text", g->claim->text);
  json_text(j, "stream", g->stream);
  json_text(j, "metric", g->metric);
  json_text(j, "better", g->claim->better);
  json_text(j, "than", g->than);
  json_real(j, "better_mean", g->mean[0]);
  json_real(j, "better_sd", g->deviation[0]);
  json_real(j, "than_mean", g->mean[1]);
  json_real(j, "than_sd", g->deviation[1]);
  json_count(j, "pairs", g->paired.n);
  json_real(j, "difference", g->paired.mean);
  json_real(j, "relative", g->relative);
  json_real(j, "effect", g->paired.effect);
  json_real(j, "p", g->paired.p);
  json_real(j, "p_holm", g->p_holm);
  json_text(j, "verdict", lab_verdict_name(g->verdict));
  json_close(j);
}

void claims_json(json *j, const claims *c)
{
  lab_power power = lab_claims_power(c->judged, c->n);
  json_count(j, "comparisons", power.tests);
  json_real(j, "relative_level", LAB_WORTH_NAMING);
  if (power.too_few)
    json_count(j, "seeds_needed", power.needed);
  else
    json_null(j, "seeds_needed");
  json_open_list(j, "claims");
  for (size_t i = 0; i < c->n; i++)
    json_judgement(j, &c->judged[i]);
  json_close_list(j);
}

const char *seeds_text(size_t needed, char out[SEEDS_TEXT])
{
  if (needed > 0)
    snprintf(out, SEEDS_TEXT, "%zu would be enough", needed);
  else
    snprintf(out, SEEDS_TEXT, "no number would be enough");
  return out;
}

void claims_warn(const command *self, const claims *c)
{
  for (size_t i = 0; i < c->n; i++) {
    const lab_judgement *g = &c->judged[i];
    int again = i > 0 && c->judged[i - 1].claim == g->claim && c->judged[i - 1].unclear;
    if (g->unclear && !again)
      complain(self, 0, "claim %s is not decided: %s plays on the stream %s with several options, or not at all",
               g->claim->label, g->unclear, g->stream);
  }
}

void claims_print(const claims *c)
{
  const lab_claim *last = NULL;
  for (size_t i = 0; i < c->n; i++) {
    const lab_judgement *g = &c->judged[i];
    if (g->claim != last)
      print_shown("claim %s: %s\n", g->claim->label, g->claim->text);
    last = g->claim;
    print_shown("  %-11s  %s, %s: %.4g (sd %.2g) against %.4g (sd %.2g) of %s", lab_verdict_name(g->verdict), g->stream,
                g->metric, g->mean[0], g->deviation[0], g->mean[1], g->deviation[1], g->than);
    printf("; %+.1f%% of the larger, effect %.2f, p %.2g, corrected %.2g\n", 100.0 * g->relative, g->paired.effect,
           g->paired.p, g->p_holm);
  }
  lab_power power = lab_claims_power(c->judged, c->n);
  char would[SEEDS_TEXT];
  if (power.too_few)
    printf("cannot decide: %zu seeds are not enough for %zu comparisons; %s\n", power.games, power.tests,
           seeds_text(power.needed, would));
}
