/* device_search.c — passes over d, and the search for its top singular pair */
#include "body_narrow.h"
#include "device.h"

#include <math.h>
#include <string.h>

/* ---- passes ---- */

static ofw_search_args search_args(const ofw_cuda *c, double half, double rest)
{
  const ofw_krylov_room *s = &c->krylov;
  return (ofw_search_args){.d = c->array[OFW_ON_D],
                           .floats = c->floats,
                           .rows = c->rows,
                           .cols = c->cols,
                           .half = half,
                           .rest = rest,
                           .basis = s->basis,
                           .image = s->image,
                           .w = s->w,
                           .shares = s->shares,
                           .products = {s->products[0], s->products[1], s->products[2]},
                           .totals = s->totals,
                           .found = s->found,
                           .counter = c->counter,
                           .reply = c->reply,
                           .replies = OFW_REPLIES};
}

enum { NARROW_MOST = 128, NARROW_FROM = 1 << 16 /* numbers, as in the dense engine: fewer are searched in doubles */ };

/* Blocks of a narrow search; 0: there are none. A play that has the GPU alone is sooner done with all of its multiprocessors. How
 * many blocks they are does not depend on the machine. */
static uint32_t narrow_blocks(const ofw_cuda *c, int bits)
{
  uint32_t blocks =
      !c->m->shared || c->dim < NARROW_FROM ? 0 : ofw_narrow_blocks(c->rows, c->cols, bits == 32, NARROW_MOST);
  return blocks <= c->m->narrow ? blocks : 0;
}

/* Room for a search, when the first one begins. */
static int open_krylov(ofw_cuda *c)
{
  ofw_krylov_room *s = &c->krylov;
  const ofw_search_args k = search_args(c, 1.0, 1.0);
  uint32_t longer = ofw_most(c->rows, c->cols), bands = ofw_pass_bands(&k);
  uint32_t narrow = ofw_most(narrow_blocks(c, 16), narrow_blocks(c, 32)), with_shares = ofw_most(bands, narrow);
  uint32_t most = ofw_most(with_shares, ofw_ortho_blocks(&k));
  size_t padded = (size_t)c->cols + OFW_CHUNK;
  if (s->found)
    return !ofw_cuda_failed(c);
  s->basis = ofw_cuda_room(c, (OFW_CUDA_BASIS + 1) * (size_t)c->cols * sizeof(double));
  s->image = ofw_cuda_room(c, OFW_CUDA_BASIS * (size_t)c->rows * sizeof(double));
  s->spare = ofw_cuda_room(c, OFW_CUDA_BASIS * (size_t)longer * sizeof(double));
  s->w = ofw_cuda_room(c, padded * sizeof(double));
  s->shares = ofw_cuda_room(c, with_shares * padded * sizeof(double));
  for (int i = 0; i < 3; i++)
    s->products[i] = ofw_cuda_room(c, (size_t)most * OFW_STRIDE * sizeof(double));
  s->totals = ofw_cuda_room(c, OFW_STRIDE * sizeof(double));
  s->found = ofw_cuda_room(c, sizeof(double));
  return !ofw_cuda_failed(c);
}

void ofw_cuda_pass(ofw_cuda *c, int exponent, const double *v, double *u, double *w)
{
  double half, rest;
  double *there = ofw_cuda_upload(c, &c->right, c->cols, v), *image = ofw_cuda_need(c, &c->left, c->rows);
  ofw_cuda_halves(exponent, &half, &rest);
  if (there && image && open_krylov(c)) {
    ofw_machine *m = ofw_cuda_on(c);
    ofw_search_task k = {.of = search_args(c, half, rest)};
    k.of.basis = there;
    k.of.image = image;
    ofw_run_pass_body(m, ofw_pass_bands(&k.of), &k);
    ofw_run_add_shares(m, ofw_blocks_for(c->cols), &k.of);
    if (m->ops->fetch(m, u, image, c->rows * sizeof *u) && m->ops->fetch(m, w, k.of.w, c->cols * sizeof *w))
      return;
  }
  for (uint32_t i = 0; i < c->rows; i++)
    u[i] = (double)NAN;
  for (uint32_t j = 0; j < c->cols; j++)
    w[j] = (double)NAN;
}

/* ---- a search ---- */

static uint64_t ticket_of(const ofw_krylov_room *s, size_t k)
{
  return s->ticket + 1 + (k - s->first);
}

enum { STEPS_AHEAD = 2, STEPS_OF_A_KERNEL = 8 };

/* Up to which slot the machine may go while the numbers of slot k are waited for. Most searches take as many steps as the one
 * before: so many it does without waiting for this program's decisions. After those it is one step ahead, so that it works while
 * this program decides. If the machine is shared, each grant of a search in d is a kernel, before which all other searches have to
 * end: so it is for several steps. A step that was not needed is passed over. */
static uint32_t ahead(ofw_cuda *c, size_t k)
{
  ofw_krylov_room *s = &c->krylov;
  int by_kernels = c->m->shared && !s->bits;
  if (!by_kernels || k >= s->granted)
    s->granted = k < s->last ? s->last : k + (by_kernels ? STEPS_OF_A_KERNEL : STEPS_AHEAD);
  return (uint32_t)s->granted;
}

void ofw_cuda_narrow(const ofw_cuda *c, int bits, double *apart, double *grain)
{
  int there = narrow_blocks(c, bits) > 0;
  *apart = there ? (bits == 32 ? OFW_NARROW_APART2 : OFW_NARROW_APART) * sqrt((double)c->cols) : 0.0;
  *grain = there ? OFW_NARROW_GRAIN : 0.0;
}

static void start_search(ofw_cuda *c, size_t k, const ofw_rng_key *start)
{
  ofw_krylov_room *s = &c->krylov;
  ofw_machine *m = ofw_cuda_on(c);
  ofw_search_plan plan = {
      .of = search_args(c, s->half, s->rest),
      .first = {.slot = (uint32_t)k, .draw = start != NULL, .pending = !start && s->pending, .ticket = c->ticket + 1},
      .most = ofw_least(c->cols, OFW_CUDA_BASIS),
      .narrow = s->bits ? narrow_blocks(c, s->bits) : 0,
      .wide = s->bits == 32};
  if (start)
    plan.of.key = *start;
  s->granted = 0;
  m->ops->search(m, &plan, ahead(c, k));
  s->on = 1;
  s->first = k;
  s->ticket = plan.first.ticket;
  s->pending = 1;
  c->ticket = ticket_of(s, plan.most);
}

/* The next search begins with the next direction, and A is d but for the largest and least numbers. If it is another one that
 * is asked for, this one ends. */
void ofw_cuda_begin_early(ofw_cuda *c)
{
  ofw_krylov_room *s = &c->krylov;
  int likely = s->likely;
  s->likely = 0;
  if (!likely || s->on || ofw_cuda_failed(c))
    return;
  s->half = s->rest = 1.0;
  s->bits = s->usual_bits;
  s->key.round++;
  start_search(c, 0, &s->key);
  s->early = 1;
}

static int same_key(ofw_rng_key a, ofw_rng_key b)
{
  return a.seed == b.seed && a.purpose == b.purpose && a.round == b.round;
}

double ofw_cuda_begin(ofw_cuda *c, int bits, int exponent, size_t k, ofw_rng_key start)
{
  ofw_krylov_room *s = &c->krylov;
  double out[2];
  if (!open_krylov(c))
    return (double)NAN;
  int begun = s->early && exponent == 0 && k == 0 && bits == s->bits && same_key(s->key, start);
  if (s->early || !same_key(s->key, start))
    s->usual_bits = bits;
  s->bits = bits;
  s->next = k;
  s->composed = s->early = 0;
  s->likely = k == 0 && exponent == 0;
  s->key = start;
  ofw_cuda_halves(exponent, &s->half, &s->rest);
  if (!begun)
    start_search(c, k, &start);
  if (k == 0)
    return 1.0; /* the basis is empty */
  ofw_cuda_await(c, s->ticket, out);
  return out[1] / sqrt(out[0]);
}

/* Whether the numbers of slot k are there, after a search that has ended: it was ahead. */
static int known(const ofw_cuda *c, size_t k)
{
  uint64_t ticket = ticket_of(&c->krylov, k);
  return c->krylov.pending && c->reply[ticket % OFW_REPLIES].ticket == ticket;
}

double ofw_cuda_extend(ofw_cuda *c, size_t k, double *b)
{
  ofw_krylov_room *s = &c->krylov;
  double out[2] = {(double)NAN, (double)NAN};
  if (!ofw_cuda_failed(c)) {
    if (s->on)
      c->m->ops->grant(c->m, ahead(c, k));
    else if (!known(c, k))
      start_search(c, k, NULL);
    s->next = k + 1;
    ofw_cuda_await(c, ticket_of(s, k), out);
    if (s->bits && out[0] == OFW_NARROW_LEFT) { /* this program was late */
      start_search(c, k, NULL);
      ofw_cuda_await(c, ticket_of(s, k), out);
    }
  }
  *b = out[1];
  return out[0];
}

/* It is there already, but for a rotation since. */
void ofw_cuda_accept(ofw_cuda *c, size_t k)
{
  ofw_krylov_room *s = &c->krylov;
  if (s->next != k && !ofw_cuda_failed(c)) {
    ofw_machine *m = ofw_cuda_on(c);
    m->ops->copy(m, s->basis + k * c->cols, s->basis + s->next * c->cols, c->cols * sizeof *s->basis);
  }
  s->next = k;
}

/* v of the next slot is written while the basis is still the one that it is to be orthogonal to. */
static void settle(ofw_cuda *c)
{
  ofw_krylov_room *s = &c->krylov;
  const ofw_search_task k = {.of = search_args(c, s->half, s->rest),
                             .at = {.slot = (uint32_t)s->next, .pending = 1, .settle = 1}};
  if (s->pending)
    ofw_run_finish(ofw_cuda_on(c), ofw_ortho_blocks(&k.of), &k);
  s->pending = 0;
}

static void rotate_one(ofw_cuda *c, size_t k, size_t n, const double *y, uint32_t length, double *x)
{
  ofw_machine *m = ofw_cuda_on(c);
  ofw_rotate_args a = {.k = (uint32_t)k, .n = (uint32_t)n, .length = length, .x = x, .y = y, .out = c->krylov.spare};
  ofw_run_rotate(m, ofw_blocks_for(a.n * length), &a);
  m->ops->copy(m, x, a.out, n * length * sizeof *x);
}

void ofw_cuda_rotate(ofw_cuda *c, size_t k, size_t n, const double *y)
{
  const double *there = ofw_cuda_upload(c, &c->turn, k * n, y);
  if (!there || ofw_cuda_failed(c))
    return;
  settle(c);
  rotate_one(c, k, n, there, c->cols, c->krylov.basis);
  rotate_one(c, k, n, there, c->rows, c->krylov.image);
}

void ofw_cuda_compose(ofw_cuda *c, size_t k, const double *y, const double **u, const double **v)
{
  double none[2];
  uint32_t left = c->rows / OFW_THREADS + 1, right = c->cols / OFW_THREADS + 1;
  *u = c->seen_u;
  *v = c->seen_v;
  if (!c->krylov.composed)
    c->krylov.last = k;
  c->krylov.composed = 1;
  if (!ofw_cuda_failed(c)) {
    ofw_machine *m = ofw_cuda_on(c);
    ofw_pair_args a = {.k = (uint32_t)k,
                       .rows = c->rows,
                       .cols = c->cols,
                       .split = left,
                       .at_once = left + right <= OFW_PAIR_AT_ONCE,
                       .image = c->krylov.image,
                       .basis = c->krylov.basis,
                       .u = c->pair_u,
                       .v = c->pair_v,
                       .squares = c->krylov.spare,
                       .here_u = c->seen_u,
                       .here_v = c->seen_v,
                       .to = ofw_cuda_next_report(c)};
    memcpy(a.y, y, k * sizeof *y);
    ofw_run_compose(m, left + right, &a);
    if (!a.at_once)
      ofw_run_normalise(m, left + right, &a);
    ofw_cuda_segment_early(c);
    if (ofw_cuda_await(c, a.to.ticket, none))
      return;
  }
  for (uint32_t i = 0; i < c->rows; i++)
    c->seen_u[i] = (double)NAN;
  for (uint32_t j = 0; j < c->cols; j++)
    c->seen_v[j] = (double)NAN;
}
