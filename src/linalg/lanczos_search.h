/* lanczos_search.h — one search of lanczos.c as far as it has come, for the files that it is made of
 *
 * lanczos.c decides, by the numbers a_j and b_j alone; lanczos_bounds.c says what these prove; lanczos_vectors.c has the
 * vectors, which are here or elsewhere (ofw_krylov).
 */
#pragma once

#include "linalg/lanczos.h"

#include <math.h>

enum {
  OFW_LANCZOS_KEPT = 42, /* Ritz vectors that stay when a basis is restarted */
  OFW_LANCZOS_RESTARTS = 16,
  OFW_LANCZOS_STEPS = OFW_LANCZOS_BASIS + OFW_LANCZOS_RESTARTS * (OFW_LANCZOS_BASIS - OFW_LANCZOS_KEPT)
};

/* One search for the top pair. Its value is a singular value of A if M = A'A, else M's own. */
typedef struct ofw_search {
  int singular; /* M = A'A; 0: M = shift I - S */
  void (*pass)(const void *ctx, const double *v, double *u, double *w);
  void (*times)(const void *ctx, const double *v, double *w);
  const void *ctx;
  double shift;
  const ofw_krylov *at; /* where the vectors are, of M = A'A; NULL: in the ofw_lanczos */
  ofw_grade grade;      /* of what they are of */
  int exponent;
  ofw_rng_key start; /* of the next random vector */
  size_t steps;      /* passes, so far */
  size_t told;       /* of those, in answers */
  double square;     /* tr M, which is |A|_F^2 */
  ofw_rough rough;   /* how rough the passes are; 0: only rounded */
  double unseen;     /* what is left of the square outside the basis */
  size_t k, kept;    /* basis vectors; so many in front are Ritz vectors */
  size_t restarts;
  size_t origin, carried; /* the step and the restart with which the current Krylov sequence begins */
  size_t free;            /* the dimension of what its first vector was drawn from */
  double root;            /* the largest eigenvalue of the sequence's part of H */
  double settled;         /* the largest one of sequences that have ended */
  double theta, before;   /* the largest value seen, and what it was a step ago */
  int done;               /* 1: it is good enough for who asked; 0: it goes on */
  int over;               /* 1: nothing is left to go on with */
} ofw_search;

struct ofw_lanczos {
  size_t rows, cols, room;         /* room: basis vectors; rows 0: for a symmetric matrix */
  const ofw_split *split;          /* NULL: all rows are here */
  int whole;                       /* so many that they span the space */
  double *basis, *image;           /* v_j and A v_j, one after the other */
  double *spare;                   /* for a restart: OFW_LANCZOS_KEPT of the longer kind */
  double *a, *b;                   /* of every step since the search began */
  double *t, *s;                   /* OFW_LANCZOS_KEPT a restart */
  size_t at[OFW_LANCZOS_RESTARTS]; /* the number of the step before which it took place */
  double *H, *values, *vectors, *work;
  double *w, *u, *v;
  double *part, *h; /* products with the basis, of a band and of all of them; only if ranks share the matrix */
  ofw_search now;
};

/* What an eigenvalue of M is as a value, and back. */
static inline double ofw_search_value(const ofw_search *s, double root)
{
  return s->singular ? sqrt(root) : root;
}

static inline double ofw_search_root(const ofw_search *s, double value)
{
  return s->singular ? value * value : value;
}

/* Whether the sequence has gone over a restart, so that Ritz vectors hang on it. */
static inline int ofw_search_restarted(const ofw_search *s)
{
  return s->restarts > s->carried;
}

/* ---- lanczos_bounds.c ---- */

/* root, theta and before, after one more step */
void ofw_search_find_root(ofw_lanczos *l);
/* Whether the top value is at most theta + by, for certain or but for delta. */
int ofw_search_within(const ofw_lanczos *l, double by, double delta);
/* The second bound: what the top value is above theta at most, but for OFW_LANCZOS_DELTA. */
double ofw_search_probable_excess(const ofw_lanczos *l);
/* |y_k| of the unit eigenvector y of `root`, of a tridiagonal H */
double ofw_search_last_entry(const ofw_lanczos *l);
/* How far passes that are rough have moved singular values, at most; 0 if they are not. */
double ofw_search_blur(const ofw_lanczos *l);

/* ---- lanczos_shared.c: if ranks share the matrix, each works on its columns of the vectors ---- */

/* The random direction v, which all ranks have, becomes orthogonal to the basis, and of length 1; how much of it was so. */
double ofw_search_draw_shared(ofw_lanczos *l, double *v);
/* Makes w orthogonal to the basis; its length then, and <v, w> of the last vector of the basis before. */
double ofw_search_orthogonalise_shared(ofw_lanczos *l, double *last);
/* v = w / b, at all ranks */
void ofw_search_accept_shared(ofw_lanczos *l, double b, double *v);

/* ---- lanczos_vectors.c ---- */

/* A random direction behind the basis, orthogonal to it and of length 1; how much of it was so. */
double ofw_search_draw(ofw_lanczos *l);
/* w = M v_k, orthogonal to the basis, v_k with it: <v_k, M v_k>, and b = |w|; k counts v_k then. */
double ofw_search_extend(ofw_lanczos *l, double *b);
/* The next v is w / b. */
void ofw_search_accept(ofw_lanczos *l, double b);
/* The OFW_LANCZOS_KEPT best Ritz vectors become the basis. */
void ofw_search_rotate(ofw_lanczos *l);
/* v = V y, u = A v / theta; there is no u if M is no A'A */
void ofw_search_compose(ofw_lanczos *l, const double **u, const double **v);
