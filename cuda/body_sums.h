/* body_sums.h — kernels that go over the matrix once and find two numbers */
#pragma once

#include "reply.h"
#include "term.h"

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
    for (int i = 0; i < 4; i++) {
      double e = a.at[i] - b.at[i], scaled = e * k->half * k->rest;
      most = fabs(e) > most ? fabs(e) : most;
      square += scaled * scaled;
    }
  }
  s->value[0][l.thread] = most;
  s->value[1][l.thread] = square;
}
