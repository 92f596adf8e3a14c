#include "linalg/kernels.h"
#include "linalg/rng.h"
#include "unit/base/check.h"

#include <math.h>
#include <stdlib.h>

/* The published answers of Philox4x32-10 (Random123's kat_vectors), as four words from a block of a key. */
static void gives(ofw_rng_key key, size_t block, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
  assert_int_equal(ofw_rng_word(key, 4 * block), a);
  assert_int_equal(ofw_rng_word(key, 4 * block + 1), b);
  assert_int_equal(ofw_rng_word(key, 4 * block + 2), c);
  assert_int_equal(ofw_rng_word(key, 4 * block + 3), d);
}

static void test_known_answers(void **state)
{
  (void)state;
  gives((ofw_rng_key){0, 0, 0}, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8);
  gives((ofw_rng_key){UINT64_MAX, UINT32_MAX, UINT64_MAX}, UINT32_MAX, 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd);
  gives((ofw_rng_key){0x299f31d0a4093822, 0x85a308d3, 0x0370734413198a2e}, 0x243f6a88, 0xd16cfe09, 0x94fdcceb,
        0x5001e420, 0x24126ea1);
}

static const ofw_rng_key key = {42, OFW_RNG_LOSS, 7};
enum { MANY = 200000 };
static double draws[MANY];

static void test_any_window(void **state)
{
  (void)state;
  enum { N = 300 };
  static double uniform[N], normal[N], part[N];
  ofw_rng_uniform(key, 0, N, uniform);
  ofw_rng_normal(key, 0, N, normal);
  for (size_t i = 0; i < N; i++) {
    uint32_t word = ofw_rng_word(key, i);
    assert_bits(uniform[i], ((double)(int32_t)word + 0.5) / 0x1p31);
    assert_bits(ofw_rng_unit(key, i), ((double)word + 0.5) / 0x1p32);
  }
  for (size_t from = 0; from < 20; from++)
    for (size_t n = 0; from + n <= N; n += n < 20 ? 1 : 37) {
      ofw_rng_uniform(key, from, n, part);
      assert_memory_equal(part, uniform + from, n * sizeof *part);
      ofw_rng_normal(key, from, n, part);
      assert_memory_equal(part, normal + from, n * sizeof *part);
    }
  /* beyond 2^32 blocks as well */
  size_t far = ((size_t)1 << 36) + 3;
  ofw_rng_uniform(key, far, N, uniform);
  ofw_rng_uniform(key, far + 5, 40, part);
  assert_memory_equal(part, uniform + 5, 40 * sizeof *part);
  ofw_rng_uniform(key, 3, N, part);
  assert_memory_not_equal(part, uniform, N * sizeof *part);
}

static int by_value(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* sqrt(n) sup |empirical - true|: above 1.95 once in a thousand seeds */
static double kolmogorov(double *x, size_t n, double (*cdf)(double))
{
  double most = 0.0;
  qsort(x, n, sizeof *x, by_value);
  for (size_t i = 0; i < n; i++)
    most = fmax(most, fmax(cdf(x[i]) - (double)i / (double)n, (double)(i + 1) / (double)n - cdf(x[i])));
  return sqrt((double)n) * most;
}

static double uniform_cdf(double x)
{
  return (x + 1.0) / 2.0;
}

static double unit_cdf(double x)
{
  return x;
}

static double normal_cdf(double x)
{
  return erfc(-x / sqrt(2.0)) / 2.0;
}

/* The k-th moment's mean, in standard errors from what it should be; `even` is E x^2k. */
static double off(const double *x, int k, double want, double even)
{
  double sum = 0.0;
  for (size_t i = 0; i < MANY; i++)
    sum += pow(x[i], k);
  return fabs(sum / MANY - want) / sqrt((even - want * want) / MANY);
}

static void test_uniform(void **state)
{
  (void)state;
  ofw_rng_uniform(key, 0, MANY, draws);
  for (size_t i = 0; i < MANY; i++)
    assert_true(draws[i] > -1.0 && draws[i] < 1.0);
  for (int k = 1; k <= 6; k++)
    assert_at_most(off(draws, k, k % 2 ? 0.0 : 1.0 / (k + 1), 1.0 / (2 * k + 1)), 4.0);
  assert_at_most(kolmogorov(draws, MANY, uniform_cdf), 1.95);
}

static void test_unit(void **state)
{
  (void)state;
  for (size_t i = 0; i < MANY; i++) {
    draws[i] = ofw_rng_unit(key, i);
    assert_true(draws[i] > 0.0 && draws[i] < 1.0);
  }
  assert_at_most(kolmogorov(draws, MANY, unit_cdf), 1.95);
}

static void test_normal(void **state)
{
  (void)state;
  static const double even[] = {1, 1, 3, 15, 105}; /* E x^0, x^2, x^4, x^6, x^8 */
  ofw_rng_normal(key, 0, MANY, draws);
  for (int k = 1; k <= 4; k++)
    assert_at_most(off(draws, k, k % 2 ? 0.0 : even[k / 2], even[k]), 4.0);
  double neighbours = 0.0;
  for (size_t i = 0; i + 1 < MANY; i++)
    neighbours += draws[i] * draws[i + 1];
  assert_at_most(fabs(neighbours) / sqrt((double)MANY), 4.0);
  assert_at_most(kolmogorov(draws, MANY, normal_cdf), 1.95);
}

/* The least words, the largest, and those about powers of two, each as a length and as an angle. A length of word 0
 * comes once in 2^32, which a bandit over a matrix of three million entries sees every 2 750 rounds. */
static void test_normals_at_the_ends(void **state)
{
  (void)state;
  enum { WORDS = 3 * 33 };
  const ofw_kernels *const kernels[] = {ofw_kernels_chosen(), &ofw_kernels_portable};
  uint32_t end[WORDS], word[2 * WORDS];
  double drawn[2 * WORDS];
  for (int k = 0; k < 33; k++)
    for (int off = -1; off <= 1; off++)
      end[3 * k + off + 1] = (uint32_t)(((uint64_t)1 << k) + (uint64_t)(int64_t)off);
  for (int variant = 0; variant < 2; variant++)
    for (int turn = 0; turn < WORDS; turn++) {
      for (int i = 0; i < WORDS; i++) {
        word[2 * i] = end[i];
        word[2 * i + 1] = end[(i + turn) % WORDS];
      }
      kernels[variant]->normal(WORDS, word, drawn);
      for (int i = 0; i < WORDS; i++) {
        long double length = sqrtl(-2.0L * logl(((long double)word[2 * i] + 0.5L) / 0x1p32L));
        long double angle = 2.0L * 3.14159265358979323846264L * (((long double)word[2 * i + 1] + 0.5L) / 0x1p32L);
        assert_near(drawn[2 * i], (double)(length * cosl(angle)), 1e-12);
        assert_near(drawn[2 * i + 1], (double)(length * sinl(angle)), 1e-12);
      }
    }
}

/* The vectorised logarithm, cosine and sine against the C library's. */
static void test_normals_by_the_book(void **state)
{
  (void)state;
  double worst = 0.0;
  for (uint64_t round = 0; round < 50; round++) {
    ofw_rng_key k = {1, OFW_RNG_PROBE, round};
    ofw_rng_normal(k, 0, 4000, draws);
    for (size_t i = 0; i < 4000; i += 2) {
      long double u = ((long double)ofw_rng_word(k, i) + 0.5L) / 0x1p32L;
      long double angle = 2.0L * 3.14159265358979323846264L * (((long double)ofw_rng_word(k, i + 1) + 0.5L) / 0x1p32L);
      long double length = sqrtl(-2.0L * logl(u));
      worst = fmax(worst, (double)fabsl((long double)draws[i] - length * cosl(angle)));
      worst = fmax(worst, (double)fabsl((long double)draws[i + 1] - length * sinl(angle)));
    }
  }
  assert_true(worst < 1e-13);
}

static void test_directions(void **state)
{
  (void)state;
  static const size_t dims[] = {1, 2, 3, 10, 1001};
  static double u[1001];
  for (size_t k = 0; k < sizeof dims / sizeof *dims; k++) {
    size_t n = dims[k];
    double mean = 0.0, square = 0.0;
    enum { ROUNDS = 2000 };
    for (uint64_t t = 1; t <= ROUNDS; t++) {
      ofw_rng_direction((ofw_rng_key){3, OFW_RNG_LOSS, t}, n, u);
      assert_near(slow_norm(n, u), 1.0, 1e-14);
      mean += u[n - 1];
      square += u[0] * u[0];
    }
    double sd = sqrt(1.0 / (double)n / ROUNDS); /* E u_i^2 = 1/n */
    assert_at_most(fabs(mean / ROUNDS), 4.0 * sd);
    assert_near(square / ROUNDS, 1.0 / (double)n, 4.0 * sqrt(2.0) / (double)n / sqrt(ROUNDS) + 1e-14);
  }
}

static void test_independent_keys(void **state)
{
  (void)state;
  enum { N = 20000 };
  static double a[N], b[N];
  static const ofw_rng_key others[] = {
      {43, OFW_RNG_LOSS, 7},
      {42 + (1ull << 32), OFW_RNG_LOSS, 7},
      {42 + (1ull << 63), OFW_RNG_LOSS, 7},
      {42, OFW_RNG_CONSTRAINT, 7},
      {42, OFW_RNG_ORDER, 7},
      {42, OFW_RNG_LOSS, 8},
      {42, OFW_RNG_LOSS, 7 + (1ull << 32)},
      {7, OFW_RNG_LOSS, 42},
  };
  ofw_rng_uniform(key, 0, N, a);
  for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
    ofw_rng_uniform(others[k], 0, N, b);
    for (size_t shift = 0; shift < 5; shift++) {
      double correlation = 3.0 * slow_dot(N - shift, a, b + shift) / sqrt((double)N);
      assert_at_most(fabs(correlation), 4.5);
    }
    size_t same = 0;
    for (size_t i = 0; i < N; i++)
      same += ofw_rng_word(key, i) == ofw_rng_word(others[k], i);
    assert_int_equal(same, 0);
  }
}

/* Each of the 24 orders of four, as often as the others; a list of one or none stays. */
static void test_shuffle(void **state)
{
  (void)state;
  enum { TIMES = 24000 };
  size_t seen[256] = {0};
  uint32_t one = 5;
  for (uint64_t t = 1; t <= TIMES; t++) {
    uint32_t list[] = {0, 1, 2, 3};
    ofw_rng_shuffle((ofw_rng_key){42, OFW_RNG_ORDER, t}, 4, list);
    seen[64 * list[0] + 16 * list[1] + 4 * list[2] + list[3]]++;
  }
  size_t orders = 0;
  for (size_t k = 0; k < 256; k++) {
    orders += seen[k] > 0;
    if (seen[k])
      assert_near((double)seen[k], TIMES / 24.0, 4.5 * sqrt(TIMES / 24.0));
  }
  assert_int_equal(orders, 24);
  ofw_rng_shuffle(key, 1, &one);
  ofw_rng_shuffle(key, 0, &one);
  assert_int_equal(one, 5);
}

/* Many at a time as one at a time, whatever the window. */
static void test_many_at_a_time(void **state)
{
  (void)state;
  enum { MOST = 1600 };
  double unit[MOST];
  uint32_t list[MOST], slow[MOST];
  for (size_t from = 0; from < 6; from++)
    for (size_t n = 0; n <= MOST; n += 1 + n / 3) {
      ofw_rng_units(key, from, n, unit);
      for (size_t k = 0; k < n; k++)
        assert_bits(unit[k], ofw_rng_unit(key, from + k));
    }
  for (size_t n = 1; n <= MOST; n += 1 + n / 7) {
    for (size_t k = 0; k < n; k++)
      list[k] = slow[k] = (uint32_t)k;
    ofw_rng_shuffle(key, n, list);
    for (size_t k = n - 1; k > 0; k--) {
      size_t other = (size_t)((uint64_t)ofw_rng_word(key, k) * (k + 1) >> 32);
      uint32_t kept = slow[k];
      slow[k] = slow[other];
      slow[other] = kept;
    }
    assert_memory_equal(list, slow, n * sizeof *list);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_known_answers),
      cmocka_unit_test(test_shuffle),
      cmocka_unit_test(test_many_at_a_time),
      cmocka_unit_test(test_any_window),
      cmocka_unit_test(test_uniform),
      cmocka_unit_test(test_unit),
      cmocka_unit_test(test_normal),
      cmocka_unit_test(test_directions),
      cmocka_unit_test(test_independent_keys),
      cmocka_unit_test(test_normals_at_the_ends),
      cmocka_unit_test(test_normals_by_the_book),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
