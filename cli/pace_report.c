/* pace_report.c — the report of 'ofw pace': value, spend, overspend, per campaign and in all */
#include "pace.h"
#include "shown.h"

#include <math.h>
#include <stdio.h>

static void add(pacer_account *sum, const pacer_account *one)
{
  sum->opportunities += one->opportunities;
  sum->won += one->won;
  sum->value += one->value;
  sum->spend += one->spend;
  sum->budget += one->budget;
  sum->over += one->over;
}

/* Of one campaign, or of all. */
static pacer_account total(const pacing *a, size_t campaign)
{
  pacer_account sum = {0};
  for (size_t i = 0; i < a->n_days; i++)
    if (campaign == a->budgets.campaigns || a->days[i].campaign == campaign)
      add(&sum, &a->days[i].account);
  return sum;
}

static double percent(double part, double of)
{
  return of > 0.0 ? 100.0 * part / of : 0.0;
}

static void put_account(json *j, const pacer_account *s)
{
  json_count(j, "opportunities", s->opportunities);
  json_count(j, "won", s->won);
  json_real(j, "value", s->value);
  json_real(j, "spend", s->spend);
  json_real(j, "budget", s->budget);
  json_real(j, "used_percent", percent(s->spend - s->over, s->budget));
  json_real(j, "overspend_percent", percent(s->over, s->budget));
}

static void put_json(const pacing *a)
{
  json j = {0};
  pacer_account all = total(a, a->budgets.campaigns);
  json_open(&j, NULL);
  put_account(&j, &all);
  json_open_list(&j, "campaigns");
  for (size_t i = 0; i < a->budgets.campaigns; i++) {
    pacer_account mine = total(a, i);
    json_open(&j, NULL);
    json_text(&j, "campaign", a->budgets.campaign[i].name);
    put_account(&j, &mine);
    json_open_list(&j, "days");
    for (size_t d = 0; d < a->n_days; d++)
      if (a->days[d].campaign == i) {
        json_open(&j, NULL);
        json_real(&j, "day", (double)a->days[d].day);
        put_account(&j, &a->days[d].account);
        json_close(&j);
      }
    json_close_list(&j);
    json_close(&j);
  }
  json_close_list(&j);
  json_close(&j);
  printf("\n");
}

static void put_line(const char *name, const pacer_account *s)
{
  printf("%-20s %13llu %10llu %12.6g %12.6g %12.6g %7.1f %9.2f\n", name, (unsigned long long)s->opportunities,
         (unsigned long long)s->won, s->value, s->spend, s->budget, percent(s->spend - s->over, s->budget),
         percent(s->over, s->budget));
}

void pace_report(const pacing *a, int as_json)
{
  if (as_json) {
    put_json(a);
    return;
  }
  printf("%-20s %13s %10s %12s %12s %12s %7s %9s\n", "campaign", "opportunities", "won", "value", "spend", "budget",
         "used %", "over %");
  for (size_t i = 0; i < a->budgets.campaigns; i++) {
    pacer_account mine = total(a, i);
    put_line(a->budgets.campaign[i].name, &mine);
  }
  pacer_account all = total(a, a->budgets.campaigns);
  put_line("all", &all);
}
