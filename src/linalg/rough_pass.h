/* rough_pass.h — a pass whose products and short sums are floats, over whole numbers of 16 bits or floats: kernels.h says how far it is off
 *
 * Each variant includes this twice for its own registers and has defined
 *
 *     LANES, lanes   so many floats in a register
 *     wide           half as many doubles in one
 *     load_lanes(x), store_lanes(x, y), fused(a, b, c) = a b + c, low_half(x) and high_half(x), each widened
 *     both           a struct of `low` and `high`, the numbers of columns that are OFW_ROUGH_EDGE / 2 apart
 *     load_shorts(word), load_floats(number): numbers from there on, and so many columns behind
 *
 * and for each kind
 *
 *     ROUGH(name)                  the name with the kind's
 *     ROWS, ROW                    the struct of its rows, and what a row is an array of
 *     ROW_AT(a, i)                 where row i begins
 *     LOAD_BOTH(row, group, j)     both, of a row at column j of the group that begins there
 *     UNIT(a, i)                   what row i is to be multiplied by
 *
 * A sum is widened after OFW_ROUGH_TERMS terms. What comes next is not fetched, which takes longer: the processor sees it coming.
 */

/* u = B v for a few rows. */
static inline __attribute__((always_inline)) void ROUGH(dots)(const size_t rows, const ROWS *a, size_t from,
                                                              const float *v, double *u)
{
  enum { APART = OFW_ROUGH_EDGE / 2, RUN = OFW_ROUGH_TERMS * LANES };
  wide total[OFW_PASS_ROWS] = {{0}};
  const ROW *row[OFW_PASS_ROWS];
#pragma GCC unroll 8
  for (size_t k = 0; k < rows; k++)
    row[k] = ROW_AT(a, from + k);
  for (size_t begin = 0; begin < a->stride; begin += RUN) {
    size_t end = begin + RUN < a->stride ? begin + RUN : a->stride;
    lanes s[OFW_PASS_ROWS] = {{0}};
    for (size_t group = begin; group < end; group += OFW_ROUGH_EDGE)
      for (size_t j = 0; j < APART; j += LANES) {
        lanes left = load_lanes(v + group + j), right = load_lanes(v + group + APART + j);
#pragma GCC unroll 8
        for (size_t k = 0; k < rows; k++) {
          both x = LOAD_BOTH(row[k], group, j);
          s[k] = fused(x.low, left, s[k]);
          s[k] = fused(x.high, right, s[k]);
        }
      }
#pragma GCC unroll 8
    for (size_t k = 0; k < rows; k++)
      total[k] += low_half(s[k]) + high_half(s[k]);
  }
#pragma GCC unroll 8
  for (size_t k = 0; k < rows; k++)
    u[k] = add_up(total[k]) * UNIT(a, from + k);
}

/* w += B' u for as many, backwards, since the first-level cache holds what was read last. */
static inline __attribute__((always_inline)) void ROUGH(adds)(const size_t rows, const ROWS *a, size_t from,
                                                              const double *u, float *w)
{
  enum { APART = OFW_ROUGH_EDGE / 2 };
  lanes c[OFW_PASS_ROWS];
  const ROW *row[OFW_PASS_ROWS];
#pragma GCC unroll 8
  for (size_t k = 0; k < rows; k++) {
    c[k] = (lanes){0} + (float)(u[k] * UNIT(a, from + k));
    row[k] = ROW_AT(a, from + k);
  }
  for (size_t group = a->stride; group > 0;) {
    group -= OFW_ROUGH_EDGE;
    float *to = w + group;
    for (size_t j = 0; j < APART; j += LANES) {
      lanes left = load_lanes(to + j), right = load_lanes(to + APART + j);
#pragma GCC unroll 8
      for (size_t k = 0; k < rows; k++) {
        both x = LOAD_BOTH(row[k], group, j);
        left = fused(c[k], x.low, left);
        right = fused(c[k], x.high, right);
      }
      store_lanes(to + j, left);
      store_lanes(to + APART + j, right);
    }
  }
}

/* The room has the sums over OFW_ROUGH_TERMS rows. */
static void ROUGH(rough)(const ROWS *a, size_t from, size_t to, const float *v, float *room, double *u, double *w)
{
  memset(w, 0, a->cols * sizeof *w);
  for (size_t end; from < to; from = end) {
    size_t i = from;
    end = from + OFW_ROUGH_TERMS < to ? from + OFW_ROUGH_TERMS : to;
    memset(room, 0, a->stride * sizeof *room);
    for (; i + OFW_PASS_ROWS <= end; i += OFW_PASS_ROWS, u += OFW_PASS_ROWS) {
      ROUGH(dots)(OFW_PASS_ROWS, a, i, v, u);
      ROUGH(adds)(OFW_PASS_ROWS, a, i, u, room);
    }
    for (; i < end; i++, u++) {
      ROUGH(dots)(1, a, i, v, u);
      ROUGH(adds)(1, a, i, u, room);
    }
    for (size_t j = 0; j < a->cols; j++)
      w[j] += (double)room[j];
  }
}
