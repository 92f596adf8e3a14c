/* ranks.c — rows shared among processes, and sums along a tree of bands; ranks.h has the method */
#include "base/ranks.h"

#include <string.h>

enum {
  CHUNK = 1 << 16,      /* numbers that are exchanged at a time */
  BLOCK = 4096,         /* numbers that are added up at a time, so that a cache holds them */
  SMALL_ROWS = 1 << 14, /* from so many rows per band on there are more bands, as long as there are few */
  MANY_BANDS = 64,
  BAND_ROWS = 1 << 17, /* the same, from so many bands on */
  COUNTED = 4096,      /* whole numbers that are exchanged at a time */
  FEW = 4096           /* numbers of all subtrees that every rank gets at once and adds up by itself */
};

/* ---- who has what ---- */

static size_t bands_of(size_t rows)
{
  size_t bands = OFW_LEAST_ROW_BANDS;
  while (bands < OFW_MOST_ROW_BANDS && rows / bands >= (bands < MANY_BANDS ? SMALL_ROWS : BAND_ROWS))
    bands *= 2;
  return bands;
}

static size_t first_row(const ofw_split *s, size_t band)
{
  return s->rows * band / s->bands;
}

static size_t first_band(const ofw_split *s, size_t rank)
{
  return s->bands * rank / s->ranks->count;
}

void ofw_split_rows(const ofw_split *s, size_t rank, size_t ranks, size_t *first, size_t *here)
{
  *first = first_row(s, s->bands * rank / ranks);
  *here = first_row(s, s->bands * (rank + 1) / ranks) - *first;
}

size_t ofw_split_owner(const ofw_split *s, size_t row)
{
  size_t low = 0, high = s->ranks->count - 1;
  while (low < high) {
    size_t middle = low + (high - low + 1) / 2;
    if (first_row(s, first_band(s, middle)) <= row)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

/* The largest subtree that begins with band `low` and ends before `high`. */
static size_t largest_tree(size_t bands, size_t low, size_t high)
{
  size_t size = low ? low & ~(low - 1) : bands;
  while (low + size > high)
    size /= 2;
  return size;
}

static void plant(ofw_split *s)
{
  for (size_t rank = 0; rank < s->ranks->count; rank++) {
    size_t end = first_band(s, rank + 1);
    for (size_t at = first_band(s, rank); at < end; at += s->tree[s->trees_all++]) {
      s->tree[s->trees_all] = largest_tree(s->bands, at, end);
      s->trees[rank]++;
    }
  }
}

ofw_status ofw_split_open(ofw_owned *own, const ofw_ranks *ranks, size_t rows, const ofw_split **out, ofw_error *err)
{
  *out = NULL;
  if (!ranks)
    return OFW_OK;
  size_t n = ranks->count, bands = bands_of(rows);
  if (n > bands)
    return ofw_fail(err, OFW_USAGE, "%zu ranks are too many for %zu rows, of which %zu bands are made; use at most %zu",
                    n, rows, bands, bands);
  ofw_split *s = ofw_owned_array(own, 1, sizeof *s);
  size_t *counts = ofw_owned_array(own, bands + 3 * n, sizeof *counts);
  OFW_TRY(ofw_owned_check(own, err));
  memset(counts, 0, (bands + 3 * n) * sizeof *counts);
  *s = (ofw_split){.ranks = ranks, .rows = rows, .bands = bands, .tree = counts, .trees = counts + bands};
  s->sent = s->trees + n;
  s->got = s->sent + n;
  s->band = first_band(s, ranks->rank);
  s->bands_here = first_band(s, ranks->rank + 1) - s->band;
  s->first = first_row(s, s->band);
  s->here = first_row(s, s->band + s->bands_here) - s->first;
  plant(s);
  s->packed = ofw_owned_doubles(own, s->trees[ranks->rank] * CHUNK);
  s->dealt = ofw_owned_doubles(own, s->trees_all * (CHUNK * ((bands + n - 1) / n) / bands + 1));
  *out = s;
  return ofw_owned_check(own, err);
}

size_t ofw_split_begin(const ofw_split *s, size_t rows, size_t part)
{
  return s ? first_row(s, s->band + part) - s->first : part ? rows : 0;
}

size_t ofw_split_part(const ofw_split *s, size_t row)
{
  if (!s)
    return 0;
  size_t at = s->first + row, band = at * s->bands / s->rows;
  while (first_row(s, band + 1) <= at)
    band++;
  return band - s->band;
}

size_t ofw_split_cut(const ofw_split *s, size_t cols, size_t n, const size_t *index, size_t offset, size_t part)
{
  size_t low = 0, high = n;
  if (part == 0 || part == ofw_split_parts(s))
    return part ? n : 0;
  for (size_t cell = ofw_split_begin(s, 0, part) * cols; low < high;) {
    size_t middle = low + (high - low) / 2;
    if (index[middle] + offset < cell)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* ---- sums ---- */

static void add(size_t n, const double *from, double *to)
{
  for (size_t i = 0; i < n; i++)
    to[i] += from[i];
}

/* The first of `bands` lines becomes the sum of all of them, along the tree. */
static void fold(size_t n, double *line, size_t stride, size_t bands)
{
  for (size_t from = 0; from < n; from += BLOCK) {
    size_t run = n - from < BLOCK ? n - from : BLOCK;
    for (size_t step = 1; step < bands; step *= 2)
      for (size_t k = 0; k < bands; k += 2 * step)
        add(run, line + (k + step) * stride + from, line + k * stride + from);
  }
}

/* The sum of so many bands, of which the subtree *k is the first; *k then is the one behind them. */
static double *join(const ofw_split *s, size_t n, size_t bands, size_t *k)
{
  double *sum = s->dealt + *k * n;
  if (s->tree[*k] == bands) {
    ++*k;
    return sum;
  }
  join(s, n, bands / 2, k);
  add(n, join(s, n, bands / 2, k), sum);
  return sum;
}

/* The subtrees before this rank's. */
static size_t trees_before(const ofw_split *s)
{
  size_t before = 0;
  for (size_t rank = 0; rank < s->ranks->rank; rank++)
    before += s->trees[rank];
  return before;
}

/* Where a rank's piece of n numbers begins. */
static size_t piece_begin(const ofw_split *s, size_t n, size_t rank)
{
  return n * first_band(s, rank) / s->bands;
}

static size_t piece(const ofw_split *s, size_t n, size_t rank)
{
  return piece_begin(s, n, rank + 1) - piece_begin(s, n, rank);
}

/* Numbers of the chunk that begins with number `from`. */
static size_t chunk(size_t n, size_t from)
{
  return n - from < CHUNK ? n - from : CHUNK;
}

/* Each rank gets its piece of the n numbers of every subtree, of which those here have a line each. */
static void deal(const ofw_split *s, size_t n, const double *line, size_t stride)
{
  const ofw_ranks *ranks = s->ranks;
  size_t me = ranks->rank, trees = s->trees[me];
  double *to = s->packed;
  for (size_t rank = 0; rank < ranks->count; rank++) {
    size_t from = piece_begin(s, n, rank), run = piece(s, n, rank);
    for (size_t k = 0; k < trees && trees > 1; k++, to += run)
      memcpy(to, line + k * stride + from, run * sizeof *to);
    s->sent[rank] = trees * run;
    s->got[rank] = s->trees[rank] * piece(s, n, me);
  }
  ranks->deal(ranks, trees > 1 ? s->packed : line, s->sent, s->dealt, s->got);
}

/* This rank's piece of the sum of the n numbers from `from` on of every line. */
static double *own_sum(const ofw_split *s, size_t from, size_t n, const double *line, size_t stride)
{
  size_t k = 0;
  deal(s, n, line + from, stride);
  return join(s, piece(s, n, s->ranks->rank), s->bands, &k);
}

/* Every rank gets the n numbers a piece of which is here. */
static void collect(const ofw_split *s, size_t n, const double *own, double *out)
{
  for (size_t rank = 0; rank < s->ranks->count; rank++)
    s->got[rank] = piece(s, n, rank);
  s->ranks->collect(s->ranks, own, out, s->got);
}

static int alone(const ofw_split *s)
{
  return !s || s->ranks->count == 1;
}

/* The bands of each subtree here. */
static const size_t *trees_here(const ofw_split *s, size_t *count)
{
  *count = s->trees[s->ranks->rank];
  return s->tree + trees_before(s);
}

void ofw_split_fold(const ofw_split *s, size_t n, double *part, size_t stride)
{
  size_t trees = 1, one = 1;
  const size_t *tree = s ? trees_here(s, &trees) : &one;
  double *line = part;
  for (size_t k = 0; k < trees; line += tree[k++] * stride) {
    fold(n, line, stride, tree[k]);
    if (line != part + k * stride)
      memmove(part + k * stride, line, n * sizeof *line);
  }
}

/* Behind the sums of subtrees that are whole there are those of the parts so far: one per binary digit of their number. */
void ofw_split_fill(const ofw_split *s, size_t n, double *line, size_t stride, ofw_split_work work, void *ctx)
{
  size_t trees, part = 0;
  const size_t *tree = trees_here(s, &trees);
  for (size_t k = 0; k < trees; k++, line += stride)
    for (size_t i = 0, top = 0; i < tree[k]; i++, top++) {
      work(ctx, part++, line + top * stride);
      for (size_t done = i + 1; done % 2 == 0; done /= 2, top--)
        add(n, line + top * stride, line + (top - 1) * stride);
    }
}

/* Every rank gets the n numbers of all subtrees, and goes on along the tree. */
static void add_at_once(const ofw_split *s, size_t n, const double *line, size_t stride, double *out)
{
  const ofw_ranks *ranks = s->ranks;
  size_t k = 0;
  for (size_t rank = 0; rank < ranks->count; rank++)
    s->got[rank] = s->trees[rank] * n;
  for (size_t tree = 0; tree < s->trees[ranks->rank]; tree++)
    memcpy(s->packed + tree * n, line + tree * stride, n * sizeof *line);
  ranks->collect(ranks, s->packed, s->dealt, s->got);
  memcpy(out, join(s, n, s->bands, &k), n * sizeof *out);
}

void ofw_split_add_folded(const ofw_split *s, size_t n, const double *line, size_t stride, double *out)
{
  if (alone(s))
    memmove(out, line, n * sizeof *out);
  else if (n * s->trees_all <= FEW)
    add_at_once(s, n, line, stride, out);
  else
    for (size_t from = 0; from < n; from += CHUNK)
      collect(s, chunk(n, from), own_sum(s, from, chunk(n, from), line, stride), out + from);
}

void ofw_split_add(const ofw_split *s, size_t n, double *part, size_t stride, double *out)
{
  ofw_split_fold(s, n, part, stride);
  ofw_split_add_folded(s, n, part, stride, out);
}

/* ---- numbers that ranks share ---- */

size_t ofw_split_blocks(const ofw_split *s, size_t n)
{
  return s ? (n + CHUNK - 1) / CHUNK : 1;
}

void ofw_split_run(const ofw_split *s, size_t n, size_t part, size_t block, size_t *from, size_t *to)
{
  *from = 0;
  *to = n;
  if (s) {
    size_t first = block * CHUNK, run = chunk(n, first), band = s->band + part;
    *from = first + run * band / s->bands;
    *to = first + run * (band + 1) / s->bands;
  }
}

void ofw_split_add_own(const ofw_split *s, size_t n, const double *line, size_t stride, ofw_split_finish finish,
                       void *ctx, double *out)
{
  if (alone(s)) {
    memcpy(out, line, n * sizeof *out);
    finish(ctx, 0, n, out);
    return;
  }
  for (size_t from = 0; from < n; from += CHUNK) {
    size_t all = chunk(n, from), at = from + piece_begin(s, all, s->ranks->rank), mine = piece(s, all, s->ranks->rank);
    memcpy(out + at, own_sum(s, from, all, line, stride), mine * sizeof *out);
    finish(ctx, at, mine, out + at);
  }
}

void ofw_split_gather(const ofw_split *s, size_t n, double *x)
{
  for (size_t from = 0; from < n && !alone(s); from += CHUNK) {
    size_t all = chunk(n, from), at = from + piece_begin(s, all, s->ranks->rank);
    collect(s, all, x + at, x + from);
  }
}

/* ---- agreement ---- */

void ofw_ranks_count(const ofw_ranks *r, size_t n, double *x)
{
  double each[COUNTED + OFW_MOST_ROW_BANDS], sum[COUNTED];
  size_t sent[OFW_MOST_ROW_BANDS], got[OFW_MOST_ROW_BANDS];
  for (size_t from = 0; r && from < n; from += COUNTED) {
    size_t run = n - from < COUNTED ? n - from : COUNTED, first = run * r->rank / r->count;
    size_t mine = run * (r->rank + 1) / r->count - first;
    for (size_t rank = 0; rank < r->count; rank++) {
      sent[rank] = run * (rank + 1) / r->count - run * rank / r->count;
      got[rank] = mine;
    }
    r->deal(r, x + from, sent, each, got);
    memset(sum, 0, mine * sizeof *sum);
    for (size_t rank = 0; rank < r->count; rank++)
      add(mine, each + rank * mine, sum);
    r->collect(r, sum, x + from, sent);
  }
}

/* One number of each rank. */
static void one_each(const ofw_ranks *r, double x, double all[OFW_MOST_ROW_BANDS])
{
  size_t got[OFW_MOST_ROW_BANDS] = {1};
  for (size_t rank = 1; rank < r->count; rank++)
    got[rank] = 1;
  r->collect(r, &x, all, got);
}

size_t ofw_ranks_total(const ofw_ranks *r, size_t x, size_t *before)
{
  double all[OFW_MOST_ROW_BANDS];
  size_t total = r ? 0 : x;
  if (before)
    *before = 0;
  if (r)
    one_each(r, (double)x, all);
  for (size_t rank = 0; r && rank < r->count; rank++) {
    if (before && rank == r->rank)
      *before = total;
    total += (size_t)all[rank];
  }
  return total;
}

double ofw_ranks_largest(const ofw_ranks *r, double x)
{
  double all[OFW_MOST_ROW_BANDS], largest = x;
  if (r)
    one_each(r, x, all);
  for (size_t rank = 0; r && rank < r->count; rank++)
    largest = all[rank] > largest ? all[rank] : largest;
  return largest;
}

int ofw_ranks_any(const ofw_ranks *r, int yes)
{
  return ofw_ranks_largest(r, yes != 0) > 0.0;
}

ofw_status ofw_ranks_agree(const ofw_ranks *r, ofw_status st, ofw_error *err)
{
  double all[OFW_MOST_ROW_BANDS];
  ofw_error why = {0};
  if (!r)
    return st;
  one_each(r, (double)st, all);
  for (size_t rank = 0; rank < r->count; rank++) {
    if (all[rank] == (double)OFW_OK)
      continue;
    if (rank == r->rank && err)
      why = *err;
    r->spread(r, rank, &why, sizeof why);
    if (err)
      *err = why;
    return (ofw_status)all[rank];
  }
  return OFW_OK;
}
