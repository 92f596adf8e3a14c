/* body_sums.h — kernels that go over the matrix once and find two numbers */
#pragma once

#include "body_update.h"
#include "reply.h"

/* ---- <d, e> and |e|^2 ---- */

typedef struct ofw_segment_args {
  ofw_term v;
  const double *x, *d;
  uint32_t quads;
  ofw_report to;
} ofw_segment_args;

static inline OFW_BOTH void ofw_segment(const ofw_segment_args *k, ofw_lane l, ofw_sums *s, int phase)
{
  if (phase > 0) {
    ofw_sums_phase(&k->to, l, s, phase);
    return;
  }
  double slope = 0.0, length2 = 0.0;
  OFW_EACH_QUAD(q, l, k->quads)
  {
    ofw_quad x = ofw_load(k->x, q), d = ofw_load(k->d, q), v = ofw_atom_quad(&k->v, q);
    for (int i = 0; i < 4; i++) {
      double e = v.at[i] - x.at[i];
      slope += d.at[i] * e;
      length2 += e * e;
    }
  }
  s->value[0][l.thread] = slope;
  s->value[1][l.thread] = length2;
}

/* ---- y = keep y + sig e; |y|^2 ---- */

typedef struct ofw_lead_args {
  ofw_term v;
  double sig, keep;
  const double *x;
  double *y;
  uint32_t quads;
  ofw_report to;
} ofw_lead_args;

static inline OFW_BOTH void ofw_lead(const ofw_lead_args *k, ofw_lane l, ofw_sums *s, int phase)
{
  if (phase > 0) {
    ofw_sums_phase(&k->to, l, s, phase);
    return;
  }
  double square = 0.0;
  OFW_EACH_QUAD(q, l, k->quads)
  {
    ofw_quad x = ofw_load(k->x, q), y = ofw_load(k->y, q), v = ofw_atom_quad(&k->v, q);
    for (int i = 0; i < 4; i++) {
      y.at[i] = k->keep * y.at[i] + k->sig * (v.at[i] - x.at[i]);
      square += y.at[i] * y.at[i];
    }
    ofw_store(k->y, q, y);
  }
  s->value[0][l.thread] = square;
  s->value[1][l.thread] = 0.0;
}

/* ---- <v, x> ---- */

typedef struct ofw_dot_args {
  ofw_term v;
  const double *x;
  uint32_t quads;
  ofw_report to;
} ofw_dot_args;

static inline OFW_BOTH void ofw_dot_term(const ofw_dot_args *k, ofw_lane l, ofw_sums *s, int phase)
{
  if (phase > 0) {
    ofw_sums_phase(&k->to, l, s, phase);
    return;
  }
  double sum = 0.0;
  OFW_EACH_QUAD(q, l, k->quads)
  {
    ofw_quad x = ofw_load(k->x, q),
             v = k->v.kind == OFW_TERM_UNIFORM ? ofw_uniform_quad(&k->v, q) : ofw_atom_quad(&k->v, q);
    for (int i = 0; i < 4; i++)
      sum += v.at[i] * x.at[i];
  }
  s->value[0][l.thread] = sum;
  s->value[1][l.thread] = 0.0;
}

typedef struct ofw_dot_sparse_args {
  uint32_t n;
  const uint32_t *index;
  const double *value, *x;
  ofw_report to;
} ofw_dot_sparse_args;

static inline OFW_BOTH void ofw_dot_sparse(const ofw_dot_sparse_args *k, ofw_lane l, ofw_sums *s, int phase)
{
  if (phase > 0) {
    ofw_sums_phase(&k->to, l, s, phase);
    return;
  }
  double sum = 0.0;
  OFW_EACH_QUAD(i, l, k->n) sum += k->value[i] * k->x[k->index[i]];
  s->value[0][l.thread] = sum;
  s->value[1][l.thread] = 0.0;
}

/* ---- max |a - b| and |2^-exponent (a - b)|^2 ---- */

typedef struct ofw_measure_args {
  const double *a, *b; /* b may be NULL */
  double half, rest;   /* their product is 2^-exponent */
  uint32_t quads;
  ofw_report to;
} ofw_measure_args;

/* One quad of it. */
static inline OFW_BOTH void ofw_measure_quad(ofw_quad e, double half, double rest, double *most, double *square)
{
  for (int i = 0; i < 4; i++) {
    double scaled = e.at[i] * half * rest;
    *most = fabs(e.at[i]) > *most ? fabs(e.at[i]) : *most;
    *square += scaled * scaled;
  }
}

static inline OFW_BOTH void ofw_measure(const ofw_measure_args *k, ofw_lane l, ofw_sums *s, int phase)
{
  if (phase > 0) {
    ofw_sums_phase(&k->to, l, s, phase);
    return;
  }
  double most = 0.0, square = 0.0;
  OFW_EACH_QUAD(q, l, k->quads)
  {
    ofw_quad a = ofw_load(k->a, q), b = {{0.0, 0.0, 0.0, 0.0}};
    if (k->b)
      b = ofw_load(k->b, q);
    for (int i = 0; i < 4; i++)
      a.at[i] -= b.at[i];
    ofw_measure_quad(a, k->half, k->rest, &most, &square);
  }
  s->value[0][l.thread] = most;
  s->value[1][l.thread] = square;
}

/* ---- y += c v; max |y_i| and |y|^2 ---- */

typedef struct ofw_add_measure_args {
  ofw_add_args add;
  ofw_report to;
} ofw_add_measure_args;

static inline OFW_BOTH void ofw_add_measure(const ofw_add_measure_args *k, ofw_lane l, ofw_sums *s, int phase)
{
  if (phase > 0) {
    ofw_sums_phase(&k->to, l, s, phase);
    return;
  }
  double most = 0.0, square = 0.0;
  OFW_EACH_QUAD(q, l, k->add.quads)
  ofw_measure_quad(ofw_add_quad(&k->add, q), 1.0, 1.0, &most, &square);
  s->value[0][l.thread] = most;
  s->value[1][l.thread] = square;
}

/* ---- a step, and <p, x> of the x that it leads to ---- */

typedef struct ofw_step_dot_args {
  ofw_step_args step;
  ofw_term p; /* whole uniform draws */
  ofw_report to;
} ofw_step_dot_args;

static inline OFW_BOTH void ofw_step_dot(const ofw_step_dot_args *k, ofw_lane l, ofw_sums *s, int phase)
{
  if (phase > 0) {
    ofw_sums_phase(&k->to, l, s, phase);
    return;
  }
  double sum = 0.0;
  OFW_EACH_QUAD(q, l, k->step.quads)
  {
    ofw_quad x = ofw_step_quad(&k->step, q), p = ofw_uniform_quad(&k->p, q);
    for (int i = 0; i < 4; i++)
      sum += p.at[i] * x.at[i];
  }
  s->value[0][l.thread] = sum;
  s->value[1][l.thread] = 0.0;
}
