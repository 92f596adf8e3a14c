/* body_search.h — a search for the top singular pair of A = half rest d, as its kernels are told of it
 *
 * The search is linalg/lanczos.h's: v_j, one after the other, is the basis Q, and the A v_j are the image. A vector is made
 * orthogonal to the basis twice. The products of the first time come for nothing, since <v_j, A'u> = <A v_j, u>. Those of the
 * second time correct a vector that the next pass has used already, since A is linear. So a step has two stages only:
 *
 *     pass    length = |w - Q q|,  u = (A w - image q) / length     p = image' u, band by band; the bands' shares of A'u
 *     ortho   v = (w - Q q) / length                                w = A'u - Q p;  q = Q' w and |w|^2, block by block
 *
 * with p in products[0] and q in products[1]. Then one block tells the program two numbers, and no other waits for it.
 */
#pragma once

#include "reply.h"

enum {
  OFW_GROUPS = OFW_WIDE / OFW_LANES,
  OFW_BAND = 8,    /* rows that a block of a pass has */
  OFW_STRIDE = 136 /* a block's products: room for those with OFW_CUDA_BASIS vectors, and for |w|^2 */
};

typedef struct ofw_search_args {
  const void *d;
  int floats; /* d has them */
  uint32_t rows, cols;
  double half, rest;
  double *basis, *image; /* cols apart, rows apart */
  double *w;
  double *shares; /* cols per band */
  double *products
      [3]; /* OFW_STRIDE per block; the last two by turns: blocks read those of one slot and write the next one's */
  double *totals;    /* q added up, and the length behind it: what a pass has found of it, for the stage that follows */
  double *found;     /* |A v|^2, or |the direction|^2 */
  ofw_rng_key key;   /* of a random direction */
  uint32_t *counter; /* of blocks that have ended */
  ofw_reply *reply;  /* for tickets by turns */
  uint32_t replies;
} ofw_search_args;

/* One step of it. */
typedef struct ofw_search_at {
  uint32_t slot;
  int draw;    /* w is a random direction, and slot `slot` is not there yet; 0: a pass comes first */
  int pending; /* v of the slot is w - Q q over its length; 0: it is in the basis */
  int settle;  /* v of the slot is written, and nothing else is done */
  uint64_t ticket;
} ofw_search_at;

/* What a kernel of one step is told. */
typedef struct ofw_search_task {
  ofw_search_args of;
  ofw_search_at at;
} ofw_search_task;

static inline OFW_BOTH uint32_t ofw_pass_bands(const ofw_search_args *k)
{
  return k->rows / OFW_BAND + (k->rows % OFW_BAND > 0);
}

/* A block of the other stages has 32 columns. */
static inline OFW_BOTH uint32_t ofw_ortho_blocks(const ofw_search_args *k)
{
  return k->cols / OFW_LANES + (k->cols % OFW_LANES > 0);
}

/* q of a slot. */
static inline OFW_BOTH double *ofw_search_q(const ofw_search_args *k, uint32_t slot)
{
  return k->products[1 + slot % 2];
}

/* How many of n are one group's, if the groups take them by turns. */
static inline OFW_BOTH uint32_t ofw_turns(uint32_t n, uint32_t first, uint32_t of)
{
  return first < n ? (n - first - 1) / of + 1 : 0;
}

/* The first eight of n numbers `apart` from each other: a GPU asks for all of them before it waits for one. */
typedef struct ofw_eight {
  double at[8];
} ofw_eight;

static inline OFW_BOTH ofw_eight ofw_ask(const double *a, uint32_t n, uint32_t apart)
{
  ofw_eight e;
  for (uint32_t k = 0; k < 8; k++)
    e.at[k] = k < n ? a[(size_t)k * apart] : 0.0;
  return e;
}

/* The sum of all of them. */
static inline OFW_BOTH double ofw_sum_asked(ofw_eight e, const double *a, uint32_t n, uint32_t apart)
{
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  for (uint32_t i = 0; i < n; i += 8) {
    if (i > 0)
      e = ofw_ask(a + (size_t)i * apart, n - i, apart);
    for (uint32_t k = 0; k < 8; k++)
      sum[k % 4] += e.at[k];
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static inline OFW_BOTH double ofw_sum_apart(const double *a, uint32_t n, uint32_t apart)
{
  return ofw_sum_asked(ofw_ask(a, n, apart), a, n, apart);
}

static inline OFW_BOTH double ofw_product(const double *a, uint32_t apart, const double *b, uint32_t n)
{
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  uint32_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (uint32_t k = 0; k < 4; k++)
      sum[k] += a[(i + k) * apart] * b[i + k];
  for (; i < n; i++)
    sum[0] += a[i * apart] * b[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* The blocks' products with vectors 0 .. last, which a stage needs added up. A group has every so many blocks, and a lane of it
 * every so many vectors. They are asked for before anything else is waited for, and kept later. */
typedef struct ofw_sharers {
  const double *products;
  uint32_t blocks, last;
} ofw_sharers;

static inline OFW_BOTH const double *ofw_search_mine(ofw_sharers from, uint32_t thread, uint32_t j, uint32_t *n)
{
  uint32_t group = thread / OFW_LANES;
  *n = j <= from.last ? ofw_turns(from.blocks, group, OFW_GROUPS) : 0;
  return from.products + (size_t)group * OFW_STRIDE + j;
}

static inline OFW_BOTH ofw_eight ofw_search_ask(ofw_sharers from, uint32_t thread)
{
  uint32_t n;
  const double *mine = ofw_search_mine(from, thread, thread % OFW_LANES, &n);
  return ofw_ask(mine, n, OFW_GROUPS * OFW_STRIDE);
}

static inline OFW_BOTH void ofw_search_keep(ofw_sharers from, uint32_t thread, ofw_eight asked,
                                            double part[OFW_GROUPS][OFW_STRIDE])
{
  uint32_t n, j = thread % OFW_LANES;
  const double *mine = ofw_search_mine(from, thread, j, &n);
  part[thread / OFW_LANES][j] = ofw_sum_asked(asked, mine, n, OFW_GROUPS * OFW_STRIDE);
  for (j += OFW_LANES; j <= from.last; j += OFW_LANES) {
    mine = ofw_search_mine(from, thread, j, &n);
    part[thread / OFW_LANES][j] = ofw_sum_apart(mine, n, OFW_GROUPS * OFW_STRIDE);
  }
}

static inline OFW_BOTH double ofw_search_total(const double *part, uint32_t j)
{
  return ofw_sum_apart(part + j, OFW_GROUPS, OFW_STRIDE);
}

/* |w - Q q| by n numbers q and |w|^2 behind them: what is left is orthogonal to the basis but for rounding, so that
 * Pythagoras has its length. By a group of threads. */
static inline OFW_BOTH double ofw_search_length(const double *q, uint32_t n, uint32_t lane)
{
  double square = q[n] - ofw_group_sum(q, q, n, lane);
  return square > 0.0 || square != square ? sqrt(square) : 0.0;
}

/* ---- a whole search: a random direction first, if that is asked for, then steps for one slot after another ---- */

typedef struct ofw_search_plan {
  ofw_search_args of;
  ofw_search_at first; /* its ticket is that of the direction; that of slot j is j - the first + 1 later */
  uint32_t most;       /* slots */
  uint32_t narrow;     /* so many blocks search in a copy (body_narrow.h); 0: all of them in d */
  int wide;            /* in one of 32 bits, not of 16 */
  /* Of a narrow search only: the grants (machine.h), and what is told when it has ended. */
  const volatile uint32_t *granted;
  ofw_reply *left;
  uint64_t left_ticket;
} ofw_search_plan;

/* As many steps as the program grants (machine.h). */
static inline OFW_BOTH ofw_search_at ofw_search_step(const ofw_search_plan *p, uint32_t slot, int draw)
{
  const ofw_search_at *first = &p->first;
  ofw_search_at at = {slot, draw, !draw && (slot > first->slot || first->draw || first->pending), 0,
                      first->ticket + (draw ? 0 : slot - first->slot + 1)};
  return at;
}
