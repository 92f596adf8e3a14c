/* moves_x86.h — the loops of x86-64 variants over x and d, which are arrays of NUMBERs: kernels_x86.h includes this for each kind */

/* Whether two arrays are so much that it pays to fetch them so: docs/performance.md. */
enum { OF(are_large) = sizeof(NUMBER) == sizeof(double) };

static void OF(segment)(size_t n, const void *at, const void *along, double c, const double *v, double *slope,
                        double *length2)
{
  const NUMBER *x = at, *d = along;
  wide factor = all(c), s[2], l[2];
  size_t i = 0;
  s[0] = s[1] = l[0] = l[1] = all(0.0);
  for (; i + 2 * W <= n; i += 2 * W) {
    if (OF(are_large))
      fetch_far(x + i, sizeof *x), fetch_far(d + i, sizeof *d);
    for (size_t k = 0; k < 2; k++) {
      size_t j = i + W * k;
      wide e = mul_sub(factor, load_double(v + j), OF(load)(x + j));
      s[k] = mul_add(OF(load)(d + j), e, s[k]);
      l[k] = mul_add(e, e, l[k]);
    }
  }
  double sum = add_up(s[0] + s[1]), square = add_up(l[0] + l[1]);
  for (; i < n; i++) {
    double e = __builtin_fma(c, v[i], -(double)x[i]);
    sum += (double)d[i] * e;
    square += e * e;
  }
  *slope += sum;
  *length2 += square;
}

static void OF(step)(size_t n, void *at, void *along, double c, const double *restrict v, double sig, double curv)
{
  NUMBER *restrict x = at, *restrict d = along;
  wide factor = all(c), move = all(sig), bend = all(curv);
  size_t i = 0;
  for (; i + W <= n; i += W) {
    if (OF(are_large) && i % (2 * W) == 0)
      fetch_far(x + i, sizeof *x), fetch_far(d + i, sizeof *d);
    wide old = OF(load)(x + i), e = mul_sub(factor, load_double(v + i), old);
    OF(store)(x + i, mul_add(move, e, old));
    OF(store)(d + i, mul_add(bend, e, OF(load)(d + i)));
  }
  for (; i < n; i++) {
    double e = __builtin_fma(c, v[i], -(double)x[i]);
    x[i] = (NUMBER)__builtin_fma(sig, e, (double)x[i]);
    d[i] = (NUMBER)__builtin_fma(curv, e, (double)d[i]);
  }
}
