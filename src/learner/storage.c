/* storage.c — which engine a learner gets: doubles, floats or factors here, or doubles or floats on a GPU
 *
 * An engine is asked by its operations for what the method needs, and refused in one line, before any memory is taken.
 */
#include "learner/method.h"
#include "linalg/lanczos.h"

#include <math.h>

/* Numbers of a matrix from which factors are faster than all of it, if gradients allow both: docs/scale.md. */
enum { FACTORED_FROM = 1 << 24 };
/* Powers of ten that sizes of a problem may be from 1. */
enum { FLOAT_DECADES = 15, FACTORED_DECADES = 50 };

/* The vectors that a compression leaves if that is not said: as many as are a quarter of a gigabyte. */
static double usual_rank(const ofw_domain *K)
{
  size_t rows = K->split ? K->split->rows : K->rows;
  return fmax(128.0, fmin(floor(0x1p25 / (double)(rows + K->cols)), 512.0));
}

const char *ofw_storage_name(const ofw_learner *l)
{
  static const char *const names[] = {[OFW_STORE_DOUBLE] = "double",
                                      [OFW_STORE_FLOAT] = "float",
                                      [OFW_STORE_FACTORED] = "factored",
                                      [OFW_STORE_CUDA] = "cuda",
                                      [OFW_STORE_CUDA_FLOAT] = "cuda-float"};
  return names[l->common.storage];
}

int ofw_storage_has_floats(const ofw_learner *l)
{
  return l->common.storage == OFW_STORE_FLOAT || l->common.storage == OFW_STORE_CUDA_FLOAT;
}

/* So that neither x, of R's size, nor d, of R's or G's times what rounds add up to, leaves the range of floats, or its
 * square that of doubles. */
static int within(const ofw_learner *l, const ofw_domain *K, int decades)
{
  double most = pow(10.0, decades), G = ofw_method_anytime(l->method) ? 1.0 : l->G;
  return K->R >= 1.0 / most && K->R <= most && G >= 1.0 / most && G <= most;
}

static ofw_status refuse_range(ofw_learner *l, const ofw_domain *K, const char *storage, int decades)
{
  return ofw_fail(&l->err, OFW_UNSUPPORTED, "%s: storage=%s: the radius %g and G = %g must be in [1e-%d, 1e%d]",
                  l->method->type.name, storage, K->R, l->G, decades, decades);
}

/* Refuses a set whose oracle needs d as doubles in this process's memory. */
static ofw_status check_passes(ofw_learner *l, const ofw_domain *K, const char *storage)
{
  if (K->passes_only || l->projects) /* which projected.c refuses */
    return OFW_OK;
  return ofw_fail(&l->err, OFW_UNSUPPORTED,
                  "%s: storage=%s: the oracle of %.200s works only with storage=double; leave storage out",
                  l->method->type.name, storage, K->spec);
}

static ofw_status check_floats(ofw_learner *l, const ofw_domain *K)
{
  const char *name = ofw_storage_name(l);
  OFW_TRY(check_passes(l, K, name));
  return l->projects || within(l, K, FLOAT_DECADES) ? OFW_OK : refuse_range(l, K, name, FLOAT_DECADES);
}

/* Why x and d cannot be kept as factors; NULL: they can. */
static const char *not_factored(const ofw_learner *l, const ofw_domain *K)
{
  if (l->method->bandit && !ofw_factored_ops.inner)
    return "the probes of a bandit learner are no sums of a few factors";
  if (l->projects && !ofw_factored_ops.project)
    return "a projection needs the whole matrix";
  if (l->common.sample)
    return "sample=yes stores a whole vertex";
  if (l->accounts && l->accounts->wide)
    return "constraints=budgets stores whole sums of gradients";
  if (!K->passes_only || K->centre)
    return "expected a set of matrices around 0 whose oracle needs only products with the direction";
  return NULL;
}

static ofw_status check_factored(ofw_learner *l, const ofw_domain *K)
{
  const char *why = not_factored(l, K);
  if (why)
    return ofw_fail(&l->err, OFW_UNSUPPORTED, "%s over %.100s: storage=factored does not work: %s",
                    l->method->type.name, K->spec, why);
  return within(l, K, FACTORED_DECADES) ? OFW_OK : refuse_range(l, K, "factored", FACTORED_DECADES);
}

/* Of x, d, the copies of d in shorts and floats that oracles of matrices read, and the words that a dense engine keeps. */
static double dense_bytes(const ofw_learner *l, const ofw_domain *K)
{
  size_t number = l->common.storage == OFW_STORE_FLOAT ? sizeof(float) : sizeof(double);
  size_t copy = K->passes_only && K->cols > OFW_LANCZOS_SMALL ? sizeof(uint16_t) + sizeof(float) : 0;
  return (double)K->dim * (double)(2 * number + copy + sizeof(uint32_t));
}

ofw_status ofw_storage_choose(ofw_learner *l, const ofw_domain *K, ofw_terms terms)
{
  ofw_common *c = &l->common;
  if (c->storage < 0 && K->split)
    c->storage = OFW_STORE_FACTORED;
  if (K->split && c->storage != OFW_STORE_FACTORED)
    return ofw_fail(&l->err, OFW_UNSUPPORTED, "%s: ranks share a matrix as factors alone; leave storage out",
                    l->method->type.name);
  if (c->storage < 0) {
    int large = terms == OFW_TERMS_STRUCTURED && K->dim >= FACTORED_FROM;
    int too_large = terms != OFW_TERMS_DENSE && !ofw_fits(dense_bytes(l, K));
    c->storage = (large || too_large) && !not_factored(l, K) && within(l, K, FACTORED_DECADES) ? OFW_STORE_FACTORED
                                                                                               : OFW_STORE_DOUBLE;
  }
  if (c->rank && c->storage != OFW_STORE_FACTORED)
    return ofw_fail(&l->err, OFW_USAGE, "%s: rank needs storage=factored", l->method->type.name);
  if (c->storage == OFW_STORE_FACTORED) {
    ofw_resolve_count(&c->rank, usual_rank(K));
    return check_factored(l, K);
  }
  if (c->storage == OFW_STORE_CUDA)
    return check_passes(l, K, "cuda");
  if (c->storage == OFW_STORE_CUDA_FLOAT)
    return check_floats(l, K);
  if (!ofw_fits(dense_bytes(l, K)))
    return ofw_fail(&l->err, OFW_FAILED, "out of memory: %zu numbers take %.0f GiB at least", K->dim,
                    dense_bytes(l, K) / (1 << 30));
  return c->storage == OFW_STORE_FLOAT ? check_floats(l, K) : OFW_OK;
}

ofw_status ofw_storage_open(ofw_learner *l, const ofw_domain *K, size_t threads)
{
  const ofw_common *c = &l->common;
  if (c->storage == OFW_STORE_FACTORED)
    l->engine = ofw_engine_open_factored(K, (size_t)c->rank, threads, &l->err);
  else if (c->storage == OFW_STORE_CUDA || c->storage == OFW_STORE_CUDA_FLOAT)
    l->engine = ofw_engine_open_cuda(K, l->from_centre, c->storage == OFW_STORE_CUDA_FLOAT, &l->err);
  else
    l->engine = ofw_engine_open_dense(K, l->from_centre, c->storage == OFW_STORE_FLOAT, threads, &l->err);
  OFW_TRY(ofw_ranks_agree(K->split ? K->split->ranks : NULL, l->engine ? OFW_OK : l->err.status, &l->err));
  return l->leads ? l->engine->ops->lead->keep(l->engine, &l->err) : OFW_OK;
}

/* Nothing is proved of an x or d that storage has changed. */
static void void_bounds(ofw_info *info)
{
  info->regret_bound = info->ccv_bound = info->bound_failure = NAN;
}

void ofw_storage_report(const ofw_learner *l, ofw_info *info)
{
  if (ofw_storage_has_floats(l))
    void_bounds(info);
  if (!l->engine->ops->extent)
    return;
  ofw_extent extent = l->engine->ops->extent(l->engine);
  double norm = l->engine->ops->norm(l->engine);
  info->left = extent.left;
  info->right = extent.right;
  info->entries = extent.entries;
  info->compressions = extent.compressions;
  info->lost = extent.lost_x;
  if (extent.lost_x > 0.0 || extent.lost_d > 0.0)
    void_bounds(info);
  info->lost_direction = extent.lost_d > 0.0 ? extent.lost_d / norm : 0.0;
}
