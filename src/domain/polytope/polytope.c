/* polytope.c — {x : row_low <= A x <= row_high, low <= x <= high}, as lines of text or MPS say (constraints.h)
 *
 * Oracle  a vertex, from that of the last call by CLP or, if few steps do, without (vertex.c); d is scaled by a power of
 *         two. If several are the best it is one of them, which depends on the last one. The error is a proven bound,
 *         about as large as rounding.
 * R       of the farthest corner of the smallest box around K, so a bound    r, centre: of the largest ball in K, within
 *         its hull; if there is more than one, one of them. Made by two linear programs for each coordinate, and one for
 *         the ball. With more than 2000 rows and columns, or with box=implied, the box is one that the constraints imply, r
 *         is 0, the hull is not looked for, and the centre is some point of K. box=exact has the smallest box of a large K.
 */
#include "domain/polytope/polytope.h"

#include "linalg/kernels.h"

#include <math.h>
#include <string.h>

typedef struct polytope_work {
  ofw_owned own;
  ofw_vertex vertex;
  double *d, *point;
  ofw_vec atom;
} polytope_work;

static ofw_status open(const ofw_domain *K, uint64_t seed, void **work, ofw_error *err)
{
  (void)seed;
  const ofw_polytope *poly = K->data;
  OFW_TRY(ofw_work_open(sizeof(polytope_work), work, err));
  polytope_work *w = *work;
  w->d = ofw_owned_doubles(&w->own, K->dim);
  w->point = ofw_owned_doubles(&w->own, K->dim);
  OFW_TRY(ofw_vertex_make(&w->own, &poly->program, &w->vertex, err));
  memcpy(w->vertex.state, poly->start, poly->words * sizeof *poly->start);
  w->atom = ofw_vec_dense(K->dim, w->point);
  return OFW_OK;
}

/* d in the program's units over 2^exponent, at most 1 in size. */
static int scaled(const ofw_program *p, const double *d, double *out)
{
  int most = 0, none = 1, exponent, unit;
  for (size_t j = 0; j < p->cols; j++) {
    frexp(d[j], &exponent);
    frexp(p->unit[j], &unit);
    if (d[j] != 0.0 && (none || exponent + unit > most)) {
      most = exponent + unit;
      none = 0;
    }
  }
  for (size_t j = 0; j < p->cols; j++) {
    frexp(p->unit[j], &unit); /* 2^(unit - 1) */
    out[j] = ldexp(d[j], unit - most);
  }
  return most - 1;
}

static ofw_status minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_answer *out, ofw_error *err)
{
  const ofw_program *p = &((const ofw_polytope *)K->data)->program;
  polytope_work *w = work;
  if (ofw_first_not_finite(d->dim, d->dense) < d->dim) /* at which CLP ends the program */
    return ofw_fail(err, OFW_NUMERICAL, "polytope: the direction is not finite");
  int exponent = scaled(p, d->dense, w->d);
  if (ofw_vertex_minimise(p, &w->vertex, w->d) != OFW_VERTEX)
    return ofw_fail(err, OFW_NUMERICAL, "polytope: cannot verify the vertex that CLP finds");
  for (size_t j = 0; j < p->cols; j++)
    w->point[j] = p->unit[j] * w->vertex.x[j];
  *out = (ofw_answer){.atom = {1, &w->atom},
                      .value = ldexp(w->vertex.value, exponent),
                      .error = ldexp(w->vertex.error, exponent),
                      .proven = 1};
  return OFW_OK;
}

static ofw_status visit(void *work, ofw_visitor *v)
{
  ofw_vertex *vertex = &((polytope_work *)work)->vertex;
  return ofw_visit_u64(v, "polytope.basis", vertex->state, vertex->words);
}

/* By how much a sum misses its bounds, beyond what the rounding of its terms can do. */
static double missed(const ofw_program *p, size_t i, const double *x)
{
  double sum = 0.0, size = 0.0;
  for (int k = p->row_start[i]; k < p->row_start[i + 1]; k++) {
    double term = p->row_value[k] * (x[p->row_index[k]] / p->unit[p->row_index[k]]);
    sum += term;
    size += fabs(term);
  }
  double low = p->row_low[i] - sum, high = sum - p->row_high[i];
  double out = fmax(low, high) - (2.0 + p->row_start[i + 1] - p->row_start[i]) * DBL_EPSILON * size;
  return isnan(sum) ? INFINITY : out;
}

static double excess(const ofw_domain *K, const double *x)
{
  const ofw_polytope *poly = K->data;
  const ofw_program *p = &poly->program;
  double most = 0.0;
  for (size_t j = 0; j < p->cols; j++) {
    double at = x[j] / p->unit[j];
    most = fmax(most, fmax(p->low[j] - at, at - p->high[j]) * p->unit[j]);
  }
  for (size_t i = 0; i < p->rows; i++)
    most = fmax(most, missed(p, i, x) / poly->row_norm[i]);
  return most;
}

static const ofw_domain_ops ops = {
    .open = open, .minimise = minimise, .visit = visit, .close = ofw_work_close, .excess = excess};

enum { BOX_EXACT, BOX_IMPLIED };
static const double INSIDE = 1e-10; /* how far the centre may be outside, beside R */

typedef struct polytope_options {
  char *rows;
  int box;
} polytope_options;

/* Whether coefficients of a row differ so much that its bounds say little of the small ones: an implied box might cut K off. */
static int is_wide(const ofw_program *p)
{
  static const double WIDE = 1e9;
  for (size_t i = 0; i < p->rows; i++) {
    double least = INFINITY, most = 0.0;
    for (int k = p->row_start[i]; k < p->row_start[i + 1]; k++) {
      double size = fabs(p->row_value[k]) / p->unit[p->row_index[k]];
      least = fmin(least, size);
      most = fmax(most, size);
    }
    if (most > WIDE * least)
      return 1;
  }
  return 0;
}

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  const polytope_options *o = options;
  ofw_constraints c;
  ofw_polytope fresh = {0};
  ofw_status st = ofw_constraints_read("polytope", o->rows, &K->content, &c, err);
  if (st == OFW_OK)
    st = ofw_domain_set_vector(K, &ops, c.dim, &fresh, sizeof fresh, err);
  if (st == OFW_OK)
    st = ofw_program_of(&K->own, &K->room, &((ofw_polytope *)K->data)->program, &c, err);
  ofw_constraints_free(&c);
  OFW_TRY(st);
  ofw_polytope *poly = K->data;
  int wide = is_wide(&poly->program);
  if (o->box == BOX_IMPLIED && wide)
    return ofw_fail(err, OFW_USAGE,
                    "polytope: box=implied: coefficients of a row differ by more than 1e9; use box=exact");
  poly->implied = o->box < 0 ? !ofw_polytope_is_small(&poly->program) && !wide : o->box == BOX_IMPLIED;
  OFW_TRY(ofw_polytope_shape(K, err));
  if (poly->implied && !(excess(K, K->centre) <= INSIDE * K->R)) /* the exact box comes with points that are verified */
    return ofw_fail(err, OFW_NUMERICAL, "polytope: cannot verify the point of the set that CLP finds");
  return ofw_domain_set_start(K, err);
}

static const ofw_option options[] = {
    OFW_TEXT_ROW(offsetof(polytope_options, rows), "rows",
                 "constraints as (x1 + 2 x2 <= 3;0 <= x1 <= 1;..), or @FILE with one per line, or in MPS"),
    OFW_CHOICE_ROW(offsetof(polytope_options, box), "box", NULL, "exact up to 2000 rows and columns, else implied",
                   "exact|implied",
                   "the box around the set that its radius R is of. exact: the smallest, by two linear programs per "
                   "coordinate; implied: one that follows from the constraints, which is quick but may be larger; the "
                   "inner radius is then not known"),
    {0},
};

const ofw_domain_kind ofw_polytope_kind = {
    {.name = "polytope",
     .summary = "vectors that satisfy linear constraints, by a linear program",
     .example = "polytope:rows=(x1+x2+x3+x4=2;-0.4<=x1+0.3x2<=1.3;-0.3<=x2-0.4x3<=1;-0.2<=x3+0.2x4<=1.1;x4-0.3x1>=-0.5;"
                "x4+0.1x2<=1.2;x1<=5)",
     .options = options},
    build};
