/* rough_pass.h — a pass over floats, whose products and short sums are floats: kernels.h says how far it is off
 *
 * Each variant includes this for its own registers and has defined
 *
 *     LANES, lanes   so many floats in a register
 *     wide           half as many doubles in one; load_double and store_double are of this
 *     load_lanes(a), fused(a, b, c) = a b + c, low_half(x) and high_half(x), which are the halves of x widened
 *     ROUGH_ROWS     rows that are read together
 *
 * A sum is widened after OFW_ROUGH_TERMS terms, and after the ROUGH_ROWS rows, which are no more.
 */

/* u = A v for a few rows. What comes next is not fetched, which takes longer: the processor sees it coming. */
static inline __attribute__((always_inline)) void rough_dots(const size_t rows, size_t n, const float *a,
                                                             const float *v, double *u)
{
  enum { RUN = OFW_ROUGH_TERMS * LANES };
  size_t whole = n / LANES * LANES;
  wide total[ROUGH_ROWS] = {{0}};
  for (size_t from = 0; from < whole; from += RUN) {
    size_t to = from + RUN < whole ? from + RUN : whole;
    lanes s[ROUGH_ROWS] = {{0}};
    for (size_t j = from; j < to; j += LANES) {
      lanes x = load_lanes(v + j);
#pragma GCC unroll 16
      for (size_t k = 0; k < rows; k++)
        s[k] = fused(load_lanes(a + k * n + j), x, s[k]);
    }
#pragma GCC unroll 16
    for (size_t k = 0; k < rows; k++)
      total[k] += low_half(s[k]) + high_half(s[k]);
  }
  for (size_t k = 0; k < rows; k++) {
    u[k] = 0.0;
    for (size_t l = 0; l < LANES / 2; l++)
      u[k] += total[k][l];
    for (size_t j = whole; j < n; j++)
      u[k] += (double)a[k * n + j] * (double)v[j];
  }
}

/* w += A' u for as many, backwards, since the first-level cache holds what was read last. */
static inline __attribute__((always_inline)) void rough_adds(const size_t rows, size_t n, const float *a,
                                                             const double *u, double *w)
{
  size_t whole = n / LANES * LANES;
  lanes c[ROUGH_ROWS];
  for (size_t k = 0; k < rows; k++)
    c[k] = (lanes){0} + (float)u[k];
  for (size_t j = whole; j < n; j++)
    for (size_t k = 0; k < rows; k++)
      w[j] += (double)a[k * n + j] * u[k];
  for (size_t j = whole; j > 0;) {
    j -= LANES;
    lanes s = c[0] * load_lanes(a + j);
#pragma GCC unroll 16
    for (size_t k = 1; k < rows; k++)
      s = fused(c[k], load_lanes(a + k * n + j), s);
    store_double(w + j, load_double(w + j) + low_half(s));
    store_double(w + j + LANES / 2, load_double(w + j + LANES / 2) + high_half(s));
  }
}

static void rough_pass(size_t rows, size_t cols, const float *a, const float *v, double *u, double *w)
{
  size_t i = 0;
  memset(w, 0, cols * sizeof *w);
  for (; i + ROUGH_ROWS <= rows; i += ROUGH_ROWS) {
    rough_dots(ROUGH_ROWS, cols, a + i * cols, v, u + i);
    rough_adds(ROUGH_ROWS, cols, a + i * cols, u + i, w);
  }
  for (; i < rows; i++) {
    rough_dots(1, cols, a + i * cols, v, u + i);
    rough_adds(1, cols, a + i * cols, u + i, w);
  }
}
