/* linf_ball.c — {x : |x_i| <= a}, the box [-a, a]^n
 *
 * Oracle  -a if d_i >= 0, else a
 * R = a sqrt(n)   r = a   centre 0
 */
#include "domain/ball/ball.h"

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  const ofw_ball *ball = options;
  return ofw_box_build_cube(K, (size_t)ball->dim, -ball->radius, ball->radius, err);
}

const ofw_domain_kind ofw_linf_ball_kind = {{.name = "linf-ball",
                                             .summary = "vectors whose coordinates are at most the radius in size",
                                             .example = "linf-ball:dim=5,radius=1.5",
                                             .options = ofw_ball_options},
                                            build};
