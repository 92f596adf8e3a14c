/* lanes_x86.h — the moves and the uniform draws of x86-64 variants over floats, whose products are floats too: kernels_x86.h includes this
 *
 * A sum is widened after OFW_ROUGH_TERMS terms. The moves go by whole registers from where x is aligned, as the rows of a matrix seldom
 * are: a register that lies across two lines of the cache is read and written in twice the time. What is before and behind is the lower
 * part of a register.
 */

enum { LANES_RUN = LANES * OFW_ROUGH_TERMS }; /* numbers that one sum in floats takes */

static inline lanes all_lanes(double x)
{
  return (lanes){0} + (float)x;
}

static inline double add_up_lanes(lanes a)
{
  return add_up(low_half(a) + high_half(a));
}

/* How many numbers there are from x + i on, at most `most` of n: up to where x is aligned, or whole registers, or what is left. */
static inline size_t run_of_lanes(const float *x, size_t i, size_t n, size_t most)
{
  size_t past = ((uintptr_t)(x + i) / sizeof *x) % LANES, left = n - i;
  if (past)
    return left < LANES - past ? left : LANES - past;
  if (left < LANES)
    return left;
  return left < most ? left / LANES * LANES : most;
}

/* e = c v - x: <d, e> and |e|^2 join s and l. */
static inline __attribute__((always_inline)) void segment_lanes(lanes x, lanes d, lanes c, lanes v, lanes *s, lanes *l)
{
  lanes e = fused(c, v, -x);
  *s = fused(d, e, *s);
  *l = fused(e, e, *l);
}

static void segment_float(size_t n, const void *at, const void *along, double c, const void *atom, double *slope,
                          double *length2)
{
  const float *x = at, *d = along, *v = atom;
  lanes factor = all_lanes(c);
  for (size_t i = 0, end; i < n; i = end) {
    lanes s[2] = {{0}}, l[2] = {{0}};
    end = i + run_of_lanes(x, i, n, 2 * LANES_RUN);
    for (; i + 2 * LANES <= end; i += 2 * LANES)
      for (size_t j = i, k = 0; k < 2; k++, j += LANES)
        segment_lanes(load_lanes(x + j), load_lanes(d + j), factor, load_lanes(v + j), &s[k], &l[k]);
    if (i + LANES == end)
      segment_lanes(load_lanes(x + i), load_lanes(d + i), factor, load_lanes(v + i), &s[0], &l[0]);
    else if (i < end) {
      some first = first_lanes(end - i);
      segment_lanes(load_some(x + i, first), load_some(d + i, first), factor, load_some(v + i, first), &s[0], &l[0]);
    }
    *slope += add_up_lanes(s[0] + s[1]);
    *length2 += add_up_lanes(l[0] + l[1]);
  }
}

static void step_float(size_t n, void *at, void *along, double c, const void *restrict atom, double sig, double curv)
{
  float *restrict x = at, *restrict d = along;
  const float *restrict v = atom;
  lanes factor = all_lanes(c), move = all_lanes(sig), bend = all_lanes(curv);
  for (size_t i = 0, end; i < n; i = end) {
    end = i + run_of_lanes(x, i, n, n);
    for (; i + LANES <= end; i += LANES) {
      lanes old = load_lanes(x + i), e = fused(factor, load_lanes(v + i), -old);
      store_lanes(x + i, fused(move, e, old));
      store_lanes(d + i, fused(bend, e, load_lanes(d + i)));
    }
    if (i < end) {
      some first = first_lanes(end - i);
      lanes old = load_some(x + i, first), e = fused(factor, load_some(v + i, first), -old);
      store_some(x + i, first, fused(move, e, old));
      store_some(d + i, first, fused(bend, e, load_some(d + i, first)));
    }
  }
}

/* What x, d and y are moved by: kernels.h. */
typedef struct moves {
  lanes c, sig, curv, pace, keep;
  int keeps;
} moves;

/* y, whose squares join s; and x and d, if there is a d: all of a register's, or the first. */
static inline __attribute__((always_inline)) lanes lead_lanes(const moves *m, float *x, float *d, float *y,
                                                              const float *v, lanes s)
{
  lanes now = load_lanes(x), e = fused(m->c, load_lanes(v), -now);
  lanes next = fused(m->pace, e, m->keeps ? (lanes)(m->keep * load_lanes(y)) : (lanes){0});
  store_lanes(y, next);
  if (d) {
    store_lanes(x, fused(m->sig, e, now));
    store_lanes(d, fused(m->curv, e, load_lanes(d)));
  }
  return fused(next, next, s);
}

static inline __attribute__((always_inline)) lanes lead_some(const moves *m, some first, float *x, float *d, float *y,
                                                             const float *v, lanes s)
{
  lanes now = load_some(x, first), e = fused(m->c, load_some(v, first), -now);
  lanes next = fused(m->pace, e, m->keeps ? (lanes)(m->keep * load_some(y, first)) : (lanes){0});
  store_some(y, first, next);
  if (d) {
    store_some(x, first, fused(m->sig, e, now));
    store_some(d, first, fused(m->curv, e, load_some(d, first)));
  }
  return fused(next, next, s);
}

/* follow, and lead if there is a d: the same bits of y */
static inline __attribute__((always_inline)) double lead_or_follow(size_t n, float *x, float *d, float *restrict y,
                                                                   double c, const float *restrict v, double sig,
                                                                   double curv, double pace, double keep)
{
  moves m = {all_lanes(c), all_lanes(sig), all_lanes(curv), all_lanes(pace), all_lanes(keep), keep != 0.0};
  double square = 0.0;
  for (size_t i = 0, end; i < n; i = end) {
    lanes s[2] = {{0}};
    end = i + run_of_lanes(x, i, n, 2 * LANES_RUN);
    for (; i + 2 * LANES <= end; i += 2 * LANES)
      for (size_t j = i, k = 0; k < 2; k++, j += LANES)
        s[k] = lead_lanes(&m, x + j, d ? d + j : NULL, y + j, v + j, s[k]);
    if (i + LANES == end)
      s[0] = lead_lanes(&m, x + i, d ? d + i : NULL, y + i, v + i, s[0]);
    else if (i < end)
      s[0] = lead_some(&m, first_lanes(end - i), x + i, d ? d + i : NULL, y + i, v + i, s[0]);
    square += add_up_lanes(s[0] + s[1]);
  }
  return square;
}

static double follow_float(size_t n, const void *x, void *y, double c, const void *v, double pace, double keep)
{
  return lead_or_follow(n, (float *)(uintptr_t)x, NULL, y, c, v, 0.0, 0.0, pace, keep);
}

static double lead_float(size_t n, void *x, void *d, void *y, double c, const void *v, double sig, double curv,
                         double pace, double keep)
{
  return lead_or_follow(n, x, d, y, c, v, sig, curv, pace, keep);
}

static double uniform_dot_float(size_t n, const uint32_t *word, const void *from)
{
  const float *x = from;
  double sum = 0.0;
  size_t i = 0;
  for (size_t end; i + 4 * LANES <= n;) {
    lanes s[4] = {{0}};
    end = n < i + 4 * LANES_RUN ? n : i + 4 * LANES_RUN;
    for (; i + 4 * LANES <= end; i += 4 * LANES)
      for (size_t k = 0; k < 4; k++)
        s[k] = fused(lanes_of_words(word + i + LANES * k), load_lanes(x + i + LANES * k), s[k]);
    sum += add_up_lanes((s[0] + s[1]) + (s[2] + s[3]));
  }
  sum *= 0x1p-31;
  for (; i < n; i++)
    sum += ofw_rng_to_uniform(word[i]) * (double)x[i];
  return sum;
}

static void uniform_axpy_float(size_t n, double c, const uint32_t *restrict word, void *to)
{
  float *restrict y = to;
  lanes factor = all_lanes(c), unit = all_lanes(0x1p-31);
  for (size_t i = 0, end; i < n; i = end) {
    end = i + run_of_lanes(y, i, n, n);
    for (; i + LANES <= end; i += LANES)
      store_lanes(y + i, fused(factor, lanes_of_words(word + i) * unit, load_lanes(y + i)));
    if (i < end) {
      some first = first_lanes(end - i);
      store_some(y + i, first, fused(factor, lanes_of_some_words(word + i, first) * unit, load_some(y + i, first)));
    }
  }
}
