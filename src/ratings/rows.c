/* rows.c — rows of a ratings file, sorted by cell; of several in a cell the last counts
 *
 * Arrays are reused in place if possible: at 25 million rows each copy would take 200 MB.
 */
#include "ratings/rows.h"

#include "base/limits.h"
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>

#include <zlib.h>

_Static_assert(OFW_MOST_RATINGS < UINT32_MAX, "rows and ratings are numbered by 32 bits, from 1; 0 is none");

void ofw_rows_free(ofw_rows *rows)
{
  free(rows->ids);
  free(rows->value);
  free(rows->time);
  *rows = (ofw_rows){0};
}

/* ---- as they come ---- */

static int grow_array(void **array, size_t room, size_t item)
{
  void *grown = realloc(*array, room * item);
  if (grown)
    *array = grown;
  return grown != NULL;
}

/* Large arrays grow by moving their pages, without a copy; pages that no row has come to are not there yet. */
static ofw_status grow(ofw_rows *rows, ofw_error *err)
{
  size_t room = 2 * rows->room + 512;
  room = room < OFW_MOST_RATINGS ? room : OFW_MOST_RATINGS;
  int times = rows->order == OFW_BY_TIME;
  size_t bytes = sizeof *rows->ids + sizeof *rows->value + (times ? sizeof *rows->time : 0);
  if (!ofw_fits((double)room * (double)bytes) || !grow_array((void **)&rows->ids, room, sizeof *rows->ids) ||
      !grow_array((void **)&rows->value, room, sizeof *rows->value) ||
      (times && !grow_array((void **)&rows->time, room, sizeof *rows->time)))
    return ofw_fail_memory(err, room * bytes);
  rows->room = room;
  return OFW_OK;
}

ofw_status ofw_rows_add(ofw_rows *rows, const ofw_row *row, ofw_error *err)
{
  if (rows->count == rows->room)
    OFW_TRY(grow(rows, err));
  rows->ids[rows->count] = (uint64_t)row->user << 32 | row->item;
  rows->value[rows->count] = row->value;
  if (rows->time)
    rows->time[rows->count] = ofw_sort_key(row->time);
  rows->count++;
  return OFW_OK;
}

/* ---- in order ---- */

static void to_cells(ofw_rows *rows, size_t first_user, size_t first_item, size_t items)
{
  for (size_t k = 0; k < rows->count; k++) {
    uint64_t ids = rows->ids[k];
    rows->ids[k] = ((ids >> 32) - first_user) * items + ((uint32_t)ids - first_item);
  }
}

/* The last of each cell; rows of a cell stand as in the file. row[k]: which row rating k is. */
static void keep_last(const ofw_rows *rows, ofw_ratings *r, uint32_t *row)
{
  for (size_t k = 0; k < rows->count; k++) {
    if (k + 1 < rows->count && rows->ids[k] == rows->ids[k + 1])
      continue;
    rows->ids[r->count] = rows->ids[k];
    row[r->count++] = row[k];
  }
  r->total = r->count;
  r->duplicates = rows->count - r->count;
}

static ofw_status take_values(const ofw_rows *rows, ofw_ratings *r, const uint32_t *row, ofw_error *err)
{
  r->value = ofw_array(r->count, sizeof *r->value);
  if (!r->value)
    return ofw_fail_memory(err, r->count * sizeof *r->value);
  for (size_t k = 0; k < r->count; k++) {
    r->value[k] = rows->value[row[k]];
    r->largest = fmax(r->largest, fabs(r->value[k]));
  }
  return OFW_OK;
}

/* The ratings in the order of their rows, and times, if they count, beside them. */
static ofw_status as_filed(const ofw_rows *rows, ofw_ratings *r, const uint32_t *row, ofw_error *err)
{
  uint32_t *rating = calloc(rows->count, sizeof *rating); /* of a row, from 1; 0: it does not count */
  r->sequence = ofw_array(r->count, sizeof *r->sequence);
  if (!rating || !r->sequence) {
    free(rating);
    return ofw_fail_memory(err, rows->count * sizeof *rating);
  }
  for (size_t k = 0; k < r->count; k++)
    rating[row[k]] = (uint32_t)k + 1;
  for (size_t k = 0, n = 0; k < rows->count; k++) {
    if (!rating[k])
      continue;
    if (rows->time)
      rows->time[n] = rows->time[k];
    r->sequence[n++] = rating[k] - 1;
  }
  free(rating);
  return OFW_OK;
}

static ofw_status sort_rows(ofw_rows *rows, ofw_ratings *r, uint32_t *row, ofw_error *err)
{
  for (size_t k = 0; k < rows->count; k++)
    row[k] = (uint32_t)k;
  OFW_TRY(ofw_sort(rows->count, rows->ids, row, err));
  keep_last(rows, r, row);
  OFW_TRY(take_values(rows, r, row, err));
  return rows->order == OFW_SHUFFLED ? OFW_OK : as_filed(rows, r, row, err);
}

/* What a state's configuration has of a file, so it stays as it is: numbers of 8 bytes each. */
static uint32_t checksum(const ofw_ratings *r)
{
  enum { CHUNK = 512 };
  uint64_t wide[CHUNK];
  uLong sum = crc32_z(0, (const Bytef *)r->cell, r->count * sizeof *r->cell);
  sum = crc32_z(sum, (const Bytef *)r->value, r->count * sizeof *r->value);
  for (size_t from = 0; r->sequence && from < r->count; from += CHUNK) {
    size_t run = r->count - from < CHUNK ? r->count - from : CHUNK;
    for (size_t k = 0; k < run; k++)
      wide[k] = r->sequence[from + k];
    sum = crc32_z(sum, (const Bytef *)wide, run * sizeof *wide);
  }
  return (uint32_t)sum;
}

ofw_status ofw_rows_settle(ofw_rows *rows, size_t first_user, size_t first_item, ofw_ratings *r, ofw_error *err)
{
  uint32_t *row = ofw_array(rows->count, sizeof *row);
  ofw_status st = row ? OFW_OK : ofw_fail_memory(err, rows->count * sizeof *row);
  to_cells(rows, first_user, first_item, r->items);
  if (st == OFW_OK)
    st = sort_rows(rows, r, row, err);
  free(row);
  r->cell = rows->ids; /* the first r->count of them */
  rows->ids = NULL;
  free(rows->value);
  rows->value = NULL;
  if (st == OFW_OK && rows->time)
    st = ofw_sort(r->count, rows->time, r->sequence, err);
  ofw_rows_free(rows);
  if (st == OFW_OK)
    r->checksum = checksum(r);
  r->all_users = r->users;
  return st;
}
