/* Limits that are told in advance, by hand on [-1, 1] and in any units; whole plays are compared with a slow version in
 * tests/parity, and what wrong hints can cost is in tests/theory. */
#include "learner/hint.h"
#include "unit/learner/units.h"

typedef struct told {
  double value, slope; /* NaN: nothing is told */
} told;

static ofw_status try(hand *h, double f, double g, double slope, told next)
{
  ofw_vec vf = ofw_vec_dense(1, &f), vg = ofw_vec_dense(1, &slope), vn = ofw_vec_dense(1, &next.slope);
  ofw_sum grad_g = {1, &vg}, grad_n = {1, &vn};
  ofw_full fb = {{0.0, isnan(g) ? 0u : 1u, &g}, {1, &vf}, &grad_g};
  ofw_hint hint = {sizeof hint, 1, &next.value, &grad_n};
  return ofw_learner_observe_hinted(h->l, &fb, isnan(next.value) ? NULL : &hint);
}

static void feed_told(hand *h, double f, double g, double slope, told next)
{
  decision(h);
  if (try(h, f, g, slope, next) != OFW_OK)
    fail_msg("%s", ofw_learner_error(h->l));
}

static const told nothing = {NAN, 0.0};
static const char *const by_hand[] = {"kappa=4", "first=1"};

/* As in test_ofw_ada.c the first loss takes x to -1, and the second to -13/17 from there. */
static void test_a_limit_is_kept(void **unused)
{
  (void)unused;
  hand h = open_hand("ofw-ada", 0, 0.0, 2, by_hand), blind = open_hand("ofw-ada", 0, 0.0, 2, by_hand);
  feed_told(&h, 0.5, NAN, 0.0, (told){-0.5, -1.0}); /* x >= -1/2 in the next round, told at 0 */
  feed(&blind, 0.5, NAN, 0.0);
  assert_near(decision(&blind), -1.0);
  assert_near(decision(&h), -0.5);
  assert_int_equal(info_of(&h).oracle_calls, 2 + 1); /* the atom -1, the atom 1, and one more that z is not moved to */
  assert_near(info_of(&h).regret_bound, info_of(&blind).regret_bound);
  feed_told(&h, -0.5, 0.0, -1.0, nothing); /* kept; at -1 it would have been broken by 1/2 */
  feed(&blind, -0.5, 0.5, -1.0);
  assert_true(decision(&h) == decision(&blind));
  assert_true(info_of(&h).violation == 0.0 && info_of(&blind).violation == 0.5);
  assert_true(info_of(&h).log_price == info_of(&blind).log_price);
  assert_near(info_of(&h).regret_bound, info_of(&blind).regret_bound - 0.25); /* what z saved */
  assert_near(info_of(&h).ccv_bound, info_of(&blind).ccv_bound - 0.5);
  close_hand(&h);
  close_hand(&blind);
}

/* If the limit allows more than the price of past ones does, z goes up to it. */
static void test_room_is_used(void **unused)
{
  (void)unused;
  hand h = open_hand("ofw-ada", 0, 0.0, 0, NULL);
  double x = 0.0;
  for (int t = 0; t < 60; t++) { /* down, but not below 0.2 */
    x = decision(&h);
    feed_told(&h, 1.0, 0.2 - x, -1.0, (told){0.2 - x, -1.0});
    assert_true(t == 0 || x > 0.2 - 1e-9);
  }
  x = decision(&h);
  feed_told(&h, 1.0, 0.2 - x, -1.0, (told){0.15 - x, -1.0}); /* this once 0.15 will do */
  assert_near(decision(&h), 0.15);
  close_hand(&h);
}

/* Hints that are always wrong: they do the harm of a few rounds, and no calls are made for them then. */
static void test_wrong_hints_lose_their_trust(void **unused)
{
  (void)unused;
  hand h = open_hand("ofw-ada", 0, 0.0, 0, NULL);
  uint64_t before = 0;
  for (int t = 0; t < 400; t++) {
    double x = decision(&h);
    before = info_of(&h).oracle_calls;
    feed_told(&h, -1.0, x + 0.5, 1.0, (told){0.75 - x, -1.0}); /* at most -1/2 is right, at least 3/4 is told */
  }
  const ofw_hinted *s = h.l->hinted;
  double harm = s->cost + 4.0 * s->worse, D = 2.0; /* Gf = 1 */
  assert_true(s->worse > 0.0 && harm > D && harm <= 6.0 * D);
  assert_int_equal(info_of(&h).oracle_calls, before + 1);
  close_hand(&h);
}

/* Limits that are told far too tight cost loss, and no violation: about one round of it, and four times what they save. */
static void test_tight_hints_lose_their_trust(void **unused)
{
  (void)unused;
  hand h = open_hand("ofw-ada", 0, 0.0, 0, NULL);
  for (int t = 0; t < 400; t++) {
    double x = decision(&h);
    feed_told(&h, -1.0, x - 0.9, 1.0, (told){x + 0.9, 1.0}); /* 0.9 will do, -0.9 is told */
  }
  const ofw_hinted *s = h.l->hinted;
  assert_true(s->worse <= 0.0 && s->cost > 2.0 && s->cost + 4.0 * s->worse <= 12.0);
  assert_true(decision(&h) > 0.8);
  close_hand(&h);
}

/* With an epoch's end Phi is 0, and so is what prices have added to it. */
static void test_an_epoch_forgets_its_prices(void **unused)
{
  (void)unused;
  static const char *const set[] = {"window=5"};
  hand h = open_hand("ofw-ada", 0, 0.0, 1, set);
  for (int t = 1; t <= 20; t++) {
    feed_told(&h, -1.0, decision(&h) + 0.5, 1.0, (told){-1.0, 1.0});
    assert_true(t % 5 ? h.l->hinted->price[0] > 0.0 : h.l->hinted->price[0] == 0.0);
  }
  close_hand(&h);
}

static void test_refused(void **unused)
{
  (void)unused;
  hand h = open_hand("ofw-ada", 0, 0.0, 0, NULL);
  double x = decision(&h);
  assert_int_equal(try(&h, 1.0, NAN, 0.0, (told){INFINITY, 1.0}), OFW_BAD_DATA);
  assert_string_equal(ofw_learner_error(h.l), "next_constraint: number 1 is not finite");
  assert_int_equal(try(&h, 1.0, NAN, 0.0, (told){1.0, NAN}), OFW_BAD_DATA);
  assert_true(strstr(ofw_learner_error(h.l), "next_constraint_gradient") == ofw_learner_error(h.l));
  assert_true(decision(&h) == x && info_of(&h).round == 1);
  ofw_hint old = {.size = offsetof(ofw_hint, constraint)};
  double f = 1.0;
  ofw_vec vf = ofw_vec_dense(1, &f);
  ofw_full fb = {{0.0, 0, NULL}, {1, &vf}, NULL};
  assert_int_equal(ofw_learner_observe_hinted(h.l, &fb, &old), OFW_OK); /* of a version that had less */
  old.size = sizeof old + 8;
  decision(&h);
  assert_int_equal(ofw_learner_observe_hinted(h.l, &fb, &old), OFW_USAGE);
  close_hand(&h);
}

/* Other learners check hints, and play as if there were none. */
static void test_ignored(void **unused)
{
  (void)unused;
  static const char *const names[] = {"ofw-tvc", "ofw-ada-sc", "still"};
  for (int k = 0; k < 3; k++) {
    hand h = open_hand(names[k], 50, 0.5, 0, NULL), blind = open_hand(names[k], 50, 0.5, 0, NULL);
    for (int t = 0; t < 40; t++) {
      double f = t % 3 ? 0.5 : -0.9, g = decision(&h) - 0.1;
      feed_told(&h, f, g, 1.0, (told){t % 2 - 0.3, 1.0});
      feed(&blind, f, g, 1.0);
      assert_true(decision(&h) == decision(&blind));
    }
    decision(&h);
    assert_int_equal(try(&h, 0.5, 0.0, 1.0, (told){NAN, 1.0}), OFW_OK);
    decision(&h);
    assert_int_equal(try(&h, 0.5, 0.0, 1.0, (told){INFINITY, 1.0}), OFW_BAD_DATA);
    close_hand(&h);
    close_hand(&blind);
  }
}

/* The decisions of a game in which every limit is told a round before, in any units. */
static void play_told(const char *domain, double a, double b, double each, int again, double out[ROUNDS][DIM])
{
  ofw_domain *K = make_domain(domain);
  ofw_learner_settings s = {.size = sizeof s};
  ofw_learner *l = ofw_learner_create_over("ofw-ada", K, &s, NULL);
  uint64_t seed = 8;
  double c[2][DIM] = {{0}}, level[2] = {0};
  assert_non_null(l);
  for (int t = 0; t < ROUNDS; t++) {
    int now = t % 2, next = 1 - now;
    double f[DIM], unit = b * (each > 0.0 ? pow(each, t * 7 % 41 - 20) : 1.0);
    double then = b * (each > 0.0 ? pow(each, (t + 1) * 7 % 41 - 20) : 1.0);
    for (int i = 0; i < DIM; i++) {
      f[i] = t % 7 < 2 ? 0.0 : a * (any(&seed) + 0.3);
      c[next][i] = any(&seed) - 0.2;
    }
    level[next] = 0.4 * any(&seed);
    if (again) {
      ofw_learner *other = ofw_learner_create_over("ofw-ada", K, &s, NULL);
      ofw_state state = {0};
      assert_int_equal(ofw_learner_save_state(l, &state), OFW_OK);
      assert_int_equal(ofw_learner_load_state(other, &state), OFW_OK);
      ofw_state_free(&state);
      ofw_learner_free(l);
      l = other;
    }
    const ofw_point *x;
    double value[2];
    assert_int_equal(ofw_learner_decide(l, &x), OFW_OK);
    assert_int_equal(ofw_point_dense(x, out[t]), OFW_OK);
    ofw_vec vf = ofw_vec_dense(DIM, f), v[2] = {ofw_vec_dense(DIM, c[now]), ofw_vec_dense(DIM, c[next])};
    v[0].scale = unit, v[1].scale = then;
    ofw_sum sum[2] = {{1, &v[0]}, {1, &v[1]}};
    for (int k = 0; k < 2; k++) {
      assert_int_equal(ofw_point_dot(x, sum[k], &value[k]), OFW_OK);
      value[k] -= (k ? then * level[next] : unit * level[now]);
    }
    ofw_full fb = {{0.0, t > 0, &value[0]}, {1, &vf}, &sum[0]};
    ofw_hint hint = {sizeof hint, 1, &value[1], &sum[1]};
    assert_int_equal(ofw_learner_observe_hinted(l, &fb, t % 6 ? &hint : NULL), OFW_OK);
  }
  assert_true(l->hinted->cost != 0.0);
  ofw_learner_free(l);
  ofw_domain_free(K);
}

static void test_no_unit(void **unused)
{
  (void)unused;
  static const char *const domains[] = {"l2-ball:dim=12", "simplex:dim=12", "trace-ball:rows=4,cols=3,radius=2"};
  static const int powers[] = {-33, 1, 20, -200, 200};
  static double wanted[ROUNDS][DIM], got[ROUNDS][DIM];
  for (size_t d = 0; d < 3; d++) {
    play_told(domains[d], 1.0, 1.0, 0.0, 0, wanted);
    for (size_t k = 0; k < 5; k++)
      for (size_t m = 0; m < 6; m++) {
        play_told(domains[d], exp2(powers[k]), m < 5 ? exp2(powers[m]) : 1.0, m < 5 ? 0.0 : 2.0, 0, got);
        assert_memory_equal(got, wanted, sizeof got);
      }
  }
}

/* A new learner in every round, with what the last one saved: the same bits. */
static void test_state(void **unused)
{
  (void)unused;
  static double wanted[ROUNDS][DIM], got[ROUNDS][DIM];
  play_told("simplex:dim=12", 1.0, 1.0, 0.0, 0, wanted);
  play_told("simplex:dim=12", 1.0, 1.0, 0.0, 1, got);
  assert_memory_equal(got, wanted, sizeof got);
}

/* A state with hints and one without go into a learner that has the other; one that is refused changes nothing. */
static void test_states_of_both_kinds(void **unused)
{
  (void)unused;
  hand h = open_hand("ofw-ada", 0, 0.0, 2, by_hand), blind = open_hand("ofw-ada", 0, 0.0, 2, by_hand);
  feed_told(&h, 0.5, NAN, 0.0, (told){-0.5, -1.0});
  feed(&blind, 0.5, NAN, 0.0);
  ofw_state with = {0}, without = {0};
  assert_int_equal(ofw_learner_save_state(h.l, &with), OFW_OK);
  assert_int_equal(ofw_learner_save_state(blind.l, &without), OFW_OK);
  double z = decision(&h), x = decision(&blind);
  assert_true(z != x);
  for (int wrong = 0; wrong < 2; wrong++) { /* damaged at the end, then whole */
    ((unsigned char *)with.bytes)[with.size - 1] ^= (unsigned char)!wrong;
    ((unsigned char *)without.bytes)[without.size - 1] ^= (unsigned char)!wrong;
    if (wrong) { /* mended by the loop before */
      ((unsigned char *)with.bytes)[with.size - 1] ^= 1;
      ((unsigned char *)without.bytes)[without.size - 1] ^= 1;
    }
    assert_int_equal(ofw_learner_load_state(blind.l, &with), wrong ? OFW_OK : OFW_BAD_DATA);
    assert_int_equal(ofw_learner_load_state(h.l, &without), wrong ? OFW_OK : OFW_BAD_DATA);
    assert_true(decision(&h) == (wrong ? x : z) && decision(&blind) == (wrong ? z : x));
  }
  ofw_state_free(&with);
  ofw_state_free(&without);
  close_hand(&h);
  close_hand(&blind);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_limit_is_kept),
      cmocka_unit_test(test_room_is_used),
      cmocka_unit_test(test_wrong_hints_lose_their_trust),
      cmocka_unit_test(test_tight_hints_lose_their_trust),
      cmocka_unit_test(test_an_epoch_forgets_its_prices),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_ignored),
      cmocka_unit_test(test_no_unit),
      cmocka_unit_test(test_state),
      cmocka_unit_test(test_states_of_both_kinds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
