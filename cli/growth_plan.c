/* growth_plan.c — the experiment of ofw growth: learners with each of several constants, on streams over domains
 *
 * A suite of experiments/ or the command line says which; what cannot be played is left out with a note.
 */
#include "growth.h"

#include "suites.h"

#include "base/option_table.h"
#include "base/sort.h"
#include "lab/play.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t full_rounds[] = {1000, 3162, 10000, 31623, 100000}, quick_rounds[] = {1000, 3162, 10000, 31623};
enum { FULL = sizeof full_rounds / sizeof *full_rounds, QUICK = sizeof quick_rounds / sizeof *quick_rounds };
enum { FULL_SEEDS = 16, QUICK_SEEDS = 8 };

/* ---- what is asked for ---- */

/* Once each, in their order. */
static void add_text(const char *list[MOST_REPEATED], size_t *n, const char *text)
{
  for (size_t i = 0; i < *n; i++)
    if (strcmp(list[i], text) == 0)
      return;
  if (*n < MOST_REPEATED)
    list[(*n)++] = text;
}

static int choose_parts(growth *g)
{
  int code;
  g->learners = repeated_values(g->args, OPT_LEARNER, g->learner);
  g->streams = repeated_values(g->args, OPT_STREAM, g->stream);
  g->domains = repeated_values(g->args, OPT_DOMAIN, g->domain);
  if (!g->args->value[OPT_SUITE])
    return (code = require(g->self, g->args, OPT_LEARNER)) ? code : require(g->self, g->args, OPT_STREAM);
  if ((code = suite_read(g->self, g->args->value[OPT_SUITE], "table1", "ada", &g->suite)))
    return code;
  const lab_experiment *x = &g->suite;
  int learners = !g->learners, streams = !g->streams, domains = !g->domains;
  for (size_t i = 0; i < x->players && learners; i++)
    add_text(g->learner, &g->learners, x->player[i].learner);
  for (size_t i = 0; i < x->sources; i++) {
    if (streams)
      add_text(g->stream, &g->streams, x->source[i].spec);
    if (domains && x->source[i].domain)
      add_text(g->domain, &g->domains, x->source[i].domain);
  }
  return 0;
}

/* "1000,3162,10000", in any order */
static int read_rounds(growth *g)
{
  const char *text = g->args->value[OPT_ROUNDS];
  uint64_t room[MOST_HORIZONS];
  int quick = g->args->value[OPT_QUICK] != NULL, suite = g->suite.horizons && !quick;
  g->horizons = suite ? g->suite.horizons : quick ? QUICK : FULL;
  memcpy(g->rounds, suite ? g->suite.horizon : quick ? quick_rounds : full_rounds, g->horizons * sizeof *g->rounds);
  if (!text)
    return 0;
  g->horizons = 0;
  for (const char *at = text;; at++) {
    char number[32];
    size_t length = strcspn(at, ",");
    snprintf(number, sizeof number, "%.*s", (int)length, at);
    if (g->horizons == MOST_HORIZONS)
      return complain(g->self, EXIT_USAGE, "--rounds: at most %d horizons", MOST_HORIZONS);
    if (length >= sizeof number || ofw_read_count(number, &g->rounds[g->horizons]) != 1 || g->rounds[g->horizons] < 2 ||
        g->rounds[g->horizons] > OFW_MOST_ROUNDS)
      return complain(g->self, EXIT_USAGE, "--rounds %s: '%.40s': expected a number of rounds from 2 to %lld", text,
                      number, (long long)OFW_MOST_ROUNDS);
    g->horizons++;
    at += length;
    if (!*at)
      break;
  }
  ofw_sort_within(g->horizons, g->rounds, NULL, room, NULL);
  for (size_t i = 1; i < g->horizons; i++)
    if (g->rounds[i] == g->rounds[i - 1])
      return complain(g->self, EXIT_USAGE, "--rounds %s: %llu appears twice", text, (unsigned long long)g->rounds[i]);
  if (g->horizons < OFW_FIT_HORIZONS)
    return complain(g->self, EXIT_USAGE, "--rounds %s: a slope needs at least %d horizons", text, OFW_FIT_HORIZONS);
  return 0;
}

static int is_one_of(const char *text, const char *a, const char *b, const char *c, const char *d)
{
  return strcmp(text, a) == 0 || strcmp(text, b) == 0 || strcmp(text, c) == 0 || strcmp(text, d) == 0;
}

static int read_constants(growth *g)
{
  const char *text = g->args->value[OPT_CONSTANTS];
  char *rest = ofw_owned_take(&g->owned, ofw_copy_text(text ? text : "theorem,default,gamma=lambda,tight,tuned"), 1);
  if (!rest)
    return no_memory(g->self);
  for (const char *name; (name = strsep(&rest, ","));) {
    if (!strchr(name, '=') && !is_one_of(name, "theorem", "default", "tight", "tuned"))
      return complain(g->self, EXIT_USAGE,
                      "--constants: expected theorem, default, tight, tuned or KEY=VALUE, found '%s'", name);
    if (strlen(name) > LONGEST_NAME)
      return complain(g->self, EXIT_USAGE, "--constants %s: longer than %d characters", name, LONGEST_NAME);
    if (g->variants == MOST_CONSTANTS)
      return complain(g->self, EXIT_USAGE, "--constants: at most %d", MOST_CONSTANTS);
    g->constants[g->variants++] = name;
  }
  return 0;
}

static int read_horizon_option(growth *g)
{
  const char *text = g->args->value[OPT_HORIZON];
  g->untold = text != NULL;
  if (text && strcmp(text, "auto") != 0)
    return complain(g->self, EXIT_USAGE,
                    "--horizon %s: expected 'auto'; without it the horizon is the number of rounds", text);
  return 0;
}

/* ---- constants of a learner ---- */

/* It is there: check_names or the suite's reader has looked. */
static const ofw_type *find_learner(const char *name)
{
  int i = ofw_type_find(name, strlen(name), ofw_learner_types(), ofw_learner_type, "learner", NULL);
  return ofw_learner_type((size_t)i);
}

/* Whether the learner has the option, and takes the value. */
static int takes(const ofw_type *type, const char *pair)
{
  char key[LONGEST_NAME + 1];
  size_t length = strcspn(pair, "=");
  snprintf(key, sizeof key, "%.*s", (int)length, pair);
  return pair[length] && lab_setting_check(type, key, pair + length + 1, NULL) == OFW_OK;
}

/* "gamma=lambda+step=2": cut before each name of an option, so that 1e+3 stays one. How many there are. */
static size_t cut_pairs(char *pairs, const char *out[MOST_PAIRS])
{
  size_t n = 0;
  for (char *at = *pairs ? pairs : NULL; at && n < MOST_PAIRS;) {
    out[n++] = at;
    do
      at = strchr(at + 1, '+');
    while (at && !islower((unsigned char)at[1]));
    if (at)
      *at++ = 0;
  }
  return n;
}

/* What constants of that name set for the learner; NULL: it has none such. Its default is one of its own if the
 * theorem's constants are others, or if no theorem has any, for a parameter-free learner. */
static const char *pairs_of(const char *name, const ofw_type *type)
{
  const ofw_promise *p = type->promise;
  const char *theorem = p ? p->theorem : NULL;
  int anytime = p && p->anytime;
  if (strcmp(name, "tuned") == 0)
    return p && p->tuned[0] ? "" : NULL;
  if (strcmp(name, "default") == 0)
    return anytime || theorem ? "" : NULL;
  if (strcmp(name, "theorem") == 0)
    return anytime ? NULL : theorem ? theorem : "";
  return strcmp(name, "tight") == 0 ? "preset=tight" : name;
}

/* A learner with certain constants, as it is composed. */
typedef struct variant {
  contender who;
  char label[2 * LONGEST_NAME], pairs[LONGEST_NAME + 1];
  const char *option[MOST_SETS + MOST_PAIRS]; /* --set, then its own */
} variant;

/* 1: the learner has them. */
static int define(const growth *g, const ofw_type *type, const char *name, variant *v)
{
  const char *own[MOST_PAIRS], *pairs = pairs_of(name, type);
  if (!pairs)
    return 0;
  snprintf(v->label, sizeof v->label, "%s %s", type->name, name);
  snprintf(v->pairs, sizeof v->pairs, "%s", pairs);
  size_t n = cut_pairs(v->pairs, own);
  for (size_t i = 0; i < n; i++)
    if (!takes(type, own[i]))
      return 0;
  memcpy(v->option, g->args->set, g->args->sets * sizeof *v->option);
  memcpy(v->option + g->args->sets, own, n * sizeof *own);
  v->who = (contender){.label = v->label,
                       .learner = type->name,
                       .option = v->option,
                       .options = g->args->sets + n,
                       .untold = g->untold,
                       .tune = strcmp(name, "tuned") == 0};
  return 1;
}

/* A constants that no learner has is a slip. */
static int check_constants(const growth *g)
{
  variant v;
  for (size_t i = 0; i < g->variants && g->args->value[OPT_CONSTANTS]; i++) {
    int defined = strcmp(g->constants[i], "theorem") == 0;
    for (size_t k = 0; k < g->learners; k++)
      defined |= define(g, find_learner(g->learner[k]), g->constants[i], &v);
    if (!defined)
      return complain(g->self, EXIT_USAGE, "--constants: no learner has '%s'", g->constants[i]);
  }
  return 0;
}

/* ---- the experiment ---- */

/* Notes it, and says it once. */
static int leave_out(growth *g, const contender *who, const place *at, const char *constants, const char *why)
{
  left_out *more = realloc(g->left, (g->lefts + 1) * sizeof *more);
  if (!more)
    return no_memory(g->self);
  g->left = more;
  more += g->lefts++;
  char *what = ofw_format("%s on %s%s%s%s%s", who->learner, at->stream, at->domain ? ", " : "",
                          at->domain ? at->domain : "", constants ? ", " : "", constants ? constants : "");
  *more = (left_out){ofw_owned_take(&g->owned, what, 1), ofw_owned_take(&g->owned, ofw_copy_text(why), 1)};
  return more->what && more->why ? complain(g->self, 0, "left out: %s: %s", more->what, why) : no_memory(g->self);
}

/* Whether the learner can play there; if not, that is noted. */
static int look(growth *g, const contender *who, const place *at, const char *constants, unsigned char *fits)
{
  ofw_error err = {0};
  *fits = compose_check(NULL, who, at, g->rounds[0], g->seed, &err) == OFW_OK;
  return *fits ? 0 : leave_out(g, who, at, constants, err.message);
}

/* One learner with every constants that it has; what it cannot play as it is, it plays with none of them. */
static int add_learner(growth *g, const ofw_type *type, ofw_text *out, unsigned char played[MOST_PLACES])
{
  const contender as_it_is = {
      .learner = type->name, .option = g->args->set, .options = g->args->sets, .untold = g->untold};
  variant *v = calloc(g->variants, sizeof *v);
  unsigned char *fits = calloc(g->variants + 1, MOST_PLACES), *plain = fits;
  int code = v && fits ? 0 : no_memory(g->self);
  for (size_t i = 0; i < g->variants && !code; i++)
    if (!define(g, type, g->constants[i], &v[i]))
      v[i].who.learner = NULL;
  for (size_t p = 0; p < g->places && !code; p++) {
    code = look(g, &as_it_is, &g->place[p], NULL, &plain[p]);
    for (size_t i = 0; i < g->variants && plain[p] && !code; i++)
      if (v[i].who.learner)
        code = look(g, &v[i].who, &g->place[p], g->constants[i], &fits[(i + 1) * MOST_PLACES + p]);
  }
  for (size_t i = 0; i < g->variants && !code; i++)
    compose_learner(out, &v[i].who, g->place, fits + (i + 1) * MOST_PLACES, g->places);
  for (size_t k = 0; k < g->variants * MOST_PLACES && !code; k++)
    played[k % MOST_PLACES] |= fits[MOST_PLACES + k];
  free(v);
  free(fits);
  return code;
}

static int compose(growth *g)
{
  const compose_head head = {"ofw growth", g->rounds, g->horizons, g->seed, g->seeds, g->tune_seeds};
  ofw_text learners = {0};
  unsigned char played[MOST_PLACES] = {0};
  int code = 0;
  g->places = compose_places(g->stream, g->streams, g->domain, g->domains, g->place);
  for (size_t l = 0; l < g->learners && !code; l++)
    code = add_learner(g, find_learner(g->learner[l]), &learners, played);
  if (!code && !learners.chars)
    code = complain(g->self, EXIT_USAGE, "nothing to play: every game was left out; see the reasons above");
  compose_begin(&g->text, &head, g->place, played, g->places);
  ofw_text_add(&g->text, "%s", learners.chars ? learners.chars : "");
  g->text.failed |= learners.failed;
  free(learners.chars);
  return code;
}

int growth_plan(growth *g)
{
  const arguments *args = g->args;
  int code;
  if ((code = choose_parts(g)))
    return code;
  uint64_t seeds = args->value[OPT_QUICK] ? QUICK_SEEDS : args->value[OPT_SUITE] ? g->suite.seeds : FULL_SEEDS;
  if ((code = read_rounds(g)) || (code = read_constants(g)) || (code = read_horizon_option(g)) ||
      (code = read_count(g->self, args, OPT_SEED, 1, &g->seed)) ||
      (code = read_count_in(g->self, args, OPT_SEEDS, seeds, OFW_FIT_SEEDS, OFW_MOST_SEEDS, &g->seeds)) ||
      (code = read_count_in(g->self, args, OPT_TUNE_SEEDS, 4, 1, OFW_MOST_SEEDS, &g->tune_seeds)) ||
      (code = check_constants(g)))
    return code;
  return compose(g);
}
