/* rows.h — the rows of a file of ratings, kept as they come and put in order at the end
 *
 * What is read takes 16 bytes per row, and 8 more if times count. The cells of the ratings are the rows' ids, in place.
 */
#pragma once

#include "ratings/ratings.h"

typedef struct ofw_row {
  uint32_t user, item;
  double value, time;
} ofw_row;

typedef struct ofw_rows {
  size_t count, room;
  uint64_t *ids; /* user * 2^32 + item */
  double *value;
  uint64_t *time; /* as ofw_sort_key has it; NULL: times do not count */
  ofw_order order;
} ofw_rows;

/* One more; `order` is set before the first. There are at most OFW_MOST_RATINGS, which the caller sees to. */
ofw_status ofw_rows_add(ofw_rows *rows, const ofw_row *row, ofw_error *err);
/* The last row of each pair into r, whose users and items are set, sorted; ids count from the two numbers given. Takes
 * the rows' memory, also if it fails. */
ofw_status ofw_rows_settle(ofw_rows *rows, size_t first_user, size_t first_item, ofw_ratings *r, ofw_error *err);
/* The rows of all ranks, one rank's after the other's, at the rank that has their user (rows_shared.c). OFW_SHUFFLED. */
ofw_status ofw_rows_share(ofw_rows *rows, const ofw_split *split, size_t first_user, ofw_error *err);
/* What all ranks have of ratings whose cells are numbered over all users: their number, duplicates and checksum, and the largest
 * of all. */
void ofw_rows_agree(const ofw_split *split, ofw_ratings *r);
void ofw_rows_free(ofw_rows *rows);
