/* device_terms.c — vectors as terms that kernels read */
#include "device.h"

#include <math.h>

/* A term that is not sparse; what it is made of goes to the machine, if it is not there: it is valid until the next. */
int ofw_cuda_make_term(ofw_cuda *c, const ofw_vec *v, ofw_term *t)
{
  *t = (ofw_term){.offset = (uint32_t)v->offset, .scale = v->scale};
  if (v->kind == OFW_VEC_DENSE) {
    t->kind = OFW_TERM_ARRAY;
    t->n = (uint32_t)v->as.dense.n;
    t->value = ofw_cuda_upload(c, &c->value, v->as.dense.n, v->as.dense.value);
    return t->value != NULL;
  }
  if (v->kind == OFW_VEC_RANDOM) {
    t->kind = v->as.random.dist == OFW_NORMAL ? OFW_TERM_NORMAL : OFW_TERM_UNIFORM;
    t->n = (uint32_t)v->as.random.n;
    t->key = v->as.random.key;
    return 1;
  }
  int found = v->as.rank_one.u == c->seen_u && v->as.rank_one.v == c->seen_v;
  t->kind = OFW_TERM_RANK_ONE;
  t->n = (uint32_t)(v->as.rank_one.rows * v->as.rank_one.cols);
  t->cols = (uint32_t)v->as.rank_one.cols;
  t->u = found ? c->pair_u : ofw_cuda_upload(c, &c->left, v->as.rank_one.rows, v->as.rank_one.u);
  t->v = found ? c->pair_v : ofw_cuda_upload(c, &c->right, v->as.rank_one.cols, v->as.rank_one.v);
  return t->u && t->v;
}

void ofw_cuda_add_to(ofw_cuda *c, double factor, const ofw_vec *v, int which)
{
  void *y = c->array[which];
  int floats = ofw_cuda_floats(c, which);
  if (v->kind != OFW_VEC_SPARSE) {
    ofw_add_args k = {.c = factor, .y = y, .floats = floats, .quads = c->quads};
    if (ofw_cuda_make_term(c, v, &k.v) && !ofw_cuda_failed(c))
      ofw_run_add(ofw_cuda_on(c), ofw_blocks_for(c->quads), &k);
    return;
  }
  ofw_pairs p;
  if (ofw_cuda_failed(c) ||
      !ofw_cuda_stage_pairs(c, v->as.sparse.nnz, v->as.sparse.index, v->offset, v->as.sparse.value, &p))
    return;
  ofw_add_sparse_args k = {.c = factor * v->scale,
                           .n = (uint32_t)v->as.sparse.nnz,
                           .index = p.index,
                           .value = p.value,
                           .y = y,
                           .floats = floats};
  ofw_run_add_sparse(ofw_cuda_on(c), ofw_blocks_for(k.n), &k);
}

int ofw_cuda_is_plain(const ofw_cuda *c, const ofw_vec *v, int draws)
{
  if (v->offset != 0)
    return 0;
  if (v->kind == OFW_VEC_RANDOM)
    return draws && v->as.random.dist == OFW_UNIFORM && v->as.random.n == c->dim;
  if (v->kind == OFW_VEC_RANK_ONE)
    return v->as.rank_one.rows * v->as.rank_one.cols == c->dim;
  return v->kind == OFW_VEC_DENSE && v->as.dense.n == c->dim;
}

int ofw_cuda_write_out(ofw_cuda *c, ofw_sum v, int room)
{
  void *out = ofw_cuda_array(c, room);
  if (!out)
    return 0;
  ofw_machine *m = ofw_cuda_on(c);
  m->ops->copy(m, out, NULL, ofw_cuda_bytes(c, room));
  for (size_t k = 0; k < v.n; k++)
    ofw_cuda_add_to(c, 1.0, &v.term[k], room);
  return !ofw_cuda_failed(c);
}

int ofw_cuda_make_sum(ofw_cuda *c, ofw_sum v, int room, int draws, ofw_term *t)
{
  if (v.n == 1 && ofw_cuda_is_plain(c, v.term, draws))
    return ofw_cuda_make_term(c, v.term, t);
  *t = (ofw_term){.kind = OFW_TERM_ARRAY, .scale = 1.0};
  if (v.n == 0)
    return 1;
  if (!ofw_cuda_write_out(c, v, room))
    return 0;
  t->n = c->dim;
  t->value = c->array[room];
  return 1;
}

/* 2^-exponent as a product of two numbers that are doubles for every exponent that a double has. */
void ofw_cuda_halves(int exponent, double *half, double *rest)
{
  *half = ldexp(1.0, -(exponent / 2));
  *rest = ldexp(1.0, -(exponent - exponent / 2));
}
