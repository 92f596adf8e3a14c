/* shifted.c — K + b: every point of K moved by b
 *
 * Oracle  K's, and b as one term more
 * Project b + p with K's projection p of x - b
 * R^2 <= R_K^2 + 2 max_K <b, v> + |b|^2, by one call of the oracle   r = r_K   centre c + b
 */
#include "base/source.h"
#include "domain/set.h"
#include "domain/wrapper/moved.h"

#include <math.h>

typedef struct shifted_options {
  char *by, *of;
} shifted_options;

static ofw_status check_shift(size_t dim, const double *b, ofw_error *err)
{
  for (size_t i = 0; i < dim; i++)
    if (!(fabs(b[i]) <= OFW_LARGEST_RADIUS))
      return ofw_fail(err, OFW_USAGE, "shifted: coordinate %zu is shifted by more than %g", i + 1, OFW_LARGEST_RADIUS);
  return OFW_OK;
}

static ofw_status set_centre(ofw_domain *K, const double *b, ofw_error *err)
{
  if (!K->centre)
    return ofw_domain_set_centre(K, b, err);
  for (size_t i = 0; i < K->dim; i++)
    K->centre[i] += b[i];
  return OFW_OK;
}

static ofw_status build_around(ofw_domain *K, const double *b, ofw_error *err)
{
  OFW_TRY(check_shift(K->of->dim, b, err));
  OFW_TRY(ofw_moved_build(K, (ofw_moved){.factor = 1.0, .weight = 1.0, .shift = b}, err));
  if (!(K->R >= OFW_LEAST_RADIUS && K->R <= OFW_LARGEST_RADIUS))
    return ofw_fail(err, OFW_USAGE, "shifted: its radius %g about the origin is not in [%g, %g]", K->R,
                    OFW_LEAST_RADIUS, OFW_LARGEST_RADIUS);
  OFW_TRY(set_centre(K, b, err));
  return ofw_domain_set_start(K, err);
}

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  const shifted_options *o = options;
  ofw_list by = {.key = "by", .text = o->by};
  OFW_TRY(ofw_domain_create_nested(K, o->of, "shifted", &K->of, err));
  size_t dim = K->of->dim;
  uint32_t read = 0; /* of the file with b */
  OFW_TRY(ofw_lists_read("shifted", 1, &by, NULL, &K->own, &read, &dim, err));
  OFW_TRY(build_around(K, by.x, err));
  if (read) /* after build_around, by which K has the content of K->of */
    ofw_content_add(&K->content, read);
  return OFW_OK;
}

static const ofw_option options[] = {
    OFW_TEXT_ROW(offsetof(shifted_options, by), "by",
                 "the vector b: a number for all coordinates, (a,b,..), or @FILE with one per line"),
    OFW_AROUND_ROW(offsetof(shifted_options, of)),
    {0},
};

const ofw_domain_kind ofw_shifted_kind = {{.name = "shifted",
                                           .summary = "another set with all points moved by a vector",
                                           .example = "shifted:by=(0.5,-1,0.25,0,1.5),of=(l1-ball:dim=5,radius=2)",
                                           .options = options},
                                          build};
