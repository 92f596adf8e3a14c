/* device_arrays.c — the engine's operations on x, d and y */
#include "device.h"

#include <math.h>
#include <string.h>

void ofw_cuda_clear(ofw_cuda *c, ofw_on what)
{
  ofw_machine *m = ofw_cuda_on(c);
  if (c->array[what])
    m->ops->copy(m, c->array[what], NULL, ofw_cuda_bytes(c));
}

void ofw_cuda_blend(ofw_cuda *c, double a, double b)
{
  ofw_blend_args k = {.a = a, .b = b, .d = c->array[OFW_ON_D], .x = c->array[OFW_ON_X], .quads = c->quads};
  ofw_run_blend(ofw_cuda_on(c), ofw_blocks_for(c->quads), &k);
}

void ofw_cuda_add(ofw_cuda *c, double factor, const ofw_vec *v)
{
  ofw_cuda_add_to(c, factor, v, c->array[OFW_ON_D]);
}

void ofw_cuda_segment(ofw_cuda *c, ofw_sum v, double *slope, double *length2)
{
  double out[2] = {(double)NAN, (double)NAN};
  ofw_segment_args k = {.x = c->array[OFW_ON_X], .d = c->array[OFW_ON_D], .quads = c->quads};
  if (ofw_cuda_make_sum(c, v, OFW_SUM_A, 0, &k.v)) {
    k.to = ofw_cuda_next_report(c);
    ofw_run_segment(ofw_cuda_on(c), ofw_few_blocks_for(c->quads), &k);
    ofw_cuda_await(c, k.to.ticket, out);
  }
  *slope = out[0];
  *length2 = out[1];
}

void ofw_cuda_step(ofw_cuda *c, ofw_sum v, double sig, double curv)
{
  ofw_step_args k = {.sig = sig, .curv = curv, .x = c->array[OFW_ON_X], .d = c->array[OFW_ON_D], .quads = c->quads};
  if (ofw_cuda_make_sum(c, v, OFW_SUM_A, 0, &k.v))
    ofw_run_step(ofw_cuda_on(c), ofw_blocks_for(c->quads), &k);
}

double ofw_cuda_lead(ofw_cuda *c, ofw_sum v, double sig, double keep)
{
  double out[2] = {(double)NAN, 0.0};
  ofw_lead_args k = {.sig = sig, .keep = keep, .x = c->array[OFW_ON_X], .y = c->array[OFW_ON_Y], .quads = c->quads};
  if (ofw_cuda_make_sum(c, v, OFW_SUM_A, 0, &k.v)) {
    k.to = ofw_cuda_next_report(c);
    ofw_run_lead(ofw_cuda_on(c), ofw_few_blocks_for(c->quads), &k);
    ofw_cuda_await(c, k.to.ticket, out);
  }
  return out[0];
}

static double dot_array(ofw_cuda *c, const double *x, const ofw_term *v)
{
  double out[2];
  ofw_dot_args k = {.v = *v, .x = x, .quads = c->quads, .to = ofw_cuda_next_report(c)};
  ofw_run_dot_term(ofw_cuda_on(c), ofw_few_blocks_for(c->quads), &k);
  ofw_cuda_await(c, k.to.ticket, out);
  return out[0];
}

static double dot_sparse(ofw_cuda *c, const double *x, const ofw_vec *v)
{
  double out[2];
  ofw_pairs p;
  if (!ofw_cuda_stage_pairs(c, v->as.sparse.nnz, v->as.sparse.index, v->offset, v->as.sparse.value, &p))
    return (double)NAN;
  ofw_dot_sparse_args k = {
      .n = (uint32_t)v->as.sparse.nnz, .index = p.index, .value = p.value, .x = x, .to = ofw_cuda_next_report(c)};
  ofw_run_dot_sparse(ofw_cuda_on(c), ofw_few_blocks_for(k.n), &k);
  ofw_cuda_await(c, k.to.ticket, out);
  return v->scale * out[0];
}

double ofw_cuda_dot(ofw_cuda *c, ofw_on with, const ofw_vec *v)
{
  ofw_term t;
  const double *x = c->array[with];
  if (v->kind == OFW_VEC_SPARSE)
    return dot_sparse(c, x, v);
  return ofw_cuda_make_sum(c, (ofw_sum){1, v}, OFW_SUM_A, 1, &t) ? dot_array(c, x, &t) : (double)NAN;
}

double ofw_cuda_inner(ofw_cuda *c, ofw_sum a, ofw_sum b)
{
  ofw_term t;
  double *written = ofw_cuda_array(c, OFW_SUM_B);
  if (!written)
    return (double)NAN;
  ofw_machine *m = ofw_cuda_on(c);
  m->ops->copy(m, written, NULL, ofw_cuda_bytes(c));
  for (size_t k = 0; k < a.n; k++)
    ofw_cuda_add_to(c, 1.0, &a.term[k], written);
  return ofw_cuda_make_sum(c, b, OFW_SUM_A, 1, &t) ? dot_array(c, written, &t) : (double)NAN;
}

void ofw_cuda_measure(ofw_cuda *c, ofw_on what, int exponent, double *largest, double *square)
{
  double out[2];
  ofw_measure_args k = {.a = what == OFW_ON_E ? c->array[OFW_ON_X] : c->array[what],
                        .b = what == OFW_ON_E ? c->array[OFW_ON_D] : NULL,
                        .quads = c->quads,
                        .to = ofw_cuda_next_report(c)};
  k.to.largest = 1;
  ofw_cuda_halves(exponent, &k.half, &k.rest);
  ofw_run_measure(ofw_cuda_on(c), ofw_few_blocks_for(c->quads), &k);
  ofw_cuda_await(c, k.to.ticket, out);
  *largest = out[0];
  *square = out[1];
}

/* ---- to here and from here ---- */

int ofw_cuda_read(ofw_cuda *c, ofw_on from, size_t first, size_t n, double *out)
{
  ofw_machine *m = ofw_cuda_on(c);
  return m->ops->fetch(m, out, c->array[from] + first, n * sizeof *out) && !ofw_cuda_failed(c);
}

int ofw_cuda_write(ofw_cuda *c, ofw_on to, const double *in)
{
  ofw_machine *m = ofw_cuda_on(c);
  m->ops->send(m, c->array[to], in, c->dim * sizeof *in);
  return m->ops->wait(m) && !ofw_cuda_failed(c);
}

int ofw_cuda_entries(ofw_cuda *c, const ofw_vec *probe, size_t n, const size_t *index, double *out)
{
  double none[2];
  ofw_pairs p;
  ofw_term drawn = {0};
  if (!ofw_cuda_stage_pairs(c, n, index, 0, NULL, &p) || (probe && !ofw_cuda_make_term(c, probe, &drawn)))
    return 0;
  ofw_gather_args k = {.n = (uint32_t)n,
                       .index = p.index,
                       .x = c->array[OFW_ON_X],
                       .probe = drawn,
                       .out = p.value,
                       .to = ofw_cuda_next_report(c)};
  ofw_run_gather(ofw_cuda_on(c), ofw_few_blocks_for(k.n), &k);
  if (!ofw_cuda_await(c, k.to.ticket, none))
    return 0;
  if (n > 0)
    memcpy(out, p.value, n * sizeof *out);
  return 1;
}

int ofw_cuda_keep_y(ofw_cuda *c)
{
  return ofw_cuda_array(c, OFW_ON_Y) != NULL;
}
