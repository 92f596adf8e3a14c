#include "unit/domain/oracle_check.h"
#include "vector/vec_arithmetic.h"

#include <unistd.h>

static const char mixed[] = "product:parts=(simplex:dim=3,sum=2;l1-ball:dim=2,radius=1.5;"
                            "product:parts=(box:dim=2,lower=1,upper=3;k-sparse:dim=3,k=2))";

/* The sum over the parts, each by its own formula. */
static long double least_of_parts(size_t n, const double *d, const void *set)
{
  (void)set, (void)n;
  long double simplex = INFINITY, ball = 0.0L, box = 0.0L, size[3], sizes = 0.0L, smallest = INFINITY;
  for (size_t i = 0; i < 3; i++)
    simplex = fminl(simplex, 2.0L * d[i]);
  for (size_t i = 3; i < 5; i++)
    ball = fmaxl(ball, fabsl(d[i]));
  for (size_t i = 5; i < 7; i++)
    box += fminl(1.0L * d[i], 3.0L * d[i]);
  for (size_t i = 0; i < 3; i++) {
    sizes += size[i] = fabsl(d[7 + i]);
    smallest = fminl(smallest, size[i]);
  }
  return simplex - 1.5L * ball + box - (sizes - smallest);
}

static void the_parts_together(void **state)
{
  (void)state;
  ofw_domain *K = domain_of(mixed);
  assert_int_equal(ofw_domain_dim(K), 10);
  is_least(K, 10000, least_of_parts, NULL);
  ofw_domain_free(K);
}

/* The same bits as the parts on their own, projections too. */
static void part_by_part(void **state)
{
  (void)state;
  static const char *const spec[] = {"simplex:dim=3,sum=2", "l1-ball:dim=2,radius=1.5", "box:dim=2,lower=1,upper=3",
                                     "k-sparse:dim=3,k=2"};
  ofw_domain *K = domain_of(mixed), *part[4];
  chance c = {2};
  double d[10], v[10], w[10], centre[10], own[10], square = 0.0, r = INFINITY;
  size_t at = 0;
  for (size_t k = 0; k < 4; k++) {
    part[k] = domain_of(spec[k]);
    ofw_domain_centre(part[k], own + at);
    square += part[k]->R * part[k]->R;
    r = fmin(r, part[k]->r);
    at += ofw_domain_dim(part[k]);
  }
  for (int t = 0; t < 2000; t++) {
    random_direction(&c, 10, d);
    ask(K, d, v);
    at = 0;
    for (size_t k = 0; k < 4; at += ofw_domain_dim(part[k++]))
      ask(part[k], d + at, w + at);
    assert_memory_equal(v, w, sizeof v);
    assert_int_equal(ofw_domain_project(K, d, v, NULL), OFW_OK);
    at = 0;
    for (size_t k = 0; k < 4; at += ofw_domain_dim(part[k++]))
      assert_int_equal(ofw_domain_project(part[k], d + at, w + at, NULL), OFW_OK);
    assert_memory_equal(v, w, sizeof v);
  }
  ofw_domain_centre(K, centre);
  assert_memory_equal(centre, own, sizeof own);
  assert_near(K->R, sqrt(square), 1e-14L);
  assert_true(K->r == r);
  for (size_t k = 0; k < 4; k++)
    ofw_domain_free(part[k]);
  ofw_domain_free(K);
}

static void shape_and_start(void **state)
{
  (void)state;
  size_t rows, cols;
  ofw_domain *K = domain_of(mixed), *about_0 = domain_of("product:parts=(l1-ball:dim=2;trace-ball:rows=2,cols=3)");
  ofw_domain *inside = domain_of("product:parts=(hypercube01:dim=2;unit-simplex:dim=3)");
  ofw_domain_shape(about_0, &rows, &cols);
  assert_true(rows == 8 && cols == 1);
  assert_true(K->from_centre == 1 && about_0->from_centre == 0 && inside->from_centre == 0);
  assert_true(!about_0->centre && inside->centre);
  assert_true(ofw_domain_excess(K, (double[]){2, 0, 0, 1, 0.5, 1, 3, 1, 0, 1}) == 0.0);
  assert_true(ofw_domain_excess(K, (double[]){2, 0, 0, 1, 0.5, 1, 3.5, 1, 0, 1}) == 0.5);
  assert_true(ofw_domain_excess(K, (double[]){3, 0, 0, 1, 0.5, 1, 3.5, 1, 0, 1}) == 1.0);
  ofw_domain_free(K);
  ofw_domain_free(about_0);
  ofw_domain_free(inside);
}

/* One of each part that has one, in its place: orthonormal, and 0 along every difference of two points. */
static void normals(void **state)
{
  (void)state;
  ofw_domain *K =
      domain_of("product:parts=(l1-ball:dim=2;simplex:dim=3;box:dim=1,lower=0,upper=1;hypersimplex:dim=4,k=2)");
  chance c = {3};
  double normal[2][10], a[10], b[10];
  assert_int_equal(K->normals, 2);
  for (size_t k = 0; k < 2; k++)
    ofw_sum_dense((ofw_sum){1, &K->normal[k]}, 10, normal[k]);
  assert_near(slow_dot(10, normal[0], normal[0]), 1.0L, 1e-15L);
  assert_near(slow_dot(10, normal[1], normal[1]), 1.0L, 1e-15L);
  assert_true(slow_dot(10, normal[0], normal[1]) == 0.0L);
  for (int t = 0; t < 200; t++) {
    random_feasible(K, &c, a);
    random_feasible(K, &c, b);
    for (size_t i = 0; i < 10; i++)
      a[i] -= b[i];
    assert_near(slow_dot(10, normal[0], a), 0.0L, 1e-15L);
    assert_near(slow_dot(10, normal[1], a), 0.0L, 1e-15L);
  }
  ofw_domain_free(K);
}

/* More terms than an engine likes: the atom is written out. */
static void many_parts(void **state)
{
  (void)state;
  enum { PARTS = 100, N = 3 * PARTS };
  ofw_text spec = {0};
  for (size_t k = 0; k < PARTS; k++)
    ofw_text_add(&spec, "%ssimplex:dim=3,sum=%zu", k ? ";" : "product:parts=(", k + 1);
  ofw_text_add(&spec, ")");
  opened o = open_seeded(domain_of(spec.chars), 1);
  chance c = {4};
  double d[N], v[N];
  for (int t = 0; t < 50; t++) {
    ofw_answer found;
    long double want = 0.0L;
    chance_normals(&c, N, d);
    assert_int_equal(answer(o, d, 1e-3, INFINITY, &found), OFW_OK);
    assert_int_equal(found.atom.n, 1);
    ofw_sum_dense(found.atom, N, v);
    for (size_t k = 0; k < PARTS; k++)
      want += (long double)(k + 1) * fmin(d[3 * k], fmin(d[3 * k + 1], d[3 * k + 2]));
    assert_near(slow_dot(N, d, v), want, 1e-9L);
    assert_near(found.value, want, 1e-9L);
  }
  free(spec.chars);
  shut(o);
}

/* What iterative parts say adds up; of what the product may be off by, each has an equal share. */
static void errors_add_up(void **state)
{
  (void)state;
  opened one = open_seeded(domain_of("trace-ball:rows=30,cols=20"), 5);
  opened two = open_seeded(domain_of("trace-ball:rows=25,cols=30"), 5);
  opened both =
      open_seeded(domain_of("product:parts=(trace-ball:rows=30,cols=20;timed:of=(trace-ball:rows=25,cols=30))"), 5);
  double *d = room_for(1350);
  chance c = {6};
  for (int t = 0; t < 60; t++) {
    ofw_answer a, b, sum;
    double absolute = t % 2 ? 0.02 : INFINITY;
    chance_normals(&c, 1350, d);
    assert_int_equal(answer(one, d, 0.05, absolute / 2.0, &a), OFW_OK);
    assert_int_equal(answer(two, d + 600, 0.05, absolute / 2.0, &b), OFW_OK);
    assert_int_equal(answer(both, d, 0.05, absolute, &sum), OFW_OK);
    assert_true(sum.value == a.value + b.value && sum.error == a.error + b.error && sum.error > 0.0);
    assert_true(sum.error <= absolute && sum.passes == a.passes + b.passes && sum.proven == (a.proven && b.proven));
    assert_true(sum.seconds > 0.0);
  }
  free(d);
  shut(one);
  shut(two);
  shut(both);
}

/* What is visited: the parts' words, in their order. */
static ofw_status note(void *ctx, const char *name, void *item, size_t n)
{
  (void)name;
  assert_int_equal(n, 1);
  uint64_t **next = ctx, word;
  memcpy(&word, item, sizeof word);
  *(*next)++ = word;
  return OFW_OK;
}

static void the_parts_states(void **state)
{
  (void)state;
  opened o = open_seeded(domain_of("product:parts=(counted:of=(l1-ball:dim=2);box:dim=1,lower=0,upper=1;"
                                   "trace-ball:rows=1,cols=1)"),
                         1);
  uint64_t words[8] = {0}, *next = words;
  ofw_visitor v = {.words = note, .ctx = &next};
  ofw_answer out;
  for (int t = 0; t < 3; t++)
    assert_int_equal(answer(o, (double[]){1.0, 2.0, 3.0, 4.0}, 1e-3, INFINITY, &out), OFW_OK);
  assert_int_equal(o.K->ops->visit(o.work, &v), OFW_OK);
  assert_int_equal(next - words, 4); /* three counters and one number of starts */
  assert_true(words[0] == 3 && words[1] == 0 && words[2] == 0 && words[3] == 3);
  shut(o);
}

/* The same set from a file, which then is part of what it is. */
static void from_a_file(void **state)
{
  (void)state;
  char path[] = "/tmp/ofw_test_product_XXXXXX", spec[TEXT], words[TEXT];
  int fd = mkstemp(path);
  static const char text[] = "simplex:dim=3\n(box:dim=2,lower=0,upper=1) \r\nl1-ball:dim=1\n";
  assert_true(fd >= 0);
  assert_int_equal(write(fd, text, strlen(text)), strlen(text));
  say(spec, "product:parts=@%s", path);
  ofw_domain *K = domain_of(spec), *plain = domain_of("product:parts=(simplex:dim=3;box:dim=2,lower=0,upper=1)");
  assert_int_equal(ofw_domain_dim(K), 6);
  assert_true(K->content != 0 && plain->content == 0);
  uint32_t before = K->content;
  ofw_domain_free(K);
  ofw_domain_free(plain);
  assert_int_equal(write(fd, "box:dim=3\n", 10), 10);
  say(words,
      "product: part 4: box: lower is required (a number for all coordinates, (a,b,..), or @FILE with one per line)");
  refused(spec, OFW_USAGE, words);
  assert_int_equal(ftruncate(fd, 14), 0);
  K = domain_of(spec);
  assert_true(K->content != before && ofw_domain_dim(K) == 3);
  ofw_domain_free(K);
  close(fd);
  unlink(path);
}

static int least(void *ctx, const double *d, double *v)
{
  (void)ctx;
  *v = *d > 0.0 ? -1.0 : 1.0;
  return 0;
}

static void where_there_is_no_projection(void **state)
{
  (void)state;
  ofw_domain *K = domain_of("product:parts=(l1-ball:dim=2;l2-ball:dim=2)");
  assert_non_null(K->ops->project);
  ofw_domain_free(K);
  ofw_domain_callbacks own = {.size = sizeof own, .dim = 1, .R = 1.0, .r = 1.0, .minimise = least};
  K = ofw_domain_create_own(&own, NULL);
  assert_null(K->ops->project);
  ofw_domain_free(K);
}

static void too_many(void **state)
{
  (void)state;
  ofw_text spec = {0};
  ofw_text_add(&spec, "product:parts=(");
  for (int k = 0; k <= OFW_MOST_PARTS; k++)
    ofw_text_add(&spec, "%sl1-ball:dim=1", k ? ";" : "");
  ofw_text_add(&spec, ")");
  refused(spec.chars, OFW_USAGE, "product: line 65537: more than 65536 parts");
  free(spec.chars);
  refused("product:parts=(l1-ball:dim=600000000000;l1-ball:dim=600000000000)", OFW_USAGE,
          "product: more than 1000000000000 coordinates");
}

static void bad_specs(void **state)
{
  (void)state;
  misused("product", "", ": parts is required (the sets, as (spec;spec;..) or @FILE with one per line)");
  misused("product", ":parts=()", ": part 1: no domain ''; see 'ofw list'");
  misused("product", ":parts=(l1-ball:dim=2;)", ": part 2: no domain ''; see 'ofw list'");
  misused("product", ":parts=(l1-ball:dim=2;l1-ball:dim=0)", ": part 2: l1-ball: dim=0 is not in [1, 1e+12]");
  misused("product", ":parts=(l1-ball:dim=2;product:parts=(simplex:dim=2;simplx:dim=3))",
          ": part 2: product: part 2: no domain 'simplx'; did you mean 'simplex'?");
  misused("product", ":parts=(l1-ball:dim=2),of=3", ": no option 'of'; its options: parts");
  refused("product:parts=@/no/such/file", OFW_BAD_DATA,
          "product: cannot read /no/such/file: No such file or directory");
}

/* A product within a product within .. ends in one line. */
static void nested_so_deep(void **state)
{
  (void)state;
  for (size_t depth = 1; depth < 12; depth++) {
    ofw_text spec = {0};
    ofw_error err = {0};
    for (size_t k = 0; k < depth; k++)
      ofw_text_add(&spec, "product:parts=(l1-ball:dim=1;");
    ofw_text_add(&spec, "l1-ball:dim=2");
    for (size_t k = 0; k < depth; k++)
      ofw_text_add(&spec, ")");
    ofw_domain *K = ofw_domain_create(spec.chars, &err);
    assert_true((K != NULL) == (depth <= OFW_MOST_NESTING));
    assert_true(!K || ofw_domain_dim(K) == depth + 2);
    if (!K)
      assert_non_null(strstr(err.message, ": domains are nested more than 8 deep"));
    ofw_domain_free(K);
    free(spec.chars);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_parts_together),
      cmocka_unit_test(part_by_part),
      cmocka_unit_test(shape_and_start),
      cmocka_unit_test(normals),
      cmocka_unit_test(many_parts),
      cmocka_unit_test(errors_add_up),
      cmocka_unit_test(the_parts_states),
      cmocka_unit_test(from_a_file),
      cmocka_unit_test(where_there_is_no_projection),
      cmocka_unit_test(too_many),
      cmocka_unit_test(bad_specs),
      cmocka_unit_test(nested_so_deep),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
