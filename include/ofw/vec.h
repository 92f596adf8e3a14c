/* vec.h — one structured vector in three roles: an oracle's atom, a revealed gradient, a random constraint
 *
 * A vec never owns its numbers: they belong to the caller who made it, and must stay in place as long as the vec is read.
 * Every function that returns one says how long that is.
 *
 *     kind       reads as, for i = offset ..                      stored
 *     dense      scale * value[i - offset]                        n numbers
 *     sparse     scale * value[k] if index[k] = i - offset        nnz pairs, distinct indices
 *     rank-one   scale * u[i / cols] * v[i % cols]                rows + cols numbers
 *     random     scale * a draw fixed by (key, i)                 only a key
 */
#ifndef OFW_VEC_H
#define OFW_VEC_H

#include <ofw/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a vec is stored: the table above. */
typedef enum ofw_vec_kind {
  OFW_VEC_DENSE,    /* every number */
  OFW_VEC_SPARSE,   /* pairs of index and number */
  OFW_VEC_RANK_ONE, /* two factors */
  OFW_VEC_RANDOM    /* a key */
} ofw_vec_kind;

/* One of many independent sequences of random numbers: the seed, what it is for, and the round. */
typedef struct ofw_rng_key {
  uint64_t seed;    /* of the whole run */
  uint32_t purpose; /* what the numbers are for */
  uint64_t round;   /* t */
} ofw_rng_key;

/* The distribution of a random vec. */
typedef enum ofw_dist {
  OFW_UNIFORM, /* uniform in (-1, 1) */
  OFW_NORMAL   /* standard normal */
} ofw_dist;

/* One structured vector. */
typedef struct ofw_vec {
  ofw_vec_kind kind; /* which member of `as` counts */
  double scale;      /* multiplies every number */
  size_t offset;     /* first coordinate it covers */
  union {
    struct {
      size_t n;            /* number of entries */
      const double *value; /* the numbers */
    } dense;               /* OFW_VEC_DENSE */
    struct {
      size_t nnz;          /* number of pairs */
      const size_t *index; /* their places, minus the offset */
      const double *value; /* the numbers */
    } sparse;              /* OFW_VEC_SPARSE */
    struct {
      size_t rows, cols;   /* its shape */
      const double *u, *v; /* its factors */
    } rank_one;            /* OFW_VEC_RANK_ONE */
    struct {
      size_t n;        /* number of entries */
      ofw_rng_key key; /* fixes the numbers */
      ofw_dist dist;   /* their distribution */
    } random;          /* OFW_VEC_RANDOM */
  } as;                /* the numbers, by kind */
} ofw_vec;

/* The sum of n vecs; n = 0 is the zero vector. */
typedef struct ofw_sum {
  size_t n;            /* number of vecs */
  const ofw_vec *term; /* the vecs */
} ofw_sum;

/* The n numbers `value`. Scale is 1 and offset 0, here and in the next three, which set member by member: compilers then write a
 * vec where it is to be, and copy nothing. */
static inline ofw_vec ofw_vec_dense(size_t n, const double *value)
{
  ofw_vec vec;
  vec.kind = OFW_VEC_DENSE;
  vec.scale = 1.0;
  vec.offset = 0;
  vec.as.dense.n = n;
  vec.as.dense.value = value;
  return vec;
}

/* value[k] at index[k], 0 elsewhere. */
static inline ofw_vec ofw_vec_sparse(size_t nnz, const size_t *index, const double *value)
{
  ofw_vec vec;
  vec.kind = OFW_VEC_SPARSE;
  vec.scale = 1.0;
  vec.offset = 0;
  vec.as.sparse.nnz = nnz;
  vec.as.sparse.index = index;
  vec.as.sparse.value = value;
  return vec;
}

/* The matrix u v', row by row. */
static inline ofw_vec ofw_vec_rank_one(size_t rows, size_t cols, const double *u, const double *v)
{
  ofw_vec vec;
  vec.kind = OFW_VEC_RANK_ONE;
  vec.scale = 1.0;
  vec.offset = 0;
  vec.as.rank_one.rows = rows;
  vec.as.rank_one.cols = cols;
  vec.as.rank_one.u = u;
  vec.as.rank_one.v = v;
  return vec;
}

/* n random numbers, fixed by `key` and `dist`. */
static inline ofw_vec ofw_vec_random(size_t n, ofw_rng_key key, ofw_dist dist)
{
  ofw_vec vec;
  vec.kind = OFW_VEC_RANDOM;
  vec.scale = 1.0;
  vec.offset = 0;
  vec.as.random.n = n;
  vec.as.random.key = key;
  vec.as.random.dist = dist;
  return vec;
}

#ifdef __cplusplus
}
#endif
#endif
