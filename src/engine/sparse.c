/* sparse.c — a sparse matrix that takes updates: entries that exist change in place, new ones are sorted and merged */
#include "engine/sparse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 4096 }; /* entries that may be recent, however few have settled */

typedef struct ofw_sparse_cell {
  size_t index;
  double value;
} cell;

static ofw_status open_part(ofw_csr *part, size_t rows, ofw_error *err)
{
  part->start = ofw_array(rows + 1, sizeof *part->start);
  if (!part->start)
    return ofw_fail_memory(err, (rows + 1) * sizeof *part->start);
  memset(part->start, 0, (rows + 1) * sizeof *part->start);
  return OFW_OK;
}

ofw_status ofw_sparse_open(ofw_sparse *s, size_t rows, size_t cols, int shared, ofw_error *err)
{
  *s = (ofw_sparse){.rows = rows, .cols = cols, .scale = 1.0, .shared = shared};
  OFW_TRY(open_part(&s->settled, rows, err));
  OFW_TRY(open_part(&s->recent, rows, err));
  return open_part(&s->fresh, rows, err);
}

static void close_part(ofw_csr *part)
{
  free(part->start);
  free(part->row);
  free(part->col);
  free(part->value);
}

void ofw_sparse_close(ofw_sparse *s)
{
  close_part(&s->settled);
  close_part(&s->recent);
  close_part(&s->fresh);
  free(s->queue);
}

/* ---- room ---- */

static ofw_status grow(ofw_csr *part, size_t need, ofw_error *err)
{
  if (need <= part->room)
    return OFW_OK;
  size_t room = need + need / 4;
  uint32_t *row = ofw_fits((double)room * 16.0) ? realloc(part->row, room * sizeof *row) : NULL;
  if (row)
    part->row = row;
  uint32_t *col = row ? realloc(part->col, room * sizeof *col) : NULL;
  if (col)
    part->col = col;
  double *value = col ? realloc(part->value, room * sizeof *value) : NULL;
  if (!value)
    return ofw_fail_memory(err, room * (sizeof *row + sizeof *col + sizeof *value));
  part->value = value;
  part->room = room;
  return OFW_OK;
}

static ofw_status grow_queue(ofw_sparse *s, size_t n, ofw_error *err)
{
  if (n <= s->queue_room)
    return OFW_OK;
  cell *queue = ofw_array(n, sizeof *queue);
  if (!queue)
    return ofw_fail_memory(err, n * sizeof *queue);
  free(s->queue);
  s->queue = queue;
  s->queue_room = n;
  return OFW_OK;
}

/* Whether entries settle if so many are recent. It is the same at all ranks: a row's sum depends on which have settled. */
static int are_many(const ofw_sparse *s, size_t recent)
{
  return recent > FEW + s->all_settled / 8;
}

ofw_status ofw_sparse_reserve(ofw_sparse *s, size_t n, ofw_error *err)
{
  size_t recent = s->recent.start[s->rows] + n;
  OFW_TRY(grow_queue(s, n, err));
  OFW_TRY(grow(&s->fresh, n, err));
  OFW_TRY(grow(&s->recent, recent, err));
  return s->shared || are_many(s, recent) ? grow(&s->settled, s->settled.start[s->rows] + recent, err) : OFW_OK;
}

/* ---- updates ---- */

/* The entry of that column in row i; NULL: there is none. */
static double *find(const ofw_csr *part, size_t i, uint32_t col)
{
  size_t low = part->start[i], end = part->start[i + 1], high = end;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (part->col[middle] < col)
      low = middle + 1;
    else
      high = middle;
  }
  return low < end && part->col[low] == col ? &part->value[low] : NULL;
}

/* The entries of `from`, none of which `to` has, go into it, from the last one backwards; `to` has room. */
static void merge(ofw_csr *to, ofw_csr *from, size_t rows)
{
  size_t at = to->start[rows], other = from->start[rows], out = at + other;
  for (size_t i = rows; i-- > 0;) {
    size_t first = to->start[i], begin = from->start[i];
    to->start[i + 1] = out;
    while (other > begin) {
      int ours = at > first && to->col[at - 1] > from->col[other - 1];
      const ofw_csr *source = ours ? to : from;
      size_t k = ours ? --at : --other;
      to->row[--out] = (uint32_t)i;
      to->col[out] = source->col[k];
      to->value[out] = source->value[k];
    }
    size_t left = at - first;
    out -= left;
    memmove(to->row + out, to->row + first, left * sizeof *to->row);
    memmove(to->col + out, to->col + first, left * sizeof *to->col);
    memmove(to->value + out, to->value + first, left * sizeof *to->value);
    at = first;
  }
  memset(from->start, 0, (rows + 1) * sizeof *from->start);
}

static int by_index(const void *a, const void *b)
{
  size_t x = ((const cell *)a)->index, y = ((const cell *)b)->index;
  return (x > y) - (x < y);
}

/* The n cells of the queue as the fresh part. */
static void line_up(ofw_sparse *s, size_t n)
{
  ofw_csr *fresh = &s->fresh;
  int ordered = 1;
  for (size_t k = 1; k < n && ordered; k++)
    ordered = s->queue[k - 1].index < s->queue[k].index;
  if (!ordered)
    qsort(s->queue, n, sizeof *s->queue, by_index);
  size_t row = 0;
  for (size_t k = 0; k < n; k++) {
    size_t i = s->queue[k].index / s->cols;
    while (row < i)
      fresh->start[++row] = k;
    fresh->row[k] = (uint32_t)i;
    fresh->col[k] = (uint32_t)(s->queue[k].index % s->cols);
    fresh->value[k] = s->queue[k].value;
  }
  while (row < s->rows)
    fresh->start[++row] = n;
}

double ofw_sparse_add(ofw_sparse *s, double c, size_t n, const size_t *index, size_t offset, const double *value)
{
  double grown = 0.0, back = 1.0 / s->scale;
  for (size_t k = 0; k < n; k++) {
    size_t at = index[k] + offset, i = at / s->cols;
    uint32_t col = (uint32_t)(at % s->cols);
    double *there = find(&s->settled, i, col), added = c * value[k], before = 0.0;
    if (!there)
      there = find(&s->recent, i, col);
    if (there) {
      before = s->scale * *there;
      *there += added * back;
    } else
      s->queue[s->queued++] = (cell){at, added * back};
    grown += added * (2.0 * before + added);
  }
  return grown;
}

void ofw_sparse_complete(ofw_sparse *s, size_t all)
{
  if (s->queued > 0) {
    line_up(s, s->queued);
    merge(&s->recent, &s->fresh, s->rows);
  }
  s->queued = 0;
  s->all_recent += all;
  if (!are_many(s, s->all_recent))
    return;
  merge(&s->settled, &s->recent, s->rows);
  s->all_settled += s->all_recent;
  s->all_recent = 0;
}

static void multiply(const ofw_sparse *s, ofw_csr *part, double by)
{
  for (size_t k = 0; k < part->start[s->rows]; k++)
    part->value[k] *= by;
}

void ofw_sparse_scale(ofw_sparse *s, double a)
{
  s->scale *= a;
  if (a == 0.0) {
    s->scale = 1.0;
    s->all_settled = s->all_recent = 0;
    memset(s->settled.start, 0, (s->rows + 1) * sizeof *s->settled.start);
    memset(s->recent.start, 0, (s->rows + 1) * sizeof *s->recent.start);
  } else if (!(fabs(s->scale) > 0x1p-100 && fabs(s->scale) < 0x1p100)) {
    multiply(s, &s->settled, s->scale);
    multiply(s, &s->recent, s->scale);
    s->scale = 1.0;
  }
}

/* ---- state ---- */

/* A part as words: its starts, columns two a word, values. */
static size_t part_words(const ofw_sparse *s, size_t count)
{
  return s->rows + 1 + (count + 1) / 2 + count;
}

size_t ofw_sparse_words(const ofw_sparse *s)
{
  return 1 + part_words(s, s->settled.start[s->rows]) + part_words(s, s->recent.start[s->rows]);
}

static uint64_t *save_part(const ofw_sparse *s, const ofw_csr *part, uint64_t *out)
{
  size_t count = part->start[s->rows];
  for (size_t i = 0; i <= s->rows; i++)
    *out++ = part->start[i];
  if (count == 0)
    return out;
  out[(count - 1) / 2] = 0; /* what pads the last one */
  memcpy(out, part->col, count * sizeof *part->col);
  memcpy(out + (count + 1) / 2, part->value, count * sizeof *part->value);
  return out + (count + 1) / 2 + count;
}

void ofw_sparse_save(const ofw_sparse *s, uint64_t *out)
{
  memcpy(out, &s->scale, sizeof *out);
  save_part(s, &s->recent, save_part(s, &s->settled, out + 1));
}

static size_t check_part(const ofw_sparse *s, const uint64_t *words, size_t n)
{
  if (n < s->rows + 1 || words[0] != 0)
    return 0;
  uint64_t count = words[s->rows];
  if (count > n || part_words(s, count) > n)
    return 0;
  const uint32_t *col = (const uint32_t *)(words + s->rows + 1);
  for (size_t i = 0; i < s->rows; i++) {
    if (words[i + 1] < words[i] || words[i + 1] > count)
      return 0;
    for (uint64_t k = words[i]; k < words[i + 1]; k++)
      if (col[k] >= s->cols || (k > words[i] && col[k] <= col[k - 1]))
        return 0;
  }
  return part_words(s, count);
}

size_t ofw_sparse_check(const ofw_sparse *s, const uint64_t *words, size_t n)
{
  double scale;
  if (n < 1)
    return 0;
  memcpy(&scale, words, sizeof scale);
  size_t first = check_part(s, words + 1, n - 1);
  size_t second = first > 0 ? check_part(s, words + 1 + first, n - 1 - first) : 0;
  return second > 0 && fabs(scale) >= 0x1p-100 && fabs(scale) <= 0x1p100 ? 1 + first + second : 0;
}

ofw_status ofw_sparse_make_room(ofw_sparse *s, const uint64_t *words, ofw_error *err)
{
  size_t first = words[1 + s->rows];
  OFW_TRY(grow(&s->settled, first, err));
  return grow(&s->recent, words[1 + part_words(s, first) + s->rows], err);
}

static const uint64_t *load_part(const ofw_sparse *s, ofw_csr *part, const uint64_t *words)
{
  for (size_t i = 0; i <= s->rows; i++)
    part->start[i] = *words++;
  size_t count = part->start[s->rows];
  if (count == 0)
    return words;
  for (size_t i = 0; i < s->rows; i++)
    for (size_t k = part->start[i]; k < part->start[i + 1]; k++)
      part->row[k] = (uint32_t)i;
  memcpy(part->col, words, count * sizeof *part->col);
  memcpy(part->value, words + (count + 1) / 2, count * sizeof *part->value);
  return words + (count + 1) / 2 + count;
}

void ofw_sparse_load(ofw_sparse *s, const uint64_t *words)
{
  memcpy(&s->scale, words, sizeof s->scale);
  load_part(s, &s->recent, load_part(s, &s->settled, words + 1));
  s->all_settled = s->settled.start[s->rows];
  s->all_recent = s->recent.start[s->rows];
}
