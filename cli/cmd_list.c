/* cmd_list.c — the registries as text */
#include "cli.h"
#include "shown.h"

#include "domain/set.h"
#include "lab/fit.h"
#include "lab/tune.h"

#include <stdio.h>
#include <string.h>

const registry registries[] = {
    {"domains", ofw_domain_types, ofw_domain_type, NULL},
    {"learners", ofw_learner_types, ofw_learner_type, ofw_learner_common_options},
    {"streams", ofw_stream_types, ofw_stream_type, NULL},
};
const size_t registries_count = sizeof registries / sizeof *registries;

const option_id list_options[] = {OPT_PLUGIN, OPT_HELP, OPTIONS};

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
    printf("  %-18s %s\n", r->get(i)->name, r->get(i)->summary);
  }
  if (own_count(own, r))
    printf("%s of plugins\n", r->name);
  for (size_t i = 0; i < own_count(own, r); i++)
    print_shown("  %-18s %s\n", own_type(own, r, i)->name, own_type(own, r, i)->summary);
}

int list_main(const command *self, const arguments *args)
{
  int shown = 0;
  for (size_t i = 0; i < registries_count; i++)
    if (args->words == 0 || strcmp(args->word[0], registries[i].name) == 0) {
      print_registry(&args->own, &registries[i]);
      shown = 1;
    }
  if (!shown)
    return complain(self, EXIT_USAGE, "expected domains, learners or streams, found '%s'", args->word[0]);
  return EXIT_OK;
}

/* Text from column `from` on, broken before column 100. */
static void print_wrapped(const char *text, size_t from)
{
  size_t column = from;
  while (*text) {
    size_t word = strcspn(text, " ");
    if (column > from && column + 1 + word > 100) {
      printf("\n%*s", (int)from, "");
      column = from;
    }
    printf("%s%.*s", column > from ? " " : "", (int)word, text);
    column += word + (column > from);
    text += word + (text[word] == ' ');
  }
  putchar('\n');
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
    char form[FORM_TEXT];
    const char *value = o->value ? o->value : o->formula;
    printf("  %s=%s  (%s%s)\n      ", o->name, option_form(o, form), value ? "default " : "required",
           value ? value : "");
    print_wrapped(o->help, 6);
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

static void print_part(const registry *r, const ofw_type *type)
{
  char promise[PROMISE_TEXT];
  print_shown("%s - %s\n", type->name, type->summary);
  if (type->source)
    print_shown("%s\n", type->source);
  if (type->promise)
    print_shown("%s\n", promise_text(type->promise, promise));
  if (type->example)
    print_shown("for instance %s\n", type->example);
  putchar('\n');
  print_options(type->options);
  if (r->common) {
    printf("\nlike all %s\n", r->name);
    print_options(r->common());
  }
}

int print_part_help(const ofw_registry *own, const char *name)
{
  for (const registry *r = registries; r < registries + registries_count; r++)
    for (size_t k = 0, n = r->count(); k < n + own_count(own, r); k++) {
      const ofw_type *type = k < n ? r->get(k) : own_type(own, r, k - n);
      if (strcmp(type->name, name) == 0) {
        print_part(r, type);
        return 1;
      }
    }
  return 0;
}
