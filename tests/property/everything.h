/* everything.h — walks all that is registered: learners, each of their choices, domains
 *
 * A test that uses this covers a new learner, option or domain without naming it.
 */
#ifndef OFW_TEST_EVERYTHING_H
#define OFW_TEST_EVERYTHING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <ofw/ofw.h>

enum { SET_TEXT = 256, MOST_SETS = 16 };

/* One way to play: a learner with some options set, over a domain. */
typedef struct setting {
  const char *learner;
  char option[SET_TEXT]; /* "key=word key=word"; "" : none */
  const char *domain;    /* a spec */
} setting;

typedef void (*setting_test)(const setting *s);

/* OFW_TEST_LEVEL=all: every combination of words. Else one word at a time, on every domain. */
static inline int all_levels(void)
{
  const char *level = getenv("OFW_TEST_LEVEL");
  return level && strcmp(level, "all") == 0;
}

static inline ofw_domain *make_domain(const char *spec)
{
  ofw_error err = {0};
  ofw_domain *K = ofw_domain_create(spec, &err);
  if (!K)
    fail_msg("%s: %s", spec, err.message);
  return K;
}

/* A setting's options one by one, as settings take them; the texts are in `words`. */
static inline size_t split_options(const setting *s, char words[SET_TEXT], const char *set[MOST_SETS])
{
  size_t n = 0;
  char *rest = words;
  snprintf(words, SET_TEXT, "%s", s->option);
  for (char *word; (word = strtok_r(rest, " ", &rest)) != NULL;)
    set[n++] = word;
  return n;
}

/* Not where a learner says that it cannot do this: project on a set without projections, or have floats where doubles
 * are read. Tests elsewhere see what is refused. */
static inline int is_offered(const setting *s, const ofw_domain *K)
{
  const char *set[MOST_SETS];
  char words[SET_TEXT];
  ofw_learner_settings settings = {.size = sizeof settings,
                                   .horizon = 9,
                                   .lipschitz = 1.0,
                                   .loss_bound = 1.0,
                                   .strong_convexity = 1.0,
                                   .sets = split_options(s, words, set),
                                   .set = set};
  ofw_error err = {0};
  ofw_learner_free(ofw_learner_create(s->learner, K, &settings, &err));
  return err.status != OFW_UNSUPPORTED;
}

static inline void if_offered(const setting *s, setting_test test)
{
  ofw_domain *K = make_domain(s->domain);
  int offered = is_offered(s, K);
  ofw_domain_free(K);
  if (offered)
    test(s);
}

static inline void for_each_word(const ofw_option *o, setting *s, setting_test test)
{
  for (const char *word = o->words; word;) {
    size_t length = strcspn(word, "|");
    snprintf(s->option, sizeof s->option, "%s=%.*s", o->name, (int)length, word);
    if_offered(s, test);
    word = word[length] ? word + length + 1 : NULL;
  }
}

/* Every word of this option and of those after it, in every combination; then of the next table. */
static inline void for_each_combination(const ofw_option *o, const ofw_option *next, setting *s, setting_test test)
{
  size_t length = strlen(s->option);
  while (o->name && !o->words)
    o++;
  if (!o->name && next) {
    for_each_combination(next, NULL, s, test);
    return;
  }
  if (!o->name) {
    if_offered(s, test);
    return;
  }
  for (const char *word = o->words; word;) {
    size_t w = strcspn(word, "|");
    snprintf(s->option + length, sizeof s->option - length, "%s%s=%.*s", length ? " " : "", o->name, (int)w, word);
    for_each_combination(o + 1, next, s, test);
    word = word[w] ? word + w + 1 : NULL;
  }
  s->option[length] = 0;
}

/* Every learner with its defaults, then with the words of the options that have words (its own and the common ones). */
static inline void for_each_choice(const char *domain, setting_test test)
{
  for (size_t i = 0; i < ofw_learner_types(); i++) {
    const ofw_type *type = ofw_learner_type(i);
    const ofw_option *tables[] = {type->options, ofw_learner_common_options()};
    setting s = {type->name, "", domain};
    if_offered(&s, test);
    if (all_levels())
      for_each_combination(tables[0], tables[1], &s, test);
    else
      for (size_t k = 0; k < 2; k++)
        for (const ofw_option *o = tables[k]; o->name; o++)
          for_each_word(o, &s, test);
  }
}

static inline void for_each_setting(setting_test test)
{
  for (size_t i = 0; i < ofw_domain_types(); i++)
    for_each_choice(ofw_domain_type(i)->example, test);
}

/* It keeps factors, which hold gradients that are sparse or of rank one. */
static inline int is_factored(const setting *s)
{
  return strstr(s->option, "storage=factored") != NULL;
}

/* The stream to play where the usual one's gradients are dense. */
static inline const char *stream_for(const setting *s, const char *usual)
{
  return is_factored(s) ? "trace-recovery:rank=2" : usual;
}

static inline ofw_stream *make_stream(const char *spec, const ofw_domain *K, uint64_t rounds, uint64_t seed)
{
  ofw_error err = {0};
  ofw_stream *s = ofw_stream_create(spec, K, rounds, seed, &err);
  if (!s)
    fail_msg("%s: %s", spec, err.message);
  return s;
}

static inline ofw_learner *make_learner(const setting *s, const ofw_domain *K, uint64_t horizon, const ofw_constants *c,
                                        size_t extra, const char *const *more)
{
  const char *set[MOST_SETS];
  char words[SET_TEXT];
  size_t n = split_options(s, words, set);
  for (size_t i = 0; i < extra; i++)
    set[n++] = more[i];
  ofw_learner_settings settings = {.size = sizeof settings,
                                   .horizon = horizon,
                                   .lipschitz = c->lipschitz,
                                   .loss_bound = c->loss_bound,
                                   .strong_convexity = c->strong_convexity,
                                   .seed = 7,
                                   .sets = n,
                                   .set = set};
  ofw_error err = {0};
  ofw_learner *l = ofw_learner_create(s->learner, K, &settings, &err);
  if (!l)
    fail_msg("%s %s %s: %s", s->learner, s->option, s->domain, err.message);
  return l;
}

/* The round's feedback, or what a bandit learner may see of it. */
static inline ofw_status tell(ofw_learner *l, const ofw_full *fb)
{
  return ofw_learner_is_bandit(l) ? ofw_learner_observe_values(l, &fb->values) : ofw_learner_observe(l, fb);
}

#endif
