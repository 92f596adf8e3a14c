/* lead_x86.h — the loops of x86-64 variants over x and d of NUMBERs and a y of YNUMBERs: kernels_x86.h includes this for each pair */

static inline wide LEAD(load_y)(const YNUMBER *y)
{
  return sizeof *y == sizeof(float) ? load_float((const void *)y) : load_double((const void *)y);
}

static inline void LEAD(store_y)(YNUMBER *y, wide to)
{
  if (sizeof *y == sizeof(float))
    store_float((void *)y, to);
  else
    store_double((void *)y, to);
}

static double LEAD(follow)(size_t n, const void *at, void *to, double c, const double *restrict v, double pace,
                           double keep)
{
  const NUMBER *restrict x = at;
  YNUMBER *restrict y = to;
  wide factor = all(c), move = all(pace), stay = all(keep), s[2];
  size_t i = 0;
  s[0] = s[1] = all(0.0);
  for (; i + 2 * W <= n; i += 2 * W)
    for (size_t k = 0; k < 2; k++) {
      size_t j = i + W * k;
      wide e = mul_sub(factor, load_double(v + j), OF(load)(x + j));
      wide old = keep == 0.0 ? all(0.0) : (wide)(stay * LEAD(load_y)(y + j));
      wide next = mul_add(move, e, old);
      LEAD(store_y)(y + j, next);
      s[k] = mul_add(next, next, s[k]);
    }
  double square = add_up(s[0] + s[1]);
  for (; i < n; i++) {
    double e = __builtin_fma(c, v[i], -(double)x[i]),
           next = __builtin_fma(pace, e, keep == 0.0 ? 0.0 : keep * (double)y[i]);
    y[i] = (YNUMBER)next;
    square += next * next;
  }
  return square;
}

/* The same bits as follow and then step: x is read once. */
static double LEAD(lead)(size_t n, void *at, void *along, void *to, double c, const double *restrict v, double sig,
                         double curv, double pace, double keep)
{
  NUMBER *restrict x = at, *restrict d = along;
  YNUMBER *restrict y = to;
  wide factor = all(c), move = all(sig), bend = all(curv), y_move = all(pace), stay = all(keep), s[2];
  size_t i = 0;
  s[0] = s[1] = all(0.0);
  for (; i + 2 * W <= n; i += 2 * W) {
    fetch_far(x + i, sizeof *x), fetch_far(d + i, sizeof *d), fetch_far(y + i, sizeof *y);
    for (size_t k = 0; k < 2; k++) {
      size_t j = i + W * k;
      wide now = OF(load)(x + j), e = mul_sub(factor, load_double(v + j), now);
      wide old = keep == 0.0 ? all(0.0) : (wide)(stay * LEAD(load_y)(y + j)), next = mul_add(y_move, e, old);
      LEAD(store_y)(y + j, next);
      OF(store)(x + j, mul_add(move, e, now));
      OF(store)(d + j, mul_add(bend, e, OF(load)(d + j)));
      s[k] = mul_add(next, next, s[k]);
    }
  }
  double square = add_up(s[0] + s[1]);
  for (; i < n; i++) {
    double e = __builtin_fma(c, v[i], -(double)x[i]),
           next = __builtin_fma(pace, e, keep == 0.0 ? 0.0 : keep * (double)y[i]);
    y[i] = (YNUMBER)next;
    x[i] = (NUMBER)__builtin_fma(sig, e, (double)x[i]);
    d[i] = (NUMBER)__builtin_fma(curv, e, (double)d[i]);
    square += next * next;
  }
  return square;
}
