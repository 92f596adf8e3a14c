/* cached.c — the same set, whose oracle answers from memory if that is good enough
 *
 * Oracle  the best of K's last `atoms` answers if it is proven to be as accurate as is wanted, else K's own. With d0
 *         what K was last asked, m0 the value of what it said and e0 the error, with s >= 0 and e = d - s d0,
 *             min_K <d, v> >= s (m0 - e0) + <e, c> - rho |e|,   rho >= |v - c| for all v of K,
 *         and what the best is above that bound, with what rounding may add, is the answer's error. s is <d, d0>/|d0|^2
 *         if that is positive. Costs atoms + 3 reads of d's size; proven is what K's answer was
 * Project K's
 * R, r, centre: K's. What it remembers is part of the saved state
 */
#include "domain/wrapper/moved.h"

#include "base/fields.h"
#include "linalg/kernels.h"
#include "vector/vec_arithmetic.h"

#include <float.h>
#include <math.h>

typedef struct cached {
  size_t atoms;
  double rho;
} cached;

/* Directions are kept as d / 2^exponent, so that no product of them is too large or too small. */
typedef struct cached_work {
  ofw_around around;
  size_t dim, atoms, words; /* words: those of all atoms */
  uint64_t asked, proven;   /* how often K was; of its last answer */
  double value, error;      /* m0 and e0 */
  double *direction;        /* d0 */
  double *now;              /* d */
  double *atom;             /* the answer to question q is at q mod atoms */
  ofw_vec found;
  int passed; /* the last question went to K, not to memory */
} cached_work;

static ofw_status open(const ofw_domain *K, uint64_t seed, void **work, ofw_error *err)
{
  const cached *c = K->data;
  OFW_TRY(ofw_around_open(K, sizeof(cached_work), seed, work, err));
  cached_work *w = *work;
  double bytes = (double)K->dim * (double)(c->atoms + 2) * sizeof(double);
  w->dim = K->dim;
  w->atoms = c->atoms;
  if (!ofw_fits(bytes))
    return ofw_fail_memory(err, (size_t)fmin(bytes, 0x1p62));
  w->direction = ofw_owned_doubles(&w->around.own, K->dim);
  w->now = ofw_owned_doubles(&w->around.own, K->dim);
  w->words = K->dim * c->atoms;
  w->atom = ofw_owned_doubles(&w->around.own, w->words);
  return ofw_owned_check(&w->around.own, err);
}

static const ofw_field fields[] = {
    {OFW_WORD("cached.asked", cached_work, asked)},
    {OFW_WORD("cached.proven", cached_work, proven)},
    {OFW_WORD("cached.value", cached_work, value)},
    {OFW_WORD("cached.error", cached_work, error)},
    {OFW_ARRAY("cached.direction", cached_work, direction, dim)},
    {OFW_ARRAY("cached.atoms", cached_work, atom, words)},
    {0},
};

static ofw_status visit(void *work, ofw_visitor *v)
{
  OFW_TRY(ofw_visit_fields(fields, work, v));
  return ofw_around_visit(work, v);
}

/* now = d / 2^exponent, its largest number from 1/2 to 1; two factors, since one may be beyond all doubles. */
static int scale(cached_work *w, const double *d)
{
  int exponent;
  frexp(ofw_largest(w->dim, d), &exponent);
  double first = ldexp(1.0, -exponent / 2), second = ldexp(1.0, -exponent - (-exponent / 2));
  for (size_t i = 0; i < w->dim; i++)
    w->now[i] = d[i] * first * second;
  return exponent;
}

/* The bound on min_K <now, v> that d0 gives. */
static double least_possible(const ofw_domain *K, const cached_work *w)
{
  const cached *c = K->data;
  double along = ofw_dot(w->dim, w->now, w->direction), length2 = ofw_dot(w->dim, w->direction, w->direction);
  double s = fmax(0.0, along / length2), square = 0.0, at_centre = 0.0;
  for (size_t i = 0; i < w->dim; i++) {
    double e = w->now[i] - s * w->direction[i];
    square += e * e;
    at_centre += K->centre ? e * K->centre[i] : 0.0;
  }
  return s * (w->value - w->error) + at_centre - c->rho * sqrt(square);
}

/* The best of what is remembered, if it will do. */
static int answer(const ofw_domain *K, cached_work *w, int exponent, ofw_accuracy wanted, ofw_answer *out)
{
  double best = INFINITY;
  size_t at = 0, filled = w->asked < w->atoms ? (size_t)w->asked : w->atoms;
  for (size_t k = 0; k < filled; k++) {
    double value = ofw_dot(w->dim, w->now, w->atom + k * w->dim);
    if (value < best) {
      best = value;
      at = k;
    }
  }
  if (!isfinite(best) || !isfinite(w->value)) /* this direction, or the one that is remembered, is not finite */
    return 0;
  double rounding = 4.0 * ((double)w->dim + 8.0) * DBL_EPSILON * ofw_norm(w->dim, w->now) * K->R;
  double error = fmax(0.0, best - least_possible(K, w)) + rounding;
  double told = fmax(ldexp(error, exponent), DBL_TRUE_MIN);
  if (!(error <= wanted.relative * fabs(best) && told <= wanted.absolute))
    return 0;
  w->found = ofw_vec_dense(w->dim, w->atom + at * w->dim);
  *out = (ofw_answer){.atom = {1, &w->found}, .value = ldexp(best, exponent), .error = told, .proven = (int)w->proven};
  return 1;
}

static void remember(cached_work *w, int exponent, const ofw_answer *out)
{
  double *atom = w->atom + (size_t)(w->asked++ % w->atoms) * w->dim, *last = w->direction;
  ofw_sum_dense(out->atom, w->dim, atom);
  w->direction = w->now;
  w->now = last;
  w->value = ofw_dot(w->dim, w->direction, atom);
  w->error = out->error > 0.0 ? ldexp(nextafter(out->error, INFINITY), -exponent) : 0.0;
  w->proven = (uint64_t)out->proven;
}

static ofw_status minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_answer *out, ofw_error *err)
{
  cached_work *w = work;
  int exponent = scale(w, d->dense);
  ofw_direction asked = *d;
  asked.wanted.again &= w->passed; /* K was not asked for this direction if memory answered first */
  w->passed = !(w->asked > 0 && answer(K, w, exponent, d->wanted, out));
  if (!w->passed)
    return OFW_OK;
  OFW_TRY(ofw_around_minimise(K, work, &asked, out, err));
  remember(w, exponent, out);
  return OFW_OK;
}

static const ofw_domain_ops ops[2] = {
    {open, minimise, visit, ofw_around_close, ofw_around_excess, NULL, NULL, NULL},
    {open, minimise, visit, ofw_around_close, ofw_around_excess, ofw_around_project, ofw_around_reserve, NULL}};

typedef struct cached_options {
  char *of;
  uint64_t atoms;
} cached_options;

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  const cached_options *o = options;
  cached c = {.atoms = (size_t)o->atoms};
  OFW_TRY(ofw_domain_create_nested(K, o->of, "cached", &K->of, err));
  OFW_TRY(ofw_moved_radius(K, (ofw_moved){1.0, -1.0, K->of->centre}, &c.rho, err));
  OFW_TRY(ofw_around_build(K, ops, &c, sizeof c, err));
  K->passes_only = 0;
  return OFW_OK;
}

static const ofw_option options[] = {
    OFW_AROUND_ROW(offsetof(cached_options, of)),
    OFW_COUNT_ROW(offsetof(cached_options, atoms), "atoms", "8", NULL, 1, OFW_MOST_ATOMS,
                  "the number of answers to remember"),
    {0},
};

const ofw_domain_kind ofw_cached_kind = {
    {.name = "cached",
     .summary = "another set whose oracle is called only if no earlier answer is good enough",
     .example = "cached:of=(l1-ball:dim=6,radius=2),atoms=4",
     .options = options},
    build};
