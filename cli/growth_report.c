/* growth_report.c — the report of ofw growth: a table, JSON, CSV */
#include "growth.h"
#include "shown.h"

#include "csv.h"
#include "whole_file.h"

#include "lab/fit.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define AT(field) offsetof(results_cell, field)

/* ---- the table ---- */

typedef struct widths {
  int stream, domain, constants;
} widths;

static widths measure(const growth *g)
{
  widths w = {8, 8, 9};
  for (size_t i = 0; i < g->rows; i++) {
    w.stream = wider(w.stream, g->row[i].of->arm->stream_spec);
    w.domain = wider(w.domain, g->row[i].of->arm->domain);
    w.constants = wider(w.constants, g->row[i].constants);
  }
  return w;
}

/* No -0.000. */
static double shown(double slope)
{
  return fabs(slope) < 5e-4 ? 0.0 : slope;
}

static void print_growth(const lab_growth *of)
{
  char text[64] = "-";
  const ofw_exponent *e = &of->exponent;
  if (!isnan(e->fit)) /* also of what is negligible: so small a series can still grow */
    snprintf(text, sizeof text, "%.3f [%.3f, %.3f]", shown(e->fit), shown(e->low), shown(e->high));
  printf("  %-23s  %-11s", text, ofw_verdict_name(of->verdict));
}

static void print_mean(const growth_row *row, size_t offset)
{
  double mean, deviation;
  lab_plays_mean(&row->of->plays, offset, row->of->plays.horizons - 1, &mean, &deviation);
  if (isnan(mean))
    printf(" %10s", "-");
  else
    printf(" %10.4g", mean);
}

static void print_row(const growth_row *row, const widths *w)
{
  char choice[LAB_CHOICE_TEXT];
  print_shown("  %-*s  %-*s  %-*s", w->stream, row->of->arm->stream_spec, w->domain,
              row->of->arm->domain ? row->of->arm->domain : "-", w->constants, row->constants);
  print_growth(&row->regret);
  print_mean(row, AT(regret));
  print_growth(&row->ccv);
  print_mean(row, AT(ccv));
  printf("%s%s\n", row->of->tuning.runs ? "  " : "", lab_tuning_text(&row->of->tuning, row->of->arm, choice));
}

static void print_proved(const growth_row *row)
{
  const struct {
    const char *name;
    const lab_growth *of;
  } both[] = {{"regret", &row->regret}, {"ccv", &row->ccv}};
  const char *before = "proved ";
  char text[OFW_RATE_TEXT];
  for (size_t i = 0; i < 2; i++)
    if (both[i].of->rate.power > 0.0) {
      printf("%s%s %s (slope %.3f here)", before, both[i].name, ofw_rate_text(both[i].of->rate, text),
             both[i].of->proved);
      before = ", ";
    }
  if (before[0] == 'p')
    printf("no rate is proved");
}

static void print_learner_head(const growth *g, const growth_row *row, const widths *w)
{
  char last[40];
  snprintf(last, sizeof last, "T=%llu", (unsigned long long)g->rounds[g->horizons - 1]);
  printf("\n%s: ", row->of->arm->learner);
  print_proved(row);
  printf("\n  %-*s  %-*s  %-*s  %-23s  %-11s %10s  %-23s  %-11s %10s\n", w->stream, "stream", w->domain, "domain",
         w->constants, "constants", "regret ~ T^", "verdict", last, "ccv ~ T^", "verdict", last);
}

void growth_print_table(const growth *g)
{
  widths w = measure(g);
  printf("T = ");
  for (size_t i = 0; i < g->horizons; i++)
    printf("%s%llu", i ? ", " : "", (unsigned long long)g->rounds[i]);
  printf("%s; %llu seeds; slopes with %.0f%% intervals\n", g->untold ? ", not told to the learners" : "",
         (unsigned long long)g->seeds, 100.0 * OFW_FIT_LEVEL);
  for (size_t i = 0; i < g->rows; i++) {
    if (i == 0 || strcmp(g->row[i].of->arm->learner, g->row[i - 1].of->arm->learner) != 0)
      print_learner_head(g, &g->row[i], &w);
    print_row(&g->row[i], &w);
  }
}

/* ---- JSON ---- */

static void json_growth(json *j, const char *name, const lab_growth *of)
{
  char key[64];
  const ofw_exponent *e = &of->exponent;
  snprintf(key, sizeof key, "%s_exponent", name);
  if (isnan(e->fit))
    json_null(j, key);
  else
    json_reals(j, key, 3, (const double[]){e->low, e->fit, e->high});
  snprintf(key, sizeof key, "%s_proved", name);
  json_real(j, key, of->rate.power > 0.0 ? of->rate.power : NAN);
  snprintf(key, sizeof key, "%s_proved_log", name);
  json_real(j, key, of->rate.power > 0.0 ? of->rate.log_power : NAN);
  snprintf(key, sizeof key, "%s_proved_slope", name);
  json_real(j, key, of->proved);
  snprintf(key, sizeof key, "%s_verdict", name);
  json_text(j, key, ofw_verdict_name(of->verdict));
}

/* Means over the seeds, a number per horizon; with their deviations if there is a name for them. */
static void json_means(json *j, const growth_row *row, const char *name, const char *deviations, size_t offset)
{
  const char *const key[] = {name, deviations};
  for (int k = 0; k < 2 && key[k]; k++) {
    json_open_list(j, key[k]);
    for (size_t i = 0; i < row->of->plays.horizons; i++) {
      double of[2]; /* mean, deviation */
      lab_plays_mean(&row->of->plays, offset, i, &of[0], &of[1]);
      json_real(j, NULL, of[k]);
    }
    json_close_list(j);
  }
}

static void json_failures(json *j, const lab_plays *p)
{
  json_open_list(j, "failed");
  for (const results_cell *c = p->cell; c < p->cell + p->horizons * p->seeds; c++)
    if (c->error) {
      json_open(j, NULL);
      json_count(j, "rounds", c->rounds);
      json_count(j, "seed", c->seed);
      json_text(j, "error", c->error);
      json_close(j);
    }
  json_close_list(j);
}

static void json_where(json *j, const results_arm *of)
{
  json_text(j, "learner", of->learner);
  json_text(j, "stream", of->stream_spec);
  json_text(j, "domain", of->domain);
}

static void json_row(json *j, const growth_row *row)
{
  const lab_tuning *t = &row->of->tuning;
  json_open(j, NULL);
  json_where(j, row->of->arm);
  json_text(j, "constants", row->constants);
  json_growth(j, "regret", &row->regret);
  json_growth(j, "ccv", &row->ccv);
  json_means(j, row, "regret", "regret_deviation", AT(regret));
  json_means(j, row, "ccv", "ccv_deviation", AT(ccv));
  json_means(j, row, "seconds", NULL, AT(seconds));
  if (t->runs)
    json_reals(j, "factors", 2, t->run[t->best].factor);
  else
    json_null(j, "factors");
  json_failures(j, &row->of->plays);
  json_close(j);
}

static void json_head(json *j, const growth *g)
{
  json_text(j, "version", ofw_version());
  json_open_list(j, "rounds");
  for (size_t i = 0; i < g->horizons; i++)
    json_count(j, NULL, g->rounds[i]);
  json_close_list(j);
  json_text(j, "horizon", g->untold ? "auto" : "rounds");
  json_count(j, "first_seed", g->seed);
  json_count(j, "seeds", g->seeds);
  json_real(j, "level", OFW_FIT_LEVEL);
  json_count(j, "resamples", OFW_FIT_RESAMPLES);
  json_real(j, "slack", OFW_FIT_SLACK);
  json_real(j, "negligible", OFW_FIT_NEGLIGIBLE);
}

void growth_print_json(const growth *g)
{
  json j = {0};
  json_open(&j, NULL);
  json_head(&j, g);
  json_open_list(&j, "rows");
  for (size_t i = 0; i < g->rows; i++)
    json_row(&j, &g->row[i]);
  json_close_list(&j);
  json_open_list(&j, "tunings");
  for (size_t i = 0; i < g->rows; i++)
    if (g->row[i].of->tuning.runs) {
      json_open(&j, NULL);
      json_where(&j, g->row[i].of->arm);
      print_tuning_json(&j, g->row[i].of);
      json_close(&j);
    }
  json_close_list(&j);
  json_open_list(&j, "left_out");
  for (size_t i = 0; i < g->lefts; i++) {
    json_open(&j, NULL);
    json_text(&j, "what", g->left[i].what);
    json_text(&j, "why", g->left[i].why);
    json_close(&j);
  }
  json_close_list(&j);
  json_close(&j);
  putchar('\n');
}

/* ---- CSV ---- */

static const results_metric columns[] = {
    {"lipschitz", OFW_REAL, AT(G)},
    {"diameter", OFW_REAL, AT(D)},
    {"loss", OFW_REAL, AT(loss)},
    {"regret", OFW_REAL, AT(regret)},
    {"interval_regret", OFW_REAL, AT(interval_regret)},
    {"interval_first", OFW_COUNT, AT(interval_first)},
    {"interval_last", OFW_COUNT, AT(interval_last)},
    {"dynamic_regret", OFW_REAL, AT(dynamic_regret)},
    {"ccv", OFW_REAL, AT(ccv)},
    {"soft_violation", OFW_REAL, AT(soft_violation)},
    {"oracle_calls", OFW_COUNT, AT(oracle_calls)},
    {"passes", OFW_COUNT, AT(passes)},
    {"seconds", OFW_REAL, AT(seconds)},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* Of a play that failed no metric is known. */
static void csv_cell(FILE *out, const growth_row *row, const results_cell *c)
{
  const results_arm *arm = row->of->arm;
  const char *text[] = {arm->learner, arm->stream_spec, arm->domain ? arm->domain : "", row->constants};
  for (size_t i = 0; i < 4; i++) {
    csv_text(out, text[i]);
    fputc(',', out);
  }
  fprintf(out, "%g,%g,%llu,%llu,", c->factor[0], c->factor[1], (unsigned long long)c->rounds,
          (unsigned long long)c->seed);
  csv_text(out, c->error ? c->error : "");
  for (size_t i = 0; i < COLUMNS; i++) {
    fputc(',', out);
    if (!c->error)
      csv_real(out, results_metric_of(c, &columns[i]));
  }
  fputc('\n', out);
}

int growth_write_csv(const growth *g, const char *path)
{
  FILE *out;
  int code = open_result(g->self, path, &out);
  if (code)
    return code;
  fputs("learner,stream,domain,constants,factor_1,factor_2,rounds,seed,error", out);
  for (size_t i = 0; i < COLUMNS; i++)
    fprintf(out, ",%s", columns[i].name);
  fputc('\n', out);
  for (const growth_row *row = g->row; row < g->row + g->rows; row++)
    for (size_t k = 0; k < row->of->plays.horizons * row->of->plays.seeds; k++)
      csv_cell(out, row, &row->of->plays.cell[k]);
  return close_result(g->self, path, out);
}
