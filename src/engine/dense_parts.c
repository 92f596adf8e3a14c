/* dense_parts.c — the dense engine's arrays by parts, which threads share, and sums as they meet them
 *
 * Parts depend on the length alone, so that any number of threads finds the same bits.
 */
#include "engine/dense.h"

#include <string.h>

enum { EDGE = 64 }; /* parts begin at multiples of it, or of OFW_ROWS rows if there is a copy of d */

static size_t begin_of(const ofw_dense *e, size_t part)
{
  if (e->copy && part < e->parts)
    return e->direction.rows / OFW_ROWS * part / e->parts * OFW_ROWS * e->direction.cols;
  size_t edges = (e->base.dim + EDGE - 1) / EDGE;
  return ofw_least(edges * part / e->parts * EDGE, e->base.dim);
}

static void do_part(void *ctx, size_t part)
{
  const ofw_task *t = ctx;
  part = t->backward ? t->e->parts - 1 - part : part;
  double *found = t->found[part];
  memset(found, 0, OFW_FOUND * sizeof *found);
  t->over(t, begin_of(t->e, part), begin_of(t->e, part + 1), found);
}

/* A small array, which is one part. */
static void do_whole(ofw_task *t, double found[OFW_FOUND])
{
  for (size_t i = 0; i < OFW_FOUND; i++)
    found[i] = 0.0;
  t->backward = 0;
  t->over(t, 0, t->e->base.dim, found);
}

void ofw_task_run(ofw_task *t, double found[OFW_PARTS][OFW_FOUND])
{
  if (t->e->parts == 1) {
    do_whole(t, found[0]);
    return;
  }
  t->found = found;
  t->backward = t->e->kept->backward ^= 1;
  ofw_pool_run(t->e->pool, t->e->parts, do_part, t);
}

void ofw_task_sums(ofw_task *t, double sums[OFW_FOUND])
{
  double found[OFW_PARTS][OFW_FOUND];
  if (t->e->parts == 1) {
    do_whole(t, sums);
    return;
  }
  ofw_task_run(t, found);
  memcpy(sums, found[0], sizeof found[0]);
  for (size_t part = 1; part < t->e->parts; part++)
    for (size_t i = 0; i < OFW_FOUND; i++)
      sums[i] += found[part][i];
}

double ofw_task_sum(ofw_task *t, double *second)
{
  double sums[OFW_FOUND];
  ofw_task_sums(t, sums);
  if (second)
    *second = sums[1];
  return sums[0];
}

int ofw_dense_draws(const ofw_dense *e, const ofw_vec *v, ofw_dist dist)
{
  return v->kind == OFW_VEC_RANDOM && v->as.random.dist == dist && v->as.random.n == e->base.dim;
}

static int same_key(ofw_rng_key a, ofw_rng_key b)
{
  return a.seed == b.seed && a.purpose == b.purpose && a.round == b.round;
}

int ofw_dense_has_words(const ofw_dense *e, const ofw_vec *v)
{
  return ofw_dense_draws(e, v, OFW_UNIFORM) && e->kept->has_words && same_key(e->kept->words_of, v->as.random.key);
}

int ofw_dense_is_drawn(const ofw_dense *e, ofw_sum a)
{
  for (size_t k = 0; k < a.n; k++)
    if (a.term[k].kind == OFW_VEC_RANDOM && !ofw_dense_has_words(e, &a.term[k]))
      return 0;
  return 1;
}

int ofw_dense_has_normals(const ofw_dense *e, const ofw_vec *v)
{
  return ofw_dense_draws(e, v, OFW_NORMAL) && e->kept->has_normals && same_key(e->kept->normals_of, v->as.random.key);
}

void ofw_dense_add(const ofw_dense *e, const ofw_kernels *kernels, const ofw_vec *v, double c, size_t from, size_t n,
                   void *out)
{
  if (ofw_dense_has_words(e, v))
    kernels->uniform_axpy(n, c * v->scale, e->kept->word + from, out);
  else if (ofw_dense_has_normals(e, v))
    kernels->axpy(n, c * v->scale, e->kept->normal + from, out);
  else
    ofw_vec_add(kernels, v, c, from, n, out);
}

void ofw_dense_write(const ofw_dense *e, ofw_sum v, size_t from, size_t n, double *out)
{
  memset(out, 0, n * sizeof *out);
  for (size_t k = 0; k < v.n; k++)
    ofw_dense_add(e, ofw_kernels_chosen(), &v.term[k], 1.0, from, n, out);
}

/* One that is dense, or of rank one with rows as long as x's, need not be written out. */
void ofw_task_aim(ofw_task *t, ofw_sum atom)
{
  const ofw_dense *e = t->e;
  const ofw_vec *one = atom.term;
  int floats = ofw_dense_is_floats(e);
  t->sum = atom;
  if (atom.n != 1 || ofw_vec_extent(one) != e->base.dim)
    return;
  if (one->kind == OFW_VEC_DENSE && !floats)
    t->one = one;
  if (one->kind == OFW_VEC_RANK_ONE && (!floats || one->as.rank_one.cols == e->direction.cols)) {
    t->one = one;
    t->row = one->as.rank_one.v;
    if (floats) {
      e->kernels->write(e->direction.cols, t->row, e->row);
      t->row = e->row;
    }
  }
}

static ofw_multiple write_out(const ofw_task *t, size_t from, size_t to, ofw_chunk *room)
{
  size_t n = ofw_least(to - from, OFW_CHUNK);
  ofw_dense_write(t->e, t->sum, from, n, room->written);
  if (!ofw_dense_is_floats(t->e))
    return (ofw_multiple){n, 1.0, room->written};
  t->e->kernels->write(n, room->written, room->narrow);
  return (ofw_multiple){n, 1.0, room->narrow};
}

ofw_multiple ofw_task_multiple(const ofw_task *t, size_t from, size_t to, ofw_chunk *room)
{
  const ofw_vec *one = t->one;
  if (!one)
    return write_out(t, from, to, room);
  if (one->kind == OFW_VEC_DENSE)
    return (ofw_multiple){to - from, one->scale, one->as.dense.value + from};
  size_t cols = one->as.rank_one.cols, row = from / cols, col = from % cols;
  return (ofw_multiple){ofw_least(cols - col, to - from), one->scale * one->as.rank_one.u[row],
                        ofw_at(t->e->kernels, t->row, col)};
}
