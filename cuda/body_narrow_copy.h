/* body_narrow_copy.h — a copy of d of 16 or 32 bits, which some blocks keep in their shared memory for all of a search
 *
 * The copy is B: row i of it is unit_i m_ij with whole numbers |m_ij| < 2^15, or 2^31, and unit_i is set by the largest of the row.
 * Its products are added up as doubles, so the search is one of B to rounding, and B is near A:
 *
 *     |A - B|_F <= apart sqrt(cols) |A|_F      since no number is off by more than `apart` times its row's largest
 *
 * Of 16 bits a number is read as 1 + (m + 2^15) 2^-20, since they are bits of a double then; what that adds to a sum is subtracted
 * once. Of 32 bits it is read as 2^52 + (m + 2^31), and the rest is subtracted at once, since a sum would lose too many digits.
 */
#pragma once

#include "body_search.h"
#include "term.h"

#include <string.h>

enum {
  OFW_CHUNK = 8,           /* columns of a thread */
  OFW_AT_ONCE = 8,         /* rows of a product */
  OFW_SLICES = 8,          /* groups of threads that share a row; the others have the other half of the rows */
  OFW_NARROW_COLS = 2048,  /* columns, at most: a chunk for each thread of half a block */
  OFW_NARROW_ROWS = 64,    /* of a block, at most */
  OFW_NARROW_OWN = 128,    /* columns of the vectors that a block has, at most */
  OFW_NARROW_QUARTERS = 4, /* of a block's threads, which share such a column */
  OFW_NARROW_KEPT = 24,
  OFW_NARROW_TURNS = OFW_NARROW_ROWS / OFW_GROUPS, /* rows of a group of threads */
  OFW_NARROW_BYTES = 227 * 1024, /* of shared memory, at most: what a multiprocessor of an H200 has for a block */
  OFW_NARROW_LOAD_PHASES = 1,
  OFW_NARROW_PASS_PHASES = 5,
  OFW_NARROW_ORTHO_PHASES = 5,
  OFW_NARROW_TELL_PHASES = 3
};
#define OFW_NARROW_APART  0x1.09p-16 /* half a unit, which is 1 / 65534, and 2^-21 for what is not looked at */
#define OFW_NARROW_APART2 0x1.01p-32 /* the same of 32 bits, of which all is looked at */
#define OFW_NARROW_GRAIN  0x1p-30    /* of passes: 2^11 roundings of sums that are 2^5 as large as what counts */
#define OFW_NARROW_OFFSET 0x1.08p0   /* what a number of 0 is read as, of 16 bits */
#define OFW_NARROW_ZERO   (0x1p52 + 0x1p31)
#define OFW_NARROW_LEFT   (-1.0) /* of a reply: the search has ended before this slot, since nobody told it to go on */

typedef struct ofw_narrow_shared {
  union {
    double wide[OFW_CHUNK][OFW_NARROW_COLS / OFW_CHUNK]; /* what the second half of the rows adds to w */
    double part[OFW_GROUPS][OFW_STRIDE];                 /* what the groups have found of p, or of q */
  };
  union {
    double slice[OFW_SLICES][OFW_NARROW_ROWS]; /* what the slices have found of the rows' products */
    double sum[OFW_NARROW_QUARTERS][OFW_NARROW_OWN];
  };
  double along[2][OFW_NARROW_QUARTERS][OFW_NARROW_OWN]; /* Q p, Q q */
  double p[OFW_STRIDE], q[OFW_STRIDE];
  double unit[OFW_NARROW_ROWS]; /* of 16 bits times 2^20 */
  double dot[OFW_NARROW_ROWS], u[OFW_NARROW_ROWS], scaled[OFW_NARROW_ROWS];
  double offset[OFW_SLICES]; /* sums of v */
  double w[OFW_NARROW_OWN];
} ofw_narrow_shared;

#define OFW_NARROW_FIXED ((sizeof(ofw_narrow_shared) + 15) / 16 * 16)

/* One block of a search, and where it has what. */
typedef struct ofw_narrow {
  uint32_t block, blocks;
  uint32_t rows, first_row, rows_here; /* that there is room for, an even number; of these, those of the matrix */
  uint32_t own, first_own, own_here;   /* the same of columns of the vectors */
  uint32_t stride;                     /* numbers of a row, with what is behind its end */
  int wide;                            /* numbers of 32 bits */
  ofw_narrow_shared *s;
  double *q, *image; /* of the first vectors: the block's columns of Q, and its rows of the image */
  void *number;
} ofw_narrow;

typedef struct ofw_narrow_own {
  double w[OFW_CHUNK];
} ofw_narrow_own;

static inline OFW_BOTH uint32_t ofw_ceiling(uint32_t n, uint32_t by)
{
  return n / by + (n % by > 0);
}

static inline OFW_BOTH ofw_narrow ofw_narrow_block(const ofw_search_args *k, int wide, uint32_t block, uint32_t blocks,
                                                   void *shared)
{
  ofw_narrow b = {.block = block, .blocks = blocks, .wide = wide, .s = (ofw_narrow_shared *)shared};
  uint32_t each = ofw_ceiling(k->rows, blocks);
  b.rows = ofw_ceiling(each, 2) * 2;
  b.first_row = block * each;
  b.rows_here = b.first_row >= k->rows ? 0 : k->rows - b.first_row < each ? k->rows - b.first_row : each;
  b.own = ofw_ceiling(k->cols, blocks);
  b.first_own = block * b.own;
  b.own_here = b.first_own >= k->cols ? 0 : k->cols - b.first_own < b.own ? k->cols - b.first_own : b.own;
  b.stride = ofw_ceiling(k->cols, OFW_CHUNK) * OFW_CHUNK;
  b.q = (double *)(void *)((char *)shared + OFW_NARROW_FIXED);
  b.image = b.q + (size_t)OFW_NARROW_KEPT * b.own;
  b.number = b.image + (size_t)OFW_NARROW_KEPT * b.rows;
  return b;
}

/* The shared memory of a block, of so many. */
static inline size_t ofw_narrow_bytes(uint32_t rows, uint32_t cols, int wide, uint32_t blocks)
{
  size_t here = 2 * (size_t)ofw_ceiling(ofw_ceiling(rows, blocks), 2), own = ofw_ceiling(cols, blocks);
  return OFW_NARROW_FIXED + OFW_NARROW_KEPT * (here + own) * sizeof(double) +
         here * ofw_ceiling(cols, OFW_CHUNK) * OFW_CHUNK * (wide ? sizeof(uint32_t) : sizeof(uint16_t));
}

/* How many blocks such a search takes: as few as have room, so that many searches run side by side. 0: it is too large. */
static inline uint32_t ofw_narrow_blocks(uint32_t rows, uint32_t cols, int wide, uint32_t most)
{
  for (uint32_t blocks = ofw_ceiling(cols, OFW_NARROW_OWN); cols <= OFW_NARROW_COLS && blocks <= most; blocks++) {
    uint32_t each = ofw_ceiling(rows, blocks), whole = each / (2 * OFW_AT_ONCE) * (2 * OFW_AT_ONCE);
    if (each > OFW_NARROW_ROWS || ofw_narrow_bytes(rows, cols, wide, blocks) > OFW_NARROW_BYTES)
      continue;
    uint32_t better = whole > 0 ? ofw_ceiling(rows, whole) : blocks; /* both halves of the rows take whole turns */
    return better >= blocks && better <= blocks + blocks / 8 && better <= most ? better : blocks;
  }
  return 0;
}

/* ---- numbers ---- */

/* 16 bytes of a row: eight numbers, or four. */
typedef struct ofw_chunk {
  uint32_t word[4];
} ofw_chunk;

/* Part `part` of a thread's chunk of row r, if it is in so many. */
static inline OFW_BOTH ofw_chunk ofw_narrow_load(const ofw_narrow *b, uint32_t r, uint32_t chunk, int part)
{
  size_t at = (size_t)r * b->stride + (size_t)chunk * OFW_CHUNK;
  const void *from = b->wide ? (const void *)((const uint32_t *)b->number + at + 4 * part)
                             : (const void *)((const uint16_t *)b->number + at);
  ofw_chunk c;
#ifdef __CUDA_ARCH__
  uint4 all = *reinterpret_cast<const uint4 *>(from);
  c.word[0] = all.x;
  c.word[1] = all.y;
  c.word[2] = all.z;
  c.word[3] = all.w;
#else
  memcpy(&c, from, sizeof c);
#endif
  return c;
}

/* How many numbers it has, and how many of them are a thread's chunk. */
static inline OFW_BOTH int ofw_narrow_part(const ofw_narrow *b)
{
  return b->wide ? OFW_CHUNK / 2 : OFW_CHUNK;
}

/* Number t of it. */
static inline OFW_BOTH double ofw_narrow_read(const ofw_narrow *b, const ofw_chunk *c, int t)
{
#ifdef __CUDA_ARCH__
  if (b->wide)
    return __hiloint2double(0x43300000, (int)c->word[t]) - OFW_NARROW_ZERO;
  return __hiloint2double((int)__byte_perm(c->word[t / 2], 0x3ff0u, t % 2 ? 0x5432 : 0x5410), 0);
#else
  uint64_t bits = b->wide ? (uint64_t)0x43300000u << 32 | c->word[t]
                          : (uint64_t)(0x3ff00000u | (c->word[t / 2] >> t % 2 * 16 & 0xffffu)) << 32;
  double number;
  memcpy(&number, &bits, sizeof number);
  return b->wide ? number - OFW_NARROW_ZERO : number;
#endif
}

/* A sum of products, less what the offset of the numbers has added to it: `of` is the sum of the factors. */
static inline OFW_BOTH double ofw_narrow_without_offset(const ofw_narrow *b, double sum, double of)
{
  return b->wide ? sum : fma(-OFW_NARROW_OFFSET, of, sum);
}

static inline OFW_BOTH double ofw_from_bits(uint64_t bits)
{
#ifdef __CUDA_ARCH__
  return __longlong_as_double((long long)bits);
#else
  double a;
  memcpy(&a, &bits, sizeof a);
  return a;
#endif
}

/* ---- the copy, by a group of threads per row ---- */

enum { OFW_NARROW_LANE = OFW_NARROW_COLS / OFW_LANES, OFW_UPPER_INFINITE = 0x7ff00000, OFW_UPPER_LEAST = 0x01700000 };

static inline OFW_BOTH uint32_t ofw_narrow_upper(double number)
{
  return (uint32_t)(ofw_bits_of(number) >> 32);
}

/* A row of d. */
typedef struct ofw_narrow_row {
  const void *d;
  size_t first;
  uint32_t cols;
} ofw_narrow_row;

static inline OFW_BOTH double ofw_narrow_number(const ofw_narrow_row *row, uint32_t col, int floats)
{
  return col < row->cols ? ofw_get(row->d, row->first + col, floats) : 0.0;
}

/* round(a / unit): the sum with 1.5 2^52 has it in its last bits. */
static inline OFW_BOTH uint32_t ofw_narrow_round(double a, double units)
{
  return (uint32_t)ofw_bits_of(fma(a, units, 0x1.8p52));
}

/* Number `col` of row r: of 16 bits by the upper half of its bits, so that a row is read once, else by all of them. */
static inline OFW_BOTH void ofw_narrow_put(const ofw_narrow *b, uint32_t r, uint32_t col, uint32_t upper, double a,
                                           double units)
{
  size_t at = (size_t)r * b->stride + col;
  if (b->wide)
    ((uint32_t *)b->number)[at] = ofw_narrow_round(a, units) + 0x80000000u;
  else
    ((uint16_t *)b->number)[at] =
        (uint16_t)(ofw_narrow_round(ofw_from_bits((uint64_t)upper << 32 | 0x80000000u), units) + 0x8000u);
}

/* The unit by the largest of a row; the order of the upper halves is that of numbers, and NaN is above all of them. A row below
 * 2^-1000 counts for nothing, since others are not; a number that is not finite makes all of its row NaN. */
static inline OFW_BOTH double ofw_narrow_unit(const ofw_narrow *b, uint32_t most, double *units)
{
  double top = ofw_from_bits((uint64_t)(most + 1) << 32), largest = b->wide ? 2147483647.0 : 32767.0;
  *units = most > OFW_UPPER_LEAST ? largest / top : 0.0;
  return most >= OFW_UPPER_INFINITE ? ofw_from_bits(0x7ff8000000000000u) : top / largest * (b->wide ? 1.0 : 0x1p20);
}

static inline OFW_BOTH void ofw_narrow_copy(const ofw_search_args *k, const ofw_narrow *b, uint32_t r, uint32_t lane,
                                            int floats)
{
  const ofw_narrow_row row = {k->d, (size_t)(b->first_row + r) * k->cols, k->cols};
  uint32_t most = 0;
  double units;
#ifdef __CUDA_ARCH__
  enum { AT_ONCE = 16 };
  uint32_t upper[OFW_NARROW_LANE];
#pragma unroll
  for (uint32_t i = 0; i < OFW_NARROW_LANE; i++)
    upper[i] = ofw_narrow_upper(ofw_narrow_number(&row, lane + i * OFW_LANES, floats));
#pragma unroll
  for (uint32_t i = 0; i < OFW_NARROW_LANE; i++)
    most = max(most, upper[i] & 0x7fffffffu);
  double unit = ofw_narrow_unit(b, __reduce_max_sync(0xffffffffu, most), &units);
#pragma unroll
  for (uint32_t first = 0; first < OFW_NARROW_LANE; first += AT_ONCE) {
    double a[AT_ONCE];
#pragma unroll
    for (uint32_t i = 0; i < AT_ONCE; i++) {
      uint32_t col = lane + (first + i) * OFW_LANES;
      a[i] = b->wide ? ofw_narrow_number(&row, col, floats) : 0.0;
    }
#pragma unroll
    for (uint32_t i = 0; i < AT_ONCE; i++) {
      uint32_t col = lane + (first + i) * OFW_LANES;
      if (col < k->cols)
        ofw_narrow_put(b, r, col, upper[first + i], a[i], units);
    }
  }
#else
  for (uint32_t col = 0; col < k->cols; col++) {
    uint32_t upper = ofw_narrow_upper(ofw_narrow_number(&row, col, floats)) & 0x7fffffffu;
    most = upper > most ? upper : most;
  }
  double unit = ofw_narrow_unit(b, most, &units);
  for (uint32_t col = 0; col < k->cols; col++) {
    double number = ofw_narrow_number(&row, col, floats);
    ofw_narrow_put(b, r, col, ofw_narrow_upper(number), number, units);
  }
#endif
  if (lane == 0)
    b->s->unit[r] = unit;
}

/* Vector j of the image at a row of the block, and of Q at a column: numbers that lie side by side. */
static inline OFW_BOTH const double *ofw_narrow_image(const ofw_search_args *k, const ofw_narrow *b, uint32_t j)
{
  return j < OFW_NARROW_KEPT ? b->image + (size_t)j * b->rows : k->image + (size_t)j * k->rows + b->first_row;
}

static inline OFW_BOTH const double *ofw_narrow_q(const ofw_search_args *k, const ofw_narrow *b, uint32_t j)
{
  return j < OFW_NARROW_KEPT ? b->q + (size_t)j * b->own : k->basis + (size_t)j * k->cols + b->first_own;
}

/* All that a block keeps, of a search that has come to a slot; a random direction, if it is to begin with one. */
static inline OFW_BOTH void ofw_narrow_open(const ofw_search_args *k, const ofw_narrow *b, ofw_search_at at,
                                            uint32_t thread)
{
  uint32_t group = thread / OFW_LANES, lane = thread % OFW_LANES;
  ofw_narrow_shared *s = b->s;
  for (uint32_t r = group; r < b->rows_here; r += OFW_GROUPS)
    if (ofw_joins(lane) && k->floats)
      ofw_narrow_copy(k, b, r, lane, 1);
    else if (ofw_joins(lane))
      ofw_narrow_copy(k, b, r, lane, 0);
  for (uint32_t r = b->rows_here + thread; r < b->rows; r += OFW_WIDE)
    s->unit[r] = 0.0;
  for (uint32_t i = thread; i < OFW_NARROW_KEPT * b->rows; i += OFW_WIDE) {
    uint32_t j = i / b->rows, r = i % b->rows;
    b->image[i] = j < at.slot && r < b->rows_here ? k->image[(size_t)j * k->rows + b->first_row + r] : 0.0;
  }
  for (uint32_t i = thread; i < OFW_NARROW_KEPT * b->own_here; i += OFW_WIDE) {
    uint32_t j = i / b->own_here, c = i % b->own_here;
    b->q[(size_t)j * b->own + c] = j < at.slot ? k->basis[(size_t)j * k->cols + b->first_own + c] : 0.0;
  }
  if (thread < b->own_here) {
    uint32_t col = b->first_own + thread;
    s->w[thread] = at.draw ? ofw_draws(OFW_TERM_NORMAL, k->key, col / 4).at[col % 4] : k->w[col];
    if (at.draw)
      k->w[col] = s->w[thread];
  }
}
