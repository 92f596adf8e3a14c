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
#include <string.h>

#include <cmocka.h>

#include <ofw/ofw.h>

enum { SET_TEXT = 96 };

/* One way to play: a learner, at most one option away from its defaults, over a domain. */
typedef struct setting {
  const char *learner;
  char option[SET_TEXT]; /* "" : none */
  const char *domain;    /* a spec */
} setting;

typedef void (*setting_test)(const setting *s);

static inline void for_each_word(const ofw_option *o, setting *s, setting_test test)
{
  for (const char *word = o->words; word;) {
    size_t length = strcspn(word, "|");
    snprintf(s->option, sizeof s->option, "%s=%.*s", o->name, (int)length, word);
    test(s);
    word = word[length] ? word + length + 1 : NULL;
  }
}

/* Every learner with its defaults, then with each word of each option that has words (its own and the common ones). */
static inline void for_each_choice(const char *domain, setting_test test)
{
  for (size_t i = 0; i < ofw_learner_types(); i++) {
    const ofw_type *type = ofw_learner_type(i);
    const ofw_option *tables[] = {type->options, ofw_learner_common_options()};
    setting s = {type->name, "", domain};
    test(&s);
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

static inline ofw_domain *make_domain(const char *spec)
{
  ofw_error err = {0};
  ofw_domain *K = ofw_domain_create(spec, &err);
  if (!K)
    fail_msg("%s: %s", spec, err.message);
  return K;
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
  const char *set[8] = {s->option};
  size_t n = s->option[0] ? 1 : 0;
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
