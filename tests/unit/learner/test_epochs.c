/* Unknown horizons: epochs of 64, 128, .. rounds, each what a learner of that horizon does from where the last one
 * stood. */
#include "learner/epochs.h"

#include "linalg/rng.h"
#include "property/everything.h"

#include <math.h>
#include <stdlib.h>

enum { ROUNDS = 64 + 128 + 40, DIM = 8 };

static const char *const domain = "simplex:dim=8,sum=2.5";

static ofw_learner *open_learner(const char *name, uint64_t horizon, size_t sets, const char *const *set)
{
  ofw_domain *K = make_domain(domain);
  ofw_learner_settings s = {.size = sizeof s,
                            .horizon = horizon,
                            .lipschitz = 5.0,
                            .loss_bound = 5.0,
                            .strong_convexity = 0.5,
                            .seed = 3,
                            .options = sets,
                            .option = set};
  ofw_error err = {0};
  ofw_learner *l = ofw_learner_create_over(name, K, &s, &err);
  ofw_domain_free(K);
  if (!l)
    fail_msg("%s", err.message);
  return l;
}

/* Feedback that depends on the round and the decision alone. */
static void play(ofw_learner *l, uint64_t t, double *decision)
{
  const ofw_point *x;
  double f[DIM], g[DIM], value = -0.3, loss = 0.0;
  if (ofw_learner_decide(l, &x) != OFW_OK)
    fail_msg("%s", ofw_learner_error(l));
  assert_int_equal(ofw_point_dense(x, decision), OFW_OK);
  for (size_t i = 0; i < DIM; i++) {
    f[i] = decision[i] - 0.5 + 0.4 * sin((double)(t * (i + 2)));
    g[i] = cos((double)(t + 3 * i));
    loss += f[i] * f[i] / 2.0;
    value += g[i] * decision[i];
  }
  ofw_vec vf = ofw_vec_dense(DIM, f), vg = ofw_vec_dense(DIM, g);
  ofw_sum grad_g = {1, &vg};
  ofw_full fb = {{loss, 1, &value}, {1, &vf}, &grad_g};
  assert_int_equal(tell(l, &fb), OFW_OK);
}

/* The first epoch is a learner of horizon 64; the second one of horizon 128 that is put where the first one ended. */
static void test_an_epoch_is_a_learner(void **unused)
{
  (void)unused;
  static const char *const sets[] = {"sigma=line-search", "guess=track", "restart=keep"};
  for (size_t k = 0; k < 3; k++) {
    ofw_learner *l = open_learner("ofw-tvc", OFW_HORIZON_AUTO, 1, &sets[k]);
    ofw_learner *known = open_learner("ofw-tvc", 64, 1, &sets[k]);
    double left[DIM], right[DIM], Q = 0.0;
    for (uint64_t t = 1; t <= 64 + 128; t++) {
      if (t == 65) { /* x, Q and nothing else */
        ofw_learner *next = open_learner("ofw-tvc", 128, 1, &sets[k]);
        next->engine->ops->restart(next->engine, (known->engine->ops->view->dense(known->engine, right), right));
        next->anchor = ofw_owned_doubles(&next->own, DIM);
        assert_non_null(next->anchor);
        memcpy(next->anchor, right, sizeof right);
        next->Q = known->Q;
        ofw_learner_free(known);
        known = next;
      }
      play(l, t, left);
      play(known, t, right);
      if (memcmp(left, right, sizeof left) != 0)
        fail_msg("%s: round %d differs", sets[k], (int)t);
      assert_true(l->Q == known->Q && l->Q >= Q);
      Q = l->Q;
    }
    ofw_learner_free(l);
    ofw_learner_free(known);
  }
}

/* The account goes on over the epochs, for every learner; decisions stay in K. */
static void test_account_goes_on(void **unused)
{
  (void)unused;
  ofw_domain *K = make_domain(domain);
  for (size_t i = 0; i < ofw_learner_types(); i++) {
    ofw_learner *l = open_learner(ofw_learner_type(i)->name, OFW_HORIZON_AUTO, 0, NULL);
    uint64_t calls = 0;
    for (uint64_t t = 1; t <= ROUNDS; t++) {
      double x[DIM];
      ofw_info info = {.size = sizeof info};
      play(l, t, x);
      assert_true(ofw_domain_excess(K, x) < 1e-12);
      assert_int_equal(ofw_learner_info(l, &info), OFW_OK);
      assert_int_equal(info.round, t + 1);
      assert_true(info.oracle_calls >= calls);
      calls = info.oracle_calls;
      int anytime = l->method->type.promise && l->method->type.promise->anytime; /* it has no epochs to go through */
      assert_int_equal((uint64_t)l->T, anytime ? 0 : t <= 64 ? 64 : t <= 192 ? 128 : 256);
    }
    ofw_learner_free(l);
  }
  ofw_domain_free(K);
}

/* With sample=yes every step of all epochs has a draw of its own: z becomes the step's vertex where draw number k, counted
 * over the epochs, is below sigma, and else stays what it was. The vertex is where the step x' = x + sigma (v - x) led. */
static void test_draws_go_on(void **unused)
{
  (void)unused;
  const char *const set[] = {"sample=yes"};
  ofw_learner *l = open_learner("ofw-tvc", OFW_HORIZON_AUTO, 1, set);
  double before[DIM], after[DIM], z[DIM], expected[DIM];
  uint64_t steps = 0, taken = 0, taken_late = 0;
  assert_int_equal(ofw_learner_sample(l, expected), OFW_OK);
  for (uint64_t t = 1; t <= ROUNDS; t++) {
    const ofw_point *x;
    ofw_info info = {.size = sizeof info};
    play(l, t, before);
    assert_int_equal(ofw_learner_info(l, &info), OFW_OK);
    assert_int_equal(ofw_learner_decide(l, &x), OFW_OK); /* which begins the next epoch, where there is one */
    assert_int_equal(ofw_point_dense(x, after), OFW_OK);
    if (info.sigma > 0.0 && ofw_rng_unit((ofw_rng_key){3, OFW_RNG_SAMPLE, steps++}, 0) < info.sigma) {
      for (size_t i = 0; i < DIM; i++)
        expected[i] = before[i] + (after[i] - before[i]) / info.sigma;
      taken++;
      taken_late += t > 64;
    }
    assert_int_equal(ofw_learner_sample(l, z), OFW_OK);
    for (size_t i = 0; i < DIM; i++)
      if (fabs(z[i] - expected[i]) > 1e-9)
        fail_msg("round %d, coordinate %zu: %g was sampled, not %g", (int)t, i, z[i], expected[i]);
  }
  assert_true(taken_late > 20 && taken < steps); /* some draws were above sigma */
  ofw_learner_free(l);
}

/* Saved in any epoch, loaded into a learner in any other: bit for bit. What does not fit is refused and changes
 * nothing. */
static void test_save_and_load(void **unused)
{
  (void)unused;
  for (size_t i = 0; i < ofw_learner_types(); i++) {
    const char *name = ofw_learner_type(i)->name;
    ofw_learner *whole = open_learner(name, OFW_HORIZON_AUTO, 0, NULL);
    double expected[DIM], got[DIM];
    for (uint64_t t = 1; t <= ROUNDS; t++)
      play(whole, t, expected);
    for (uint64_t at = 0; at < ROUNDS; at += 29) {
      ofw_state state = {0}, now = {0}, after = {0};
      ofw_learner *first = open_learner(name, OFW_HORIZON_AUTO, 0, NULL);
      ofw_learner *second = open_learner(name, OFW_HORIZON_AUTO, 0, NULL);
      for (uint64_t t = 1; t <= at; t++)
        play(first, t, got);
      for (uint64_t t = 1; t <= (at * 7) % 150; t++) /* somewhere else */
        play(second, t + 5, got);
      assert_int_equal(ofw_learner_save_state(first, &state), OFW_OK);
      assert_int_equal(ofw_learner_save_state(second, &now), OFW_OK);
      state.bytes[state.size - 1 - 8 * DIM] ^= 1; /* within the last item's header */
      state.size -= 8;
      assert_int_equal(ofw_learner_load_state(second, &state), OFW_BAD_DATA);
      state.size += 8;
      state.bytes[state.size - 1 - 8 * DIM] ^= 1;
      assert_int_equal(ofw_learner_save_state(second, &after), OFW_OK);
      assert_int_equal(now.size, after.size);
      assert_memory_equal(now.bytes, after.bytes, now.size);
      if (ofw_learner_load_state(second, &state) != OFW_OK)
        fail_msg("%s, round %d: %s", name, (int)at, ofw_learner_error(second));
      for (uint64_t t = at + 1; t <= ROUNDS; t++)
        play(second, t, got);
      assert_memory_equal(expected, got, sizeof got);
      ofw_state_free(&state);
      ofw_state_free(&now);
      ofw_state_free(&after);
      ofw_learner_free(first);
      ofw_learner_free(second);
    }
    ofw_learner_free(whole);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_an_epoch_is_a_learner),
      cmocka_unit_test(test_account_goes_on),
      cmocka_unit_test(test_draws_go_on),
      cmocka_unit_test(test_save_and_load),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
