/* device_arrays.c — the engine's operations on x, d and y */
#include "device.h"

#include <math.h>
#include <string.h>

enum { FLOATS_AT_ONCE = 1 << 14 };

/* What is known of the old x, or d, is of no use any more. */
static void change_x(ofw_cuda *c)
{
  c->dot.ticket = c->segment.ticket = 0;
}

static void change_d(ofw_cuda *c)
{
  c->measured = c->segment.ticket = 0;
}

void ofw_cuda_clear(ofw_cuda *c, ofw_on what)
{
  ofw_machine *m = ofw_cuda_on(c);
  change_x(c);
  change_d(c);
  if (c->array[what])
    m->ops->copy(m, c->array[what], NULL, ofw_cuda_bytes(c, (int)what));
}

void ofw_cuda_blend(ofw_cuda *c, double a, double b)
{
  ofw_blend_args k = {
      .a = a, .b = b, .d = c->array[OFW_ON_D], .x = c->array[OFW_ON_X], .floats = c->floats, .quads = c->quads};
  change_d(c);
  ofw_run_blend(ofw_cuda_on(c), ofw_blocks_for(c->quads), &k);
}

/* What goes over all of d measures it too, if v is whole. */
void ofw_cuda_add(ofw_cuda *c, double factor, const ofw_vec *v)
{
  ofw_add_measure_args k = {.add = {.c = factor, .y = c->array[OFW_ON_D], .floats = c->floats, .quads = c->quads}};
  change_d(c);
  if (!ofw_cuda_is_plain(c, v, 1))
    ofw_cuda_add_to(c, factor, v, OFW_ON_D);
  else if (ofw_cuda_make_term(c, v, &k.add.v) && !ofw_cuda_failed(c)) {
    k.to = ofw_cuda_next_report(c);
    k.to.largest = 1;
    c->measured = k.to.ticket;
    ofw_run_add_measure(ofw_cuda_on(c), ofw_few_blocks_for(c->quads), &k);
  }
}

/* ---- the segment to an atom ---- */

static uint64_t queue_segment(ofw_cuda *c, const ofw_term *v)
{
  ofw_segment_args k = {.v = *v,
                        .x = c->array[OFW_ON_X],
                        .d = c->array[OFW_ON_D],
                        .floats = c->floats,
                        .quads = c->quads,
                        .to = ofw_cuda_next_report(c)};
  ofw_run_segment(ofw_cuda_on(c), ofw_few_blocks_for(c->quads), &k);
  return k.to.ticket;
}

void ofw_cuda_segment_early(ofw_cuda *c)
{
  ofw_expected_segment *e = &c->segment;
  ofw_vec pair = ofw_vec_rank_one(c->rows, c->cols, c->seen_u, c->seen_v);
  ofw_term v;
  pair.scale = e->scale;
  e->ticket = 0;
  if (e->likely && ofw_cuda_make_term(c, &pair, &v))
    e->ticket = queue_segment(c, &v);
}

/* Whether v is the pair; then, with which scale. */
static int is_pair(const ofw_cuda *c, ofw_sum v)
{
  return v.n == 1 && v.term->kind == OFW_VEC_RANK_ONE && ofw_cuda_is_plain(c, v.term, 0) &&
         v.term->as.rank_one.u == c->seen_u && v.term->as.rank_one.v == c->seen_v;
}

void ofw_cuda_segment(ofw_cuda *c, ofw_sum v, double *slope, double *length2)
{
  double out[2] = {(double)NAN, (double)NAN};
  ofw_expected_segment *e = &c->segment;
  ofw_term term;
  uint64_t ticket = 0;
  int pair = is_pair(c, v);
  if (pair && e->scale == v.term->scale && ofw_cuda_has(c, e->ticket))
    ticket = e->ticket;
  else if (ofw_cuda_make_sum(c, v, OFW_SUM_A, 0, &term))
    ticket = queue_segment(c, &term);
  e->likely = pair;
  e->scale = pair ? v.term->scale : 0.0;
  e->ticket = 0;
  if (ticket > 0)
    ofw_cuda_await(c, ticket, out);
  *slope = out[0];
  *length2 = out[1];
}

/* ---- steps ---- */

void ofw_cuda_step(ofw_cuda *c, ofw_sum v, double sig, double curv)
{
  ofw_step_args k = {.sig = sig,
                     .curv = curv,
                     .x = c->array[OFW_ON_X],
                     .d = c->array[OFW_ON_D],
                     .floats = c->floats,
                     .quads = c->quads};
  c->dot.likely &= c->dot.ticket == 0; /* the last one was of use */
  change_x(c);
  change_d(c);
  if (!ofw_cuda_make_sum(c, v, OFW_SUM_A, 0, &k.v))
    return;
  if (!c->dot.likely) {
    ofw_run_step(ofw_cuda_on(c), ofw_blocks_for(c->quads), &k);
    return;
  }
  ofw_step_dot_args both = {.step = k};
  ofw_cuda_make_term(c, &c->dot.p, &both.p);
  both.to = ofw_cuda_next_report(c);
  c->dot.ticket = both.to.ticket;
  ofw_run_step_dot(ofw_cuda_on(c), ofw_few_blocks_for(c->quads), &both);
}

double ofw_cuda_lead(ofw_cuda *c, ofw_sum v, double sig, double keep)
{
  double out[2] = {(double)NAN, 0.0};
  ofw_lead_args k = {.sig = sig,
                     .keep = keep,
                     .x = c->array[OFW_ON_X],
                     .y = c->array[OFW_ON_Y],
                     .floats = c->floats,
                     .quads = c->quads};
  if (ofw_cuda_make_sum(c, v, OFW_SUM_A, 0, &k.v)) {
    k.to = ofw_cuda_next_report(c);
    ofw_run_lead(ofw_cuda_on(c), ofw_few_blocks_for(c->quads), &k);
    ofw_cuda_await(c, k.to.ticket, out);
  }
  return out[0];
}

/* ---- numbers ---- */

/* With x, y, or a sum that was written out. */
static double dot_array(ofw_cuda *c, int with, const ofw_term *v)
{
  double out[2];
  ofw_dot_args k = {.v = *v,
                    .x = c->array[with],
                    .floats = ofw_cuda_floats(c, with),
                    .quads = c->quads,
                    .to = ofw_cuda_next_report(c)};
  ofw_run_dot_term(ofw_cuda_on(c), ofw_few_blocks_for(c->quads), &k);
  ofw_cuda_await(c, k.to.ticket, out);
  return out[0];
}

static double dot_sparse(ofw_cuda *c, int with, const ofw_vec *v)
{
  double out[2];
  ofw_pairs p;
  if (!ofw_cuda_stage_pairs(c, v->as.sparse.nnz, v->as.sparse.index, v->offset, v->as.sparse.value, &p))
    return (double)NAN;
  ofw_dot_sparse_args k = {.n = (uint32_t)v->as.sparse.nnz,
                           .index = p.index,
                           .value = p.value,
                           .x = c->array[with],
                           .floats = ofw_cuda_floats(c, with),
                           .to = ofw_cuda_next_report(c)};
  ofw_run_dot_sparse(ofw_cuda_on(c), ofw_few_blocks_for(k.n), &k);
  ofw_cuda_await(c, k.to.ticket, out);
  return v->scale * out[0];
}

static int same_draws(const ofw_vec *a, const ofw_vec *b)
{
  ofw_rng_key k = a->as.random.key, l = b->as.random.key;
  return a->scale == b->scale && k.seed == l.seed && k.purpose == l.purpose && k.round == l.round;
}

/* <v, x> if a step has found it; then, which one the next step is to find. */
static int dot_expected(ofw_cuda *c, const ofw_vec *v, double *out)
{
  ofw_expected_dot *e = &c->dot;
  double both[2];
  if (v->kind != OFW_VEC_RANDOM || !ofw_cuda_is_plain(c, v, 1))
    return 0;
  e->likely = e->p.kind == OFW_VEC_RANDOM && same_draws(&e->p, v);
  int found = e->likely && ofw_cuda_has(c, e->ticket);
  if (found)
    ofw_cuda_await(c, e->ticket, both);
  e->ticket = 0;
  e->p = *v;
  e->p.as.random.key.round++;
  *out = found ? both[0] : 0.0;
  return found;
}

double ofw_cuda_dot(ofw_cuda *c, ofw_on with, const ofw_vec *v)
{
  ofw_term t;
  double found;
  if (v->kind == OFW_VEC_SPARSE)
    return dot_sparse(c, (int)with, v);
  if (with == OFW_ON_X && dot_expected(c, v, &found))
    return found;
  return ofw_cuda_make_sum(c, (ofw_sum){1, v}, OFW_SUM_A, 1, &t) ? dot_array(c, (int)with, &t) : (double)NAN;
}

double ofw_cuda_inner(ofw_cuda *c, ofw_sum a, ofw_sum b)
{
  ofw_term t;
  int written = ofw_cuda_write_out(c, a, OFW_SUM_B) && ofw_cuda_make_sum(c, b, OFW_SUM_A, 1, &t);
  return written ? dot_array(c, OFW_SUM_B, &t) : (double)NAN;
}

void ofw_cuda_measure(ofw_cuda *c, ofw_on what, int exponent, double *largest, double *square)
{
  double out[2];
  int known = what == OFW_ON_D && exponent == 0 && ofw_cuda_has(c, c->measured);
  ofw_measure_args k = {.a = what == OFW_ON_E ? c->array[OFW_ON_X] : c->array[what],
                        .b = what == OFW_ON_E ? c->array[OFW_ON_D] : NULL,
                        .floats = c->floats,
                        .quads = c->quads};
  if (!known) {
    k.to = ofw_cuda_next_report(c);
    k.to.largest = 1;
    ofw_cuda_halves(exponent, &k.half, &k.rest);
    ofw_run_measure(ofw_cuda_on(c), ofw_few_blocks_for(c->quads), &k);
  }
  uint64_t ticket = known ? c->measured : k.to.ticket;
  if (what == OFW_ON_D && exponent == 0) {
    c->measured = ticket;
    ofw_cuda_begin_early(c);
  }
  ofw_cuda_await(c, ticket, out);
  *largest = out[0];
  *square = out[1];
}

/* ---- to here and from here ---- */

/* Floats come into the second half of where they are to be doubles, and nothing is written over one that was not read. */
static int read_floats(ofw_machine *m, const float *from, size_t n, double *out)
{
  char *there = (char *)out + n * (sizeof *out - sizeof *from);
  if (!m->ops->fetch(m, there, from, n * sizeof *from))
    return 0;
  for (size_t i = 0; i < n; i++) {
    float number;
    memcpy(&number, there + i * sizeof number, sizeof number);
    out[i] = number;
  }
  return 1;
}

int ofw_cuda_read(ofw_cuda *c, ofw_on from, size_t first, size_t n, double *out)
{
  ofw_machine *m = ofw_cuda_on(c);
  int read = c->floats ? read_floats(m, (const float *)c->array[from] + first, n, out)
                       : m->ops->fetch(m, out, (const double *)c->array[from] + first, n * sizeof *out);
  return read && !ofw_cuda_failed(c);
}

static void send_floats(ofw_machine *m, float *to, size_t n, const double *in)
{
  float part[FLOATS_AT_ONCE];
  for (size_t i = 0, k; i < n; i += k) {
    for (k = 0; k < FLOATS_AT_ONCE && i + k < n; k++)
      part[k] = (float)in[i + k];
    m->ops->send(m, to + i, part, k * sizeof *part);
  }
}

int ofw_cuda_write(ofw_cuda *c, ofw_on to, const double *in)
{
  ofw_machine *m = ofw_cuda_on(c);
  change_x(c);
  change_d(c);
  if (c->floats)
    send_floats(m, c->array[to], c->dim, in);
  else
    m->ops->send(m, c->array[to], in, c->dim * sizeof *in);
  return m->ops->wait(m) && !ofw_cuda_failed(c);
}

int ofw_cuda_entries(ofw_cuda *c, const ofw_vec *probe, size_t n, const size_t *index, double *out)
{
  double none[2];
  ofw_pairs p;
  ofw_term drawn = {0};
  if (!ofw_cuda_stage_pairs(c, n, index, 0, NULL, &p) || (probe && !ofw_cuda_make_term(c, probe, &drawn)))
    return 0;
  int many = p.value != p.here; /* they come by a copy, and the reply after it */
  ofw_gather_args k = {.n = (uint32_t)n,
                       .index = p.index,
                       .x = c->array[OFW_ON_X],
                       .floats = c->floats,
                       .probe = drawn,
                       .out = p.value,
                       .to = ofw_cuda_next_report(c)};
  const ofw_answer_args there = {.reply = k.to.reply, .ticket = k.to.ticket};
  ofw_machine *m = ofw_cuda_on(c);
  if (many)
    k.to.reply = NULL;
  ofw_run_gather(m, ofw_few_blocks_for(k.n), &k);
  if (many) {
    m->ops->copy(m, p.here, p.value, n * sizeof *out);
    ofw_run_answer(m, 1, &there);
  }
  if (!ofw_cuda_await(c, k.to.ticket, none))
    return 0;
  if (n > 0)
    memcpy(out, p.here, n * sizeof *out);
  return 1;
}

int ofw_cuda_keep_y(ofw_cuda *c)
{
  return ofw_cuda_array(c, OFW_ON_Y) != NULL;
}
