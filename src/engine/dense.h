/* dense.h — the dense engine's arrays, and how operations go over them; shared by the dense_*.c
 *
 * Large arrays are cut into parts, which threads share out. The parts are the same however many threads there are, and
 * what they find is added up in their order, so that the bits are the same too.
 */
#pragma once

#include "base/owned.h"
#include "base/threads.h"
#include "engine/engine.h"
#include "linalg/lanczos.h"
#include "linalg/rng.h"
#include "vector/vec_arithmetic.h"

enum {
  OFW_CHUNK = 512, /* coordinates that are written out at a time */
  OFW_NEAR = 4096, /* coordinates whose numbers stay in the caches for a second loop */
  OFW_PARTS = 16,  /* of a large array */
  OFW_ROWS = 8,    /* of a matrix, at least, that go together if rows do: blocks of random words end with them */
  OFW_FOUND = 3,   /* numbers that a part of an operation may find */
  OFW_KEPT_NORMALS = 1 << 23 /* 64 MiB */
};

/* What was drawn last, since the next that is needed is often the same: the words of the uniform vec that x met, and
 * the normals of the probe whose length was taken. A cache and no part of the state. Its memory is not touched, and so
 * does not count, until it is needed. dense_words.c has the next round's words, too. */
typedef struct ofw_kept {
  ofw_rng_key words_of, normals_of;
  int has_words, has_normals;
  ofw_rng_key met;     /* the last uniform vec that x met */
  int in_turn, due;    /* it was of the round after the one before; x has not moved since */
  int has_x, has_y;    /* <words, x> and <words, y> are known: */
  double x_dot, y_dot; /* these, which were found when x and y were written */
  int backward;        /* the last operation began at the end */
  uint32_t *word;
  double *normal; /* NULL beyond OFW_KEPT_NORMALS coordinates: longer ones are drawn again */
} ofw_kept;

/* d in whole numbers of 16 bits, row by row, and in floats. */
typedef struct ofw_copy {
  ofw_shorts shorts;
  double *square;       /* of each row's numbers, added up */
  unsigned char *stale; /* 1: the row of shorts is not d's */
  int wanted;           /* an oracle has asked for shorts since d last changed throughout */
  ofw_floats floats;    /* memory that does not count until it is used; d's if they were asked for last */
  int fine;             /* passes go over floats */
  float *narrow, *room; /* what a rough pass multiplies with; its room, one a band */
} ofw_copy;

typedef struct ofw_dense {
  ofw_engine base;
  const ofw_kernels *kernels; /* over doubles or over floats */
  void *x, *d;
  size_t words;                 /* of 8 bytes, in each of the two */
  void *y;                      /* (x - the mean of the decisions) / y_unit; NULL: it is not kept */
  const ofw_kernels *y_kernels; /* floats if there are many, since only sums over it are asked for */
  double y_unit;                /* a power of two near the set's radius, if these are not the kernels of x; else 1 */
  double radius;                /* the set's */
  size_t y_words;
  ofw_direction direction;
  ofw_pool *pool;
  ofw_owned own;       /* all of its arrays */
  size_t parts, bands; /* of the coordinates; of the rows, in a pass */
  double *shares;      /* of w, one a band; NULL: there is one band */
  float *row;          /* of an atom, if x has floats */
  size_t near;         /* coordinates at a time, whole rows if there is a copy */
  ofw_copy *copy;      /* of d, for rough passes; NULL: there are none */
  ofw_kept *kept;
} ofw_dense;

static inline void *ofw_x_at(const ofw_dense *e, size_t i)
{
  return ofw_at(e->kernels, e->x, i);
}

static inline void *ofw_d_at(const ofw_dense *e, size_t i)
{
  return ofw_at(e->kernels, e->d, i);
}

static inline int ofw_dense_is_floats(const ofw_dense *e)
{
  return e->kernels->size == sizeof(float);
}

static inline size_t ofw_least(size_t a, size_t b)
{
  return a < b ? a : b;
}

/* ---- an operation, by parts ---- */

/* What it needs and what its parts find. */
typedef struct ofw_task {
  const ofw_dense *e;
  void (*over)(const struct ofw_task *t, size_t from, size_t to, double found[OFW_FOUND]);
  ofw_sum sum, other;
  const ofw_vec *one; /* the term that is all of the sum, if that is easier */
  const void *row;    /* its v, as x has its numbers, if it is of rank one */
  double a, b, c;
  const ofw_rng_key *next; /* of a step: draws that x meets when it is written; NULL: none */
  int leads;               /* of a step: y goes, too, and keeps c of itself */
  int copies;              /* of a pull: the copy of d is brought up to date */
  double (*found)[OFW_FOUND];
  int backward;
} ofw_task;

/* From the end of the arrays to their beginning if the last operation went the other way: a cache that holds some of what it read
 * holds that which comes first then. */
void ofw_task_run(ofw_task *t, double found[OFW_PARTS][OFW_FOUND]);
/* The same for what is to be added up; second may be NULL. */
double ofw_task_sum(ofw_task *t, double *second);
/* The same for all that parts of an operation may find. */
void ofw_task_sums(ofw_task *t, double sums[OFW_FOUND]);

/* ---- what a sum may be ---- */

/* Whether it is as many dense numbers as x has, of which there are so few that an operation is one call of a kernel: a task
 * would cost as much as its arithmetic. */
static inline int ofw_dense_is_small(const ofw_dense *e, const ofw_vec *v)
{
  return v->kind == OFW_VEC_DENSE && v->as.dense.n == e->base.dim && v->offset == 0 && e->base.dim <= OFW_NEAR &&
         e->parts == 1;
}
/* Whether it is draws of that kind for each of x's coordinates. */
int ofw_dense_draws(const ofw_dense *e, const ofw_vec *v, ofw_dist dist);
/* Whether they are uniform, and their words are those that are kept. */
int ofw_dense_has_words(const ofw_dense *e, const ofw_vec *v);
/* Whether that holds for all of its terms that are random: then they may be added from any coordinate on at no more cost. */
int ofw_dense_is_drawn(const ofw_dense *e, ofw_sum a);
/* The same for normals. */
int ofw_dense_has_normals(const ofw_dense *e, const ofw_vec *v);

/* out[i] += c v[from + i] for i < n, for a table's kind of number */
void ofw_dense_add(const ofw_dense *e, const ofw_kernels *kernels, const ofw_vec *v, double c, size_t from, size_t n,
                   void *out);
/* out = the sum's coordinates from `from` on */
void ofw_dense_write(const ofw_dense *e, ofw_sum v, size_t from, size_t n, double *out);

/* The coordinates from some place on that are c times n numbers v, as x has them. */
typedef struct ofw_multiple {
  size_t n;
  double c;
  const void *v;
} ofw_multiple;

/* Where an atom is written out. */
typedef struct ofw_chunk {
  double written[OFW_CHUNK];
  float narrow[OFW_CHUNK];
} ofw_chunk;

/* A task that moves towards an atom. */
void ofw_task_aim(ofw_task *t, ofw_sum atom);
/* The atom's coordinates from `from` on, before `to`: of its one term in one row, else written out in `room`. */
ofw_multiple ofw_task_multiple(const ofw_task *t, size_t from, size_t to, ofw_chunk *room);

/* ---- the draws that x meets: dense_words.c ---- */

/* <v, x> / v.scale for draws of each of x's coordinates */
double ofw_dense_meet(const ofw_dense *e, const ofw_vec *v);
/* Whether x, which is about to move, will be asked to meet other draws next, as far as one can tell, and which. */
int ofw_dense_expects(const ofw_dense *e, ofw_rng_key *next);
/* For coordinates that have just been written: draws their words and adds <words, x> and, if y goes, too, <words, y>. */
void ofw_dense_meet_next(const ofw_task *t, size_t from, size_t n, double *x_dot, double *y_dot);
/* What was found so over all coordinates; y_dot is NULL if y stayed. */
void ofw_dense_has_met(const ofw_dense *e, ofw_rng_key next, double x_dot, const double *y_dot);
/* x or y has changed, or both: nothing is known of them. */
void ofw_dense_forget(const ofw_dense *e);
/* sum + <words, a> over some coordinates, by chunks */
double ofw_dense_words_dot(const ofw_dense *e, const ofw_kernels *kernels, const void *a, size_t from, size_t n,
                           double sum);

/* ---- the operations that have files of their own ---- */

static inline void *ofw_y_at(const ofw_dense *e, size_t i)
{
  return ofw_at(e->y_kernels, e->y, i);
}

static inline int ofw_dense_is_narrow(const ofw_dense *e)
{
  return e->y_kernels != e->kernels;
}

void ofw_dense_segment(ofw_engine *E, ofw_sum v, double *slope, double *length2);
void ofw_dense_step(ofw_engine *E, ofw_sum v, double sig, double curv);
double ofw_dense_step_both(ofw_engine *E, ofw_sum v, double sig, double keep, double curv);

void ofw_dense_size(const ofw_direction *d, double *largest, double *norm);
void ofw_dense_pass(const ofw_direction *d, int exponent, const double *v, double *u, double *w);
/* The first row of a band of a pass. */
size_t ofw_dense_row_of(const ofw_dense *e, size_t band);
/* w = the sum of the bands' shares, which is where they are if there is more than one band. */
void ofw_dense_add_shares(const ofw_dense *e, double *w);

/* n words of 4 bytes that are not touched, on large pages if there are such. */
void *ofw_dense_words(ofw_dense *e, size_t n);

/* ---- the copy: dense_copy.c ---- */

ofw_status ofw_dense_open_copy(ofw_dense *e, ofw_error *err);
int ofw_dense_copy(const ofw_direction *d, int better, ofw_rough *off, double *norm);
void ofw_dense_rough(const ofw_direction *d, const double *v, double *u, double *w);
/* Rows that have just been written, while they are near; the coordinates are whole rows. */
void ofw_dense_copy_rows(const ofw_dense *e, size_t from, size_t n);
/* d is about to change throughout: whether it is worth it to copy its rows then, because an oracle asked for the last ones. If not,
 * all of them are stale. */
int ofw_dense_copies(const ofw_dense *e);
/* d has changed: throughout, or where a sparse vec is. */
void ofw_dense_stale(const ofw_dense *e);
void ofw_dense_stale_at(const ofw_dense *e, const ofw_vec *v);

extern const ofw_engine_lead ofw_dense_lead;
