/* watch.c — whether the losses of a block of rounds show that the world has changed; watch.h has the formulas */
#include "learner/watch.h"

#include "linalg/kernels.h"
#include "vector/vec_arithmetic.h"

#include <math.h>
#include <string.h>

enum { SHORTEST = 32, LEVELS = 16, TRIES = 12 };
static const double theta = 0.5;

/* A level's block: three sums, then F and A. */
typedef struct block {
  double *played, *squares, *offset; /* sum <grad f, x>, sum |grad f|^2, a */
  double *F, *A;
} block;

static block block_at(const ofw_learner *l, const ofw_watch *w, size_t level)
{
  double *at = w->kept + 1 + level * (3 + 2 * l->dim);
  return (block){at, at + 1, at + 2, at + 3, at + 3 + l->dim};
}

ofw_status ofw_watch_open(ofw_learner *l, ofw_watch *w)
{
  w->words = 1 + LEVELS * (3 + 2 * l->dim);
  w->kept = ofw_owned_doubles(&l->own, w->words);
  w->gradient = ofw_owned_doubles(&l->own, l->dim);
  return ofw_owned_check(&l->own, &l->err);
}

void ofw_watch_begin(ofw_watch *w)
{
  memset(w->kept, 0, w->words * sizeof *w->kept);
}

static ofw_status add_round(ofw_learner *l, ofw_watch *w, const ofw_round *now)
{
  const ofw_engine *E = l->engine;
  block b = block_at(l, w, 0);
  double at_x, length;
  ofw_sum_dense(now->fb->loss_gradient, l->dim, w->gradient);
  OFW_TRY(E->ops->view->dot(E, now->fb->loss_gradient, &at_x));
  *b.played += at_x;
  *b.squares += ofw_dot(l->dim, w->gradient, w->gradient);
  ofw_axpy(l->dim, 1.0, w->gradient, b.F);
  for (size_t i = now->first; i < now->last; i++) {
    ofw_sum gradient = now->fb->constraint_gradient[i];
    if (!((length = ofw_sum_norm(gradient)) > 1e-290))
      continue;
    OFW_TRY(E->ops->view->dot(E, gradient, &at_x));
    ofw_sum_add(gradient, 1.0 / length, 0, l->dim, b.A);
    *b.offset += (now->fb->values.constraint[i] - at_x) / length;
  }
  return OFW_OK;
}

/* A block becomes a part of the next larger one. */
static void merge(const ofw_learner *l, const ofw_watch *w, size_t level)
{
  block from = block_at(l, w, level), to = block_at(l, w, level + 1);
  ofw_axpy(3 + 2 * l->dim, 1.0, from.played, to.played);
  memset(from.played, 0, (3 + 2 * l->dim) * sizeof *from.played);
}

/* The regret's bound for this mu, and by how much the minimiser breaks the constraints. */
static ofw_status bound_at(ofw_learner *l, const ofw_watch *w, const block *b, double mu, double *regret,
                           double *broken)
{
  ofw_answer answer = {0};
  for (size_t i = 0; i < l->dim; i++)
    w->gradient[i] = b->F[i] + mu * b->A[i];
  ofw_direction d = ofw_direction_dense(
      l->K, w->gradient,
      (ofw_accuracy){isnan(l->common.oracle_tolerance) ? 1e-3 : l->common.oracle_tolerance, INFINITY, 0});
  OFW_TRY(l->K->ops->minimise(l->K, l->work, &d, &answer, &l->err));
  *regret = *b->played - (answer.value - answer.error) - mu * *b->offset;
  *broken = ofw_sum_dot(answer.atom, b->A) + *b->offset;
  return OFW_OK;
}

/* The bound is convex in mu, and its slope there is -broken: mu is doubled as long as that is above 0, and then halved in. */
static ofw_status shows_change(ofw_learner *l, const ofw_watch *w, const block *b, double rounds, int *changed)
{
  double most = theta * l->D * pow(rounds, 0.25) * sqrt(*b->squares), low = 0.0, high = INFINITY;
  double unit = ofw_norm(l->dim, b->F) / ofw_norm(l->dim, b->A), regret, broken;
  OFW_TRY(bound_at(l, w, b, 0.0, &regret, &broken));
  int helps = broken > 0.0 && isfinite(unit);
  for (int k = 0; regret > most && helps && k < TRIES; k++) {
    double mu = isinf(high) ? (low > 0.0 ? 2.0 * low : unit) : (low + high) / 2.0;
    OFW_TRY(bound_at(l, w, b, mu, &regret, &broken));
    *(broken > 0.0 ? &low : &high) = mu;
  }
  *changed = regret > most;
  return OFW_OK;
}

ofw_status ofw_watch_round(ofw_learner *l, ofw_watch *w, const ofw_round *now, int *changed)
{
  *changed = 0;
  OFW_TRY(add_round(l, w, now));
  double rounds = ++w->kept[0], size = SHORTEST;
  for (size_t level = 0; fmod(rounds, size) == 0.0 && !*changed; level++, size *= 2.0) {
    block b = block_at(l, w, level);
    OFW_TRY(shows_change(l, w, &b, size, changed));
    if (level + 1 == LEVELS) { /* longer than anybody waits for */
      memset(b.played, 0, (3 + 2 * l->dim) * sizeof *b.played);
      break;
    }
    merge(l, w, level);
  }
  return OFW_OK;
}
