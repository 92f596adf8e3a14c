/* device.c — libofw-cuda.so: the engine's operations on a machine (machine.h), as the table of engine/cuda_table.h
 *
 * Work is queued; only what returns numbers waits, for the reply that its last kernel writes into memory that both sides see.
 */
#include "engine/cuda_table.h"
#include "machine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPLIES = 256, SUM_A = OFW_ON_E, SUM_B, ARRAYS, STAGE = 1 << 16 };

/* Memory of the machine that grows. */
typedef struct buffer {
  double *at;
  size_t room;
} buffer;

/* The vectors of a search. */
typedef struct krylov {
  double *basis, *image; /* v_j, one more than there is room for; A v_j */
  double *spare;         /* for a rotation */
  double *w, *products[2], *found;
  double half, rest; /* A = half rest d */
  int on;            /* the machine searches, and waits for grants */
  size_t first;      /* the slot that it began with */
  uint64_t ticket;   /* of its first reply */
  size_t next;       /* the slot that holds w / b */
  size_t last;       /* how many slots the last search took */
} krylov;

struct ofw_cuda {
  ofw_machine *m;
  uint32_t rows, cols, dim, quads;
  double *array[ARRAYS]; /* x, d, y, and two sums that are written out; NULL: not needed so far */
  int lost;              /* memory was not to be had: what fails of it is NaN */
  char why[OFW_CUDA_TEXT];
  buffer value, left, right; /* of a term: all of it, with zeros behind, or its factors */
  buffer turn;               /* of a rotation */
  double *pair_u, *pair_v;   /* the last pair that a search has found */
  double *seen_u, *seen_v;   /* the same, here */
  double *shares, *squares;  /* of a pass, one per band */
  krylov krylov;
  /* replies */
  double *parts;
  uint32_t *counter;
  ofw_reply *reply;
  uint64_t ticket;
  /* what kernels are to read of this program's, until they have */
  char *stage;
  size_t staged, stage_room;
};

static size_t bytes_of(const ofw_cuda *c)
{
  return 4 * (size_t)c->quads * sizeof(double);
}

static uint32_t least(uint32_t a, uint32_t b)
{
  return a < b ? a : b;
}

/* A thread per item, and one block at least; of those that add up what they find, not too many. */
static uint32_t blocks_for(uint32_t items)
{
  return items == 0 ? 1 : items / OFW_THREADS + (items % OFW_THREADS > 0);
}

static uint32_t few_blocks_for(uint32_t items)
{
  return least(blocks_for(items), OFW_BLOCKS);
}

/* The machine, for anything but a search: one that is on ends. */
static ofw_machine *on(ofw_cuda *c)
{
  if (c->krylov.on)
    ofw_machine_grant(c->m, 0);
  c->krylov.on = 0;
  return c->m;
}

/* ---- memory ---- */

static void lose(ofw_cuda *c, size_t bytes)
{
  if (!c->lost)
    snprintf(c->why, sizeof c->why, "the GPU has no %zu bytes left", bytes);
  c->lost = 1;
}

static const char *failed(const ofw_cuda *c)
{
  return c->lost ? c->why : ofw_machine_failed(c->m);
}

static void *room_for(ofw_cuda *c, size_t bytes)
{
  void *room = c->lost ? NULL : ofw_machine_room(on(c), bytes);
  if (!room)
    lose(c, bytes);
  return room;
}

/* x, d, y or a sum: opened when it is first needed. */
static double *array(ofw_cuda *c, int which)
{
  if (!c->array[which])
    c->array[which] = room_for(c, bytes_of(c));
  return c->array[which];
}

/* Room for n numbers, what was there being lost; a multiple of 4, since quads are read. */
static double *need(ofw_cuda *c, buffer *b, size_t n)
{
  if (n > b->room) {
    ofw_machine_drop(on(c), b->at);
    b->room = (n + 3) / 4 * 4;
    b->at = room_for(c, b->room * sizeof *b->at);
    if (!b->at)
      b->room = 0;
  }
  return b->at;
}

/* Room that a kernel can read, until the next wait. NULL: none. */
static void *stage(ofw_cuda *c, size_t bytes)
{
  bytes = (bytes + 15) / 16 * 16;
  if (c->staged + bytes > c->stage_room) {
    ofw_machine_wait(on(c));
    c->staged = 0;
  }
  if (bytes > c->stage_room) {
    ofw_machine_drop_seen(on(c), c->stage);
    c->stage_room = 2 * bytes;
    c->stage = ofw_machine_seen(on(c), c->stage_room);
    if (!c->stage) {
      c->stage_room = 0;
      lose(c, 2 * bytes);
      return NULL;
    }
  }
  void *at = c->stage + c->staged;
  c->staged += bytes;
  return at;
}

/* n numbers and their places, which kernels can read until the next wait. */
typedef struct pairs {
  double *value;
  uint32_t *index;
} pairs;

/* Those of a sparse vector; value NULL: room for them alone. 0: there is none. */
static int stage_pairs(ofw_cuda *c, size_t n, const size_t *index, size_t offset, const double *value, pairs *out)
{
  char *at = stage(c, n * (sizeof *out->value + sizeof *out->index) + 1);
  if (!at)
    return 0;
  out->value = (double *)(void *)at;
  out->index = (uint32_t *)(void *)(at + n * sizeof *out->value);
  for (size_t k = 0; k < n; k++)
    out->index[k] = (uint32_t)(index[k] + offset);
  if (value && n > 0)
    memcpy(out->value, value, n * sizeof *value);
  return 1;
}

/* ---- replies ---- */

static ofw_reply *reply_of(const ofw_cuda *c, uint64_t ticket)
{
  return &c->reply[ticket % REPLIES];
}

static ofw_report next_report(ofw_cuda *c)
{
  c->ticket++;
  return (ofw_report){.parts = c->parts, .counter = c->counter, .reply = reply_of(c, c->ticket), .ticket = c->ticket};
}

/* The two numbers of that ticket. If it is the last one, all that was queued is done. */
static int await(ofw_cuda *c, uint64_t ticket, double out[2])
{
  const ofw_reply *reply = reply_of(c, ticket);
  if (failed(c) || !ofw_machine_await(c->m, reply, ticket)) {
    out[0] = out[1] = (double)NAN;
    return 0;
  }
  out[0] = reply->value[0];
  out[1] = reply->value[1];
  if (ticket == c->ticket)
    c->staged = 0;
  return 1;
}

/* ---- terms and sums ---- */

static const double *upload(ofw_cuda *c, buffer *b, size_t n, const double *value)
{
  double *to = need(c, b, n);
  if (to)
    ofw_machine_copy(on(c), to, value, n * sizeof *to);
  return to;
}

/* A term that is not sparse; what it is made of goes to the machine, if it is not there: it is valid until the next. */
static int make_term(ofw_cuda *c, const ofw_vec *v, ofw_term *t)
{
  *t = (ofw_term){.offset = (uint32_t)v->offset, .scale = v->scale};
  if (v->kind == OFW_VEC_DENSE) {
    t->kind = OFW_TERM_ARRAY;
    t->n = (uint32_t)v->as.dense.n;
    t->value = upload(c, &c->value, v->as.dense.n, v->as.dense.value);
    return t->value != NULL;
  }
  if (v->kind == OFW_VEC_RANDOM) {
    t->kind = v->as.random.dist == OFW_NORMAL ? OFW_TERM_NORMAL : OFW_TERM_UNIFORM;
    t->n = (uint32_t)v->as.random.n;
    t->key = v->as.random.key;
    return 1;
  }
  int found = v->as.rank_one.u == c->seen_u && v->as.rank_one.v == c->seen_v;
  t->kind = OFW_TERM_RANK_ONE;
  t->n = (uint32_t)(v->as.rank_one.rows * v->as.rank_one.cols);
  t->cols = (uint32_t)v->as.rank_one.cols;
  t->u = found ? c->pair_u : upload(c, &c->left, v->as.rank_one.rows, v->as.rank_one.u);
  t->v = found ? c->pair_v : upload(c, &c->right, v->as.rank_one.cols, v->as.rank_one.v);
  return t->u && t->v;
}

/* y += factor v */
static void add_to(ofw_cuda *c, double factor, const ofw_vec *v, double *y)
{
  if (v->kind != OFW_VEC_SPARSE) {
    ofw_add_args k = {.c = factor, .y = y, .quads = c->quads};
    if (make_term(c, v, &k.v) && !failed(c))
      ofw_run_add(on(c), blocks_for(c->quads), &k);
    return;
  }
  pairs p;
  if (failed(c) || !stage_pairs(c, v->as.sparse.nnz, v->as.sparse.index, v->offset, v->as.sparse.value, &p))
    return;
  ofw_add_sparse_args k = {
      .c = factor * v->scale, .n = (uint32_t)v->as.sparse.nnz, .index = p.index, .value = p.value, .y = y};
  ofw_run_add_sparse(on(c), blocks_for(k.n), &k);
}

/* Whether a kernel that goes over the matrix takes this term as it is. */
static int is_plain(const ofw_cuda *c, const ofw_vec *v, int draws)
{
  if (v->offset != 0)
    return 0;
  if (v->kind == OFW_VEC_RANDOM)
    return draws && v->as.random.dist == OFW_UNIFORM && v->as.random.n == c->dim;
  if (v->kind == OFW_VEC_RANK_ONE)
    return v->as.rank_one.rows * v->as.rank_one.cols == c->dim;
  return v->kind == OFW_VEC_DENSE && v->as.dense.n == c->dim;
}

/* A sum as one term: it is one already, or it is written out. */
static int make_sum(ofw_cuda *c, ofw_sum v, int room, int draws, ofw_term *t)
{
  if (v.n == 1 && is_plain(c, v.term, draws))
    return make_term(c, v.term, t);
  *t = (ofw_term){.kind = OFW_TERM_ARRAY, .scale = 1.0};
  if (v.n == 0)
    return 1;
  double *out = array(c, room);
  if (!out)
    return 0;
  ofw_machine_clear(on(c), out, bytes_of(c));
  for (size_t k = 0; k < v.n; k++)
    add_to(c, 1.0, &v.term[k], out);
  t->n = c->dim;
  t->value = out;
  return !failed(c);
}

/* ---- the engine's operations ---- */

static void clear(ofw_cuda *c, ofw_on what)
{
  if (c->array[what])
    ofw_machine_clear(on(c), c->array[what], bytes_of(c));
}

static void blend(ofw_cuda *c, double a, double b)
{
  ofw_blend_args k = {.a = a, .b = b, .d = c->array[OFW_ON_D], .x = c->array[OFW_ON_X], .quads = c->quads};
  ofw_run_blend(on(c), blocks_for(c->quads), &k);
}

static void add(ofw_cuda *c, double factor, const ofw_vec *v)
{
  add_to(c, factor, v, c->array[OFW_ON_D]);
}

static void segment(ofw_cuda *c, ofw_sum v, double *slope, double *length2)
{
  double out[2] = {(double)NAN, (double)NAN};
  ofw_segment_args k = {.x = c->array[OFW_ON_X], .d = c->array[OFW_ON_D], .quads = c->quads};
  if (make_sum(c, v, SUM_A, 0, &k.v)) {
    k.to = next_report(c);
    ofw_run_segment(on(c), few_blocks_for(c->quads), &k);
    await(c, k.to.ticket, out);
  }
  *slope = out[0];
  *length2 = out[1];
}

static void step(ofw_cuda *c, ofw_sum v, double sig, double curv)
{
  ofw_step_args k = {.sig = sig, .curv = curv, .x = c->array[OFW_ON_X], .d = c->array[OFW_ON_D], .quads = c->quads};
  if (make_sum(c, v, SUM_A, 0, &k.v))
    ofw_run_step(on(c), blocks_for(c->quads), &k);
}

static double lead(ofw_cuda *c, ofw_sum v, double sig, double keep)
{
  double out[2] = {(double)NAN, 0.0};
  ofw_lead_args k = {.sig = sig, .keep = keep, .x = c->array[OFW_ON_X], .y = c->array[OFW_ON_Y], .quads = c->quads};
  if (make_sum(c, v, SUM_A, 0, &k.v)) {
    k.to = next_report(c);
    ofw_run_lead(on(c), few_blocks_for(c->quads), &k);
    await(c, k.to.ticket, out);
  }
  return out[0];
}

static double dot_array(ofw_cuda *c, const double *x, const ofw_term *v)
{
  double out[2];
  ofw_dot_args k = {.v = *v, .x = x, .quads = c->quads, .to = next_report(c)};
  ofw_run_dot_term(on(c), few_blocks_for(c->quads), &k);
  await(c, k.to.ticket, out);
  return out[0];
}

static double dot_sparse(ofw_cuda *c, const double *x, const ofw_vec *v)
{
  double out[2];
  pairs p;
  if (!stage_pairs(c, v->as.sparse.nnz, v->as.sparse.index, v->offset, v->as.sparse.value, &p))
    return (double)NAN;
  ofw_dot_sparse_args k = {
      .n = (uint32_t)v->as.sparse.nnz, .index = p.index, .value = p.value, .x = x, .to = next_report(c)};
  ofw_run_dot_sparse(on(c), few_blocks_for(k.n), &k);
  await(c, k.to.ticket, out);
  return v->scale * out[0];
}

static double dot(ofw_cuda *c, ofw_on with, const ofw_vec *v)
{
  ofw_term t;
  const double *x = c->array[with];
  if (v->kind == OFW_VEC_SPARSE)
    return dot_sparse(c, x, v);
  return make_sum(c, (ofw_sum){1, v}, SUM_A, 1, &t) ? dot_array(c, x, &t) : (double)NAN;
}

static double inner(ofw_cuda *c, ofw_sum a, ofw_sum b)
{
  ofw_term t;
  double *written = array(c, SUM_B);
  if (!written)
    return (double)NAN;
  ofw_machine_clear(on(c), written, bytes_of(c));
  for (size_t k = 0; k < a.n; k++)
    add_to(c, 1.0, &a.term[k], written);
  return make_sum(c, b, SUM_A, 1, &t) ? dot_array(c, written, &t) : (double)NAN;
}

/* 2^-exponent as a product of two numbers that are doubles for every exponent that a double has. */
static void halves(int exponent, double *half, double *rest)
{
  *half = ldexp(1.0, -(exponent / 2));
  *rest = ldexp(1.0, -(exponent - exponent / 2));
}

static void measure(ofw_cuda *c, ofw_on what, int exponent, double *largest, double *square)
{
  double out[2];
  ofw_measure_args k = {.a = what == OFW_ON_E ? c->array[OFW_ON_X] : c->array[what],
                        .b = what == OFW_ON_E ? c->array[OFW_ON_D] : NULL,
                        .quads = c->quads,
                        .to = next_report(c)};
  k.to.largest = 1;
  halves(exponent, &k.half, &k.rest);
  ofw_run_measure(on(c), few_blocks_for(c->quads), &k);
  await(c, k.to.ticket, out);
  *largest = out[0];
  *square = out[1];
}

/* ---- to here and from here ---- */

static int read_array(ofw_cuda *c, ofw_on from, size_t first, size_t n, double *out)
{
  ofw_machine_copy(on(c), out, c->array[from] + first, n * sizeof *out);
  return ofw_machine_wait(on(c)) && !failed(c);
}

static int write_array(ofw_cuda *c, ofw_on to, const double *in)
{
  ofw_machine_copy(on(c), c->array[to], in, c->dim * sizeof *in);
  return ofw_machine_wait(on(c)) && !failed(c);
}

static int entries(ofw_cuda *c, const ofw_vec *probe, size_t n, const size_t *index, double *out)
{
  double none[2];
  pairs p;
  ofw_term drawn = {0};
  if (!stage_pairs(c, n, index, 0, NULL, &p) || (probe && !make_term(c, probe, &drawn)))
    return 0;
  ofw_gather_args k = {.n = (uint32_t)n,
                       .index = p.index,
                       .x = c->array[OFW_ON_X],
                       .probe = drawn,
                       .out = p.value,
                       .to = next_report(c)};
  ofw_run_gather(on(c), few_blocks_for(k.n), &k);
  if (!await(c, k.to.ticket, none))
    return 0;
  if (n > 0)
    memcpy(out, p.value, n * sizeof *out);
  return 1;
}

static int keep_y(ofw_cuda *c)
{
  return array(c, OFW_ON_Y) != NULL;
}

/* ---- passes ---- */

static ofw_pass_args pass_args(const ofw_cuda *c, double half, double rest)
{
  return (ofw_pass_args){.d = c->array[OFW_ON_D],
                         .rows = c->rows,
                         .cols = c->cols,
                         .half = half,
                         .rest = rest,
                         .shares = c->shares,
                         .squares = c->squares};
}

static ofw_ortho_args ortho_args(const ofw_cuda *c)
{
  const krylov *s = &c->krylov;
  return (ofw_ortho_args){.cols = c->cols,
                          .basis = s->basis,
                          .w = s->w,
                          .products = {s->products[0], s->products[1]},
                          .shares = c->shares,
                          .found = s->found};
}

/* Room for a search, when the first one begins. */
static int open_krylov(ofw_cuda *c)
{
  krylov *s = &c->krylov;
  const ofw_ortho_args k = ortho_args(c);
  size_t longer = c->rows > c->cols ? c->rows : c->cols, products = (size_t)OFW_STRIDE * ofw_ortho_blocks(&k);
  if (s->found)
    return !failed(c);
  s->basis = room_for(c, (OFW_CUDA_BASIS + 1) * (size_t)c->cols * sizeof(double));
  s->image = room_for(c, OFW_CUDA_BASIS * (size_t)c->rows * sizeof(double));
  s->spare = room_for(c, OFW_CUDA_BASIS * longer * sizeof(double));
  s->w = room_for(c, c->cols * sizeof(double));
  s->products[0] = room_for(c, products * sizeof(double));
  s->products[1] = room_for(c, products * sizeof(double));
  s->found = room_for(c, 2 * sizeof(double));
  return !failed(c);
}

static void pass(ofw_cuda *c, int exponent, const double *v, double *u, double *w)
{
  double half, rest;
  const double *there = upload(c, &c->right, c->cols, v);
  double *image = need(c, &c->left, c->rows);
  halves(exponent, &half, &rest);
  if (there && image && open_krylov(c)) {
    ofw_pass_args k = pass_args(c, half, rest);
    k.v = there;
    k.u = image;
    ofw_ortho_args sums = ortho_args(c);
    sums.bands = ofw_pass_bands(&k);
    ofw_run_pass_body(on(c), ofw_pass_bands(&k), &k);
    ofw_run_add_shares(on(c), blocks_for(c->cols), &sums);
    ofw_machine_copy(on(c), u, image, c->rows * sizeof *u);
    ofw_machine_copy(on(c), w, c->krylov.w, c->cols * sizeof *w);
    if (ofw_machine_wait(on(c)))
      return;
  }
  for (uint32_t i = 0; i < c->rows; i++)
    u[i] = (double)NAN;
  for (uint32_t j = 0; j < c->cols; j++)
    w[j] = (double)NAN;
}

/* ---- a search ---- */

static uint64_t ticket_of(const krylov *s, size_t k)
{
  return s->ticket + 1 + (k - s->first);
}

/* Up to which slot the machine may go while the numbers of slot k are waited for. Most searches take as many steps as the one
 * before: so many it does without waiting for this program's decisions, and no more. Beyond that it is one step ahead, so that
 * it works while this program decides; a step that was not needed is passed over. */
static uint32_t ahead(const krylov *s, size_t k)
{
  return (uint32_t)(k < s->last ? s->last : k + 2);
}

static void start_search(ofw_cuda *c, size_t k, const ofw_rng_key *start)
{
  krylov *s = &c->krylov;
  uint32_t most = least(c->cols, OFW_CUDA_BASIS);
  ofw_search_args a = {.pass = pass_args(c, s->half, s->rest),
                       .ortho = ortho_args(c),
                       .image = s->image,
                       .first = (uint32_t)k,
                       .most = most,
                       .draw = start != NULL,
                       .reply = c->reply,
                       .replies = REPLIES,
                       .ticket = c->ticket + 1};
  if (start)
    a.ortho.key = *start;
  ofw_machine_search(on(c), &a, ahead(s, k));
  s->on = 1;
  s->first = k;
  s->ticket = a.ticket;
  c->ticket = ticket_of(s, most);
}

static double begin(ofw_cuda *c, int exponent, size_t k, ofw_rng_key start)
{
  krylov *s = &c->krylov;
  double out[2];
  if (!open_krylov(c))
    return (double)NAN;
  halves(exponent, &s->half, &s->rest);
  s->next = k;
  start_search(c, k, &start);
  if (k == 0)
    return 1.0; /* the basis is empty */
  await(c, s->ticket, out);
  return out[1] / sqrt(out[0]);
}

static double extend(ofw_cuda *c, size_t k, double *b)
{
  krylov *s = &c->krylov;
  double out[2] = {(double)NAN, (double)NAN};
  if (!failed(c)) {
    if (s->on)
      ofw_machine_grant(c->m, ahead(s, k));
    else
      start_search(c, k, NULL);
    s->next = k + 1;
    await(c, ticket_of(s, k), out);
  }
  *b = out[1];
  return out[0];
}

/* It is there already, but for a rotation since. */
static void accept(ofw_cuda *c, size_t k)
{
  krylov *s = &c->krylov;
  if (s->next != k && !failed(c))
    ofw_machine_copy(on(c), s->basis + k * c->cols, s->basis + s->next * c->cols, c->cols * sizeof *s->basis);
  s->next = k;
}

static void rotate_one(ofw_cuda *c, size_t k, size_t n, const double *y, uint32_t length, double *x)
{
  ofw_rotate_args a = {.k = (uint32_t)k, .n = (uint32_t)n, .length = length, .x = x, .y = y, .out = c->krylov.spare};
  ofw_run_rotate(on(c), blocks_for(a.n * length), &a);
  ofw_machine_copy(on(c), x, a.out, n * length * sizeof *x);
}

static void rotate(ofw_cuda *c, size_t k, size_t n, const double *y)
{
  const double *there = upload(c, &c->turn, k * n, y);
  if (!there || failed(c))
    return;
  rotate_one(c, k, n, there, c->cols, c->krylov.basis);
  rotate_one(c, k, n, there, c->rows, c->krylov.image);
}

static void compose(ofw_cuda *c, size_t k, const double *y, const double **u, const double **v)
{
  double none[2];
  uint32_t left = c->rows / OFW_THREADS + 1, right = c->cols / OFW_THREADS + 1;
  *u = c->seen_u;
  *v = c->seen_v;
  c->krylov.last = k;
  if (!failed(c)) {
    ofw_pair_args a = {.k = (uint32_t)k,
                       .rows = c->rows,
                       .cols = c->cols,
                       .split = left,
                       .image = c->krylov.image,
                       .basis = c->krylov.basis,
                       .u = c->pair_u,
                       .v = c->pair_v,
                       .squares = c->krylov.spare,
                       .here_u = c->seen_u,
                       .here_v = c->seen_v,
                       .to = next_report(c)};
    memcpy(a.y, y, k * sizeof *y);
    ofw_run_compose(on(c), left + right, &a);
    ofw_run_normalise(on(c), left + right, &a);
    if (await(c, a.to.ticket, none))
      return;
  }
  for (uint32_t i = 0; i < c->rows; i++)
    c->seen_u[i] = (double)NAN;
  for (uint32_t j = 0; j < c->cols; j++)
    c->seen_v[j] = (double)NAN;
}

/* ---- opening and closing ---- */

static void close_device(ofw_cuda *c)
{
  void *rooms[] = {c->value.at,
                   c->turn.at,
                   c->left.at,
                   c->right.at,
                   c->pair_u,
                   c->pair_v,
                   c->shares,
                   c->squares,
                   c->parts,
                   c->counter,
                   c->krylov.basis,
                   c->krylov.image,
                   c->krylov.spare,
                   c->krylov.w,
                   c->krylov.products[0],
                   c->krylov.products[1],
                   c->krylov.found};
  void *seen[] = {c->seen_u, c->seen_v, c->reply, c->stage};
  for (size_t i = 0; i < ARRAYS; i++)
    ofw_machine_drop(on(c), c->array[i]);
  for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++)
    ofw_machine_drop(on(c), rooms[i]);
  for (size_t i = 0; i < sizeof seen / sizeof *seen; i++)
    ofw_machine_drop_seen(on(c), seen[i]);
  ofw_machine_close(on(c));
  free(c);
}

static void open_arrays(ofw_cuda *c)
{
  array(c, OFW_ON_X);
  array(c, OFW_ON_D);
  c->pair_u = room_for(c, c->rows * sizeof(double));
  c->pair_v = room_for(c, c->cols * sizeof(double));
  const ofw_pass_args k = pass_args(c, 1.0, 1.0);
  c->shares = room_for(c, (size_t)ofw_pass_bands(&k) * c->cols * sizeof(double));
  c->squares = room_for(c, ofw_pass_bands(&k) * sizeof(double));
  c->parts = room_for(c, 2 * OFW_BLOCKS * sizeof(double));
  c->counter = room_for(c, sizeof *c->counter);
  c->seen_u = ofw_machine_seen(on(c), c->rows * sizeof(double));
  c->seen_v = ofw_machine_seen(on(c), c->cols * sizeof(double));
  c->reply = ofw_machine_seen(on(c), REPLIES * sizeof *c->reply);
  c->stage = ofw_machine_seen(on(c), STAGE);
  c->stage_room = STAGE;
  if (!c->seen_u || !c->seen_v || !c->reply || !c->stage)
    lose(c, (c->rows + (size_t)c->cols) * sizeof(double) + REPLIES * sizeof *c->reply + STAGE);
}

static ofw_cuda *open_device(size_t rows, size_t cols, char why[OFW_CUDA_TEXT])
{
  if (cols == 0 || rows > OFW_CUDA_MOST / cols) {
    snprintf(why, OFW_CUDA_TEXT, "%zu x %zu is more than %u numbers", rows, cols, OFW_CUDA_MOST);
    return NULL;
  }
  ofw_cuda *c = calloc(1, sizeof *c);
  if (!c) {
    snprintf(why, OFW_CUDA_TEXT, "out of memory");
    return NULL;
  }
  c->rows = (uint32_t)rows;
  c->cols = (uint32_t)cols;
  c->dim = c->rows * c->cols;
  c->quads = c->dim / 4 + (c->dim % 4 > 0);
  c->m = ofw_machine_open(why, OFW_CUDA_TEXT);
  if (!c->m) {
    free(c);
    return NULL;
  }
  open_arrays(c);
  if (!failed(c) && ofw_machine_wait(on(c)))
    return c;
  snprintf(why, OFW_CUDA_TEXT, "%s", failed(c));
  close_device(c);
  return NULL;
}

extern __attribute__((visibility("default"))) const ofw_cuda_table ofw_cuda_table_1;
const ofw_cuda_table ofw_cuda_table_1 = {.version = OFW_CUDA_VERSION,
                                         .open = open_device,
                                         .close = close_device,
                                         .failed = failed,
                                         .keep_y = keep_y,
                                         .read = read_array,
                                         .write = write_array,
                                         .entries = entries,
                                         .clear = clear,
                                         .blend = blend,
                                         .add = add,
                                         .segment = segment,
                                         .step = step,
                                         .lead = lead,
                                         .dot = dot,
                                         .inner = inner,
                                         .measure = measure,
                                         .pass = pass,
                                         .begin = begin,
                                         .extend = extend,
                                         .accept = accept,
                                         .rotate = rotate,
                                         .compose = compose};
