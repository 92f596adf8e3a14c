/* ranks.h — processes that share a matrix by rows, and sums over its rows with the same bits for any number of them
 *
 * The rows are cut into bands. Their number depends on the rows alone and is a power of two; a rank has consecutive ones.
 * A sum is taken over the binary tree of the bands: neighbours first, then pairs of neighbours, and so on. What a rank can
 * add up by itself are whole subtrees. The n numbers of such a sum are cut into bands, too: each rank gets its bands of all
 * subtrees, goes on along the tree, and every rank gets the result.
 *
 * If the number of ranks is a power of two, each has one subtree, and sends and receives n numbers twice, as in any
 * allreduce of that kind. With other numbers a rank has several subtrees, 2 log2(bands) at most. Of few numbers every rank gets all
 * subtrees' at once and goes on along the tree by itself, which takes one exchange instead of two.
 *
 * NULL in place of a split, or of ranks, is one process that has all rows: nothing is sent, and a sum is that of one part.
 */
#pragma once

#include "base/owned.h"

/* The processes, and how they exchange numbers. Each function is called by all of them together. */
typedef struct ofw_ranks {
  size_t rank, count; /* this one's number, from 0; how many there are */
  /* sent[r] numbers go to rank r, got[r] come from it; both one after the other, in the order of the ranks */
  void (*deal)(const struct ofw_ranks *r, const double *from, const size_t *sent, double *to, const size_t *got);
  /* got[r] numbers of each rank go to every rank; from may be their place in to, at all ranks alike */
  void (*collect)(const struct ofw_ranks *r, const double *from, double *to, const size_t *got);
  void (*spread)(const struct ofw_ranks *r, size_t from, void *bytes, size_t n); /* from one rank to all */
} ofw_ranks;

enum { OFW_LEAST_ROW_BANDS = 16, OFW_MOST_ROW_BANDS = 4096 };

/* Which rows of a matrix this rank has, and room for sums over all of them. */
typedef struct ofw_split {
  const ofw_ranks *ranks;
  size_t rows, bands;      /* of the whole matrix */
  size_t first, here;      /* rows of this rank */
  size_t band, bands_here; /* its bands */
  size_t *tree;            /* bands of each subtree, those of rank 0 first */
  size_t *trees;           /* how many subtrees each rank has */
  size_t trees_all;
  size_t *sent, *got;     /* of an exchange, for each rank */
  double *packed, *dealt; /* its numbers */
} ofw_split;

/* Refuses more ranks than bands. Its memory is own's; *out is NULL for one process without ranks. */
ofw_status ofw_split_open(ofw_owned *own, const ofw_ranks *ranks, size_t rows, const ofw_split **out, ofw_error *err);

/* The rows that a rank has if there are so many ranks. */
void ofw_split_rows(const ofw_split *s, size_t rank, size_t ranks, size_t *first, size_t *here);

/* The rank that has this row of the whole matrix. */
size_t ofw_split_owner(const ofw_split *s, size_t row);

/* A rank's bands are the parts of its sums; without a split there is one. */
static inline size_t ofw_split_parts(const ofw_split *s)
{
  return s ? s->bands_here : 1;
}

/* Where a part begins, of the `rows` that are here. */
size_t ofw_split_begin(const ofw_split *s, size_t rows, size_t part);
/* The part that has this row. */
size_t ofw_split_part(const ofw_split *s, size_t row);
/* How many of n increasing cells, index[k] + offset, counted row by row, are before a part. */
size_t ofw_split_cut(const ofw_split *s, size_t cols, size_t n, const size_t *index, size_t offset, size_t part);

/* out = the sum of n numbers over all parts of all ranks; a part's begin `stride` after those of the one before. The parts'
 * numbers are used up; out may be the first of them. */
void ofw_split_add(const ofw_split *s, size_t n, double *part, size_t stride, double *out);

/* The same in two steps. Line k of the first ones, `stride` apart, becomes the sum of subtree k of this rank; the other lines are used
 * up. */
void ofw_split_fold(const ofw_split *s, size_t n, double *part, size_t stride);
void ofw_split_add_folded(const ofw_split *s, size_t n, const double *line, size_t stride, double *out);

/* As ofw_split_fold, of parts that work(ctx, part, line) makes one after the other: each is added to what is there as soon as the tree
 * allows it, so that few lines are in use. There are as many as parts; s is not NULL. */
typedef void (*ofw_split_work)(void *ctx, size_t part, double *line);
void ofw_split_fill(const ofw_split *s, size_t n, double *line, size_t stride, ofw_split_work work, void *ctx);

/* ---- n numbers that ranks share: the columns of a matrix ---- */

/* They are cut into runs, one per block of them and band, whatever the number of ranks is. A rank has the runs of its bands. */
size_t ofw_split_blocks(const ofw_split *s, size_t n);
/* The numbers from .. to - 1: the run of a part in a block. */
void ofw_split_run(const ofw_split *s, size_t n, size_t part, size_t block, size_t *from, size_t *to);

/* As ofw_split_add_folded, but each rank gets its own runs of the sum alone, which `finish` changes first, n of them from number
 * `from` on. out is none of the lines. */
typedef void (*ofw_split_finish)(void *ctx, size_t from, size_t n, double *sum);
void ofw_split_add_own(const ofw_split *s, size_t n, const double *line, size_t stride, ofw_split_finish finish,
                       void *ctx, double *out);

/* Each rank has its runs of the n numbers x; then every rank has all of them. */
void ofw_split_gather(const ofw_split *s, size_t n, double *x);

/* ---- what ranks agree on ---- */

/* x = the sum over the ranks of n whole numbers, exact up to 2^53. */
void ofw_ranks_count(const ofw_ranks *r, size_t n, double *x);
/* The same of one number; *before is the sum over the ranks before this one. */
size_t ofw_ranks_total(const ofw_ranks *r, size_t x, size_t *before);
double ofw_ranks_largest(const ofw_ranks *r, double x);
int ofw_ranks_any(const ofw_ranks *r, int yes);
/* OFW_OK if it is so at all ranks; else the status and the message of the first rank that failed, at all of them. */
ofw_status ofw_ranks_agree(const ofw_ranks *r, ofw_status st, ofw_error *err);
