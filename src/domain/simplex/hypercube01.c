/* hypercube01.c — {x : 0 <= x_i <= 1}, the mixtures of all vectors of zeros and ones; the box [0, 1]^n
 *
 * Oracle  0 if d_i >= 0, else 1; a read and a write of n numbers
 * Project the nearer bound if x_i is beyond one
 * R = sqrt(n)   r = 1/2   centre (1/2, .., 1/2)
 */
#include "domain/ball/ball.h"

typedef struct hypercube01_options {
  uint64_t dim;
} hypercube01_options;

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  return ofw_box_build_cube(K, (size_t)((const hypercube01_options *)options)->dim, 0.0, 1.0, err);
}

static const ofw_option options[] = {
    OFW_COUNT_ROW(offsetof(hypercube01_options, dim), "dim", NULL, NULL, 1, OFW_MOST_DIM, "dimension n"),
    {0},
};

const ofw_domain_kind ofw_hypercube01_kind = {{.name = "hypercube01",
                                               .summary = "vectors from 0 to 1 in each coordinate",
                                               .example = "hypercube01:dim=6",
                                               .options = options},
                                              build};
