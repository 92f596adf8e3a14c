/* linf_ball.c — {x : |x_i| <= a}, the box [-a, a]^n
 *
 * Oracle  -a where d_i >= 0, else a
 * R = a sqrt(n)   r = a   centre 0
 */
#include "domain/domain.h"

#include <stdlib.h>

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  const ofw_ball *ball = options;
  size_t dim = (size_t)ball->dim;
  double *lower = ofw_doubles(1), *upper = ofw_doubles(1);
  if (!lower || !upper) {
    free(lower);
    free(upper);
    return ofw_fail_memory(err, sizeof *lower);
  }
  *lower = -(*upper = ball->radius);
  return ofw_box_build(K, dim, 0, lower, upper, err);
}

const ofw_domain_kind ofw_linf_ball_kind = {{.name = "linf-ball",
                                             .summary = "vectors whose coordinates are at most the radius in size",
                                             .example = "linf-ball:dim=5,radius=1.5",
                                             .options = ofw_ball_options},
                                            sizeof(ofw_ball),
                                            build};
