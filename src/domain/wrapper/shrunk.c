/* shrunk.c — (1 - f) c + f K: the set K pulled towards its centre c by a factor f
 *
 * Oracle  (1 - f) c + f v with K's v, its error times f
 * Project (1 - f) c + f p with K's projection p of (x - (1 - f) c)/f
 * R^2 <= f^2 R_K^2 + 2 f (1 - f) max_K <c, v> + (1 - f)^2 |c|^2   r = f r_K   centre c
 */
#include "domain/wrapper/moved.h"
#include "domain/wrapper/wrapper.h"

#include <stdlib.h>
#include <string.h>

#define LEAST_FACTOR 1e-12

static ofw_status build_around(ofw_domain *K, double factor, ofw_error *err)
{
  OFW_TRY(ofw_moved_build(K, (ofw_moved){.factor = factor, .weight = 1.0 - factor, .shift = K->of->centre}, err));
  return ofw_domain_set_start(K, err); /* the origin may have been shrunk away */
}

ofw_domain *ofw_domain_create_shrunk(const ofw_domain *of, double factor, ofw_error *err)
{
  if (!(factor >= LEAST_FACTOR && factor <= 1.0)) {
    ofw_fail(err, OFW_USAGE, "shrunk: factor=%g is not in [%g, 1]", factor, LEAST_FACTOR);
    return NULL;
  }
  ofw_text spec = {0};
  char number[OFW_REAL_TEXT];
  ofw_text_add(&spec, "shrunk:factor=%s,of=(%s)", ofw_print_real(factor, number), of->spec);
  ofw_domain *K = NULL;
  if (spec.failed)
    ofw_fail_memory(err, strlen(of->spec));
  else
    K = ofw_domain_alloc(spec.chars, err);
  free(spec.chars);
  if (!K)
    return NULL;
  K->of = ofw_domain_keep(of);
  return ofw_domain_built(K, build_around(K, factor, err));
}

void ofw_domain_reshrink(ofw_domain *K, double factor)
{
  ofw_moved *m = K->data;
  m->factor = factor;
  m->weight = 1.0 - factor;
}

typedef struct shrunk_options {
  double factor;
  char *of;
} shrunk_options;

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  const shrunk_options *o = options;
  OFW_TRY(ofw_domain_create_nested(K, o->of, "shrunk", &K->of, err));
  return build_around(K, o->factor, err);
}

static const ofw_option options[] = {
    OFW_REAL_ROW(offsetof(shrunk_options, factor), "factor", NULL, NULL, LEAST_FACTOR, 1, "the factor f"),
    OFW_AROUND_ROW(offsetof(shrunk_options, of)),
    {0},
};

const ofw_domain_kind ofw_shrunk_kind = {{.name = "shrunk",
                                          .summary = "another set shrunk towards its centre",
                                          .example = "shrunk:factor=0.75,of=(simplex:dim=5,sum=2)",
                                          .options = options},
                                         build};
