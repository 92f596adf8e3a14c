/* late_state.c — feedback that is held back, as words of a state and back
 *
 *     how many, and for each    round  due  loss  constraints  their values  the loss's gradient  those of the constraints
 *     a gradient                terms, and for each            kind  scale  offset  and by its kind:
 *         dense                 n  numbers
 *         sparse                n  indices  numbers
 *         of rank one           rows  cols  numbers of both factors
 *         random                n  seed  purpose  round  distribution
 */
#include "run/late.h"

#include "base/basics.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(size_t) == sizeof(uint64_t), "an index is saved as it is");

/* ---- to words ---- */

/* Where the next word goes; without memory words are only counted. */
typedef struct tape {
  uint64_t *to;
  size_t used;
} tape;

static void put(tape *t, const void *from, size_t n)
{
  if (t->to && n)
    memcpy(t->to + t->used, from, n * sizeof *t->to);
  t->used += n;
}

static void put_count(tape *t, uint64_t n)
{
  put(t, &n, 1);
}

static void put_vec(tape *t, const ofw_vec *v)
{
  put_count(t, v->kind);
  put(t, &v->scale, 1);
  put_count(t, v->offset);
  switch (v->kind) {
  case OFW_VEC_DENSE:
    put_count(t, v->as.dense.n);
    put(t, v->as.dense.value, v->as.dense.n);
    break;
  case OFW_VEC_SPARSE:
    put_count(t, v->as.sparse.nnz);
    put(t, v->as.sparse.index, v->as.sparse.nnz);
    put(t, v->as.sparse.value, v->as.sparse.nnz);
    break;
  case OFW_VEC_RANK_ONE:
    put_count(t, v->as.rank_one.rows);
    put_count(t, v->as.rank_one.cols);
    put(t, v->as.rank_one.u, v->as.rank_one.rows);
    put(t, v->as.rank_one.v, v->as.rank_one.cols);
    break;
  case OFW_VEC_RANDOM:
    put_count(t, v->as.random.n);
    put_count(t, v->as.random.key.seed);
    put_count(t, v->as.random.key.purpose);
    put_count(t, v->as.random.key.round);
    put_count(t, v->as.random.dist);
    break;
  }
}

static void put_sum(tape *t, ofw_sum sum)
{
  put_count(t, sum.n);
  for (size_t i = 0; i < sum.n; i++)
    put_vec(t, &sum.term[i]);
}

static void put_held(tape *t, const ofw_held *h)
{
  const ofw_values *values = &h->full.values;
  put_count(t, h->round);
  put_count(t, h->due);
  put(t, &values->loss, 1);
  put_count(t, values->constraints);
  put(t, values->constraint, values->constraints);
  put_sum(t, h->full.loss_gradient);
  for (size_t i = 0; i < values->constraints; i++)
    put_sum(t, h->full.constraint_gradient[i]);
}

static void put_late(tape *t, const ofw_late *late)
{
  uint64_t count = 0;
  for (size_t k = 0; k < late->most; k++)
    count += late->held[k].memory != NULL;
  put_count(t, count);
  for (size_t k = 0; k < late->most; k++)
    if (late->held[k].memory)
      put_held(t, &late->held[k]);
}

/* ---- from words ---- */

/* Words that are read one after the other, and room for what points to them: a term takes four words or more, a sum one. */
typedef struct reel {
  const uint64_t *at, *end;
  int damaged;
  ofw_vec *vec;
  ofw_sum *sum;
} reel;

/* So many words, which stay where they are; if there are fewer, it is damaged. */
static const void *take(reel *r, uint64_t n)
{
  const uint64_t *at = r->at;
  r->damaged |= n > (uint64_t)(r->end - r->at);
  r->at += r->damaged ? 0 : n;
  return at;
}

static uint64_t take_count(reel *r)
{
  const uint64_t *word = take(r, 1);
  return r->damaged ? 0 : *word;
}

static double take_number(reel *r)
{
  uint64_t word = take_count(r);
  double x;
  memcpy(&x, &word, sizeof x);
  return x;
}

static ofw_vec take_random(reel *r)
{
  uint64_t n = take_count(r);
  ofw_rng_key key = {.seed = take_count(r), .purpose = (uint32_t)take_count(r)};
  key.round = take_count(r);
  return ofw_vec_random(n, key, take_count(r) == OFW_UNIFORM ? OFW_UNIFORM : OFW_NORMAL);
}

static ofw_vec take_vec(reel *r)
{
  ofw_vec v = {0};
  uint64_t kind = take_count(r), n, cols;
  double scale = take_number(r);
  uint64_t offset = take_count(r);
  const void *first;
  switch (kind) {
  case OFW_VEC_DENSE:
    n = take_count(r);
    v = ofw_vec_dense(n, take(r, n));
    break;
  case OFW_VEC_SPARSE:
    n = take_count(r);
    first = take(r, n);
    v = ofw_vec_sparse(n, first, take(r, n));
    break;
  case OFW_VEC_RANK_ONE:
    n = take_count(r);
    cols = take_count(r);
    first = take(r, n);
    v = ofw_vec_rank_one(n, cols, first, take(r, cols));
    break;
  case OFW_VEC_RANDOM:
    v = take_random(r);
    break;
  default:
    r->damaged = 1;
  }
  v.scale = scale;
  v.offset = offset;
  return v;
}

static ofw_sum take_sum(reel *r)
{
  ofw_sum sum = {take_count(r), r->vec};
  for (size_t i = 0; i < sum.n && !r->damaged; i++)
    *r->vec++ = take_vec(r);
  return sum;
}

/* One that was held back, copied to a place of its own. */
static ofw_status take_held(reel *r, ofw_late *late, ofw_error *err)
{
  ofw_full full = {0};
  uint64_t round = take_count(r), due = take_count(r);
  full.values.loss = take_number(r);
  full.values.constraints = take_count(r);
  full.values.constraint = take(r, full.values.constraints);
  full.loss_gradient = take_sum(r);
  full.constraint_gradient = r->sum;
  for (size_t i = 0; i < full.values.constraints && !r->damaged; i++)
    *r->sum++ = take_sum(r);
  return r->damaged ? OFW_BAD_DATA : ofw_late_hold(late, round, due, &full, err);
}

static ofw_status take_late(reel *r, ofw_late *late, ofw_error *err)
{
  uint64_t count = take_count(r);
  ofw_status st = count <= late->most ? OFW_OK : OFW_BAD_DATA;
  for (uint64_t k = 0; k < count && st == OFW_OK; k++)
    st = take_held(r, late, err);
  if (st == OFW_OK && (r->damaged || r->at != r->end))
    st = OFW_BAD_DATA;
  return st == OFW_BAD_DATA ? ofw_fail(err, st, "the state's feedback that is held back is damaged") : st;
}

/* ---- the walk ---- */

static size_t size(const void *object)
{
  tape t = {0};
  put_late(&t, object);
  return t.used;
}

static void save(const void *object, void *words)
{
  tape t = {words, 0};
  put_late(&t, object);
}

/* Reads all of it, beside what is held now. */
static ofw_status check(void *object, const void *words, size_t n, ofw_error *err)
{
  ofw_late *late = object, fresh;
  uint64_t *copy = malloc((n + 1) * sizeof *copy);
  reel r = {copy, copy ? copy + n : NULL, 0, malloc((n / 4 + 1) * sizeof *r.vec), malloc((n + 1) * sizeof *r.sum)};
  ofw_vec *vec = r.vec;
  ofw_sum *sum = r.sum;
  ofw_status st = ofw_late_open(&fresh, late->most, err);
  if (st == OFW_OK && (!copy || !vec || !sum))
    st = ofw_fail_memory(err, n * sizeof *copy);
  if (st == OFW_OK) {
    memcpy(copy, words, n * sizeof *copy);
    st = take_late(&r, &fresh, err);
  }
  free(copy);
  free(vec);
  free(sum);
  if (st != OFW_OK) {
    ofw_late_close(&fresh);
    return st;
  }
  ofw_late_forget(late);
  late->checked = fresh.held;
  return OFW_OK;
}

static void load(void *object, const void *words)
{
  ofw_late *late = object;
  ofw_held *held = late->checked;
  (void)words;
  late->checked = late->held;
  late->held = held;
  ofw_late_forget(late);
}

ofw_status ofw_late_visit(ofw_late *late, ofw_visitor *v)
{
  const ofw_packed item = {late, size, save, check, load};
  return v->packed(v->ctx, "held_back", &item);
}
