/* baselines.h — the errors of two predictors that know only means, on held-out ratings */
#pragma once

#include "ratings/schedule.h"

/* Root mean square errors on the ratings held out, of which there are some: of the mean of all ratings in play, and of
 * the mean of the item's, or of all if it has none. */
ofw_status ofw_baselines(const ofw_ratings *r, const ofw_schedule *s, double *mean, double *item_mean, ofw_error *err);
