/* lanczos.c — thick-restart Lanczos; lanczos.h has the method and the bounds
 *
 * Both searches are one: the least eigenpair of S is the top one of shift I - S. Five functions touch the vectors, which are
 * here or elsewhere (ofw_krylov); all else, and every decision, is made of a_j and b_j alone.
 */
#include "linalg/lanczos.h"

#include "linalg/kernels.h"
#include "linalg/rng.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <lapacke.h>

enum {
  MOST_BASIS = OFW_LANCZOS_BASIS, /* then the basis is restarted */
  KEPT = 42,                      /* with so many Ritz vectors */
  MOST_RESTARTS = 16,
  MOST_STEPS = MOST_BASIS + MOST_RESTARTS * (MOST_BASIS - KEPT),
  SMALL = 32 /* so few columns are always taken to the end: exactness costs next to nothing */
};

struct ofw_lanczos {
  size_t rows, cols, room;  /* room: basis vectors; rows 0: for a symmetric matrix */
  int whole;                /* so many that they span the space */
  double *basis, *image;    /* v_j and A v_j, one after the other */
  double *spare;            /* for a restart: KEPT of the longer kind */
  double *a, *b;            /* of every step since the call began */
  double *t, *s;            /* KEPT a restart */
  size_t at[MOST_RESTARTS]; /* the number of the step before which it took place */
  double *H, *values, *vectors, *work;
  double *w, *u, *v;
};

ofw_status ofw_lanczos_open(ofw_owned *own, size_t rows, size_t cols, ofw_lanczos **out, ofw_error *err)
{
  ofw_lanczos *l = *out = ofw_owned_take(own, calloc(1, sizeof *l), sizeof *l);
  OFW_TRY(ofw_owned_check(own, err));
  l->rows = rows;
  l->cols = cols;
  l->whole = cols <= MOST_BASIS;
  l->room = l->whole ? cols : MOST_BASIS;
  size_t k = l->room, steps = l->whole ? cols : MOST_STEPS, kept = l->whole ? 0 : KEPT;
  struct {
    double **at;
    size_t n;
  } need[] = {{&l->basis, k * cols},
              {&l->image, k * rows},
              {&l->spare, kept * (rows > cols ? rows : cols)},
              {&l->a, steps},
              {&l->b, steps},
              {&l->t, kept * MOST_RESTARTS},
              {&l->s, kept * MOST_RESTARTS},
              {&l->H, k * k},
              {&l->values, k},
              {&l->vectors, k * k},
              {&l->work, 32 * k},
              {&l->w, cols},
              {&l->u, rows},
              {&l->v, cols}};
  for (size_t i = 0; i < sizeof need / sizeof *need; i++)
    *need[i].at = ofw_owned_take(own, ofw_doubles_unset(need[i].n), need[i].n * sizeof(double));
  return ofw_owned_check(own, err);
}

/* One search for the top pair, as far as it has come. Its value is a singular value of A if M = A'A, else M's own. */
typedef struct search {
  ofw_lanczos *l;
  int singular; /* M = A'A; 0: M = shift I - S */
  void (*pass)(const void *ctx, const double *v, double *u, double *w);
  void (*times)(const void *ctx, const double *v, double *w);
  const void *ctx;
  double shift;
  const ofw_krylov *at; /* where the vectors are, of M = A'A; NULL: in l */
  int exponent;
  ofw_rng_key start; /* of the next random vector */
  size_t steps;      /* passes, so far */
  double square;     /* tr M, which is |A|_F^2 */
  double unseen;     /* what is left of it outside the basis */
  size_t k, kept;    /* basis vectors; so many in front are Ritz vectors */
  size_t restarts;
  size_t origin, carried; /* the step and the restart with which the current Krylov sequence begins */
  size_t free;            /* the dimension of what its first vector was drawn from */
  double root;            /* the largest eigenvalue of the sequence's part of H */
  double settled;         /* the largest one of sequences that have ended */
  double theta, before;   /* the largest value seen, and what it was a step ago */
} search;

/* What an eigenvalue of M is as a value, and back. */
static double value_of(const search *s, double root)
{
  return s->singular ? sqrt(root) : root;
}

static double root_of(const search *s, double value)
{
  return s->singular ? value * value : value;
}

/* What a relative accuracy is relative to: sigma_1, or the least eigenvalue of S. */
static double size_of(const search *s)
{
  return s->singular ? s->theta : fabs(s->shift - s->theta);
}

/* Makes w orthogonal to the basis, twice for safety; its length then. */
static double orthogonalise(search *s, double *w)
{
  const ofw_lanczos *l = s->l;
  for (int again = 0; again < 2; again++)
    for (size_t j = 0; j < s->k; j++) {
      const double *q = l->basis + j * l->cols;
      ofw_axpy(l->cols, -ofw_dot(l->cols, q, w), q, w);
    }
  return ofw_norm(l->cols, w);
}

static void divide(size_t n, const double *x, double by, double *out)
{
  for (size_t i = 0; i < n; i++)
    out[i] = x[i] / by;
}

/* A random direction behind the basis, orthogonal to it; how much of it that was. */
static double draw(search *s)
{
  ofw_lanczos *l = s->l;
  if (s->at)
    return s->at->begin(s->at, s->exponent, s->k, s->start);
  double *v = l->basis + s->k * l->cols;
  ofw_rng_direction(s->start, l->cols, v);
  double length = orthogonalise(s, v);
  if (length >= 1e-8)
    divide(l->cols, v, length, v);
  return length;
}

/* The first vector of a Krylov sequence, behind the k that the basis has: uniform at random. 0: there is nothing new to
 * reach. */
static int begin(search *s)
{
  double length = draw(s);
  s->start.purpose += 1u << 8; /* other numbers the next time */
  if (length < 1e-8)
    return 0;
  s->origin = s->steps;
  s->carried = s->restarts;
  s->free = s->l->cols - s->k;
  s->root = 0.0;
  return 1;
}

/* w = M v for the next v of the basis; <v, w> */
static double multiply(search *s)
{
  ofw_lanczos *l = s->l;
  const double *v = l->basis + s->k * l->cols;
  if (s->singular) {
    double *u = l->image + s->k * l->rows;
    s->pass(s->ctx, v, u, l->w);
    return ofw_dot(l->rows, u, u);
  }
  s->times(s->ctx, v, l->w);
  for (size_t i = 0; i < l->cols; i++)
    l->w[i] = s->shift * v[i] - l->w[i];
  return ofw_dot(l->cols, v, l->w);
}

/* One more step: w = M v_k, orthogonal to the basis; b_k = |w|. */
static void extend(search *s)
{
  ofw_lanczos *l = s->l;
  double b = 0.0, a = s->at ? s->at->extend(s->at, s->k, &b) : multiply(s);
  s->unseen = fmax(s->unseen - a, 8.0 * DBL_EPSILON * s->square);
  s->k++;
  l->a[s->steps] = a;
  l->b[s->steps] = s->at ? b : orthogonalise(s, l->w);
  s->steps++;
}

/* b as far as it can be known: below this only rounding is left of it. */
static double known_b(const search *s, double b)
{
  return fmax(b, 4.0 * DBL_EPSILON * s->root);
}

/* The Ritz vectors that hang on the first vector after a restart, at x: sum_i s_i^2 / (x - t_i), and the squares of
 * their polynomials relative to that vector's. 0: x is not above them. */
static int hang(const search *s, size_t restart, double x, double *couple, double *squares)
{
  const double *t = s->l->t + restart * KEPT, *c = s->l->s + restart * KEPT;
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
static double log_growth(const search *s, double x)
{
  const ofw_lanczos *l = s->l;
  double logarithm = 0.0, p = 1.0, sum = 1.0, couple = 0.0, squares;
  size_t next = s->carried;
  for (size_t j = s->origin; j < s->steps; j++) {
    if (next < s->restarts && l->at[next] == j) {
      if (!hang(s, next++, x, &couple, &squares))
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

/* Whether the sequence has gone over a restart, so that Ritz vectors hang on it. */
static int restarted(const search *s)
{
  return s->restarts > s->carried;
}

enum { AT_ONCE = 8 };
typedef double pair __attribute__((vector_size(16)));
typedef int64_t truths __attribute__((vector_size(16)));

/* Whether each of several x is above every eigenvalue: log_growth's divisions for all of them side by side. */
static void are_above(const search *s, const double x[AT_ONCE], int64_t above[AT_ONCE])
{
  const ofw_lanczos *l = s->l;
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
        yes[i / 2][i % 2] &= -(int64_t)hang(s, next, x[i], &one, &squares);
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
static void find_root(search *s)
{
  const ofw_lanczos *l = s->l;
  size_t j = s->steps - 1;
  double add = j > s->origin ? l->b[j - 1] : 0.0;
  if (restarted(s) && l->at[s->restarts - 1] == j)
    add = ofw_norm(KEPT, l->s + (s->restarts - 1) * KEPT);
  double largest = fmax(s->root, l->a[j]);
  double low = largest * (1.0 - 8.0 * DBL_EPSILON), high = (largest + add) * (1.0 + 4.0 * DBL_EPSILON);
  for (int crossed = 0; !crossed && high - low > 2.0 * DBL_EPSILON * high;) {
    double x[AT_ONCE];
    int64_t above[AT_ONCE];
    middles(low, high, x);
    are_above(s, x, above);
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
  s->theta = value_of(s, fmax(s->root, s->settled));
}

/* What ln sqrt(sum p^2) must reach for the second bound to fail with probability delta at most. */
static double needed(const search *s, double delta)
{
  return -log(delta * sqrt(M_PI / (2.0 * (double)s->free)));
}

/* Whether the top value is at most theta + by, for certain or but for delta. */
static int within(const search *s, double by, double delta)
{
  double x = s->theta + fmax(by - 16.0 * DBL_EPSILON * s->theta, 4.0 * DBL_EPSILON * s->theta);
  return root_of(s, s->theta) + s->unseen <= root_of(s, x) || log_growth(s, root_of(s, x)) >= needed(s, delta);
}

/* The second bound: the e for which ln sqrt(sum p^2) at theta + e is what is needed. */
static double probable_excess(const search *s)
{
  double theta = s->theta, limit = needed(s, OFW_LANCZOS_DELTA), low = 0.0, high = 4.0 * DBL_EPSILON * theta;
  while (log_growth(s, root_of(s, theta + high)) < limit) {
    low = high;
    high *= 4.0;
  }
  for (int i = 0; i < 50; i++) {
    double middle = low / 2 + high / 2;
    if (log_growth(s, root_of(s, theta + middle)) < limit)
      low = middle;
    else
      high = middle;
  }
  return high;
}

/* H, whose `n` largest eigenvalues and vectors go to values and vectors, ascending. */
static ofw_status decompose(search *s, size_t n, ofw_error *err)
{
  ofw_lanczos *l = s->l;
  size_t k = s->k, base = s->steps - (k - s->kept);
  memset(l->H, 0, k * k * sizeof *l->H);
  for (size_t i = 0; i < s->kept; i++) {
    l->H[i * k + i] = l->t[(s->restarts - 1) * KEPT + i];
    l->H[s->kept * k + i] = l->s[(s->restarts - 1) * KEPT + i];
  }
  for (size_t j = s->kept; j < k; j++) {
    l->H[j * k + j] = l->a[base + j - s->kept];
    if (j + 1 < k)
      l->H[(j + 1) * k + j] = l->b[base + j - s->kept];
  }
  lapack_int order = (lapack_int)k, found, support[2 * MOST_BASIS], whole[10 * MOST_BASIS];
  lapack_int info =
      LAPACKE_dsyevr_work(LAPACK_COL_MAJOR, 'V', 'I', 'U', order, l->H, order, 0.0, 0.0, (lapack_int)(k - n + 1), order,
                          0.0, &found, l->values, l->vectors, order, support, l->work, 32 * order, whole, 10 * order);
  if (info != 0)
    return ofw_fail(err, OFW_NUMERICAL, "the small eigenproblem did not converge (dsyevr %d)", (int)info);
  return OFW_OK;
}

/* |y_k| of the unit eigenvector y of `root`, of a tridiagonal H: computed from its end backwards, since it then grows and
 * rounding errors do not. */
static double last_entry(const search *s)
{
  const ofw_lanczos *l = s->l;
  double x = s->root, y = 1.0, after = 0.0, sum = 1.0;
  for (size_t j = s->steps - 1; j > s->origin && sum < 1e40; j--) {
    double before = ((x - l->a[j]) * y - (j + 1 < s->steps ? l->b[j] : 0.0) * after) / l->b[j - 1];
    after = y;
    y = before;
    sum += y * y;
  }
  return 1.0 / sqrt(sum);
}

/* Whether |A' u - theta v|, or |M v - theta v|, is at most `most`. After a restart that takes a decomposition of H, so it is looked at now and then. */
static ofw_status small_residual(search *s, double most, int *small, ofw_error *err)
{
  double b = s->l->b[s->steps - 1], unit = s->singular ? s->theta : 1.0;
  *small = s->settled >= s->root;
  if (*small)
    return OFW_OK;
  if (!restarted(s))
    *small = b * last_entry(s) / unit <= most;
  else if (s->k % 4 == 0) {
    OFW_TRY(decompose(s, 1, err));
    *small = b * fabs(s->l->vectors[s->k - 1]) / unit <= most;
  }
  return OFW_OK;
}

/* out_i = sum_j y_ij x_j for the n vectors y_i of H, the largest first */
static void combine(const search *s, size_t n, size_t length, const double *x, double *out)
{
  memset(out, 0, n * length * sizeof *out);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < s->k; j++)
      ofw_axpy(length, s->l->vectors[(n - 1 - i) * s->k + j], x + j * length, out + i * length);
}

/* The KEPT best Ritz vectors become the basis. */
static void rotate(const search *s)
{
  const ofw_lanczos *l = s->l;
  if (s->at) {
    s->at->rotate(s->at, s->k, KEPT, l->vectors);
    return;
  }
  combine(s, KEPT, l->cols, l->basis, l->spare);
  memcpy(l->basis, l->spare, KEPT * l->cols * sizeof *l->spare);
  combine(s, KEPT, l->rows, l->image, l->spare);
  memcpy(l->image, l->spare, KEPT * l->rows * sizeof *l->spare);
}

/* The best Ritz vectors stay; v_{k+1} is the next. */
static ofw_status restart(search *s, ofw_error *err)
{
  ofw_lanczos *l = s->l;
  OFW_TRY(decompose(s, KEPT, err));
  double *t = l->t + s->restarts * KEPT, *c = l->s + s->restarts * KEPT, b = l->b[s->steps - 1];
  s->unseen = s->square * (1.0 + 8.0 * DBL_EPSILON);
  for (size_t i = 0; i < KEPT; i++) {
    t[i] = l->values[KEPT - 1 - i];
    c[i] = b * l->vectors[(KEPT - 1 - i) * s->k + s->k - 1];
    s->unseen -= t[i];
  }
  s->unseen = fmax(s->unseen, 8.0 * DBL_EPSILON * s->square);
  rotate(s);
  l->at[s->restarts++] = s->steps;
  s->k = s->kept = KEPT;
  return OFW_OK;
}

/* v = V y, u = A v / theta; there is no u if M is no A'A */
static void compose(const search *s, const double **u, const double **v)
{
  const ofw_lanczos *l = s->l;
  if (s->at) {
    s->at->compose(s->at, s->k, l->vectors, u, v);
    return;
  }
  combine(s, 1, l->cols, l->basis, l->v);
  combine(s, 1, l->rows, l->image, l->u);
  divide(l->cols, l->v, ofw_norm(l->cols, l->v), l->v);
  divide(l->rows, l->u, ofw_norm(l->rows, l->u), l->u);
  *u = l->u;
  *v = l->v;
}

static ofw_status finish(search *s, ofw_singular *out, ofw_error *err)
{
  const double *u, *v;
  double theta = s->theta, floor = 16.0 * DBL_EPSILON * theta;
  double certain = value_of(s, root_of(s, theta) + s->unseen) - theta, probable = probable_excess(s);
  OFW_TRY(decompose(s, 1, err));
  compose(s, &u, &v);
  *out = (ofw_singular){theta, u, v, fmin(certain, probable) + floor, certain <= probable, s->steps};
  return OFW_OK;
}

/* Whether the pair is good enough; a basis that spans the space is, and so is one that may not grow any more. */
static ofw_status enough(search *s, double relative, double absolute, int *out, ofw_error *err)
{
  const ofw_lanczos *l = s->l;
  double theta = s->theta, least = 32.0 * DBL_EPSILON * theta, off = relative * size_of(s);
  double doubt = fmin(0.5, fmax(50.0 * relative, OFW_LANCZOS_DELTA));
  *out = s->k == l->room && (l->whole || s->restarts == MOST_RESTARTS);
  if (*out || l->cols <= SMALL || theta - s->before > fmax(off / 4.0, 2.0 * least))
    return OFW_OK;
  if (within(s, fmax(off, least), doubt) && within(s, fmax(absolute, least), OFW_LANCZOS_DELTA))
    return small_residual(s, fmax(3.0 * relative * size_of(s), 2.0 * least), out, err);
  return OFW_OK;
}

static ofw_status run(search *s, double relative, double absolute, ofw_singular *out, ofw_error *err)
{
  ofw_lanczos *l = s->l;
  const char *what = s->singular ? "singular value" : "eigenvalue";
  s->unseen = s->square * (1.0 + 8.0 * DBL_EPSILON);
  int more = begin(s), done = 0;
  while (more) {
    extend(s);
    if (!isfinite(l->a[s->steps - 1] + l->b[s->steps - 1]))
      return ofw_fail(err, OFW_NUMERICAL, "the %s is not a finite number", what);
    find_root(s);
    OFW_TRY(enough(s, relative, absolute, &done, err));
    if (done)
      break;
    double b = l->b[s->steps - 1];
    int ended = b <= 64.0 * DBL_EPSILON * root_of(s, s->theta); /* the sequence leads nowhere new */
    if (s->k == l->room)
      OFW_TRY(restart(s, err));
    if (ended) {
      l->b[s->steps - 1] = 0.0;
      s->settled = fmax(s->settled, s->root);
      more = begin(s);
    } else if (s->at)
      s->at->accept(s->at, s->k);
    else
      divide(l->cols, l->w, b, l->basis + s->k * l->cols);
  }
  if (!(s->theta > 0.0))
    return ofw_fail(err, OFW_NUMERICAL, "the %s is not a positive number", what);
  return finish(s, out, err);
}

ofw_status ofw_lanczos_top(ofw_lanczos *l, void (*pass)(const void *ctx, const double *v, double *u, double *w),
                           const void *ctx, double square, ofw_rng_key start, double relative, double absolute,
                           ofw_singular *out, ofw_error *err)
{
  search s = {.l = l, .singular = 1, .pass = pass, .ctx = ctx, .start = start, .square = square};
  return run(&s, relative, absolute, out, err);
}

ofw_status ofw_lanczos_top_at(ofw_lanczos *l, const ofw_krylov *at, int exponent, double square, ofw_rng_key start,
                              double relative, double absolute, ofw_singular *out, ofw_error *err)
{
  search s = {.l = l, .singular = 1, .at = at, .exponent = exponent, .start = start, .square = square};
  return run(&s, relative, absolute, out, err);
}

ofw_status ofw_lanczos_least(ofw_lanczos *l, void (*times)(const void *ctx, const double *v, double *w),
                             const void *ctx, double size, double trace, ofw_rng_key start, double relative,
                             double absolute, ofw_singular *out, ofw_error *err)
{
  double shift = 1.5 * size; /* so that no eigenvalue of M is 0 */
  search s = {.l = l, .times = times, .ctx = ctx, .shift = shift, .start = start};
  s.square = (double)l->cols * shift - trace;
  OFW_TRY(run(&s, relative, absolute, out, err));
  out->value = shift - out->value;
  return OFW_OK;
}
