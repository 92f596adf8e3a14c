/* lead_portable.h — the portable loops over x and d of NUMBERs and a y of YNUMBERs: kernels_portable.c includes this for each pair */

static double LEAD(follow)(size_t n, const void *at, void *to, double c, const void *restrict atom, double pace,
                           double keep)
{
  const NUMBER *restrict x = at, *restrict v = atom;
  YNUMBER *restrict y = to;
  double square[2] = {0};
  for (size_t i = 0; i < n; i++) {
    double next = (keep == 0.0 ? 0.0 : keep * (double)y[i]) + pace * (c * (double)v[i] - (double)x[i]);
    y[i] = (YNUMBER)next;
    square[i % 2] += next * next;
  }
  return square[0] + square[1];
}

static double LEAD(lead)(size_t n, void *at, void *along, void *to, double c, const void *restrict atom, double sig,
                         double curv, double pace, double keep)
{
  double square = LEAD(follow)(n, at, to, c, atom, pace, keep);
  OF(step)(n, at, along, c, atom, sig, curv);
  return square;
}
