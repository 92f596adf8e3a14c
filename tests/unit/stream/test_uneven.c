#include "unit/stream/optimal.h"

enum { T = 6000 };

/* ---- the comparator ---- */

static void test_comparator_is_best(void **state)
{
  (void)state;
  static const char *const specs[] = {"uneven", "uneven:times=switching,period=3,lengths=seasonal,losses=noisy",
                                      "uneven:quiet=0,pull=0.3,depth=0.2,lengths=growing,losses=growing,lipschitz=7",
                                      "uneven:convexity=0.3,quiet=0,lengths=shrinking,lipschitz=4",
                                      "uneven:quiet=0.9,times=every,period=1,lengths=pareto,losses=lognormal"};
  static const uint64_t rounds[] = {1, 2, 7, 600};
  const char *set;
  for (size_t i = 0; (set = some_domain(i)) != NULL; i++)
    for (size_t j = 0; j < sizeof specs / sizeof *specs; j++)
      for (size_t k = 0; k < sizeof rounds / sizeof *rounds; k++)
        if (j < 4 || rounds[k] > 4) /* the last is quiet for 1 of 1 and 2 of 2 */
          is_best_at_a_price(specs[j], set, rounds[k], 40 + i);
  is_best_at_a_price("uneven:times=rare,lengths=lognormal,losses=switching,pull=0.6", "l1-ball:dim=5", LONG_RUN, 1);
  is_best_at_a_price("uneven:lengths=outlier,pull=0", "l2-ball:dim=4", 600, 1);
}

/* Without any constraint the losses' own minimiser is x*, and violation has no price; so it has where the losses add up
 * to nothing. */
static void test_without_a_constraint(void **state)
{
  (void)state;
  const char *set;
  for (size_t i = 0; (set = some_domain(i)) != NULL; i++) {
    is_best_without_price("uneven:times=every,period=1000,losses=noisy", set, 600, 50 + i);
    is_best_without_price("uneven:times=every,period=2000,losses=switching", set, 1500, 50 + i);
  }
  is_best_without_price("uneven:losses=switching", "l1-ball:dim=4", 2 * 997, 1);
  ofw_domain *K = domain("l2-ball:dim=3");
  ofw_stream *s = stream("uneven:times=every,period=1000", K, 600, 1);
  assert_bits(told_multiplier(s), 0.0);
  assert_near(slow_norm(3, s->best), 1.0, 1e-14);
  ofw_stream_free(s);
  ofw_domain_free(K);
}

/* What a point of the plane costs over all rounds; 1: it keeps every constraint. */
static int total(ofw_stream *s, const held *h, uint64_t rounds, double *loss)
{
  int kept = 1;
  *loss = 0.0;
  for (uint64_t t = 1; t <= rounds; t++) {
    ofw_full now = reveal(s, t, h);
    *loss += now.values.loss;
    kept = kept && (now.values.constraints == 0 || now.values.constraint[0] <= 0.0);
  }
  return kept;
}

/* By trying all points of a grid: none that keeps every constraint has less loss than x*, some that break them have, and
 * some that keep them come near it. */
static void check_by_a_grid(const char *spec, const char *set, uint64_t seed)
{
  enum { GRID = 60, ROUNDS = 60 };
  ofw_domain *K = domain(set);
  ofw_stream *s = stream(spec, K, ROUNDS, seed);
  held h = hold(K);
  double best, loss, least = INFINITY, below = INFINITY, unit = ofw_stream_constants(s)->lipschitz * K->R * ROUNDS;
  memcpy(h.x, s->best, 2 * sizeof *h.x);
  assert_true(total(s, &h, ROUNDS, &best));
  for (int i = -GRID; i <= GRID; i++)
    for (int j = -GRID; j <= GRID; j++) {
      h.x[0] = K->R * i / GRID;
      h.x[1] = K->R * j / GRID;
      if (ofw_domain_excess(K, h.x) > 0.0)
        continue;
      double *which = total(s, &h, ROUNDS, &loss) ? &least : &below;
      *which = fmin(*which, loss);
    }
  assert_true(least >= best - 1e-12 * unit);
  assert_at_most(least, best + 0.1 * unit);
  assert_at_most(below, best - 1e-3 * unit);
  let_go(&h);
  ofw_stream_free(s);
  ofw_domain_free(K);
}

static void test_by_a_grid(void **state)
{
  (void)state;
  static const char *const sets[] = {"l2-ball:dim=2", "l1-ball:dim=2,radius=3", "linf-ball:dim=2,radius=0.5"};
  for (size_t i = 0; i < 3; i++)
    for (uint64_t seed = 1; seed <= 2; seed++) {
      check_by_a_grid("uneven", sets[i], seed);
      check_by_a_grid("uneven:times=rare,period=9,lengths=lognormal,spread=0.3,losses=noisy,pull=0.6", sets[i], seed);
      check_by_a_grid("uneven:times=switching,period=4,lengths=shrinking,losses=growing,depth=0.3", sets[i], seed);
      check_by_a_grid("uneven:convexity=0.5", sets[i], seed);
    }
}

static void test_multiplier(void **state)
{
  (void)state;
  ofw_domain *K = domain("l2-ball:dim=6");
  ofw_stream *s = stream("uneven:pull=0.6,times=every,lengths=seasonal,losses=noisy", K, T, 3);
  at_best at = look_at_best(K, s, T);
  double told = told_multiplier(s);
  assert_near(best_price(K, s, &at, 3.0 * told), told, 1e-4 * told);
  look_away(&at);
  ofw_stream_free(s);
  ofw_domain_free(K);
}

/* The losses are alpha-strongly convex, exactly, and their gradients are no longer than G: along a line through x*. */
static void test_convexity(void **state)
{
  (void)state;
  ofw_domain *K = domain("l2-ball:dim=3");
  ofw_stream *s = stream("uneven:convexity=0.3,lipschitz=2", K, 50, 1);
  const ofw_constants *told = ofw_stream_constants(s);
  held h = hold(K);
  assert_near(told->strong_convexity, 0.6, 1e-15);
  for (uint64_t t = 1; t <= 50; t += 7)
    for (int i = 0; i < 3; i++) {
      double at[3], other[3], slope = 0.0, apart = 0.0, loss[2], gradient[3];
      for (int j = 0; j < 3; j++) {
        at[j] = j == i ? 0.9 : -0.1;
        other[j] = j == i ? -0.4 : 0.3 * j;
      }
      memcpy(h.x, other, sizeof other);
      loss[1] = reveal(s, t, &h).values.loss;
      memcpy(h.x, at, sizeof at);
      ofw_full now = reveal(s, t, &h);
      loss[0] = now.values.loss;
      ofw_sum_dense(now.loss_gradient, 3, gradient);
      for (int j = 0; j < 3; j++) {
        slope += gradient[j] * (other[j] - at[j]);
        apart += (other[j] - at[j]) * (other[j] - at[j]);
      }
      assert_near(loss[1], loss[0] + slope + 0.3 * apart, 1e-13);
      assert_at_most(slow_norm(3, gradient), told->lipschitz);
    }
  let_go(&h);
  ofw_stream_free(s);
  ofw_domain_free(K);
}

/* ---- which rounds have a constraint, and how long it is ---- */

/* |grad g_t| of every round, 0 where there is none; all are multiples of one vector. */
static double *limit_lengths(const char *spec, uint64_t rounds, uint64_t seed)
{
  ofw_domain *K = domain("l2-ball:dim=3");
  ofw_stream *s = stream(spec, K, rounds, seed);
  held h = hold(K);
  double *length = room(rounds + 1), first[3] = {0}, a[3], most = ofw_stream_constants(s)->lipschitz;
  for (uint64_t t = 1; t <= rounds; t++) {
    ofw_full now = reveal(s, t, &h);
    if (!now.values.constraints)
      continue;
    ofw_sum_dense(now.constraint_gradient[0], 3, a);
    length[t] = slow_norm(3, a);
    assert_true(length[t] > 0.0 && length[t] <= most * (1.0 + 1e-14));
    if (first[0] == 0.0)
      memcpy(first, a, sizeof a);
    assert_near(slow_dot(3, first, a), slow_norm(3, first) * length[t], 1e-12 * length[t] * slow_norm(3, first));
  }
  let_go(&h);
  ofw_stream_free(s);
  ofw_domain_free(K);
  return length;
}

static void test_times(void **state)
{
  (void)state;
  double *always = limit_lengths("uneven", T, 1), *every = limit_lengths("uneven:times=every", T, 1),
         *turns = limit_lengths("uneven:times=switching,quiet=0.25", T, 1),
         *all = limit_lengths("uneven:quiet=0", 5, 1);
  for (uint64_t t = 1; t <= T; t++) {
    assert_int_equal(always[t] > 0.0, t > T / 10);
    assert_int_equal(every[t] > 0.0, t > T / 10 && t % 10 == 0);
    assert_int_equal(turns[t] > 0.0, t > 1500 && (t - 1501) % 1000 < 500);
  }
  for (uint64_t t = 1; t <= 5; t++)
    assert_true(all[t] > 0.0);
  free(always), free(every), free(turns), free(all);
}

/* One of each 50 rounds, anywhere among them. */
static void test_rare(void **state)
{
  (void)state;
  double *rare = limit_lengths("uneven:times=rare", T, 1), *other = limit_lengths("uneven:times=rare", T, 2);
  double place = 0.0, square = 0.0, blocks = (T - T / 10) / 50.0;
  int differ = 0;
  for (uint64_t from = T / 10 + 1; from <= T; from += 50) {
    int found = 0;
    for (uint64_t k = 0; k < 50; k++) {
      if (rare[from + k] > 0.0) {
        found++;
        place += (double)k / blocks;
        square += (double)(k * k) / blocks;
      }
      differ += (rare[from + k] > 0.0) != (other[from + k] > 0.0);
    }
    assert_int_equal(found, 1);
  }
  for (uint64_t t = 1; t <= T / 10; t++)
    assert_bits(rare[t], 0.0);
  assert_near(place, 24.5, 4.0 * 14.43 / sqrt(blocks)); /* uniform in 0 .. 49: deviation 14.43 */
  assert_near(sqrt(square - place * place), 14.43, 3.0);
  assert_true(differ > 150);
  free(rare), free(other);
}

/* r_t of the n-th constrained round, the k-th after the quiet ones */
static double expected(const char *lengths, uint64_t n, uint64_t k)
{
  if (strcmp(lengths, "halved") == 0)
    return n <= 100 ? 1.0 : 0.5;
  if (strcmp(lengths, "outlier") == 0)
    return n == 1 ? 10.0 : 1.0;
  if (strcmp(lengths, "seasonal") == 0)
    return 0.6 + 0.4 * sin((double)k * 2.0 * M_PI / 1257.0);
  if (strcmp(lengths, "shrinking") == 0)
    return pow((double)n, -0.5);
  if (strcmp(lengths, "growing") == 0)
    return pow((double)n / T, 0.5);
  if (strcmp(lengths, "switching") == 0)
    return k % 600 >= 1 && k % 600 <= 300 ? 0.1 : 1.0;
  return 1.0;
}

static void test_lengths(void **state)
{
  (void)state;
  static const char *const lengths[] = {"constant",  "halved",  "outlier",  "seasonal",
                                        "shrinking", "growing", "switching"};
  static const char *const times[] = {"always", "every", "switching", "rare"};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
    for (size_t j = 0; j < sizeof times / sizeof *times; j++) {
      char spec[100];
      snprintf(spec, sizeof spec, "uneven:lengths=%s,times=%s,lipschitz=3", lengths[i], times[j]);
      double *length = limit_lengths(spec, T, 4);
      uint64_t n = 0;
      for (uint64_t t = T / 10 + 1; t <= T; t++)
        if (length[t] > 0.0)
          assert_near(length[t], 3.0 * expected(lengths[i], ++n, t - T / 10), 1e-11);
      assert_true(n >= T / 100);
      free(length);
    }
}

/* Clipped where said: about 1 of 31 574 draws is more than four deviations above the mean. */
static void test_lognormal(void **state)
{
  (void)state;
  enum { MANY = 100000 };
  double *length = limit_lengths("uneven:quiet=0,lengths=lognormal,spread=0.5", MANY, 1), mean = 0.0, square = 0.0;
  int clipped = 0;
  for (uint64_t t = 1; t <= MANY; t++) {
    double z = log(length[t]) / 0.5;
    mean += z / MANY;
    square += z * z / MANY;
    clipped += z > 4.0 - 1e-12;
  }
  assert_near(mean, 0.0, 4.0 / sqrt(MANY));
  assert_near(square, 1.0, 4.0 * sqrt(2.0 / MANY));
  assert_true(clipped >= 1 && clipped <= 12);
  free(length);
}

/* P(r > x) = x^(-1/0.7) up to where it is clipped */
static void test_pareto(void **state)
{
  (void)state;
  enum { MANY = 100000 };
  static const double at[] = {1.0, 2.0, 10.0, 100.0};
  double *length = limit_lengths("uneven:quiet=0,lengths=pareto", MANY, 1), most = 0.0;
  for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
    double above = 0.0, share = pow(at[k], -1.0 / 0.7);
    for (uint64_t t = 1; t <= MANY; t++)
      above += length[t] > at[k];
    assert_near(above / MANY, share, 4.0 * sqrt(share * (1.0 - share) / MANY));
  }
  for (uint64_t t = 1; t <= MANY; t++)
    most = fmax(most, length[t]);
  assert_near(most, 1000.0, 1e-9);
  free(length);
}

/* ---- the losses ---- */

/* <grad f_t, grad f_1> / |grad f_1|^2 */
static double *loss_lengths(const char *spec, uint64_t rounds)
{
  ofw_domain *K = domain("l2-ball:dim=3");
  ofw_stream *s = stream(spec, K, rounds, 7);
  held h = hold(K);
  double *length = room(rounds + 1), first[3], a[3];
  for (uint64_t t = 1; t <= rounds; t++) {
    ofw_sum_dense(reveal(s, t, &h).loss_gradient, 3, t == 1 ? first : a);
    length[t] = t == 1 ? 1.0 : slow_dot(3, first, a) / slow_dot(3, first, first);
    assert_at_most(slow_norm(3, t == 1 ? first : a), ofw_stream_constants(s)->lipschitz * (1.0 + 1e-14));
  }
  let_go(&h);
  ofw_stream_free(s);
  ofw_domain_free(K);
  return length;
}

static void test_losses(void **state)
{
  (void)state;
  double *steady = loss_lengths("uneven", T), *turns = loss_lengths("uneven:losses=switching", T),
         *grows = loss_lengths("uneven:losses=growing", T), *random = loss_lengths("uneven:losses=lognormal", T),
         *noisy = loss_lengths("uneven:losses=noisy", T), mean = 0.0, square = 0.0, varied = 0.0;
  for (uint64_t t = 1; t <= T; t++) {
    assert_near(steady[t], 1.0, 1e-14);
    assert_near(turns[t], t % 1994 >= 1 && t % 1994 <= 997 ? 1.0 : -1.0, 1e-14);
    assert_near(grows[t], t <= T / 2 ? 1.0 : 10.0, 1e-13);
    mean += log(random[t]) / T;
    square += log(random[t]) * log(random[t]) / T;
    assert_near(noisy[t] + noisy[T + 1 - t], noisy[1] + noisy[T], 1e-13); /* mirrored */
    varied += fabs(noisy[t] - noisy[1]) / T;
  }
  assert_near(square - mean * mean, 1.0, 4.0 * sqrt(2.0 / T)); /* round 1's own length is in the mean */
  assert_true(varied > 0.1);
  free(steady), free(turns), free(grows), free(random), free(noisy);
}

/* ---- what every stream has ---- */

static void test_every_domain(void **state)
{
  (void)state;
  for (size_t i = 0; i < ofw_domain_types(); i++) {
    ofw_domain *K = domain(ofw_domain_type(i)->example);
    ofw_stream *s = stream("uneven:quiet=0,lengths=lognormal,losses=noisy,lipschitz=3", K, 600, 10 + i);
    check_slopes(K, s, 60);
    check_same_rounds("uneven:times=rare,period=3,lengths=pareto,losses=lognormal", K, 40);
    check_same_rounds("uneven:times=switching,period=4,lengths=shrinking,losses=noisy", K, 40);
    ofw_stream_free(s);
    ofw_domain_free(K);
  }
}

/* With no options: losses of length 1 straight across a limit at half the radius from the centre, on the far side. */
static void test_default(void **state)
{
  (void)state;
  ofw_domain *K = domain("l2-ball:dim=2,radius=5");
  ofw_stream *s = stream("uneven", K, T, 1);
  held h = hold(K);
  double c[2], b[2];
  ofw_full now = reveal(s, T / 10 + 1, &h);
  ofw_sum_dense(now.loss_gradient, 2, c);
  ofw_sum_dense(now.constraint_gradient[0], 2, b);
  assert_near(slow_norm(2, b), 1.0, 1e-15);
  for (int i = 0; i < 2; i++) {
    assert_near(c[i], -b[i], 1e-15);
    assert_near(s->best[i], -2.5 * b[i], 1e-14);
  }
  assert_near(now.values.constraint[0], 2.5, 1e-14); /* at the centre */
  let_go(&h);
  ofw_stream_free(s);
  ofw_domain_free(K);
}

static void check_constants(const ofw_domain *K, const char *spec, double G, double M)
{
  ofw_stream *s = stream(spec, K, T, 1);
  const ofw_constants *c = ofw_stream_constants(s);
  double loss;
  assert_near(c->lipschitz, G, 1e-14 * G);
  assert_near(c->loss_bound, M, 1e-14 * M);
  assert_bits(c->strong_convexity, 0.0);
  assert_int_equal(ofw_stream_target(s, 1, &loss), OFW_UNSUPPORTED);
  ofw_stream_free(s);
}

static void test_constants(void **state)
{
  (void)state;
  ofw_domain *K = domain("l1-ball:dim=9,radius=3"), *dot = domain("simplex:dim=1");
  check_constants(K, "uneven:lipschitz=7", 7.0, 21.0);
  check_constants(K, "uneven:lengths=outlier,losses=noisy", 10.0, 3.0);
  check_constants(K, "uneven:lengths=lognormal,spread=2,lipschitz=2", 2.0 * exp(8.0), 6.0);
  check_constants(K, "uneven:lengths=pareto,losses=lognormal", 1000.0, 3.0 * exp(4.0));
  check_constants(K, "uneven:losses=growing", 10.0, 30.0);
  stream_refused("uneven", NULL, "uneven: the stream needs a domain");
  stream_refused("uneven:quiet=1", K, "uneven: quiet=1 is not in [0, 0.9]");
  stream_refused("uneven:period=0", K, "uneven: period=0 is not in [1, 1e+09]");
  stream_refused("uneven:spread=4", K, "uneven: spread=4 is not in [0, 3]");
  stream_refused("uneven:times=never", K, "uneven: times=never is not one of always|every|switching|rare");
  stream_refused("uneven:losses=pareto", K,
                 "uneven: losses=pareto is not one of steady|noisy|switching|growing|lognormal");
  stream_refused("uneven:length=halved", K, "uneven: no option 'length'; did you mean 'lengths'?");
  stream_refused("uneven", dot,
                 "uneven: the domain is too thin for a conflict of losses and constraints; choose another");
  ofw_domain_free(K), ofw_domain_free(dot);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_comparator_is_best),
      cmocka_unit_test(test_without_a_constraint),
      cmocka_unit_test(test_by_a_grid),
      cmocka_unit_test(test_convexity),
      cmocka_unit_test(test_multiplier),
      cmocka_unit_test(test_times),
      cmocka_unit_test(test_rare),
      cmocka_unit_test(test_lengths),
      cmocka_unit_test(test_lognormal),
      cmocka_unit_test(test_pareto),
      cmocka_unit_test(test_losses),
      cmocka_unit_test(test_every_domain),
      cmocka_unit_test(test_default),
      cmocka_unit_test(test_constants),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
