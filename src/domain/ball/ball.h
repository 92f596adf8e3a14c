/* ball.h — shared by balls, and balls for other families */
#pragma once

#include "domain/set.h"

/* The options of a ball with a radius. */
typedef struct ofw_ball {
  uint64_t dim;
  double radius;
} ofw_ball;
extern const ofw_option ofw_ball_options[];

/* The balls that lp-ball is if p is 1 or 2. */
extern const ofw_domain_kind ofw_l1_ball_kind, ofw_l2_ball_kind;

/* box.c: the options of a box, which a diamond has too, and [lower, upper]^dim. */
typedef struct ofw_bounds {
  uint64_t dim;
  char *lower, *upper;
} ofw_bounds;
extern const ofw_option ofw_bounds_options[];
ofw_status ofw_box_build_cube(ofw_domain *K, size_t dim, double lower, double upper, ofw_error *err);
