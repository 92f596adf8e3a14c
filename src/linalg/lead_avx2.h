/* lead_avx2.h — the loops over x and d in doubles and a y of YNUMBERs: moves_avx2.h includes this for each kind of y */

double LEAD(follow)(size_t n, const void *at, void *to, double c, const void *restrict atom, double pace, double keep)
{
  const double *restrict x = at, *restrict v = atom;
  YNUMBER *restrict y = to;
  wide factor = all(c), move = all(pace), stay = all(keep), s[2];
  size_t i = 0;
  s[0] = s[1] = all(0.0);
  for (; i + 2 * W <= n; i += 2 * W)
    for (size_t k = 0; k < 2; k++) {
      size_t j = i + W * k;
      wide e = mul_sub(factor, load_double(v + j), load_double(x + j));
      wide old = keep == 0.0 ? all(0.0) : (wide)(stay * LOAD_Y(y + j));
      wide next = mul_add(move, e, old);
      STORE_Y(y + j, next);
      s[k] = mul_add(next, next, s[k]);
    }
  double square = add_up(s[0] + s[1]);
  for (; i < n; i++) {
    double e = __builtin_fma(c, v[i], -x[i]), next = __builtin_fma(pace, e, keep == 0.0 ? 0.0 : keep * (double)y[i]);
    y[i] = (YNUMBER)next;
    square += next * next;
  }
  return square;
}

/* The same bits as follow and then step: x is read once. */
double LEAD(lead)(size_t n, void *at, void *along, void *to, double c, const void *restrict atom, double sig,
                  double curv, double pace, double keep)
{
  double *restrict x = at, *restrict d = along;
  const double *restrict v = atom;
  YNUMBER *restrict y = to;
  wide factor = all(c), move = all(sig), bend = all(curv), y_move = all(pace), stay = all(keep), s[2];
  size_t i = 0;
  s[0] = s[1] = all(0.0);
  for (; i + 2 * W <= n; i += 2 * W) {
    fetch_far(x + i, sizeof *x), fetch_far(d + i, sizeof *d), fetch_far(y + i, sizeof *y);
    for (size_t k = 0; k < 2; k++) {
      size_t j = i + W * k;
      wide now = load_double(x + j), e = mul_sub(factor, load_double(v + j), now);
      wide old = keep == 0.0 ? all(0.0) : (wide)(stay * LOAD_Y(y + j)), next = mul_add(y_move, e, old);
      STORE_Y(y + j, next);
      store_double(x + j, mul_add(move, e, now));
      store_double(d + j, mul_add(bend, e, load_double(d + j)));
      s[k] = mul_add(next, next, s[k]);
    }
  }
  double square = add_up(s[0] + s[1]);
  for (; i < n; i++) {
    double e = __builtin_fma(c, v[i], -x[i]), next = __builtin_fma(pace, e, keep == 0.0 ? 0.0 : keep * (double)y[i]);
    y[i] = (YNUMBER)next;
    x[i] = __builtin_fma(sig, e, x[i]);
    d[i] = __builtin_fma(curv, e, d[i]);
    square += next * next;
  }
  return square;
}
