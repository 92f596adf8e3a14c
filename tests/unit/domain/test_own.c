/* test_own.c — sets by callbacks; the one used here is the box centre + [-1, 1]^n, written out again */
#include "unit/domain/oracle_check.h"

typedef struct mine {
  size_t n;
  double centre[MOST_DIM];
  int calls, fail_with, bad_at; /* bad_at: 1 + the coordinate that becomes NaN; 0: none */
} mine;

static int my_minimise(void *ctx, const double *d, double *v)
{
  mine *m = ctx;
  m->calls++;
  for (size_t i = 0; i < m->n; i++)
    v[i] = m->centre[i] + (d[i] > 0.0 ? -1.0 : 1.0);
  if (m->bad_at)
    v[m->bad_at - 1] = NAN;
  return m->fail_with;
}

static double my_excess(void *ctx, const double *x)
{
  mine *m = ctx;
  double most = 0.0;
  for (size_t i = 0; i < m->n; i++)
    most = fmax(most, fabs(x[i] - m->centre[i]) - 1.0);
  return most;
}

static ofw_domain_callbacks callbacks(mine *m)
{
  double square = 0.0;
  for (size_t i = 0; i < m->n; i++)
    square += pow(fabs(m->centre[i]) + 1.0, 2.0);
  return (ofw_domain_callbacks){.size = sizeof(ofw_domain_callbacks),
                                .dim = m->n,
                                .R = sqrt(square),
                                .r = 1.0,
                                .centre = m->centre,
                                .minimise = my_minimise,
                                .excess = my_excess,
                                .ctx = m};
}

static ofw_domain *own(const ofw_domain_callbacks *c)
{
  ofw_error err = {0};
  ofw_domain *K = ofw_domain_create_own(c, &err);
  if (!K)
    fail_msg("%s", err.message);
  return K;
}

static long double least_corner(size_t n, const double *d, const void *set)
{
  const mine *m = set;
  long double sum = 0.0L;
  for (size_t i = 0; i < n; i++)
    sum += (long double)d[i] * m->centre[i] - fabsl(d[i]);
  return sum;
}

static void the_callback_is_the_oracle(void **state)
{
  (void)state;
  static const size_t dims[] = {1, 2, 5, 40};
  chance c = {1};
  for (size_t k = 0; k < sizeof dims / sizeof *dims; k++) {
    mine m = {.n = dims[k]};
    chance_normals(&c, m.n, m.centre);
    ofw_domain_callbacks mine_by = callbacks(&m);
    ofw_domain *K = own(&mine_by);
    is_least(K, 1000, least_corner, &m);
    assert_true(m.calls >= 1000);
    ofw_domain_free(K);
  }
}

static void radii_and_centre(void **state)
{
  (void)state;
  mine m = {.n = 3, .centre = {1.0, -2.0, 0.5}};
  double far[] = {2.0, -3.0, 1.5}, tight[] = {0.0, 1.0, 0.0};
  ofw_domain_callbacks mine_by = callbacks(&m);
  ofw_domain *K = own(&mine_by);
  has_radii(K, mine_by.R, 1.0, far, tight, NULL);
  assert_string_equal(K->spec, "own");
  double outer, inner, centre[3];
  ofw_domain_balls(K, &outer, &inner, centre);
  assert_true(outer == mine_by.R && inner == 1.0);
  assert_memory_equal(centre, m.centre, sizeof centre);
  ofw_domain_balls(K, NULL, NULL, NULL);
  ofw_domain_free(K);
}

/* The centre is copied, as the header says. */
static void the_callers_centre_may_go_away(void **state)
{
  (void)state;
  mine m = {.n = 2};
  double *centre = room_for(2), copy[2];
  centre[0] = 0.25;
  ofw_domain_callbacks mine_by = callbacks(&m);
  mine_by.centre = centre;
  ofw_domain *K = own(&mine_by);
  centre[0] = 9.0;
  free(centre);
  memset(&mine_by, 0, sizeof mine_by);
  ofw_domain_centre(K, copy);
  assert_true(copy[0] == 0.25 && copy[1] == 0.0);
  double v[2];
  ask(K, (double[]){1.0, -1.0}, v);
  ofw_domain_free(K);
}

static int to_minus_one(void *ctx, const double *d, double *v)
{
  (void)d;
  v[0] = -1.0;
  return ctx != NULL;
}

/* The callbacks as they might have been in an older version: the rest has its defaults, and is not read. */
typedef struct older_callbacks {
  size_t size, dim;
  double R, r;
  const double *centre;
  int (*minimise)(void *ctx, const double *d, double *v);
} older_callbacks;

static void of_an_older_version(void **state)
{
  (void)state;
  older_callbacks *old = malloc(sizeof *old);
  assert_non_null(old);
  *old = (older_callbacks){sizeof *old, 1, 1.0, 1.0, NULL, to_minus_one};
  ofw_domain *K = own((void *)old);
  free(old);
  double v;
  assert_int_equal(ofw_domain_minimise(K, (double[]){1.0}, 1e-9, &v, NULL, NULL), OFW_OK);
  assert_true(v == -1.0);
  assert_true(ofw_domain_excess(K, &v) < 0.0);
  ofw_domain_free(K);
}

static void what_may_be_left_out(void **state)
{
  (void)state;
  mine m = {.n = 2};
  ofw_domain_callbacks mine_by = callbacks(&m);
  mine_by.centre = NULL;
  mine_by.excess = NULL;
  mine_by.r = 0.0;
  ofw_domain *K = own(&mine_by);
  double centre[2] = {7.0, 7.0}, v[2], error = -1.0;
  ofw_domain_centre(K, centre);
  assert_true(centre[0] == 0.0 && centre[1] == 0.0);
  assert_true(ofw_domain_excess(K, (double[]){99.0, 0.0}) < 0.0);
  assert_int_equal(ofw_domain_minimise(K, (double[]){1.0, -1.0}, 1.0, v, &error, NULL), OFW_OK);
  assert_true(v[0] == -1.0 && v[1] == 1.0 && error == 0.0);
  ofw_domain_free(K);
}

/* The origin where the set is known to hold it, else the centre. */
static void where_play_starts(void **state)
{
  (void)state;
  static const double at[] = {0.0, 0.5, 1.5};
  for (int i = 0; i < 3; i++)
    for (int blind = 0; blind < 2; blind++) {
      mine m = {.n = 2, .centre = {at[i], 0.0}};
      ofw_domain_callbacks mine_by = callbacks(&m);
      mine_by.excess = blind ? NULL : my_excess;
      ofw_domain *K = own(&mine_by);
      assert_int_equal(K->from_centre, blind || at[i] > 1.0);
      ofw_domain_free(K);
    }
}

static void a_failure_is_passed_on(void **state)
{
  (void)state;
  mine m = {.n = 3, .fail_with = 42};
  ofw_domain_callbacks mine_by = callbacks(&m);
  ofw_domain *K = own(&mine_by);
  ofw_error err = {0};
  double d[3] = {1.0}, v[3] = {7.0, 7.0, 7.0};
  assert_int_equal(ofw_domain_minimise(K, d, 1e-9, v, NULL, &err), OFW_NUMERICAL);
  assert_int_equal(err.status, OFW_NUMERICAL);
  assert_string_equal(err.message, "the domain's own minimise returned 42, expected 0");
  m.fail_with = 0;
  m.bad_at = 2;
  assert_int_equal(ofw_domain_minimise(K, d, 1e-9, v, NULL, &err), OFW_NUMERICAL);
  assert_string_equal(err.message, "the domain's own minimise returned a number that is not finite at coordinate 2");
  assert_true(v[0] == 7.0 && v[1] == 7.0 && v[2] == 7.0); /* no half of an answer */
  m.bad_at = 0;
  assert_int_equal(ofw_domain_minimise(K, d, 1e-9, v, NULL, &err), OFW_OK);
  ofw_domain_free(K);
}

static void incomplete(const ofw_domain_callbacks *c, const char *message)
{
  ofw_error err = {0};
  assert_null(ofw_domain_create_own(c, &err));
  assert_int_equal(err.status, OFW_USAGE);
  assert_string_equal(err.message, message);
  assert_null(ofw_domain_create_own(c, NULL));
}

static void what_must_be_set(void **state)
{
  (void)state;
  mine m = {.n = 2, .centre = {0.0, INFINITY}};
  ofw_domain_callbacks good = callbacks(&m), bad[9];
  good.R = 2.0;
  for (size_t i = 0; i < 9; i++)
    bad[i] = good;
  bad[0].size = offsetof(ofw_domain_callbacks, minimise); /* a version without that function */
  bad[1].dim = 0;
  bad[2].minimise = NULL;
  bad[3].R = 0.0;
  bad[4].R = -1.0;
  bad[5].R = INFINITY;
  bad[6].R = NAN;
  bad[7].r = -1.0;
  bad[8].r = NAN;
  incomplete(NULL, "ofw_domain_callbacks: size is 0; set it to sizeof(ofw_domain_callbacks)");
  for (size_t i = 0; i < 9; i++)
    incomplete(&bad[i], "own domain: dim, minimise, an R in [1e-100, 1e100] and an r in [0, R] must be set");
  incomplete(&good, "own domain: its centre is not finite");
}

/* ---- sparse answers: the l1-ball of radius 2 about the origin ---- */

typedef struct few {
  size_t n;
  int how; /* what is wrong with an answer; 0: nothing */
  int closed;
} few;

static int few_minimise(void *ctx, const double *d, size_t *count, size_t *index, double *value)
{
  const few *f = ctx;
  size_t at = 0;
  for (size_t i = 0; i < f->n; i++)
    at = fabs(d[i]) > fabs(d[at]) ? i : at;
  *count = 1;
  index[0] = at;
  value[0] = copysign(2.0, -d[at]);
  if (f->how == 1)
    index[0] = f->n;
  if (f->how == 2) {
    *count = 2;
    index[1] = at;
    value[1] = 0.0;
  }
  if (f->how == 3)
    value[0] = NAN;
  if (f->how == 4)
    *count = f->n + 1;
  return f->how == 5 ? 42 : 0;
}

static double few_excess(void *ctx, const double *x)
{
  const few *f = ctx;
  double sum = 0.0;
  for (size_t i = 0; i < f->n; i++)
    sum += fabs(x[i]);
  return fmax(0.0, sum - 2.0);
}

static void few_close(void *ctx)
{
  ((few *)ctx)->closed++;
}

static ofw_domain_callbacks few_callbacks(few *f)
{
  return (ofw_domain_callbacks){.size = sizeof(ofw_domain_callbacks),
                                .dim = f->n,
                                .R = 2.0,
                                .r = 2.0 / sqrt((double)f->n),
                                .excess = few_excess,
                                .ctx = f,
                                .minimise_sparse = few_minimise,
                                .close = few_close};
}

static long double least_axis(size_t n, const double *d, const void *set)
{
  long double least = 0.0L;
  (void)set;
  for (size_t i = 0; i < n; i++)
    least = fminl(least, -2.0L * fabsl(d[i]));
  return least;
}

static void answers_may_be_sparse(void **state)
{
  (void)state;
  few f = {.n = 9};
  ofw_domain_callbacks by = few_callbacks(&f);
  ofw_domain *K = own(&by);
  opened o = open_seeded(K, 1);
  ofw_answer out;
  is_least(K, 500, least_axis, &f);
  assert_int_equal(answer(o, (double[9]){0.0, 3.0, -4.0}, 1e-9, INFINITY, &out), OFW_OK);
  assert_true(out.atom.n == 1 && out.atom.term->kind == OFW_VEC_SPARSE && out.atom.term->as.sparse.nnz == 1);
  assert_true(out.value == -8.0);
  static const char *const wrong[] = {"minimise_sparse returned an index that is not below the dimension in pair 1",
                                      "minimise_sparse returned an index twice in pair 2",
                                      "minimise_sparse returned a number that is not finite in pair 1",
                                      "minimise_sparse returned 10 pairs, expected at most 9",
                                      "minimise_sparse returned 42"};
  for (f.how = 1; f.how <= 5; f.how++) {
    char message[TEXT];
    double v[9];
    ofw_error err = {0};
    say(message, "the domain's own %s", wrong[f.how - 1]);
    assert_int_equal(ofw_domain_minimise(K, (double[9]){1.0}, 1e-9, v, NULL, &err), OFW_NUMERICAL);
    assert_string_equal(err.message, message);
  }
  f.how = 0;
  assert_int_equal(answer(o, (double[9]){0.0, 3.0, -4.0}, 1e-9, INFINITY, &out), OFW_OK); /* nothing is left of them */
  assert_int_equal(f.closed, 0);
  shut(o);
  assert_int_equal(f.closed, 1);
}

/* ---- projections ---- */

static int my_project(void *ctx, const double *y, double *x)
{
  mine *m = ctx;
  for (size_t i = 0; i < m->n; i++)
    x[i] = fmax(m->centre[i] - 1.0, fmin(y[i], m->centre[i] + 1.0));
  if (m->bad_at)
    x[m->bad_at - 1] = NAN;
  return m->fail_with;
}

static void it_may_project(void **state)
{
  (void)state;
  mine m = {.n = 2, .centre = {1.0, 0.0}};
  ofw_domain_callbacks by = callbacks(&m);
  double x[2];
  ofw_error err = {0};
  ofw_domain *K = own(&by);
  assert_int_equal(ofw_domain_project(K, (double[]){5.0, -0.5}, x, &err), OFW_UNSUPPORTED);
  ofw_domain_free(K);
  by.project = my_project;
  K = own(&by);
  assert_int_equal(ofw_domain_project(K, (double[]){5.0, -0.5}, x, &err), OFW_OK);
  assert_true(x[0] == 2.0 && x[1] == -0.5);
  m.bad_at = 1;
  assert_int_equal(ofw_domain_project(K, (double[]){5.0, -0.5}, x, &err), OFW_NUMERICAL);
  assert_string_equal(err.message, "the domain's own project returned a number that is not finite at coordinate 1");
  m.bad_at = 0;
  m.fail_with = 7;
  assert_int_equal(ofw_domain_project(K, (double[]){5.0, -0.5}, x, &err), OFW_NUMERICAL);
  assert_string_equal(err.message, "the domain's own project returned 7");
  ofw_domain_free(K);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_callback_is_the_oracle), cmocka_unit_test(of_an_older_version),
      cmocka_unit_test(radii_and_centre),           cmocka_unit_test(the_callers_centre_may_go_away),
      cmocka_unit_test(what_may_be_left_out),       cmocka_unit_test(where_play_starts),
      cmocka_unit_test(a_failure_is_passed_on),     cmocka_unit_test(what_must_be_set),
      cmocka_unit_test(answers_may_be_sparse),      cmocka_unit_test(it_may_project),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
