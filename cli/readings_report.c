/* readings_report.c — readings.json, and the same for a terminal
 *
 *     set
 *     readings [{reading, about, title, rounds, seeds, claims}]       those that were played; claims as in claims.json
 *              [{reading, about, from, seeds, chosen, claims}]        the rules that choose constants, from literal's tuning plays
 *     tuning   [{stream, learner, constants, seeds, chosen, by_seed, loss, ccv}]   what the tuning seeds alone would have chosen
 */
#include "readings.h"
#include "shown.h"

#include <math.h>
#include <string.h>

/* ---- the rules that choose constants ---- */

static const char *about_rule(lab_rule rule)
{
  static const char *const about[LAB_RULES] = {"constants chosen by loss alone",
                                               "constants chosen by loss + CCV, as in all readings",
                                               "constants chosen by the front, and fronts compared by hypervolume"};
  return about[rule];
}

/* The arm's name, and the two constants that are tuned. */
static void write_arm(json *j, const results_arm *arm)
{
  json_text(j, "stream", arm->stream);
  json_text(j, "learner", arm->label);
  json_open_list(j, "constants");
  for (int k = 0; k < 2; k++)
    json_text(j, NULL, arm->constant[k]);
  json_close_list(j);
}

static void write_pick(json *j, const lab_pick *pick)
{
  json_reals(j, "factors", 2, pick->run->factor);
  json_real(j, "loss", pick->loss.mean);
  json_real(j, "ccv", pick->ccv.mean);
}

static void write_compared(json *j, const lab_compared *c)
{
  json_open(j, NULL);
  json_text(j, "claim", c->of->claim->label);
  json_text(j, "text", c->of->claim->text);
  json_text(j, "stream", c->of->stream);
  json_text(j, "metric", c->metric);
  json_text(j, "better", c->of->claim->better);
  json_text(j, "than", c->of->than);
  json_real(j, "better_mean", c->mean[0]);
  json_real(j, "than_mean", c->mean[1]);
  json_real(j, "relative", c->relative);
  json_real(j, "effect", c->effect);
  json_real(j, "p", c->p);
  json_text(j, "direction", lab_direction_name(c->direction));
  if (c->agrees < 0)
    json_null(j, "agrees");
  else
    json_flag(j, "agrees", c->agrees);
  json_close(j);
}

static void write_rule(json *j, const readings *r, lab_rule rule)
{
  const lab_choices *c = &r->choices;
  json_open(j, NULL);
  json_text(j, "reading", lab_rule_name(rule));
  json_text(j, "about", about_rule(rule));
  json_text(j, "from", "literal tuning plays");
  json_count(j, "seeds", r->played->judged.of.tune_seeds);
  json_open_list(j, "chosen");
  for (const lab_chosen *a = c->arm; a < c->arm + c->rows.n; a++)
    if (a->by[rule].run) {
      json_open(j, NULL);
      write_arm(j, a->of->arm);
      write_pick(j, &a->by[rule]);
      json_real(j, "hypervolume", a->hypervolume);
      json_close(j);
    }
  json_close_list(j);
  json_open_list(j, "claims");
  for (const lab_compared *at = c->compared; at < c->compared + c->n; at++)
    if (at->rule == rule)
      write_compared(j, at);
  json_close_list(j);
  json_close(j);
}

/* ---- what the seeds of the tuning cause ---- */

static void write_range(json *j, const char *key, const lab_range *range)
{
  json_open(j, key);
  json_real(j, "least", range->least);
  json_real(j, "mean", range->mean);
  json_real(j, "largest", range->largest);
  json_close(j);
}

static void write_spread(json *j, const lab_chosen *a)
{
  json_open(j, NULL);
  write_arm(j, a->of->arm);
  json_count(j, "seeds", a->seeds);
  json_open(j, "chosen");
  write_pick(j, &a->by[LAB_BY_SCORE]);
  json_close(j);
  json_open_list(j, "by_seed");
  for (const lab_pick *pick = a->seed; pick < a->seed + a->seeds; pick++) {
    json_open(j, NULL);
    write_pick(j, pick);
    json_close(j);
  }
  json_close_list(j);
  write_range(j, "loss", &a->spread.loss);
  write_range(j, "ccv", &a->spread.ccv);
  json_close(j);
}

/* ---- all of it ---- */

static void write_played(json *j, const reading_played *p)
{
  json_open(j, NULL);
  json_text(j, "reading", p->of->name);
  json_text(j, "about", p->of->about);
  json_text(j, "title", p->judged.of.title);
  json_count(j, "rounds", p->judged.of.rounds);
  json_count(j, "seeds", p->judged.of.seeds);
  claims_json(j, &p->judged);
  json_close(j);
}

void readings_json(json *j, const readings *r)
{
  const lab_choices *c = &r->choices;
  json_text(j, "set", r->set);
  json_open_list(j, "readings");
  for (const reading_played *p = r->played; p < r->played + r->n; p++)
    write_played(j, p);
  for (int rule = 0; rule < LAB_RULES && c->n > 0; rule++)
    write_rule(j, r, (lab_rule)rule);
  json_close_list(j);
  json_open_list(j, "tuning");
  for (const lab_chosen *a = c->arm; a < c->arm + c->rows.n; a++)
    if (a->by[LAB_BY_SCORE].run)
      write_spread(j, a);
  json_close_list(j);
}

/* ---- the table ---- */

/* The judgement of the same claim, pair and metric, on whatever stream; NULL: there is none. */
static const lab_judgement *find_same(const claims *c, const lab_judgement *as)
{
  for (const lab_judgement *g = c->judged; g < c->judged + c->n; g++)
    if (strcmp(g->claim->label, as->claim->label) == 0 && strcmp(g->than, as->than) == 0 &&
        strcmp(g->metric, as->metric) == 0)
      return g;
  return NULL;
}

/* One of an earlier reading is the same. */
static int is_known(const readings *r, const reading_played *p, const lab_judgement *g)
{
  for (const reading_played *before = r->played; before < p; before++)
    if (find_same(&before->judged, g))
      return 1;
  return 0;
}

/* "yes -35%" */
static void print_verdict(const lab_judgement *g)
{
  static const char *const signs[] = {
      [LAB_HOLDS] = "yes", [LAB_DOES_NOT] = "no", [LAB_NEGLIGIBLE] = "~", [LAB_NOT_DECIDED] = "?"};
  char text[32] = "";
  if (g && isnan(g->relative))
    snprintf(text, sizeof text, "%s", signs[g->verdict]);
  else if (g)
    snprintf(text, sizeof text, "%s %+.1f%%", signs[g->verdict], 100.0 * g->relative);
  printf("  %-11s", text);
}

static void print_row(const readings *r, const lab_judgement *g)
{
  char text[96];
  snprintf(text, sizeof text, "%s: %s < %s", g->metric, g->claim->better, g->than);
  print_shown("%-8s %-44s", g->claim->label, text);
  for (const reading_played *p = r->played; p < r->played + r->n; p++)
    print_verdict(find_same(&p->judged, g));
  putchar('\n');
}

void readings_print(const readings *r)
{
  printf("\nwhich reading gives which claim: yes, no, ~ (sure but below 5%%), ? (not decided), and the relative "
         "difference\n%-8s %-44s",
         "claim", "");
  for (const reading_played *p = r->played; p < r->played + r->n; p++)
    printf("  %-11s", p->of->name);
  putchar('\n');
  for (const reading_played *p = r->played; p < r->played + r->n; p++)
    for (const lab_judgement *g = p->judged.judged; g < p->judged.judged + p->judged.n; g++)
      if (!is_known(r, p, g))
        print_row(r, g);
}
