/* device.h — one play's arrays on a machine, and what the files that work on them share
 *
 * Work is queued; only what returns numbers waits, for the reply that its last kernel writes into memory that both sides see.
 */
#pragma once

#include "engine/cuda_table.h"
#include "machine.h"

enum { OFW_REPLIES = 256, OFW_SUM_A = OFW_ON_E, OFW_SUM_B, OFW_ARRAYS, OFW_STAGE_ROOM = 1 << 16 };

/* Memory of the machine that grows. */
typedef struct ofw_buffer {
  double *at;
  size_t room;
} ofw_buffer;

/* Places of many entries, as they were the last time: a stream that shows all of its entries in every round has them sent once. */
typedef struct ofw_places {
  uint32_t *here;
  size_t n, room;   /* of here */
  ofw_buffer there; /* two per number */
} ofw_places;

/* The vectors of a search. */
typedef struct ofw_krylov_room {
  double *basis, *image;                             /* v_j, one more than there is room for; A v_j */
  double *spare;                                     /* for a rotation */
  double *w, *shares, *products[3], *totals, *found; /* body_search.h */
  double half, rest;                                 /* A = half rest d */
  int on;                                            /* the machine searches, and waits for grants */
  size_t first;                                      /* the slot that it began with */
  uint64_t ticket;                                   /* of its first reply */
  size_t next;                                       /* the slot that is to hold w / b */
  int pending;                                       /* it does not hold it yet */
  size_t granted;                                    /* slots that the machine may do */
  size_t last;                                       /* how many the last search took, to its first pair */
  int composed;                                      /* this one has found a pair */
  ofw_rng_key key;                                   /* the direction that the last one began with */
  int likely;                                        /* d was measured, and a search from the next direction followed */
  int early;                                         /* one is on that nobody has asked for yet */
  int bits;                                          /* of the copy that the last one reads; 0: d (body_narrow.h) */
  int usual_bits;                                    /* of the first one from the last direction */
} ofw_krylov_room;

/* <p, x> with the p that is expected next, found in the step that leads to x. A vector of draws is expected to be followed by the
 * one of the next round, if it has followed that of the round before. */
typedef struct ofw_expected_dot {
  ofw_vec p;
  int likely;
  uint64_t ticket; /* of the number; 0: it was not computed, or x has changed since */
} ofw_expected_dot;

/* The same of the segment to a pair that was found: scale u v' is likely to have the scale that it had the last time. */
typedef struct ofw_expected_segment {
  double scale;
  int likely;
  uint64_t ticket;
} ofw_expected_segment;

struct ofw_cuda {
  ofw_machine *m;
  uint32_t rows, cols, dim, quads;
  int floats;              /* x, d and y have them, and all else doubles */
  void *array[OFW_ARRAYS]; /* x, d, y, and two sums that are written out; NULL: not needed so far */
  int lost;                /* memory was not to be had: what fails of it is NaN */
  char why[OFW_CUDA_TEXT];
  ofw_buffer value, left, right; /* of a term: all of it, with zeros behind, or its factors */
  ofw_buffer turn;               /* of a rotation */
  ofw_places places;
  ofw_buffer many;         /* values of so many entries: a copy brings them here or there in one go */
  double *pair_u, *pair_v; /* the last pair that a search has found */
  double *seen_u, *seen_v; /* the same, here */
  ofw_krylov_room krylov;
  ofw_expected_dot dot;
  ofw_expected_segment segment;
  uint64_t measured; /* the ticket of max |d_i| and |d|^2; 0: not known of this d */
  /* replies */
  double *parts;
  uint32_t *counter;
  ofw_reply *reply;
  uint64_t ticket;
  /* what kernels are to read of this program's, until they have */
  char *stage;
  size_t staged, stage_room;
  uint64_t
      stage_ticket; /* the last one before something was staged: kernels of later ones come after those that read it */
};

/* n numbers and their places, which kernels can read until the next wait. */
typedef struct ofw_pairs {
  double *value; /* memory of the machine, if they are many */
  double *here;  /* the same in memory that both see */
  const uint32_t *index;
} ofw_pairs;

/* Whether an array has floats: x, d or y may, and a sum never. */
static inline int ofw_cuda_floats(const ofw_cuda *c, int which)
{
  return c->floats && which < OFW_ON_E;
}

/* Of x, d, y or a sum. */
static inline size_t ofw_cuda_bytes(const ofw_cuda *c, int which)
{
  return 4 * (size_t)c->quads * (ofw_cuda_floats(c, which) ? sizeof(float) : sizeof(double));
}

static inline uint32_t ofw_least(uint32_t a, uint32_t b)
{
  return a < b ? a : b;
}

static inline uint32_t ofw_most(uint32_t a, uint32_t b)
{
  return a > b ? a : b;
}

/* A thread per item, and one block at least; of those that add up what they find, not too many. */
static inline uint32_t ofw_blocks_for(uint32_t items)
{
  return items == 0 ? 1 : items / OFW_THREADS + (items % OFW_THREADS > 0);
}

static inline uint32_t ofw_few_blocks_for(uint32_t items)
{
  return ofw_least(ofw_blocks_for(items), OFW_BLOCKS);
}

/* The machine, for anything but a search: one that is on ends. */
ofw_machine *ofw_cuda_on(ofw_cuda *c);

/* ---- device_memory.c ---- */

void ofw_cuda_lose(ofw_cuda *c, size_t bytes);
const char *ofw_cuda_failed(const ofw_cuda *c);
void *ofw_cuda_room(ofw_cuda *c, size_t bytes);
/* x, d, y or a sum: opened when it is first needed. */
void *ofw_cuda_array(ofw_cuda *c, int which);
/* Room for n numbers, what was there being lost; a multiple of 4, since quads are read. */
double *ofw_cuda_need(ofw_cuda *c, ofw_buffer *b, size_t n);
/* The same with these numbers in it. */
double *ofw_cuda_upload(ofw_cuda *c, ofw_buffer *b, size_t n, const double *value);
/* Those of a sparse vector; value NULL: room for them alone. 0: there is none. */
int ofw_cuda_stage_pairs(ofw_cuda *c, size_t n, const size_t *index, size_t offset, const double *value,
                         ofw_pairs *out);
ofw_report ofw_cuda_next_report(ofw_cuda *c);
/* Whether its two numbers can still be read. */
int ofw_cuda_has(const ofw_cuda *c, uint64_t ticket);
/* The two numbers of that ticket; all that was queued before its kernel is done. */
int ofw_cuda_await(ofw_cuda *c, uint64_t ticket, double out[2]);

/* ---- device_terms.c ---- */

/* A term that is not sparse; what it is made of goes to the machine, if it is not there: it is valid until the next. */
int ofw_cuda_make_term(ofw_cuda *c, const ofw_vec *v, ofw_term *t);
/* Whether a kernel that goes over the matrix takes this term as it is. */
int ofw_cuda_is_plain(const ofw_cuda *c, const ofw_vec *v, int draws);
/* The array += factor v. */
void ofw_cuda_add_to(ofw_cuda *c, double factor, const ofw_vec *v, int which);
/* A sum in an array of its own. 0: there is no room. */
int ofw_cuda_write_out(ofw_cuda *c, ofw_sum v, int room);
/* A sum as one term: it is one already, or it is written out. */
int ofw_cuda_make_sum(ofw_cuda *c, ofw_sum v, int room, int draws, ofw_term *t);
/* 2^-exponent as a product of two numbers that are doubles for every exponent that a double has. */
void ofw_cuda_halves(int exponent, double *half, double *rest);

/* ---- device_arrays.c: the table's operations on x, d and y ---- */

void ofw_cuda_clear(ofw_cuda *c, ofw_on what);
void ofw_cuda_blend(ofw_cuda *c, double a, double b);
void ofw_cuda_add(ofw_cuda *c, double factor, const ofw_vec *v);
/* A pair is about to be written: the segment to it is queued, if it is known which. */
void ofw_cuda_segment_early(ofw_cuda *c);
void ofw_cuda_segment(ofw_cuda *c, ofw_sum v, double *slope, double *length2);
void ofw_cuda_step(ofw_cuda *c, ofw_sum v, double sig, double curv);
double ofw_cuda_lead(ofw_cuda *c, ofw_sum v, double sig, double keep);
double ofw_cuda_dot(ofw_cuda *c, ofw_on with, const ofw_vec *v);
double ofw_cuda_inner(ofw_cuda *c, ofw_sum a, ofw_sum b);
void ofw_cuda_measure(ofw_cuda *c, ofw_on what, int exponent, double *largest, double *square);
int ofw_cuda_read(ofw_cuda *c, ofw_on from, size_t first, size_t n, double *out);
int ofw_cuda_write(ofw_cuda *c, ofw_on to, const double *in);
int ofw_cuda_entries(ofw_cuda *c, const ofw_vec *probe, size_t n, const size_t *index, double *out);
int ofw_cuda_keep_y(ofw_cuda *c);

/* ---- device_search.c: the table's passes and searches ---- */

/* d is about to be measured: the search that is likely to follow begins. */
void ofw_cuda_begin_early(ofw_cuda *c);

void ofw_cuda_pass(ofw_cuda *c, int exponent, const double *v, double *u, double *w);
void ofw_cuda_narrow(const ofw_cuda *c, int bits, double *apart, double *grain);
double ofw_cuda_begin(ofw_cuda *c, int bits, int exponent, size_t k, ofw_rng_key start);
double ofw_cuda_extend(ofw_cuda *c, size_t k, double *b);
void ofw_cuda_accept(ofw_cuda *c, size_t k);
void ofw_cuda_rotate(ofw_cuda *c, size_t k, size_t n, const double *y);
void ofw_cuda_compose(ofw_cuda *c, size_t k, const double *y, const double **u, const double **v);
