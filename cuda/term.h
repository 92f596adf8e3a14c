/* term.h — one term of a vector, as a kernel reads it: all kinds but sparse ones */
#pragma once

#include "lane.h"

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

/* A quad of a whole term, which may be of uniform draws. */
static inline OFW_BOTH ofw_quad ofw_whole_quad(const ofw_term *t, uint32_t quad)
{
  return t->kind == OFW_TERM_UNIFORM ? ofw_uniform_quad(t, quad) : ofw_atom_quad(t, quad);
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
