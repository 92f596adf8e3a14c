/* compare_plan.c — the experiment of ofw compare: a suite of experiments/ or the command line says who meets whom where, and
 * a learner that cannot play on a stream, say for want of strong convexity, is left out there */
#include "compare.h"
#include "compose.h"
#include "suites.h"
#include "verdicts.h"

#include "base/limits.h"
#include "base/owned.h"
#include "lab/paired.h"
#include "lab/tune.h"

#include <stdlib.h>
#include <string.h>

enum { FULL_ROUNDS = 10000, QUICK_ROUNDS = 1000, SEEDS = 16 };
enum { MOST_PLAYERS = 2 * MOST_REPEATED };

/* A learner as it was named, NAME:KEY=VALUE,.. */
typedef struct contestant {
  char *text, *parts; /* `parts` is `text`, cut into the name and its options */
  const char *set[MOST_SETS];
  contender who;
  unsigned char meets[MOST_PLAYERS]; /* 1: it is compared with that one, its rival */
  unsigned char fits[MOST_PLACES];
} contestant;

typedef struct plan {
  const command *self;
  const arguments *args;
  lab_experiment suite;
  ofw_owned owned; /* the players and their texts */
  contestant *player;
  size_t players;
  place place[MOST_PLACES];
  size_t places;
  uint64_t rounds, seed, seeds, tune_seeds;
} plan;

/* ---- what is asked for ---- */

static int add_contestant(plan *p, const char *text)
{
  contestant *c = &p->player[p->players++];
  c->text = ofw_owned_take(&p->owned, ofw_copy_text(text), 1);
  c->parts = ofw_owned_take(&p->owned, ofw_copy_text(text), 1);
  if (!c->text || !c->parts)
    return no_memory(p->self);
  c->who = (contender){.label = c->text, .learner = c->parts, .option = c->set};
  for (char *at = strchr(c->parts, ':'); at; at = strchr(at, ',')) {
    *at++ = 0;
    if (c->who.options == MOST_SETS)
      return complain(p->self, EXIT_USAGE, "%.80s..: more than %d options", text, MOST_SETS);
    c->set[c->who.options++] = at;
  }
  const ofw_promise *promise = lab_promise(&p->args->own, c->who.learner);
  c->who.tune = promise && promise->tuned[0];
  return 0;
}

static int add_player(plan *p, const lab_player *of)
{
  ofw_text text = {0};
  ofw_text_add(&text, "%s", of->learner);
  for (size_t i = 0; i < of->axes; i++)
    ofw_text_add(&text, "%s%s=%s", i ? "," : ":", of->axis[i].key, of->axis[i].value.item[0]);
  int code = text.failed ? no_memory(p->self) : add_contestant(p, text.chars);
  free(text.chars);
  return code;
}

static int take_suite(plan *p, const char *name)
{
  static const option_id chosen[] = {OPT_LEARNER, OPT_RIVAL, OPT_STREAM, OPT_DOMAIN};
  const lab_experiment *x = &p->suite;
  int code = suite_read(p->self, name, "rivals", "ada", &p->suite);
  for (size_t i = 0; i < sizeof chosen / sizeof *chosen && !code; i++)
    if (p->args->value[chosen[i]])
      return complain(p->self, EXIT_USAGE, "--suite %s chooses learners and streams; leave --%s out", name,
                      option_table[chosen[i]].name);
  for (size_t i = 0; i < x->players && !code; i++)
    code = add_player(p, &x->player[i]);
  for (size_t i = 0; i < x->sources; i++)
    p->place[p->places++] = (place){x->source[i].spec, x->source[i].domain};
  for (const lab_claim *c = x->claim; c < x->claim + x->claims; c++)
    for (size_t i = 0; i < x->players; i++)
      for (size_t k = 0; k < x->players && strcmp(x->player[i].label, c->better) == 0; k++)
        p->player[i].meets[k] |= (unsigned char)lab_list_admits(&c->than, x->player[k].label);
  return code;
}

static int take_options(plan *p)
{
  const char *name[MOST_PLAYERS], *stream[MOST_REPEATED], *domain[MOST_REPEATED];
  int code;
  if ((code = require(p->self, p->args, OPT_LEARNER)) || (code = require(p->self, p->args, OPT_RIVAL)) ||
      (code = require(p->self, p->args, OPT_STREAM)))
    return code;
  size_t learners = repeated_values(p->args, OPT_LEARNER, name);
  size_t all = learners + repeated_values(p->args, OPT_RIVAL, name + learners);
  size_t streams = repeated_values(p->args, OPT_STREAM, stream), domains = repeated_values(p->args, OPT_DOMAIN, domain);
  for (size_t i = 0; i < all && !code; i++)
    code = add_contestant(p, name[i]);
  for (size_t i = 0; i < learners && !code; i++)
    memset(p->player[i].meets + learners, 1, all - learners);
  p->places = compose_places(stream, streams, domain, domains, p->place);
  return code;
}

static int read_numbers(plan *p)
{
  const lab_experiment *x = &p->suite;
  uint64_t rounds = p->args->value[OPT_QUICK] ? QUICK_ROUNDS : x->rounds ? x->rounds : FULL_ROUNDS;
  int code;
  (void)((code = read_count_in(p->self, p->args, OPT_ROUNDS, rounds, 1, OFW_MOST_ROUNDS, &p->rounds)) ||
         (code =
              read_count_in(p->self, p->args, OPT_SEEDS, x->seeds ? x->seeds : SEEDS, 2, OFW_MOST_SEEDS, &p->seeds)) ||
         (code = read_count(p->self, p->args, OPT_SEED, 1, &p->seed)) ||
         (code = read_count_in(p->self, p->args, OPT_TUNE_SEEDS, 4, 1, OFW_MOST_SEEDS, &p->tune_seeds)));
  return code;
}

/* ---- the experiment ---- */

static void look(plan *p)
{
  for (const place *at = p->place; at < p->place + p->places; at++)
    for (contestant *c = p->player; c < p->player + p->players; c++) {
      ofw_error err = {0};
      unsigned char *fits = &c->fits[at - p->place];
      *fits = compose_check(&p->args->own, &c->who, at, p->rounds, p->seed, &err) == OFW_OK;
      if (!*fits)
        complain(p->self, 0, "left out: %s on %s%s%s: %s", c->text, at->stream, at->domain ? ", " : "",
                 at->domain ? at->domain : "", err.message);
    }
}

/* On how many streams the two meet. */
static size_t meetings(const plan *p, const contestant *a, size_t rival)
{
  size_t n = 0;
  for (size_t i = 0; i < p->places && a->meets[rival]; i++)
    n += a->fits[i] && p->player[rival].fits[i];
  return n;
}

/* The claim of a learner; how many duels that are. */
static size_t compose_claim(const plan *p, const contestant *a, ofw_text *out)
{
  size_t duels = 0;
  for (size_t k = 0; k < p->players; k++) {
    size_t n = meetings(p, a, k);
    if (n == 0)
      continue;
    if (duels == 0) {
      ofw_text_add(out, "\n[claim ");
      compose_label(out, a->text);
      ofw_text_add(out, "]\ntext = it is better than its rivals\nmetric = regret, loss, ccv\nbetter = ");
      compose_label(out, a->text);
      ofw_text_add(out, "\nthan =");
    }
    ofw_text_add(out, "%s ", duels ? "," : "");
    compose_label(out, p->player[k].text);
    duels += n;
  }
  ofw_text_add(out, "%s", duels ? "\n" : "");
  return duels;
}

static int compose(plan *p, ofw_text *out)
{
  const compose_head head = {"ofw compare", &p->rounds, 1, p->seed, p->seeds, p->tune_seeds};
  unsigned char played[MOST_PLACES] = {0};
  size_t tests = 0;
  look(p);
  for (size_t i = 0; i < p->players; i++)
    for (size_t k = 0; k < p->places; k++)
      played[k] |= p->player[i].fits[k];
  compose_begin(out, &head, p->place, played, p->places);
  for (size_t i = 0; i < p->players; i++)
    compose_learner(out, &p->player[i].who, p->place, p->player[i].fits, p->places);
  for (size_t i = 0; i < p->players; i++)
    tests += 2 * compose_claim(p, &p->player[i], out);
  if (tests == 0)
    return complain(p->self, EXIT_USAGE, "no learner and rival can play on the same stream; see the reasons above");
  if ((double)tests * ofw_paired_least((size_t)p->seeds) >= OFW_PAIRED_LEVEL) {
    char would[SEEDS_TEXT];
    complain(p->self, 0, "%llu seeds cannot decide any of %zu tests; %s", (unsigned long long)p->seeds, tests,
             seeds_text(ofw_paired_games(tests), would));
  }
  return 0;
}

int compare_plan(const command *self, const arguments *args, ofw_text *out)
{
  plan *p = calloc(1, sizeof *p);
  if (!p)
    return no_memory(self);
  p->self = self;
  p->args = args;
  p->player = ofw_owned_take(&p->owned, calloc(MOST_PLAYERS, sizeof *p->player), 1);
  int code = !p->player               ? no_memory(self)
             : args->value[OPT_SUITE] ? take_suite(p, args->value[OPT_SUITE])
                                      : take_options(p);
  if (!code && !(code = read_numbers(p)))
    code = compose(p, out);
  lab_experiment_free(&p->suite);
  ofw_owned_free(&p->owned);
  free(p);
  return code;
}
