/* body_update.h — kernels that change x, d or y, and find nothing: a thread has one quad */
#pragma once

#include "term.h"

/* ---- d = a d + b x ---- */

typedef struct ofw_blend_args {
  double a, b;
  void *d;
  const void *x;
  int floats;
  uint32_t quads;
} ofw_blend_args;

static inline OFW_BOTH void ofw_blend(const ofw_blend_args *k, ofw_lane l, int floats)
{
  OFW_EACH_ITEM(q, l, k->quads)
  {
    ofw_quad d = ofw_get_quad(k->d, q, floats), x = ofw_get_quad(k->x, q, floats);
    for (int i = 0; i < 4; i++)
      d.at[i] = (k->a != 0.0 ? k->a * d.at[i] : 0.0) + (k->b != 0.0 ? k->b * x.at[i] : 0.0);
    ofw_put_quad(k->d, q, d, floats);
  }
}

/* ---- y += c v ---- */

typedef struct ofw_add_args {
  double c;
  ofw_term v;
  void *y;
  int floats;
  uint32_t quads;
} ofw_add_args;

/* One quad, and what it is then. */
static inline OFW_BOTH ofw_quad ofw_add_quad(const ofw_add_args *k, uint32_t q, ofw_quad y, ofw_quad v, int floats)
{
  for (int i = 0; i < 4; i++)
    y.at[i] += k->c * v.at[i];
  return ofw_put_quad(k->y, q, y, floats);
}

static inline OFW_BOTH void ofw_add(const ofw_add_args *k, ofw_lane l, int floats)
{
  OFW_EACH_ITEM(q, l, k->quads) ofw_add_quad(k, q, ofw_get_quad(k->y, q, floats), ofw_term_quad(&k->v, q), floats);
}

/* ---- the same of a sparse vector, whose indices are distinct ---- */

typedef struct ofw_add_sparse_args {
  double c;
  uint32_t n;
  const uint32_t *index; /* with the offset in it */
  const double *value;
  void *y;
  int floats;
} ofw_add_sparse_args;

static inline OFW_BOTH void ofw_add_sparse(const ofw_add_sparse_args *k, ofw_lane l, int floats)
{
  OFW_EACH_ITEM(i, l, k->n)
  ofw_put(k->y, k->index[i], ofw_get(k->y, k->index[i], floats) + k->c * k->value[i], floats);
}

/* ---- x += sig e, d += curv e, e = v - x ---- */

typedef struct ofw_step_args {
  ofw_term v; /* whole, and no draws */
  double sig, curv;
  void *x, *d;
  int floats;
  uint32_t quads;
} ofw_step_args;

/* One quad; what x is there then. */
static inline OFW_BOTH ofw_quad ofw_step_quad(const ofw_step_args *k, uint32_t q, ofw_quads in, int floats)
{
  ofw_quad x = in.first, d = in.second, v = ofw_atom_quad(&k->v, q);
  for (int i = 0; i < 4; i++) {
    double e = v.at[i] - x.at[i];
    x.at[i] += k->sig * e;
    d.at[i] += k->curv * e;
  }
  ofw_put_quad(k->d, q, d, floats);
  return ofw_put_quad(k->x, q, x, floats);
}

static inline OFW_BOTH void ofw_step(const ofw_step_args *k, ofw_lane l, int floats)
{
  OFW_EACH_ITEM(q, l, k->quads) ofw_step_quad(k, q, ofw_read_two(k->x, k->d, q, floats), floats);
}
