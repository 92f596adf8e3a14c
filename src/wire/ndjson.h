/* ndjson.h — feedback as one line of JSON
 *
 *     {"loss":f,"loss_gradient":VEC,"constraint":g,"constraint_gradient":VEC}
 *     and what is told of the coming round: "next_constraint":g,"next_constraint_gradient":VEC
 *
 * VEC is [numbers], {"index":[..],"value":[..]}, or a matrix of rank one by its factors, {"u":VEC,"v":VEC,"scale":x}, each
 * of them one of the first two; the scale may be left out. Several constraints: "constraint":[g1,..] and
 * "constraint_gradient":[VEC,..]. The two constraint fields may be left out together, and so may the two next ones. "id" may
 * be there too, a number or a text, and comes back with the answer; and "round", the number of the decision that this is the
 * feedback of, which a learner with a delay needs if several are open. Anything else is refused, with the field and the column.
 */
#pragma once

#include "base/basics.h"

#include <ofw/feedback.h>

enum { OFW_LONGEST_ID = 255 }; /* of the caller's name for a line, as it stands there */

/* Room that is reused from line to line. Start it with the shape set and the rest 0. */
typedef struct ofw_ndjson {
  size_t rows, cols; /* of a decision, as ofw_domain_rows says: what two factors must have */
  double *number;
  size_t numbers, number_room;
  size_t *index;
  size_t indices, index_room;
  ofw_vec *vec;
  size_t vecs, vec_room;
  ofw_sum *sum;
  size_t sum_room;
  ofw_hint hint;               /* what the last line told of the coming round; its size is 0 if that was nothing */
  uint64_t round;              /* that the last line named; 0: none */
  char id[OFW_LONGEST_ID + 1]; /* of the line that was read last, as JSON; "": it had none */
} ofw_ndjson;

/* A line may be this long, without its end: 64 KiB and 64 bytes per coordinate, and no more than OFW_LONGEST_FEEDBACK. */
size_t ofw_ndjson_longest(size_t dim);

/* What a line may hold of gradients. */
typedef enum ofw_ndjson_mode {
  OFW_NDJSON_FULL,   /* they are needed */
  OFW_NDJSON_VALUES, /* they are refused: a bandit learner must not be given any */
  OFW_NDJSON_ANY     /* they may be there, and are not read: a recorded play for a bandit learner */
} ofw_ndjson_mode;

/* OFW_BAD_DATA and a message without the line's number if it cannot be accepted. What *out points to is in n, until
 * the next line. Lengths and indices, but for those of factors, are not compared with the dimension here:
 * ofw_learner_observe does that. */
ofw_status ofw_ndjson_read(ofw_ndjson *n, const char *line, size_t length, ofw_ndjson_mode mode, ofw_full *out,
                           ofw_error *err);
void ofw_ndjson_free(ofw_ndjson *n);
