/* rough_pass.h — a pass over halves, whose products and short sums are floats: kernels.h says how far it is off
 *
 * Each variant includes this for its own registers and has defined
 *
 *     LANES, lanes   so many floats in a register
 *     wide           half as many doubles in one
 *     load_halves(a), load_lanes(x), store_lanes(x, y), fused(a, b, c) = a b + c, low_half(x) and high_half(x), which are the
 *     halves of x widened
 *
 * A sum is widened after OFW_ROUGH_TERMS terms. What comes next is not fetched, which takes longer: the processor sees it coming.
 */

enum { ROUGH_ROWS = 8 }; /* that are read together */

/* u = B v for a few rows. */
static inline __attribute__((always_inline)) void rough_dots(const size_t rows, const ofw_halves *a, size_t from,
                                                             const float *v, double *u)
{
  enum { RUN = OFW_ROUGH_TERMS * LANES };
  const uint16_t *number = a->number + from * a->stride;
  wide total[ROUGH_ROWS] = {{0}};
  for (size_t begin = 0; begin < a->stride; begin += RUN) {
    size_t end = begin + RUN < a->stride ? begin + RUN : a->stride;
    lanes s[ROUGH_ROWS] = {{0}};
    for (size_t j = begin; j < end; j += LANES) {
      lanes x = load_lanes(v + j);
#pragma GCC unroll 8
      for (size_t k = 0; k < rows; k++)
        s[k] = fused(load_halves(number + k * a->stride + j), x, s[k]);
    }
#pragma GCC unroll 8
    for (size_t k = 0; k < rows; k++)
      total[k] += low_half(s[k]) + high_half(s[k]);
  }
  for (size_t k = 0; k < rows; k++) {
    u[k] = 0.0;
    for (size_t l = 0; l < LANES / 2; l++)
      u[k] += total[k][l];
    u[k] *= a->c[from + k];
  }
}

/* w += B' u for as many, backwards, since the first-level cache holds what was read last. */
static inline __attribute__((always_inline)) void rough_adds(const size_t rows, const ofw_halves *a, size_t from,
                                                             const double *u, float *w)
{
  const uint16_t *number = a->number + from * a->stride;
  lanes c[ROUGH_ROWS];
  for (size_t k = 0; k < rows; k++)
    c[k] = (lanes){0} + (float)(u[k] * a->c[from + k]);
  for (size_t j = a->stride; j > 0;) {
    j -= LANES;
    lanes s = load_lanes(w + j);
#pragma GCC unroll 8
    for (size_t k = 0; k < rows; k++)
      s = fused(c[k], load_halves(number + k * a->stride + j), s);
    store_lanes(w + j, s);
  }
}

/* The room has the sums over OFW_ROUGH_TERMS rows. */
static void rough_pass(const ofw_halves *a, size_t from, size_t to, const float *v, float *room, double *u, double *w)
{
  memset(w, 0, a->cols * sizeof *w);
  for (size_t end; from < to; from = end) {
    size_t i = from;
    end = from + OFW_ROUGH_TERMS < to ? from + OFW_ROUGH_TERMS : to;
    memset(room, 0, a->stride * sizeof *room);
    for (; i + ROUGH_ROWS <= end; i += ROUGH_ROWS, u += ROUGH_ROWS) {
      rough_dots(ROUGH_ROWS, a, i, v, u);
      rough_adds(ROUGH_ROWS, a, i, u, room);
    }
    for (; i < end; i++, u++) {
      rough_dots(1, a, i, v, u);
      rough_adds(1, a, i, u, room);
    }
    for (size_t j = 0; j < a->cols; j++)
      w[j] += (double)room[j];
  }
}
