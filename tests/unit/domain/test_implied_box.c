/* test_implied_box.c — polytopes with the box that their constraints imply: what they hold, what is refused, beside CLP */
#include "unit/domain/polytope_check.h"

static ofw_domain *made(const slow_polytope *p, ofw_error *err)
{
  char path[32], spec[TEXT];
  write_polytope(p, path);
  say(spec, "polytope:rows=@%s,box=implied", path);
  ofw_domain *K = ofw_domain_create(spec, err);
  unlink(path);
  return K;
}

static void is_implied(const char *rows, double R)
{
  char spec[TEXT];
  say(spec, "polytope:box=implied,rows=%s", rows);
  ofw_domain *K = domain_of(spec);
  assert_near(K->R, R, 2e-6L * R);
  assert_true(K->r == 0.0 && K->normals == 0);
  assert_at_most(ofw_domain_excess(K, K->centre), 1e-14L * K->R);
  ofw_domain_free(K);
}

static void known_boxes(void **state)
{
  (void)state;
  is_implied("(0<=x1<=2;-1<=x2<=1)", sqrt(5.0));
  is_implied("(3x1+4x2<=12;x1>=0;x2>=0)", 5.0);                  /* by a row alone */
  is_implied("(x1+x2+x3=1;x1>=0;x2>=0;x3>=0)", sqrt(3.0));       /* no point of it is strictly inside */
  is_implied("(x1<=1;x2<=2x1;x3<=x2-1;x3>=0)", sqrt(1 + 4 + 1)); /* by one row after another, both ways */
  is_implied("(-1<=x1-x2<=1;-1<=x1+x2<=1)",
             sqrt(13.0));                           /* by no row alone: a program for x1 >= -1, and rows after that */
  is_implied("(x1 - 2 x2 = 1;x2 = 2)", sqrt(29.0)); /* a point */
  is_implied("(-1<=x1<=1;-1<=x2<=1;x1+x2<=1e-9;x1+x2>=-1e-9)", sqrt(2.0));
  is_implied("(3e-20<=x1<=5e-20)", 5e-20);
  is_implied("(-1e25<=x1-x2<=1e25;-1e25<=x1+x2<=1e25)", sqrt(13.0) * 1e25);
  is_implied("(100x1+1e-6x2<=1;x2>=0;0<=x1<=1e9)", 1e6);
}

/* It may be larger than the smallest box: these rows keep each other short together, and not alone. */
static void a_larger_box(void **state)
{
  (void)state;
  const char *rows = "rows=(x1+x2<=1;x1-x2<=1;-x1+x2<=1;-x1-x2<=1;-9<=x1<=9;-9<=x2<=9)";
  char spec[TEXT];
  say(spec, "polytope:%s", rows);
  ofw_domain *exact = domain_of(spec);
  say(spec, "polytope:%s,box=implied", rows);
  ofw_domain *implied = domain_of(spec);
  assert_near(exact->R, sqrt(2.0), 1e-14L);
  assert_near(implied->R, sqrt(162.0), 1e-13L);
  ofw_domain_free(exact);
  ofw_domain_free(implied);
}

/* The vertices are CLP's, and none is outside the box. */
static void as_clp_has_it(void **state)
{
  (void)state;
  chance c = {21};
  for (int t = 0; t < 60; t++) {
    slow_polytope p;
    ofw_error err = {0};
    random_polytope(&c, 2 + (size_t)t % 20, 8, (size_t)t % 3, &p);
    ofw_domain *K = made(&p, &err), *smallest = domain_of_polytope(&p);
    lp slow = lp_of_polytope(&p);
    double d[MOST_DIM], v[MOST_DIM];
    assert_non_null(K);
    assert_at_most(smallest->R, K->R * (1.0L + 1e-12L));
    assert_at_most(ofw_domain_excess(K, K->centre), 1e-13L * K->R);
    for (int k = 0; k < 40; k++) {
      chance_normals(&c, p.n, d);
      assert_near(ask_nearly(K, d, v), lp_least(slow, d, NULL), 1e-7L * K->R * slow_norm(p.n, d));
    }
    lp_close(slow);
    ofw_domain_free(smallest);
    ofw_domain_free(K);
  }
}

/* ---- what is refused ---- */

/* Few rows of small whole numbers and few bounds: about as many are empty, unbounded and neither. */
static void draw(chance *c, size_t n, double unit, slow_polytope *p)
{
  *p = (slow_polytope){.n = n, .rows = n + 2};
  for (size_t j = 0; j < n; j++) {
    p->least[j] = chance_below(c, 4) ? 0.0 : -INFINITY;
    p->most[j] = chance_below(c, 3) ? INFINITY : unit * (double)(1 + chance_below(c, 4));
  }
  for (size_t i = 0; i < p->rows; i++) {
    for (size_t j = 0; j < n; j++)
      p->a[i * n + j] = (double)chance_below(c, 6) - 2.0;
    p->a[i * n + i % n] = 1.0;
    p->a[i * n + (i + 1) % n] = 2.0;
    p->low[i] = chance_below(c, 3) ? -INFINITY : unit * ((double)chance_below(c, 7) - 3.0);
    p->high[i] = chance_below(c, 9) == 0 && isfinite(p->low[i])   ? p->low[i]
                 : chance_below(c, 4) == 0 && isfinite(p->low[i]) ? INFINITY
                 : isfinite(p->low[i])                            ? p->low[i] + unit * (double)(1 + chance_below(c, 4))
                                                                  : unit * (double)chance_below(c, 6);
  }
}

enum { BOUNDED, EMPTY, UNBOUNDED, CLASSES };

/* By 2 n + 1 programs. */
static int class_of(const slow_polytope *p)
{
  lp slow = lp_of_polytope(p);
  double d[MOST_DIM] = {0};
  Clp_chgObjCoefficients(slow.model, d);
  int found = Clp_primal(slow.model, 0) == 1 ? EMPTY : BOUNDED;
  for (size_t j = 0; j < p->n && found == BOUNDED; j++)
    for (int up = 0; up < 2; up++) {
      d[j] = up ? -1.0 : 1.0;
      Clp_chgObjCoefficients(slow.model, d);
      found = Clp_primal(slow.model, 0) == 2 ? UNBOUNDED : found;
      d[j] = 0.0;
    }
  lp_close(slow);
  return found;
}

static void refused_as_clp_has_it(void **state)
{
  (void)state;
  static const double units[] = {1.0, 0x1p-40, 0x1p50};
  chance c = {22};
  int count[CLASSES] = {0};
  for (int t = 0; t < 3000; t++) {
    slow_polytope p;
    ofw_error err = {0};
    draw(&c, 2 + (size_t)t % 5, 1.0, &p);
    int class = class_of(&p);
    for (size_t i = 0; i < p.rows; i++) { /* as a badly scaled one */
      p.low[i] *= units[t % 3];
      p.high[i] *= units[t % 3];
    }
    for (size_t j = 0; j < p.n; j++) {
      p.least[j] *= p.least[j] == 0.0 ? 1.0 : units[t % 3];
      p.most[j] *= units[t % 3];
    }
    ofw_domain *K = made(&p, &err);
    count[class]++;
    if (class == BOUNDED && !K) /* but for the set {0} */
      assert_non_null(strstr(err.message, "its farthest point must be"));
    else if (class != BOUNDED) {
      assert_null(K);
      assert_int_equal(err.status, OFW_USAGE);
      assert_non_null(strstr(err.message, class == EMPTY ? "the set is empty" : "is unbounded"));
    }
    ofw_domain_free(K);
  }
  for (int k = 0; k < CLASSES; k++)
    assert_true(count[k] > 100);
}

static void refusals(void **state)
{
  (void)state;
  misused("polytope", ":box=implied,rows=(x1+x2<=1;x1>=0)", ": x1 is unbounded above; add a constraint that bounds it");
  misused("polytope", ":box=implied,rows=(0<=x1<=1;x2-x1<=1)",
          ": x2 is unbounded below; add a constraint that bounds it");
  misused("polytope", ":box=implied,rows=(x1+x2<=1;x1+x2>=2;x1>=0;x2>=0)",
          ": the set is empty: no point satisfies all constraints");
  misused("polytope", ":box=implied,rows=(x1+x2<=1;x1+x2>=1.0000001;x1>=0;x2>=0)",
          ": the set is empty: no point satisfies all constraints");
  misused("polytope",
          ":box=implied,rows=(500x1+1e-6x2=2e-9;x2>=4;x1+x2<=1)", /* each row drives the bounds of the other away */
          ": the set is empty: no point satisfies all constraints");
  misused("polytope", ":box=implied,rows=(5e29x1+1e-8x2=2;x2>=0;x1+x2<=109)",
          ": box=implied: coefficients of a row differ by more than 1e9; use box=exact");
  misused("polytope", ":box=small,rows=(x1<=1)", ": box=small is not one of exact|implied");
}

/* A thousand coordinates and two thousand rows, by the default; the points found are those of a program of the test's own. */
static void a_large_one(void **state)
{
  (void)state;
  enum { N = 1000, ROWS = 2000 };
  char path[] = "/tmp/ofw-polytope-XXXXXX", spec[TEXT];
  int file = mkstemp(path);
  FILE *out = file >= 0 ? fdopen(file, "w") : NULL;
  chance c = {23};
  assert_non_null(out);
  for (int j = 1; j <= N; j++)
    fprintf(out, "x%d >= 0\n", j);
  for (int i = 0; i < ROWS; i++)
    fprintf(out, "x%d + %zu x%zu + 3 x%zu <= 1\n", i % N + 1, 1 + chance_below(&c, 4), 1 + chance_below(&c, N),
            1 + chance_below(&c, N));
  assert_int_equal(fclose(out), 0);
  say(spec, "polytope:rows=@%s", path);
  ofw_domain *K = domain_of(spec);
  unlink(path);
  double *v = room_for(N), *d = room_for(N);
  assert_true(K->r == 0.0 && K->normals == 0);
  assert_at_most(K->R, sqrtl(N));
  assert_at_most(ofw_domain_excess(K, K->centre), 0.0L);
  chance_normals(&c, N, d);
  ask_nearly(K, d, v);
  free(v);
  free(d);
  ofw_domain_free(K);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_boxes),           cmocka_unit_test(a_larger_box), cmocka_unit_test(as_clp_has_it),
      cmocka_unit_test(refused_as_clp_has_it), cmocka_unit_test(refusals),     cmocka_unit_test(a_large_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
