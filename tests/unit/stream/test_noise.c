#include "stream/noise.h"

#include "linalg/rng.h"
#include "unit/base/check.h"

enum { N = 5 };
static const ofw_rng_key key = {3, OFW_RNG_LOSS, 0};

static void draw(uint64_t t, uint64_t rounds, double length, double out[N])
{
  ofw_rng_key at = key;
  at.round = t;
  ofw_noise_direction(at, rounds, length, N, out);
}

/* Added up from both ends, nothing is left, not even rounding; every round has its length but the middle one. */
static void test_adds_up_to_nothing(void **state)
{
  (void)state;
  static const uint64_t horizons[] = {1, 2, 3, 10, 101};
  for (size_t k = 0; k < sizeof horizons / sizeof *horizons; k++) {
    uint64_t T = horizons[k];
    for (uint64_t t = 1; t <= T; t++) {
      double a[N], b[N];
      draw(t, T, 0.7, a);
      draw(T + 1 - t, T, 0.7, b);
      for (size_t i = 0; i < N; i++)
        assert_true(a[i] + b[i] == 0.0);
      assert_near(slow_norm(N, a), 2 * t == T + 1 ? 0.0 : 0.7, 1e-15);
    }
  }
}

/* The first half is what the generator draws for those rounds; so are rounds beyond the horizon, however near. */
static void test_draws(void **state)
{
  (void)state;
  for (uint64_t t = 1; t <= 30; t++) {
    double a[N], b[N];
    if (t > 10 && t <= 20)
      continue;
    draw(t, 20, 1.0, a);
    ofw_rng_direction((ofw_rng_key){3, OFW_RNG_LOSS, t}, N, b);
    assert_memory_equal(a, b, sizeof a);
  }
}

static void test_mirror(void **state)
{
  (void)state;
  static const struct {
    uint64_t t, rounds, round;
    double sign;
  } cases[] = {{1, 1, 1, 0},   {1, 2, 1, 1},  {2, 2, 1, -1},
               {2, 3, 2, 0},   {3, 3, 1, -1}, {4, 3, 4, 1},
               {9, 10, 2, -1}, {5, 0, 5, 1},  {UINT64_MAX, UINT64_MAX, 1, -1}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    ofw_mirrored m = ofw_mirror(cases[k].t, cases[k].rounds);
    assert_int_equal(m.round, cases[k].round);
    assert_true(m.sign == cases[k].sign);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_adds_up_to_nothing),
      cmocka_unit_test(test_draws),
      cmocka_unit_test(test_mirror),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
