/* test_ranks.c — sums over ranks, which are threads here: against a slow sum along the tree, for many numbers of ranks */
#include "base/ranks.h"
#include "unit/base/check.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 9 };

/* ---- ranks that are threads: everybody shows what he sends, and takes what is his ---- */

typedef struct meeting {
  pthread_barrier_t all;
  const void *shown[MOST];
  const size_t *counts[MOST];
} meeting;

typedef struct thread_rank {
  ofw_ranks base;
  meeting *at;
} thread_rank;

static meeting *show(const ofw_ranks *r, const void *what, const size_t *counts)
{
  meeting *m = ((const thread_rank *)r)->at;
  m->shown[r->rank] = what;
  m->counts[r->rank] = counts;
  pthread_barrier_wait(&m->all);
  return m;
}

static void deal(const ofw_ranks *r, const double *from, const size_t *sent, double *to, const size_t *got)
{
  meeting *m = show(r, from, sent);
  for (size_t rank = 0; rank < r->count; rank++) {
    const double *at = m->shown[rank];
    for (size_t k = 0; k < r->rank; k++)
      at += m->counts[rank][k];
    assert_int_equal(m->counts[rank][r->rank], got[rank]);
    memcpy(to, at, got[rank] * sizeof *to);
    to += got[rank];
  }
  pthread_barrier_wait(&m->all);
}

static void collect(const ofw_ranks *r, const double *from, double *to, const size_t *got)
{
  meeting *m = show(r, from, got);
  for (size_t rank = 0; rank < r->count; to += got[rank++])
    if (to != m->shown[rank]) /* others read it */
      memmove(to, m->shown[rank], got[rank] * sizeof *to);
  pthread_barrier_wait(&m->all);
}

static void spread(const ofw_ranks *r, size_t from, void *bytes, size_t n)
{
  meeting *m = show(r, bytes, NULL);
  if (from != r->rank)
    memcpy(bytes, m->shown[from], n);
  pthread_barrier_wait(&m->all);
}

/* Every rank does it. */
static void together(size_t ranks, void *(*what)(void *))
{
  meeting m;
  thread_rank rank[MOST];
  pthread_t thread[MOST];
  pthread_barrier_init(&m.all, NULL, (unsigned)ranks);
  for (size_t k = 0; k < ranks; k++) {
    rank[k] = (thread_rank){{k, ranks, deal, collect, spread}, &m};
    assert_int_equal(pthread_create(&thread[k], NULL, what, &rank[k]), 0);
  }
  for (size_t k = 0; k < ranks; k++)
    pthread_join(thread[k], NULL);
  pthread_barrier_destroy(&m.all);
}

/* ---- sums ---- */

/* Number k of a band, of many sizes, so that every other order of a sum has other last digits. */
static double number(size_t band, size_t k)
{
  uint64_t x = (band * 2654435761u + k * 40503u + 12345u) * 0x9e3779b97f4a7c15u;
  return ((double)(x >> 40) - 8388608.0) * (double)(1u << (x & 15));
}

static double slow_sum(size_t band, size_t bands, size_t k)
{
  return bands == 1 ? number(band, k) : slow_sum(band, bands / 2, k) + slow_sum(band + bands / 2, bands / 2, k);
}

static const size_t *shapes(size_t *n)
{
  static const size_t rows_and_numbers[][2] = {{1000, 1},    {1000, 7},           {64, 3},     {5, 2},
                                               {1 << 25, 3}, {1000, 65536 + 900}, {1000, 5000}};
  *n = sizeof rows_and_numbers / sizeof *rows_and_numbers;
  return &rows_and_numbers[0][0];
}

/* Depends on the number's place; done twice, or for another place, it gives something else. */
static void finish(void *ctx, size_t from, size_t n, double *sum)
{
  (void)ctx;
  for (size_t k = 0; k < n; k++)
    sum[k] = 3.0 * sum[k] + (double)(from + k);
}

typedef struct filling {
  const ofw_split *s;
  size_t n;
} filling;

static void fill_line(void *ctx, size_t part, double *line)
{
  const filling *f = ctx;
  for (size_t k = 0; k < f->n; k++)
    line[k] = number(f->s->band + part, k);
}

static void fill(const ofw_split *s, size_t n, size_t stride, double *part)
{
  for (size_t b = 0; b < s->bands_here; b++)
    fill_line(&(filling){s, n}, b, part + b * stride);
}

/* The runs of this rank's bands, and no other numbers, are there. */
static void check_own(const ofw_split *s, size_t n, const double *out)
{
  size_t here = 0, there = 0;
  for (size_t part = 0; part < s->bands_here; part++)
    for (size_t block = 0; block < ofw_split_blocks(s, n); block++) {
      size_t from, to;
      ofw_split_run(s, n, part, block, &from, &to);
      here += to - from;
      for (size_t k = from; k < to; k++)
        assert_true(out[k] == out[k]);
    }
  for (size_t k = 0; k < n; k++)
    there += isnan(out[k]) ? 0 : 1;
  assert_int_equal(here, there);
}

static void *add_up(void *ctx)
{
  size_t count;
  const size_t *shape = shapes(&count);
  for (size_t i = 0; i < count; i++, shape += 2) {
    ofw_owned own = {0};
    const ofw_split *s;
    size_t n = shape[1], stride = n + 2;
    assert_int_equal(ofw_split_open(&own, ctx, shape[0], &s, NULL), OFW_OK);
    double *part = ofw_owned_doubles(&own, s->bands_here * stride), *out = ofw_owned_doubles(&own, n);
    fill(s, n, stride, part);
    ofw_split_add(s, n, part, stride, out);
    for (size_t k = 0; k < n; k += 1 + n / 50)
      assert_true(out[k] == slow_sum(0, s->bands, k));
    ofw_split_fill(s, n, part, stride, fill_line, &(filling){s, n});
    for (size_t k = 0; k < n; k++)
      out[k] = NAN;
    ofw_split_add_own(s, n, part, stride, finish, NULL, out);
    check_own(s, n, out);
    ofw_split_gather(s, n, out);
    for (size_t k = 0; k < n; k += 1 + n / 50)
      assert_true(out[k] == 3.0 * slow_sum(0, s->bands, k) + (double)k);
    ofw_owned_free(&own);
  }
  return NULL;
}

static void test_the_same_bits_for_any_number_of_ranks(void **state)
{
  (void)state;
  for (size_t ranks = 1; ranks <= MOST; ranks++)
    together(ranks, add_up);
}

/* ---- who has which rows ---- */

static void *rows_are_shared(void *ctx)
{
  const ofw_ranks *r = ctx;
  static const size_t all[] = {1, 3, 63, 64, 65, 1000, 1 << 20, 100000000};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    ofw_owned own = {0};
    const ofw_split *s;
    size_t first, here, before;
    assert_int_equal(ofw_split_open(&own, r, all[i], &s, NULL), OFW_OK);
    assert_int_equal(ofw_ranks_total(r, s->here, &before), all[i]);
    assert_int_equal(before, s->first);
    ofw_split_rows(s, r->rank, r->count, &first, &here);
    assert_true(first == s->first && here == s->here);
    for (size_t part = 0; part < s->bands_here; part++) {
      size_t from = ofw_split_begin(s, s->here, part), to = ofw_split_begin(s, s->here, part + 1);
      if (from < to) {
        assert_int_equal(ofw_split_part(s, from), part);
        assert_int_equal(ofw_split_part(s, to - 1), part);
      }
      size_t cell[] = {0, from * 3, from * 3 + 2, to * 3 + 1}; /* of a matrix of 3 columns */
      size_t cut = ofw_split_cut(s, 3, from > 0 ? 4 : 0, cell, 0, part);
      assert_int_equal(cut, from > 0 && part > 0 ? 1 : 0);
    }
    assert_int_equal(ofw_split_begin(s, s->here, s->bands_here), s->here);
    ofw_owned_free(&own);
  }
  return NULL;
}

static void test_rows_are_shared(void **state)
{
  (void)state;
  for (size_t ranks = 1; ranks <= MOST; ranks++)
    together(ranks, rows_are_shared);
}

static void test_more_ranks_than_bands_are_refused(void **state)
{
  (void)state;
  ofw_ranks many = {.rank = 0, .count = 17};
  ofw_owned own = {0};
  const ofw_split *s;
  ofw_error err = {0};
  assert_int_equal(ofw_split_open(&own, &many, 1000, &s, &err), OFW_USAGE);
  assert_string_equal(err.message, "17 ranks are too many for 1000 rows, of which 16 bands are made; use at most 16");
  ofw_owned_free(&own);
}

/* ---- agreement ---- */

static void *agree(void *ctx)
{
  const ofw_ranks *r = ctx;
  double x[5000];
  for (size_t k = 0; k < 5000; k++)
    x[k] = (double)(k * (r->rank + 1));
  ofw_ranks_count(r, 5000, x);
  for (size_t k = 0; k < 5000; k++)
    assert_true(x[k] == (double)(k * r->count * (r->count + 1) / 2));
  assert_true(ofw_ranks_largest(r, -(double)r->rank) == 0.0);
  assert_int_equal(ofw_ranks_any(r, 0), 0);
  assert_int_equal(ofw_ranks_any(r, r->rank + 1 == r->count), 1);
  ofw_error err = {0};
  assert_int_equal(ofw_ranks_agree(r, OFW_OK, &err), OFW_OK);
  ofw_status st = OFW_OK;
  if (r->rank >= r->count / 2)
    st = ofw_fail(&err, OFW_BAD_DATA, "rank %zu", r->rank);
  char first[32];
  snprintf(first, sizeof first, "rank %zu", r->count / 2);
  assert_int_equal(ofw_ranks_agree(r, st, &err), OFW_BAD_DATA);
  assert_string_equal(err.message, first);
  return NULL;
}

static void test_all_ranks_agree(void **state)
{
  (void)state;
  for (size_t ranks = 1; ranks <= MOST; ranks++)
    together(ranks, agree);
}

/* Without ranks everything is here, and a sum is what it was. */
static void test_one_process(void **state)
{
  (void)state;
  const ofw_split *s;
  double part[] = {1.5, 2.5}, out[2];
  size_t before = 9;
  assert_int_equal(ofw_split_open(NULL, NULL, 10, &s, NULL), OFW_OK);
  assert_null(s);
  assert_true(ofw_split_parts(NULL) == 1 && ofw_split_begin(NULL, 10, 0) == 0 && ofw_split_begin(NULL, 10, 1) == 10);
  assert_true(ofw_split_cut(NULL, 3, 7, NULL, 0, 0) == 0 && ofw_split_cut(NULL, 3, 7, NULL, 0, 1) == 7);
  ofw_split_add(NULL, 2, part, 2, out);
  assert_true(out[0] == 1.5 && out[1] == 2.5);
  assert_true(ofw_ranks_total(NULL, 4, &before) == 4 && before == 0);
  assert_true(ofw_ranks_largest(NULL, 3.0) == 3.0 && ofw_ranks_any(NULL, 1) && !ofw_ranks_any(NULL, 0));
  assert_int_equal(ofw_ranks_agree(NULL, OFW_USAGE, NULL), OFW_USAGE);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_the_same_bits_for_any_number_of_ranks),
      cmocka_unit_test(test_rows_are_shared),
      cmocka_unit_test(test_more_ranks_than_bands_are_refused),
      cmocka_unit_test(test_all_ranks_agree),
      cmocka_unit_test(test_one_process),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
