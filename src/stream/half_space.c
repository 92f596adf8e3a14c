/* half_space.c — draws one half-space per round, dense or of rank one
 *
 * b_t takes whole blocks of four words, and the slack's draws follow it: no two of a round share a word.
 */
#include "stream/half_space.h"

#include "linalg/kernels.h"
#include "linalg/rng.h"
#include "vector/vec_arithmetic.h"

#include <math.h>

ofw_status ofw_half_space_open(ofw_half_space *h, ofw_stream *s, int rank_one, double G, double tight, ofw_error *err)
{
  const ofw_domain *K = s->K;
  *h = (ofw_half_space){.dim = K->dim, .G = G, .R = K->R, .tight = tight, .seed = s->seed};
  h->rows = rank_one ? K->rows : 0;
  h->cols = rank_one ? K->cols : 0;
  s->best = h->point = ofw_owned_doubles(&s->own, h->dim);
  h->b = ofw_owned_doubles(&s->own, rank_one ? h->rows + h->cols : h->dim);
  OFW_TRY(ofw_owned_check(&s->own, err));
  h->term = rank_one ? ofw_vec_rank_one(h->rows, h->cols, h->b, h->b + h->rows) : ofw_vec_dense(h->dim, h->b);
  h->term.scale = G;
  return OFW_OK;
}

static size_t whole_blocks(size_t draws)
{
  return (draws + 3) / 4 * 4;
}

/* Draws b and gives the position of the first draw that it left. */
static size_t draw(ofw_half_space *h, ofw_rng_key key)
{
  ofw_rng_direction(key, h->rows ? h->rows : h->dim, h->b);
  if (!h->rows)
    return whole_blocks(h->dim);
  double *q = h->b + h->rows;
  ofw_rng_normal(key, whole_blocks(h->rows), h->cols, q);
  double length = ofw_norm(h->cols, q);
  for (size_t i = 0; i < h->cols; i++)
    q[i] /= length;
  return whole_blocks(h->rows) + whole_blocks(h->cols);
}

ofw_status ofw_half_space_reveal(ofw_half_space *h, uint64_t t, const ofw_point *x, ofw_full *out)
{
  ofw_rng_key key = {h->seed, OFW_RNG_CONSTRAINT, t};
  double slack = 0.0, at_x, limit;
  size_t unused = draw(h, key);
  if (ofw_rng_unit(key, unused) >= h->tight)
    slack = h->G * h->R * ofw_rng_unit(key, unused + 1);
  h->gradient = (ofw_sum){1, &h->term};
  OFW_TRY(ofw_point_dot(x, h->gradient, &at_x));
  limit = ofw_sum_dot(h->gradient, h->point);
  if (h->also)
    limit = fmax(limit, ofw_sum_dot(h->gradient, h->also));
  h->value = at_x - limit - slack;
  ofw_full_constrain(out, &h->value, &h->gradient);
  return OFW_OK;
}
