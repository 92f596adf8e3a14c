/* body_sums.h — kernels that go over the matrix once and find two numbers */
#pragma once

#include "body_update.h"
#include "reply.h"

/* ---- <d, e> and |e|^2 ---- */

typedef struct ofw_segment_args {
  ofw_term v;
  const void *x, *d;
  int floats;
  uint32_t quads;
  ofw_report to;
} ofw_segment_args;

static inline OFW_BOTH ofw_two ofw_segment(const ofw_segment_args *k, ofw_lane l, int floats)
{
  double slope = 0.0, length2 = 0.0;
  OFW_EACH_QUAD(OFW_OF_TWO, q, in, l, k->quads, ofw_read_two(k->x, k->d, q, floats), {
    ofw_quad v = ofw_atom_quad(&k->v, q);
    for (int i = 0; i < 4; i++) {
      double e = v.at[i] - in.first.at[i];
      slope += in.second.at[i] * e;
      length2 += e * e;
    }
  })
  return ofw_both(slope, length2);
}

/* ---- y = keep y + sig e; |y|^2 ---- */

typedef struct ofw_lead_args {
  ofw_term v;
  double sig, keep;
  const void *x;
  void *y;
  int floats;
  uint32_t quads;
  ofw_report to;
} ofw_lead_args;

static inline OFW_BOTH ofw_two ofw_lead(const ofw_lead_args *k, ofw_lane l, int floats)
{
  double square = 0.0;
  OFW_EACH_QUAD(OFW_OF_TWO, q, in, l, k->quads, ofw_read_two(k->x, k->y, q, floats), {
    ofw_quad y = in.second, v = ofw_atom_quad(&k->v, q);
    for (int i = 0; i < 4; i++)
      y.at[i] = k->keep * y.at[i] + k->sig * (v.at[i] - in.first.at[i]);
    y = ofw_put_quad(k->y, q, y, floats);
    for (int i = 0; i < 4; i++)
      square += y.at[i] * y.at[i];
  })
  return ofw_both(square, 0.0);
}

/* ---- <v, x> ---- */

typedef struct ofw_dot_args {
  ofw_term v;
  const void *x;
  int floats;
  uint32_t quads;
  ofw_report to;
} ofw_dot_args;

static inline OFW_BOTH ofw_two ofw_dot_term(const ofw_dot_args *k, ofw_lane l, int floats)
{
  double sum = 0.0;
  OFW_EACH_QUAD(OFW_OF_ONE, q, in, l, k->quads, ofw_read_one(k->x, q, floats), {
    ofw_quad v = ofw_whole_quad(&k->v, q);
    for (int i = 0; i < 4; i++)
      sum += v.at[i] * in.first.at[i];
  })
  return ofw_both(sum, 0.0);
}

typedef struct ofw_dot_sparse_args {
  uint32_t n;
  const uint32_t *index;
  const double *value;
  const void *x;
  int floats;
  ofw_report to;
} ofw_dot_sparse_args;

static inline OFW_BOTH ofw_two ofw_dot_sparse(const ofw_dot_sparse_args *k, ofw_lane l, int floats)
{
  double sum = 0.0;
  OFW_EACH_ITEM(i, l, k->n) sum += k->value[i] * ofw_get(k->x, k->index[i], floats);
  return ofw_both(sum, 0.0);
}

/* ---- max |a - b| and |2^-exponent (a - b)|^2 ---- */

typedef struct ofw_measure_args {
  const void *a, *b; /* b may be NULL */
  int floats;
  double half, rest; /* their product is 2^-exponent */
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

static inline OFW_BOTH ofw_two ofw_measure(const ofw_measure_args *k, ofw_lane l, int floats)
{
  double most = 0.0, square = 0.0;
  OFW_EACH_QUAD(OFW_OF_ONE, q, in, l, k->quads, ofw_read_one(k->a, q, floats), {
    ofw_quad e = in.first;
    if (k->b) {
      ofw_quad b = ofw_get_quad(k->b, q, floats);
      for (int i = 0; i < 4; i++)
        e.at[i] -= b.at[i];
    }
    ofw_measure_quad(e, k->half, k->rest, &most, &square);
  })
  return ofw_both(most, square);
}

/* ---- y += c v, v whole; max |y_i| and |y|^2 ---- */

typedef struct ofw_add_measure_args {
  ofw_add_args add;
  ofw_report to;
} ofw_add_measure_args;

static inline OFW_BOTH ofw_two ofw_add_measure(const ofw_add_measure_args *k, ofw_lane l, int floats)
{
  double most = 0.0, square = 0.0;
  OFW_EACH_QUAD(OFW_OF_ONE, q, in, l, k->add.quads, ofw_read_one(k->add.y, q, floats), {
    ofw_quad y = ofw_add_quad(&k->add, q, in.first, ofw_whole_quad(&k->add.v, q), floats);
    ofw_measure_quad(y, 1.0, 1.0, &most, &square);
  })
  return ofw_both(most, square);
}

/* ---- a step, and <p, x> of the x that it leads to ---- */

typedef struct ofw_step_dot_args {
  ofw_step_args step;
  ofw_term p; /* whole uniform draws */
  ofw_report to;
} ofw_step_dot_args;

static inline OFW_BOTH ofw_two ofw_step_dot(const ofw_step_dot_args *k, ofw_lane l, int floats)
{
  double sum = 0.0;
  OFW_EACH_QUAD(OFW_OF_TWO, q, in, l, k->step.quads, ofw_read_two(k->step.x, k->step.d, q, floats), {
    ofw_quad x = ofw_step_quad(&k->step, q, in, floats), p = ofw_uniform_quad(&k->p, q);
    for (int i = 0; i < 4; i++)
      sum += p.at[i] * x.at[i];
  })
  return ofw_both(sum, 0.0);
}
