/* lanczos_shared.c — the vectors of a search over a matrix that ranks share
 *
 * All ranks have all of every v. But making one orthogonal to the others is most of what is not a pass, so each rank does it
 * for its runs of the columns (base/ranks.h): the products of all vectors with w first, summed over the bands, then w less
 * all of them. Twice, as Gram and Schmidt's way with all products at once needs that. So the bits depend on the bands alone.
 */
#include "linalg/lanczos_search.h"

#include "linalg/kernels.h"

/* What is done to a run of the columns of x, in the part `part`. */
typedef void (*run_work)(ofw_lanczos *l, size_t part, size_t from, size_t n, double *x);

static void each_run(ofw_lanczos *l, run_work work, double *x)
{
  for (size_t part = 0; part < ofw_split_parts(l->split); part++)
    for (size_t block = 0; block < ofw_split_blocks(l->split, l->cols); block++) {
      size_t from, to;
      ofw_split_run(l->split, l->cols, part, block, &from, &to);
      work(l, part, from, to - from, x + from);
    }
}

/* Products with v_0 .. v_{k-1}, and with itself. */
static void add_products(ofw_lanczos *l, size_t part, size_t from, size_t n, double *x)
{
  size_t k = l->now.k;
  double *sum = l->part + part * (k + 1);
  for (size_t j = 0; j < k; j++)
    sum[j] += ofw_dot(n, l->basis + j * l->cols + from, x);
  sum[k] += ofw_dot(n, x, x);
}

static void subtract(ofw_lanczos *l, size_t part, size_t from, size_t n, double *x)
{
  (void)part;
  for (size_t j = 0; j < l->now.k; j++)
    ofw_axpy(n, -l->h[j], l->basis + j * l->cols + from, x);
}

/* x less its part in the span of the basis, l->h: its products with the basis and with itself before; |x|^2 then */
static double make_orthogonal(ofw_lanczos *l, double *x)
{
  size_t k = l->now.k, n = ofw_split_parts(l->split) * (k + 1);
  for (size_t i = 0; i < n; i++)
    l->part[i] = 0.0;
  each_run(l, add_products, x);
  ofw_split_add(l->split, k + 1, l->part, k + 1, l->h);
  each_run(l, subtract, x);
  return l->h[k] - ofw_dot(k, l->h, l->h);
}

double ofw_search_orthogonalise_shared(ofw_lanczos *l, double *last)
{
  make_orthogonal(l, l->w);
  *last = l->h[l->now.k - 1];
  return sqrt(
      fmax(0.0, make_orthogonal(l, l->w))); /* the second time |h| is rounding, and the difference is exact enough */
}

/* v = x / by, in this rank's columns; then all ranks get it. */
static void share(ofw_lanczos *l, const double *x, double by, double *v)
{
  for (size_t part = 0; part < ofw_split_parts(l->split); part++)
    for (size_t block = 0; block < ofw_split_blocks(l->split, l->cols); block++) {
      size_t from, to;
      ofw_split_run(l->split, l->cols, part, block, &from, &to);
      for (size_t i = from; i < to; i++)
        v[i] = x[i] / by;
    }
  ofw_split_gather(l->split, l->cols, v);
}

double ofw_search_draw_shared(ofw_lanczos *l, double *v)
{
  make_orthogonal(l, v);
  double length = sqrt(fmax(0.0, make_orthogonal(l, v)));
  if (length >= 1e-8)
    share(l, v, length, v);
  return length;
}

void ofw_search_accept_shared(ofw_lanczos *l, double b, double *v)
{
  share(l, l->w, b, v);
}
