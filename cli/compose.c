/* compose.c — lines of an experiment have a limit, so values with commas are broken at them, where the format joins them again */
#include "compose.h"

#include "cli.h"

#include "lab/play.h"

#include <stdlib.h>
#include <string.h>

static void put_broken(ofw_text *out, const char *key, const char *value)
{
  ofw_text_add(out, "%s =", key);
  for (const char *at = value;; at += strcspn(at, ",") + 1) {
    int part = (int)strcspn(at, ",");
    ofw_text_add(out, " %.*s%s\n", part, at, at[part] ? "," : "");
    if (!at[part])
      return;
  }
}

void compose_label(ofw_text *out, const char *text)
{
  for (; *text; text++)
    ofw_text_add(out, "%c", *text == ',' ? ' ' : *text);
}

/* A place is labelled by its number and what it is. */
static void put_place(ofw_text *out, const place *at, size_t i)
{
  ofw_text_add(out, "%zu %.*s", i + 1, (int)strcspn(at[i].stream, ":,"), at[i].stream);
  if (at[i].domain)
    ofw_text_add(out, " on %.*s", (int)strcspn(at[i].domain, ":,"), at[i].domain);
}

void compose_begin(ofw_text *out, const compose_head *head, const place *at, size_t places)
{
  ofw_text_add(out, "[experiment]\ntitle = %s\nrounds = ", head->title);
  for (size_t i = 0; i < head->horizons; i++)
    ofw_text_add(out, "%s%llu", i ? ",\n " : "", (unsigned long long)head->rounds[i]);
  ofw_text_add(out, "\nseed = %llu\nseeds = %llu\ntune-seeds = %llu\nseries = 1\n", (unsigned long long)head->seed,
               (unsigned long long)head->seeds, (unsigned long long)head->tune_seeds);
  for (size_t i = 0; i < places; i++) {
    ofw_text_add(out, "\n[stream ");
    put_place(out, at, i);
    ofw_text_add(out, "]\n");
    put_broken(out, "stream", at[i].stream);
    if (at[i].domain)
      put_broken(out, "domain", at[i].domain);
  }
}

static int is_overridden(const contender *who, size_t i)
{
  size_t key = strcspn(who->option[i], "=") + 1;
  for (size_t k = i + 1; k < who->options; k++)
    if (strncmp(who->option[k], who->option[i], key) == 0)
      return 1;
  return 0;
}

void compose_learner(ofw_text *out, const contender *who, const place *at, const unsigned char *fits, size_t places)
{
  if (!memchr(fits, 1, places))
    return;
  ofw_text_add(out, "\n[learner ");
  compose_label(out, who->label);
  ofw_text_add(out, "]\nlearner = %s\n", who->learner);
  for (size_t i = 0; i < who->options; i++) {
    int key = (int)strcspn(who->option[i], "=");
    if (!is_overridden(who, i))
      ofw_text_add(out, "%.*s = %s\n", key, who->option[i], who->option[i] + key + 1);
  }
  ofw_text_add(out, "%s%sstreams =", who->untold ? "horizon = auto\n" : "", who->tune ? "tune = yes\n" : "");
  const char *before = " ";
  for (size_t i = 0; i < places; i++)
    if (fits[i]) {
      ofw_text_add(out, "%s", before);
      put_place(out, at, i);
      before = ",\n ";
    }
  ofw_text_add(out, "\n");
}

ofw_status compose_check(const contender *who, const place *at, uint64_t rounds, uint64_t seed, ofw_error *err)
{
  enum { MOST = 2 * MOST_SETS };
  char *option[MOST], key[MOST][64], *config = NULL;
  lab_axis axis[MOST];
  const lab_source source = {.spec = at->stream, .domain = at->domain};
  lab_player player = {.learner = who->learner, .axis = axis};
  const lab_arm arm = {.source = &source, .player = &player, .option = option};
  const results_cell first = {.factor = {1.0, 1.0}, .rounds = rounds, .seed = seed};
  for (size_t i = 0; i < who->options + (size_t)who->untold && i < MOST; i++) {
    option[i] = i < who->options ? (char *)who->option[i] : "horizon=auto";
    const char *equals = strchr(option[i], '='); /* without one the learner refuses it */
    snprintf(key[i], sizeof key[i], "%.*s", equals ? (int)(equals - option[i]) : 0, option[i]);
    axis[player.axes++] = (lab_axis){.key = key[i]};
  }
  ofw_status st = lab_play_config(&arm, &first, &config, err);
  free(config);
  return st;
}
