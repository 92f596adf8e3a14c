/* rough_pass.h — a pass whose products and short sums are floats, over halves or floats: kernels.h says how far it is off
 *
 * Each variant includes this twice for its own registers and has defined
 *
 *     LANES, lanes   so many floats in a register
 *     wide           half as many doubles in one
 *     load_halves(a), load_lanes(x), store_lanes(x, y), fused(a, b, c) = a b + c, low_half(x) and high_half(x), which are the
 *     halves of x widened
 *
 * and for each kind
 *
 *     ROUGH(name)             the name with the kind's
 *     ROWS, LOAD_ROW(a)       the struct of its rows, and how numbers of a row are read
 *     UNIT(a, i)              what row i is to be multiplied by
 *
 * A sum is widened after OFW_ROUGH_TERMS terms. What comes next is not fetched, which takes longer: the processor sees it coming.
 */

/* u = B v for a few rows. */
static inline __attribute__((always_inline)) void ROUGH(dots)(const size_t rows, const ROWS *a, size_t from,
                                                              const float *v, double *u)
{
  enum { RUN = OFW_ROUGH_TERMS * LANES };
  wide total[OFW_PASS_ROWS] = {{0}};
  for (size_t begin = 0; begin < a->stride; begin += RUN) {
    size_t end = begin + RUN < a->stride ? begin + RUN : a->stride;
    lanes s[OFW_PASS_ROWS] = {{0}};
    for (size_t j = begin; j < end; j += LANES) {
      lanes x = load_lanes(v + j);
#pragma GCC unroll 8
      for (size_t k = 0; k < rows; k++)
        s[k] = fused(LOAD_ROW(a->number + (from + k) * a->stride + j), x, s[k]);
    }
#pragma GCC unroll 8
    for (size_t k = 0; k < rows; k++)
      total[k] += low_half(s[k]) + high_half(s[k]);
  }
  for (size_t k = 0; k < rows; k++) {
    u[k] = 0.0;
    for (size_t l = 0; l < LANES / 2; l++)
      u[k] += total[k][l];
    u[k] *= UNIT(a, from + k);
  }
}

/* w += B' u for as many, backwards, since the first-level cache holds what was read last. */
static inline __attribute__((always_inline)) void ROUGH(adds)(const size_t rows, const ROWS *a, size_t from,
                                                              const double *u, float *w)
{
  lanes c[OFW_PASS_ROWS];
  for (size_t k = 0; k < rows; k++)
    c[k] = (lanes){0} + (float)(u[k] * UNIT(a, from + k));
  for (size_t j = a->stride; j > 0;) {
    j -= LANES;
    lanes s = load_lanes(w + j);
#pragma GCC unroll 8
    for (size_t k = 0; k < rows; k++)
      s = fused(c[k], LOAD_ROW(a->number + (from + k) * a->stride + j), s);
    store_lanes(w + j, s);
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
