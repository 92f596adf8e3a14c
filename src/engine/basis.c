/* basis.c — orthonormal vectors, added one at a time and rotated; every product with them is one read, shared by bands */
#include "engine/basis.h"

#include "linalg/kernels.h"

#include <math.h>
#include <string.h>

#include <cblas.h>

enum {
  LONG = 4096, /* so few rows are one band */
  BLOCK = 64,  /* rows that are rotated together */
  NARROW = 16  /* numbers of a row, at first */
};

/* What a vector that is called orthogonal to the basis may have in it, relative to its length. */
static const double NOTHING = 1e-15;

ofw_status ofw_basis_open(ofw_owned *own, ofw_basis *b, size_t length, size_t room, const ofw_split *split,
                          const ofw_ranks *ranks, ofw_pool *pool, ofw_error *err)
{
  size_t whole = split ? split->rows : length;
  room = room < whole ? room : whole;
  *b = (ofw_basis){.length = length, .whole = whole, .room = room, .split = split, .ranks = ranks, .pool = pool};
  b->bands = split ? ofw_split_parts(split) : length < LONG ? 1 : OFW_BANDS;
  b->stride = room < NARROW ? room : NARROW;
  b->rows = ofw_owned_take(own, ofw_doubles_unset(length * room), length * room * sizeof *b->rows);
  b->shares = ofw_owned_doubles(own, b->bands * (room + 1));
  b->got = ofw_owned_array(own, ranks ? ranks->count : 1, sizeof *b->got);
  b->sum = ofw_owned_doubles(own, room + 1);
  b->block = ofw_owned_doubles(own, (size_t)BLOCK * room);
  b->copy = ofw_owned_array(own, 1, sizeof *b->copy);
  size_t words = (ofw_panels_size(length, room) + 1) / 2;
  float *number = ofw_owned_take(own, ofw_doubles_unset(words), words * sizeof(double));
  if (b->copy)
    *b->copy = (ofw_panels){length, 0, number};
  return ofw_owned_check(own, err);
}

size_t ofw_basis_band(const ofw_basis *b, size_t band)
{
  return b->split ? ofw_split_begin(b->split, b->length, band) : b->length * band / b->bands;
}

/* The rows move apart, the last one first. */
static void widen(ofw_basis *b)
{
  size_t wider = 2 * b->stride < b->room ? 2 * b->stride : b->room;
  for (size_t i = b->length; i-- > 1;)
    memmove(b->rows + i * wider, b->rows + i * b->stride, b->count * sizeof *b->rows);
  b->stride = wider;
}

static void set_count(ofw_basis *b, size_t count)
{
  while (b->stride < count)
    widen(b);
  b->count = count;
}

void ofw_basis_resize(ofw_basis *b, size_t count)
{
  set_count(b, count);
  b->copy->count = 0;
}

/* One read of the basis: with r_i = u_i - <row i, h> (h may be NULL: 0), out += r_i row i, and |r|^2. */
typedef struct reading {
  const ofw_basis *b;
  const double *u, *h;
  double *rest; /* NULL: r is not kept */
  int sums;     /* out is wanted */
  int copy;     /* of the copy, and |r|^2 is not wanted */
  size_t band;  /* the first one that is read here */
} reading;

static void read_band(void *ctx, size_t part)
{
  const reading *t = ctx;
  const ofw_basis *b = t->b;
  size_t band = t->band + part;
  double *out = b->shares + band * (b->count + 1), square = 0.0;
  size_t i = ofw_basis_band(b, band), end = ofw_basis_band(b, band + 1);
  memset(out, 0, b->count * sizeof *out);
  if (t->copy)
    ofw_panels_chosen()->add_turned(b->copy, i, end - i, t->u + i, out);
  for (; i < end && !t->copy; i++) {
    const double *row = ofw_basis_row(b, i);
    double r = t->h ? t->u[i] - ofw_dot(b->count, row, t->h) : t->u[i];
    square += r * r;
    if (t->sums)
      ofw_axpy(b->count, r, row, out);
    if (t->rest)
      t->rest[i] = r;
  }
  out[b->count] = square;
}

/* The sum of the bands' shares of `count` products and a square. */
static void add_bands(const ofw_basis *b)
{
  memset(b->sum, 0, (b->count + 1) * sizeof *b->sum);
  if (b->split)
    ofw_split_add(b->split, b->count + 1, b->shares, b->count + 1, b->sum);
  for (size_t band = 0; band < b->bands && !b->split; band++)
    ofw_axpy(b->count + 1, 1.0, b->shares + band * (b->count + 1), b->sum);
}

/* The first of the bands that a rank reads, if ranks share a read. */
static size_t rank_band(const ofw_basis *b, size_t rank)
{
  return b->bands * rank / b->ranks->count;
}

/* Each rank reads its part of the bands, and all get the shares of all. */
static void read_part(reading t)
{
  const ofw_basis *b = t.b;
  const ofw_ranks *r = b->ranks;
  size_t width = b->count + 1;
  t.band = rank_band(b, r->rank);
  for (size_t rank = 0; rank < r->count; rank++)
    b->got[rank] = (rank_band(b, rank + 1) - rank_band(b, rank)) * width;
  ofw_pool_run(b->pool, b->got[r->rank] / width, read_band, &t);
  r->collect(r, b->shares + t.band * width, b->shares, b->got);
}

/* All ranks get the rest, of which each has what belongs to its bands. */
static void collect_rest(const ofw_basis *b, double *rest)
{
  const ofw_ranks *r = b->ranks;
  for (size_t rank = 0; rank < r->count; rank++)
    b->got[rank] = ofw_basis_band(b, rank_band(b, rank + 1)) - ofw_basis_band(b, rank_band(b, rank));
  r->collect(r, rest + ofw_basis_band(b, rank_band(b, r->rank)), rest, b->got);
}

/* The squared length of what is left of u; out (may be NULL) as above. */
static double read_once(reading t, double *out)
{
  const ofw_basis *b = t.b;
  t.sums = out != NULL;
  if (b->ranks)
    read_part(t);
  else
    ofw_pool_run(b->pool, b->bands, read_band, &t);
  add_bands(b);
  if (out)
    memcpy(out, b->sum, b->count * sizeof *out);
  return b->sum[b->count];
}

void ofw_basis_project(const ofw_basis *b, const double *u, double *h)
{
  read_once((reading){.b = b, .u = u}, h);
}

void ofw_basis_project_copy(const ofw_basis *b, const double *u, double *h)
{
  read_once((reading){.b = b, .u = u, .copy = 1}, h);
}

/* Twice is enough: what rounding left of the basis in the first rest goes with the second. If it left next to nothing, once is. */
double ofw_basis_split(const ofw_basis *b, const double *u, double *h, double *rest)
{
  double *more = b->block;
  read_once((reading){.b = b, .u = u}, h);
  double square = read_once((reading){.b = b, .u = u, .h = h, .rest = rest}, more);
  if (!(ofw_dot(b->count, more, more) <= NOTHING * NOTHING * square))
    square = read_once((reading){.b = b, .u = rest, .h = more, .rest = rest}, NULL);
  ofw_axpy(b->count, 1.0, more, h);
  if (b->ranks)
    collect_rest(b, rest);
  return sqrt(square);
}

void ofw_basis_append(ofw_basis *b, const double *rest, double norm)
{
  set_count(b, b->count + 1);
  double *at = b->rows + b->count - 1;
  for (size_t i = 0; i < b->length; i++)
    at[i * b->stride] = rest[i] / norm;
}

static void copy_band(void *ctx, size_t band)
{
  const ofw_basis *b = ctx;
  for (size_t from = b->copy->count / OFW_PANEL * OFW_PANEL; from < b->count; from += OFW_PANEL)
    ofw_panels_write(b->copy, from / OFW_PANEL, ofw_basis_band(b, band), ofw_basis_band(b, band + 1), b->count - from,
                     b->rows + from, b->stride);
}

void ofw_basis_copy(const ofw_basis *b)
{
  if (b->copy->count < b->count)
    ofw_pool_run(b->pool, b->bands, copy_band, (void *)(uintptr_t)b);
  b->copy->count = b->count;
}

/* The rows of a part of them, BLOCK at a time. */
static void rotate_rows(const ofw_basis *b, size_t from, size_t to, size_t n, const double *p, size_t stride)
{
  int k = (int)b->count, m = (int)n;
  for (; from < to; from += BLOCK) {
    size_t rows = to - from < BLOCK ? to - from : BLOCK;
    double *at = b->rows + from * b->stride;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)rows, m, k, 1.0, at, (int)b->stride, p, (int)stride,
                0.0, b->block, m);
    for (size_t i = 0; i < rows; i++)
      memcpy(at + i * b->stride, b->block + i * n, n * sizeof *at);
  }
}

void ofw_basis_rotate(ofw_basis *b, size_t n, const double *p, size_t stride)
{
  for (size_t part = 0; part < ofw_split_parts(b->split) && n > 0; part++)
    rotate_rows(b, ofw_split_begin(b->split, b->length, part), ofw_split_begin(b->split, b->length, part + 1), n, p,
                stride);
  b->count = n;
  b->copy->count = 0;
}
