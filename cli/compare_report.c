/* compare_report.c — what ofw compare found: tables, JSON */
#include "compare.h"
#include "shown.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define AT(field) offsetof(ofw_metrics, field)

static const char *metric_name(const duel *d, int m)
{
  return m == CCV ? "ccv" : d->by_loss ? "loss" : "regret";
}

/* How a learner stands among the rivals it met, stream by stream. */
typedef struct standing {
  size_t places, unbeaten, near;
} standing;
#define NEAR 1.5

static standing standing_of(const compare *c, const contestant *who)
{
  standing s = {0};
  for (size_t i = 0; i < c->entries; i++) {
    const entry *e = &c->entry[i];
    size_t met = 0, beaten = 0;
    double best = INFINITY;
    for (size_t k = 0; k < c->duels; k++) {
      const duel *d = &c->duel[k];
      if (e->who != who || d->learner != e)
        continue;
      met = 1;
      beaten = beaten || (d->of[REGRET].mean > 0.0 && d->of[CCV].mean > 0.0);
      best = fmin(best, compare_score(d->rival->row));
    }
    s.places += met;
    s.unbeaten += met && !beaten;
    s.near += met && compare_score(e->row) <= NEAR * best;
  }
  return s;
}

/* ---- the table ---- */

static int widest(const compare *c)
{
  size_t width = 8;
  for (size_t i = 0; i < c->contestants; i++)
    width = strlen(c->who[i].text) > width ? strlen(c->who[i].text) : width;
  return (int)width;
}

static void print_mean(const lab_row *row, size_t offset)
{
  double mean, deviation;
  lab_row_mean(row, offset, 0, &mean, &deviation);
  if (isnan(mean))
    printf(" %11s %9s", "-", "-");
  else
    printf(" %11.5g %9.3g", mean, deviation);
}

/* Oracle calls a round. */
static double mean_calls(const lab_row *row)
{
  double sum = 0.0;
  for (size_t k = 0; k < row->seeds; k++) {
    const lab_cell *cell = &row->cell[k];
    sum += (double)cell->result->metrics.oracle_calls / (double)cell->rounds;
  }
  return sum / (double)row->seeds;
}

static void print_entry(const entry *e, int width)
{
  char choice[LAB_CHOICE_TEXT];
  double regret, unused;
  lab_row_mean(e->row, AT(regret), 0, &regret, &unused);
  print_shown("  %-*s", width, e->who->text);
  print_mean(e->row, isnan(regret) ? AT(loss) : AT(regret));
  print_mean(e->row, AT(ccv));
  printf(" %9.3g %8.3g  %s\n", compare_score(e->row), mean_calls(e->row),
         e->row->tuning ? lab_tuning_text(e->row->tuning, choice) : "");
}

static void print_duel(const duel *d)
{
  print_shown("  %s against %s:", d->learner->who->text, d->rival->who->text);
  for (int m = 0; m < METRICS; m++) {
    const ofw_paired *p = &d->of[m];
    printf("%s %s %s", m ? ";" : "", metric_name(d, m), compare_verdict(d, m));
    if (p->n > 1)
      printf(" (%+.4g, effect %.2f, p %.2g)", p->mean, p->effect, p->p);
  }
  putchar('\n');
}

static void print_place(const compare *c, size_t at, int width)
{
  const place *p = &c->place[at];
  print_shown("\n%s%s%s\n  %-*s %11s %9s %11s %9s %9s %8s  %s\n", p->stream, p->domain ? ", " : "",
              p->domain ? p->domain : "", width, "learner", "regret", "+-", "ccv", "+-", "score", "calls", "constants");
  for (size_t i = 0; i < c->entries; i++)
    if (c->entry[i].place == at)
      print_entry(&c->entry[i], width);
  for (size_t i = 0; i < c->duels; i++)
    if (c->duel[i].learner->place == at)
      print_duel(&c->duel[i]);
}

/* On how many streams one contestant came out better or worse than another. */
static void print_count(const compare *c, const contestant *a, const contestant *b)
{
  static const char *const verdict[] = {"better", "worse"};
  size_t count[METRICS][2] = {{0}}, duels = 0;
  for (size_t i = 0; i < c->duels; i++) {
    const duel *d = &c->duel[i];
    if (d->learner->who != a || d->rival->who != b)
      continue;
    duels++;
    for (int m = 0; m < METRICS; m++)
      for (int v = 0; v < 2; v++)
        count[m][v] += strcmp(compare_verdict(d, m), verdict[v]) == 0;
  }
  if (duels)
    print_shown("  %s against %s: regret better on %zu of %zu, worse on %zu; ccv better on %zu, worse on %zu\n",
                a->text, b->text, count[REGRET][0], duels, count[REGRET][1], count[CCV][0], count[CCV][1]);
}

void compare_print_table(const compare *c)
{
  int width = widest(c);
  printf("T = %llu; %llu seeds; constants by 22 runs on %llu other seeds; calls: of the oracle, a round\n"
         "better, worse: at %.0f%%, by all choices of signs of the differences, corrected for %zu tests (Holm)\n",
         (unsigned long long)c->rounds, (unsigned long long)c->seeds, (unsigned long long)c->tune_seeds,
         100.0 * OFW_PAIRED_LEVEL, METRICS * c->duels);
  for (size_t i = 0; i < c->places; i++)
    print_place(c, i, width);
  printf("\nin all\n");
  for (size_t i = 0; i < c->contestants; i++)
    for (size_t k = 0; k < c->contestants; k++)
      print_count(c, &c->who[i], &c->who[k]);
  for (size_t i = 0; i < c->contestants; i++) {
    standing s = standing_of(c, &c->who[i]);
    if (s.places)
      print_shown(
          "  %s: on %zu of %zu no rival's means are better in both; its score is within %.1f of the best rival's on "
          "%zu\n",
          c->who[i].text, s.unbeaten, s.places, NEAR, s.near);
  }
}

/* ---- JSON ---- */

static void json_mean(json *j, const char *name, const char *deviation_name, const lab_row *row, size_t offset)
{
  double mean, deviation;
  lab_row_mean(row, offset, 0, &mean, &deviation);
  json_real(j, name, mean);
  json_real(j, deviation_name, deviation);
}

static void json_entry(json *j, const compare *c, const entry *e)
{
  const place *p = &c->place[e->place];
  json_open(j, NULL);
  json_text(j, "learner", e->who->text);
  json_text(j, "stream", p->stream);
  if (p->domain)
    json_text(j, "domain", p->domain);
  else
    json_null(j, "domain");
  json_mean(j, "regret", "regret_deviation", e->row, AT(regret));
  json_mean(j, "loss", "loss_deviation", e->row, AT(loss));
  json_mean(j, "ccv", "ccv_deviation", e->row, AT(ccv));
  json_real(j, "score", compare_score(e->row));
  json_real(j, "oracle_calls_a_round", mean_calls(e->row));
  if (e->row->tuning) {
    json_open(j, "tuning");
    print_tuning_json(j, e->row->tuning);
    json_close(j);
  } else
    json_null(j, "tuning");
  json_close(j);
}

static void json_duel(json *j, const compare *c, const duel *d, int m)
{
  const place *p = &c->place[d->learner->place];
  json_open(j, NULL);
  json_text(j, "learner", d->learner->who->text);
  json_text(j, "rival", d->rival->who->text);
  json_text(j, "stream", p->stream);
  if (p->domain)
    json_text(j, "domain", p->domain);
  else
    json_null(j, "domain");
  json_text(j, "metric", metric_name(d, m));
  json_count(j, "pairs", d->of[m].n);
  json_real(j, "difference", d->of[m].mean);
  json_real(j, "deviation", d->of[m].deviation);
  json_real(j, "effect", d->of[m].effect);
  json_real(j, "p", d->of[m].p);
  json_real(j, "p_corrected", d->holm[m]);
  json_text(j, "verdict", compare_verdict(d, m));
  json_close(j);
}

static void json_standing(json *j, const contestant *who, standing s)
{
  if (s.places == 0)
    return;
  json_open(j, NULL);
  json_text(j, "learner", who->text);
  json_count(j, "streams", s.places);
  json_count(j, "no_rival_better_in_both", s.unbeaten);
  json_count(j, "score_near_best", s.near);
  json_real(j, "near", NEAR);
  json_close(j);
}

void compare_print_json(const compare *c)
{
  json j = {0};
  json_open(&j, NULL);
  json_text(&j, "version", ofw_version());
  json_count(&j, "rounds", c->rounds);
  json_count(&j, "first_seed", c->seed);
  json_count(&j, "seeds", c->seeds);
  json_real(&j, "level", OFW_PAIRED_LEVEL);
  json_open_list(&j, "learners");
  for (size_t i = 0; i < c->entries; i++)
    json_entry(&j, c, &c->entry[i]);
  json_close_list(&j);
  json_open_list(&j, "duels");
  for (size_t i = 0; i < c->duels; i++)
    for (int m = 0; m < METRICS; m++)
      json_duel(&j, c, &c->duel[i], m);
  json_close_list(&j);
  json_open_list(&j, "standings");
  for (size_t i = 0; i < c->contestants; i++)
    json_standing(&j, &c->who[i], standing_of(c, &c->who[i]));
  json_close_list(&j);
  json_close(&j);
  putchar('\n');
}
