/* sparse.h — a sparse matrix that takes updates and multiplies fast
 *
 * Entries are kept row by row, columns increasing, in two parts: those that have settled, and fewer that are recent and
 * are made again with every update. Once the recent ones are many they settle, so that an entry is moved a few times in
 * all. An entry that is there is changed in place. All numbers are doubles times one scale, so that multiplying the
 * matrix costs nothing. An entry has its row beside it: if rows are short, no processor foresees where one ends.
 */
#pragma once

#include "base/basics.h"

typedef struct ofw_csr {
  size_t *start; /* rows + 1: row i is from start[i] to start[i + 1] */
  uint32_t *row, *col;
  double *value;
  size_t room;
} ofw_csr;

typedef struct ofw_sparse {
  size_t rows, cols;
  double scale;
  ofw_csr settled, recent;
  size_t all_settled, all_recent; /* entries of both at all ranks that share the matrix; else those that are here */
  int shared;                     /* other ranks have other rows */
  ofw_csr fresh;                  /* of one update; empty in between */
  struct ofw_sparse_cell *queue;  /* what an update adds, before it is in order */
  size_t queued, queue_room;
} ofw_sparse;

ofw_status ofw_sparse_open(ofw_sparse *s, size_t rows, size_t cols, int shared, ofw_error *err);
void ofw_sparse_close(ofw_sparse *s);

/* Room for an update by n entries, which then cannot fail. */
ofw_status ofw_sparse_reserve(ofw_sparse *s, size_t n, ofw_error *err);
/* Entry index[k] + offset, counted row by row, += c value[k]; indices are distinct and there is room. What |S|^2 grows
 * by. New entries wait until the update is complete. */
double ofw_sparse_add(ofw_sparse *s, double c, size_t n, const size_t *index, size_t offset, const double *value);
/* Ends an update, which has `all` new entries at all ranks. */
void ofw_sparse_complete(ofw_sparse *s, size_t all);
/* S = a S */
void ofw_sparse_scale(ofw_sparse *s, double a);

/* ---- sparse_products.c ---- */

enum { OFW_SPARSE_ROWS = 1024 }; /* that are multiplied together, at most */

/* u = S v for n rows from `from` on, whose numbers are u[0] .. u[n - 1] */
void ofw_sparse_times(const ofw_sparse *s, size_t from, size_t n, const double *v, double *u);
/* w += S' u for the same */
void ofw_sparse_add_turned(const ofw_sparse *s, size_t from, size_t n, const double *u, double *w);
/* |S|^2 of some rows */
double ofw_sparse_square(const ofw_sparse *s, size_t from, size_t to);

/* As words of 8 bytes, for a state. */
size_t ofw_sparse_words(const ofw_sparse *s);
void ofw_sparse_save(const ofw_sparse *s, uint64_t *out);
/* How many of the n words from `words` on are such a matrix; 0: they are none of this shape. */
size_t ofw_sparse_check(const ofw_sparse *s, const uint64_t *words, size_t n);
/* Room for it; then it is taken. */
ofw_status ofw_sparse_make_room(ofw_sparse *s, const uint64_t *words, ofw_error *err);
void ofw_sparse_load(ofw_sparse *s, const uint64_t *words);
