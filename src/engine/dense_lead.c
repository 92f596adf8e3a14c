/* dense_lead.c — how far x is ahead of the mean of the decisions: y, a third array if a learner asks for it */
#include "engine/dense.h"

#include <math.h>

static ofw_status keep(ofw_engine *E, ofw_error *err)
{
  ofw_dense *e = (ofw_dense *)E;
  int narrow = e->parts > 1 && e->kernels->floats;
  size_t in_one = sizeof(double) / (narrow ? sizeof(float) : e->kernels->size);
  e->y_kernels = narrow ? e->kernels->floats : e->kernels;
  e->y_unit = narrow ? ldexp(1.0, ilogb(e->radius)) : 1.0;
  e->y_words = E->dim / in_one + (E->dim % in_one > 0);
  e->y = ofw_owned_doubles(&e->own, e->y_words);
  return ofw_owned_check(&e->own, err);
}

static void step_over(const ofw_task *t, size_t from, size_t to, double found[OFW_FOUND])
{
  const ofw_dense *e = t->e;
  ofw_chunk room;
  double (*follow)(size_t n, const void *x, void *y, double c, const void *v, double pace, double keep) =
      ofw_dense_is_narrow(e) ? e->kernels->follow_narrow : e->kernels->follow;
  for (size_t n; from < to; from += n) {
    ofw_multiple v = ofw_task_multiple(t, from, to, &room);
    n = v.n;
    found[0] += follow(n, ofw_x_at(e, from), ofw_y_at(e, from), v.c, v.v, t->a / e->y_unit, t->c);
  }
}

static double step(ofw_engine *E, ofw_sum v, double sig, double left)
{
  const ofw_dense *e = (ofw_dense *)E;
  ofw_task t = {.e = e, .over = step_over, .a = sig, .c = left};
  ofw_task_aim(&t, v);
  e->kept->has_y = 0;
  return e->y_unit * e->y_unit * ofw_task_sum(&t, NULL);
}

static void dot_over(const ofw_task *t, size_t from, size_t to, double found[OFW_FOUND])
{
  found[0] = ofw_vec_dot(t->e->y_kernels, t->one, from, to - from, ofw_y_at(t->e, from));
}

static void dot_words_over(const ofw_task *t, size_t from, size_t to, double found[OFW_FOUND])
{
  for (size_t n; from < to; from += n) {
    n = ofw_least(to - from, t->e->near);
    found[0] += ofw_dense_words_dot(t->e, t->e->y_kernels, t->e->y, from, n, 0.0);
  }
}

static double dot_one(const ofw_dense *e, const ofw_vec *v)
{
  if (v->kind == OFW_VEC_SPARSE)
    return e->y_unit * ofw_vec_dot(e->y_kernels, v, 0, e->base.dim, e->y);
  if (ofw_dense_is_small(e, v))
    return e->kernels->dot(e->base.dim, e->y, v->as.dense.value);
  int has = ofw_dense_has_words(e, v);
  if (has && e->kept->has_y)
    return e->kept->y_dot;
  ofw_task t = {e, has ? dot_words_over : dot_over, .one = v};
  return e->y_unit * ofw_task_sum(&t, NULL);
}

static double dot(const ofw_engine *E, ofw_sum a)
{
  double sum = 0.0;
  for (size_t k = 0; k < a.n; k++)
    sum += a.term[k].scale * dot_one((const ofw_dense *)E, &a.term[k]);
  return sum;
}

const ofw_engine_lead ofw_dense_lead = {.keep = keep, .step = step, .step_both = ofw_dense_step_both, .dot = dot};
