/* ratings.h — ratings of items by users: generated, or read from a file
 *
 * Generated: truth_ij = 3.5 + b_i + c_j + <p_i, q_j>, a rating is the truth plus noise, rounded and kept in 1..5. Which
 * pairs are rated follows long-tailed activities of users and popularities of items. Or like those of a known set, with
 * its counts and its values (likeness.h); then no truth is kept, as its scale is not theirs.
 *
 * A file: rows `user item rating [time]`, separated by blanks, by commas or by "::", plain or compressed by gzip.
 *
 * If ranks share the users (base/ranks.h), each has the ratings of its own, and users and cells count from its first one.
 */
#pragma once

#include "base/ranks.h"
#include "ratings/likeness.h"

#include <stdio.h>

typedef struct ofw_ratings {
  size_t users, items, count;    /* users and ratings that are here */
  size_t all_users;              /* at all ranks */
  size_t first, total;           /* ratings at the ranks before this one; at all ranks */
  const ofw_split *split;        /* NULL: all of them are here */
  size_t first_user, first_item; /* where the ids of its file begin: 0 or 1 */
  size_t *cell;                  /* user * items + item, increasing */
  double *value;                 /* what was rated */
  float *truth;                  /* what it was drawn from; NULL: that is not known */
  uint32_t *sequence;            /* the ratings as they are to be played; NULL: as they stand here */
  double largest;                /* no |value| is above it */
  size_t duplicates;             /* rows left out, since a later one rates the same pair */
  uint32_t checksum;             /* of all that was read */
} ofw_ratings;

/* The order in which ratings are played. */
typedef enum ofw_order { OFW_SHUFFLED, OFW_AS_FILED, OFW_BY_TIME } ofw_order;
enum { OFW_BASE_AUTO = 2 };

/* What to read, and how. */
typedef struct ofw_ratings_source {
  const char *path;
  int base;            /* ids count from 0 or 1; OFW_BASE_AUTO: from 0 if users (or items) have an id 0 */
  size_t users, items; /* 0: as many as the largest id says */
  ofw_order order;
  FILE *in; /* NULL: path is opened; else this is read to its end, and path is what messages call it */
  const ofw_ranks
      *ranks; /* who read it together, each a part of the bytes, and then have the ratings of their users; the order is
                             OFW_SHUFFLED. NULL: one process reads it */
} ofw_ratings_source;

/* Generated ratings as options ask for them; 0: not given. */
typedef struct ofw_ratings_shape {
  uint64_t users, items, ratings, rank;
} ofw_ratings_shape;
enum { OFW_MOST_RANK = 1000 };

/* What is not given becomes the paper's, 100000 ratings of 1682 items by 943 users, of rank 5. More than half of all pairs
 * are refused, as they are drawn until they are new; `owner` begins the message. */
ofw_status ofw_ratings_resolve(ofw_ratings_shape *shape, const char *owner, ofw_error *err);
ofw_status ofw_ratings_generate(ofw_ratings *r, const ofw_ratings_shape *shape, const ofw_split *split, uint64_t seed,
                                ofw_error *err);
ofw_status ofw_ratings_generate_like(ofw_ratings *r, const ofw_likeness *like, uint64_t seed, ofw_error *err);
/* A path that is not there is looked for in the data folder (base/data_folder.h). A bad row is OFW_BAD_DATA, "path:line: why". */
ofw_status ofw_ratings_read(ofw_ratings *r, const ofw_ratings_source *from, ofw_error *err);
/* Of all ratings those stay that this rank has the users of; `split` stays. */
void ofw_ratings_share(ofw_ratings *r, const ofw_split *split);
/* Also after a failure; r must have been zeroed or made by one of those above. */
void ofw_ratings_free(ofw_ratings *r);
