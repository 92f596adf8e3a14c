/* dense_step.c — the dense engine's moves: x, d and y on the way to an atom
 *
 * What is written is near, so that the next round's draws meet it at once (dense_words.c): they would read all of it again.
 */
#include "engine/dense.h"

static void segment_over(const ofw_task *t, size_t from, size_t to, double found[OFW_FOUND])
{
  ofw_chunk atom;
  for (size_t n; from < to; from += n) {
    ofw_multiple r = ofw_task_multiple(t, from, to, &atom);
    n = r.n;
    t->e->kernels->segment(n, ofw_x_at(t->e, from), ofw_d_at(t->e, from), r.c, r.v, &found[0], &found[1]);
  }
}

/* An atom that is as many doubles as x has, and few: one call of a kernel. */
static int is_small(const ofw_dense *e, ofw_sum v)
{
  return v.n == 1 && !ofw_dense_is_floats(e) && ofw_dense_is_small(e, v.term);
}

void ofw_dense_segment(ofw_engine *E, ofw_sum v, double *slope, double *length2)
{
  const ofw_dense *e = (ofw_dense *)E;
  if (is_small(e, v)) {
    *slope = *length2 = 0.0;
    e->kernels->segment(E->dim, e->x, e->d, v.term->scale, v.term->as.dense.value, slope, length2);
    return;
  }
  ofw_task t = {.e = e, .over = segment_over};
  ofw_task_aim(&t, v);
  *slope = ofw_task_sum(&t, length2);
}

/* |y / y_unit|^2 */
static double move(const ofw_task *t, size_t from, size_t to)
{
  const ofw_dense *e = t->e;
  ofw_chunk atom;
  double square = 0.0;
  double (*lead)(size_t n, void *x, void *d, void *y, double c, const void *v, double sig, double curv, double pace,
                 double keep) = ofw_dense_is_narrow(e) ? e->kernels->lead_narrow : e->kernels->lead;
  for (size_t n; from < to; from += n) {
    ofw_multiple r = ofw_task_multiple(t, from, to, &atom);
    n = r.n;
    void *x = ofw_x_at(e, from), *d = ofw_d_at(e, from);
    if (t->leads)
      square += lead(n, x, d, ofw_y_at(e, from), r.c, r.v, t->a, t->b, t->a / e->y_unit, t->c);
    else
      e->kernels->step(n, x, d, r.c, r.v, t->a, t->b);
  }
  return square;
}

static void step_over(const ofw_task *t, size_t from, size_t to, double found[OFW_FOUND])
{
  for (size_t n; from < to; from += n) {
    n = ofw_least(to - from, t->e->near);
    found[0] += move(t, from, from + n);
    if (t->next)
      ofw_dense_meet_next(t, from, n, &found[1], &found[2]);
  }
}

/* What go does below, for an array that is small. */
static double go_small(const ofw_dense *e, const ofw_vec *v, double sig, int leads, double keep, double curv)
{
  const double *value = v->as.dense.value;
  ofw_dense_forget(e);
  if (leads)
    return e->kernels->lead(e->base.dim, e->x, e->d, e->y, v->scale, value, sig, curv * sig, sig, keep);
  e->kernels->step(e->base.dim, e->x, e->d, v->scale, value, sig, curv * sig);
  return 0.0;
}

/* |y|^2 if y goes, too */
static double go(ofw_engine *E, ofw_sum v, double sig, int leads, double keep, double curv)
{
  const ofw_dense *e = (ofw_dense *)E;
  ofw_rng_key next;
  int expects = ofw_dense_expects(e, &next);
  if (!expects && is_small(e, v))
    return go_small(e, v.term, sig, leads, keep, curv);
  ofw_task t = {.e = e, .over = step_over, .a = sig, .b = curv * sig, .c = keep, .leads = leads};
  double sums[OFW_FOUND];
  ofw_task_aim(&t, v);
  t.next = expects ? &next : NULL;
  ofw_dense_forget(e);
  ofw_dense_stale(e);
  ofw_task_sums(&t, sums);
  if (t.next)
    ofw_dense_has_met(e, next, sums[1], leads ? &sums[2] : NULL);
  return e->y_unit * e->y_unit * sums[0];
}

void ofw_dense_step(ofw_engine *E, ofw_sum v, double sig, double curv)
{
  go(E, v, sig, 0, 0.0, curv);
}

double ofw_dense_step_both(ofw_engine *E, ofw_sum v, double sig, double keep, double curv)
{
  return go(E, v, sig, 1, keep, curv);
}
