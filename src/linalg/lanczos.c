/* lanczos.c — thick-restart Lanczos; lanczos.h has the method and the bounds
 *
 * All searches are one: the least eigenpair of S is the top one of shift I - S, and a rough search is one whose passes are off by
 * more than rounding. Every decision is made here, of a_j and b_j alone.
 */
#include "linalg/lanczos_search.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include <lapacke.h>

enum { KEPT = OFW_LANCZOS_KEPT };

ofw_status ofw_lanczos_open(ofw_owned *own, size_t rows, size_t cols, const ofw_split *split, ofw_lanczos **out,
                            ofw_error *err)
{
  ofw_lanczos *l = *out = ofw_owned_take(own, calloc(1, sizeof *l), sizeof *l);
  OFW_TRY(ofw_owned_check(own, err));
  l->rows = rows;
  l->cols = cols;
  l->split = split;
  l->whole = cols <= OFW_LANCZOS_BASIS;
  l->room = l->whole ? cols : OFW_LANCZOS_BASIS;
  size_t k = l->room, steps = l->whole ? cols : OFW_LANCZOS_STEPS, kept = l->whole ? 0 : KEPT;
  struct {
    double **at;
    size_t n;
  } need[] = {{&l->basis, k * cols},
              {&l->image, k * rows},
              {&l->spare, kept * (rows > cols ? rows : cols)},
              {&l->a, steps},
              {&l->b, steps},
              {&l->t, kept * OFW_LANCZOS_RESTARTS},
              {&l->s, kept * OFW_LANCZOS_RESTARTS},
              {&l->H, k * k},
              {&l->values, k},
              {&l->vectors, k * k},
              {&l->work, 32 * k},
              {&l->part, split ? split->bands_here * (k + 1) : 0},
              {&l->h, split ? k + 1 : 0},
              {&l->w, cols},
              {&l->u, rows},
              {&l->v, cols}};
  for (size_t i = 0; i < sizeof need / sizeof *need; i++)
    *need[i].at = ofw_owned_take(own, ofw_doubles_unset(need[i].n), need[i].n * sizeof(double));
  return ofw_owned_check(own, err);
}

/* What nothing of is seen: that of the matrix whose passes these are. */
static double whole_square(const ofw_search *s)
{
  return s->square * (1.0 + s->rough.apart) * (1.0 + s->rough.apart) * (1.0 + 8.0 * DBL_EPSILON);
}

/* What a relative accuracy is relative to: sigma_1, or the least eigenvalue of S. */
static double size_of(const ofw_search *s)
{
  return s->singular ? s->theta : fabs(s->shift - s->theta);
}

/* The first vector of a Krylov sequence, behind the k that the basis has: uniform at random. The search is over if there is
 * nothing new to reach. */
static void begin(ofw_lanczos *l)
{
  ofw_search *s = &l->now;
  double length = ofw_search_draw(l);
  s->start.purpose += 1u << 8; /* other numbers the next time */
  s->over = length < 1e-8;
  if (s->over)
    return;
  s->origin = s->steps;
  s->carried = s->restarts;
  s->free = l->cols - s->k;
  s->root = 0.0;
}

/* One more step: w = M v_k, orthogonal to the basis; b_k = |w|. Rough passes have not seen as much of |A|_F as they say. */
static ofw_status extend(ofw_lanczos *l, ofw_error *err)
{
  ofw_search *s = &l->now;
  double b = 0.0, a = ofw_search_extend(l, &b);
  if (s->rough.grain == 0.0)
    s->unseen = fmax(s->unseen - a, 8.0 * DBL_EPSILON * s->square);
  l->a[s->steps] = a;
  l->b[s->steps] = b;
  s->steps++;
  if (!isfinite(a + b))
    return ofw_fail(err, OFW_NUMERICAL, "the %s is not a finite number", s->singular ? "singular value" : "eigenvalue");
  ofw_search_find_root(l);
  return OFW_OK;
}

/* H, whose `n` largest eigenvalues and vectors go to values and vectors, ascending. */
static ofw_status decompose(ofw_lanczos *l, size_t n, ofw_error *err)
{
  const ofw_search *s = &l->now;
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
  lapack_int order = (lapack_int)k, found, support[2 * OFW_LANCZOS_BASIS], whole[10 * OFW_LANCZOS_BASIS];
  lapack_int info =
      LAPACKE_dsyevr_work(LAPACK_COL_MAJOR, 'V', 'I', 'U', order, l->H, order, 0.0, 0.0, (lapack_int)(k - n + 1), order,
                          0.0, &found, l->values, l->vectors, order, support, l->work, 32 * order, whole, 10 * order);
  if (info != 0)
    return ofw_fail(err, OFW_NUMERICAL, "the small eigenproblem did not converge (dsyevr %d)", (int)info);
  return OFW_OK;
}

/* y of the largest eigenvalue, by recurrences, of an H that is tridiagonal; 0: it is not. Seen from either end, x - H has positive
 * pivots above every eigenvalue; y is computed away from where the two meet best, so that no error grows. */
static int top_of_tridiagonal(ofw_lanczos *l)
{
  const ofw_search *s = &l->now;
  size_t k = s->k, meet = 0;
  double x = s->root, least = DBL_EPSILON * x, best = INFINITY, sum = 0.0, *y = l->vectors, *from = l->H,
         *to = l->H + k;
  if (s->origin > 0 || s->restarts > 0 || k < 2 || s->settled > 0.0)
    return 0;
  for (size_t j = 0; j < k; j++)
    from[j] = fmax(x - l->a[j] - (j > 0 ? l->b[j - 1] * l->b[j - 1] / from[j - 1] : 0.0), least);
  for (size_t j = k; j-- > 0;) {
    to[j] = fmax(x - l->a[j] - (j + 1 < k ? l->b[j] * l->b[j] / to[j + 1] : 0.0), least);
    double left = fabs(from[j] + to[j] - (x - l->a[j]));
    if (left < best) {
      best = left;
      meet = j;
    }
  }
  y[meet] = 1.0;
  for (size_t j = meet; j-- > 0;)
    y[j] = l->b[j] * y[j + 1] / from[j];
  for (size_t j = meet + 1; j < k; j++)
    y[j] = l->b[j - 1] * y[j - 1] / to[j];
  for (size_t j = 0; j < k; j++)
    sum += y[j] * y[j];
  for (size_t j = 0; j < k; j++)
    y[j] /= sqrt(sum);
  return isfinite(sum);
}

/* Whether |A' u - theta v|, or |M v - theta v|, is at most `most`. After a restart that takes a decomposition of H, so it is looked
 * at now and then. */
static ofw_status small_residual(ofw_lanczos *l, double most, int *small, ofw_error *err)
{
  const ofw_search *s = &l->now;
  double b = l->b[s->steps - 1], unit = s->singular ? s->theta : 1.0;
  *small = s->settled >= s->root;
  if (*small)
    return OFW_OK;
  if (!ofw_search_restarted(s))
    *small = b * ofw_search_last_entry(l) / unit <= most;
  else if (s->k % 4 == 0) {
    OFW_TRY(decompose(l, 1, err));
    *small = b * fabs(l->vectors[s->k - 1]) / unit <= most;
  }
  return OFW_OK;
}

/* The best Ritz vectors stay; v_{k+1} is the next. */
static ofw_status restart(ofw_lanczos *l, ofw_error *err)
{
  ofw_search *s = &l->now;
  OFW_TRY(decompose(l, KEPT, err));
  double *t = l->t + s->restarts * KEPT, *c = l->s + s->restarts * KEPT, b = l->b[s->steps - 1];
  s->unseen = whole_square(s);
  for (size_t i = 0; i < KEPT; i++) {
    t[i] = l->values[KEPT - 1 - i];
    c[i] = b * l->vectors[(KEPT - 1 - i) * s->k + s->k - 1];
    s->unseen -= t[i];
  }
  s->unseen = fmax(s->unseen, 8.0 * DBL_EPSILON * s->square);
  ofw_search_rotate(l);
  l->at[s->restarts++] = s->steps;
  s->k = s->kept = KEPT;
  return OFW_OK;
}

/* The basis spans the space, or may not grow any more. */
static int full(const ofw_lanczos *l)
{
  return l->now.k == l->room && (l->whole || l->now.restarts == OFW_LANCZOS_RESTARTS);
}

/* A rough search cannot be this accurate; theta is about sigma_1. What it answers for is the worst that its passes can do. Less than a
 * hundredth of what their sums lose is seen, and of that only the square in the pair: enough for a relative accuracy, which is one as far
 * as the search can tell. All of what their matrix is apart may be seen, if that is smooth where the matrix is not. */
static int too_rough(const ofw_lanczos *l, double relative, double absolute)
{
  const ofw_search *s = &l->now;
  double blur = 2.0 * ofw_search_blur(l), least = relative * size_of(s);
  return blur > absolute || blur > 128.0 * least || s->rough.apart * sqrt(s->square) > 4.0 * least;
}

/* Whether the pair is good enough; a full basis is. A rough search is over if it is about to be, and too rough for it. */
static ofw_status enough(ofw_lanczos *l, double relative, double absolute, ofw_error *err)
{
  ofw_search *s = &l->now;
  double theta = s->theta, least = 32.0 * DBL_EPSILON * theta, off = relative * size_of(s);
  double doubt = fmin(0.5, fmax(500.0 * relative, OFW_LANCZOS_DELTA));
  s->done = s->rough.grain == 0.0 && full(l);
  if (s->done || l->cols <= OFW_LANCZOS_SMALL || theta - s->before > fmax(off / 4.0, 2.0 * least) ||
      !ofw_search_within(l, fmax(off, least), doubt))
    return OFW_OK;
  s->over = too_rough(l, relative, absolute);
  if (!s->over && ofw_search_within(l, fmax(absolute - 2.0 * ofw_search_blur(l), least), OFW_LANCZOS_DELTA))
    return small_residual(l, fmax(3.0 * relative * size_of(s), 2.0 * least), &s->done, err);
  return OFW_OK;
}

/* The next vector, from w. A rough search neither restarts nor continues from a w that is only noise. */
static ofw_status advance(ofw_lanczos *l, ofw_error *err)
{
  ofw_search *s = &l->now;
  double b = l->b[s->steps - 1], noise = 4.0 * s->rough.grain * sqrt(s->square) * s->theta;
  int ended = b <= 64.0 * DBL_EPSILON * ofw_search_root(s, s->theta); /* the sequence leads nowhere new */
  if (s->rough.grain > 0.0 && (s->k == l->room || ended || b <= noise)) {
    s->over = 1;
    return OFW_OK;
  }
  if (s->k == l->room)
    OFW_TRY(restart(l, err));
  if (ended) {
    l->b[s->steps - 1] = 0.0;
    s->settled = fmax(s->settled, s->root);
    begin(l);
  } else
    ofw_search_accept(l, b);
  return OFW_OK;
}

static ofw_status finish(ofw_lanczos *l, ofw_singular *out, ofw_error *err)
{
  ofw_search *s = &l->now;
  const double *u, *v;
  double theta = s->theta, floor = 16.0 * DBL_EPSILON * theta + 2.0 * ofw_search_blur(l);
  if (!top_of_tridiagonal(l))
    OFW_TRY(decompose(l, 1, err));
  ofw_search_compose(l, &u, &v); /* a device works on while the bounds are found here */
  double certain = ofw_search_value(s, ofw_search_root(s, theta) + s->unseen) - theta;
  double probable = ofw_search_probable_excess(l);
  *out = (ofw_singular){theta, u, v, fmin(certain, probable) + floor, certain <= probable, s->steps - s->told};
  s->told = s->steps;
  return OFW_OK;
}

/* Steps until the pair is good enough; the first vector that has not been multiplied is there. */
static ofw_status go_on(ofw_lanczos *l, double relative, double absolute, ofw_singular *out, ofw_error *err)
{
  ofw_search *s = &l->now;
  while (!s->done && !s->over) {
    OFW_TRY(extend(l, err));
    OFW_TRY(enough(l, relative, absolute, err));
    if (!s->done && !s->over)
      OFW_TRY(advance(l, err));
  }
  if (!s->done && (s->rough.grain > 0.0 || too_rough(l, relative, absolute))) {
    *out = (ofw_singular){.passes = s->steps - s->told};
    return OFW_UNSUPPORTED;
  }
  if (!(s->theta > 0.0))
    return ofw_fail(err, OFW_NUMERICAL, "the %s is not a positive number",
                    s->singular ? "singular value" : "eigenvalue");
  return finish(l, out, err);
}

static ofw_status run(ofw_lanczos *l, ofw_search fresh, double relative, double absolute, ofw_singular *out,
                      ofw_error *err)
{
  l->now = fresh;
  l->now.unseen = fresh.rough.grain > 0.0 ? INFINITY : whole_square(&fresh);
  begin(l);
  return go_on(l, relative, absolute, out, err);
}

ofw_status ofw_lanczos_top(ofw_lanczos *l, void (*pass)(const void *ctx, const double *v, double *u, double *w),
                           const void *ctx, double square, ofw_rng_key start, double relative, double absolute,
                           ofw_singular *out, ofw_error *err)
{
  ofw_search s = {.singular = 1, .pass = pass, .ctx = ctx, .start = start, .square = square};
  return run(l, s, relative, absolute, out, err);
}

ofw_status ofw_lanczos_rough(ofw_lanczos *l, void (*pass)(const void *ctx, const double *v, double *u, double *w),
                             const void *ctx, double square, ofw_rough how, ofw_rng_key start, double relative,
                             double absolute, ofw_singular *out, ofw_error *err)
{
  ofw_search s = {.singular = 1, .pass = pass, .ctx = ctx, .start = start, .square = square, .rough = how};
  return run(l, s, relative, absolute, out, err);
}

ofw_status ofw_lanczos_top_at(ofw_lanczos *l, const ofw_krylov *at, ofw_grade grade, int exponent, double square,
                              ofw_rng_key start, double relative, double absolute, ofw_singular *out, ofw_error *err)
{
  ofw_search s = {.singular = 1, .at = at, .grade = grade, .exponent = exponent, .start = start, .square = square};
  s.rough = at->rough[grade];
  return run(l, s, relative, absolute, out, err);
}

ofw_status ofw_lanczos_further(ofw_lanczos *l, double relative, double absolute, ofw_singular *out, ofw_error *err)
{
  ofw_search *s = &l->now;
  OFW_TRY(enough(l, relative, absolute, err));
  s->over |= !s->done && too_rough(l, relative, absolute);
  if (!s->done && !s->over)
    OFW_TRY(advance(l, err));
  return go_on(l, relative, absolute, out, err);
}

ofw_status ofw_lanczos_least(ofw_lanczos *l, void (*times)(const void *ctx, const double *v, double *w),
                             const void *ctx, double size, double trace, ofw_rng_key start, double relative,
                             double absolute, ofw_singular *out, ofw_error *err)
{
  double shift = 1.5 * size; /* so that no eigenvalue of M is 0 */
  ofw_search s = {.times = times, .ctx = ctx, .shift = shift, .start = start};
  s.square = (double)l->cols * shift - trace;
  OFW_TRY(run(l, s, relative, absolute, out, err));
  out->value = shift - out->value;
  return OFW_OK;
}
