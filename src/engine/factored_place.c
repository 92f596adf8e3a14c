/* factored_place.c — where a matrix u v' is in the bases, and what it adds to them */
#include "engine/factored.h"

#include "linalg/kernels.h"
#include "linalg/norm_over.h"

#include <string.h>

/* What a vector has outside the basis, relative to its length, that is not worth a column. */
static const double NEGLIGIBLE = 1e-12;

/* At all ranks. */
static int is_placed(const ofw_factored *e, const double *u, const double *v)
{
  const ofw_placed *p = &e->placed;
  int other = memcmp(p->u, u, e->rows * sizeof *u) != 0 || memcmp(p->v, v, e->cols * sizeof *v) != 0;
  return !ofw_ranks_any(e->split ? e->split->ranks : NULL, other);
}

void ofw_factored_place(ofw_factored *e, const ofw_vec *atom)
{
  ofw_placed *p = &e->placed;
  const double *u = atom->as.rank_one.u, *v = atom->as.rank_one.v;
  if (p->there && is_placed(e, u, v))
    return;
  memcpy(p->u, u, e->rows * sizeof *u);
  memcpy(p->v, v, e->cols * sizeof *v);
  p->out_u = ofw_basis_split(&e->left, u, p->hu, p->rest_u);
  p->out_v = ofw_basis_split(&e->right, v, p->hv, p->rest_v);
  p->length_u = ofw_norm_over(e->split, e->rows, u);
  p->length_v = ofw_norm(e->cols, v);
  p->cross = ofw_factored_cross(e, u, v);
  p->there = 1;
  p->appended = 0;
}

/* *out becomes what stays outside the basis. */
static void append_side(ofw_basis *b, double *h, const double *rest, double *out, double length)
{
  if (!(*out > NEGLIGIBLE * length) || b->count == b->room)
    return;
  ofw_basis_append(b, rest, *out);
  h[b->count - 1] = *out;
  *out = 0.0;
}

void ofw_factored_append(ofw_factored *e)
{
  ofw_placed *p = &e->placed;
  if (!p->appended) {
    append_side(&e->left, p->hu, p->rest_u, &p->out_u, p->length_u);
    append_side(&e->right, p->hv, p->rest_v, &p->out_v, p->length_v);
  }
  p->appended = 1;
}

double ofw_factored_outside(const ofw_factored *e)
{
  const ofw_placed *p = &e->placed;
  return p->out_u * p->length_v + p->length_u * p->out_v;
}
