/* describe.h — ratings in a few numbers */
#pragma once

#include "ratings/ratings.h"

enum { DATA_MOST_VALUES = 32, DATA_SINGULAR = 10 };

/* Ratings per user, or per item; the quartiles interpolate between neighbours. */
typedef struct data_counts {
  size_t least, most;
  double quartile[3];
} data_counts;

typedef struct data_description {
  size_t rows, duplicates, users, items;
  double density, mean, deviation;
  size_t values; /* how many different ones there are; 0: more than there is room for */
  double value[DATA_MOST_VALUES];
  size_t of_value[DATA_MOST_VALUES];
  double lowest, highest;
  data_counts per_user, per_item;
  size_t singular, centred_singular;                                           /* how many were found */
  double singular_value[DATA_SINGULAR], centred_singular_value[DATA_SINGULAR]; /* of the ratings; less their mean */
} data_description;

ofw_status data_describe(const ofw_ratings *r, data_description *out, ofw_error *err);

/* The leading singular values of the matrix of ratings, whose other entries are 0: the `most` largest into out, falling,
 * each to about five digits; *found of them, fewer if the others are 0. From each rating `less` is taken. */
ofw_status data_spectrum(const ofw_ratings *r, double less, size_t most, double *out, size_t *found, ofw_error *err);
