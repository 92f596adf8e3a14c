/* half_space.h — random half-spaces that all hold one point x*
 *
 *     g_t(x) = <b_t, x - x*> - slack_t      |b_t| = G
 *
 * slack_t = 0, the constraint is tight at x*, in a chosen share of the rounds; else it is uniform in (0, G R). At x*
 * both products are the same operations on the same numbers: g_t(x*) = -slack_t to the last bit.
 */
#pragma once

#include "stream/generator.h"

typedef struct ofw_half_space {
  size_t dim, rows, cols; /* rows = 0: b is dense */
  double G, R, tight;
  uint64_t seed;
  double *point;      /* x* */
  const double *also; /* a second point that is held: g_t(x) is then <b_t, x> minus the larger of two; NULL: none */
  double *b;          /* this round's, of length 1; or its two factors */
  double value;       /* g_t at the decision */
  ofw_vec term;
  ofw_sum gradient;
} ofw_half_space;

/* The stream's own, of which x* becomes the best point; where it lies is for the stream to say. rank_one: b_t = G p_t q_t',
 * for random unit vectors p_t and q_t: over matrices, two short vectors per round. */
ofw_status ofw_half_space_open(ofw_half_space *h, ofw_stream *s, int rank_one, double G, double tight, ofw_error *err);
/* Round t at x, into the constraint part of out. */
ofw_status ofw_half_space_reveal(ofw_half_space *h, uint64_t t, const ofw_point *x, ofw_full *out);
