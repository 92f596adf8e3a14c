/* likeness.c — the sets that are known, and ratings with the frequencies of their values
 *
 * The curves go through points of the sorted counts; the other constants were fitted to the singular values
 * (docs/data.md).
 */
#include "ratings/likeness.h"

#include "base/owned.h"
#include "base/sort.h"

const ofw_likeness ofw_likenesses[] = {
    {.name = "movielens-100k",
     .users = 943,
     .items = 1682,
     .count = 100000,
     .lowest = 1.0,
     .step = 1.0,
     .of_value = {6110, 11370, 27145, 34174, 21201},
     .user = {{0, 20},
              {.1253, 24},
              {.5053, 65},
              {.5977, 93},
              {.7898, 166},
              {.8907, 236},
              {.949, 307},
              {.9873, 414},
              {.9958, 518},
              {1, 737}},
     .item = {{0, 1},
              {.0375, 1},
              {.188, 4},
              {.301, 9},
              {.4474, 20},
              {.4682, 23},
              {.7989, 99},
              {.8489, 127},
              {.9203, 183},
              {.9453, 221},
              {.9786, 297},
              {.9869, 336},
              {.9952, 431},
              {1, 583}},
     .choice = {1.43, 1.23, .78, .76, .72, .53, .52, .38, .37},
     .nested = .395,
     .taste = {.404, .353, .275, .237, .229, .202, .201, .074},
     .user_bias = .515,
     .item_bias = .563,
     .popular = .359,
     .noise = .75},
    {.name = "filmtrust",
     .users = 1508,
     .items = 2071,
     .count = 35494,
     .lowest = 0.5,
     .step = 0.5,
     .of_value = {1060, 1141, 1601, 3113, 4392, 7877, 7141, 9169},
     .user = {{0, 1},
              {.2342, 6},
              {.347, 10},
              {.6191, 23},
              {.7485, 38},
              {.7903, 46},
              {.9575, 53},
              {.9701, 58},
              {.9788, 73},
              {.9827, 85},
              {.9914, 111},
              {.9954, 147},
              {1, 244}},
     .item = {{0, 1},
              {.1295, 1},
              {.7319, 3},
              {.8995, 8},
              {.9498, 14},
              {.958, 19},
              {.9662, 23},
              {.9705, 28},
              {.9749, 54},
              {.9787, 365},
              {.9831, 448},
              {.9874, 506},
              {.9957, 750},
              {1, 1044}},
     .choice = {1.63, .89, .77, .6, .58, .37, .28, .27, .27},
     .taste = {.285, .202, .135, .063, .063, .063, .063, .041, .022},
     .user_bias = .645,
     .item_bias = .228,
     .popular = -.035,
     .noise = .75},
};
const size_t ofw_likenesses_count = sizeof ofw_likenesses / sizeof *ofw_likenesses;

ofw_status ofw_likeness_rate(const ofw_likeness *like, double *value, ofw_error *err)
{
  ofw_owned own = {0};
  uint64_t *key = ofw_owned_array(&own, like->count, sizeof *key);
  uint32_t *at = ofw_owned_array(&own, like->count, sizeof *at);
  ofw_status st = ofw_owned_check(&own, err);
  for (size_t k = 0; st == OFW_OK && k < like->count; k++) {
    key[k] = ofw_sort_key(value[k]);
    at[k] = (uint32_t)k;
  }
  if (st == OFW_OK)
    st = ofw_sort(like->count, key, at, err);
  for (size_t k = 0, step = 0, end = like->of_value[0]; st == OFW_OK && k < like->count; k++) {
    while (k >= end)
      end += like->of_value[++step];
    value[at[k]] = like->lowest + (double)step * like->step;
  }
  ofw_owned_free(&own);
  return st;
}
