/* After its first round no learner allocates. The linker sends the library's allocations through the counters here. */
#include "property/everything.h"

#include <stdlib.h>

static size_t allocations;

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t item);
void *__real_realloc(void *at, size_t n);
void *__real_aligned_alloc(size_t boundary, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t item);
void *__wrap_realloc(void *at, size_t n);
void *__wrap_aligned_alloc(size_t boundary, size_t n);

void *__wrap_malloc(size_t n)
{
  allocations++;
  return __real_malloc(n);
}

void *__wrap_calloc(size_t n, size_t item)
{
  allocations++;
  return __real_calloc(n, item);
}

void *__wrap_realloc(void *at, size_t n)
{
  allocations++;
  return __real_realloc(at, n);
}

void *__wrap_aligned_alloc(size_t boundary, size_t n)
{
  allocations++;
  return __real_aligned_alloc(boundary, n);
}

/* What is factored grows as long as new entries come. */
static void counts(const setting *s)
{
  enum { ROUNDS = 30 };
  if (is_factored(s))
    return;
  ofw_domain *K = make_domain(s->domain);
  ofw_stream *stream = make_stream("quadratic", K, ROUNDS, 3);
  size_t before = allocations;
  ofw_learner *l = make_learner(s, K, ROUNDS, ofw_stream_constants(stream), 0, NULL);
  assert_true(allocations > before); /* the counters do count */
  for (uint64_t t = 1; t <= ROUNDS; t++) {
    const ofw_point *x;
    ofw_full fb = {0};
    assert_int_equal(ofw_stream_reveal(stream, t, (ofw_learner_decide(l, &x), x), &fb), OFW_OK);
    before = allocations;
    assert_int_equal(tell(l, &fb), OFW_OK);
    assert_int_equal(ofw_learner_decide(l, &x), OFW_OK);
    if (t > 1 && allocations != before)
      fail_msg("%s %s %s round %d: %d allocations", s->learner, s->option, s->domain, (int)t,
               (int)(allocations - before));
  }
  ofw_learner_free(l);
  ofw_stream_free(stream);
  ofw_domain_free(K);
}

static void test_no_malloc_after_round_one(void **unused)
{
  (void)unused;
  for_each_setting(counts);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_malloc_after_round_one)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
