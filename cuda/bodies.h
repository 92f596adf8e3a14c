/* bodies.h — what the kernels of storage=cuda compute, as functions that a GPU and a processor run alike
 *
 * A kernel is `blocks` blocks of threads. A block works in phases: all of its threads finish one before any begins the next,
 * and between phases they share `s`. Blocks do not wait for each other; the one that comes last adds up what all have found.
 * A GPU runs a function here once per thread and phase (gpu.cu); so does a processor, in loops (processor.c). Every sum is added
 * up in an order that the sizes alone decide, and nothing is contracted but what says fma: the numbers are the same on both,
 * bit for bit.
 *
 * Arrays of a matrix are padded with zeros to a multiple of 4 numbers, a quad; a thread takes quads.
 */
#pragma once

#include "linalg/normal.h"

#include <ofw/vec.h>

enum {
  OFW_THREADS = 256, /* of a block that goes over arrays */
  OFW_WIDE = 512,    /* of a block that searches */
  OFW_BLOCKS = 528,  /* that share a sum, at most: 4 for each multiprocessor of an H200 */
  OFW_LANES = 32
};

typedef struct ofw_lane {
  uint32_t block, blocks, thread;
} ofw_lane;

/* ---- what a GPU has of its own ---- */

/* Writes that come before it are seen by whoever sees those that come after it: by other blocks, or by this program too. */
static inline OFW_BOTH void ofw_fence(void)
{
#ifdef __CUDA_ARCH__
  __threadfence();
#endif
}

static inline OFW_BOTH void ofw_fence_all(void)
{
#ifdef __CUDA_ARCH__
  __threadfence_system();
#endif
}

/* Whether this block is the last of all to come here; the counter is 0 again then. */
static inline OFW_BOTH int ofw_is_last(uint32_t *counter, uint32_t blocks)
{
#ifdef __CUDA_ARCH__
  int last = atomicAdd(counter, 1) == blocks - 1;
#else
  int last = (*counter)++ == blocks - 1;
#endif
  if (last)
    *counter = 0;
  return last;
}

typedef struct ofw_quad {
  double at[4];
} ofw_quad;

static inline OFW_BOTH ofw_quad ofw_load(const double *a, uint32_t quad)
{
#ifdef __CUDA_ARCH__
  const double2 *from = reinterpret_cast<const double2 *>(a) + 2 * (size_t)quad;
  double2 low = from[0], high = from[1];
  ofw_quad q = {{low.x, low.y, high.x, high.y}};
#else
  a += 4 * (size_t)quad;
  ofw_quad q = {{a[0], a[1], a[2], a[3]}};
#endif
  return q;
}

static inline OFW_BOTH void ofw_store(double *a, uint32_t quad, ofw_quad q)
{
#ifdef __CUDA_ARCH__
  double2 *to = reinterpret_cast<double2 *>(a) + 2 * (size_t)quad;
  to[0] = make_double2(q.at[0], q.at[1]);
  to[1] = make_double2(q.at[2], q.at[3]);
#else
  for (int k = 0; k < 4; k++)
    a[4 * (size_t)quad + (size_t)k] = q.at[k];
#endif
}

/* ---- one term of a vector: all kinds but sparse ones ---- */

typedef enum ofw_term_kind { OFW_TERM_ARRAY, OFW_TERM_RANK_ONE, OFW_TERM_UNIFORM, OFW_TERM_NORMAL } ofw_term_kind;

typedef struct ofw_term {
  ofw_term_kind kind;
  uint32_t offset, n; /* it is 0 outside of offset .. offset + n - 1 */
  double scale;
  const double *value; /* OFW_TERM_ARRAY; none is read if n = 0 */
  const double *u, *v; /* OFW_TERM_RANK_ONE */
  uint32_t cols;       /* of v */
  ofw_rng_key key;     /* of draws */
} ofw_term;

/* The words 4 b .. 4 b + 3 of a sequence: Philox-4x32-10, as linalg/rng.h has it. */
static inline OFW_BOTH void ofw_words(ofw_rng_key key, uint32_t b, uint32_t w[4])
{
  uint32_t k0 = (uint32_t)key.seed, k1 = (uint32_t)(key.seed >> 32);
  w[0] = b;
  w[1] = key.purpose;
  w[2] = (uint32_t)key.round;
  w[3] = (uint32_t)(key.round >> 32);
  for (int round = 0; round < 10; round++) {
    uint64_t p0 = (uint64_t)0xD2511F53u * w[0], p1 = (uint64_t)0xCD9E8D57u * w[2];
    w[0] = (uint32_t)(p1 >> 32) ^ w[1] ^ k0;
    w[2] = (uint32_t)(p0 >> 32) ^ w[3] ^ k1;
    w[1] = (uint32_t)p1;
    w[3] = (uint32_t)p0;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
}

/* The draws 4 b .. 4 b + 3. */
static inline OFW_BOTH ofw_quad ofw_draws(ofw_term_kind kind, ofw_rng_key key, uint32_t b)
{
  uint32_t w[4];
  ofw_quad q;
  ofw_words(key, b, w);
  if (kind == OFW_TERM_UNIFORM) {
    for (int k = 0; k < 4; k++)
      q.at[k] = ((double)(int32_t)w[k] + 0.5) * 0x1p-31;
    return q;
  }
  for (int k = 0; k < 4; k += 2) {
    double radius = ofw_normal_radius(w[k]), cosine, sine;
    ofw_normal_turn(w[k + 1], &cosine, &sine);
    q.at[k] = radius * cosine;
    q.at[k + 1] = radius * sine;
  }
  return q;
}

/* Number i of a term, from its offset on. */
static inline OFW_BOTH double ofw_term_at(const ofw_term *t, uint32_t i)
{
  if (t->kind == OFW_TERM_ARRAY)
    return t->scale * t->value[i];
  if (t->kind == OFW_TERM_RANK_ONE)
    return t->scale * t->u[i / t->cols] * t->v[i % t->cols];
  return t->scale * ofw_draws(t->kind, t->key, i / 4).at[i % 4];
}

static inline OFW_BOTH ofw_quad ofw_rank_one_quad(const ofw_term *t, uint32_t i)
{
  uint32_t row = i / t->cols, col = i - row * t->cols;
  ofw_quad q;
  for (uint32_t k = 0; k < 4; k++) {
    q.at[k] = i + k < t->n ? t->scale * t->u[row] * t->v[col] : 0.0;
    if (++col == t->cols) {
      col = 0;
      row++;
    }
  }
  return q;
}

/* A quad of a term that is whole: as long as the matrix, from its first number on, and no draws. An array is padded. */
static inline OFW_BOTH ofw_quad ofw_atom_quad(const ofw_term *t, uint32_t quad)
{
  if (t->kind == OFW_TERM_RANK_ONE)
    return ofw_rank_one_quad(t, 4 * quad);
  ofw_quad q = {{0.0, 0.0, 0.0, 0.0}};
  if (t->n > 0)
    q = ofw_load(t->value, quad);
  for (int k = 0; k < 4; k++)
    q.at[k] *= t->scale;
  return q;
}

/* The same of whole uniform draws. */
static inline OFW_BOTH ofw_quad ofw_uniform_quad(const ofw_term *t, uint32_t quad)
{
  ofw_quad q = ofw_draws(OFW_TERM_UNIFORM, t->key, quad);
  for (uint32_t k = 0; k < 4; k++)
    q.at[k] = 4 * quad + k < t->n ? t->scale * q.at[k] : 0.0;
  return q;
}

/* A quad of any term. */
static inline OFW_BOTH ofw_quad ofw_term_quad(const ofw_term *t, uint32_t quad)
{
  uint32_t first = 4 * quad, i = first - t->offset;
  ofw_quad q;
  if (first < t->offset || t->n < 4 || i > t->n - 4 || i % 4 != 0) { /* at an end, or across quads of the term's own */
    for (uint32_t k = 0; k < 4; k++)
      q.at[k] = first + k >= t->offset && i + k < t->n ? ofw_term_at(t, i + k) : 0.0;
    return q;
  }
  if (t->kind == OFW_TERM_RANK_ONE)
    return ofw_rank_one_quad(t, i);
  q = t->kind == OFW_TERM_ARRAY ? ofw_load(t->value, i / 4) : ofw_draws(t->kind, t->key, i / 4);
  for (int k = 0; k < 4; k++)
    q.at[k] *= t->scale;
  return q;
}

/* A GPU reads several quads before it uses the first. */
#ifdef __CUDA_ARCH__
#define OFW_UNROLL _Pragma("unroll 4")
#else
#define OFW_UNROLL
#endif

/* A thread's quads: its own and every so many after it. */
#define OFW_EACH_QUAD(q, l, quads) \
  OFW_UNROLL for (uint32_t q = (l).block * OFW_THREADS + (l).thread; q < (quads); q += (l).blocks * OFW_THREADS)

/* ---- two numbers that all threads of all blocks add up, for this program to read ---- */

typedef struct ofw_reply { /* in memory that both see */
  double value[2];
  volatile uint64_t ticket;
} ofw_reply;

typedef struct ofw_report {
  double *parts; /* two per block */
  uint32_t *counter;
  ofw_reply *reply;
  uint64_t ticket; /* written last */
  int largest;     /* 1: the first number is the largest of all, in which NaN does not count */
} ofw_report;

typedef struct ofw_sums {
  double value[2][OFW_THREADS];
  double part[2][OFW_LANES];
  int last;
} ofw_sums;

enum { OFW_SUM_PHASES = 6 }; /* the kernel's own, in which every thread sets s->value, and five for the sums */

static inline OFW_BOTH double ofw_join(const ofw_report *to, uint32_t which, double a, double b)
{
  if (to->largest && which == 0)
    return b > a ? b : a;
  return a + b;
}

static inline OFW_BOTH void ofw_answer_now(ofw_reply *reply, double first, double second, uint64_t ticket)
{
  reply->value[0] = first;
  reply->value[1] = second;
  ofw_fence_all();
  reply->ticket = ticket;
}

/* 256 numbers to 32, and 32 to one. */
static inline OFW_BOTH void ofw_fold_lanes(const ofw_report *to, uint32_t thread, ofw_sums *s)
{
  uint32_t which = thread / OFW_LANES, lane = thread % OFW_LANES;
  if (which >= 2)
    return;
  double sum = 0.0;
  for (uint32_t k = lane; k < OFW_THREADS; k += OFW_LANES)
    sum = ofw_join(to, which, sum, s->value[which][k]);
  s->part[which][lane] = sum;
}

static inline OFW_BOTH double ofw_fold_parts(const ofw_report *to, uint32_t which, const ofw_sums *s)
{
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  for (uint32_t lane = 0; lane < OFW_LANES; lane++)
    sum[lane % 4] = ofw_join(to, which, sum[lane % 4], s->part[which][lane]);
  return ofw_join(to, which, ofw_join(to, which, sum[0], sum[1]), ofw_join(to, which, sum[2], sum[3]));
}

static inline OFW_BOTH void ofw_sums_phase(const ofw_report *to, ofw_lane l, ofw_sums *s, int phase)
{
  if (phase == 1)
    ofw_fold_lanes(to, l.thread, s);
  if (phase == 2 && l.thread == 0) {
    for (uint32_t which = 0; which < 2; which++)
      to->parts[2 * l.block + which] = ofw_fold_parts(to, which, s);
    ofw_fence();
    s->last = ofw_is_last(to->counter, l.blocks);
  }
  if (phase == 3 && s->last)
    for (uint32_t which = 0; which < 2; which++) {
      const volatile double *parts = to->parts;
      double sum = 0.0;
      for (uint32_t block = l.thread; block < l.blocks; block += OFW_THREADS)
        sum = ofw_join(to, which, sum, parts[2 * block + which]);
      s->value[which][l.thread] = sum;
    }
  if (phase == 4 && s->last)
    ofw_fold_lanes(to, l.thread, s);
  if (phase == 5 && s->last && l.thread == 0)
    ofw_answer_now(to->reply, ofw_fold_parts(to, 0, s), ofw_fold_parts(to, 1, s), to->ticket);
}

/* A kernel that shares nothing. */
typedef struct ofw_nothing {
  int unused;
} ofw_nothing;

/* ---- d = a d + b x ---- */

typedef struct ofw_blend_args {
  double a, b;
  double *d;
  const double *x;
  uint32_t quads;
} ofw_blend_args;

static inline OFW_BOTH void ofw_blend(const ofw_blend_args *k, ofw_lane l)
{
  OFW_EACH_QUAD(q, l, k->quads)
  {
    ofw_quad d = ofw_load(k->d, q), x = ofw_load(k->x, q);
    for (int i = 0; i < 4; i++)
      d.at[i] = (k->a != 0.0 ? k->a * d.at[i] : 0.0) + (k->b != 0.0 ? k->b * x.at[i] : 0.0);
    ofw_store(k->d, q, d);
  }
}

/* ---- y += c v ---- */

typedef struct ofw_add_args {
  double c;
  ofw_term v;
  double *y;
  uint32_t quads;
} ofw_add_args;

static inline OFW_BOTH void ofw_add(const ofw_add_args *k, ofw_lane l)
{
  OFW_EACH_QUAD(q, l, k->quads)
  {
    ofw_quad y = ofw_load(k->y, q), v = ofw_term_quad(&k->v, q);
    for (int i = 0; i < 4; i++)
      y.at[i] += k->c * v.at[i];
    ofw_store(k->y, q, y);
  }
}

/* ---- the same of a sparse vector, whose indices are distinct ---- */

typedef struct ofw_add_sparse_args {
  double c;
  uint32_t n;
  const uint32_t *index; /* with the offset in it */
  const double *value;
  double *y;
} ofw_add_sparse_args;

static inline OFW_BOTH void ofw_add_sparse(const ofw_add_sparse_args *k, ofw_lane l)
{
  OFW_EACH_QUAD(i, l, k->n) k->y[k->index[i]] += k->c * k->value[i];
}

/* ---- x += sig e, d += curv e, e = v - x ---- */

typedef struct ofw_step_args {
  ofw_term v; /* whole, and no draws */
  double sig, curv;
  double *x, *d;
  uint32_t quads;
} ofw_step_args;

static inline OFW_BOTH void ofw_step(const ofw_step_args *k, ofw_lane l)
{
  OFW_EACH_QUAD(q, l, k->quads)
  {
    ofw_quad x = ofw_load(k->x, q), d = ofw_load(k->d, q), v = ofw_atom_quad(&k->v, q);
    for (int i = 0; i < 4; i++) {
      double e = v.at[i] - x.at[i];
      x.at[i] += k->sig * e;
      d.at[i] += k->curv * e;
    }
    ofw_store(k->x, q, x);
    ofw_store(k->d, q, d);
  }
}

/* ---- <d, e> and |e|^2 ---- */

typedef struct ofw_segment_args {
  ofw_term v;
  const double *x, *d;
  uint32_t quads;
  ofw_report to;
} ofw_segment_args;

static inline OFW_BOTH void ofw_segment(const ofw_segment_args *k, ofw_lane l, ofw_sums *s, int phase)
{
  if (phase > 0) {
    ofw_sums_phase(&k->to, l, s, phase);
    return;
  }
  double slope = 0.0, length2 = 0.0;
  OFW_EACH_QUAD(q, l, k->quads)
  {
    ofw_quad x = ofw_load(k->x, q), d = ofw_load(k->d, q), v = ofw_atom_quad(&k->v, q);
    for (int i = 0; i < 4; i++) {
      double e = v.at[i] - x.at[i];
      slope += d.at[i] * e;
      length2 += e * e;
    }
  }
  s->value[0][l.thread] = slope;
  s->value[1][l.thread] = length2;
}

/* ---- y = keep y + sig e; |y|^2 ---- */

typedef struct ofw_lead_args {
  ofw_term v;
  double sig, keep;
  const double *x;
  double *y;
  uint32_t quads;
  ofw_report to;
} ofw_lead_args;

static inline OFW_BOTH void ofw_lead(const ofw_lead_args *k, ofw_lane l, ofw_sums *s, int phase)
{
  if (phase > 0) {
    ofw_sums_phase(&k->to, l, s, phase);
    return;
  }
  double square = 0.0;
  OFW_EACH_QUAD(q, l, k->quads)
  {
    ofw_quad x = ofw_load(k->x, q), y = ofw_load(k->y, q), v = ofw_atom_quad(&k->v, q);
    for (int i = 0; i < 4; i++) {
      y.at[i] = k->keep * y.at[i] + k->sig * (v.at[i] - x.at[i]);
      square += y.at[i] * y.at[i];
    }
    ofw_store(k->y, q, y);
  }
  s->value[0][l.thread] = square;
  s->value[1][l.thread] = 0.0;
}

/* ---- <v, x> ---- */

typedef struct ofw_dot_args {
  ofw_term v;
  const double *x;
  uint32_t quads;
  ofw_report to;
} ofw_dot_args;

static inline OFW_BOTH void ofw_dot_term(const ofw_dot_args *k, ofw_lane l, ofw_sums *s, int phase)
{
  if (phase > 0) {
    ofw_sums_phase(&k->to, l, s, phase);
    return;
  }
  double sum = 0.0;
  OFW_EACH_QUAD(q, l, k->quads)
  {
    ofw_quad x = ofw_load(k->x, q),
             v = k->v.kind == OFW_TERM_UNIFORM ? ofw_uniform_quad(&k->v, q) : ofw_atom_quad(&k->v, q);
    for (int i = 0; i < 4; i++)
      sum += v.at[i] * x.at[i];
  }
  s->value[0][l.thread] = sum;
  s->value[1][l.thread] = 0.0;
}

typedef struct ofw_dot_sparse_args {
  uint32_t n;
  const uint32_t *index;
  const double *value, *x;
  ofw_report to;
} ofw_dot_sparse_args;

static inline OFW_BOTH void ofw_dot_sparse(const ofw_dot_sparse_args *k, ofw_lane l, ofw_sums *s, int phase)
{
  if (phase > 0) {
    ofw_sums_phase(&k->to, l, s, phase);
    return;
  }
  double sum = 0.0;
  OFW_EACH_QUAD(i, l, k->n) sum += k->value[i] * k->x[k->index[i]];
  s->value[0][l.thread] = sum;
  s->value[1][l.thread] = 0.0;
}

/* ---- max |a - b| and |2^-exponent (a - b)|^2 ---- */

typedef struct ofw_measure_args {
  const double *a, *b; /* b may be NULL */
  double half, rest;   /* their product is 2^-exponent */
  uint32_t quads;
  ofw_report to;
} ofw_measure_args;

static inline OFW_BOTH void ofw_measure(const ofw_measure_args *k, ofw_lane l, ofw_sums *s, int phase)
{
  if (phase > 0) {
    ofw_sums_phase(&k->to, l, s, phase);
    return;
  }
  double most = 0.0, square = 0.0;
  OFW_EACH_QUAD(q, l, k->quads)
  {
    ofw_quad a = ofw_load(k->a, q), b = {{0.0, 0.0, 0.0, 0.0}};
    if (k->b)
      b = ofw_load(k->b, q);
    for (int i = 0; i < 4; i++) {
      double e = a.at[i] - b.at[i], scaled = e * k->half * k->rest;
      most = fabs(e) > most ? fabs(e) : most;
      square += scaled * scaled;
    }
  }
  s->value[0][l.thread] = most;
  s->value[1][l.thread] = square;
}

/* ---- entries of x + probe ---- */

typedef struct ofw_gather_args {
  uint32_t n;
  const uint32_t *index;
  const double *x;
  ofw_term probe; /* of draws; n = 0: none */
  double *out;    /* in memory that both see */
  ofw_report to;
} ofw_gather_args;

enum { OFW_GATHER_PHASES = 2 };

static inline OFW_BOTH void ofw_gather(const ofw_gather_args *k, ofw_lane l, ofw_nothing *s, int phase)
{
  (void)s;
  if (phase == 0) {
    OFW_EACH_QUAD(i, l, k->n)
    {
      uint32_t at = k->index[i], within = at - k->probe.offset;
      k->out[i] = k->x[at];
      if (at >= k->probe.offset && within < k->probe.n)
        k->out[i] += ofw_term_at(&k->probe, within);
    }
    ofw_fence_all();
  } else if (l.thread == 0 && ofw_is_last(k->to.counter, l.blocks))
    ofw_answer_now(k->to.reply, 0.0, 0.0, k->to.ticket);
}

/* ---- a pass: u = A v and, band by band, the band's share of w = A' u, with one read of A = half rest d ---- */

enum {
  OFW_BAND = 8, /* rows */
  OFW_TILE = 4, /* columns that a thread has of each: those of the last tile stay in its registers */
  OFW_PASS_PHASES = 4
};

typedef struct ofw_pass_args {
  const double *d;
  uint32_t rows, cols;
  double half, rest;
  const double *v;
  double *u;
  double *shares;  /* of w: cols numbers per band, which is a block */
  double *squares; /* of u: one per band */
} ofw_pass_args;

typedef struct ofw_pass_own {
  double a[OFW_BAND][OFW_TILE];
  int held; /* the band is in a already */
} ofw_pass_own;

typedef struct ofw_pass_shared {
  double value[OFW_BAND][OFW_WIDE];
  double part[OFW_BAND][OFW_LANES + 1]; /* one more, so that rows begin in other banks */
  double u[OFW_BAND];
} ofw_pass_shared;

static inline OFW_BOTH uint32_t ofw_pass_bands(const ofw_pass_args *k)
{
  return k->rows / OFW_BAND + (k->rows % OFW_BAND > 0);
}

static inline OFW_BOTH uint32_t ofw_pass_tiles(const ofw_pass_args *k)
{
  return k->cols / (OFW_WIDE * OFW_TILE) + (k->cols % (OFW_WIDE * OFW_TILE) > 0);
}

static inline OFW_BOTH void ofw_pass_load(const ofw_pass_args *k, ofw_lane l, uint32_t tile, ofw_pass_own *own)
{
  for (uint32_t r = 0; r < OFW_BAND; r++)
    for (uint32_t t = 0; t < OFW_TILE; t++) {
      uint32_t row = l.block * OFW_BAND + r, col = (tile * OFW_TILE + t) * OFW_WIDE + l.thread;
      own->a[r][t] = row < k->rows && col < k->cols ? k->d[(size_t)row * k->cols + col] * k->half * k->rest : 0.0;
    }
}

static inline OFW_BOTH void ofw_pass_products(const ofw_pass_args *k, ofw_lane l, ofw_pass_own *own, ofw_pass_shared *s)
{
  double sum[OFW_BAND] = {0.0};
  for (uint32_t tile = 0; tile < ofw_pass_tiles(k); tile++) {
    double v[OFW_TILE];
    for (uint32_t t = 0; t < OFW_TILE; t++) {
      uint32_t col = (tile * OFW_TILE + t) * OFW_WIDE + l.thread;
      v[t] = col < k->cols ? k->v[col] : 0.0;
    }
    if (!own->held)
      ofw_pass_load(k, l, tile, own);
    for (uint32_t t = 0; t < OFW_TILE; t++)
      for (uint32_t r = 0; r < OFW_BAND; r++)
        sum[r] = fma(own->a[r][t], v[t], sum[r]);
  }
  for (uint32_t r = 0; r < OFW_BAND; r++)
    s->value[r][l.thread] = sum[r];
}

static inline OFW_BOTH void ofw_pass_share(const ofw_pass_args *k, ofw_lane l, ofw_pass_own *own,
                                           const ofw_pass_shared *s)
{
  uint32_t tiles = ofw_pass_tiles(k);
  for (uint32_t tile = 0; tile < tiles; tile++) {
    if (tiles > 1)
      ofw_pass_load(k, l, tile, own);
    for (uint32_t t = 0; t < OFW_TILE; t++) {
      uint32_t col = (tile * OFW_TILE + t) * OFW_WIDE + l.thread;
      double sum = 0.0;
      for (uint32_t r = 0; r < OFW_BAND; r++)
        sum = fma(own->a[r][t], s->u[r], sum);
      if (col < k->cols)
        k->shares[(size_t)l.block * k->cols + col] = sum;
    }
  }
}

/* The sum of n numbers `apart` from each other, eight at a time: none of the eight waits for another. */
static inline OFW_BOTH double ofw_sum_apart(const double *a, uint32_t n, uint32_t apart)
{
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  for (uint32_t i = 0; i < n; i += 8) {
    double read[8];
    for (uint32_t k = 0; k < 8; k++)
      read[k] = i + k < n ? a[(size_t)(i + k) * apart] : 0.0;
    for (uint32_t k = 0; k < 8; k++)
      sum[k % 4] += read[k];
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static inline OFW_BOTH double ofw_product(const double *a, const double *b, uint32_t n)
{
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  uint32_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (uint32_t k = 0; k < 4; k++)
      sum[k] += a[i + k] * b[i + k];
  for (; i < n; i++)
    sum[0] += a[i] * b[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static inline OFW_BOTH void ofw_pass_body(const ofw_pass_args *k, ofw_lane l, ofw_pass_own *own, ofw_pass_shared *s,
                                          int phase)
{
  uint32_t r = l.thread / OFW_LANES, lane = l.thread % OFW_LANES, row = l.block * OFW_BAND + l.thread;
  if (phase == 0)
    ofw_pass_products(k, l, own, s);
  if (phase == 1 && r < OFW_BAND)
    s->part[r][lane] = ofw_sum_apart(s->value[r] + lane, OFW_WIDE / OFW_LANES, OFW_LANES);
  if (phase == 2 && l.thread < OFW_BAND) {
    s->u[l.thread] = ofw_sum_apart(s->part[l.thread], OFW_LANES, 1);
    if (row < k->rows)
      k->u[row] = s->u[l.thread];
  }
  if (phase == 3) {
    ofw_pass_share(k, l, own, s);
    if (l.thread == 0)
      k->squares[l.block] = ofw_product(s->u, s->u, OFW_BAND);
  }
}

/* ---- a step of a search: w is added up, made orthogonal to the basis twice, and divided by its length ----
 *
 * A block has 32 columns of everything. There are three stages, because all blocks need all products of w with the
 * basis Q:
 *
 *     collect   w = the sum of the bands' shares, or a random direction      products[0] = Q' w,  |w|^2
 *     again     w -= Q products[0]                                           products[1] = Q' w,  |w|^2
 *     unit      w -= Q products[1],  |w|^2 -= |products[1]|^2                Q gets w / |w|
 */

enum {
  OFW_GROUPS = OFW_WIDE / OFW_LANES,
  OFW_STRIDE = 136, /* a block's products: room for those with OFW_CUDA_BASIS vectors, and for |w|^2 */
  OFW_COLLECT_PHASES = 4,
  OFW_AGAIN_PHASES = 6,
  OFW_UNIT_PHASES = 4
};

typedef struct ofw_ortho_args {
  uint32_t cols;
  uint32_t count; /* vectors of the basis; the next is made */
  double *basis;  /* Q, one after the other, cols apart */
  double *w;
  double *products[2];  /* OFW_STRIDE per block */
  const double *shares; /* of w, one per band */
  uint32_t bands;       /* 0: w is a random direction, by the key */
  ofw_rng_key key;
  const double *squares; /* unit: numbers whose sum is found, with |w|; `apart` from each other */
  uint32_t squares_count, apart;
  double *found; /* these two */
} ofw_ortho_args;

typedef struct ofw_ortho_shared {
  double q[OFW_STRIDE][OFW_LANES + 1]; /* the block's columns of Q; then times w */
  double part[OFW_GROUPS][OFW_STRIDE]; /* what the groups of threads have found, of columns or of vectors */
  double w[OFW_LANES];
  double product[OFW_STRIDE];
  double length;
} ofw_ortho_shared;

static inline OFW_BOTH uint32_t ofw_ortho_blocks(const ofw_ortho_args *k)
{
  return k->cols / OFW_LANES + (k->cols % OFW_LANES > 0);
}

/* How many of n are one group's, if the groups, or lanes, take them by turns. */
static inline OFW_BOTH uint32_t ofw_turns(uint32_t n, uint32_t first, uint32_t of)
{
  return first < n ? (n - first - 1) / of + 1 : 0;
}

static inline OFW_BOTH double ofw_ortho_sum(const ofw_ortho_shared *s, uint32_t c)
{
  return ofw_sum_apart(&s->part[0][c], OFW_GROUPS, OFW_STRIDE);
}

/* A thread's column of the block; 0: there is none. */
static inline OFW_BOTH int ofw_ortho_column(const ofw_ortho_args *k, ofw_lane l, uint32_t *at)
{
  *at = l.block * OFW_LANES + l.thread % OFW_LANES;
  return *at < k->cols;
}

/* What a stage needs of Q is read in its first phase. Of a short basis it is one number per thread, which is asked for before
 * all else and kept after it. */
static inline OFW_BOTH double ofw_ortho_ask(const ofw_ortho_args *k, ofw_lane l, uint32_t j)
{
  uint32_t at;
  return ofw_ortho_column(k, l, &at) && j < k->count ? k->basis[(size_t)j * k->cols + at] : 0.0;
}

static inline OFW_BOTH void ofw_ortho_keep(const ofw_ortho_args *k, ofw_lane l, double asked, ofw_ortho_shared *s)
{
  uint32_t group = l.thread / OFW_LANES, c = l.thread % OFW_LANES;
  s->q[group][c] = asked;
  for (uint32_t j = group + OFW_GROUPS; j < k->count; j += OFW_GROUPS)
    s->q[j][c] = ofw_ortho_ask(k, l, j);
}

/* The block's share of Q' w and |w|^2, in two phases. */
static inline OFW_BOTH void ofw_ortho_products(const ofw_ortho_args *k, ofw_lane l, ofw_ortho_shared *s,
                                               double *products, int phase)
{
  uint32_t c = l.thread % OFW_LANES;
  for (uint32_t j = l.thread / OFW_LANES; j < k->count && phase == 0; j += OFW_GROUPS)
    s->q[j][c] *= s->w[c];
  if (phase == 1 && l.thread < k->count)
    products[l.block * OFW_STRIDE + l.thread] = ofw_sum_apart(s->q[l.thread], OFW_LANES, 1);
  if (phase == 1 && l.thread == OFW_WIDE - 1)
    products[l.block * OFW_STRIDE + k->count] = ofw_product(s->w, s->w, OFW_LANES);
}

/* How a stage begins that needs all blocks' products added up: a group has every so many of the blocks, a lane of it every so
 * many vectors. */
static inline OFW_BOTH void ofw_ortho_open(const ofw_ortho_args *k, ofw_lane l, const double *products,
                                           ofw_ortho_shared *s)
{
  uint32_t at, group = l.thread / OFW_LANES, c = l.thread % OFW_LANES;
  uint32_t mine = ofw_turns(ofw_ortho_blocks(k), group, OFW_GROUPS);
  int there = ofw_ortho_column(k, l, &at);
  double asked = ofw_ortho_ask(k, l, group), w = group == 0 && there ? k->w[at] : 0.0;
  for (uint32_t j = c; j <= k->count; j += OFW_LANES)
    s->part[group][j] = ofw_sum_apart(products + (size_t)group * OFW_STRIDE + j, mine, OFW_GROUPS * OFW_STRIDE);
  ofw_ortho_keep(k, l, asked, s);
  if (group == 0)
    s->w[c] = w;
}

static inline OFW_BOTH void ofw_ortho_totals(const ofw_ortho_args *k, ofw_lane l, ofw_ortho_shared *s)
{
  if (l.thread <= k->count)
    s->product[l.thread] = ofw_ortho_sum(s, l.thread);
}

/* A group's share of Q products, column by column. */
static inline OFW_BOTH void ofw_ortho_shares(const ofw_ortho_args *k, ofw_lane l, ofw_ortho_shared *s)
{
  uint32_t group = l.thread / OFW_LANES, c = l.thread % OFW_LANES;
  double sum = 0.0;
  for (uint32_t j = group; j < k->count; j += OFW_GROUPS)
    sum += s->q[j][c] * s->product[j];
  s->part[group][c] = sum;
}

static inline OFW_BOTH void ofw_collect(const ofw_ortho_args *k, ofw_lane l, ofw_ortho_shared *s, int phase)
{
  uint32_t at, group = l.thread / OFW_LANES, c = l.thread % OFW_LANES;
  int there = ofw_ortho_column(k, l, &at);
  if (phase == 0) {
    double asked = ofw_ortho_ask(k, l, group);
    s->part[group][c] = there ? ofw_sum_apart(k->shares + (size_t)group * k->cols + at,
                                              ofw_turns(k->bands, group, OFW_GROUPS), OFW_GROUPS * k->cols)
                              : 0.0;
    ofw_ortho_keep(k, l, asked, s);
  }
  if (phase == 1 && l.thread < OFW_LANES) {
    s->w[c] = k->bands > 0 ? ofw_ortho_sum(s, c) : there ? ofw_draws(OFW_TERM_NORMAL, k->key, at / 4).at[at % 4] : 0.0;
    if (there)
      k->w[at] = s->w[c];
  }
  if (phase >= 2)
    ofw_ortho_products(k, l, s, k->products[0], phase - 2);
}

static inline OFW_BOTH void ofw_again(const ofw_ortho_args *k, ofw_lane l, ofw_ortho_shared *s, int phase)
{
  uint32_t at, c = l.thread % OFW_LANES;
  int there = ofw_ortho_column(k, l, &at);
  if (phase == 0)
    ofw_ortho_open(k, l, k->products[0], s);
  if (phase == 1)
    ofw_ortho_totals(k, l, s);
  if (phase == 2)
    ofw_ortho_shares(k, l, s);
  if (phase == 3 && l.thread < OFW_LANES) {
    s->w[c] -= ofw_ortho_sum(s, c);
    if (there)
      k->w[at] = s->w[c];
  }
  if (phase >= 4)
    ofw_ortho_products(k, l, s, k->products[1], phase - 4);
}

/* What is left after the second time is orthogonal to the basis but for rounding, so that Pythagoras has its length. One more
 * block adds up the squares. */
static inline OFW_BOTH uint32_t ofw_unit_blocks(const ofw_ortho_args *k)
{
  return ofw_ortho_blocks(k) + 1;
}

static inline OFW_BOTH void ofw_unit_squares(const ofw_ortho_args *k, ofw_lane l, ofw_ortho_shared *s, int phase)
{
  if (phase == 0 && l.thread < OFW_LANES)
    s->w[l.thread] = ofw_sum_apart(k->squares + (size_t)l.thread * k->apart,
                                   ofw_turns(k->squares_count, l.thread, OFW_LANES), OFW_LANES * k->apart);
  if (phase == 1 && l.thread == 0)
    k->found[0] = ofw_sum_apart(s->w, OFW_LANES, 1);
}

static inline OFW_BOTH void ofw_unit(const ofw_ortho_args *k, ofw_lane l, ofw_ortho_shared *s, int phase)
{
  uint32_t at, c = l.thread % OFW_LANES;
  int there = ofw_ortho_column(k, l, &at);
  if (l.block == ofw_ortho_blocks(k)) {
    ofw_unit_squares(k, l, s, phase);
    return;
  }
  if (phase == 0)
    ofw_ortho_open(k, l, k->products[1], s);
  if (phase == 1)
    ofw_ortho_totals(k, l, s);
  if (phase == 2) {
    ofw_ortho_shares(k, l, s);
    if (l.thread == OFW_WIDE - 1) {
      double square = s->product[k->count] - ofw_product(s->product, s->product, k->count);
      s->length = square > 0.0 || square != square ? sqrt(square) : 0.0;
    }
  }
  if (phase == 3 && l.thread < OFW_LANES && there)
    k->basis[(size_t)k->count * k->cols + at] = (s->w[c] - ofw_ortho_sum(s, c)) / s->length;
  if (phase == 3 && l.block == 0 && l.thread == OFW_WIDE - 1)
    k->found[1] = s->length;
}

/* ---- w alone, after one pass: its bands' shares added up ---- */

static inline OFW_BOTH void ofw_add_shares(const ofw_ortho_args *k, ofw_lane l)
{
  OFW_EACH_QUAD(c, l, k->cols) k->w[c] = ofw_sum_apart(k->shares + c, k->bands, k->cols);
}

/* ---- a whole search: a random direction first, if that is asked for, then steps for one slot after another ----
 *
 * As many as the program grants (machine.h). Each has a reply: |A v|^2 or |the direction|^2, and |w|.
 */

typedef struct ofw_search_args {
  ofw_pass_args pass;
  ofw_ortho_args ortho;
  double *image;        /* A v_j, one after the other */
  uint32_t first, most; /* slots */
  int draw;
  ofw_reply *reply;
  uint32_t replies;
  uint64_t ticket; /* of the direction; that of slot j is j - first + 1 later */
} ofw_search_args;

static inline OFW_BOTH ofw_pass_args ofw_search_pass(const ofw_search_args *a, uint32_t slot)
{
  ofw_pass_args k = a->pass;
  k.v = a->ortho.basis + (size_t)slot * k.cols;
  k.u = a->image + (size_t)slot * k.rows;
  return k;
}

static inline OFW_BOTH ofw_ortho_args ofw_search_ortho(const ofw_search_args *a, uint32_t slot, int draw)
{
  ofw_ortho_args k = a->ortho;
  k.count = draw ? slot : slot + 1;
  k.bands = draw ? 0 : ofw_pass_bands(&a->pass);
  k.squares = draw ? k.products[0] + slot : a->pass.squares;
  k.squares_count = draw ? ofw_ortho_blocks(&k) : k.bands;
  k.apart = draw ? OFW_STRIDE : 1;
  return k;
}

static inline OFW_BOTH void ofw_search_reply(const ofw_search_args *a, uint32_t slot, int draw)
{
  uint64_t ticket = a->ticket + (draw ? 0 : slot - a->first + 1);
  ofw_answer_now(&a->reply[ticket % a->replies], a->ortho.found[0], a->ortho.found[1], ticket);
}

/* ---- out_i = sum_j y_ij x_j for n vectors of `length` numbers; y_i begins at y + (n - 1 - i) k ---- */

typedef struct ofw_rotate_args {
  uint32_t k, n, length;
  const double *x, *y;
  double *out;
} ofw_rotate_args;

static inline OFW_BOTH void ofw_rotate(const ofw_rotate_args *a, ofw_lane l)
{
  OFW_EACH_QUAD(at, l, a->n * a->length)
  {
    uint32_t i = at / a->length, c = at % a->length;
    double sum = 0.0;
    for (uint32_t j = 0; j < a->k; j++)
      sum += a->y[(a->n - 1 - i) * a->k + j] * a->x[(size_t)j * a->length + c];
    a->out[at] = sum;
  }
}

/* ---- u and v of a singular pair: sums over the two bases, with the squares of each block; then divided by their lengths ----
 *
 * u has the first blocks, v those from `split` on.
 */

typedef struct ofw_pair_args {
  uint32_t k, rows, cols, split;
  const double *image, *basis;
  double y[OFW_STRIDE];
  double *u, *v, *squares;
  double *here_u, *here_v; /* the same in memory that both see */
  ofw_report to;
} ofw_pair_args;

enum { OFW_COMPOSE_PHASES = 3, OFW_NORMALISE_PHASES = 4 };

static inline OFW_BOTH void ofw_compose(const ofw_pair_args *a, ofw_lane l, ofw_sums *s, int phase)
{
  int right = l.block >= a->split;
  uint32_t length = right ? a->cols : a->rows, at = (l.block - (right ? a->split : 0)) * OFW_THREADS + l.thread;
  const double *x = right ? a->basis : a->image;
  double sum = 0.0;
  if (phase == 0) {
    for (uint32_t j = 0; at < length && j < a->k; j++)
      sum += a->y[j] * x[(size_t)j * length + at];
    if (at < length)
      (right ? a->v : a->u)[at] = sum;
    s->value[0][l.thread] = sum * sum;
  }
  if (phase == 1 && l.thread < OFW_LANES)
    ofw_fold_lanes(&a->to, l.thread, s);
  if (phase == 2 && l.thread == 0)
    a->squares[l.block] = ofw_fold_parts(&a->to, 0, s);
}

static inline OFW_BOTH void ofw_normalise(const ofw_pair_args *a, ofw_lane l, ofw_sums *s, int phase)
{
  int right = l.block >= a->split;
  uint32_t first = right ? a->split : 0, end = right ? l.blocks : a->split;
  uint32_t length = right ? a->cols : a->rows, at = (l.block - first) * OFW_THREADS + l.thread;
  if (phase == 0) {
    s->value[0][l.thread] = 0.0;
    for (uint32_t block = first + l.thread; block < end; block += OFW_THREADS)
      s->value[0][l.thread] += a->squares[block];
  }
  if (phase == 1 && l.thread < OFW_LANES)
    ofw_fold_lanes(&a->to, l.thread, s);
  if (phase == 2 && at < length) {
    double *out = right ? a->v : a->u, *here = right ? a->here_v : a->here_u;
    out[at] /= sqrt(ofw_fold_parts(&a->to, 0, s));
    here[at] = out[at];
    ofw_fence_all();
  }
  if (phase == 3 && l.thread == 0 && ofw_is_last(a->to.counter, l.blocks))
    ofw_answer_now(a->to.reply, 0.0, 0.0, a->to.ticket);
}

/* ---- all kernels but the search: name, what it is told, what the threads of a block share, how many they are, phases ---- */

#define OFW_KERNELS(simple, phased, own)                                                                         \
  simple(blend, ofw_blend_args) simple(add, ofw_add_args) simple(add_sparse, ofw_add_sparse_args)                \
      simple(step, ofw_step_args) simple(rotate, ofw_rotate_args) simple(add_shares, ofw_ortho_args)             \
          phased(segment, ofw_segment_args, ofw_sums, OFW_SUM_PHASES)                                            \
              phased(lead, ofw_lead_args, ofw_sums, OFW_SUM_PHASES)                                              \
                  phased(dot_term, ofw_dot_args, ofw_sums, OFW_SUM_PHASES)                                       \
                      phased(dot_sparse, ofw_dot_sparse_args, ofw_sums, OFW_SUM_PHASES)                          \
                          phased(measure, ofw_measure_args, ofw_sums, OFW_SUM_PHASES)                            \
                              phased(gather, ofw_gather_args, ofw_nothing, OFW_GATHER_PHASES)                    \
                                  phased(compose, ofw_pair_args, ofw_sums, OFW_COMPOSE_PHASES)                   \
                                      phased(normalise, ofw_pair_args, ofw_sums, OFW_NORMALISE_PHASES)           \
                                          own(pass_body, ofw_pass_args, ofw_pass_shared, ofw_pass_own, OFW_WIDE, \
                                              OFW_PASS_PHASES)
