#include "unit/domain/polytope_check.h"
#include "vector/vec_arithmetic.h"

/* d over the power of two that makes it about 1: the same vertices, and numbers that a plain solver can take. */
static double about_one(size_t n, const double *d, double *out)
{
  int most = 0;
  double largest = 0.0;
  for (size_t i = 0; i < n; i++)
    largest = fmax(largest, fabs(d[i]));
  frexp(largest, &most);
  for (size_t i = 0; i < n; i++)
    out[i] = ldexp(d[i], -most);
  return ldexp(1.0, most);
}

/* Random polytopes, random directions at all scales, CLP asked for each from nothing. */
static void as_clp_has_it(void **state)
{
  (void)state;
  static const size_t shape[][3] = {{2, 3, 0}, {3, 6, 1}, {5, 10, 0}, {8, 12, 2}, {13, 40, 3}, {30, 60, 5}};
  chance c = {11};
  for (size_t k = 0; k < 6; k++) {
    slow_polytope p;
    random_polytope(&c, shape[k][0], shape[k][1], shape[k][2], &p);
    ofw_domain *K = domain_of_polytope(&p);
    lp slow = lp_of_polytope(&p);
    double d[MOST_DIM], one[MOST_DIM], v[MOST_DIM], y[MOST_DIM];
    for (int t = 0; t < 1700; t++) {
      random_direction(&c, p.n, d);
      long double got = ask_nearly(K, d, v), scale = about_one(p.n, d, one);
      assert_near(got / scale, lp_least(slow, one, NULL), 1e-7L * slow_norm(p.n, one)); /* CLP's own tolerance */
      if (t % 8 == 0) {
        random_feasible(K, &c, y);
        assert_at_most(ofw_domain_excess(K, y), 1e-13L * K->R);
        assert_at_most(got, slow_dot(p.n, d, y) + 1e-13L * K->R * slow_norm(p.n, d));
      }
    }
    lp_close(slow);
    ofw_domain_free(K);
  }
}

/* The point where these rows and bounds, n of them, hold with equality; 0: they do not say which. */
static int meet(size_t n, long double m[][MOST_DIM + 1], long double *x)
{
  for (size_t k = 0; k < n; k++) {
    size_t top = k;
    for (size_t i = k; i < n; i++)
      top = fabsl(m[i][k]) > fabsl(m[top][k]) ? i : top;
    if (fabsl(m[top][k]) < 1e-12L)
      return 0;
    for (size_t j = 0; j <= n; j++) {
      long double swap = m[k][j];
      m[k][j] = m[top][j];
      m[top][j] = swap;
    }
    for (size_t i = 0; i < n; i++)
      for (size_t j = n + 1; i != k && j-- > k;)
        m[i][j] -= m[i][k] / m[k][k] * m[k][j];
  }
  for (size_t k = 0; k < n; k++)
    x[k] = m[k][n] / m[k][k];
  return 1;
}

enum { MOST_VERTICES = 2000 };

typedef struct vertex_list {
  size_t n, count;
  long double x[MOST_VERTICES][MOST_DIM];
} vertex_list;

static void keep_if_inside(vertex_list *list, size_t sides, long double side[MOST_SIDES][MOST_DIM + 1],
                           const long double *x)
{
  for (size_t k = 0; k < sides; k++) {
    long double at = -side[k][list->n];
    for (size_t j = 0; j < list->n; j++)
      at += side[k][j] * x[j];
    if (at > 1e-12L)
      return;
  }
  assert_true(list->count < MOST_VERTICES);
  memcpy(list->x[list->count++], x, list->n * sizeof *x);
}

/* All vertices: wherever n sides meet and no other is broken. */
static void all_vertices(const slow_polytope *p, vertex_list *list)
{
  long double side[MOST_SIDES][MOST_DIM + 1], m[8][MOST_DIM + 1], x[MOST_DIM];
  size_t sides = sides_of(p, side), pick[8], n = p->n;
  *list = (vertex_list){.n = n};
  for (size_t k = 0; k < n; k++)
    pick[k] = k;
  for (;;) {
    for (size_t k = 0; k < n; k++)
      memcpy(m[k], side[pick[k]], sizeof m[k]);
    if (meet(n, m, x))
      keep_if_inside(list, sides, side, x);
    size_t k = n;
    while (k > 0 && pick[k - 1] == sides - n + k - 1)
      k--;
    if (k == 0)
      return;
    pick[k - 1]++;
    for (; k < n; k++)
      pick[k] = pick[k - 1] + 1;
  }
}

/* Exactly the least over all vertices, at any scale; v is one of them. */
static void as_all_vertices_have_it(void **state)
{
  (void)state;
  static vertex_list list;
  static const size_t shape[][3] = {{2, 4, 0}, {3, 3, 0}, {3, 4, 1}, {4, 3, 0}};
  chance c = {12};
  for (size_t k = 0; k < 4; k++) {
    slow_polytope p;
    random_polytope(&c, shape[k][0], shape[k][1], shape[k][2], &p);
    ofw_domain *K = domain_of_polytope(&p);
    all_vertices(&p, &list);
    assert_true(list.count > 1);
    for (int t = 0; t < 2500; t++) {
      double d[MOST_DIM], v[MOST_DIM];
      long double least = INFINITY, nearest = INFINITY;
      random_direction(&c, p.n, d);
      long double got = ask_nearly(K, d, v);
      for (size_t i = 0; i < list.count; i++) {
        long double at = 0.0L, away = 0.0L;
        for (size_t j = 0; j < p.n; j++) {
          at += d[j] * list.x[i][j];
          away = fmaxl(away, fabsl(v[j] - list.x[i][j]));
        }
        least = fminl(least, at);
        nearest = fminl(nearest, away);
      }
      assert_near(got, least, 1e-13L * K->R * slow_norm(p.n, d));
      assert_at_most(nearest, 1e-13L * K->R);
    }
    ofw_domain_free(K);
  }
}

/* Prices far below CLP's tolerances decide: x1 as low as it gets wants x2 high, which wants x3 low, .. */
static void small_prices_count(void **state)
{
  (void)state;
  enum { N = 24 };
  char spec[4096] = "polytope:rows=(x24<=1;x24>=-1";
  for (int j = 1; j < N; j++)
    snprintf(spec + strlen(spec), sizeof spec - strlen(spec), ";x%d+0.3x%d<=1;x%d+0.3x%d>=-1", j, j + 1, j, j + 1);
  strcat(spec, ")");
  ofw_domain *K = domain_of(spec);
  double d[N] = {1.0}, v[N];
  long double x[N + 1] = {0};
  for (int j = N; j-- > 0;) /* signs alternate: x_j = +-1 - 0.3 x_(j + 1) */
    x[j] = (j % 2 ? 1.0L : -1.0L) - 0.3L * x[j + 1];
  ask_nearly(K, d, v);
  for (int j = 0; j < N; j++)
    assert_near(v[j], x[j], 1e-14L);
  ofw_domain_free(K);
}

/* ---- what outlasts a call ---- */

typedef struct words {
  uint64_t word[64];
  size_t count;
  int load;
} words;

static ofw_status take(void *ctx, const char *name, void *item, size_t n)
{
  words *w = ctx;
  assert_string_equal(name, "polytope.basis");
  assert_true(n <= 64);
  w->count = n;
  memcpy(w->load ? item : (void *)w->word, w->load ? (void *)w->word : item, n * sizeof *w->word);
  return OFW_OK;
}

static void pass_state(opened from, opened to)
{
  words w = {.load = 0};
  ofw_visitor v = {.words = take, .ctx = &w};
  assert_int_equal(from.K->ops->visit(from.work, &v), OFW_OK);
  w.load = 1;
  assert_int_equal(to.K->ops->visit(to.work, &v), OFW_OK);
}

/* An answer depends on d and on the state that is saved, and on nothing else that a workspace has been through. In whole
 * directions vertices tie. K is given back. */
static void state_is_all(ofw_domain *K, int whole)
{
  chance c = {13};
  size_t n = ofw_domain_dim(K);
  opened a = open_seeded(K, 1), b = open_seeded(K, 2), other = open_seeded(K, 3);
  double moving[MOST_DIM], d[MOST_DIM], v[2][MOST_DIM];
  for (int t = 0; t < 3000; t++) {
    if (t % 7 == 0)
      random_direction(&c, n, moving);
    for (size_t i = 0; i < n; i++) {
      moving[i] *= 1.0 + 0.05 * chance_normal(&c); /* slowly */
      d[i] = whole ? (double)chance_below(&c, 4) : moving[i];
    }
    ofw_answer got[3];
    if (t % 3 == 0) {
      shut((opened){ofw_domain_keep(K), b.work});
      b = open_seeded(K, 4);
    }
    pass_state(a, b);
    for (int k = 0; k < 2; k++) {
      assert_int_equal(answer(k ? b : a, d, 1e-9, INFINITY, &got[k]), OFW_OK);
      ofw_sum_dense(got[k].atom, n, v[k]);
    }
    assert_memory_equal(v[0], v[1], n * sizeof **v);
    assert_true(got[0].value == got[1].value && got[0].error == got[1].error && got[0].proven && got[1].proven);
    assert_int_equal(answer(other, d, 1e-9, INFINITY, &got[2]), OFW_OK);
    assert_near(got[2].value, got[0].value, 1e-13L * K->R * slow_norm(n, d));
  }
  K->ops->close(b.work);
  K->ops->close(other.work);
  shut(a);
}

static void the_state_is_all(void **state)
{
  (void)state;
  chance c = {13};
  slow_polytope p;
  random_polytope(&c, 12, 30, 2, &p);
  state_is_all(domain_of_polytope(&p), 0);
}

/* Assignments: every vertex is degenerate. */
static void the_state_settles_ties(void **state)
{
  (void)state;
  enum { N = 5 };
  char spec[2048] = "polytope:rows=(dim 25";
  size_t length = strlen(spec);
  for (int i = 0; i < 2 * N; i++) {
    for (int k = 0; k < N; k++)
      length += (size_t)snprintf(spec + length, sizeof spec - length, "%cx%d", k ? '+' : ';',
                                 (i < N ? i * N + k : k * N + i - N) + 1);
    length += (size_t)snprintf(spec + length, sizeof spec - length, "=1");
  }
  for (int k = 0; k < N * N; k++)
    length += (size_t)snprintf(spec + length, sizeof spec - length, ";x%d>=0", k + 1);
  snprintf(spec + length, sizeof spec - length, ")");
  state_is_all(domain_of(spec), 1);
}

/* A basis that is none, or a bad one, costs time and nothing else. */
static void any_state_will_do(void **state)
{
  (void)state;
  chance c = {14};
  slow_polytope p;
  random_polytope(&c, 6, 12, 1, &p);
  ofw_domain *K = domain_of_polytope(&p);
  opened o = open_seeded(K, 1), fresh = open_seeded(K, 1);
  double d[MOST_DIM];
  for (int t = 0; t < 2000; t++) {
    words w = {.load = 1};
    unsigned char *byte = (unsigned char *)w.word;
    for (size_t i = 0; i < p.n + p.rows; i++)
      byte[i] = (unsigned char)chance_below(&c, t % 2 ? 256 : 6);
    size_t basic = 0;
    for (size_t i = 0; i < p.n + p.rows && t % 4 == 0; i++) { /* the right number of basic ones */
      byte[i] = basic < p.rows && chance_below(&c, 2) ? 1 : (unsigned char)(2 + chance_below(&c, 2));
      basic += byte[i] == 1;
    }
    ofw_visitor v = {.words = take, .ctx = &w};
    assert_int_equal(K->ops->visit(o.work, &v), OFW_OK);
    random_direction(&c, p.n, d);
    ofw_answer got[2];
    assert_int_equal(answer(o, d, 1e-9, INFINITY, &got[0]), OFW_OK);
    assert_int_equal(answer(fresh, d, 1e-9, INFINITY, &got[1]), OFW_OK);
    assert_near(got[0].value, got[1].value, 1e-13L * K->R * slow_norm(p.n, d));
  }
  K->ops->close(fresh.work);
  shut(o);
}

static void excess_is_a_distance_to_a_side(void **state)
{
  (void)state;
  ofw_domain *K = domain_of("polytope:rows=(30x1+40x2<=120;x1>=0;x2>=0)");
  assert_true(ofw_domain_excess(K, (double[]){1.0, 1.0}) == 0.0);
  assert_true(ofw_domain_excess(K, (double[]){4.0, 0.0}) == 0.0);
  assert_near(ofw_domain_excess(K, (double[]){-0.5, 1.0}), 0.5, 1e-15L);
  assert_near(ofw_domain_excess(K, (double[]){4.0, 3.0}), 2.4, 1e-13L); /* 12/5 from the long side */
  assert_true(ofw_domain_excess(K, (double[]){1e308, -1e308}) > 1e307);
  ofw_domain_free(K);
}

/* A direction without a slope, and ties: a point of K, the same one always. */
static void ties_and_zeros(void **state)
{
  (void)state;
  ofw_domain *K = domain_of("polytope:rows=(x1+x2+x3=1;x1>=0;x2>=0;x3>=0)");
  double v[3], w[3];
  ask_nearly(K, (double[3]){0}, v);
  ask_nearly(K, (double[3]){0}, w);
  assert_memory_equal(v, w, sizeof v);
  assert_near(ask_nearly(K, (double[]){1e300, 1e300, 1e300}, v), 1e300L, 1e287L);
  assert_near(ask_nearly(K, (double[]){0x1p-1074, 0.0, -0x1p-1074}, v), -0x1p-1074L, 0.0L);
  assert_true(v[2] == 1.0);
  ofw_domain_free(K);
}

/* CLP says nothing, whatever it is asked. */
static void nothing_is_printed(void **state)
{
  (void)state;
  char path[] = "/tmp/ofw-polytope-XXXXXX";
  int file = mkstemp(path), saved[2] = {dup(1), dup(2)};
  assert_true(file >= 0 && saved[0] >= 0 && saved[1] >= 0);
  fflush(NULL);
  dup2(file, 1);
  dup2(file, 2);
  ofw_domain *K = domain_of("polytope:rows=(x1+x2<=1;x1>=0;x2>=0)");
  double v[2];
  ofw_domain_minimise(K, (double[]){-1.0, 1.0}, 1e-9, v, NULL, NULL);
  ofw_domain_free(K);
  ofw_domain_free(ofw_domain_create("polytope:rows=(x1+x2<=1;x1>=0)", NULL));
  ofw_domain_free(ofw_domain_create("polytope:rows=(x1+x2<=1;x1+x2>=2;x1>=0;x2>=0)", NULL));
  fflush(NULL);
  dup2(saved[0], 1);
  dup2(saved[1], 2);
  assert_int_equal(lseek(file, 0, SEEK_END), 0);
  close(saved[0]);
  close(saved[1]);
  close(file);
  unlink(path);
}

static void no_polytopes(void **state)
{
  (void)state;
  misused("polytope", "",
          ": rows is required (constraints as (x1 + 2 x2 <= 3;0 <= x1 <= 1;..), or @FILE with one per line, "
          "or in MPS)");
  misused("polytope", ":rows=(x1+x2<=1;x1>=0)", ": x1 is unbounded above; add a constraint that bounds it");
  misused("polytope", ":rows=(x1+x2<=1;x1<=1;x2<=1)", ": x1 is unbounded below; add a constraint that bounds it");
  misused("polytope", ":rows=(dim 3;0<=x1<=1;0<=x2<=1;x3<=1)",
          ": x3 is unbounded below; add a constraint that bounds it");
  misused("polytope", ":rows=(0<=x1<=1;x2-x1<=1)", ": x2 is unbounded below; add a constraint that bounds it");
  misused("polytope", ":rows=(x1+x2<=1;x1+x2>=2;x1>=0;x2>=0)",
          ": the set is empty: no point satisfies all constraints");
  misused("polytope", ":rows=(x1+x2<=1;x1+x2>=1.0000001;x1>=0;x2>=0)",
          ": the set is empty: no point satisfies all constraints");
  misused("polytope", ":rows=(0<=x1-2x2+0.5x3<=4;x3=0;3x1-2>=x2;0<=x2<=2;0<=x1-21e-30x2+x3<=8;3x1-2x2<=0)",
          ": the set is empty: no point satisfies all constraints");
  misused("polytope", ":rows=(x1=0;x2=0)",
          ": its farthest point must be at least 1e-100 and at most 1e+100 away from the origin");
  misused("polytope", ":row=(x1=0)", ": no option 'row'; did you mean 'rows'?");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(as_clp_has_it),
      cmocka_unit_test(as_all_vertices_have_it),
      cmocka_unit_test(small_prices_count),
      cmocka_unit_test(the_state_is_all),
      cmocka_unit_test(the_state_settles_ties),
      cmocka_unit_test(any_state_will_do),
      cmocka_unit_test(excess_is_a_distance_to_a_side),
      cmocka_unit_test(ties_and_zeros),
      cmocka_unit_test(nothing_is_printed),
      cmocka_unit_test(no_polytopes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
