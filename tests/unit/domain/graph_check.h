/* graph_check.h — sets whose vertices have whole numbers, against all points with whole numbers and against CLP
 *
 * The set is written down anew as rows and bounds. Of its whole points the best is the best of the set, so they are
 * what the oracle is held against; they also span the hull, and reach as far as the set does.
 */
#ifndef OFW_TEST_GRAPH_CHECK_H
#define OFW_TEST_GRAPH_CHECK_H

#include "unit/domain/lp_check.h"
#include "unit/domain/oracle_check.h"
#include "vector/vec_arithmetic.h"

enum { MOST_ROWS = 64 };

/* low <= a x <= high, 0 <= x <= most */
typedef struct rows_of {
  size_t rows, n;
  int bounded; /* `most` is a bound of its own; else it follows from the rows */
  int loose;   /* where an x is negative, excess is any number from that on */
  double a[MOST_ROWS * MOST_DIM], low[MOST_ROWS], high[MOST_ROWS], most[MOST_DIM];
} rows_of;

typedef struct points {
  size_t n, count, room;
  double *x;
} points;

static inline void points_add(points *p, const double *x)
{
  if (p->count == p->room) {
    p->room = p->room ? 2 * p->room : 64;
    p->x = realloc(p->x, p->room * p->n * sizeof *p->x);
    assert_non_null(p->x);
  }
  memcpy(p->x + p->count++ * p->n, x, p->n * sizeof *x);
}

static inline int rows_hold(const rows_of *s, const double *x)
{
  for (size_t i = 0; i < s->rows; i++) {
    double sum = 0.0;
    for (size_t j = 0; j < s->n; j++)
      sum += s->a[i * s->n + j] * x[j];
    if (sum < s->low[i] - 1e-9 || sum > s->high[i] + 1e-9)
      return 0;
  }
  return 1;
}

static inline points whole_points(const rows_of *s)
{
  points found = {.n = s->n};
  double x[MOST_DIM] = {0};
  for (size_t j = 0; j < s->n;) {
    if (rows_hold(s, x) && j == 0)
      points_add(&found, x);
    for (j = 0; j < s->n && x[j] >= s->most[j]; j++) /* the next one, as one counts */
      x[j] = 0.0;
    if (j < s->n) {
      x[j] += 1.0;
      j = 0;
    }
  }
  assert_true(found.count > 0);
  return found;
}

static inline long double least_point(size_t n, const double *d, const void *set)
{
  const points *p = set;
  long double least = INFINITY;
  for (size_t k = 0; k < p->count; k++)
    least = fminl(least, slow_dot(n, d, p->x + k * n));
  return least;
}

static inline void agrees_with_clp(const ofw_domain *K, const rows_of *s)
{
  double none[MOST_DIM] = {0}, d[MOST_DIM], v[MOST_DIM];
  lp program = lp_open(s->rows, s->n, s->a, s->low, s->high, none, s->most);
  chance c = {17};
  for (int t = 0; t < 500; t++) {
    chance_normals(&c, s->n, d);
    assert_near(ask(K, d, v), lp_least(program, d, NULL), 1e-9);
  }
  lp_close(program);
}

/* The part of u within the hull, by the set's own normals. */
static inline void into_hull_of(const ofw_domain *K, double *u)
{
  double normal[MOST_DIM];
  for (size_t k = 0; k < K->normals; k++) {
    ofw_sum_dense((ofw_sum){1, &K->normal[k]}, K->dim, normal);
    double along = (double)slow_dot(K->dim, u, normal);
    for (size_t i = 0; i < K->dim; i++)
      u[i] -= along * normal[i];
  }
}

/* The dimension of what the points span, from the first one on. */
static inline size_t dimension(const points *p)
{
  double basis[MOST_DIM][MOST_DIM];
  size_t found = 0;
  for (size_t k = 1; k < p->count && found < p->n; k++) {
    double *u = basis[found];
    for (size_t i = 0; i < p->n; i++)
      u[i] = p->x[k * p->n + i] - p->x[i];
    for (size_t twice = 0; twice < 2 * found; twice++) {
      const double *q = basis[twice % found];
      double along = (double)slow_dot(p->n, u, q);
      for (size_t i = 0; i < p->n; i++)
        u[i] -= along * q[i];
    }
    double length = (double)slow_norm(p->n, u);
    for (size_t i = 0; i < p->n; i++)
      u[i] /= length > 1e-9 ? length : 1.0;
    found += length > 1e-9;
  }
  return found;
}

/* Its normals are orthonormal, at right angles to all points, and as many as there must be. */
static inline void has_hull(const ofw_domain *K, const points *p)
{
  double a[MOST_DIM], b[MOST_DIM], centre[MOST_DIM];
  ofw_domain_centre(K, centre);
  assert_int_equal(K->normals + dimension(p), K->dim);
  for (size_t k = 0; k < K->normals; k++) {
    ofw_sum_dense((ofw_sum){1, &K->normal[k]}, K->dim, a);
    for (size_t l = 0; l <= k; l++) {
      ofw_sum_dense((ofw_sum){1, &K->normal[l]}, K->dim, b);
      assert_near(slow_dot(K->dim, a, b), k == l, 1e-14);
    }
    for (size_t i = 0; i < p->count; i++)
      assert_near(slow_dot(K->dim, a, p->x + i * K->dim), slow_dot(K->dim, a, centre), 1e-13L * K->R);
  }
}

/* The ball of radius r about the centre is in K. Where r is the largest, a ball that is a little larger is not: it
 * leaves K along a coordinate, or along the sum of the coordinates of a row. */
static inline void has_inner_ball(const ofw_domain *K, const rows_of *s, int largest)
{
  double u[MOST_DIM], x[MOST_DIM], centre[MOST_DIM], R = K->R, r = K->r;
  size_t n = K->dim, ways = 2 * (n + s->rows);
  int touches = 0;
  chance c = {5};
  assert_true(r > 0.0);
  ofw_domain_centre(K, centre);
  for (size_t t = 0; t < ways + 500; t++) {
    for (size_t i = 0; i < n; i++)
      u[i] = t >= ways ? chance_normal(&c) : t / 2 < n ? (double)(i == t / 2) : s->a[(t / 2 - n) * n + i];
    into_hull_of(K, u);
    double length = (t % 2 ? -1.0 : 1.0) * (double)slow_norm(n, u);
    if (fabs(length) < 1e-9)
      continue;
    into_hull_of(K, u); /* what rounding left of the rest */
    for (int out = 0; out < 2; out++) {
      for (size_t i = 0; i < n; i++)
        x[i] = centre[i] + (1.0 + 1e-6 * out) * r * u[i] / length;
      double excess = ofw_domain_excess(K, x);
      touches |= out && excess > 1e-8 * r;
      if (!out)
        assert_at_most(excess, 1e-14L * R);
    }
  }
  assert_int_equal(touches || !largest, 1);
}

/* No point is farther than R, and where that is the smallest, one is as far. */
static inline void has_outer_radius(const ofw_domain *K, const points *p, int smallest)
{
  long double farthest = 0.0L, R = K->R;
  for (size_t k = 0; k < p->count; k++)
    farthest = fmaxl(farthest, slow_norm(p->n, p->x + k * p->n));
  assert_at_most(farthest, R * (1.0L + 1e-14L));
  if (smallest)
    assert_near(farthest, R, 1e-14L * R);
}

/* By how much x is outside, by the rows. */
static inline double outside(const rows_of *s, const double *x)
{
  double most = 0.0;
  for (size_t i = 0; i < s->rows; i++) {
    double sum = (double)slow_dot(s->n, s->a + i * s->n, x);
    most = fmax(most, fmax(s->low[i] - sum, sum - s->high[i]));
  }
  for (size_t j = 0; j < s->n; j++)
    most = fmax(most, fmax(-x[j], s->bounded ? x[j] - s->most[j] : 0.0));
  return most;
}

/* Points of the set have no excess, and others the one that the rows have. */
static inline void knows_its_points(const ofw_domain *K, const rows_of *s, const points *p)
{
  double x[MOST_DIM];
  chance c = {6};
  for (size_t k = 0; k < p->count + 1000; k++) {
    const double *at = p->x + k % p->count * p->n;
    assert_true(ofw_domain_excess(K, at) == 0.0);
    for (size_t i = 0; i < p->n; i++)
      x[i] = at[i] + (k < p->count ? 0.5 * (double)(i == k % p->n) : 0.2 * chance_normal(&c));
    double lowest = 0.0, excess = ofw_domain_excess(K, x);
    for (size_t i = 0; i < p->n; i++)
      lowest = fmin(lowest, x[i]);
    if (s->loose && lowest < 0.0)
      assert_true(excess >= -lowest);
    else
      assert_near(excess, outside(s, x), 1e-14L * (1.0L + K->R));
  }
}

/* A direction that overflowed, as a learner's may before it is told, gets an answer within the dimension. */
static inline void survives_what_is_not_finite(ofw_domain *K)
{
  static const double odd[] = {NAN, INFINITY, -INFINITY, 1.0};
  double d[MOST_DIM];
  opened o = open_seeded(ofw_domain_keep(K), 1);
  ofw_answer got;
  chance c = {12};
  for (int t = 0; t < 200; t++) {
    for (size_t i = 0; i < K->dim; i++)
      d[i] = t % 4 ? odd[chance_below(&c, 4)] : odd[t / 4 % 3];
    if (answer(o, d, 1e-9, INFINITY, &got) == OFW_OK)
      assert_int_equal(ofw_sum_check(got.atom, K->dim, "atom", NULL), OFW_OK);
  }
  shut(o);
}

/* All of it; r and R may be said to be the largest and the smallest. */
static inline void is_the_set(const char *spec, const rows_of *s, int smallest_R, int largest_r)
{
  ofw_domain *K = domain_of(spec);
  points p = whole_points(s);
  assert_int_equal(ofw_domain_dim(K), s->n);
  is_least(K, 10000, least_point, &p);
  agrees_with_clp(K, s);
  knows_its_points(K, s, &p);
  survives_what_is_not_finite(K);
  has_outer_radius(K, &p, smallest_R);
  if (dimension(&p) > 0) {
    has_hull(K, &p);
    has_inner_ball(K, s, largest_r);
  } else
    assert_true(K->r == 0.0);
  free(p.x);
  ofw_domain_free(K);
}

/* The graph's rows: 1 where an edge begins and `back` where it ends; vertices are 1 .. */
static inline rows_of rows_of_graph(size_t vertices, size_t n, const int edge[][2], double back)
{
  rows_of s = {.rows = vertices, .n = n};
  for (size_t e = 0; e < n; e++) {
    s.a[(size_t)(edge[e][0] - 1) * n + e] += 1.0;
    s.a[(size_t)(edge[e][1] - 1) * n + e] += back;
    s.most[e] = 1.0;
  }
  return s;
}

/* "NAME:graph=(1 2;1 3;..)REST"; `capacity` may be NULL */
static inline void spec_of_graph(char spec[TEXT], const char *name, size_t n, const int edge[][2],
                                 const double *capacity, const char *rest)
{
  char text[TEXT] = "";
  for (size_t e = 0; e < n; e++) {
    size_t at = strlen(text);
    int length = capacity
                     ? snprintf(text + at, TEXT - at, "%s%d %d %g", e ? ";" : "", edge[e][0], edge[e][1], capacity[e])
                     : snprintf(text + at, TEXT - at, "%s%d %d", e ? ";" : "", edge[e][0], edge[e][1]);
    assert_true(length > 0 && (size_t)length < TEXT - at);
  }
  say(spec, "%s:graph=(%.300s)%s", name, text, rest);
}

#endif
