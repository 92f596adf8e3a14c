/* growth_report.c — what ofw growth found: a table, JSON, CSV */
#include "growth.h"
#include "shown.h"

#include "csv.h"

#include "base/basics.h"
#include "lab/rate.h"
#include "run/metrics_rows.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define AT(field) offsetof(ofw_metrics, field)

/* ---- the table ---- */

typedef struct widths {
  int stream, domain, constants;
} widths;

static int wider(int width, const char *text)
{
  return text && (int)strlen(text) > width ? (int)strlen(text) : width;
}

static widths measure(const growth *g)
{
  widths w = {8, 8, 9};
  for (size_t i = 0; i < g->rows; i++) {
    w.stream = wider(w.stream, g->row[i].setup.stream);
    w.domain = wider(w.domain, g->row[i].setup.domain);
    w.constants = wider(w.constants, g->row[i].constants);
  }
  return w;
}

static void print_growth(const lab_growth *of)
{
  char text[64] = "-";
  const ofw_exponent *e = &of->exponent;
  if (e->growth == OFW_GROWTH_FITTED)
    snprintf(text, sizeof text, "%.3f [%.3f, %.3f]", e->fit, e->low, e->high);
  else if (e->growth == OFW_GROWTH_BOUNDED)
    snprintf(text, sizeof text, "bounded");
  printf("  %-22s  %-11s", text, ofw_verdict_name(of->verdict));
}

static void print_mean(const lab_row *row, size_t offset)
{
  double mean, deviation;
  lab_row_mean(row, offset, row->horizons - 1, &mean, &deviation);
  if (isnan(mean))
    printf(" %10s", "-");
  else
    printf(" %10.4g", mean);
}

static void print_row(const lab_row *row, const widths *w)
{
  char choice[LAB_CHOICE_TEXT];
  print_shown("  %-*s  %-*s  %-*s", w->stream, row->setup.stream, w->domain,
              row->setup.domain ? row->setup.domain : "-", w->constants, row->constants);
  print_growth(&row->regret);
  print_mean(row, AT(regret));
  print_growth(&row->ccv);
  print_mean(row, AT(ccv));
  printf("%s%s\n", row->tuning ? "  " : "", row->tuning ? lab_tuning_text(row->tuning, choice) : "");
}

static void print_proved(const lab_row *row)
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

static void print_learner_head(const growth *g, const lab_row *row, const widths *w)
{
  char last[40];
  snprintf(last, sizeof last, "T=%llu", (unsigned long long)g->rounds[g->horizons - 1]);
  printf("\n%s: ", row->setup.learner);
  print_proved(row);
  printf("\n  %-*s  %-*s  %-*s  %-22s  %-11s %10s  %-22s  %-11s %10s\n", w->stream, "stream", w->domain, "domain",
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
    if (i == 0 || strcmp(g->row[i].setup.learner, g->row[i - 1].setup.learner) != 0)
      print_learner_head(g, &g->row[i], &w);
    print_row(&g->row[i], &w);
  }
}

/* ---- JSON ---- */

static void put_key(char *key, size_t room, const char *name, const char *end)
{
  snprintf(key, room, "%s_%s", name, end);
}

static void json_growth(json *j, const char *name, const lab_growth *of)
{
  char key[64];
  const ofw_exponent *e = &of->exponent;
  put_key(key, sizeof key, name, "exponent");
  if (e->growth == OFW_GROWTH_BOUNDED)
    json_text(j, key, "bounded");
  else if (e->growth == OFW_GROWTH_UNKNOWN)
    json_null(j, key);
  else {
    json_open_list(j, key);
    json_real(j, NULL, e->low);
    json_real(j, NULL, e->fit);
    json_real(j, NULL, e->high);
    json_close_list(j);
  }
  put_key(key, sizeof key, name, "proved");
  json_real(j, key, of->rate.power > 0.0 ? of->rate.power : NAN);
  put_key(key, sizeof key, name, "proved_log");
  json_real(j, key, of->rate.power > 0.0 ? of->rate.log_power : NAN);
  put_key(key, sizeof key, name, "proved_slope");
  json_real(j, key, of->proved);
  put_key(key, sizeof key, name, "verdict");
  json_text(j, key, ofw_verdict_name(of->verdict));
}

/* Means over the seeds, a number a horizon; with their deviations where there is a name for them. */
static void json_means(json *j, const lab_row *row, const char *name, const char *deviations, size_t offset)
{
  double mean, deviation;
  json_open_list(j, name);
  for (size_t i = 0; i < row->horizons; i++) {
    lab_row_mean(row, offset, i, &mean, &deviation);
    json_real(j, NULL, mean);
  }
  json_close_list(j);
  if (!deviations)
    return;
  json_open_list(j, deviations);
  for (size_t i = 0; i < row->horizons; i++) {
    lab_row_mean(row, offset, i, &mean, &deviation);
    json_real(j, NULL, deviation);
  }
  json_close_list(j);
}

static void json_failures(json *j, const lab_row *row)
{
  json_open_list(j, "failed");
  for (size_t i = 0; i < row->horizons * row->seeds; i++)
    if (row->cell[i].result->status != OFW_OK) {
      json_open(j, NULL);
      json_count(j, "rounds", row->cell[i].rounds);
      json_count(j, "seed", row->cell[i].seed);
      json_text(j, "error", row->cell[i].result->error);
      json_close(j);
    }
  json_close_list(j);
}

static void json_where(json *j, const lab_setup *of)
{
  json_text(j, "learner", of->learner);
  json_text(j, "stream", of->stream);
  if (of->domain)
    json_text(j, "domain", of->domain);
  else
    json_null(j, "domain");
}

static void json_row(json *j, const lab_row *row)
{
  json_open(j, NULL);
  json_where(j, &row->setup);
  json_text(j, "constants", row->constants);
  json_growth(j, "regret", &row->regret);
  json_growth(j, "ccv", &row->ccv);
  json_means(j, row, "regret", "regret_deviation", AT(regret));
  json_means(j, row, "ccv", "ccv_deviation", AT(ccv));
  json_means(j, row, "seconds", NULL, AT(seconds));
  if (row->tuning) {
    json_open_list(j, "factors");
    for (int k = 0; k < 2; k++)
      json_real(j, NULL, row->tuning->run[row->tuning->best].factor[k]);
    json_close_list(j);
  } else
    json_null(j, "factors");
  json_failures(j, row);
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
  for (size_t i = 0; i < g->tunings; i++) {
    json_open(&j, NULL);
    json_where(&j, g->tuning[i].of);
    print_tuning_json(&j, &g->tuning[i]);
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

static void csv_known(FILE *out, double x)
{
  fputc(',', out);
  csv_real(out, x);
}

static void csv_metrics(FILE *out, const lab_result *r)
{
  csv_known(out, r->G);
  csv_known(out, r->D);
  for (size_t i = 1; i < ofw_metric_count; i++) { /* the first are the rounds, which stand before */
    const void *at = (const char *)&r->metrics + ofw_metric_table[i].offset;
    if (ofw_metric_table[i].kind == OFW_COUNT)
      fprintf(out, ",%llu", (unsigned long long)*(const uint64_t *)at);
    else
      csv_known(out, *(const double *)at);
  }
}

static void csv_cell(FILE *out, const lab_row *row, const lab_cell *c)
{
  const char *text[] = {row->setup.learner, row->setup.stream, row->setup.domain ? row->setup.domain : "",
                        row->constants};
  for (size_t i = 0; i < 4; i++) {
    csv_text(out, text[i]);
    fputc(',', out);
  }
  fprintf(out, "%g,%g,%llu,%llu,", c->factor[0], c->factor[1], (unsigned long long)c->rounds,
          (unsigned long long)c->seed);
  csv_text(out, c->result->error ? c->result->error : "");
  if (c->result->status == OFW_OK)
    csv_metrics(out, c->result);
  else
    for (size_t i = 0; i < ofw_metric_count + 1; i++)
      fputc(',', out);
  fputc('\n', out);
}

int growth_write_csv(const growth *g, const char *path)
{
  FILE *out;
  int code = open_result(g->self, path, &out);
  if (code)
    return code;
  fputs("learner,stream,domain,constants,factor_1,factor_2,rounds,seed,error,lipschitz,diameter", out);
  for (size_t i = 1; i < ofw_metric_count; i++)
    fprintf(out, ",%s", ofw_metric_table[i].name);
  fputc('\n', out);
  for (size_t i = 0; i < g->rows; i++)
    for (size_t k = 0; k < g->row[i].horizons * g->row[i].seeds; k++)
      csv_cell(out, &g->row[i], &g->row[i].cell[k]);
  return close_result(g->self, path, out);
}
