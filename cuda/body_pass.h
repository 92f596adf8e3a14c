/* body_pass.h — a pass: u = A v and, band by band, the band's shares of w = A'u and of image' u, with one read of A
 *
 * If v is still w - Q q over its length, u is (A w - image q) over it (body_search.h).
 */
#pragma once

#include "body_search.h"

enum {
  OFW_TILE = 4, /* columns that a thread has of each row: those of the last tile stay in its registers */
  OFW_PASS_PHASES = 4
};

typedef struct ofw_pass_own {
  double a[OFW_BAND][OFW_TILE];
  int held; /* the band is in a already */
} ofw_pass_own;

typedef struct ofw_pass_shared {
  double value[OFW_BAND][OFW_WIDE];
  double part[OFW_BAND][OFW_LANES + 1];      /* one more, so that rows begin in other banks */
  double image[OFW_BAND][OFW_STRIDE];        /* the band's rows */
  double correction[OFW_GROUPS][OFW_STRIDE]; /* the groups' shares of q */
  double q[OFW_STRIDE];
  double u[OFW_BAND];
} ofw_pass_shared;

static inline OFW_BOTH uint32_t ofw_pass_tiles(const ofw_search_args *k)
{
  return k->cols / (OFW_WIDE * OFW_TILE) + (k->cols % (OFW_WIDE * OFW_TILE) > 0);
}

static inline OFW_BOTH void ofw_pass_read(const ofw_search_args *k, ofw_lane l, uint32_t tile, ofw_pass_own *own,
                                          int floats)
{
  for (uint32_t r = 0; r < OFW_BAND; r++)
    for (uint32_t t = 0; t < OFW_TILE; t++) {
      uint32_t row = l.block * OFW_BAND + r, col = (tile * OFW_TILE + t) * OFW_WIDE + l.thread;
      int there = row < k->rows && col < k->cols;
      own->a[r][t] = there ? ofw_get(k->d, (size_t)row * k->cols + col, floats) * k->half * k->rest : 0.0;
    }
}

static inline OFW_BOTH void ofw_pass_load(const ofw_search_args *k, ofw_lane l, uint32_t tile, ofw_pass_own *own)
{
  if (k->floats)
    ofw_pass_read(k, l, tile, own, 1);
  else
    ofw_pass_read(k, l, tile, own, 0);
}

/* Number i of the band's part of the image, vector by vector. */
static inline OFW_BOTH double ofw_pass_image(const ofw_search_args *k, ofw_search_at at, ofw_lane l, uint32_t i)
{
  uint32_t j = i / OFW_BAND, row = l.block * OFW_BAND + i % OFW_BAND;
  return j < at.slot && row < k->rows ? k->image[(size_t)j * k->rows + row] : 0.0;
}

static inline OFW_BOTH void ofw_pass_products(const ofw_search_args *k, ofw_search_at at, ofw_lane l, ofw_pass_own *own,
                                              ofw_pass_shared *s)
{
  const double *from = at.pending ? k->w : k->basis + (size_t)at.slot * k->cols;
  const ofw_sharers q = {ofw_search_q(k, at.slot), at.pending ? ofw_ortho_blocks(k) : 0, at.slot};
  double sum[OFW_BAND] = {0.0};
  double image = ofw_pass_image(k, at, l, l.thread);
  ofw_eight correction = ofw_search_ask(q, l.thread);
  for (uint32_t tile = 0; tile < ofw_pass_tiles(k); tile++) {
    double v[OFW_TILE];
    for (uint32_t t = 0; t < OFW_TILE; t++) {
      uint32_t col = (tile * OFW_TILE + t) * OFW_WIDE + l.thread;
      v[t] = col < k->cols ? from[col] : 0.0;
    }
    if (!own->held)
      ofw_pass_load(k, l, tile, own);
    for (uint32_t t = 0; t < OFW_TILE; t++)
      for (uint32_t r = 0; r < OFW_BAND; r++)
        sum[r] = fma(own->a[r][t], v[t], sum[r]);
  }
  for (uint32_t r = 0; r < OFW_BAND; r++)
    s->value[r][l.thread] = sum[r];
  s->image[l.thread % OFW_BAND][l.thread / OFW_BAND] = image;
  for (uint32_t i = l.thread + OFW_WIDE; i < at.slot * OFW_BAND; i += OFW_WIDE)
    s->image[i % OFW_BAND][i / OFW_BAND] = ofw_pass_image(k, at, l, i);
  ofw_search_keep(q, l.thread, correction, s->correction);
}

/* A group of threads has one row. */
static inline OFW_BOTH void ofw_pass_find_u(const ofw_search_args *k, ofw_search_at at, ofw_lane l, ofw_pass_shared *s)
{
  uint32_t r = l.thread / OFW_LANES, lane = l.thread % OFW_LANES, row = l.block * OFW_BAND + r;
  if (!ofw_joins(lane))
    return;
  double u = ofw_group_sum(s->part[r], NULL, OFW_LANES, lane);
  if (at.pending) {
    double length = ofw_search_length(s->q, at.slot, lane);
    u = (u - ofw_group_sum(s->image[r], s->q, at.slot, lane)) / length;
    if (l.block == 0 && l.thread == 0)
      k->totals[at.slot + 1] = length;
  }
  if (lane > 0)
    return;
  s->u[r] = row < k->rows ? u : 0.0;
  if (row < k->rows)
    k->image[(size_t)at.slot * k->rows + row] = u;
}

static inline OFW_BOTH void ofw_pass_share(const ofw_search_args *k, ofw_search_at at, ofw_lane l, ofw_pass_own *own,
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
  double *p = k->products[0] + (size_t)l.block * OFW_STRIDE;
  if (l.thread < at.slot)
    p[l.thread] = ofw_product(&s->image[0][l.thread], OFW_STRIDE, s->u, OFW_BAND);
  if (l.thread == OFW_WIDE - 1)
    p[at.slot] = ofw_product(s->u, 1, s->u, OFW_BAND);
}

static inline OFW_BOTH void ofw_pass_body(const ofw_search_args *k, ofw_search_at at, ofw_lane l, ofw_pass_own *own,
                                          ofw_pass_shared *s, int phase)
{
  uint32_t group = l.thread / OFW_LANES, lane = l.thread % OFW_LANES, j = l.thread - OFW_WIDE / 2;
  if (phase == 0)
    ofw_pass_products(k, at, l, own, s);
  if (phase == 1 && group < OFW_BAND)
    s->part[group][lane] = ofw_sum_apart(s->value[group] + lane, OFW_WIDE / OFW_LANES, OFW_LANES);
  if (phase == 1 && group >= OFW_BAND && at.pending && j <= at.slot) /* the other half of the threads */
    s->q[j] = ofw_search_total(s->correction[0], j);
  if (phase == 2 && group < OFW_BAND)
    ofw_pass_find_u(k, at, l, s);
  if (phase == 2 && l.block == 0 && group >= OFW_BAND && at.pending && j <= at.slot)
    k->totals[j] = s->q[j];
  if (phase == 3)
    ofw_pass_share(k, at, l, own, s);
}

/* ---- w alone, after one pass: its bands' shares added up ---- */

static inline OFW_BOTH void ofw_add_shares(const ofw_search_args *k, ofw_lane l)
{
  OFW_EACH_ITEM(c, l, k->cols) k->w[c] = ofw_sum_apart(k->shares + c, ofw_pass_bands(k), k->cols);
}
