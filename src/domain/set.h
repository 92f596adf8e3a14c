/* set.h — the parts of a set, for its own file, the wrappers and the learners
 *
 * A new set is one file that defines an ofw_domain_kind, one row in domains.c, and one test file.
 */
#pragma once

#include "base/basics.h"
#include "base/limits.h"
#include "base/option_table.h"
#include "base/ranks.h"
#include "base/visitor.h"

#include <ofw/domain.h>

#include <stdatomic.h>

/* How far above the minimum <d, v> may be: relative * |<d, v>| as far as the oracle can tell, and absolute by the error
 * that it answers for. Exact oracles need not look. */
typedef struct ofw_accuracy {
  double relative, absolute;
  int again; /* 1: of the direction that this workspace has just answered for; not another call */
} ofw_accuracy;

struct ofw_rough; /* linalg/lanczos.h */

/* What an oracle is asked: what it may read of d, and how accurate its answer is to be. */
typedef struct ofw_direction {
  size_t dim, rows, cols;
  const double *dense; /* NULL: it is not there as doubles, see passes_only below */
  /* With D = 2^-exponent d as a matrix:  u = D v,  w = D' u; of a matrix that ranks share, this rank's part of both (base/ranks.h) */
  void (*pass)(const struct ofw_direction *d, int exponent, const double *v, double *u, double *w);
  void (*size)(const struct ofw_direction *d, double *largest, double *norm); /* max |d_i| and |d|, in one read */
  const void *ctx;                                                            /* where all of these find it */
  ofw_accuracy wanted;
  const struct ofw_krylov *krylov; /* keeps the vectors of a search beside d (linalg/lanczos.h); NULL: nothing does */
  /* For searches that need not be sharp: |d| and, in the same read, a copy of d in fewer bytes, which is as accurate as is wanted, and
   * how far passes over it are off; in more digits than the roughest if `better`. 0: there is none; 1: none has more digits; 2: one
   * has. Then u = d v, w = d' u over that copy. NULL: there are none. */
  int (*copy)(const struct ofw_direction *d, int better, struct ofw_rough *off, double *norm);
  void (*rough)(const struct ofw_direction *d, const double *v, double *u, double *w);
} ofw_direction;

/* The direction that `dim` dense numbers are, in K's shape. */
ofw_direction ofw_direction_dense(const ofw_domain *K, const double *d, ofw_accuracy wanted);

typedef struct ofw_answer {
  ofw_sum atom; /* v; valid until the next call on the same workspace */
  double value; /* <d, v> */
  double error; /* of <d, v> above the minimum; 0 for exact oracles */
  int proven;   /* 1: error is a bound; 0: it holds with the probability that the set's file states */
  size_t
      chances; /* at which an iterative oracle's error may have been wrong, whether or not it was proven; 0 for exact ones */
  size_t passes;  /* reads of d by an iterative oracle */
  double seconds; /* that the oracle took, if the set is timed; else 0 */
} ofw_answer;

#define OFW_NO_MEMORY (-2.0) /* what excess is if there was none to find out */

/* `work` is what the oracle changes; open makes one and NULL stands for none. */
typedef struct ofw_domain_ops {
  ofw_status (*open)(const ofw_domain *K, uint64_t seed, void **work, ofw_error *err);
  ofw_status (*minimise)(const ofw_domain *K, void *work, const ofw_direction *d, ofw_answer *out, ofw_error *err);
  ofw_status (*visit)(void *work, ofw_visitor *v); /* NULL: nothing outlasts a call */
  void (*close)(void *work);
  double (*excess)(const ofw_domain *K, const double *x); /* negative: OFW_NO_MEMORY, or not known; NULL: not known */
  /* x, whatever finite numbers it is, becomes the point of K nearest to it; bit for bit itself if it is in K. NULL:
   * there is no projection */
  ofw_status (*project)(const ofw_domain *K, void *work, double *x, ofw_error *err);
  ofw_status (*reserve)(const ofw_domain *K, void *work, ofw_error *err); /* the room that project needs; NULL: none */
  void (*destroy)(void *data);                                            /* NULL: free */
} ofw_domain_ops;

/* A set from outside by name, and all that there are (registry.h of the learners has them). */
typedef struct ofw_own_set {
  ofw_type type;
  ofw_domain_factory by;
  uint32_t content; /* the checksum of the plugin that it is from */
} ofw_own_set;

/* With them go the ranks that share matrices, if there are some. */
typedef struct ofw_own_sets {
  ofw_own_set **set;
  size_t count;
  const ofw_ranks *ranks;
} ofw_own_sets;

struct ofw_domain {
  const ofw_domain_ops *ops;
  void *data;            /* the set's own constants */
  ofw_owned own;         /* memory of the handle, unless destroy returns it */
  ofw_owned room;        /* what building it takes for a while: returned when that is over */
  struct ofw_domain *of; /* the set that it is around; NULL: none */
  size_t dim, rows, cols;
  const ofw_split
      *split;     /* of a matrix that ranks share: rows and dim are those of this one's rows; NULL: all are here */
  double R, r;    /* R about the origin; r about the centre, inside the affine hull */
  double *centre; /* NULL: the origin; memory of own */
  size_t normals; /* the affine hull is all points with <normal, x - centre> = 0: so many, orthonormal */
  const ofw_vec *normal;
  size_t shifts;   /* an atom has so many terms beyond the first, at most: one for each set shrunk about a centre */
  int from_centre; /* play starts at the centre, because the origin is not in K */
  int passes_only; /* its oracle reads d by `pass` and `size` alone */
  char *spec;
  uint32_t content;          /* a checksum of the files that the spec names (source.h); 0: it names none */
  unsigned depth;            /* how many sets it is an option's value within */
  const ofw_own_sets *among; /* while it is being built: the names that its options may have besides; NULL: none */
  atomic_int references;
};

/* A registered set: how to build one from its options. The handle comes with spec set and references 1; on failure the
 * caller frees it, so a half-built one must be fit for ofw_domain_free. */
typedef struct ofw_domain_kind {
  ofw_type type;
  ofw_status (*build)(ofw_domain *K, const void *options, ofw_error *err);
} ofw_domain_kind;

extern const ofw_domain_kind *const ofw_domain_kinds[];
extern const size_t ofw_domain_kinds_count, ofw_domain_sets_count; /* all; all before the wrappers, which come last */

size_t ofw_domain_types(void);

/* The shape that a matrix domain's coordinates have, row by row; dim x 1 for others. */
void ofw_domain_shape(const ofw_domain *K, size_t *rows, size_t *cols);
void ofw_domain_centre(const ofw_domain *K, double *out);
/* The set (1 - factor) centre + factor K, for 1e-12 <= factor <= 1. */
ofw_domain *ofw_domain_create_shrunk(const ofw_domain *K, double factor, ofw_error *err);

/* An empty handle with a copy of the spec, and what it is once building it has ended so: NULL if that failed. */
ofw_domain *ofw_domain_alloc(const char *spec, ofw_error *err);
ofw_domain *ofw_domain_built(ofw_domain *K, ofw_status st);
ofw_domain *ofw_domain_keep(const ofw_domain *K);
/* As ofw_domain_create, with sets from outside among the names; NULL: there are none. */
ofw_domain *ofw_domain_create_among(const ofw_own_sets *among, const char *spec, ofw_error *err);
/* The same, `depth` sets deep in another. */
ofw_domain *ofw_domain_create_within(const ofw_own_sets *among, const char *spec, unsigned depth, ofw_error *err);
/* own.c: fills in *out, whose content stays, from what a plugin says. OFW_USAGE: it cannot be a set. */
ofw_status ofw_own_set_check(const ofw_domain_factory *given, ofw_own_set *out, ofw_error *err);
ofw_status ofw_own_set_build(const ofw_own_set *set, const char *pairs, ofw_domain *K, ofw_error *err);
/* The set of this name; NULL: there is none. */
const ofw_own_set *ofw_own_set_find(const ofw_own_sets *among, const char *name, size_t length);
/* "(spec)" or "spec", as an option of K, a wrapper; messages begin with the wrapper's name. */
ofw_status ofw_domain_create_nested(const ofw_domain *K, const char *text, const char *wrapper, ofw_domain **out,
                                    ofw_error *err);
ofw_status ofw_domain_set_centre(ofw_domain *K, const double *centre, ofw_error *err);
/* Play starts at the origin if K holds it, else at the centre; for sets that cannot tell by a formula. */
ofw_status ofw_domain_set_start(ofw_domain *K, ofw_error *err);
/* What a set that is not a matrix starts from: its functions and a copy of its options as its data; size 0: none. */
ofw_status ofw_domain_set_vector(ofw_domain *K, const ofw_domain_ops *ops, size_t dim, const void *data, size_t size,
                                 ofw_error *err);
/* A centre with the same number in each coordinate. */
ofw_status ofw_domain_set_even_centre(ofw_domain *K, double each, ofw_error *err);
/* For sets of points with a given sum: the hull's normal, 1/sqrt(n) in each coordinate. */
ofw_status ofw_domain_set_sum_hull(ofw_domain *K, ofw_error *err);
/* Dense normals of the hull: `count` of K->dim numbers each, one after the other, which stay the caller's. */
ofw_status ofw_domain_set_normals(ofw_domain *K, size_t count, const double *rows, ofw_error *err);
/* A wrapper's shape, centre and radii are those of what it wraps. */
ofw_status ofw_domain_set_like(ofw_domain *K, const ofw_domain *of, ofw_error *err);

/* A point of K as those see it who ask for its rows: a vector is one row, and so is a matrix of one column. */
void ofw_domain_rows(const ofw_domain *K, size_t *rows, size_t *cols);

ofw_sum ofw_domain_centre_sum(const ofw_domain *K, ofw_vec *room);

/* The sizes that a set may have: their squares must be numbers too. */
#define OFW_LEAST_RADIUS               1e-100
#define OFW_LARGEST_RADIUS             1e100
#define OFW_RADIUS_ROW(at, name, help) OFW_REAL_ROW(at, name, "1", NULL, OFW_LEAST_RADIUS, OFW_LARGEST_RADIUS, help)

/* trace_ball.c: the options of balls of matrices. */
typedef struct ofw_matrix_ball {
  uint64_t rows, cols;
  double radius;
} ofw_matrix_ball;
extern const ofw_option ofw_matrix_ball_options[];
/* Refuses one with more entries than may be. */
ofw_status ofw_matrix_ball_check(const ofw_matrix_ball *ball, const char *name, ofw_error *err);

/* A workspace of `size` bytes, zero, that begins with an ofw_owned: closing it returns what that has. */
ofw_status ofw_work_open(size_t size, void **work, ofw_error *err);
void ofw_work_close(void *work);

/* What an exact oracle says of its atom. This and the answers below are inline and set member by member, so that compilers write
 * an answer where it is to be: a copy costs a small set as much as its arithmetic. */
static inline ofw_answer ofw_exact_answer(const ofw_vec *atom, double dot)
{
  ofw_answer out;
  out.atom.n = 1;
  out.atom.term = atom;
  out.value = dot;
  out.error = out.seconds = 0.0;
  out.proven = 1;
  out.chances = out.passes = 0;
  return out;
}

/* The workspaces that most sets need: an atom with one non-zero coordinate, with some, and a dense one. */
typedef struct ofw_one_hot {
  size_t index;
  double value;
  ofw_vec atom;
} ofw_one_hot;

ofw_status ofw_one_hot_open(const ofw_domain *K, uint64_t seed, void **work, ofw_error *err);
static inline ofw_answer ofw_one_hot_answer(ofw_one_hot *work, size_t index, double value, double dot)
{
  work->index = index;
  work->value = value;
  work->atom = ofw_vec_sparse(1, &work->index, &work->value);
  return ofw_exact_answer(&work->atom, dot);
}

typedef struct ofw_sparse_atom {
  size_t count, *index; /* distinct, below dim */
  double *value;
  ofw_vec atom;
} ofw_sparse_atom;

/* Room for `most` coordinates, which is own's. */
ofw_status ofw_sparse_atom_make(ofw_owned *own, size_t most, ofw_sparse_atom *out, ofw_error *err);
/* The first `count` of them. */
static inline ofw_answer ofw_sparse_atom_answer(ofw_sparse_atom *work, double dot)
{
  work->atom = ofw_vec_sparse(work->count, work->index, work->value);
  return ofw_exact_answer(&work->atom, dot);
}

typedef struct ofw_dense_atom {
  ofw_owned own;
  double *value;
  ofw_vec atom;
} ofw_dense_atom;

ofw_status ofw_dense_atom_open(const ofw_domain *K, uint64_t seed, void **work, ofw_error *err);
/* The same as the beginning of a workspace of `size` bytes. */
ofw_status ofw_dense_work_open(const ofw_domain *K, size_t size, void **work, ofw_error *err);
static inline ofw_answer ofw_dense_atom_answer(ofw_dense_atom *work, double dot)
{
  return ofw_exact_answer(&work->atom, dot);
}

/* A power of two c for which the largest |c d_i| is in [1/2, 1), or near that if no double is such a power; 1 for
 * d = 0. Then products and squares of the c d_i that count neither overflow nor underflow. */
double ofw_unit_scale(size_t n, const double *d);

/* simplex.c: the options of simplices. */
typedef struct ofw_sum_options {
  uint64_t dim;
  double sum;
} ofw_sum_options;
extern const ofw_option ofw_sum_table[];

/* For projections on what has a sum of given size. With z_i = y_i - top, or |y_i| - top if `sizes`, and top the
 * largest y_i or |y_i|: the t at which the sum of all max(0, z_i - t) is `sum`. Only differences enter, so that no y is
 * too large. */
double ofw_threshold(size_t n, const double *y, int sizes, double sum, double *top);
/* For {x >= 0 : sum x_i = sum}, or at_most that: how far x is outside; and p, which may be x, becomes the nearest point to x.
 * Gives what every p_i above 0 is less than x_i by. */
double ofw_sum_excess(size_t n, const double *x, double sum, int at_most);
double ofw_sum_nearest(size_t n, const double *x, double sum, int at_most, double *p);
