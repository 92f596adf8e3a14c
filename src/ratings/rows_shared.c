/* rows_shared.c — rows that ranks have read go to the ranks that have their users
 *
 * Of two rows of a cell the later one counts, so that rows keep the order of the file: a rank knows first how many it gets
 * of each, and has a place for them.
 */
#include "base/limits.h"
#include "ratings/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

enum {
  CHUNK = 1 << 18,
  NUMBERS = 2
}; /* rows that a rank gets at a time, about; numbers of a row: its ids, as bits, and its value */

typedef struct sharing {
  const ofw_split *split;
  size_t first_user;
  size_t chunk;            /* rows that a rank sends at a time: all of them may go to one rank */
  size_t *sent, *got, *at; /* of each rank: numbers that are sent to it and come from it; where its next row goes */
  double *packed, *dealt;
} sharing;

static size_t owner(const sharing *s, const ofw_rows *rows, size_t k)
{
  return ofw_split_owner(s->split, (size_t)(rows->ids[k] >> 32) - s->first_user);
}

/* sent[r] of one number for each rank r becomes got[r]. */
static void tell_counts(const sharing *s)
{
  const ofw_ranks *r = s->split->ranks;
  double out[OFW_MOST_ROW_BANDS], in[OFW_MOST_ROW_BANDS];
  size_t one[OFW_MOST_ROW_BANDS];
  for (size_t rank = 0; rank < r->count; rank++) {
    out[rank] = (double)s->sent[rank];
    one[rank] = 1;
  }
  r->deal(r, out, one, in, one);
  for (size_t rank = 0; rank < r->count; rank++)
    s->got[rank] = (size_t)in[rank];
}

static void count_rows(const sharing *s, const ofw_rows *rows, size_t from, size_t to)
{
  memset(s->sent, 0, s->split->ranks->count * sizeof *s->sent);
  for (size_t k = from; k < to; k++)
    s->sent[owner(s, rows, k)] += NUMBERS;
  tell_counts(s);
}

/* The rows from .. to, those of rank 0 first. */
static void pack(const sharing *s, const ofw_rows *rows, size_t from, size_t to)
{
  size_t next[OFW_MOST_ROW_BANDS], at = 0;
  for (size_t rank = 0; rank < s->split->ranks->count; at += s->sent[rank++])
    next[rank] = at;
  for (size_t k = from; k < to; k++) {
    double *out = s->packed + next[owner(s, rows, k)];
    memcpy(out, &rows->ids[k], sizeof *out);
    out[1] = rows->value[k];
    next[owner(s, rows, k)] += NUMBERS;
  }
}

static void unpack(const sharing *s, ofw_rows *to)
{
  const double *in = s->dealt;
  for (size_t rank = 0; rank < s->split->ranks->count; rank++)
    for (size_t k = 0; k < s->got[rank]; k += NUMBERS, in += NUMBERS, s->at[rank]++) {
      memcpy(&to->ids[s->at[rank]], in, sizeof *in);
      to->value[s->at[rank]] = in[1];
    }
}

/* Places for all rows that come; how many they are. */
static size_t lay_out(const sharing *s)
{
  size_t rows = 0;
  for (size_t rank = 0; rank < s->split->ranks->count; rank++) {
    s->at[rank] = rows;
    rows += s->got[rank] / NUMBERS;
  }
  return rows;
}

static void exchange(const sharing *s, const ofw_rows *rows, ofw_rows *to)
{
  const ofw_ranks *r = s->split->ranks;
  size_t most = (size_t)ofw_ranks_largest(r, (double)rows->count);
  for (size_t from = 0; from < most; from += s->chunk) {
    size_t here = from < rows->count ? from : rows->count,
           end = rows->count - here < s->chunk ? rows->count : here + s->chunk;
    count_rows(s, rows, here, end);
    pack(s, rows, here, end);
    r->deal(r, s->packed, s->sent, s->dealt, s->got);
    unpack(s, to);
  }
}

ofw_status ofw_rows_share(ofw_rows *rows, const ofw_split *split, size_t first_user, ofw_error *err)
{
  size_t ranks = split->ranks->count;
  ofw_owned own = {0};
  sharing s = {.split = split, .first_user = first_user, .chunk = CHUNK / ranks + 1};
  s.sent = ofw_owned_array(&own, 3 * ranks, sizeof *s.sent);
  s.packed = ofw_owned_array(&own, s.chunk * NUMBERS, sizeof *s.packed);
  s.dealt = ofw_owned_array(&own, ranks * s.chunk * NUMBERS, sizeof *s.dealt);
  ofw_status st = ofw_ranks_agree(split->ranks, ofw_owned_check(&own, err), err);
  if (st == OFW_OK) {
    ofw_rows to = {.order = rows->order};
    s.got = s.sent + ranks;
    s.at = s.got + ranks;
    count_rows(&s, rows, 0, rows->count);
    to.count = to.room = lay_out(&s);
    to.ids = ofw_array(to.count, sizeof *to.ids);
    to.value = ofw_array(to.count, sizeof *to.value);
    st = to.ids && to.value ? OFW_OK : ofw_fail_memory(err, to.count * sizeof *to.ids);
    st = ofw_ranks_agree(split->ranks, st, err);
    if (st == OFW_OK)
      exchange(&s, rows, &to);
    ofw_rows_free(rows);
    *rows = to;
  }
  ofw_owned_free(&own);
  return st;
}

/* The checksum of all ranks' bytes one after the other. */
static uLong combined(const ofw_ranks *r, uLong own, size_t bytes)
{
  double mine[2] = {(double)own, (double)bytes}, all[2 * OFW_MOST_ROW_BANDS];
  size_t got[OFW_MOST_ROW_BANDS] = {2};
  for (size_t rank = 0; rank < r->count; rank++)
    got[rank] = 2;
  r->collect(r, mine, all, got);
  uLong sum = (uLong)all[0];
  for (size_t rank = 1; rank < r->count; rank++)
    sum = crc32_combine(sum, (uLong)all[2 * rank], (z_off_t)all[2 * rank + 1]);
  return sum;
}

void ofw_rows_agree(const ofw_split *split, ofw_ratings *r)
{
  enum { AT_ONCE = 512 };
  uint64_t cell[AT_ONCE];
  uLong cells = crc32_z(0, NULL, 0), values = crc32_z(0, NULL, 0);
  for (size_t from = 0; from < r->count; from += AT_ONCE) {
    size_t run = r->count - from < AT_ONCE ? r->count - from : AT_ONCE;
    for (size_t k = 0; k < run; k++)
      cell[k] = r->cell[from + k] + split->first * r->items;
    cells = crc32_z(cells, (const Bytef *)cell, run * sizeof *cell);
  }
  values = crc32_z(values, (const Bytef *)r->value, r->count * sizeof *r->value);
  cells = combined(split->ranks, cells, r->count * sizeof *cell);
  values = combined(split->ranks, values, r->count * sizeof *r->value);
  r->total = ofw_ranks_total(split->ranks, r->count, &r->first);
  r->checksum = (uint32_t)crc32_combine(cells, values, (z_off_t)(r->total * sizeof *r->value));
  r->duplicates = ofw_ranks_total(split->ranks, r->duplicates, NULL);
  r->largest = ofw_ranks_largest(split->ranks, r->largest);
}
