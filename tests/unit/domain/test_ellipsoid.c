#include "unit/domain/list_check.h"

#include <lapacke.h>
#include <unistd.h>

typedef struct shape {
  size_t n;
  double half[MOST_DIM], centre[MOST_DIM];
} shape;

/* Axes from 2^-spread to 1 long, by half; about the origin where `off` is 0. */
static ofw_domain *random_ellipsoid(chance *c, size_t n, double spread, double off, shape *s)
{
  char spec[2 * LIST_TEXT + TEXT] = "ellipsoid:";
  s->n = n;
  for (size_t i = 0; i < n; i++) {
    s->half[i] = chance_size(c, spread);
    s->centre[i] = off * chance_normal(c);
  }
  add_list(spec, "axes=", n, s->half);
  if (off != 0.0)
    add_list(spec, ",centre=", n, s->centre);
  return domain_of(spec);
}

/* <d, c> - sqrt(d' A^-1 d) */
static long double closed_form(size_t n, const double *d, const void *set)
{
  const shape *s = set;
  long double sum = 0.0L;
  for (size_t i = 0; i < n; i++)
    sum += (long double)s->half[i] * d[i] * s->half[i] * d[i];
  return slow_dot(n, d, s->centre) - sqrtl(sum);
}

static void the_closed_form(void **state)
{
  (void)state;
  static const size_t dims[] = {1, 2, 3, 8, 33, 64};
  chance c = {41};
  shape s;
  for (size_t k = 0; k < sizeof dims / sizeof *dims; k++)
    for (int t = 0; t < 4; t++) {
      ofw_domain *K = random_ellipsoid(&c, dims[k], t < 2 ? 4.0 : 30.0, t % 2, &s);
      is_least(K, 500, closed_form, &s);
      ofw_domain_free(K);
    }
}

/* Random points of the boundary, not made by the oracle, are no better. */
static void no_point_is_better(void **state)
{
  (void)state;
  chance c = {42};
  shape s;
  ofw_domain *K = random_ellipsoid(&c, 6, 5.0, 1.0, &s);
  double d[6], v[6], y[6], R = K->R;
  for (int t = 0; t < 4000; t++) {
    random_direction(&c, 6, d);
    long double got = ask(K, d, v);
    chance_normals(&c, 6, y);
    double length = (double)slow_norm(6, y);
    for (size_t i = 0; i < 6; i++)
      y[i] = s.centre[i] + s.half[i] * y[i] / length;
    assert_at_most(ofw_domain_excess(K, y), 1e-15L * R);
    assert_at_most(got, slow_dot(6, d, y) + 1e-13L * R * slow_norm(6, d));
  }
  ofw_domain_free(K);
}

/* The smallest axis may be the one that counts, at any scale of d. */
static void axes_far_apart(void **state)
{
  (void)state;
  ofw_domain *K = domain_of("ellipsoid:axes=(1e-50,1e50,1)");
  double v[3], least = 0x1p-1074, most = 0x1.fffffffffffffp1023;
  ask(K, (double[]){1e300, 1e200, 1e200}, v); /* s d: 1e250, 1e250, 1e200 */
  assert_near(v[0], -1e-50L * sqrtl(0.5L), 1e-64L);
  assert_near(v[1], -1e50L * sqrtl(0.5L), 1e36L);
  assert_near(v[2], -1e-50L * sqrtl(0.5L), 1e-64L);
  ask(K, (double[]){most, 0.0, -most}, v);
  assert_true(v[0] > -1e-99 && v[1] == 0.0 && v[2] == 1.0);
  ask(K, (double[]){-least, 0.0, 0.0}, v);
  assert_true(v[0] == 1e-50 && v[1] == 0.0 && v[2] == 0.0);
  ask(K, (double[]){0.0, -0.0, 0.0}, v);
  assert_true(v[0] == 0.0 && v[1] == 0.0 && v[2] == 0.0);
  ofw_domain_free(K);
}

/* R is a bound where c is not 0, and reached where it is; r is reached along the shortest axis. */
static void radii_and_centre(void **state)
{
  (void)state;
  chance c = {43};
  for (size_t n = 1; n <= 40; n++) {
    shape s;
    ofw_domain *K = random_ellipsoid(&c, n, 3.0, 0.0, &s);
    double far[MOST_DIM] = {0}, tight[MOST_DIM] = {0};
    size_t longest = 0, shortest = 0;
    for (size_t i = 0; i < n; i++) {
      longest = s.half[i] > s.half[longest] ? i : longest;
      shortest = s.half[i] < s.half[shortest] ? i : shortest;
    }
    far[longest] = -s.half[longest];
    tight[shortest] = 1.0;
    has_radii(K, s.half[longest], s.half[shortest], far, tight, NULL);
    assert_null(K->centre);
    ofw_domain_free(K);
    K = random_ellipsoid(&c, n, 3.0, 1.0, &s);
    for (size_t i = 0; i < n; i++) {
      longest = s.half[i] > s.half[longest] ? i : longest;
      assert_true(K->centre[i] == s.centre[i]);
    }
    assert_near(K->R, slow_norm(n, s.centre) + s.half[longest], 1e-14L);
    ofw_domain_free(K);
  }
}

typedef struct turned {
  size_t n;
  double a[10 * 10], centre[10];
} turned;

/* n random directions at right angles, one after the other */
static void right_angles(chance *c, size_t n, double *q)
{
  for (size_t i = 0; i < n; i++) {
    chance_normals(c, n, q + i * n);
    for (size_t twice = 0; twice < 2 * i; twice++) {
      const double *before = q + twice % i * n;
      double along = (double)slow_dot(n, q + i * n, before);
      for (size_t j = 0; j < n; j++)
        q[i * n + j] -= along * before[j];
    }
    double length = (double)slow_norm(n, q + i * n);
    for (size_t j = 0; j < n; j++)
      q[i * n + j] /= length;
  }
}

/* The spec's "matrix=", in place or by a file that is there until the set is made. */
static ofw_domain *domain_by(char *spec, const turned *m, int in_file)
{
  char path[] = "/tmp/ofw_test_ellipsoid_XXXXXX", number[OFW_REAL_TEXT], text[4096] = "";
  size_t n = m->n;
  for (size_t i = 0; i < n * n; i++)
    strcat(strcat(text, ofw_print_real(m->a[i], number)), (i + 1) % n     ? " "
                                                          : i + 1 < n * n ? in_file ? "\n" : ";"
                                                                          : "");
  if (!in_file) {
    strcat(strcat(strcat(spec, ",matrix=("), text), ")");
    return domain_of(spec);
  }
  int fd = mkstemp(path);
  assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
  close(fd);
  strcat(strcat(spec, ",matrix=@"), path);
  ofw_domain *K = domain_of(spec);
  unlink(path);
  assert_true(K->content != 0);
  return K;
}

/* A = Q' diag(half^-2) Q with random orthonormal rows of Q */
static ofw_domain *random_matrix(chance *c, size_t n, const double *half, turned *m, int in_file)
{
  char spec[8192] = "ellipsoid:";
  double q[10 * 10];
  m->n = n;
  right_angles(c, n, q);
  chance_normals(c, n, m->centre);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j <= i; j++) {
      double sum = 0.0;
      for (size_t k = 0; k < n; k++)
        sum += q[k * n + i] * q[k * n + j] / (half[k] * half[k]);
      m->a[i * n + j] = m->a[j * n + i] = sum;
    }
  add_list(spec, "centre=", n, m->centre);
  return domain_by(spec, m, in_file);
}

/* <d, c> - sqrt(d' A^-1 d), by Cholesky's factors, which the set does not use; d must be of moderate size */
static long double by_cholesky(const turned *m, const double *d, double *v)
{
  double a[100], x[10];
  memcpy(a, m->a, sizeof a);
  memcpy(x, d, m->n * sizeof *x);
  assert_int_equal(LAPACKE_dposv(LAPACK_ROW_MAJOR, 'L', (int)m->n, 1, a, (int)m->n, x, 1), 0);
  long double root = sqrtl(slow_dot(m->n, d, x));
  for (size_t i = 0; i < m->n; i++)
    v[i] = (double)(m->centre[i] - x[i] / root);
  return slow_dot(m->n, d, m->centre) - root;
}

static void a_matrix(void **state)
{
  (void)state;
  static const double scales[] = {1.0, 1e-310, 1e300};
  chance c = {44};
  turned m;
  for (size_t n = 1; n <= 10; n++) {
    double half[10], d[10], v[10], want[10], large[10], longest = 0.0, shortest = INFINITY;
    for (size_t i = 0; i < n; i++) {
      half[i] = chance_size(&c, 4.0);
      longest = fmax(longest, half[i]);
      shortest = fmin(shortest, half[i]);
    }
    ofw_domain *K = random_matrix(&c, n, half, &m, n % 2);
    assert_int_equal(ofw_domain_dim(K), n);
    assert_near(K->r, shortest, 1e-13L);
    assert_near(K->R, longest + slow_norm(n, m.centre), 1e-12L);
    for (int t = 0; t < 1000; t++) {
      double scale = scales[t % 3];
      chance_normals(&c, n, d);
      for (size_t i = 0; i < n; i++) {
        d[i] = t % 4 ? d[i] : (double)chance_below(&c, 5) - 2.0;
        large[i] = scale * d[i];
        d[i] = scale < 1.0 ? large[i] * 0x1p1000 : d[i]; /* what is left of its digits */
      }
      long double got = ask(K, large, v);
      if (slow_norm(n, d) == 0.0L)
        continue;
      long double least = by_cholesky(&m, d, want) * (scale < 1.0 ? 0x1p-1000L : scale);
      assert_near(got, least, 1e-12L * slow_norm(n, large));
      for (size_t i = 0; i < n; i++)
        assert_near(v[i], want[i], 1e-11L);
    }
    ofw_domain_free(K);
  }
}

/* As an ellipsoid by its axes is: the same in every way. */
static void a_diagonal_matrix(void **state)
{
  (void)state;
  ofw_domain *K = domain_of("ellipsoid:matrix=(0.25,0,0;0,4,0;0,0,1),centre=(1,0,-2)");
  ofw_domain *same = domain_of("ellipsoid:axes=(2,0.5,1),centre=(1,0,-2)");
  chance c = {45};
  double d[3], v[3], w[3];
  assert_near(K->R, same->R, 1e-15L);
  assert_true(K->r == 0.5 && K->from_centre && same->from_centre);
  for (int t = 0; t < 1000; t++) {
    random_direction(&c, 3, d);
    ask(K, d, v);
    ask(same, d, w);
    for (size_t i = 0; i < 3; i++)
      assert_near(v[i], w[i], 1e-14L);
    chance_normals(&c, 3, d);
    assert_near(ofw_domain_excess(K, d), ofw_domain_excess(same, d), 1e-14L);
    assert_int_equal(ofw_domain_project(K, d, v, NULL), OFW_OK);
    assert_int_equal(ofw_domain_project(same, d, w, NULL), OFW_OK);
    for (size_t i = 0; i < 3; i++)
      assert_near(v[i], w[i], 1e-14L);
  }
  ofw_domain_free(K);
  ofw_domain_free(same);
}

/* s_i^2 z_i / (s_i^2 + m), m by halving an interval of logarithms */
static void the_projection(void **state)
{
  (void)state;
  chance c = {46};
  for (int set = 0; set < 30; set++) {
    shape s;
    size_t n = 1 + (size_t)set % 8;
    ofw_domain *K = random_ellipsoid(&c, n, set < 15 ? 3.0 : 12.0, set % 2, &s);
    double y[MOST_DIM], x[MOST_DIM];
    for (int t = 0; t < 200; t++) {
      long double low = -200.0L, high = 100.0L, m = 0.0L;
      for (size_t i = 0; i < n; i++)
        y[i] = (t % 7 ? 1.0 : 1e4) * (t % 2 ? chance_normal(&c) : (double)chance_below(&c, 5) - 2.0);
      for (int half = 0; half < 120; half++) {
        long double total = 0.0L;
        m = expl((low + high) / 2);
        for (size_t i = 0; i < n; i++) {
          long double square = (long double)s.half[i] * s.half[i], z = (long double)y[i] - s.centre[i];
          total += square * z * z / ((square + m) * (square + m));
        }
        *(total > 1.0L ? &low : &high) = (low + high) / 2;
      }
      int inside = ofw_domain_excess(K, y) == 0.0;
      assert_int_equal(ofw_domain_project(K, y, x, NULL), OFW_OK);
      for (size_t i = 0; i < n; i++) {
        long double square = (long double)s.half[i] * s.half[i], z = (long double)y[i] - s.centre[i];
        assert_near(x[i], inside ? y[i] : s.centre[i] + square * z / (square + m), 1e-13L);
      }
    }
    ofw_domain_free(K);
  }
}

/* From far away, along axes of all sizes; y on an axis, or within the shortest one's reach of it. */
static void projections_at_the_ends(void **state)
{
  (void)state;
  ofw_domain *K = domain_of("ellipsoid:axes=(1e-50,1,1e50)");
  double x[3];
  assert_int_equal(ofw_domain_project(K, (double[]){0.0, 0.0, -1.7e308}, x, NULL), OFW_OK);
  assert_true(x[0] == 0.0 && x[1] == 0.0 && x[2] == -1e50);
  assert_int_equal(ofw_domain_project(K, (double[]){1.7e308, 0.0, 0.0}, x, NULL), OFW_OK);
  assert_near(x[0], 1e-50L, 1e-65L);
  assert_int_equal(ofw_domain_project(K, (double[]){1e-49, 0.0, 0.0}, x, NULL), OFW_OK);
  assert_near(x[0], 1e-50L, 1e-65L);
  assert_int_equal(ofw_domain_project(K, (double[]){1e-49, 0.6, 0.0}, x, NULL),
                   OFW_OK); /* y does not move but in x_0 */
  assert_near(x[0], 0.8e-50L, 1e-65L);
  assert_near(x[1], 0.6L, 1e-15L);
  assert_int_equal(ofw_domain_project(K, (double[]){0.5e-50, 0.6, 0.6e50}, x, NULL), OFW_OK); /* inside */
  assert_true(x[0] == 0.5e-50 && x[1] == 0.6 && x[2] == 0.6e50);
  ofw_domain_free(K);
}

/* Never more than the distance, and the distance on an axis. */
static void excess_is_a_distance(void **state)
{
  (void)state;
  chance c = {47};
  shape s;
  ofw_domain *K = domain_of("ellipsoid:axes=(3,0.25),centre=(1,2)");
  assert_true(ofw_domain_excess(K, (double[]){1.0, 2.0}) == 0.0);
  assert_true(ofw_domain_excess(K, (double[]){4.0, 2.0}) == 0.0);
  assert_near(ofw_domain_excess(K, (double[]){-4.0, 2.0}), 2.0L, 1e-15L);
  assert_near(ofw_domain_excess(K, (double[]){1.0, 3.0}), 0.75L, 1e-15L);
  assert_true(ofw_domain_excess(K, (double[]){1.7e308, -1.7e308}) > 1e307);
  ofw_domain_free(K);
  K = random_ellipsoid(&c, 5, 4.0, 1.0, &s);
  for (int t = 0; t < 500; t++) {
    double y[5], x[5];
    chance_normals(&c, 5, y);
    assert_int_equal(ofw_domain_project(K, y, x, NULL), OFW_OK);
    double out = ofw_domain_excess(K, y);
    for (size_t i = 0; i < 5; i++)
      x[i] -= y[i];
    assert_at_most(out, slow_norm(5, x) * (1.0L + 1e-12L));
    assert_true(out > 0.0 || slow_norm(5, x) == 0.0L);
  }
  ofw_domain_free(K);
}

static void bad_specs(void **state)
{
  (void)state;
  misused("ellipsoid", "", ": axes or matrix is required");
  misused("ellipsoid", ":dim=3,centre=1", ": axes or matrix is required");
  misused("ellipsoid", ":axes=(1,2),matrix=(1 0;0 1)", ": found both axes and matrix; give one of them");
  misused("ellipsoid", ":axes=2", ": dim is required because neither axes nor centre is a list");
  misused("ellipsoid", ":axes=(2,0)", ": axis 2 is 0, which is not in [1e-100, 1e+100]");
  misused("ellipsoid", ":axes=(-1,2)", ": axis 1 is -1, which is not in [1e-100, 1e+100]");
  misused("ellipsoid", ":axes=(1e-60,1e60)",
          ": the axes range from 1e-60 to 1e+60; the largest may be at most 1e+100 times the smallest");
  misused("ellipsoid", ":axes=(1,2),centre=(0,-2e100)", ": coordinate 2 of the centre is larger than 1e+100");
  misused("ellipsoid", ":axes=(1,2),colour=1", ": no option 'colour'; its options: dim, axes, centre, matrix");
  refused("ellipsoid:axes=(1,2),centre=(1,2,3)", OFW_BAD_DATA,
          "ellipsoid: centre has 3 numbers, but the dimension is 2");
  refused("ellipsoid:axes=@/no/such/file", OFW_BAD_DATA,
          "ellipsoid: cannot read /no/such/file: No such file or directory");
}

static void bad_matrices(void **state)
{
  (void)state;
  misused("ellipsoid", ":matrix=(1 0;0)", ": line 2: found 1 numbers, expected 2");
  misused("ellipsoid", ":matrix=(1 0)", ": line 1: the matrix ends here; expected 2 lines");
  misused("ellipsoid", ":matrix=(1 0;0 1;0 0)", ": line 3: expected 2 lines of 2 numbers, found more");
  misused("ellipsoid", ":matrix=()", ": line 1: found 0 numbers, expected 1");
  misused("ellipsoid", ":matrix=(1 0;x 1)", ": line 2: 'x' is not a finite number");
  misused("ellipsoid", ":dim=3,matrix=(1 0;0 1)", ": line 1: found 2 numbers, expected 3");
  misused("ellipsoid", ":matrix=(2 1;1.5 2)",
          ": matrix is not symmetric: entry 1 of line 2 is 1.5, entry 2 of line 1 1");
  misused("ellipsoid", ":matrix=(1 2;2 1)", ": matrix is not positive definite: its eigenvalues range from -1 to 3");
  misused("ellipsoid", ":matrix=(1 0;0 -1)", ": matrix is not positive definite: entry 2 of line 2 is -1");
  misused("ellipsoid", ":matrix=(1 0;0 1e-30)",
          ": matrix is not positive definite: its eigenvalues range from 1e-30 to 1");
  misused("ellipsoid", ":matrix=1e-300", ": axis 1 is 1e+150, which is not in [1e-100, 1e+100]");
  refused("ellipsoid:matrix=(1 0;0 1),centre=(1,2,3)", OFW_BAD_DATA,
          "ellipsoid: centre has 3 numbers, but the dimension is 2");
  refused("ellipsoid:matrix=@/no/such/file", OFW_BAD_DATA,
          "ellipsoid: cannot read /no/such/file: No such file or directory");
  refused("ellipsoid:matrix=@/dev/zero", OFW_BAD_DATA, "/dev/zero:1: the line is longer than 1048576 bytes");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_closed_form),
      cmocka_unit_test(no_point_is_better),
      cmocka_unit_test(axes_far_apart),
      cmocka_unit_test(radii_and_centre),
      cmocka_unit_test(a_matrix),
      cmocka_unit_test(a_diagonal_matrix),
      cmocka_unit_test(the_projection),
      cmocka_unit_test(projections_at_the_ends),
      cmocka_unit_test(excess_is_a_distance),
      cmocka_unit_test(bad_specs),
      cmocka_unit_test(bad_matrices),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
