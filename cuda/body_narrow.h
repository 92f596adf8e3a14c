/* body_narrow.h — the stages of a search in a copy of d (body_narrow_copy.h)
 *
 * The stages are those of body_search.h. Here a block has the same rows and the same columns in all of them: it keeps what it has
 * found of the first OFW_NARROW_KEPT vectors, and reads what comes after them again.
 */
#pragma once

#include "body_narrow_copy.h"

/* ---- u = B v ---- */

/* A thread's chunk; what is behind the last column is 0 in v, and any number will do. */
static inline OFW_BOTH uint32_t ofw_narrow_chunk(const ofw_narrow *b, uint32_t slice, uint32_t lane)
{
  uint32_t chunk = slice * OFW_LANES + lane;
  return chunk < b->stride / OFW_CHUNK ? chunk : 0;
}

/* v of a thread, and its sum. */
static inline OFW_BOTH double ofw_narrow_vector(const ofw_search_args *k, const ofw_narrow *b, uint32_t slice,
                                                uint32_t lane, double v[OFW_CHUNK])
{
  uint32_t first = (slice * OFW_LANES + lane) * OFW_CHUNK;
  double sum = 0.0;
  for (uint32_t t = 0; t < OFW_CHUNK; t += 4) {
    ofw_quad q = {{0.0, 0.0, 0.0, 0.0}};
    if (first < b->stride) /* zeros follow w */
      q = ofw_load(k->w, (first + t) / 4);
    for (uint32_t i = 0; i < 4; i++) {
      v[t + i] = q.at[i];
      sum += q.at[i];
    }
  }
  return sum;
}

/* A thread's shares of eight rows' products. */
static inline OFW_BOTH void ofw_narrow_dots(const ofw_narrow *b, uint32_t chunk, uint32_t first,
                                            const double v[OFW_CHUNK], double sum[OFW_AT_ONCE])
{
  for (uint32_t i = 0; i < OFW_AT_ONCE; i++)
    sum[i] = 0.0;
  for (int part = 0; part < OFW_CHUNK / ofw_narrow_part(b); part++) {
    ofw_chunk c[OFW_AT_ONCE];
    for (uint32_t i = 0; i < OFW_AT_ONCE; i++)
      c[i] = ofw_narrow_load(b, first + i < b->rows ? first + i : b->rows - 1, chunk, part);
    for (int t = 0; t < ofw_narrow_part(b); t++)
      for (uint32_t i = 0; i < OFW_AT_ONCE; i++)
        sum[i] = fma(ofw_narrow_read(b, &c[i], t), v[part * ofw_narrow_part(b) + t], sum[i]);
  }
}

/* One slice's shares of the products of one half of the rows, eight at a time, added up over the lanes. */
static inline OFW_BOTH void ofw_narrow_slice(const ofw_search_args *k, const ofw_narrow *b, uint32_t slice,
                                             uint32_t half, uint32_t lane)
{
  uint32_t rows = b->rows / 2, from = half * rows;
#ifdef __CUDA_ARCH__
  double v[OFW_CHUNK], offset = ofw_narrow_vector(k, b, slice, lane, v);
  uint32_t chunk = ofw_narrow_chunk(b, slice, lane);
  for (uint32_t first = 0; first < rows; first += OFW_AT_ONCE) {
    double sum[OFW_AT_ONCE];
    ofw_narrow_dots(b, chunk, from + first, v, sum);
#pragma unroll
    for (int n = 4, apart = OFW_LANES / 2; n > 0; n /= 2, apart /= 2)
#pragma unroll
      for (int i = 0; i < n; i++) {
        double mine = lane & apart ? sum[i + n] : sum[i], other = lane & apart ? sum[i] : sum[i + n];
        sum[i] = mine + __shfl_xor_sync(0xffffffffu, other, apart);
      }
    sum[0] += __shfl_xor_sync(0xffffffffu, sum[0], 2);
    sum[0] += __shfl_xor_sync(0xffffffffu, sum[0], 1);
    if (lane % 4 == 0 && first + lane / 4 < rows)
      b->s->slice[slice][from + first + lane / 4] = sum[0];
  }
  for (int apart = OFW_LANES / 2; apart > 0; apart /= 2)
    offset += __shfl_xor_sync(0xffffffffu, offset, apart);
#else
  double sum[OFW_LANES][OFW_AT_ONCE], v[OFW_LANES][OFW_CHUNK], offset = 0.0, offsets[OFW_LANES];
  for (uint32_t i = 0; i < OFW_LANES; i++)
    offsets[i] = ofw_narrow_vector(k, b, slice, i, v[i]);
  for (uint32_t first = 0; first < rows; first += OFW_AT_ONCE) {
    for (uint32_t i = 0; i < OFW_LANES; i++)
      ofw_narrow_dots(b, ofw_narrow_chunk(b, slice, i), from + first, v[i], sum[i]);
    for (uint32_t apart = OFW_LANES / 2; apart > 0; apart /= 2)
      for (uint32_t i = 0; i < apart; i++)
        for (int r = 0; r < OFW_AT_ONCE; r++)
          sum[i][r] += sum[i + apart][r];
    for (uint32_t r = 0; r < OFW_AT_ONCE && first + r < rows; r++)
      b->s->slice[slice][from + first + r] = sum[0][r];
  }
  offset = ofw_group_sum(offsets, NULL, OFW_LANES, 0);
#endif
  if (lane == 0 && half == 0)
    b->s->offset[slice] = offset;
}

static inline OFW_BOTH void ofw_narrow_find_dot(const ofw_narrow *b, uint32_t r)
{
  ofw_narrow_shared *s = b->s;
  double offset = ofw_sum_apart(s->offset, OFW_SLICES, 1),
         sum = ofw_sum_apart(&s->slice[0][r], OFW_SLICES, OFW_NARROW_ROWS);
  s->dot[r] = s->unit[r] * ofw_narrow_without_offset(b, sum, offset);
}

/* sum_j image_j q_j at every so many rows, from `first` on. */
static inline OFW_BOTH void ofw_narrow_correct(const ofw_search_args *k, const ofw_narrow *b, uint32_t n,
                                               uint32_t first, uint32_t lane, double sum[OFW_NARROW_TURNS])
{
#ifdef __CUDA_ARCH__
#pragma unroll
  for (uint32_t i = 0; i < OFW_NARROW_TURNS; i++)
    sum[i] = 0.0;
  for (uint32_t j = lane; j < n; j += OFW_LANES) {
    const double *image = ofw_narrow_image(k, b, j);
    double q = b->s->q[j];
#pragma unroll
    for (uint32_t i = 0; i < OFW_NARROW_TURNS; i++)
      if (first + i * OFW_GROUPS < b->rows_here)
        sum[i] += image[first + i * OFW_GROUPS] * q;
  }
#pragma unroll
  for (int apart = OFW_LANES / 2; apart > 0; apart /= 2)
#pragma unroll
    for (uint32_t i = 0; i < OFW_NARROW_TURNS; i++)
      sum[i] += __shfl_xor_sync(0xffffffffu, sum[i], apart);
#else
  for (uint32_t i = 0; i < OFW_NARROW_TURNS; i++) {
    double here[OFW_STRIDE];
    uint32_t r = first + i * OFW_GROUPS;
    for (uint32_t j = 0; j < n; j++)
      here[j] = r < b->rows_here ? ofw_narrow_image(k, b, j)[r] : 0.0;
    sum[i] = ofw_group_sum(here, b->s->q, n, lane);
  }
#endif
}

static inline OFW_BOTH void ofw_narrow_write_u(const ofw_search_args *k, const ofw_narrow *b, ofw_search_at at,
                                               uint32_t r, double correction, double length)
{
  ofw_narrow_shared *s = b->s;
  double u = r < b->rows_here ? (s->dot[r] - correction) / length : 0.0;
  s->u[r] = u;
  s->scaled[r] = u * s->unit[r];
  if (at.slot < OFW_NARROW_KEPT)
    b->image[(size_t)at.slot * b->rows + r] = u;
  if (r < b->rows_here)
    k->image[(size_t)at.slot * k->rows + b->first_row + r] = u;
}

/* A group of threads has every so many rows; on a GPU, lane i of it writes that of turn i. */
static inline OFW_BOTH void ofw_narrow_find_u(const ofw_search_args *k, const ofw_narrow *b, ofw_search_at at,
                                              uint32_t group, uint32_t lane)
{
  double sum[OFW_NARROW_TURNS];
  if (!ofw_joins(lane))
    return;
  double length = ofw_search_length(b->s->q, at.slot, lane);
  ofw_narrow_correct(k, b, at.slot, group, lane, sum);
#ifdef __CUDA_ARCH__
  double mine = sum[0];
#pragma unroll
  for (uint32_t i = 1; i < OFW_NARROW_TURNS; i++)
    mine = lane == i ? sum[i] : mine;
  if (lane < OFW_NARROW_TURNS && group + lane * OFW_GROUPS < b->rows)
    ofw_narrow_write_u(k, b, at, group + lane * OFW_GROUPS, mine, length);
#else
  for (uint32_t i = 0; i < OFW_NARROW_TURNS && group + i * OFW_GROUPS < b->rows; i++)
    ofw_narrow_write_u(k, b, at, group + i * OFW_GROUPS, sum[i], length);
#endif
}

/* ---- w = B'u, and the block's share of image' u ---- */

static inline OFW_BOTH void ofw_narrow_back(const ofw_narrow *b, uint32_t slice, uint32_t half, uint32_t lane,
                                            ofw_narrow_own *own)
{
  const ofw_narrow_shared *s = b->s;
  uint32_t rows = b->rows / 2, chunk = ofw_narrow_chunk(b, slice, lane);
  double sum[OFW_CHUNK] = {0.0}, offset = 0.0;
#ifdef __CUDA_ARCH__
#pragma unroll 4
#endif
  for (uint32_t r = 0; r < rows; r++) {
    double u = s->scaled[half * rows + r];
    for (int part = 0; part < OFW_CHUNK / ofw_narrow_part(b); part++) {
      ofw_chunk c = ofw_narrow_load(b, half * rows + r, chunk, part);
      for (int t = 0; t < ofw_narrow_part(b); t++)
        sum[part * ofw_narrow_part(b) + t] = fma(ofw_narrow_read(b, &c, t), u, sum[part * ofw_narrow_part(b) + t]);
    }
    offset += u;
  }
  for (int t = 0; t < OFW_CHUNK; t++)
    own->w[t] = ofw_narrow_without_offset(b, sum[t], offset);
}

/* The block's products of vectors 0 .. last - 1 with x, and of x with itself. */
static inline OFW_BOTH void ofw_narrow_products(const ofw_search_args *k, const ofw_narrow *b, int image, uint32_t last,
                                                const double *x, uint32_t n, uint32_t thread, double *products)
{
  uint32_t group = thread / OFW_LANES, lane = thread % OFW_LANES;
  double *out = products + (size_t)b->block * OFW_STRIDE;
  if (!ofw_joins(lane))
    return;
  for (uint32_t j = group; j <= last; j += OFW_GROUPS) {
    const double *with = j == last ? x : image ? ofw_narrow_image(k, b, j) : ofw_narrow_q(k, b, j);
    double sum = ofw_group_sum(with, x, n, lane);
    if (lane == 0)
      out[j] = sum;
  }
}

static inline OFW_BOTH ofw_sharers ofw_narrow_sharers(const ofw_narrow *b, const double *products, uint32_t last)
{
  ofw_sharers of = {products, b->blocks, last};
  return of;
}

static inline OFW_BOTH void ofw_narrow_answer(const ofw_search_args *k, const ofw_narrow *b, double length,
                                              uint64_t ticket, uint32_t slot)
{
  ofw_answer_now(&k->reply[ticket % k->replies], b->s->p[slot], length, ticket);
}

/* `tells`: this block says what the last slot has found, since q and its length are what a pass needs as well. */
static inline OFW_BOTH void ofw_narrow_pass(const ofw_search_args *k, const ofw_narrow *b, ofw_search_at at, int tells,
                                            uint32_t thread, ofw_narrow_own *own, int phase)
{
  ofw_narrow_shared *s = b->s;
  uint32_t group = thread / OFW_LANES, lane = thread % OFW_LANES, slice = group % OFW_SLICES, half = group / OFW_SLICES;
  uint32_t first = (slice * OFW_LANES + lane) * OFW_CHUNK;
  if (phase == 0) {
    ofw_sharers q = ofw_narrow_sharers(b, ofw_search_q(k, at.slot), at.slot);
    ofw_eight asked = ofw_search_ask(q, thread);
    if (ofw_joins(lane))
      ofw_narrow_slice(k, b, slice, half, lane);
    ofw_search_keep(q, thread, asked, s->part);
  }
  if (phase == 1 && thread <= at.slot)
    s->q[thread] = ofw_search_total(s->part[0], thread);
  if (phase == 1 && thread >= OFW_WIDE / 2 && thread - OFW_WIDE / 2 < b->rows)
    ofw_narrow_find_dot(b, thread - OFW_WIDE / 2);
  if (phase == 2)
    ofw_narrow_find_u(k, b, at, group, lane);
  if (phase == 3) {
    ofw_narrow_back(b, slice, half, lane, own);
    for (uint32_t t = 0; t < OFW_CHUNK && half == 1; t++)
      s->wide[t][first / OFW_CHUNK] = own->w[t];
    ofw_narrow_products(k, b, 1, at.slot, s->u, b->rows_here, thread, k->products[0]);
  }
  if (phase == 4 && half == 0 && first < b->stride)
    for (uint32_t t = 0; t < OFW_CHUNK; t += 4) {
      ofw_quad w;
      for (uint32_t i = 0; i < 4; i++)
        w.at[i] = own->w[t + i] + s->wide[t + i][first / OFW_CHUNK];
      ofw_store(k->shares + (size_t)b->block * b->stride, (first + t) / 4, w);
    }
  if (phase == 4 && tells && group == OFW_GROUPS - 1 && ofw_joins(lane)) {
    double length = ofw_search_length(s->q, at.slot, lane);
    if (lane == 0)
      ofw_narrow_answer(k, b, length, at.ticket - 1, at.slot - 1);
  }
}

/* ---- v, and the next w ---- */

static inline OFW_BOTH void ofw_narrow_write(const ofw_search_args *k, const ofw_narrow *b, ofw_search_at at,
                                             uint32_t c)
{
  ofw_narrow_shared *s = b->s;
  const uint32_t col = b->first_own + c, apart = OFW_NARROW_OWN;
  double length = s->q[OFW_STRIDE - 1];
  double v = (s->w[c] - ofw_sum_apart(&s->along[1][0][c], OFW_NARROW_QUARTERS, apart)) / length;
  double w = ofw_sum_apart(&s->sum[0][c], OFW_NARROW_QUARTERS, apart) -
             ofw_sum_apart(&s->along[0][0][c], OFW_NARROW_QUARTERS, apart) - v * s->p[at.slot];
  if (at.slot < OFW_NARROW_KEPT)
    b->q[(size_t)at.slot * b->own + c] = v;
  k->basis[(size_t)at.slot * k->cols + col] = v;
  s->w[c] = w;
  k->w[col] = w;
}

static inline OFW_BOTH void ofw_narrow_ortho(const ofw_search_args *k, const ofw_narrow *b, ofw_search_at at,
                                             uint32_t thread, int phase)
{
  ofw_narrow_shared *s = b->s;
  uint32_t c = thread % OFW_NARROW_OWN, quarter = thread / OFW_NARROW_OWN;
  if (phase == 0) {
    ofw_sharers p = ofw_narrow_sharers(b, k->products[0], at.slot);
    uint32_t n = c < b->own_here ? ofw_turns(b->blocks, quarter, OFW_NARROW_QUARTERS) : 0;
    const double *shares = k->shares + (size_t)quarter * b->stride + b->first_own + c;
    ofw_eight asked = ofw_search_ask(p, thread), share = ofw_ask(shares, n, OFW_NARROW_QUARTERS * b->stride);
    s->sum[quarter][c] = ofw_sum_asked(share, shares, n, OFW_NARROW_QUARTERS * b->stride);
    ofw_search_keep(p, thread, asked, s->part);
    if (thread / OFW_LANES == OFW_GROUPS - 1 && ofw_joins(thread % OFW_LANES)) {
      double length = ofw_search_length(s->q, at.slot, thread % OFW_LANES);
      if (thread % OFW_LANES == 0)
        s->q[OFW_STRIDE - 1] = length;
    }
  }
  if (phase == 1 && thread <= at.slot)
    s->p[thread] = ofw_search_total(s->part[0], thread);
  if (phase == 2) {
    double along[2] = {0.0, 0.0};
    for (uint32_t j = quarter; c < b->own_here && j < at.slot; j += OFW_NARROW_QUARTERS) {
      double q = ofw_narrow_q(k, b, j)[c];
      along[0] += q * s->p[j];
      along[1] += q * s->q[j];
    }
    s->along[0][quarter][c] = along[0];
    s->along[1][quarter][c] = along[1];
  }
  if (phase == 3 && thread < b->own_here)
    ofw_narrow_write(k, b, at, thread);
  if (phase == 4)
    ofw_narrow_products(k, b, 0, at.slot + 1, s->w, b->own_here, thread, ofw_search_q(k, at.slot + 1));
}

/* A random direction's length, in the place of slot 0's products. */
static inline OFW_BOTH void ofw_narrow_begin(const ofw_search_args *k, const ofw_narrow *b, uint32_t thread)
{
  ofw_narrow_products(k, b, 0, 0, b->s->w, b->own_here, thread, ofw_search_q(k, 0));
}

/* ---- the last slot's numbers, if no pass follows ---- */

static inline OFW_BOTH void ofw_narrow_tell(const ofw_search_args *k, const ofw_narrow *b, ofw_search_at at,
                                            uint32_t thread, int phase)
{
  ofw_narrow_shared *s = b->s;
  uint32_t lane = thread % OFW_LANES, n = at.slot + 1;
  ofw_sharers q = ofw_narrow_sharers(b, ofw_search_q(k, n), n);
  if (phase == 0)
    ofw_search_keep(q, thread, ofw_search_ask(q, thread), s->part);
  if (phase == 1 && thread <= n)
    s->q[thread] = ofw_search_total(s->part[0], thread);
  if (phase == 2 && thread < OFW_LANES && ofw_joins(lane)) {
    double length = ofw_search_length(s->q, n, lane);
    if (lane == 0)
      ofw_narrow_answer(k, b, length, at.ticket, at.slot);
  }
}
