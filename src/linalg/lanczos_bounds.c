/* lanczos_bounds.c — what the numbers of a search prove: its largest eigenvalue, and how far the top one can be above it */
#include "linalg/lanczos_search.h"

#include "linalg/kernels.h"

#include <float.h>
#include <string.h>

enum { KEPT = OFW_LANCZOS_KEPT };

/* b as far as it can be known: below this only rounding is left of it. */
static double known_b(const ofw_search *s, double b)
{
  return fmax(b, 4.0 * DBL_EPSILON * s->root);
}

/* The Ritz vectors that hang on the first vector after a restart, at x: sum_i s_i^2 / (x - t_i), and the squares of
 * their polynomials relative to that vector's. 0: x is not above them. */
static int hang(const ofw_lanczos *l, size_t restart, double x, double *couple, double *squares)
{
  const double *t = l->t + restart * KEPT, *c = l->s + restart * KEPT;
  *couple = *squares = 0.0;
  for (size_t i = 0; i < KEPT; i++) {
    double y = c[i] / (x - t[i]);
    if (c[i] != 0.0 && !(x > t[i]))
      return 0;
    *couple += c[i] != 0.0 ? c[i] * y : 0.0;
    *squares += c[i] != 0.0 ? y * y : 0.0;
  }
  return 1;
}

/* ln sqrt(sum p_j(x)^2) over the sequence's part of the basis and v_{k+1}, by ratios of one polynomial to the one before:
 * p_j b_j = (x - a_j) p_{j-1} - b_{j-1} p_{j-2}. -infinity if x is not above every eigenvalue. */
static double log_growth(const ofw_lanczos *l, double x)
{
  const ofw_search *s = &l->now;
  double logarithm = 0.0, p = 1.0, sum = 1.0, couple = 0.0, squares;
  size_t next = s->carried;
  for (size_t j = s->origin; j < s->steps; j++) {
    if (next < s->restarts && l->at[next] == j) {
      if (!hang(l, next++, x, &couple, &squares))
        return -INFINITY;
      logarithm += log(p);
      p = 1.0;
      sum = 1.0 + squares;
    }
    double ratio = ((x - l->a[j]) - couple) / known_b(s, l->b[j]);
    if (!(ratio > 0.0))
      return -INFINITY;
    couple = l->b[j] / ratio;
    p *= ratio;
    sum += p * p;
    if (p > 1e100) {
      logarithm += log(p);
      sum /= p * p;
      p = 1.0;
    }
  }
  return logarithm + 0.5 * log(sum);
}

enum { AT_ONCE = 8 };
typedef double pair __attribute__((vector_size(16)));
typedef int64_t truths __attribute__((vector_size(16)));

/* Whether each of several x is above every eigenvalue: log_growth's divisions for all of them side by side. */
static void are_above(const ofw_lanczos *l, const double x[AT_ONCE], int64_t above[AT_ONCE])
{
  const ofw_search *s = &l->now;
  size_t next = s->carried;
  pair at[AT_ONCE / 2], couple[AT_ONCE / 2] = {{0}};
  truths yes[AT_ONCE / 2];
  memcpy(at, x, sizeof at);
  for (size_t i = 0; i < AT_ONCE / 2; i++)
    yes[i] = at[i] == at[i];
  for (size_t j = s->origin; j < s->steps; j++) {
    double a = l->a[j], b = l->b[j], known = known_b(s, b);
    if (next < s->restarts && l->at[next] == j) {
      for (size_t i = 0; i < AT_ONCE; i++) {
        double one, squares;
        yes[i / 2][i % 2] &= -(int64_t)hang(l, next, x[i], &one, &squares);
        couple[i / 2][i % 2] = one;
      }
      next++;
    }
    for (size_t i = 0; i < AT_ONCE / 2; i++) {
      pair ratio = ((at[i] - a) - couple[i]) / known;
      yes[i] &= ratio > 0.0;
      couple[i] = b / ratio;
    }
  }
  memcpy(above, yes, sizeof yes);
}

/* The next three halvings of (low, high): its middle, those of its halves, and those of theirs, of a heap. */
static void middles(double low, double high, double at[AT_ONCE])
{
  double from[AT_ONCE] = {low}, to[AT_ONCE] = {high};
  at[AT_ONCE - 1] = high;
  for (size_t i = 0; i + 1 < AT_ONCE; i++) {
    at[i] = from[i] + (to[i] - from[i]) / 2.0;
    if (2 * i + 2 < AT_ONCE - 1) {
      from[2 * i + 1] = from[i];
      to[2 * i + 1] = from[2 * i + 2] = at[i];
      to[2 * i + 2] = to[i];
    }
  }
}

/* The largest eigenvalue, after one more step: by bisection between the last one and what the step can add to it. The
 * last one may be too large by rounding, which must not add up. */
void ofw_search_find_root(ofw_lanczos *l)
{
  ofw_search *s = &l->now;
  size_t j = s->steps - 1;
  double add = j > s->origin ? l->b[j - 1] : 0.0;
  if (ofw_search_restarted(s) && l->at[s->restarts - 1] == j)
    add = ofw_norm(KEPT, l->s + (s->restarts - 1) * KEPT);
  double largest = fmax(s->root, l->a[j]);
  double low = largest * (1.0 - 8.0 * DBL_EPSILON), high = (largest + add) * (1.0 + 4.0 * DBL_EPSILON);
  for (int crossed = 0; !crossed && high - low > 2.0 * DBL_EPSILON * high;) {
    double x[AT_ONCE];
    int64_t above[AT_ONCE];
    middles(low, high, x);
    are_above(l, x, above);
    for (size_t i = 0; i + 1 < AT_ONCE && high - low > 2.0 * DBL_EPSILON * high;) {
      double middle = x[i];
      crossed = !(middle > low && middle < high);
      if (crossed)
        break; /* of numbers below DBL_MIN the last digits are as far apart as all others */
      *(above[i] ? &high : &low) = middle;
      i = 2 * i + (above[i] ? 1 : 2);
    }
  }
  s->root = high;
  s->before = s->theta;
  s->theta = ofw_search_value(s, fmax(s->root, s->settled));
}

/* What ln sqrt(sum p^2) must reach for the second bound to fail with probability delta at most. */
static double needed(const ofw_search *s, double delta)
{
  return -log(delta * sqrt(M_PI / (2.0 * (double)s->free)));
}

/* Whether the top value is at most theta + by, for certain or but for delta. */
int ofw_search_within(const ofw_lanczos *l, double by, double delta)
{
  const ofw_search *s = &l->now;
  double x = s->theta + fmax(by - 16.0 * DBL_EPSILON * s->theta, 4.0 * DBL_EPSILON * s->theta);
  return ofw_search_root(s, s->theta) + s->unseen <= ofw_search_root(s, x) ||
         log_growth(l, ofw_search_root(s, x)) >= needed(s, delta);
}

/* The second bound: the e for which ln sqrt(sum p^2) at theta + e is what is needed. */
double ofw_search_probable_excess(const ofw_lanczos *l)
{
  const ofw_search *s = &l->now;
  double theta = s->theta, limit = needed(s, OFW_LANCZOS_DELTA), least = 4.0 * DBL_EPSILON * theta;
  int few = -1, many = 16; /* the first power of 4 that is enough is behind the one and not behind the other */
  for (; log_growth(l, ofw_search_root(s, theta + ldexp(least, 2 * many))) < limit; many *= 2)
    few = many;
  while (many - few > 1) {
    int middle = (few + many) / 2;
    *(log_growth(l, ofw_search_root(s, theta + ldexp(least, 2 * middle))) < limit ? &few : &many) = middle;
  }
  double low = few < 0 ? 0.0 : ldexp(least, 2 * few), high = ldexp(least, 2 * many);
  for (int i = 0; i < 50; i++) {
    double middle = low / 2 + high / 2;
    if (log_growth(l, ofw_search_root(s, theta + middle)) < limit)
      low = middle;
    else
      high = middle;
  }
  return high;
}

/* |y_k| of the unit eigenvector y of `root`, of a tridiagonal H: computed from its end backwards, since it then grows and
 * rounding errors do not. */
double ofw_search_last_entry(const ofw_lanczos *l)
{
  const ofw_search *s = &l->now;
  double x = s->root, y = 1.0, after = 0.0, sum = 1.0;
  for (size_t j = s->steps - 1; j > s->origin && sum < 1e40; j--) {
    double before = ((x - l->a[j]) * y - (j + 1 < s->steps ? l->b[j] : 0.0) * after) / l->b[j - 1];
    after = y;
    y = before;
    sum += y * y;
  }
  return 1.0 / sqrt(sum);
}

/* A singular value of B is off by apart |A|_F at most. A pass adds at most f = 2 grain |A|_F sigma_1 to M v. So V, H and v_{k+1}
 * are exactly those of another symmetric matrix, which differs from M by what its errors are outside of V, sqrt(k) f at most, and
 * within, sqrt(3k) f at most. A singular value moves by that over 2 sigma_1. */
double ofw_search_blur(const ofw_lanczos *l)
{
  const ofw_search *s = &l->now;
  double each = s->rough.apart + 3.0 * sqrt((double)s->k) * s->rough.grain;
  return each > 0.0 ? each * sqrt(s->square) : 0.0; /* the square may be infinite */
}
