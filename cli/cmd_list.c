/* cmd_list.c — the registries as text */
#include "cli.h"
#include "shown.h"
#include "terminal.h"

#include "domain/set.h"
#include "lab/fit.h"
#include "lab/tune.h"

#include <stdio.h>
#include <string.h>

const registry registries[] = {
    {"domains", "domain", ofw_domain_types, ofw_domain_type, NULL},
    {"learners", "learner", ofw_learner_types, ofw_learner_type, ofw_learner_common_options},
    {"streams", "stream", ofw_stream_types, ofw_stream_type, NULL},
};
const size_t registries_count = sizeof registries / sizeof *registries;

const option_id list_options[] = {OPT_PLUGIN, OPT_JSON, OPT_HELP, OPTIONS};

/* How many parts plugins have added to a registry, and the i-th of them. */
static size_t own_count(const ofw_registry *own, const registry *r)
{
  return r->get == ofw_domain_type ? own->sets.count : r->get == ofw_learner_type ? own->methods : 0;
}

static const ofw_type *own_type(const ofw_registry *own, const registry *r, size_t i)
{
  return r->get == ofw_domain_type ? &own->sets.set[i]->type : &own->method[i]->method.type;
}

static void print_registry(const ofw_registry *own, const registry *r)
{
  printf("%s\n", r->name);
  for (size_t i = 0; i < r->count(); i++) {
    if (r->get == ofw_domain_type && i == ofw_domain_sets_count)
      puts("domains made of others");
    print_row(r->get(i)->name, 18, r->get(i)->summary);
  }
  if (own_count(own, r))
    printf("%s of plugins\n", r->name);
  for (size_t i = 0; i < own_count(own, r); i++)
    print_shown("  %-18s %s\n", own_type(own, r, i)->name, own_type(own, r, i)->summary);
}

/* ---- as JSON ---- */

void json_options(json *j, const char *key, const ofw_option *options)
{
  char form[FORM_TEXT];
  json_open_list(j, key);
  for (const ofw_option *o = options; o->name; o++) {
    json_open(j, NULL);
    json_text(j, "name", o->name);
    json_text(j, "form", option_form(o, form));
    json_text(j, "default", o->value ? o->value : o->formula);
    json_text(j, "help", o->help);
    json_close(j);
  }
  json_close_list(j);
}

void json_part(json *j, const registry *r, const ofw_type *type)
{
  char promise[PROMISE_TEXT];
  json_text(j, "name", type->name);
  json_text(j, "summary", type->summary);
  json_text(j, "source", type->source);
  json_text(j, "promise", type->promise ? promise_text(type->promise, promise) : NULL);
  json_text(j, "example", type->example);
  json_options(j, "options", type->options);
  if (r->common)
    json_options(j, "common_options", r->common());
}

static void json_registry(json *j, const ofw_registry *own, const registry *r)
{
  json_open_list(j, r->name);
  for (size_t i = 0, n = r->count(); i < n + own_count(own, r); i++) {
    json_open(j, NULL);
    json_part(j, r, i < n ? r->get(i) : own_type(own, r, i - n));
    json_close(j);
  }
  json_close_list(j);
}

/* ---- the command ---- */

static int is_wanted(const arguments *args, const registry *r)
{
  return args->words == 0 || strcmp(args->word[0], r->name) == 0;
}

static void list_as_json(const arguments *args)
{
  json j = {0};
  json_open(&j, NULL);
  for (size_t i = 0; i < registries_count; i++)
    if (is_wanted(args, &registries[i]))
      json_registry(&j, &args->own, &registries[i]);
  json_close(&j);
  putchar('\n');
}

int list_main(const command *self, const arguments *args)
{
  int shown = 0;
  for (size_t i = 0; i < registries_count; i++)
    shown |= is_wanted(args, &registries[i]);
  for (size_t i = 0; i < registries_count && !args->value[OPT_JSON]; i++)
    if (is_wanted(args, &registries[i]))
      print_registry(&args->own, &registries[i]);
  if (shown && args->value[OPT_JSON])
    list_as_json(args);
  if (!shown)
    return complain(self, EXIT_USAGE, "expected domains, learners or streams, found '%s'", args->word[0]);
  return EXIT_OK;
}

const char *option_form(const ofw_option *o, char text[FORM_TEXT])
{
  const char *kind = o->kind == OFW_REAL    ? "NUMBER"
                     : o->kind == OFW_COUNT ? "COUNT"
                     : o->kind == OFW_TEXT  ? "TEXT"
                                            : "";
  snprintf(text, FORM_TEXT, "%s%s%s", kind, kind[0] && o->words ? "|" : "", o->words ? o->words : "");
  return text;
}

int is_anytime(const ofw_registry *own, const char *learner)
{
  const ofw_promise *p = lab_promise(own, learner);
  return p && p->anytime;
}

const char *promise_text(const ofw_promise *p, char text[PROMISE_TEXT])
{
  char rate[OFW_RATE_TEXT];
  size_t n = 0;
  const struct {
    const char *name;
    ofw_rate rate;
  } proved[] = {{"regret", p->regret}, {"ccv", p->ccv}};
  text[0] = 0;
  for (size_t i = 0; i < 2; i++)
    if (proved[i].rate.power > 0.0)
      n += (size_t)snprintf(text + n, PROMISE_TEXT - n, "%s%s O(%s)", n ? ", " : "proved: ", proved[i].name,
                            ofw_rate_text(proved[i].rate, rate));
  if (p->anytime)
    n += (size_t)snprintf(text + n, PROMISE_TEXT - n, "%sneeds neither --horizon nor --lipschitz", n ? "; " : "");
  if (p->tuned[0])
    snprintf(text + n, PROMISE_TEXT - n, "%soptions to tune: %s, %s", n ? "; " : "", p->tuned[0], p->tuned[1]);
  return text;
}

static void print_options(const ofw_option *options)
{
  for (const ofw_option *o = options; o->name; o++) {
    char form[FORM_TEXT], head[4 * FORM_TEXT];
    const char *value = o->value ? o->value : o->formula;
    snprintf(head, sizeof head, "%s=%s  (%s%s)", o->name, option_form(o, form), value ? "default " : "required",
             value ? value : "");
    fputs("  ", stdout);
    print_line(head, 2, 4);
    fputs("      ", stdout);
    print_text(o->help, 6, 6);
  }
}

size_t part_names(const char **names, size_t room)
{
  size_t n = 0;
  for (size_t i = 0; i < registries_count; i++)
    for (size_t k = 0; k < registries[i].count() && n < room; k++)
      names[n++] = registries[i].get(k)->name;
  return n;
}

/* The part of that name, the library's or a plugin's, and its registry; NULL: there is none. */
static const ofw_type *find_part(const ofw_registry *own, const char *name, const registry **where, int *foreign)
{
  for (const registry *r = registries; r < registries + registries_count; r++)
    for (size_t k = 0, n = r->count(); k < n + own_count(own, r); k++) {
      const ofw_type *type = k < n ? r->get(k) : own_type(own, r, k - n);
      if (strcmp(type->name, name) == 0) {
        *where = r;
        *foreign = k >= n;
        return type;
      }
    }
  return NULL;
}

int json_part_help(json *j, const ofw_registry *own, const char *name)
{
  const registry *r;
  int foreign;
  const ofw_type *type = find_part(own, name, &r, &foreign);
  if (!type)
    return 0;
  json_open(j, NULL);
  json_text(j, "kind", r->kind);
  json_part(j, r, type);
  json_close(j);
  putchar('\n');
  return 1;
}

static void print_title(const ofw_type *type)
{
  char promise[PROMISE_TEXT];
  printf("%s - ", type->name);
  print_line(type->summary, strlen(type->name) + 3, 2);
  if (type->source)
    print_line(type->source, 0, 2);
  if (type->promise)
    print_line(promise_text(type->promise, promise), 0, 2);
  if (type->example) {
    fputs("for instance ", stdout);
    print_line(type->example, 13, 2);
  }
}

/* The same of a plugin's part, whose texts may hold anything. */
static void print_foreign_title(const ofw_type *type)
{
  char promise[PROMISE_TEXT];
  print_shown("%s - %s\n", type->name, type->summary);
  if (type->source)
    print_shown("%s\n", type->source);
  if (type->promise)
    print_shown("%s\n", promise_text(type->promise, promise));
  if (type->example)
    print_shown("for instance %s\n", type->example);
}

int print_part_help(const ofw_registry *own, const char *name)
{
  const registry *r;
  int foreign;
  const ofw_type *type = find_part(own, name, &r, &foreign);
  if (!type)
    return 0;
  if (foreign)
    print_foreign_title(type);
  else
    print_title(type);
  putchar('\n');
  print_options(type->options);
  if (r->common) {
    printf("\nlike all %s\n", r->name);
    print_options(r->common());
  }
  return 1;
}
