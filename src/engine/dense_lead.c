/* dense_lead.c — how far x is ahead of the mean of the decisions: y, a third array if a learner asks for it */
#include "engine/dense.h"

#include <stdlib.h>

static void *y_at(const ofw_dense *e, size_t i)
{
  return ofw_at(e->kernels, e->y, i);
}

static ofw_status keep(ofw_engine *E, ofw_error *err)
{
  ofw_dense *e = (ofw_dense *)E;
  e->y = ofw_owned_doubles(&e->own, e->words);
  return ofw_owned_check(&e->own, err);
}

/* The kernel steps x by 0. */
static void step_over(const ofw_task *t, size_t from, size_t to, double found[2])
{
  const ofw_kernels *kernels = t->e->kernels;
  double room[OFW_CHUNK], largest, square;
  for (size_t n; from < to; from += n) {
    ofw_multiple v = ofw_task_multiple(t, from, to, room);
    n = ofw_least(v.n, OFW_NEAR);
    kernels->blend(n, t->b, y_at(t->e, from), 0.0, ofw_x_at(t->e, from));
    kernels->step(n, ofw_x_at(t->e, from), y_at(t->e, from), v.c, v.v, 0.0, t->a);
    kernels->measure(n, y_at(t->e, from), &largest, &square);
    found[0] += square;
  }
}

static double step(ofw_engine *E, ofw_sum v, double sig, double left)
{
  ofw_task t = {(ofw_dense *)E, step_over, .sum = v, .one = ofw_dense_whole(E, v), .a = sig, .b = left};
  return ofw_task_sum(&t, NULL);
}

static void dot_over(const ofw_task *t, size_t from, size_t to, double found[2])
{
  found[0] = ofw_vec_dot(t->e->kernels, t->one, from, to - from, y_at(t->e, from));
}

static void dot_words_over(const ofw_task *t, size_t from, size_t to, double found[2])
{
  found[0] = t->e->kernels->uniform_dot(to - from, t->e->kept->word + from, y_at(t->e, from));
}

static double dot(const ofw_engine *E, ofw_sum a)
{
  const ofw_dense *e = (const ofw_dense *)E;
  double sum = 0.0;
  for (size_t k = 0; k < a.n; k++) {
    const ofw_vec *v = &a.term[k];
    ofw_task t = {e, ofw_dense_has_words(e, v) ? dot_words_over : dot_over, .one = v};
    sum +=
        v->scale * (v->kind == OFW_VEC_SPARSE ? ofw_vec_dot(e->kernels, v, 0, E->dim, e->y) : ofw_task_sum(&t, NULL));
  }
  return sum;
}

const ofw_engine_lead ofw_dense_lead = {.keep = keep, .step = step, .dot = dot};
