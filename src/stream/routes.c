/* routes.c — trips through a city with a river, whose bridges have limits that move
 *
 *     K       the mixtures of ways from the first crossing to the last, down and to the right, on a grid of streets;
 *             one row of streets in a few has a bridge: three groups of two next to each other, and two with a toll
 *     f_t(x)  = <c_t, x>,   c_t(e) = c(e) (1 + jam rush_t central(e) + noise u_t(e)),   u_t(e) uniform in (-1, 1)
 *     g_t^i(x) = sum of x_e over the bridges of group i - limit_i(t),   i = 1, 2, 3
 *     limit_i(t) = level_i + swing sin(2 pi t / day_i + phase_i) + jitter u'_t(i), at least 0; 0 while group 2 is closed
 *
 * A trip over the cheapest bridge costs 1 on average, so a regret reads as a share of it. Every way crosses the river once.
 * So the best mixture that keeps all limits in all rounds is found exactly: of the groups, the cheapest way over the cheapest
 * carries what its least limit allows, then that over the next, and the rest pays toll.
 *
 * hints=right tells the limits of the coming round, hints=wrong their mirror images about their levels.
 */
#include "linalg/kernels.h"
#include "linalg/rng.h"
#include "stream/generator.h"
#include "vector/vec_arithmetic.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUPS = 3, LANES = 2, AVENUE = 4 };
enum { HINTS_NONE, HINTS_RIGHT, HINTS_WRONG };
static const double level[GROUPS] = {0.35, 0.3, 0.2}, pace[GROUPS] = {1.0, 0.71, 1.37};

typedef struct routes_options {
  uint64_t rows, cols, day;
  double toll, jam, noise, swing, jitter, closed;
  int hints;
} routes_options;

typedef struct routes {
  routes_options o;
  size_t edges;
  size_t bridge[GROUPS][LANES], with_toll[2]; /* edges */
  double *usual, *central;                    /* c, and where the jam is */
  double *cost;                               /* c_t */
  double *best;
  uint64_t closes, opens; /* the first round without group 2, and the first with it again */
  double phase[GROUPS];
  double value[GROUPS], told[GROUPS];
  double one[LANES];
  ofw_vec cost_term, term[GROUPS];
  ofw_sum gradient[GROUPS];
} routes;

/* ---- rounds ---- */

/* After the horizon they begin again, so that x* keeps them. */
static double limit(const ofw_stream *s, uint64_t t, size_t i)
{
  const routes *r = s->data;
  t = s->rounds ? (t - 1) % s->rounds + 1 : t;
  double u[GROUPS], angle = 2.0 * M_PI * pace[i] * (double)(t % (1000 * r->o.day)) / (double)r->o.day;
  ofw_rng_uniform((ofw_rng_key){s->seed, OFW_RNG_CONSTRAINT, t}, 0, GROUPS, u);
  if (i == 1 && t >= r->closes && t < r->opens)
    return 0.0;
  return fmax(0.0, level[i] + r->o.swing * sin(angle + r->phase[i]) + r->o.jitter * u[i]);
}

/* Mornings and evenings. */
static double rush(const routes *r, uint64_t t)
{
  double hour = 24.0 * (double)(t % r->o.day) / (double)r->o.day;
  return exp(-pow(hour - 8.0, 2.0) / 2.0) + exp(-pow(hour - 17.0, 2.0) / 2.0);
}

static void make_round(ofw_stream *s, uint64_t t)
{
  routes *r = s->data;
  double now = r->o.jam * rush(r, t);
  ofw_rng_uniform((ofw_rng_key){s->seed, OFW_RNG_LOSS, t}, 0, r->edges, r->cost);
  for (size_t e = 0; e < r->edges; e++)
    r->cost[e] = r->usual[e] * (1.0 + now * r->central[e] + r->o.noise * r->cost[e]);
}

static ofw_status reveal(ofw_stream *s, uint64_t t, const ofw_point *x, ofw_full *out)
{
  routes *r = s->data;
  out->loss_gradient = (ofw_sum){1, &r->cost_term};
  OFW_TRY(ofw_point_dot(x, out->loss_gradient, &out->values.loss));
  for (size_t i = 0; i < GROUPS; i++) {
    OFW_TRY(ofw_point_dot(x, r->gradient[i], &r->value[i]));
    r->value[i] -= limit(s, t, i);
  }
  out->values.constraints = GROUPS;
  out->values.constraint = r->value;
  out->constraint_gradient = r->gradient;
  return OFW_OK;
}

static ofw_status hint(ofw_stream *s, uint64_t t, const ofw_point *x, ofw_hint *out)
{
  routes *r = s->data;
  if (r->o.hints == HINTS_NONE)
    return OFW_OK;
  for (size_t i = 0; i < GROUPS; i++) {
    double next = limit(s, t + 1, i);
    OFW_TRY(ofw_point_dot(x, r->gradient[i], &r->told[i]));
    r->told[i] -= r->o.hints == HINTS_RIGHT ? next : 2.0 * level[i] - next;
  }
  *out = (ofw_hint){sizeof *out, GROUPS, r->told, r->gradient};
  return OFW_OK;
}

static ofw_status comparator(ofw_stream *s, uint64_t t, double *loss)
{
  (void)t;
  const routes *r = s->data;
  *loss = ofw_dot(r->edges, r->cost, r->best);
  return OFW_OK;
}

static const ofw_stream_ops ops = {.make = make_round, .reveal = reveal, .hint = hint, .comparator = comparator};

/* ---- the city ---- */

/* The upper of a group's two rows. */
static uint64_t group_row(const routes_options *o, size_t i)
{
  return (o->rows * (i + 1) + 2) / (GROUPS + 1) - 1;
}

/* Which group's bridge, and which of its lanes, a row has: GROUPS is a toll bridge; -1: none. */
static int bridge_at(const routes_options *o, uint64_t row, size_t *lane)
{
  for (size_t i = 0; i < GROUPS; i++)
    if (row == group_row(o, i) || row == group_row(o, i) + 1) {
      *lane = (size_t)(row - group_row(o, i));
      return (int)i;
    }
  *lane = row > 0;
  return row == 0 || row + 1 == o->rows ? GROUPS : -1;
}

/* A street from one crossing to the next one to the right or below, into the text of the graph. */
static void add_street(ofw_stream *s, ofw_text *graph, uint64_t row, uint64_t col, int down)
{
  routes *r = s->data;
  uint64_t from = row * r->o.cols + col + 1;
  size_t lane = 0, e = r->edges;
  int over = !down && col + 1 == r->o.cols / 2, which = over ? bridge_at(&r->o, row, &lane) : -1;
  if (over && which < 0)
    return;
  double y = 2.0 * (double)row / (double)(r->o.rows - 1) - 1.0, x = 2.0 * (double)col / (double)(r->o.cols - 1) - 1.0;
  r->usual[e] = 1.0 + ofw_rng_unit((ofw_rng_key){s->seed, OFW_RNG_TARGET, 0}, e);
  if ((down ? col : row) % AVENUE == 0)
    r->usual[e] *= 0.6;
  r->central[e] = exp(-3.0 * (x * x + y * y));
  if (which == GROUPS)
    r->with_toll[lane] = e;
  else if (which >= 0)
    r->bridge[which][lane] = e;
  ofw_text_add(graph, "%s%llu %llu", e ? ";" : "", (unsigned long long)from,
               (unsigned long long)(down ? from + r->o.cols : from + 1));
  r->edges++;
}

static ofw_status build_city(ofw_stream *s, ofw_error *err)
{
  routes *r = s->data;
  ofw_text graph = {0};
  ofw_error inner = {0};
  ofw_text_add(&graph, "paths:graph=(");
  for (uint64_t row = 0; row < r->o.rows; row++)
    for (uint64_t col = 0; col < r->o.cols; col++) {
      if (col + 1 < r->o.cols)
        add_street(s, &graph, row, col, 0);
      if (row + 1 < r->o.rows)
        add_street(s, &graph, row, col, 1);
    }
  ofw_text_add(&graph, "),from=1,to=%llu", (unsigned long long)(r->o.rows * r->o.cols));
  if (!graph.failed)
    s->K = ofw_domain_create(graph.chars, &inner);
  ofw_status st = graph.failed ? ofw_fail_memory(err, graph.length)
                  : s->K       ? OFW_OK
                               : ofw_fail(err, inner.status, "routes: %s", inner.message);
  free(graph.chars);
  return st;
}

/* The cheapest way over one of these bridges alone; what it costs. */
static ofw_status cheapest(const ofw_stream *s, const double *cost, const size_t *bridges, double *way, double *total,
                           ofw_error *err)
{
  const routes *r = s->data;
  double far = 0.0, *d = ofw_doubles(r->edges);
  if (!d)
    return ofw_fail_memory(err, r->edges * sizeof *d);
  for (size_t e = 0; e < r->edges; e++)
    far += d[e] = cost[e];
  for (size_t i = 0; i < GROUPS; i++)
    for (size_t k = 0; k < LANES; k++)
      d[r->bridge[i][k]] += far;
  for (size_t k = 0; k < LANES; k++)
    d[r->with_toll[k]] += far;
  for (size_t k = 0; k < LANES; k++)
    d[bridges[k]] = cost[bridges[k]];
  ofw_status st = ofw_domain_minimise(s->K, d, 1e-9, way, NULL, err);
  *total = ofw_dot(r->edges, cost, way);
  free(d);
  return st;
}

/* The cheapest trip costs 1, and toll comes on top. */
static ofw_status set_prices(ofw_stream *s, ofw_error *err)
{
  routes *r = s->data;
  double least = INFINITY, total = 0.0;
  for (size_t i = 0; i < GROUPS; i++) {
    OFW_TRY(cheapest(s, r->usual, r->bridge[i], r->best, &total, err));
    least = fmin(least, total);
  }
  for (size_t e = 0; e < r->edges; e++)
    r->usual[e] /= least;
  for (size_t k = 0; k < LANES; k++)
    r->usual[r->with_toll[k]] += r->o.toll;
  return OFW_OK;
}

/* What all rounds cost together, in cost; and the least limits. */
static void sum_rounds(ofw_stream *s, double *sum, double *least)
{
  routes *r = s->data;
  for (size_t i = 0; i < GROUPS; i++)
    least[i] = INFINITY;
  for (uint64_t t = 1; t <= s->rounds; t++) {
    make_round(s, t);
    ofw_axpy(r->edges, 1.0, r->cost, sum);
    for (size_t i = 0; i < GROUPS; i++)
      least[i] = fmin(least[i], limit(s, t, i));
  }
}

/* x*: over the groups, the cheapest first, as much as may always be there; toll for the rest, or if that is cheaper. */
static ofw_status place_best(ofw_stream *s, double *sum, double *way, ofw_error *err)
{
  routes *r = s->data;
  const size_t *bridges[GROUPS + 1] = {r->bridge[0], r->bridge[1], r->bridge[2], r->with_toll};
  double least[GROUPS + 1], total[GROUPS + 1], left = 1.0;
  memset(r->best, 0, r->edges * sizeof *r->best);
  sum_rounds(s, sum, least);
  least[GROUPS] = 1.0;
  for (size_t i = 0; i <= GROUPS; i++)
    OFW_TRY(cheapest(s, sum, bridges[i], way, &total[i], err));
  for (size_t k = 0; k <= GROUPS && left > 0.0; k++) {
    size_t next = GROUPS;
    for (size_t i = 0; i < GROUPS; i++)
      if (total[i] < total[next])
        next = i;
    double share = fmin(left, least[next]);
    OFW_TRY(cheapest(s, sum, bridges[next], way, &total[next], err));
    ofw_axpy(r->edges, share, way, r->best);
    left -= share;
    total[next] = INFINITY;
  }
  s->best = r->best;
  return OFW_OK;
}

static void set_constants(ofw_stream *s)
{
  const routes *r = s->data;
  double square = 0.0;
  for (size_t e = 0; e < r->edges; e++) /* no hour has more than 1.01 of rush */
    square += pow(r->usual[e] * (1.0 + 1.01 * r->o.jam * r->central[e] + r->o.noise), 2.0);
  s->constants =
      (ofw_constants){.lipschitz = fmax(sqrt(square), sqrt((double)LANES)), .loss_bound = sqrt(square) * s->K->R};
}

static ofw_status build(ofw_stream *s, void *options, ofw_error *err)
{
  routes *r = s->data;
  r->o = *(const routes_options *)options;
  if (s->K)
    return ofw_fail(err, OFW_USAGE, "routes: it has its own domain; leave the domain out");
  size_t most = (size_t)(2 * r->o.rows * r->o.cols);
  r->usual = ofw_owned_doubles(&s->own, most);
  r->central = ofw_owned_doubles(&s->own, most);
  r->cost = ofw_owned_doubles(&s->own, most);
  r->best = ofw_owned_doubles(&s->own, most);
  double *sum = ofw_owned_doubles(&s->own, most), *way = ofw_owned_doubles(&s->own, most);
  OFW_TRY(ofw_owned_check(&s->own, err));
  OFW_TRY(build_city(s, err));
  r->closes = s->rounds / 2 + 1;
  r->opens = r->closes + (uint64_t)(r->o.closed * (double)s->rounds);
  for (size_t i = 0; i < GROUPS; i++)
    r->phase[i] = 2.0 * M_PI * ofw_rng_unit((ofw_rng_key){s->seed, OFW_RNG_TARGET, 1}, i);
  OFW_TRY(set_prices(s, err));
  OFW_TRY(place_best(s, sum, way, err));
  r->cost_term = ofw_vec_dense(r->edges, r->cost);
  for (size_t k = 0; k < LANES; k++)
    r->one[k] = 1.0;
  for (size_t i = 0; i < GROUPS; i++) {
    r->term[i] = ofw_vec_sparse(LANES, r->bridge[i], r->one);
    r->gradient[i] = (ofw_sum){1, &r->term[i]};
  }
  set_constants(s);
  return OFW_OK;
}

#define AT(field) offsetof(routes_options, field)
static const ofw_option options[] = {
    OFW_CHOICE_ROW(AT(hints), "hints", "none", NULL, "none|right|wrong",
                   "hints about the limits of the coming round: none, the right limits, or wrong ones"),
    OFW_COUNT_ROW(AT(rows), "rows", "17", NULL, 12, 100, "rows of the grid of crossings"),
    OFW_COUNT_ROW(AT(cols), "cols", "18", NULL, 4, 100, "columns of the grid; the river is in the middle"),
    OFW_REAL_ROW(AT(toll), "toll", "0.3", NULL, 0, 10,
                 "toll of the bridges without a limit; the cheapest trip costs 1"),
    OFW_COUNT_ROW(AT(day), "day", "200", NULL, 2, 1e6, "rounds between two rush hours of the same kind"),
    OFW_REAL_ROW(AT(jam), "jam", "0.5", NULL, 0, 10, "how much more the streets in the centre cost in the rush hour"),
    OFW_REAL_ROW(AT(noise), "noise", "0.3", NULL, 0, 1, "largest distance of a street's cost from its usual cost"),
    OFW_REAL_ROW(AT(swing), "swing", "0.1", NULL, 0, 1, "how far limits move in a day"),
    OFW_REAL_ROW(AT(jitter), "jitter", "0.05", NULL, 0, 1, "largest distance of the limits from that movement"),
    OFW_REAL_ROW(AT(closed), "closed", "0.05", NULL, 0, 0.5,
                 "the share of the rounds in which a group of bridges is closed, beginning in the middle"),
    {0},
};

const ofw_stream_kind ofw_routes_kind = {
    .type = {.name = "routes",
             .summary = "trips through a city whose bridges have moving limits, perhaps with hints; brings its own "
                        "domain; exact comparator",
             .example = "routes:hints=right,rows=12,cols=4",
             .options = options},
    .data_size = sizeof(routes),
    .ops = &ops,
    .brings_domain = 1,
    .build = build};
