/* centre.c — which edges of a network are fixed, and the analytic centre of its flows by Newton's method
 *
 * A step solves for prices of the vertices alone, since the curvatures are a diagonal. One vertex of each part that hangs
 * together by edges that are not fixed is held at price 0: without that the prices are not unique.
 */
#include "domain/graph/flow_set.h"

#include "domain/graph/flow_hull.h"
#include "linalg/kernels.h"

#include <math.h>
#include <string.h>

#include <lapacke.h>

typedef struct inner {
  const ofw_network *n;
  ofw_flow flow;
  unsigned char *fixed;
  double *first;  /* a flow */
  double *x;      /* the centre, as far as it is known */
  double *cost;   /* one for each edge; later a step of Newton's method */
  double *curve;  /* of the sum of logarithms: minus its second derivatives */
  double *matrix; /* vertices x vertices */
  double *price;  /* of vertices */
  uint32_t
      *part; /* a vertex with which this one hangs together by edges that are not fixed; its own: held at price 0 */
} inner;

static ofw_status take_room(ofw_owned *own, inner *s, int hull, ofw_error *err)
{
  size_t n = s->n->vertices, m = s->n->edges;
  OFW_TRY(ofw_flow_open(own, s->n, &s->flow, err));
  s->cost = ofw_owned_doubles(own, m);
  if (hull) {
    s->fixed = ofw_owned_array(own, m, 1);
    s->first = ofw_owned_doubles(own, m);
    s->curve = ofw_owned_doubles(own, m);
    s->matrix = ofw_owned_doubles(own, n * n);
    s->price = ofw_owned_doubles(own, n);
    s->part = ofw_owned_array(own, n, sizeof *s->part);
  }
  return ofw_owned_check(own, err);
}

/* ---- which edges are fixed, and a point strictly between the bounds of the others ---- */

/* Less than this is rounding. */
static double least_change(const ofw_network *n, size_t e, double total)
{
  return 1e-12 * fmin(n->capacity[e], total) + 1e-14 * total;
}

/* The mean of `points` flows becomes that of one more; an edge that differs from the first flow is not fixed. */
static void add_point(inner *s, double points, double total)
{
  for (size_t e = 0; e < s->n->edges; e++) {
    double x = s->flow.x[e];
    s->x[e] += (x - s->x[e]) / (points + 1.0);
    if (fabs(x - s->first[e]) > least_change(s->n, e, total))
      s->fixed[e] = 0;
  }
}

static void find_fixed(inner *s)
{
  const ofw_network *n = s->n;
  double total = 0.0, points = 1.0;
  for (size_t v = 0; v < n->vertices; v++)
    total += fabs(n->supply[v]);
  ofw_flow_minimise(&s->flow, s->cost);
  memcpy(s->first, s->flow.x, n->edges * sizeof *s->first);
  memcpy(s->x, s->first, n->edges * sizeof *s->x);
  for (size_t e = 0; e < n->edges; e++) {
    double least = least_change(n, e, total);
    s->fixed[e] = !(s->x[e] > least && n->capacity[e] - s->x[e] > least);
  }
  for (size_t e = 0; e < n->edges; e++) {
    if (!s->fixed[e])
      continue;
    s->cost[e] = s->first[e] < n->capacity[e] / 2 ? -1.0 : 1.0;
    ofw_flow_minimise(&s->flow, s->cost);
    s->cost[e] = 0.0;
    add_point(s, points++, total);
  }
  for (size_t e = 0; e < n->edges; e++)
    s->x[e] = s->fixed[e] ? s->first[e] : s->x[e];
}

/* ---- Newton's method ---- */

static void find_parts(inner *s)
{
  for (uint32_t v = 0; v < s->n->vertices; v++)
    s->part[v] = v;
  for (size_t e = 0; e < s->n->edges; e++)
    if (!s->fixed[e])
      s->part[ofw_graph_part(s->part, s->n->from[e])] = ofw_graph_part(s->part, s->n->to[e]);
}

static double above(const inner *s, size_t e)
{
  return s->n->capacity[e] - s->x[e];
}

/* With H the curvatures, g the slopes and A the rows of the vertices:  A H^-1 A' p = A H^-1 g - (supply - A x) */
static int find_prices(inner *s)
{
  const ofw_network *n = s->n;
  size_t size = n->vertices;
  memset(s->matrix, 0, size * size * sizeof *s->matrix);
  memcpy(s->price, n->supply, size * sizeof *s->price);
  for (size_t v = 0; v < size; v++)
    s->price[v] = -s->price[v];
  for (size_t e = 0; e < n->edges; e++) {
    size_t u = n->from[e], v = n->to[e];
    double weight = 1.0 / s->curve[e], flow = s->x[e];
    if (!s->fixed[e] && u != v) {
      flow += (1.0 / s->x[e] - 1.0 / above(s, e)) * weight;
      s->matrix[u * size + u] += weight;
      s->matrix[v * size + v] += weight;
      s->matrix[u * size + v] -= weight;
      s->matrix[v * size + u] -= weight;
    }
    s->price[u] += flow;
    s->price[v] -= flow;
  }
  for (size_t v = 0; v < size; v++) {
    if (s->part[v] != v)
      continue;
    for (size_t k = 0; k < size; k++)
      s->matrix[v * size + k] = s->matrix[k * size + v] = 0.0;
    s->matrix[v * size + v] = 1.0;
    s->price[v] = 0.0;
  }
  return LAPACKE_dposv_work(LAPACK_COL_MAJOR, 'L', (lapack_int)size, 1, s->matrix, (lapack_int)size, s->price,
                            (lapack_int)size) == 0;
}

/* The step, in `cost`, how far it may go, and its length in the norm of the curvatures. */
static double find_step(inner *s, double *most)
{
  const ofw_network *n = s->n;
  double length = 0.0;
  *most = 1.0;
  for (size_t e = 0; e < n->edges; e++) {
    s->cost[e] = 0.0;
    if (s->fixed[e])
      continue;
    double slope = 1.0 / s->x[e] - 1.0 / above(s, e) - s->price[n->from[e]] + s->price[n->to[e]];
    double step = s->cost[e] = slope / s->curve[e];
    length += step * slope;
    *most = fmin(*most, step < 0.0 ? 0.9 * s->x[e] / -step : step > 0.0 ? 0.9 * above(s, e) / step : 1.0);
  }
  return sqrt(length);
}

/* By how much the sum of logarithms grows. */
static double gain(const inner *s, double share)
{
  double sum = 0.0;
  for (size_t e = 0; e < s->n->edges; e++)
    if (!s->fixed[e]) {
      double step = share * s->cost[e];
      sum += log1p(step / s->x[e]) + (isfinite(s->n->capacity[e]) ? log1p(-step / above(s, e)) : 0.0);
    }
  return sum;
}

/* Up to the step whose length is below 1e-8, after which there is nothing left to gain; never more than 200. */
static void find_centre(inner *s)
{
  double length = 1.0, share;
  find_parts(s);
  for (int k = 0; k < 200 && length > 1e-8; k++) {
    for (size_t e = 0; e < s->n->edges; e++)
      s->curve[e] = s->fixed[e] ? 1.0 : 1.0 / s->x[e] / s->x[e] + 1.0 / above(s, e) / above(s, e);
    if (!find_prices(s))
      return;
    length = find_step(s, &share);
    for (int halved = 0; halved < 40 && length > 1e-6 && gain(s, share) < 0.1 * share * length * length; halved++)
      share /= 2;
    for (size_t e = 0; e < s->n->edges; e++)
      s->x[e] += share * s->cost[e];
  }
}

/* ---- what is known of the set ---- */

ofw_status ofw_flow_set_inner(ofw_domain *K, ofw_error *err)
{
  ofw_flow_set *f = K->data;
  const ofw_network *n = &f->network;
  int small = ofw_hull_fits(n->vertices, n->edges);
  inner s = {.n = n, .x = K->centre};
  K->from_centre = 1;
  f->g = (ofw_graph){0}; /* its arrays are K's only while it is built */
  OFW_TRY(take_room(&K->room, &s, small, err));
  if (!small) {
    ofw_flow_minimise(&s.flow, s.cost);
    memcpy(s.x, s.flow.x, n->edges * sizeof *s.x);
    return OFW_OK;
  }
  find_fixed(&s);
  find_centre(&s);
  return ofw_hull_set(K, n->vertices, n->from, n->to, n->capacity, s.fixed, err);
}

ofw_status ofw_flow_set_outer(ofw_domain *K, const ofw_network *n, const double *most, ofw_error *err)
{
  ofw_flow flow;
  double *cost = ofw_owned_doubles(&K->room, n->edges);
  OFW_TRY(ofw_flow_open(&K->room, n, &flow, err));
  for (size_t e = 0; e < n->edges; e++)
    cost[e] = -most[e];
  double error = ofw_flow_minimise(&flow, cost);
  K->R = sqrt(ofw_dot(n->edges, most, flow.x) + error);
  return OFW_OK;
}
