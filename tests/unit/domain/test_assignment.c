/* test_assignment.c — assignments against all permutations, and by their duals where there are too many of those */
#include "domain/matrix/assignment.h"

#include "unit/linalg/chance.h"

#include <float.h>
#include <string.h>

enum { FEW = 6, MANY = 120 };

/* The next permutation in the order of their entries; 0: that was the last. */
static int next_permutation(size_t n, size_t *p)
{
  size_t i = n - 1, j = n - 1;
  while (i > 0 && p[i - 1] >= p[i])
    i--;
  if (n < 2 || i == 0)
    return 0;
  while (p[j] <= p[i - 1])
    j--;
  size_t swap = p[i - 1];
  p[i - 1] = p[j];
  p[j] = swap;
  for (size_t a = i, b = n - 1; a < b; a++, b--) {
    swap = p[a];
    p[a] = p[b];
    p[b] = swap;
  }
  return 1;
}

static long double value_of(size_t n, const double *cost, const size_t *to)
{
  long double sum = 0.0L;
  for (size_t i = 0; i < n; i++)
    sum += cost[i * n + to[i]];
  return sum;
}

/* The first of the best; sums of few doubles of one size are exact in a long double. */
static long double first_best(size_t n, const double *cost, size_t *best)
{
  size_t p[FEW];
  for (size_t i = 0; i < n; i++)
    best[i] = p[i] = i;
  long double least = value_of(n, cost, p);
  while (next_permutation(n, p))
    if (value_of(n, cost, p) < least) {
      least = value_of(n, cost, p);
      memcpy(best, p, n * sizeof *p);
    }
  return least;
}

static ofw_owned room; /* of all that is open */

static ofw_assignment opened(size_t n)
{
  ofw_assignment a;
  assert_int_equal(ofw_assignment_open(&room, n, &a, NULL), OFW_OK);
  return a;
}

/* No column twice, and the duals prove that nothing is cheaper by more than rounding. */
static void is_optimal(const ofw_assignment *a, const double *cost)
{
  size_t n = a->n;
  char *seen = calloc(n, 1);
  long double largest = 0.0L;
  assert_non_null(seen);
  for (size_t i = 0; i < n; i++) {
    assert_true(a->to[i] < n && !seen[a->to[i]]);
    seen[a->to[i]] = 1;
    for (size_t j = 0; j < n; j++)
      largest = fmaxl(largest, isinf(cost[i * n + j]) ? 0.0L : fabsl((long double)cost[i * n + j]));
  }
  free(seen);
  long double slack = 1e-14L * largest * a->scale;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      long double reduced = (long double)a->scale * cost[i * n + j] - a->u[i] - a->v[j];
      assert_true(reduced >= -slack);
      assert_true(j != a->to[i] || reduced <= slack);
    }
}

/* Small whole numbers: ties everywhere, and every sum is exact. The very permutation that the rule names. */
static void whole_numbers(void **state)
{
  (void)state;
  chance c = {1};
  for (size_t n = 1; n <= FEW; n++) {
    ofw_assignment a = opened(n);
    for (int t = 0; t < 3000; t++) {
      double cost[FEW * FEW], scale = t % 3 ? 1.0 : ldexp(1.0, (int)chance_below(&c, 2000) - 1000);
      size_t best[FEW], range = 1 + chance_below(&c, 5);
      for (size_t k = 0; k < n * n; k++)
        cost[k] = scale * ((double)chance_below(&c, 2 * range + 1) - (double)range);
      first_best(n, cost, best);
      assert_int_equal(ofw_assignment_solve(&a, cost), 1);
      assert_memory_equal(a.to, best, n * sizeof *best);
      is_optimal(&a, cost);
    }
    ofw_owned_free(&room);
  }
}

/* Numbers whose sums are rounded, with ties that rounding hides: a multiple of 0.1 has no exact sums. */
static void ties_behind_rounding(void **state)
{
  (void)state;
  chance c = {2};
  for (size_t n = 2; n <= 5; n++) {
    ofw_assignment a = opened(n);
    for (int t = 0; t < 2000; t++) {
      double cost[FEW * FEW], whole[FEW * FEW], unit = t % 2 ? 0.1 : 1e160;
      size_t best[FEW];
      for (size_t k = 0; k < n * n; k++) {
        whole[k] = (double)chance_below(&c, 5) - 2.0;
        cost[k] = unit * whole[k];
      }
      first_best(n, whole, best);
      assert_int_equal(ofw_assignment_solve(&a, cost), 1);
      assert_memory_equal(a.to, best, n * sizeof *best);
    }
    ofw_owned_free(&room);
  }
}

static void random_numbers(void **state)
{
  (void)state;
  static const double scales[] = {1.0, 1e-310, 1e-160, 1e160, 1e300, 1.7e308};
  chance c = {3};
  for (size_t n = 1; n <= FEW; n++) {
    ofw_assignment a = opened(n);
    for (int t = 0; t < 1500; t++) {
      double cost[FEW * FEW], scale = scales[t % 6];
      size_t best[FEW];
      for (size_t k = 0; k < n * n; k++)
        cost[k] = scale * (2.0 * chance_unit(&c) - 1.0);
      long double least = first_best(n, cost, best);
      assert_int_equal(ofw_assignment_solve(&a, cost), 1);
      assert_near(value_of(n, cost, a.to), least, 1e-15L * scale * (long double)n);
      is_optimal(&a, cost);
    }
    ofw_owned_free(&room);
  }
}

/* Sizes for which duals are the only proof: random, whole, products (the hardest for augmenting paths), near rank two. */
static void large_ones(void **state)
{
  (void)state;
  ofw_assignment a = opened(MANY);
  double *cost = room_for(MANY * MANY), row[MANY], col[MANY];
  chance c = {4};
  for (int t = 0; t < 24; t++) {
    chance_normals(&c, MANY, row);
    chance_normals(&c, MANY, col);
    for (size_t i = 0; i < MANY; i++)
      for (size_t j = 0; j < MANY; j++) {
        const double by_kind[] = {chance_normal(&c),
                                  (double)chance_below(&c, 100),
                                  (double)chance_below(&c, 2),
                                  (double)((i + 1) * (j + 1)),
                                  row[i] + col[j] + 1e-6 * chance_unit(&c),
                                  fabs(row[i] - col[j])};
        cost[i * MANY + j] = by_kind[t % 6];
      }
    assert_int_equal(ofw_assignment_solve(&a, cost), 1);
    is_optimal(&a, cost);
  }
  free(cost);
  ofw_owned_free(&room);
}

/* All costs the same: the diagonal. The same matrix again: the same answer, whatever came between. */
static void nothing_is_remembered(void **state)
{
  (void)state;
  enum { N = 30 };
  ofw_assignment a = opened(N), b = opened(N);
  double *zero = room_for(N * N), *cost = room_for(N * N);
  chance c = {5};
  chance_normals(&c, N * N, cost);
  assert_int_equal(ofw_assignment_solve(&b, cost), 1);
  for (int t = 0; t < 2; t++) {
    assert_int_equal(ofw_assignment_solve(&a, zero), 1);
    for (size_t i = 0; i < N; i++)
      assert_int_equal(a.to[i], i);
    assert_int_equal(ofw_assignment_solve(&a, cost), 1);
    assert_memory_equal(a.to, b.to, N * sizeof *a.to);
    assert_memory_equal(a.v, b.v, N * sizeof *a.v);
  }
  free(zero);
  free(cost);
  ofw_owned_free(&room);
}

/* Pairs that must not be: avoided where that is possible, and said where it is not. */
static void forbidden_pairs(void **state)
{
  (void)state;
  chance c = {6};
  size_t impossible = 0;
  for (size_t n = 1; n <= 5; n++) {
    ofw_assignment a = opened(n);
    for (int t = 0; t < 1000; t++) {
      double cost[FEW * FEW];
      size_t best[FEW];
      for (size_t k = 0; k < n * n; k++)
        cost[k] = chance_below(&c, 5) < 2 ? INFINITY : (double)chance_below(&c, 4) - 1.0;
      long double least = first_best(n, cost, best);
      int found = ofw_assignment_solve(&a, cost);
      assert_int_equal(found, least < INFINITY);
      impossible += !found;
      if (found)
        assert_memory_equal(a.to, best, n * sizeof *best);
    }
    ofw_owned_free(&room);
  }
  assert_true(impossible > 100);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(whole_numbers), cmocka_unit_test(ties_behind_rounding),  cmocka_unit_test(random_numbers),
      cmocka_unit_test(large_ones),    cmocka_unit_test(nothing_is_remembered), cmocka_unit_test(forbidden_pairs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
