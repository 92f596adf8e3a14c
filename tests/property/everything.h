/* everything.h — walks all that is registered: learners, each of their choices, domains
 *
 * A test that uses this covers a new learner, option or domain without naming it.
 */
#ifndef OFW_TEST_EVERYTHING_H
#define OFW_TEST_EVERYTHING_H

#include "learner/method.h"
#include "run/run_state.h"
#include "stream/generator.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SET_TEXT = 256, MOST_SETS = 16, MOST_PLACES = 64 };

/* One way to play: a learner with some options set, over a domain. */
typedef struct setting {
  const char *learner;
  char option[SET_TEXT]; /* "key=word key=word"; "" : none */
  const char *domain;    /* a spec */
  size_t turn;           /* of domains and learners: what takes long is for one in some */
} setting;

typedef void (*setting_test)(const setting *s);

/* OFW_TEST_LEVEL=all: every combination of words, on every domain. Else one word at a time, on some of them. */
static inline int all_levels(void)
{
  const char *level = getenv("OFW_TEST_LEVEL");
  return level && strcmp(level, "all") == 0;
}

/* OFW_TEST_EVERY=N: walks take one in N, as under sanitizers, where each takes long and all see the same code. */
static inline size_t one_in(void)
{
  const char *every = getenv("OFW_TEST_EVERY");
  long n = every && !all_levels() ? strtol(every, NULL, 10) : 1;
  return n > 1 ? (size_t)n : 1;
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

/* Not where a learner says that it cannot do this: project on a set without projections, have floats where doubles are
 * read, or use a GPU that is not there (OFW_FAILED: it may be tried again). Tests elsewhere see what is refused. */
static inline int is_offered(const setting *s, const ofw_domain *K)
{
  const char *set[MOST_SETS];
  char words[SET_TEXT];
  ofw_learner_settings settings = {.size = sizeof settings,
                                   .horizon = 9,
                                   .lipschitz = 1.0,
                                   .loss_bound = 1.0,
                                   .strong_convexity = 1.0,
                                   .options = split_options(s, words, set),
                                   .option = set};
  ofw_error err = {0};
  ofw_learner_free(ofw_learner_create_over(s->learner, K, &settings, &err));
  return err.status != OFW_UNSUPPORTED && err.status != OFW_FAILED;
}

static inline void if_offered(const setting *s, setting_test test)
{
  ofw_domain *K = make_domain(s->domain);
  int offered = is_offered(s, K);
  ofw_domain_free(K);
  if (offered)
    test(s);
}

/* "name=word" for the n-th word; 0: there is none. */
static inline int nth_word(const ofw_option *o, size_t n, char out[SET_TEXT])
{
  const char *word = o->words;
  for (; word && n > 0; n--) {
    word = strchr(word, '|');
    word = word ? word + 1 : NULL;
  }
  if (word)
    snprintf(out, SET_TEXT, "%s=%.*s", o->name, (int)strcspn(word, "|"), word);
  return word != NULL;
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

/* Some domains, by their specs. */
typedef struct places {
  size_t count;
  const char *spec[MOST_PLACES];
} places;

/* One option set, on every 8th of the domains where it is offered; `turn` says with which to begin. */
static inline void in_turn(setting *s, const places *all, size_t turn, setting_test test)
{
  size_t spread = 8 * one_in();
  places offered = {0};
  if (all->count == 1 && turn % one_in())
    return;
  for (size_t i = 0; i < all->count; i++) {
    ofw_domain *K = make_domain(s->domain = all->spec[i]);
    if (is_offered(s, K))
      offered.spec[offered.count++] = all->spec[i];
    ofw_domain_free(K);
  }
  for (size_t i = offered.count ? turn % (offered.count < spread ? offered.count : spread) : 0; i < offered.count;
       i += spread) {
    s->domain = offered.spec[i];
    test(s);
  }
}

/* A learner with its defaults on each of the domains, then with the words of the options that have words, its own and the
 * common ones: each on some of the domains, or every combination on all of them. */
static inline void for_each_choice_of(size_t number, const places *all, setting_test test)
{
  const ofw_type *type = ofw_learner_type(number);
  const ofw_option *tables[] = {type->options, ofw_learner_common_options()};
  setting s = {.learner = type->name};
  for (size_t i = 0; i < all->count; i++) {
    s.domain = all->spec[i];
    s.option[0] = 0;
    s.turn = number + i;
    if (all->count > 1 && s.turn % one_in())
      continue;
    if_offered(&s, test);
    if (all_levels())
      for_each_combination(tables[0], tables[1], &s, test);
  }
  size_t turn = 0;
  s.turn = 0;
  for (size_t k = 0; k < 2 && !all_levels(); k++)
    for (const ofw_option *o = tables[k]; o->name; o++)
      for (size_t n = 0; nth_word(o, n, s.option); n++)
        in_turn(&s, all, turn++, test);
}

static inline void for_each_choice(const char *domain, setting_test test)
{
  for (size_t i = 0; i < ofw_learner_types(); i++)
    for_each_choice_of(i, &(places){1, {domain}}, test);
}

/* Every learner on every registered domain. */
static inline void for_each_setting(setting_test test)
{
  places all = {0};
  for (size_t i = 0; i < ofw_domain_types(); i++)
    all.spec[all.count++] = ofw_domain_type(i)->example;
  for (size_t i = 0; i < ofw_learner_types(); i++)
    for_each_choice_of(i, &all, test);
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
                                   .options = n,
                                   .option = set};
  ofw_error err = {0};
  ofw_learner *l = ofw_learner_create_over(s->learner, K, &settings, &err);
  if (!l)
    fail_msg("%s %s %s: %s", s->learner, s->option, s->domain, err.message);
  return l;
}

/* The round's feedback, or what a bandit learner may see of it. */
static inline ofw_status tell(ofw_learner *l, const ofw_full *fb)
{
  return l->method->bandit ? ofw_learner_observe_values(l, &fb->values) : ofw_learner_observe(l, fb);
}

/* The rounds from `from` to `to`; the last decision. */
static inline void play_between(ofw_learner *l, ofw_stream *stream, uint64_t from, uint64_t to, double *out)
{
  for (uint64_t t = from; t <= to; t++) {
    const ofw_point *x;
    ofw_full fb = {0};
    assert_int_equal(ofw_learner_decide(l, &x), OFW_OK);
    assert_int_equal(ofw_stream_reveal(stream, t, x, &fb), OFW_OK);
    assert_int_equal(ofw_point_dense(x, out), OFW_OK);
    assert_int_equal(tell(l, &fb), OFW_OK);
  }
}

#endif
