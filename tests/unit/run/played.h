/* played.h — a learner, a stream and a run over them, made in one line */
#ifndef OFW_TEST_PLAYED_H
#define OFW_TEST_PLAYED_H

#include "unit/stream/generated.h"

#include "run/run_state.h"

typedef struct played {
  ofw_domain *K;
  ofw_stream *s;
  ofw_learner *l;
  ofw_run *run;
} played;

/* What is played: by name, on a domain (NULL: the stream's own), so many rounds, with one option (may be NULL). */
typedef struct plan {
  const char *learner, *domain, *stream, *set;
  uint64_t rounds, seed;
} plan;

static inline ofw_learner *learner(const char *name, const ofw_domain *K, const ofw_constants *c, uint64_t rounds,
                                   const char *set)
{
  ofw_error err = {0};
  ofw_learner_settings settings = {.size = sizeof settings,
                                   .horizon = rounds,
                                   .lipschitz = c->lipschitz > 0.0 ? c->lipschitz : 1.0,
                                   .strong_convexity = c->strong_convexity,
                                   .options = set != NULL,
                                   .option = &set};
  ofw_learner *l = ofw_learner_create_over(name, K, &settings, &err);
  if (!l)
    fail_msg("%s: %s", name, err.message);
  return l;
}

/* Takes s over. */
static inline played set_up_on(ofw_domain *K, ofw_stream *s, const plan *p)
{
  played g = {K, s, learner(p->learner, ofw_stream_domain(s), ofw_stream_constants(s), p->rounds, p->set), NULL};
  ofw_error err = {0};
  g.run = ofw_run_create(g.l, g.s, &err);
  if (!g.run)
    fail_msg("%s", err.message);
  return g;
}

static inline played set_up(const plan *p)
{
  ofw_domain *K = p->domain ? domain(p->domain) : NULL;
  return set_up_on(K, stream(p->stream, K, p->rounds, p->seed), p);
}

static inline void clear_away(played *g)
{
  ofw_run_free(g->run);
  ofw_learner_free(g->l);
  ofw_stream_free(g->s);
  ofw_domain_free(g->K);
}

/* All but the clock. */
static inline void check_same_row(const ofw_trace_row *a, const ofw_trace_row *b)
{
  assert_int_equal(a->round, b->round);
  assert_bits(a->loss, b->loss);
  assert_bits(a->constraint, b->constraint);
  assert_bits(a->loss_sum, b->loss_sum);
  assert_bits(a->ccv, b->ccv);
  assert_bits(a->comparator_loss_sum, b->comparator_loss_sum);
  assert_bits(a->target_loss_sum, b->target_loss_sum);
  assert_bits(a->price, b->price);
  assert_bits(a->sigma, b->sigma);
  assert_bits(a->gap, b->gap);
  assert_int_equal(a->oracle_calls, b->oracle_calls);
  assert_int_equal(a->passes, b->passes);
  assert_bits(a->oracle_error, b->oracle_error);
}

#endif
