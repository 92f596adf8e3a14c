/* test_domain_check.c — every set of the library passes ofw_domain_check; sets that lie about themselves in one way fail that check */
#include "unit/domain/oracle_check.h"

/* All that is registered, by its example, and what takes its own way: shrunk about a centre, flat, from large numbers. */
static void the_librarys_sets_pass(void **state)
{
  (void)state;
  static const char *const more[] = {"l2-ball:dim=1",
                                     "l1-ball:dim=40,radius=1e50",
                                     "simplex:dim=7,sum=1e-60",
                                     "shrunk:factor=0.5,of=(simplex:dim=5)",
                                     "product:parts=((simplex:dim=3);(l2-ball:dim=2,radius=5))",
                                     "trace-ball:rows=5,cols=4,radius=3"};
  size_t sets = ofw_domain_types(), count = sets + sizeof more / sizeof *more;
  for (size_t i = 0; i < count; i++) {
    ofw_domain *K = domain_of(i < sets ? ofw_domain_type(i)->example : more[i - sets]);
    for (uint64_t seed = 1; seed <= 3; seed++) {
      ofw_domain_report report = {.size = sizeof report};
      ofw_error err = {0};
      if (ofw_domain_check(K, seed, &report, &err) != OFW_OK)
        fail_msg("%s", err.message);
      assert_null(report.failed);
      assert_true(report.directions >= 129);
    }
    assert_int_equal(ofw_domain_check(K, 1, NULL, NULL), OFW_OK);
    ofw_domain_free(K);
  }
}

/* ---- the box [-1, 1]^4, and what may be wrong with it ---- */

enum { N = 4 };

typedef enum lie {
  NONE,
  RADIUS,    /* R is that of one side */
  OUTSIDE,   /* excess is about a smaller box */
  CENTRE,    /* which is not in the set */
  SIGN,      /* one coordinate of an answer is the wrong one */
  NOT_AT_0,  /* 0/0 for d = 0 */
  THRESHOLD, /* small entries count as 0: another answer at another scale */
  BALL,      /* r is larger than the set holds */
  FAILS,     /* at the fifth call */
  INFINITE,  /* an answer at the fifth call */
  FAR,       /* a projection that is not the nearest point */
  OUT,       /* a projection that is not in the set */
  MOVES,     /* a projection that moves points of the set */
  LIES
} lie;

typedef struct liar {
  lie how;
  int calls;
} liar;

static int least(void *ctx, const double *d, double *v)
{
  liar *l = ctx;
  double norm = 0.0;
  l->calls++;
  for (size_t i = 0; i < N; i++)
    norm = fmax(norm, fabs(d[i]));
  for (size_t i = 0; i < N; i++)
    v[i] = l->how == THRESHOLD && fabs(d[i]) < 1e-100 ? 1.0 : copysign(1.0, -d[i]);
  if (l->how == SIGN && d[0] > 0.5 * norm)
    v[0] = 1.0;
  if (l->how == NOT_AT_0)
    v[1] *= norm / norm;
  if (l->how == INFINITE && l->calls >= 5)
    v[2] = INFINITY;
  return l->how == FAILS && l->calls >= 5;
}

static double outside(void *ctx, const double *x)
{
  double side = ((liar *)ctx)->how == OUTSIDE ? 0.999 : 1.0, out = 0.0;
  for (size_t i = 0; i < N; i++)
    out = fmax(out, fabs(x[i]) - side);
  return out;
}

static int nearest(void *ctx, const double *y, double *x)
{
  lie how = ((liar *)ctx)->how;
  int in = outside(ctx, y) == 0.0;
  for (size_t i = 0; i < N; i++)
    x[i] = fmax(-1.0, fmin(y[i], 1.0));
  if (how == FAR && !in)
    x[0] *= 0.9;
  if (how == OUT && !in)
    x[0] *= 1.001;
  if (how == MOVES && in)
    x[0] *= 0.999;
  return 0;
}

static void check_lie(lie how, const char *failed)
{
  static const double far[N] = {3.0, 0.0, 0.0, 0.0};
  for (int blind = 0; blind < 2; blind++) { /* without excess what it alone would show is not seen */
    liar l = {.how = how};
    ofw_domain_callbacks own = {.size = sizeof own,
                                .dim = N,
                                .R = how == RADIUS ? 1.0 : 2.0,
                                .r = how == BALL     ? 1.1
                                     : how == RADIUS ? 0.5
                                                     : 1.0,
                                .centre = how == CENTRE ? far : NULL,
                                .minimise = least,
                                .excess = blind ? NULL : outside,
                                .project = nearest,
                                .ctx = &l};
    ofw_error err = {0};
    ofw_domain_report report = {.size = sizeof report}, again = {.size = sizeof again};
    ofw_domain *K = ofw_domain_create_own(&own, &err);
    assert_non_null(K);
    ofw_status st = ofw_domain_check(K, 5, &report, &err);
    const char *expected = blind && how == OUTSIDE ? NULL : blind && how == CENTRE ? "minimal" : failed;
    if (!expected != !report.failed || (expected && strcmp(expected, report.failed) != 0))
      fail_msg("lie %d, blind %d: '%s' instead of '%s': %s", (int)how, blind, report.failed ? report.failed : "",
               expected ? expected : "", err.message);
    assert_int_equal(st, expected ? OFW_BAD_DATA : OFW_OK);
    if (expected) {
      char words[TEXT];
      say(words, "own fails the check '%s'", how == NOT_AT_0 ? "answer" : expected);
      assert_true(strncmp(err.message, words, strlen(words)) == 0 && !strchr(err.message, '\n'));
      assert_true(report.at <= report.directions);
    }
    l.calls = 0;
    assert_int_equal(ofw_domain_check(K, 5, &again, NULL), st); /* equal seeds try the same */
    assert_true(again.directions == report.directions && again.at == report.at);
    ofw_domain_free(K);
  }
}

static void each_lie_is_found(void **state)
{
  (void)state;
  static const char *const failed[LIES] = {
      [RADIUS] = "radius",   [OUTSIDE] = "feasible",  [CENTRE] = "feasible", [SIGN] = "minimal",
      [NOT_AT_0] = "zero",   [THRESHOLD] = "minimal", [BALL] = "inner ball", [FAILS] = "answer",
      [INFINITE] = "answer", [FAR] = "project",       [OUT] = "project",     [MOVES] = "project"};
  for (int how = NONE; how < LIES; how++)
    check_lie((lie)how, failed[how]);
}

static void reports_have_a_size(void **state)
{
  (void)state;
  ofw_domain *K = domain_of("l2-ball:dim=2");
  ofw_domain_report report = {0};
  ofw_error err = {0};
  assert_int_equal(ofw_domain_check(K, 1, &report, &err), OFW_USAGE);
  assert_string_equal(err.message, "ofw_domain_report: its size is 0; set it to sizeof(ofw_domain_report)");
  ofw_domain_free(K);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_librarys_sets_pass),
      cmocka_unit_test(each_lie_is_found),
      cmocka_unit_test(reports_have_a_size),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
