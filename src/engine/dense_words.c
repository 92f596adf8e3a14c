/* dense_words.c — uniform draws that x meets: their words are kept, and the next round's are drawn when x is written
 *
 * A stream whose constraint is <P_t, x> asks for it first thing in round t, which reads all of x, and then for P_t itself. If two
 * rounds running have asked so, the step that ends a round draws the words of the next one and meets them with what it has just
 * written. Should another vec come, or none, that was for nothing, and nothing else has changed.
 */
#include "engine/dense.h"

static int follows(ofw_rng_key a, ofw_rng_key b)
{
  return a.seed == b.seed && a.purpose == b.purpose && a.round + 1 == b.round;
}

enum { DRAWN = 2048 }; /* words at a time, which stay in the first-level cache: a whole number of chunks */

double ofw_dense_words_dot(const ofw_dense *e, const ofw_kernels *kernels, const void *a, size_t from, size_t n,
                           double sum)
{
  for (size_t run; n > 0; from += run, n -= run) {
    run = ofw_least(n, OFW_CHUNK);
    sum += kernels->uniform_dot(run, e->kept->word + from, ofw_at(kernels, a, from));
  }
  return sum;
}

/* Blocks of this size are the same whether the words are drawn when x is read or when it is written, and so are the bits. */
static void meet_over(const ofw_task *t, size_t from, size_t to, double found[OFW_FOUND])
{
  for (size_t n; from < to; from += n) {
    n = ofw_least(to - from, t->e->near);
    if (t->next)
      ofw_rng_words(*t->next, from, n, t->e->kept->word + from);
    found[0] += ofw_dense_words_dot(t->e, t->e->kernels, t->e->x, from, n, 0.0);
  }
}

double ofw_dense_meet(const ofw_dense *e, const ofw_vec *v)
{
  ofw_kept *kept = e->kept;
  ofw_rng_key key = v->as.random.key;
  int has = ofw_dense_has_words(e, v);
  ofw_task t = {e, meet_over, .next = has ? NULL : &key};
  kept->in_turn = follows(kept->met, key);
  kept->due = 1;
  kept->met = key;
  if (has && kept->has_x)
    return kept->x_dot;
  kept->has_x = kept->has_y = 0;
  double sum = ofw_task_sum(&t, NULL);
  kept->words_of = key;
  kept->has_words = 1;
  return sum;
}

int ofw_dense_expects(const ofw_dense *e, ofw_rng_key *next)
{
  const ofw_kept *kept = e->kept;
  *next = kept->met;
  next->round++;
  return e->parts > 1 && kept->in_turn && kept->due;
}

void ofw_dense_meet_next(const ofw_task *t, size_t from, size_t n, double *x_dot, double *y_dot)
{
  const ofw_dense *e = t->e;
  double x = 0.0, y = 0.0;
  for (size_t run; n > 0; from += run, n -= run) {
    run = ofw_least(n, DRAWN);
    ofw_rng_words(*t->next, from, run, e->kept->word + from);
    x = ofw_dense_words_dot(e, e->kernels, e->x, from, run, x);
    if (t->leads)
      y = ofw_dense_words_dot(e, e->y_kernels, e->y, from, run, y);
  }
  *x_dot += x;
  *y_dot += e->y_unit * y;
}

void ofw_dense_has_met(const ofw_dense *e, ofw_rng_key next, double x_dot, const double *y_dot)
{
  ofw_kept *kept = e->kept;
  kept->words_of = next;
  kept->has_words = kept->has_x = 1;
  kept->has_y = y_dot != NULL;
  kept->x_dot = x_dot;
  kept->y_dot = y_dot ? *y_dot : 0.0;
}

void ofw_dense_forget(const ofw_dense *e)
{
  e->kept->due = e->kept->has_x = e->kept->has_y = 0;
}
