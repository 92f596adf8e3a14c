/* compare_report.c — the report of ofw compare: tables, JSON */
#include "compare.h"
#include "shown.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define AT(field) offsetof(results_cell, field)

/* (regret^+ + ccv) / (G D T), the mean over the seeds. */
static double score_of(const entry *e)
{
  const lab_plays *p = &e->of->plays;
  double sum = 0.0;
  for (const results_cell *c = p->cell; c < p->cell + p->seeds; c++)
    sum += ((isnan(c->regret) ? c->loss : fmax(c->regret, 0.0)) + c->ccv) / (c->G * c->D * (double)c->rounds);
  return sum / (double)p->seeds;
}

/* "better", "worse", "not decided", "-" if nothing is known */
static const char *verdict_of(const duel *d, int metric)
{
  const ofw_paired *p = &d->of[metric]->paired;
  if (p->n < 2)
    return "-";
  if (!(d->of[metric]->p_holm < OFW_PAIRED_LEVEL))
    return "not decided";
  return p->mean < 0.0 ? "better" : "worse";
}

/* How a learner stands among the rivals it met, stream by stream. */
typedef struct standing {
  size_t places, unbeaten, near;
} standing;
#define NEAR 1.5

static standing standing_of(const compare *c, const char *label)
{
  standing s = {0};
  for (const entry *e = c->entry; e->of; e++) {
    size_t met = 0, beaten = 0;
    double best = INFINITY;
    for (const duel *d = c->duel; d < c->duel + c->duels; d++) {
      if (d->learner != e || strcmp(e->of->arm->label, label) != 0)
        continue;
      met = 1;
      beaten = beaten || (d->of[REGRET]->paired.mean > 0.0 && d->of[CCV]->paired.mean > 0.0);
      best = fmin(best, score_of(d->rival));
    }
    s.places += met;
    s.unbeaten += met && !beaten;
    s.near += met && score_of(e) <= NEAR * best;
  }
  return s;
}

/* The name of a learner that plays. */
static const char *name_of(const compare *c, const char *label)
{
  const entry *e = c->entry;
  while (strcmp(e->of->arm->label, label) != 0)
    e++;
  return e->name;
}

/* ---- the table ---- */

static void print_mean(const entry *e, size_t offset)
{
  double mean, deviation;
  lab_plays_mean(&e->of->plays, offset, 0, &mean, &deviation);
  if (isnan(mean))
    printf(" %11s %9s", "-", "-");
  else
    printf(" %11.5g %9.3g", mean, deviation);
}

/* Oracle calls per round. */
static double mean_calls(const entry *e)
{
  const lab_plays *p = &e->of->plays;
  double sum = 0.0;
  for (const results_cell *c = p->cell; c < p->cell + p->seeds; c++)
    sum += (double)c->oracle_calls / (double)c->rounds;
  return sum / (double)p->seeds;
}

static void print_entry(const entry *e, int width)
{
  char choice[LAB_CHOICE_TEXT];
  double regret, unused;
  lab_plays_mean(&e->of->plays, AT(regret), 0, &regret, &unused);
  print_shown("  %-*s", width, e->name);
  print_mean(e, isnan(regret) ? AT(loss) : AT(regret));
  print_mean(e, AT(ccv));
  printf(" %9.3g %8.3g  %s\n", score_of(e), mean_calls(e), lab_tuning_text(&e->of->tuning, e->of->arm, choice));
}

static void print_duel(const duel *d)
{
  print_shown("  %s against %s:", d->learner->name, d->rival->name);
  for (int m = 0; m < METRICS; m++) {
    const ofw_paired *p = &d->of[m]->paired;
    printf("%s %s %s", m ? ";" : "", d->of[m]->metric, verdict_of(d, m));
    if (p->n > 1)
      printf(" (%+.4g, effect %.2f, p %.2g)", p->mean, p->effect, p->p);
  }
  putchar('\n');
}

static void print_place(const compare *c, const lab_source *at, int width)
{
  print_shown("\n%s%s%s\n  %-*s %11s %9s %11s %9s %9s %8s  %s\n", at->spec, at->domain ? ", " : "",
              at->domain ? at->domain : "", width, "learner", "regret", "+-", "ccv", "+-", "score", "calls",
              "constants");
  for (const entry *e = c->entry; e->of; e++)
    if (strcmp(e->of->arm->stream, at->label) == 0)
      print_entry(e, width);
  for (const duel *d = c->duel; d < c->duel + c->duels; d++)
    if (strcmp(d->learner->of->arm->stream, at->label) == 0)
      print_duel(d);
}

/* On how many streams one learner came out better or worse than another. */
static void print_count(const compare *c, const char *learner, const char *rival)
{
  static const char *const verdict[] = {"better", "worse"};
  size_t count[METRICS][2] = {{0}}, duels = 0;
  for (const duel *d = c->duel; d < c->duel + c->duels; d++) {
    if (strcmp(d->learner->of->arm->label, learner) != 0 || strcmp(d->rival->of->arm->label, rival) != 0)
      continue;
    duels++;
    for (int m = 0; m < METRICS; m++)
      for (int v = 0; v < 2; v++)
        count[m][v] += strcmp(verdict_of(d, m), verdict[v]) == 0;
  }
  print_shown("  %s against %s: regret better on %zu of %zu, worse on %zu; ccv better on %zu, worse on %zu\n",
              name_of(c, learner), name_of(c, rival), count[REGRET][0], duels, count[REGRET][1], count[CCV][0],
              count[CCV][1]);
}

void compare_print_table(const compare *c)
{
  const lab_experiment *x = &c->found.of;
  int width = 8;
  for (const entry *e = c->entry; e->of; e++)
    width = wider(width, e->name);
  printf("T = %llu; %llu seeds; constants tuned by 22 runs on %llu other seeds; calls: oracle calls per round\n"
         "better, worse: at the %.0f%% level, by a sign-flip test of the differences, corrected for %zu tests (Holm)\n",
         (unsigned long long)x->rounds, (unsigned long long)x->seeds, (unsigned long long)x->tune_seeds,
         100.0 * OFW_PAIRED_LEVEL, METRICS * c->duels);
  for (size_t i = 0; i < x->sources; i++)
    print_place(c, &x->source[i], width);
  printf("\nin all\n");
  for (const lab_claim *a = x->claim; a < x->claim + x->claims; a++)
    for (size_t k = 0; k < a->than.n; k++)
      print_count(c, a->better, a->than.item[k]);
  for (const lab_claim *a = x->claim; a < x->claim + x->claims; a++) {
    standing s = standing_of(c, a->better);
    print_shown(
        "  %s: unbeaten (no rival is better in both metrics) on %zu of %zu streams; score at most %.1f times the "
        "best rival's on %zu\n",
        name_of(c, a->better), s.unbeaten, s.places, NEAR, s.near);
  }
}

/* ---- JSON ---- */

static void json_mean(json *j, const char *name, const char *deviation_name, const entry *e, size_t offset)
{
  double mean, deviation;
  lab_plays_mean(&e->of->plays, offset, 0, &mean, &deviation);
  json_real(j, name, mean);
  json_real(j, deviation_name, deviation);
}

static void json_entry(json *j, const entry *e)
{
  json_open(j, NULL);
  json_text(j, "learner", e->name);
  json_text(j, "stream", e->of->arm->stream_spec);
  json_text(j, "domain", e->of->arm->domain);
  json_mean(j, "regret", "regret_deviation", e, AT(regret));
  json_mean(j, "loss", "loss_deviation", e, AT(loss));
  json_mean(j, "ccv", "ccv_deviation", e, AT(ccv));
  json_real(j, "score", score_of(e));
  json_real(j, "oracle_calls_a_round", mean_calls(e));
  if (e->of->tuning.runs) {
    json_open(j, "tuning");
    print_tuning_json(j, e->of);
    json_close(j);
  } else
    json_null(j, "tuning");
  json_close(j);
}

static void json_duel(json *j, const duel *d, int m)
{
  const ofw_paired *p = &d->of[m]->paired;
  json_open(j, NULL);
  json_text(j, "learner", d->learner->name);
  json_text(j, "rival", d->rival->name);
  json_text(j, "stream", d->learner->of->arm->stream_spec);
  json_text(j, "domain", d->learner->of->arm->domain);
  json_text(j, "metric", d->of[m]->metric);
  json_count(j, "pairs", p->n);
  json_real(j, "difference", p->mean);
  json_real(j, "deviation", p->deviation);
  json_real(j, "effect", p->effect);
  json_real(j, "p", p->p);
  json_real(j, "p_corrected", d->of[m]->p_holm);
  json_text(j, "verdict", verdict_of(d, m));
  json_close(j);
}

static void json_standing(json *j, const compare *c, const char *label)
{
  standing s = standing_of(c, label);
  json_open(j, NULL);
  json_text(j, "learner", name_of(c, label));
  json_count(j, "streams", s.places);
  json_count(j, "no_rival_better_in_both", s.unbeaten);
  json_count(j, "score_near_best", s.near);
  json_real(j, "near", NEAR);
  json_close(j);
}

void compare_print_json(const compare *c)
{
  const lab_experiment *x = &c->found.of;
  json j = {0};
  json_open(&j, NULL);
  json_text(&j, "version", ofw_version());
  json_count(&j, "rounds", x->rounds);
  json_count(&j, "first_seed", x->seed);
  json_count(&j, "seeds", x->seeds);
  json_real(&j, "level", OFW_PAIRED_LEVEL);
  json_open_list(&j, "learners");
  for (const entry *e = c->entry; e->of; e++)
    json_entry(&j, e);
  json_close_list(&j);
  json_open_list(&j, "duels");
  for (size_t i = 0; i < c->duels; i++)
    for (int m = 0; m < METRICS; m++)
      json_duel(&j, &c->duel[i], m);
  json_close_list(&j);
  json_open_list(&j, "standings");
  for (size_t i = 0; i < x->claims; i++)
    json_standing(&j, c, x->claim[i].better);
  json_close_list(&j);
  json_close(&j);
  putchar('\n');
}
