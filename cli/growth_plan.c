/* growth_plan.c — which rows ofw growth measures: a suite's or those asked for, less what cannot be played */
#include "growth.h"

#include "base/option_table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* What is not registered is left out with a note. */
static const struct {
  const char *name;
  const char *learner[8], *stream[8], *domain[4];
} suites[] = {
    {"table1", /* of the paper, in its order */
     {"opdp", "lpm", "ofw-tvc", "scofw-tvc", "lbpm", "bfw-tvc", "scbfw-tvc"},
     {"linear", "quadratic", "conflict"},
     {"l2-ball:dim=10", "l1-ball:dim=10"}},
    {"ada",
     {"ofw-ada", "ofw-ada-sc", "bfw-ada"},
     {"linear", "quadratic", "alternating", "alternating:block=100", "conflict", "ball-constraint", "drifting"},
     {"l2-ball:dim=10", "l1-ball:dim=10", "simplex:dim=20"}},
};
enum { SUITES = sizeof suites / sizeof *suites };

static const uint64_t full_rounds[] = {1000, 3162, 10000, 31623, 100000}, quick_rounds[] = {1000, 3162, 10000, 31623};
enum { FULL = sizeof full_rounds / sizeof *full_rounds, QUICK = sizeof quick_rounds / sizeof *quick_rounds };
enum { FULL_SEEDS = 16, QUICK_SEEDS = 8 };

static int no_memory(const growth *g)
{
  return complain(g->self, EXIT_FAILED, "out of memory");
}

/* ---- what is asked for ---- */

/* Repeated options, or the suite's list. */
static size_t choose(const growth *g, option_id id, const char *const *of_suite, const char *out[MOST_REPEATED])
{
  size_t n = repeated_values(g->args, id, out);
  if (n == 0 && g->suite)
    for (; of_suite[n]; n++)
      out[n] = of_suite[n];
  return n;
}

static int choose_parts(growth *g)
{
  const char *suite = g->args->value[OPT_SUITE];
  size_t at = 0;
  int code;
  while (suite && at < SUITES && strcmp(suite, suites[at].name) != 0)
    at++;
  if (at == SUITES)
    return complain(g->self, EXIT_USAGE, "no suite '%s'; there are table1 and ada", suite);
  g->suite = suite != NULL;
  if (!suite && ((code = require(g->self, g->args, OPT_LEARNER)) || (code = require(g->self, g->args, OPT_STREAM))))
    return code;
  g->learners = choose(g, OPT_LEARNER, suites[at].learner, g->learner);
  g->streams = choose(g, OPT_STREAM, suites[at].stream, g->stream);
  g->domains = choose(g, OPT_DOMAIN, suites[at].domain, g->domain);
  return 0;
}

static int ascending(const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* "1000,3162,10000", in any order */
static int read_rounds(growth *g)
{
  const char *text = g->args->value[OPT_ROUNDS];
  int quick = g->args->value[OPT_QUICK] != NULL;
  g->horizons = quick ? QUICK : FULL;
  memcpy(g->rounds, quick ? quick_rounds : full_rounds, g->horizons * sizeof *g->rounds);
  if (!text)
    return 0;
  g->horizons = 0;
  for (const char *at = text;; at++) {
    char number[32];
    size_t length = strcspn(at, ",");
    snprintf(number, sizeof number, "%.*s", (int)length, at);
    if (g->horizons == MOST_HORIZONS)
      return complain(g->self, EXIT_USAGE, "--rounds: more than %d horizons", MOST_HORIZONS);
    if (length >= sizeof number || ofw_read_count(number, &g->rounds[g->horizons]) != 1 || g->rounds[g->horizons] < 2 ||
        g->rounds[g->horizons] > OFW_MOST_ROUNDS)
      return complain(g->self, EXIT_USAGE, "--rounds %s: '%.40s' is not a number of rounds from 2 to %lld", text,
                      number, (long long)OFW_MOST_ROUNDS);
    g->horizons++;
    at += length;
    if (!*at)
      break;
  }
  qsort(g->rounds, g->horizons, sizeof *g->rounds, ascending);
  for (size_t i = 1; i < g->horizons; i++)
    if (g->rounds[i] == g->rounds[i - 1])
      return complain(g->self, EXIT_USAGE, "--rounds %s: %llu is there twice", text, (unsigned long long)g->rounds[i]);
  if (g->horizons < OFW_FIT_HORIZONS)
    return complain(g->self, EXIT_USAGE, "--rounds %s: a slope needs at least %d horizons", text, OFW_FIT_HORIZONS);
  return 0;
}

/* "gamma=lambda+step=2": cut before each name of an option, so that 1e+3 stays one. */
static int cut_pairs(const growth *g, variant *v)
{
  for (char *at = v->pairs; at;) {
    if (v->own == MOST_PAIRS)
      return complain(g->self, EXIT_USAGE, "--constants %s: more than %d options", v->name, MOST_PAIRS);
    v->set[v->sets++] = at;
    v->own++;
    do
      at = strchr(at + 1, '+');
    while (at && !islower((unsigned char)at[1]));
    if (at)
      *at++ = 0;
  }
  return 0;
}

/* A constants by its name, which sets `pairs` ("": nothing). */
static int add_variant(growth *g, const char *name, size_t length, const char *pairs)
{
  if (g->variants == MOST_VARIANTS)
    return complain(g->self, EXIT_USAGE, "--constants: more than %d", MOST_VARIANTS);
  variant *v = &g->variant[g->variants++];
  v->name = ofw_array(length + 1, 1);
  if (!v->name)
    return no_memory(g);
  memcpy(v->name, name, length);
  v->name[length] = 0;
  for (; v->sets < g->args->sets; v->sets++)
    v->set[v->sets] = g->args->set[v->sets];
  v->theorem = strcmp(v->name, "theorem") == 0;
  v->by_default = strcmp(v->name, "default") == 0;
  v->tuned = strcmp(v->name, "tuned") == 0;
  if (!*pairs)
    return 0;
  v->pairs = ofw_copy_text(pairs);
  return v->pairs ? cut_pairs(g, v) : no_memory(g);
}

/* The theorem's constants are set by nothing, or by what a learner's promise says. */
static int add_theorem(growth *g, const char *name, size_t length)
{
  int code = add_variant(g, name, length, "");
  for (size_t i = 0; i < ofw_learner_types() && !code; i++) {
    const ofw_promise *p = ofw_learner_type(i)->promise;
    int is_new = p && p->theorem;
    for (size_t k = 0; k < g->variants && is_new; k++)
      is_new = !g->variant[k].theorem || !g->variant[k].pairs || strcmp(g->variant[k].pairs, p->theorem) != 0;
    if (is_new)
      code = add_variant(g, name, length, p->theorem);
  }
  return code;
}

static int is_text(const char *text, size_t length, const char *word)
{
  return strlen(word) == length && memcmp(text, word, length) == 0;
}

static int add_named(growth *g, const char *name, size_t length)
{
  if (is_text(name, length, "theorem"))
    return add_theorem(g, name, length);
  if (is_text(name, length, "default") || is_text(name, length, "tuned"))
    return add_variant(g, name, length, "");
  if (is_text(name, length, "tight"))
    return add_variant(g, name, length, "preset=tight");
  if (!memchr(name, '=', length))
    return complain(g->self, EXIT_USAGE, "--constants: '%.*s' is none of theorem, default, tight, tuned, KEY=VALUE",
                    (int)length, name);
  char *pairs = ofw_array(length + 1, 1);
  if (!pairs)
    return no_memory(g);
  memcpy(pairs, name, length);
  pairs[length] = 0;
  int code = add_variant(g, name, length, pairs);
  free(pairs);
  return code;
}

static int read_constants(growth *g)
{
  const char *text = g->args->value[OPT_CONSTANTS];
  text = text ? text : "theorem,default,gamma=lambda,tight,tuned";
  for (;;) {
    size_t length = strcspn(text, ",");
    int code = add_named(g, text, length);
    if (code || !text[length])
      return code;
    text += length + 1;
  }
}

static int read_horizon_option(growth *g)
{
  const char *text = g->args->value[OPT_HORIZON];
  g->untold = text != NULL;
  if (text && strcmp(text, "auto") != 0)
    return complain(g->self, EXIT_USAGE, "--horizon %s: it is the number of rounds here, or 'auto'", text);
  return 0;
}

/* ---- rows ---- */

static const ofw_type *find_learner(const char *name)
{
  int i = ofw_type_find(name, strlen(name), ofw_learner_types(), ofw_learner_type, "learner", NULL);
  return i < 0 ? NULL : ofw_learner_type((size_t)i);
}

static int is_word(const char *words, const char *text)
{
  size_t length = strlen(text);
  for (const char *at = words; at; at = at[strcspn(at, "|")] ? at + strcspn(at, "|") + 1 : NULL)
    if (strcspn(at, "|") == length && memcmp(at, text, length) == 0)
      return 1;
  return 0;
}

/* Whether the option is there, and the word one of its words. */
static int takes(const ofw_option *o, const char *pair)
{
  size_t key = strcspn(pair, "=");
  for (; o->name; o++)
    if (strlen(o->name) == key && memcmp(o->name, pair, key) == 0) {
      const char *value = pair + key + 1;
      double x;
      return o->kind == OFW_TEXT || (o->words && is_word(o->words, value)) ||
             (o->kind != OFW_CHOICE && ofw_read_real(value, &x));
    }
  return 0;
}

/* A variant that a learner does not have is no row of its table; its default is one of its own where the theorem's
 * constants are others, or where no theorem has any, for a learner that is told nothing. */
static int is_defined(const variant *v, const ofw_type *type)
{
  const char *theorem = type->promise ? type->promise->theorem : NULL;
  if (v->tuned)
    return type->promise && type->promise->tuned[0];
  int anytime = type->promise && type->promise->anytime;
  if (v->by_default)
    return anytime || theorem != NULL;
  if (v->theorem)
    return anytime ? 0 : theorem ? v->own == 1 && strcmp(v->set[v->sets - 1], theorem) == 0 : v->own == 0;
  for (size_t i = v->sets - v->own; i < v->sets; i++)
    if (!takes(type->options, v->set[i]) && !takes(ofw_learner_common_options(), v->set[i]))
      return 0;
  return 1;
}

/* Notes it, and says it once. */
static int leave_out(growth *g, const char *what, const char *why)
{
  left_out *more = realloc(g->left, (g->lefts + 1) * sizeof *more);
  if (!more)
    return no_memory(g);
  g->left = more;
  left_out *l = &g->left[g->lefts++];
  *l = (left_out){ofw_copy_text(what), ofw_copy_text(why)};
  if (!l->what || !l->why)
    return no_memory(g);
  complain(g->self, 0, "left out: %s: %s", what, why);
  return 0;
}

/* 1: the registry has it. Where it has not, a suite goes on without it; else it is an error, in *code. */
static int is_there(growth *g, const char *spec, const char *what, size_t n, const ofw_type *(*get)(size_t), int *code)
{
  size_t length;
  ofw_error err = {0};
  ofw_spec_split(spec, &length);
  if (ofw_type_find(spec, length, n, get, what, &err) >= 0)
    return 1;
  *code = g->suite ? leave_out(g, spec, "not registered") : complain(g->self, EXIT_USAGE, "%s", err.message);
  return 0;
}

/* Takes what is not registered off a list. */
static int keep_registered(growth *g, const char *list[MOST_REPEATED], size_t *n, const char *what, size_t types,
                           const ofw_type *(*get)(size_t))
{
  size_t kept = 0;
  int code = 0;
  for (size_t i = 0; i < *n && !code; i++)
    if (is_there(g, list[i], what, types, get, &code))
      list[kept++] = list[i];
  *n = kept;
  return code;
}

/* The row, where the learner can play so; *fits says whether it can. */
static int add_row(growth *g, const lab_setup *of, const variant *v, int *fits)
{
  lab_row *row = &g->row[g->rows];
  ofw_error err = {0};
  char what[480];
  *row = (lab_row){.setup = *of,
                   .constants = v ? v->name : "",
                   .horizons = g->horizons,
                   .seeds = (size_t)g->seeds,
                   .rounds = g->rounds,
                   .first_seed = g->seed};
  row->setup.set = v ? v->set : g->args->set;
  row->setup.sets = v ? v->sets : g->args->sets;
  const lab_cell first = {.of = &row->setup, .factor = {1.0, 1.0}, .rounds = g->rounds[0], .seed = g->seed};
  *fits = lab_cell_check(&first, &err) == OFW_OK;
  if (!*fits) {
    snprintf(what, sizeof what, "%s on %.150s%s%.150s%s%.100s", of->learner, of->stream, of->domain ? ", " : "",
             of->domain ? of->domain : "", v ? ", " : "", v ? v->name : "");
    return leave_out(g, what, err.message);
  }
  if (!v)
    return 0;
  g->rows++;
  return lab_row_open(row, &err) == OFW_OK ? 0 : no_memory(g);
}

static int add_tuning(growth *g, lab_row *row)
{
  ofw_error err = {0};
  row->tuning = &g->tuning[g->tunings++];
  return lab_tuning_open(row->tuning, &row->setup, g->rounds[0], g->seed + LAB_TUNE_SEEDS_FROM, (size_t)g->tune_seeds,
                         &err) == OFW_OK
             ? 0
             : no_memory(g);
}

/* One learner on one stream over one domain, with every constants that it has. */
static int add_rows(growth *g, const char *learner, const char *stream, const char *domain)
{
  const lab_setup of = {.learner = learner, .stream = stream, .domain = domain, .untold = g->untold};
  int fits, code = add_row(g, &of, NULL, &fits);
  for (size_t i = 0; i < g->variants && fits && !code; i++) {
    int has_fitted = 0;
    if (!is_defined(&g->variant[i], find_learner(learner)))
      continue;
    code = add_row(g, &of, &g->variant[i], &has_fitted);
    if (!code && has_fitted && g->variant[i].tuned)
      code = add_tuning(g, &g->row[g->rows - 1]);
  }
  return code;
}

/* A constants that no learner has is a slip. */
static int check_variants(const growth *g)
{
  for (size_t i = 0; i < g->variants; i++) {
    int defined = 0;
    for (size_t k = 0; k < g->learners; k++)
      defined |= is_defined(&g->variant[i], find_learner(g->learner[k]));
    if (!defined && g->args->value[OPT_CONSTANTS] && !g->variant[i].theorem)
      return complain(g->self, EXIT_USAGE, "--constants: none of the learners has '%s'", g->variant[i].name);
  }
  return 0;
}

static int make_rows(growth *g)
{
  size_t domains = g->domains ? g->domains : 1, most = g->learners * g->streams * domains * g->variants;
  int code = 0;
  g->row = calloc(most + 1, sizeof *g->row);
  g->tuning = calloc(most + 1, sizeof *g->tuning);
  if (!g->row || !g->tuning)
    return no_memory(g);
  for (size_t l = 0; l < g->learners; l++)
    for (size_t s = 0; s < g->streams; s++)
      for (size_t d = 0; d < domains && !code; d++)
        code = add_rows(g, g->learner[l], g->stream[s], g->domains ? g->domain[d] : NULL);
  if (!code && g->rows == 0)
    code = complain(g->self, EXIT_USAGE, "nothing is left to play");
  return code;
}

int growth_plan(growth *g)
{
  const arguments *args = g->args;
  int code;
  uint64_t seeds = args->value[OPT_QUICK] ? QUICK_SEEDS : FULL_SEEDS;
  if ((code = choose_parts(g)) || (code = read_rounds(g)) || (code = read_constants(g)) ||
      (code = read_horizon_option(g)) || (code = read_count(g->self, args, OPT_SEED, 1, &g->seed)) ||
      (code = read_count_in(g->self, args, OPT_SEEDS, seeds, OFW_FIT_SEEDS, OFW_MOST_SEEDS, &g->seeds)) ||
      (code = read_count_in(g->self, args, OPT_TUNE_SEEDS, 4, 1, OFW_MOST_SEEDS, &g->tune_seeds)) ||
      (code = keep_registered(g, g->learner, &g->learners, "learner", ofw_learner_types(), ofw_learner_type)) ||
      (code = keep_registered(g, g->stream, &g->streams, "stream", ofw_stream_types(), ofw_stream_type)) ||
      (code = keep_registered(g, g->domain, &g->domains, "domain", ofw_domain_types(), ofw_domain_type)) ||
      (code = check_variants(g)))
    return code;
  return make_rows(g);
}

void growth_free(growth *g)
{
  for (size_t i = 0; i < g->rows; i++)
    lab_row_free(&g->row[i]);
  for (size_t i = 0; i < g->tunings; i++)
    lab_tuning_free(&g->tuning[i]);
  for (size_t i = 0; i < g->lefts; i++) {
    free(g->left[i].what);
    free(g->left[i].why);
  }
  for (size_t i = 0; i < g->variants; i++) {
    free(g->variant[i].name);
    free(g->variant[i].pairs);
  }
  free(g->row);
  free(g->tuning);
  free(g->left);
}
