/* body_update.h — kernels that change x, d or y, and find nothing */
#pragma once

#include "term.h"

/* ---- d = a d + b x ---- */

typedef struct ofw_blend_args {
  double a, b;
  double *d;
  const double *x;
  uint32_t quads;
} ofw_blend_args;

static inline OFW_BOTH void ofw_blend(const ofw_blend_args *k, ofw_lane l)
{
  OFW_EACH_QUAD(q, l, k->quads)
  {
    ofw_quad d = ofw_load(k->d, q), x = ofw_load(k->x, q);
    for (int i = 0; i < 4; i++)
      d.at[i] = (k->a != 0.0 ? k->a * d.at[i] : 0.0) + (k->b != 0.0 ? k->b * x.at[i] : 0.0);
    ofw_store(k->d, q, d);
  }
}

/* ---- y += c v ---- */

typedef struct ofw_add_args {
  double c;
  ofw_term v;
  double *y;
  uint32_t quads;
} ofw_add_args;

/* One quad, and what it is then. */
static inline OFW_BOTH ofw_quad ofw_add_quad(const ofw_add_args *k, uint32_t q)
{
  ofw_quad y = ofw_load(k->y, q), v = ofw_term_quad(&k->v, q);
  for (int i = 0; i < 4; i++)
    y.at[i] += k->c * v.at[i];
  ofw_store(k->y, q, y);
  return y;
}

static inline OFW_BOTH void ofw_add(const ofw_add_args *k, ofw_lane l)
{
  OFW_EACH_QUAD(q, l, k->quads) ofw_add_quad(k, q);
}

/* ---- the same of a sparse vector, whose indices are distinct ---- */

typedef struct ofw_add_sparse_args {
  double c;
  uint32_t n;
  const uint32_t *index; /* with the offset in it */
  const double *value;
  double *y;
} ofw_add_sparse_args;

static inline OFW_BOTH void ofw_add_sparse(const ofw_add_sparse_args *k, ofw_lane l)
{
  OFW_EACH_QUAD(i, l, k->n) k->y[k->index[i]] += k->c * k->value[i];
}

/* ---- x += sig e, d += curv e, e = v - x ---- */

typedef struct ofw_step_args {
  ofw_term v; /* whole, and no draws */
  double sig, curv;
  double *x, *d;
  uint32_t quads;
} ofw_step_args;

/* One quad; x there. */
static inline OFW_BOTH ofw_quad ofw_step_quad(const ofw_step_args *k, uint32_t q)
{
  ofw_quad x = ofw_load(k->x, q), d = ofw_load(k->d, q), v = ofw_atom_quad(&k->v, q);
  for (int i = 0; i < 4; i++) {
    double e = v.at[i] - x.at[i];
    x.at[i] += k->sig * e;
    d.at[i] += k->curv * e;
  }
  ofw_store(k->x, q, x);
  ofw_store(k->d, q, d);
  return x;
}

static inline OFW_BOTH void ofw_step(const ofw_step_args *k, ofw_lane l)
{
  OFW_EACH_QUAD(q, l, k->quads) ofw_step_quad(k, q);
}
