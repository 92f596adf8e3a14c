/* first_decision.c — x_1: where play starts, and what methods that regularise towards it pull back to
 *
 *     start=zero     where the engine opens: the origin, or the set's centre
 *     start=vertex   LMO(d) for a random direction d, of which the engine holds nothing afterwards
 *
 * d is dim normal draws. For sets of matrices about 0 whose oracle reads products with d alone, which may be too large to
 * write down, it is g h', with g and h normal draws. Such a set is alike in all directions, so that each of its vertices
 * is as likely as any other either way.
 *
 * The oracle answers in a workspace that is closed again: no call is counted, and the play's own workspace is as it is
 * with start=zero.
 */
#include "learner/method.h"

#include "linalg/rng.h"
#include "vector/vec_arithmetic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How far from the least <d, v> may be, relative to it: so near that an iterative oracle means the same vertex always. */
#define ACCURACY 1e-9

ofw_sum ofw_first_decision(const ofw_learner *l, ofw_vec *room)
{
  if (!l->anchor)
    return l->from_centre ? ofw_domain_centre_sum(l->K, room) : (ofw_sum){0, NULL};
  size_t rows = l->K->rows, cols = l->K->cols;
  *room = ofw_vec_dense(l->dim, l->anchor);
  if (l->common.storage == OFW_STORE_FACTORED) {
    *room = ofw_vec_rank_one(rows, cols, l->anchor, l->anchor + rows);
    room->scale = l->anchor[rows + cols];
  }
  return (ofw_sum){1, room};
}

/* The engine's d becomes the random direction. */
static ofw_status set_direction(ofw_learner *l)
{
  const ofw_domain *K = l->K;
  ofw_rng_key key = {l->seed, OFW_RNG_START, 0};
  ofw_vec d = ofw_vec_random(l->dim, key, OFW_NORMAL);
  double *g = NULL;
  if (K->passes_only && !K->centre) {
    g = ofw_doubles_unset(K->rows + K->cols);
    if (!g)
      return ofw_fail_memory(&l->err, (K->rows + K->cols) * sizeof *g);
    ofw_rng_normal(key, K->split ? K->split->first : 0, K->rows, g);
    ofw_rng_normal(key, K->split ? K->split->rows : K->rows, K->cols, g + K->rows);
    d = ofw_vec_rank_one(K->rows, K->cols, g, g + K->rows);
  }
  l->engine->ops->pull(l->engine, 1.0, 0.0, 1.0, (ofw_sum){1, &d});
  free(g);
  return OFW_OK;
}

/* Of x = c u v' in factors u, v and c are kept, else all of it. */
static ofw_status keep_anchor(ofw_learner *l, ofw_sum v)
{
  const ofw_domain *K = l->K;
  int factored = l->common.storage == OFW_STORE_FACTORED;
  l->anchor_words = factored ? K->rows + K->cols + 1 : l->dim;
  l->anchor = ofw_owned_doubles(&l->own, l->anchor_words);
  OFW_TRY(ofw_owned_check(&l->own, &l->err));
  if (!factored)
    return l->engine->ops->view->dense(l->engine, l->anchor);
  memcpy(l->anchor, v.term->as.rank_one.u, K->rows * sizeof *l->anchor);
  memcpy(l->anchor + K->rows, v.term->as.rank_one.v, K->cols * sizeof *l->anchor);
  l->anchor[K->rows + K->cols] = v.term->scale;
  return OFW_OK;
}

/* x = v, d = 0; v itself if x can be written, since x + (v - x) is rounded. */
static ofw_status move_to(ofw_learner *l, ofw_sum v)
{
  ofw_engine *E = l->engine;
  if (!E->ops->restart) {
    E->ops->step(E, v, 1.0, 0.0);
    E->ops->pull(E, 0.0, 0.0, 0.0, (ofw_sum){0, NULL});
    return OFW_OK;
  }
  double *x = ofw_doubles_unset(l->dim);
  if (!x)
    return ofw_fail_memory(&l->err, l->dim * sizeof *x);
  ofw_sum_dense(v, l->dim, x);
  E->ops->restart(E, x);
  free(x);
  return OFW_OK;
}

static ofw_status ask(ofw_learner *l, void *work)
{
  ofw_answer answer = {0};
  OFW_TRY(set_direction(l));
  const ofw_direction *random = l->engine->ops->direction(l->engine);
  if (!random)
    return ofw_fail(&l->err, OFW_NUMERICAL, "%s: start=vertex: the random direction is 0", l->method->type.name);
  ofw_direction d = *random;
  d.wanted = (ofw_accuracy){ACCURACY, INFINITY, 0};
  OFW_TRY(l->K->ops->minimise(l->K, work, &d, &answer, &l->err));
  OFW_TRY(move_to(l, answer.atom));
  return l->returns ? keep_anchor(l, answer.atom) : OFW_OK;
}

ofw_status ofw_learner_begin(ofw_learner *l)
{
  if (l->common.start == OFW_START_VERTEX) {
    void *work = NULL;
    ofw_status st = l->K->ops->open(l->K, l->seed, &work, &l->err);
    if (st == OFW_OK)
      st = ask(l, work);
    if (work)
      l->K->ops->close(work);
    OFW_TRY(st);
  }
  return l->vertex ? l->engine->ops->view->dense(l->engine, l->vertex) : OFW_OK;
}
