/* factored.h — x and d as small cores over two shared bases, for matrices too large to store; shared by the factored_*.c
 *
 *     x = U X V'      d = U D V' + S      y = U Y V', if it is kept
 *
 * U and V have orthonormal columns, one more a side for an atom that is not in their span. S is sparse. So inner products
 * of what is over the bases are those of the cores; those with S are carried forward,
 *
 *     S += dS      <S, x> += <dS, x>      <S, d> likewise: M = U' dS V gives both
 *     x += sig e   <S, x> += sig (<S, v> - <S, x>)
 *
 * and computed again now and then, so that rounding does not add up.
 *
 * A side whose columns are full is compressed, and the other with it: the columns become the leading directions of all
 * cores together, each core counted relative to its own size. Such a projection takes x nearer to 0 in the trace norm and
 * leaves it in the set. What is lost of each core is measured and carried forward like an error of x and d: `lost` bounds
 * how far they are from what the same calls would have made of them without any compression.
 *
 * If ranks share the matrix (base/ranks.h), each has its rows of U, of S and of a u; V, the cores and a v are at all of them,
 * the same to the last bit. Every sum over rows is one over all ranks, so the operations are called by all of them together.
 */
#pragma once

#include "base/owned.h"
#include "engine/basis.h"
#include "engine/engine.h"
#include "engine/sparse.h"
#include "linalg/lanczos.h"

enum { OFW_CORE_X, OFW_CORE_D, OFW_CORE_Y, OFW_CORES };

/* Where a matrix u v' is, in the bases: kept from a segment to the step along it, and no longer, since it is no part of the
 * state and would be found again, with other last digits, after a load. */
typedef struct ofw_placed {
  int there;                 /* 0: none is placed, or the bases or S have changed since */
  int appended;              /* hu and hv are all of it, but for what was too small to count */
  double *u, *v;             /* a copy */
  double *hu, *hv;           /* coordinates */
  double *rest_u, *rest_v;   /* what is in no span */
  double out_u, out_v;       /* its lengths */
  double length_u, length_v; /* |u|, |v| */
  double cross;              /* <S, u v'> */
} ofw_placed;

typedef struct ofw_factored {
  ofw_engine base;
  size_t rows, cols;      /* rows: those that are here */
  const ofw_split *split; /* NULL: all of them are */
  size_t kept;            /* columns that a compression leaves, at most */
  ofw_pool *pool;
  ofw_owned own; /* all arrays from here on but those of S */
  ofw_basis left, right;
  size_t cores;            /* OFW_CORE_Y is there or not */
  double *core[OFW_CORES]; /* left.room rows, right.room apart; 0 beyond the counts */
  ofw_sparse sparse;
  double sx, sd, ss;      /* <S, x>, <S, U D V'>, |S|^2 */
  double lost[OFW_CORES]; /* bounds, in the Frobenius norm */
  uint64_t changes;       /* of S since the inner products were worked out */
  uint64_t compressions;
  int broken; /* a compression failed: x and d stay as they were, and what the learner asks of d next is NaN */
  ofw_placed placed;
  ofw_direction direction;
  /* room */
  double *z, *y;                       /* coordinates, in a pass */
  double *shares;                      /* of w and U' u, one a band of rows */
  double *found;                       /* OFW_BAND_SUMS numbers a part of a sum */
  double *crossed;                     /* <S, u v'>, one a band of rows */
  double *gathered;                    /* OFW_GATHER rows of U, */
  double *products;                    /* and what comes of them */
  double *sandwich;                    /* U' S V */
  double *trial_u, *trial_v, *trial_w; /* a pass, to see whether d is 0 */
  double *work;                        /* of a compression */
  size_t work_length;                  /* what LAPACK asked for of it */
} ofw_factored;

enum { OFW_GATHER = 64, OFW_BAND_SUMS = 4 };

/* ---- factored.c ---- */

/* <A, B> of two cores */
double ofw_core_inner(const ofw_factored *e, const double *a, const double *b);

/* ---- factored_place.c ---- */

/* e->placed is this matrix of rank one, without its scale; nothing is done if it is already. */
void ofw_factored_place(ofw_factored *e, const ofw_vec *atom);
/* The bases span it. */
void ofw_factored_append(ofw_factored *e);
/* How far its coordinates are from it. */
double ofw_factored_outside(const ofw_factored *e);

/* ---- factored_inner.c: products with S ---- */

/* Computes sx, sd and ss again. */
void ofw_factored_sync(ofw_factored *e);
/* What <S, x> and <S, U D V'> grow by if S grows by c times n entries. */
void ofw_factored_grown(const ofw_factored *e, double c, size_t n, const size_t *index, size_t offset,
                        const double *value, double by[2]);
/* <S, u v'> */
double ofw_factored_cross(const ofw_factored *e, const double *u, const double *v);
/* <U C V', a>; OFW_UNSUPPORTED: a has a term that is neither sparse nor a whole matrix of rank one */
ofw_status ofw_factored_dot(const ofw_factored *e, const double *core, ofw_sum a, double *out);
/* |a|, or a bound, as ofw_sum_norm; the engine can hold a. */
double ofw_factored_length(const ofw_factored *e, ofw_sum a);
/* Whether the engine can hold it. */
int ofw_factored_holds(const ofw_factored *e, const ofw_vec *t);
/* out[k] = (U C V')[index[k] + offset] */
void ofw_factored_values(const ofw_factored *e, const double *core, size_t n, const size_t *index, size_t offset,
                         double *out);

/* ---- factored_direction.c ---- */

void ofw_factored_size(const ofw_direction *d, double *largest, double *norm);
void ofw_factored_pass(const ofw_direction *d, int exponent, const double *v, double *u, double *w);
int ofw_factored_copy(const ofw_direction *d, int better, ofw_rough *off, double *norm);
void ofw_factored_rough(const ofw_direction *d, const double *v, double *u, double *w);

/* ---- factored_compress.c ---- */

ofw_status ofw_factored_open_compress(ofw_factored *e, ofw_error *err);
/* A side without room for one more column gets some. */
void ofw_factored_tidy(ofw_factored *e);

/* ---- factored_state.c ---- */

ofw_status ofw_factored_visit(ofw_engine *E, ofw_visitor *v);
