/* domain_check.c — ofw_domain_check: calls a set and compares its answers with each other and with its claims
 *
 * Nothing here knows what set it is. An oracle that answers v for d claims <d, v> <= <d, y> for all y in K; every other
 * answer is such a y. A projection p of y claims <y - p, v - p> <= 0 for all v in K, and the oracle finds the v that could
 * break it. The ball of radius r about c claims min <h, v> <= <h, c> - r for every unit vector h.
 *
 * Directions are kept at about unit size and asked for at 2^k times that, so that no comparison overflows.
 */
#include "domain/set.h"

#include "linalg/kernels.h"
#include "linalg/rng.h"
#include "vector/vec_arithmetic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DIRECTIONS = 64, BALL = 24, PROJECTIONS = 24, MOST_KEPT = 32 };
#define SLACK    1e-9 /* relative: what rounding may do to sums of many numbers */
#define ACCURACY 1e-11

typedef struct tried {
  const ofw_domain *K;
  void *work;
  uint64_t seed, draws;
  size_t n, asked;
  double *u, *v, *w, *scaled, *centre; /* a direction, two answers, room, the centre */
  double *kept;                        /* answers: at most `most` */
  size_t keeps, most;
  double error; /* of the last answer's <u, v> */
  ofw_owned own;
  ofw_domain_report report;
  ofw_error *err;
} tried;

/* ---- what failed ---- */

static ofw_status fails(tried *t, const char *check, double found, double bound, const char *what)
{
  t->report.failed = check;
  t->report.at = t->asked;
  t->report.found = found;
  t->report.bound = bound;
  return ofw_fail(t->err, OFW_BAD_DATA,
                  "%.120s fails the check '%s' at direction %zu: %s: found %g, expected at most %g", t->K->spec, check,
                  t->asked, what, found, bound);
}

static ofw_status at_most(tried *t, const char *check, double found, double bound, const char *what)
{
  return found <= bound ? OFW_OK : fails(t, check, found, bound, what);
}

/* ---- directions ---- */

static double uniform(tried *t)
{
  return ofw_rng_unit((ofw_rng_key){t->seed, OFW_RNG_CHECK, t->draws++}, 0);
}

static void draw_normals(tried *t, double *out)
{
  ofw_rng_normal((ofw_rng_key){t->seed, OFW_RNG_CHECK, t->draws++}, 0, t->n, out);
}

static void set_axis(tried *t, size_t i, double sign)
{
  memset(t->u, 0, t->n * sizeof *t->u);
  t->u[i % t->n] = sign;
}

/* Normal numbers; or small whole ones, with zeros and ties; or one coordinate alone. */
static void draw_direction(tried *t, size_t k)
{
  draw_normals(t, t->u);
  for (size_t i = 0; k % 4 == 1 && i < t->n; i++)
    t->u[i] = fmax(-2.0, fmin(round(t->u[i]), 2.0));
  if (k % 4 == 2)
    set_axis(t, k / 4, k % 8 == 2 ? 1.0 : -1.0);
  if (ofw_largest(t->n, t->u) == 0.0)
    t->u[0] = 1.0;
}

/* v = the answer for 2^exponent u */
static ofw_status ask(tried *t, const double *u, int exponent, double *v)
{
  ofw_answer answer = {0};
  ofw_error why = {0};
  for (size_t i = 0; i < t->n; i++)
    t->scaled[i] = ldexp(u[i], exponent);
  ofw_direction d = ofw_direction_dense(t->K, t->scaled, (ofw_accuracy){ACCURACY, INFINITY, 0});
  t->asked++;
  ofw_status st = t->K->ops->minimise(t->K, t->work, &d, &answer, &why);
  if (st == OFW_FAILED)
    return ofw_fail(t->err, st, "%s", why.message);
  if (st != OFW_OK) {
    fails(t, "answer", NAN, NAN, "");
    return ofw_fail(t->err, OFW_BAD_DATA, "%.120s fails the check 'answer' at direction %zu: %.300s", t->K->spec,
                    t->asked, why.message);
  }
  ofw_sum_dense(answer.atom, t->n, v);
  t->error = ldexp(answer.error, -exponent);
  return ofw_first_not_finite(t->n, v) < t->n ? fails(t, "answer", NAN, NAN, "a number that is not finite") : OFW_OK;
}

/* What <u, v> may be off by. */
static double slack(const tried *t, const double *u)
{
  return t->error + (SLACK + ACCURACY) * ofw_norm(t->n, u) * t->K->R;
}

static ofw_status is_feasible(tried *t, const char *check, const double *x, const char *what)
{
  return at_most(t, check, ofw_domain_excess(t->K, x), SLACK * fmax(1.0, t->K->R), what);
}

/* ---- the checks ---- */

static ofw_status is_minimal(tried *t)
{
  double found = ofw_dot(t->n, t->u, t->v), room = slack(t, t->u);
  OFW_TRY(at_most(t, "minimal", found, ofw_dot(t->n, t->u, t->centre) + room, "<d, v> against the centre"));
  for (size_t k = 0; k < t->keeps; k++)
    OFW_TRY(at_most(t, "minimal", found, ofw_dot(t->n, t->u, t->kept + k * t->n) + room,
                    "<d, v> against the answer for another direction"));
  return OFW_OK;
}

static void keep(tried *t)
{
  size_t at = t->keeps < t->most ? t->keeps++ : (size_t)(uniform(t) * (double)t->most) % t->most;
  memcpy(t->kept + at * t->n, t->v, t->n * sizeof *t->v);
}

static ofw_status try_direction(tried *t, size_t k)
{
  static const int exponents[] = {0, -400, 0, 400, 0};
  int exponent = exponents[k % 5];
  draw_direction(t, k);
  OFW_TRY(ask(t, t->u, exponent, t->v));
  OFW_TRY(at_most(t, "radius", ofw_norm(t->n, t->v), t->K->R * (1.0 + SLACK), "the length of an answer"));
  OFW_TRY(is_feasible(t, "feasible", t->v, "how far an answer is outside"));
  OFW_TRY(is_minimal(t));
  keep(t);
  double found = ofw_dot(t->n, t->u, t->v), room = slack(t, t->u);
  OFW_TRY(ask(t, t->u, exponent + 3, t->w));
  double other = ofw_dot(t->n, t->u, t->w);
  return at_most(t, "scale", fabs(found - other), room + slack(t, t->u), "<d, v> for d and for 8 d differ");
}

/* u becomes a unit vector of the affine hull. 0: that is a point. */
static int into_hull(tried *t)
{
  for (size_t i = 0; i < t->K->normals; i++) {
    ofw_sum normal = {1, &t->K->normal[i]};
    ofw_sum_add(normal, -ofw_sum_dot(normal, t->u), 0, t->n, t->u);
  }
  double length = ofw_norm(t->n, t->u);
  for (size_t i = 0; i < t->n && length > SLACK; i++)
    t->u[i] /= length;
  return length > SLACK;
}

/* Along normal directions, in which a box is far away, and along the axes, in which it is near. */
static ofw_status try_ball(tried *t, size_t k)
{
  double r = t->K->r;
  draw_normals(t, t->u);
  if (k % 2)
    set_axis(t, k / 4, k % 4 == 1 ? 1.0 : -1.0);
  if (!into_hull(t))
    return OFW_OK;
  OFW_TRY(ask(t, t->u, 0, t->v));
  OFW_TRY(at_most(t, "inner ball", ofw_dot(t->n, t->u, t->v), ofw_dot(t->n, t->u, t->centre) - r + slack(t, t->u),
                  "the set does not reach as far as r from its centre"));
  for (size_t i = 0; i < t->n; i++)
    t->w[i] = t->centre[i] + r * t->u[i];
  return is_feasible(t, "inner ball", t->w, "how far a point at the distance r from the centre is outside");
}

static ofw_status project(tried *t, double *x)
{
  ofw_error why = {0};
  ofw_status st = t->K->ops->project(t->K, t->work, x, &why);
  if (st == OFW_OK)
    return OFW_OK;
  fails(t, "project", NAN, NAN, "");
  return ofw_fail(t->err, st == OFW_FAILED ? st : OFW_BAD_DATA, "%.120s fails the check 'project': %.300s", t->K->spec,
                  why.message);
}

static double distance(size_t n, const double *a, const double *b, double *room)
{
  for (size_t i = 0; i < n; i++)
    room[i] = a[i] - b[i];
  return ofw_norm(n, room);
}

/* Of a point of any kind, near and far; then of one that is in the set, a mixture of two answers. */
static ofw_status try_projection(tried *t, size_t k)
{
  double R = t->K->R, far = R * ldexp(1.0, (int)(k % 8) - 4), part = uniform(t);
  draw_normals(t, t->w); /* y */
  for (size_t i = 0; i < t->n; i++)
    t->w[i] = t->centre[i] + far * t->w[i] / sqrt((double)t->n);
  memcpy(t->v, t->w, t->n * sizeof *t->v); /* p */
  OFW_TRY(project(t, t->v));
  OFW_TRY(is_feasible(t, "project", t->v, "how far a projection is outside"));
  double moved = distance(t->n, t->v, t->w, t->u); /* u = p - y */
  if (moved > SLACK * R) {
    double at_p = ofw_dot(t->n, t->u, t->v);
    OFW_TRY(ask(t, t->u, 0, t->w));
    double room = 1e-6 * moved * (moved + R) + slack(t, t->u);
    OFW_TRY(at_most(t, "project", at_p - ofw_dot(t->n, t->u, t->w), room, "a nearer point is in the set"));
  }
  const double *a = t->kept + k % t->keeps * t->n, *b = t->kept + (k + 1) % t->keeps * t->n;
  for (size_t i = 0; i < t->n; i++)
    t->w[i] = t->v[i] = part * a[i] + (1.0 - part) * b[i];
  OFW_TRY(project(t, t->v));
  return at_most(t, "project", distance(t->n, t->v, t->w, t->u), 1e-7 * R, "how far a point of the set is moved");
}

static ofw_status try_zero(tried *t)
{
  memset(t->u, 0, t->n * sizeof *t->u);
  ofw_status st = ask(t, t->u, 0, t->v);
  if (st == OFW_OK)
    st = is_feasible(t, "zero", t->v, "how far the answer for d = 0 is outside");
  if (st == OFW_OK)
    st = at_most(t, "zero", ofw_norm(t->n, t->v), t->K->R * (1.0 + SLACK), "the length of the answer for d = 0");
  if (st == OFW_BAD_DATA)
    t->report.failed = "zero";
  return st;
}

static ofw_status try_all(tried *t)
{
  OFW_TRY(is_feasible(t, "feasible", t->centre, "how far the centre is outside"));
  for (size_t k = 0; k < DIRECTIONS; k++)
    OFW_TRY(try_direction(t, k));
  for (size_t k = 0; t->K->r > 0.0 && k < BALL; k++)
    OFW_TRY(try_ball(t, k));
  if (t->K->ops->project && t->K->ops->reserve)
    OFW_TRY(t->K->ops->reserve(t->K, t->work, t->err));
  for (size_t k = 0; t->K->ops->project && k < PROJECTIONS; k++)
    OFW_TRY(try_projection(t, k));
  return try_zero(t);
}

static ofw_status open_all(tried *t)
{
  double **array[] = {&t->u, &t->v, &t->w, &t->scaled, &t->centre};
  t->n = t->K->dim;
  t->most = (size_t)fmax(2.0, fmin(0x1p24 / (double)t->n, MOST_KEPT));
  for (size_t i = 0; i < sizeof array / sizeof *array; i++)
    *array[i] = ofw_owned_doubles(&t->own, t->n);
  t->kept = ofw_owned_doubles(&t->own, t->most * t->n);
  OFW_TRY(ofw_owned_check(&t->own, t->err));
  ofw_domain_centre(t->K, t->centre);
  return t->K->ops->open(t->K, t->seed, &t->work, t->err);
}

ofw_status ofw_domain_check(const ofw_domain *K, uint64_t seed, ofw_domain_report *report, ofw_error *err)
{
  tried t = {.K = K, .seed = seed, .err = err};
  if (report)
    OFW_TRY(ofw_take_sized(&t.report, sizeof t.report, report, "ofw_domain_report", err));
  size_t size = t.report.size;
  t.report = (ofw_domain_report){.size = size};
  ofw_status st = open_all(&t);
  if (st == OFW_OK)
    st = try_all(&t);
  t.report.directions = t.asked;
  if (report)
    memcpy(report, &t.report, size);
  if (t.work)
    K->ops->close(t.work);
  ofw_owned_free(&t.own);
  return st;
}
