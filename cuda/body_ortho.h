/* body_ortho.h — what follows a pass: w is added up and made orthogonal to the basis once, and its v is written (body_search.h)
 *
 * A block has 32 columns of everything, and a group of threads has every so many vectors.
 */
#pragma once

#include "body_search.h"
#include "term.h"

enum {
  OFW_ORTHO_PHASES = 6,
  OFW_DIRECTION_PHASES = 2,
  OFW_TELL_PHASES = 3,
  OFW_FINISH_PHASES = OFW_ORTHO_PHASES + 1 + OFW_TELL_PHASES
};

typedef struct ofw_ortho_shared {
  double q[OFW_STRIDE][OFW_LANES + 1];    /* the block's columns of Q */
  double part[2][OFW_GROUPS][OFW_STRIDE]; /* what the groups have found: of the products p and q; then of Q p and Q q */
  double share[OFW_GROUPS][OFW_LANES];    /* of A'u */
  double before[OFW_LANES], w[OFW_LANES];
  double sum[3][OFW_LANES];      /* Q p, Q q, A'u */
  double product[2][OFW_STRIDE]; /* p, q */
  double length;
  int last; /* the block comes last of all, and tells */
} ofw_ortho_shared;

/* A thread's column of the block; 0: there is none. */
static inline OFW_BOTH int ofw_ortho_column(const ofw_search_args *k, ofw_lane l, uint32_t *col)
{
  *col = l.block * OFW_LANES + l.thread % OFW_LANES;
  return *col < k->cols;
}

/* Vector j of Q, of the n that are there, at a thread's column. */
static inline OFW_BOTH double ofw_ortho_ask(const ofw_search_args *k, ofw_lane l, uint32_t j, uint32_t n)
{
  uint32_t col;
  return ofw_ortho_column(k, l, &col) && j < n ? k->basis[(size_t)j * k->cols + col] : 0.0;
}

static inline OFW_BOTH void ofw_ortho_keep(const ofw_search_args *k, ofw_lane l, uint32_t n, double asked,
                                           ofw_ortho_shared *s)
{
  uint32_t group = l.thread / OFW_LANES, c = l.thread % OFW_LANES;
  s->q[group][c] = asked;
  for (uint32_t j = group + OFW_GROUPS; j < n; j += OFW_GROUPS)
    s->q[j][c] = ofw_ortho_ask(k, l, j, n);
}

static inline OFW_BOTH double ofw_ortho_drawn(const ofw_search_args *k, uint32_t col)
{
  return ofw_draws(OFW_TERM_NORMAL, k->key, col / 4).at[col % 4];
}

/* The block's share of Q' w for n vectors, of which a group of threads has every so many, and of |w|^2. */
static inline OFW_BOTH void ofw_ortho_products(ofw_lane l, uint32_t n, const ofw_ortho_shared *s, double *products)
{
  uint32_t group = l.thread / OFW_LANES, lane = l.thread % OFW_LANES;
  double *out = products + (size_t)l.block * OFW_STRIDE;
  if (!ofw_joins(lane))
    return;
  for (uint32_t j = OFW_GROUPS - 1 - group; j <= n; j += OFW_GROUPS) {
    double sum = ofw_group_sum(j < n ? s->q[j] : s->w, s->w, OFW_LANES, lane);
    if (lane == 0)
      out[j] = sum;
  }
}

/* ---- a random direction behind a basis: its products with it ---- */

static inline OFW_BOTH void ofw_direction(const ofw_search_args *k, ofw_search_at at, ofw_lane l, ofw_ortho_shared *s,
                                          int phase)
{
  uint32_t col;
  int there = ofw_ortho_column(k, l, &col);
  if (phase == 0) {
    ofw_ortho_keep(k, l, at.slot, ofw_ortho_ask(k, l, l.thread / OFW_LANES, at.slot), s);
    if (l.thread < OFW_LANES)
      s->w[l.thread] = there ? ofw_ortho_drawn(k, col) : 0.0;
  } else
    ofw_ortho_products(l, at.slot, s, k->products[0]);
}

/* ---- v and the next w ---- */

/* Vectors that are there before. */
static inline OFW_BOTH uint32_t ofw_ortho_count(ofw_search_at at)
{
  return at.slot + (!at.pending && !at.draw);
}

/* p, of those blocks that have found shares of it. */
static inline OFW_BOTH ofw_sharers ofw_ortho_p(const ofw_search_args *k, ofw_search_at at)
{
  uint32_t drawn = at.slot > 0 ? ofw_ortho_blocks(k) : 0;
  ofw_sharers p = {k->products[0], at.settle ? 0 : at.draw ? drawn : ofw_pass_bands(k), at.slot};
  return p;
}

static inline OFW_BOTH ofw_sharers ofw_ortho_q(const ofw_search_args *k, uint32_t slot)
{
  ofw_sharers q = {ofw_search_q(k, slot), ofw_ortho_blocks(k), slot};
  return q;
}

static inline OFW_BOTH void ofw_ortho_open(const ofw_search_args *k, ofw_search_at at, ofw_lane l, ofw_ortho_shared *s)
{
  uint32_t col, group = l.thread / OFW_LANES, c = l.thread % OFW_LANES, n = ofw_ortho_count(at), apart = k->cols;
  int there = ofw_ortho_column(k, l, &col);
  ofw_sharers p = ofw_ortho_p(k, at), q = ofw_ortho_q(k, at.slot);
  uint32_t bands = there && !at.draw && !at.settle ? ofw_turns(ofw_pass_bands(k), group, OFW_GROUPS) : 0;
  const double *shares = k->shares + (size_t)group * apart + col;
  ofw_eight share = ofw_ask(shares, bands, OFW_GROUPS * apart);
  ofw_eight first = ofw_search_ask(p, l.thread);
  double total = at.pending && !at.settle && l.thread <= at.slot + 1 ? k->totals[l.thread] : 0.0;
  double vector = ofw_ortho_ask(k, l, group, n), before = at.pending && there && group == 0 ? k->w[col] : 0.0;
  s->share[group][c] = ofw_sum_asked(share, shares, bands, OFW_GROUPS * apart);
  if (group == 0 && there && at.draw)
    s->share[0][c] = ofw_ortho_drawn(k, col);
  if (group == 0)
    s->before[c] = before;
  ofw_ortho_keep(k, l, n, vector, s);
  ofw_search_keep(p, l.thread, first, s->part[0]);
  if (at.settle) /* no pass came first */
    ofw_search_keep(q, l.thread, ofw_search_ask(q, l.thread), s->part[1]);
  else if (l.thread <= at.slot)
    s->product[1][l.thread] = total;
  else if (l.thread == at.slot + 1)
    s->length = total;
}

static inline OFW_BOTH void ofw_ortho_totals(ofw_search_at at, ofw_lane l, ofw_ortho_shared *s)
{
  uint32_t half = l.thread / (OFW_WIDE / 2), j = l.thread % (OFW_WIDE / 2);
  if (j <= at.slot && (half == 0 || at.settle))
    s->product[half][j] = ofw_search_total(s->part[half][0], j);
}

/* A group's shares of Q p and Q q, column by column. */
static inline OFW_BOTH void ofw_ortho_shares(ofw_search_at at, ofw_lane l, ofw_ortho_shared *s)
{
  uint32_t group = l.thread / OFW_LANES, c = l.thread % OFW_LANES;
  double sum[2] = {0.0, 0.0};
  for (uint32_t j = group; j < ofw_ortho_count(at); j += OFW_GROUPS)
    for (int which = 0; which < 2; which++)
      sum[which] += s->q[j][c] * s->product[which][j];
  s->part[0][group][c] = sum[0];
  s->part[1][group][c] = sum[1];
  if (group == OFW_GROUPS - 1 && at.settle && ofw_joins(c)) {
    double length = ofw_search_length(s->product[1], at.slot, c);
    if (c == 0)
      s->length = length;
  }
}

/* Three groups of threads add up one sum each. */
static inline OFW_BOTH void ofw_ortho_sums(ofw_lane l, ofw_ortho_shared *s)
{
  uint32_t group = l.thread / OFW_LANES, c = l.thread % OFW_LANES;
  if (group < 2)
    s->sum[group][c] = ofw_search_total(s->part[group][0], c);
  else if (group == 2)
    s->sum[2][c] = ofw_sum_apart(&s->share[0][c], OFW_GROUPS, OFW_LANES);
}

static inline OFW_BOTH void ofw_ortho_write(const ofw_search_args *k, ofw_search_at at, ofw_lane l, ofw_ortho_shared *s)
{
  uint32_t col, c = l.thread;
  int there = ofw_ortho_column(k, l, &col);
  double v = 0.0;
  if (at.pending && there) {
    v = (s->before[c] - s->sum[1][c]) / s->length;
    k->basis[(size_t)at.slot * k->cols + col] = v;
  }
  if (at.settle)
    return;
  double w = s->sum[2][c] - s->sum[0][c];
  if (at.pending) {
    s->q[at.slot][c] = v;
    w -= v * s->product[0][at.slot];
  }
  s->w[c] = w;
  if (there)
    k->w[col] = w;
  if (c == 0 && l.block == 0)
    *k->found = s->product[0][at.slot];
}

static inline OFW_BOTH void ofw_ortho(const ofw_search_args *k, ofw_search_at at, ofw_lane l, ofw_ortho_shared *s,
                                      int phase)
{
  uint32_t n = at.draw ? at.slot : at.slot + 1;
  if (phase == 0)
    ofw_ortho_open(k, at, l, s);
  if (phase == 1)
    ofw_ortho_totals(at, l, s);
  if (phase == 2)
    ofw_ortho_shares(at, l, s);
  if (phase == 3)
    ofw_ortho_sums(l, s);
  if (phase == 4 && l.thread < OFW_LANES)
    ofw_ortho_write(k, at, l, s);
  if (phase == 5 && !at.settle)
    ofw_ortho_products(l, n, s, ofw_search_q(k, n));
}

/* ---- for the program, by one block: |A v|^2 or |the direction|^2, and the length of the next v ---- */

static inline OFW_BOTH void ofw_tell(const ofw_search_args *k, ofw_search_at at, ofw_lane l, ofw_ortho_shared *s,
                                     int phase)
{
  uint32_t n = at.draw ? at.slot : at.slot + 1;
  ofw_sharers q = ofw_ortho_q(k, n);
  if (phase == 0)
    ofw_search_keep(q, l.thread, ofw_search_ask(q, l.thread), s->part[1]);
  if (phase == 1 && l.thread <= n)
    s->product[1][l.thread] = ofw_search_total(s->part[1][0], l.thread);
  if (phase == 2 && l.thread < OFW_LANES && ofw_joins(l.thread)) {
    double length = ofw_search_length(s->product[1], n, l.thread);
    if (l.thread == 0)
      ofw_answer_now(&k->reply[at.ticket % k->replies], *k->found, length, at.ticket);
  }
}

/* ---- the two in one kernel, whose last block tells ---- */

static inline OFW_BOTH void ofw_finish(const ofw_search_args *k, ofw_search_at at, ofw_lane l, ofw_ortho_shared *s,
                                       int phase)
{
  if (phase < OFW_ORTHO_PHASES)
    ofw_ortho(k, at, l, s, phase);
  if (phase == OFW_ORTHO_PHASES && l.thread == 0) {
    ofw_fence();
    s->last = !at.settle && ofw_is_last(k->counter, l.blocks);
  }
  if (phase > OFW_ORTHO_PHASES && s->last)
    ofw_tell(k, at, l, s, phase - OFW_ORTHO_PHASES - 1);
}
