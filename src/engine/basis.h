/* basis.h — long vectors, orthonormal, that are added one at a time and rotated
 *
 * The i-th numbers of all vectors are next to each other, so that a product with the basis and one with its transpose
 * share a read, and an entry of a matrix over two bases costs one row of each. Long ones are cut into bands, which
 * threads share out; bands do not depend on how many there are. If the rows are shared among ranks (base/ranks.h), those of
 * this one are here, and products with the basis are sums over all ranks.
 *
 * Who reads a basis often, and need not have its last digits, reads a copy in floats: half the bytes.
 */
#pragma once

#include "base/ranks.h"
#include "base/threads.h"
#include "linalg/panels.h"

enum { OFW_BANDS = 16 };

typedef struct ofw_basis {
  size_t length;      /* of a vector, as far as it is here */
  size_t whole;       /* of all of it */
  size_t count, room; /* vectors; room is at most the whole length */
  size_t bands;
  double *rows;           /* row i begins at rows + i stride */
  size_t stride;          /* grows with the count, so that few vectors are near each other */
  double *shares;         /* of a sum, count + 1 numbers a band */
  size_t *got;            /* how many numbers each rank has, if ranks share a read */
  double *sum;            /* the same over all ranks */
  double *block;          /* for a rotation */
  ofw_panels *copy;       /* the first copy->count vectors in floats */
  const ofw_split *split; /* NULL: all rows are here */
  const ofw_ranks *ranks; /* which all have all rows, and share a read of them; NULL: one process */
  ofw_pool *pool;         /* not its own */
} ofw_basis;

/* Its memory is own's. `length` rows are here. At most one of split and ranks is not NULL. */
ofw_status ofw_basis_open(ofw_owned *own, ofw_basis *b, size_t length, size_t room, const ofw_split *split,
                          const ofw_ranks *ranks, ofw_pool *pool, ofw_error *err);

static inline const double *ofw_basis_row(const ofw_basis *b, size_t i)
{
  return b->rows + i * b->stride;
}

/* Where the rows of a band begin. */
size_t ofw_basis_band(const ofw_basis *b, size_t band);

/* h = B' u, or of the copy, which is up to date */
void ofw_basis_project(const ofw_basis *b, const double *u, double *h);
void ofw_basis_project_copy(const ofw_basis *b, const double *u, double *h);
/* u = B h + rest, rest orthogonal to the basis; |rest| */
double ofw_basis_split(const ofw_basis *b, const double *u, double *h, double *rest);
/* So many vectors, whose numbers stay if there were as many before and are to be written if not. */
void ofw_basis_resize(ofw_basis *b, size_t count);
/* One more vector, rest / norm; there is room. */
void ofw_basis_append(ofw_basis *b, const double *rest, double norm);
/* The copy becomes up to date: those vectors are rounded that are new since the last time. */
void ofw_basis_copy(const ofw_basis *b);
/* B = B P, P with `count` rows of n numbers, `stride` apart */
void ofw_basis_rotate(ofw_basis *b, size_t n, const double *p, size_t stride);
