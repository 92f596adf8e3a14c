/* loops_plain.h — the loops over arrays of NUMBERs that every variant compiles as they are, each for its own registers */

static void OF(read)(size_t n, const void *from, double *restrict out)
{
  const NUMBER *a = from;
  for (size_t i = 0; i < n; i++)
    out[i] = (double)a[i];
}

static void OF(write)(size_t n, const double *restrict a, void *to)
{
  NUMBER *out = to;
  for (size_t i = 0; i < n; i++)
    out[i] = (NUMBER)a[i];
}

static void OF(blend)(size_t n, double a, void *to, double b, const void *from)
{
  NUMBER *restrict y = to;
  const NUMBER *restrict x = from;
  for (size_t i = 0; i < n; i++)
    y[i] = (NUMBER)((a == 0.0 ? 0.0 : a * (double)y[i]) + b * (double)x[i]);
}
