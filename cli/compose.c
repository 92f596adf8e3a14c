/* compose.c — an experiment of the command line as the text that a file would have, so that one engine plays both */
#include "compose.h"

#include "lab/play.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

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

size_t compose_places(const char *const *stream, size_t streams, const char *const *domain, size_t domains, place *out)
{
  size_t n = 0;
  for (size_t s = 0; s < streams; s++)
    for (size_t d = 0; d < domains || d == 0; d++)
      out[n++] = (place){stream[s], domains ? domain[d] : NULL};
  return n;
}

void compose_begin(ofw_text *out, const compose_head *head, const place *at, const unsigned char *played, size_t places)
{
  ofw_text_add(out, "[experiment]\ntitle = %s\nrounds = ", head->title);
  for (size_t i = 0; i < head->horizons; i++)
    ofw_text_add(out, "%s%llu", i ? ", " : "", (unsigned long long)head->rounds[i]);
  ofw_text_add(out, "\nseed = %llu\nseeds = %llu\ntune-seeds = %llu\nseries = 1\n", (unsigned long long)head->seed,
               (unsigned long long)head->seeds, (unsigned long long)head->tune_seeds);
  for (size_t i = 0; i < places; i++) {
    if (!played[i])
      continue;
    ofw_text_add(out, "\n[stream ");
    put_place(out, at, i);
    ofw_text_add(out, "]\nstream = %s\n", at[i].stream);
    if (at[i].domain)
      ofw_text_add(out, "domain = %s\n", at[i].domain);
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
      before = ", ";
    }
  ofw_text_add(out, "\n");
}

/* A value of an experiment is one line, and what follows on a ';' after a blank is a comment. */
static ofw_status check_line(const char *text, ofw_error *err)
{
  for (const char *at = text; text && (at = strpbrk(at, ";\n\r")); at++)
    if (*at != ';' || (at > text && isblank((unsigned char)at[-1])))
      return ofw_fail(err, OFW_USAGE, "'%.200s' contains a line break, or a ';' after a blank; remove it", text);
  return OFW_OK;
}

ofw_status compose_check(const ofw_registry *own, const contender *who, const place *at, uint64_t rounds, uint64_t seed,
                         ofw_error *err)
{
  enum { MOST = 2 * MOST_SETS };
  char *option[MOST], key[MOST][64], *config = NULL;
  lab_axis axis[MOST];
  const lab_source source = {.spec = at->stream, .domain = at->domain, .own = own};
  lab_player player = {.learner = who->learner, .own = own, .axis = axis};
  const lab_arm arm = {.source = &source, .player = &player, .option = option};
  const results_cell first = {.factor = {1.0, 1.0}, .rounds = rounds, .seed = seed};
  for (size_t i = 0; i < who->options + (size_t)who->untold && i < MOST; i++) {
    option[i] = i < who->options ? (char *)who->option[i] : "horizon=auto";
    const char *equals = strchr(option[i], '='); /* without one the learner refuses it */
    snprintf(key[i], sizeof key[i], "%.*s", equals ? (int)(equals - option[i]) : 0, option[i]);
    axis[player.axes++] = (lab_axis){.key = key[i]};
  }
  OFW_TRY(check_line(at->stream, err));
  OFW_TRY(check_line(at->domain, err));
  ofw_status st = lab_play_config(&arm, &first, &config, err);
  free(config);
  return st;
}
