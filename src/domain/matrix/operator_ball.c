/* operator_ball.c — {X in R^(m x n) : no singular value above a}
 *
 * Oracle  -a U V' with d = U diag(s) V', by a full decomposition; ties: what LAPACK gives
 * Project a full decomposition; every singular value at most a
 * R = a sqrt(min(m, n))   r = a   centre 0
 */
#include "domain/set.h"

#include "linalg/kernels.h"
#include "linalg/svd.h"

#include <math.h>

typedef struct operator_work {
  ofw_dense_atom v;
  double *weight; /* of the atom's terms: -a */
  ofw_svd svd;
} operator_work;

static size_t rank_of(const ofw_domain *K)
{
  return K->rows < K->cols ? K->rows : K->cols;
}

static ofw_status open(const ofw_domain *K, uint64_t seed, void **work, ofw_error *err)
{
  (void)seed;
  OFW_TRY(ofw_dense_work_open(K, sizeof(operator_work), work, err));
  operator_work *w = *work;
  w->weight = ofw_owned_doubles(&w->v.own, rank_of(K));
  OFW_TRY(ofw_owned_check(&w->v.own, err));
  for (size_t l = 0; l < rank_of(K); l++)
    w->weight[l] = -((const ofw_matrix_ball *)K->data)->radius;
  return ofw_svd_open(&w->v.own, K->rows, K->cols, "operator-ball", &w->svd, err);
}

static ofw_status minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_answer *out, ofw_error *err)
{
  operator_work *w = work;
  OFW_TRY(ofw_svd_set(&w->svd, d->dense, err));
  ofw_svd_compose(&w->svd, rank_of(K), w->weight, w->v.value);
  double value = ofw_dot(rank_of(K), w->weight, w->svd.s);
  *out = ofw_dense_atom_answer(&w->v, ldexp(value, w->svd.exponent));
  return OFW_OK;
}

static double first_of(size_t n, const double *s)
{
  (void)n;
  return s[0];
}

static double excess(const ofw_domain *K, const double *x)
{
  double top = ofw_singular_values(K->rows, K->cols, x, first_of);
  return top < 0.0 ? -1.0 : fmax(0.0, top - ((const ofw_matrix_ball *)K->data)->radius);
}

static ofw_status project(const ofw_domain *K, void *work, double *x, ofw_error *err)
{
  ofw_svd *svd = &((operator_work *)work)->svd;
  double radius = ((const ofw_matrix_ball *)K->data)->radius;
  if (ofw_norm(K->dim, x) <= radius)
    return OFW_OK; /* no singular value is above |X|_F */
  OFW_TRY(ofw_svd_set(svd, x, err));
  if (ldexp(svd->s[0], svd->exponent) <= radius)
    return OFW_OK;
  for (size_t l = 0; l < rank_of(K); l++)
    svd->s[l] = fmin(ldexp(svd->s[l], svd->exponent), radius);
  ofw_svd_compose(svd, rank_of(K), svd->s, x);
  return OFW_OK;
}

static const ofw_domain_ops ops = {
    .open = open, .minimise = minimise, .close = ofw_work_close, .excess = excess, .project = project};

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  const ofw_matrix_ball *ball = options;
  OFW_TRY(ofw_matrix_ball_check(ball, "operator-ball", err));
  OFW_TRY(ofw_domain_set_vector(K, &ops, (size_t)(ball->rows * ball->cols), ball, sizeof *ball, err));
  K->rows = (size_t)ball->rows;
  K->cols = (size_t)ball->cols;
  K->R = ball->radius * sqrt((double)rank_of(K));
  K->r = ball->radius;
  return OFW_OK;
}

const ofw_domain_kind ofw_operator_ball_kind = {
    {.name = "operator-ball",
     .summary = "matrices with no singular value above the radius; coordinates row by row",
     .example = "operator-ball:rows=4,cols=3,radius=1.5",
     .options = ofw_matrix_ball_options},
    build};
