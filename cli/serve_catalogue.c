/* serve_catalogue.c — learners, sets and settings with their help, for whoever makes sessions by a form */
#include "serve_catalogue.h"

#include "learner/method.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_learner(json *j, const registry *r, size_t i)
{
  const ofw_method *m = ofw_methods[i];
  json_part(j, r, r->get(i));
  json_flag(j, "bandit", m->bandit);
  json_flag(j, "parameter_free", ofw_method_anytime(m));
}

static void print_registry(json *j, const registry *r)
{
  json_open_list(j, r->name);
  for (size_t i = 0; i < r->count(); i++) {
    json_open(j, NULL);
    if (r->get == ofw_learner_type)
      print_learner(j, r, i);
    else
      json_part(j, r, r->get(i));
    json_close(j);
  }
  json_close_list(j);
}

/* Those that a session may set: its seed is a field of its own, and the threads are the server's. */
static void print_settings(json *j)
{
  enum { MOST_SETTINGS = 16 };
  ofw_option table[MOST_SETTINGS + 1] = {0};
  size_t n = 0;
  for (const ofw_option *o = ofw_learner_settings_options(); o->name && n < MOST_SETTINGS; o++)
    if (strcmp(o->name, "seed") != 0 && strcmp(o->name, "threads") != 0)
      table[n++] = *o;
  json_options(j, "settings", table);
}

char *serve_catalogue(void)
{
  char *text = NULL;
  size_t size;
  json j = {.out = open_memstream(&text, &size)};
  if (!j.out)
    return NULL;
  json_open(&j, NULL);
  for (size_t i = 0; i < registries_count; i++)
    if (strcmp(registries[i].kind, "stream") != 0) /* which a session's client is */
      print_registry(&j, &registries[i]);
  print_settings(&j);
  json_close(&j);
  fputc('\n', j.out);
  int failed = ferror(j.out);
  if (fclose(j.out) == 0 && !failed)
    return text;
  free(text);
  return NULL;
}
