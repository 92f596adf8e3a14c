/* scaled.c — f K: every point of K times f, which may be negative
 *
 * Oracle  f v with K's v of d, or of -d if f < 0, by whose rule ties go; its error times |f|
 * Project f p with K's projection p of x/f
 * R = |f| R_K   r = |f| r_K   centre f c
 */
#include "domain/wrapper/moved.h"

typedef struct scaled_options {
  double factor;
  char *of;
} scaled_options;

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  const scaled_options *o = options;
  OFW_TRY(ofw_domain_create_nested(K, o->of, "scaled", &K->of, err));
  OFW_TRY(ofw_moved_build(K, (ofw_moved){.factor = o->factor}, err));
  if (!(K->R >= OFW_LEAST_RADIUS && K->R <= OFW_LARGEST_RADIUS))
    return ofw_fail(err, OFW_USAGE, "scaled: factor=%g times the radius %g is not in [%g, %g]", o->factor, K->of->R,
                    OFW_LEAST_RADIUS, OFW_LARGEST_RADIUS);
  for (size_t i = 0; K->centre && i < K->dim; i++)
    K->centre[i] = o->factor * K->centre[i] + 0.0; /* of -0 and 0 it is 0 */
  return OFW_OK;
}

static const ofw_option options[] = {
    OFW_REAL_ROW(offsetof(scaled_options, factor), "factor", NULL, NULL, -OFW_LARGEST_RADIUS, OFW_LARGEST_RADIUS,
                 "the factor f, not 0"),
    OFW_AROUND_ROW(offsetof(scaled_options, of)),
    {0},
};

const ofw_domain_kind ofw_scaled_kind = {{.name = "scaled",
                                          .summary = "another set with all points multiplied by a number",
                                          .example = "scaled:factor=-1.5,of=(unit-simplex:dim=6,sum=2)",
                                          .options = options},
                                         build};
