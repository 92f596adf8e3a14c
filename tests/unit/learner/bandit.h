/* bandit.h — a bandit learner over a few rounds, its centre watched */
#ifndef OFW_TEST_BANDIT_H
#define OFW_TEST_BANDIT_H

#include "property/everything.h"

#include <math.h>

enum { MOST_DIM = 8 };

static inline ofw_learner *open_bandit(const char *name, const char *domain, ofw_learner_settings s, size_t sets,
                                       const char *const *set, ofw_error *err)
{
  ofw_domain *K = make_domain(domain);
  s.size = sizeof s;
  s.options = sets;
  s.option = set;
  ofw_learner *l = ofw_learner_create_over(name, K, &s, err);
  ofw_domain_free(K);
  return l;
}

static inline void expect_no_bandit(const char *name, const char *domain, ofw_learner_settings s, const char *set,
                                    const char *message)
{
  ofw_error err = {0};
  assert_null(open_bandit(name, domain, s, set ? 1 : 0, &set, &err));
  assert_string_equal(err.message, message);
}

static inline ofw_info info_of(ofw_learner *l)
{
  ofw_info info = {.size = sizeof info};
  assert_int_equal(ofw_learner_info(l, &info), OFW_OK);
  return info;
}

/* One round with loss f and, where it is not NaN, constraint g; the centre it was played around. */
static inline void play(ofw_learner *l, double f, double g, double *centre)
{
  const ofw_point *x;
  ofw_values v = {f, isnan(g) ? 0u : 1u, &g};
  assert_int_equal(ofw_learner_decide(l, &x), OFW_OK);
  assert_int_equal(ofw_point_centre(x, centre), OFW_OK);
  if (ofw_learner_observe_values(l, &v) != OFW_OK)
    fail_msg("%s", ofw_learner_error(l));
}

/* The rounds after which the centre has moved, as bits, over `rounds` of them (at most 63). */
static inline uint64_t moves(ofw_learner *l, size_t dim, int rounds)
{
  double before[MOST_DIM] = {0}, now[MOST_DIM] = {0};
  uint64_t moved = 0;
  for (int t = 1; t <= rounds; t++) {
    play(l, 1.0 + 0.1 * t, 0.5, now);
    if (t > 1 && memcmp(before, now, dim * sizeof *now) != 0)
      moved |= (uint64_t)1 << (t - 1);
    memcpy(before, now, sizeof before);
  }
  return moved;
}

#endif
