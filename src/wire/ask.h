/* ask.h — requests about a decision as lines of JSON, and their answers
 *
 *     {"ask":{"entries":[i,..]}}                          {"round":t,"entries":[x,..]}
 *     {"ask":{"cells":[[row,column],..]}}                 {"round":t,"cells":[x,..]}
 *     {"ask":{"row":r}}                                   {"round":t,"row":[x,..]}
 *     {"ask":{"dot":VEC}}                                 {"round":t,"dot":x}
 *     {"ask":{"top":{"row":r,"k":n,"exclude":[c,..]}}}    {"round":t,"top":{"index":[c,..],"value":[x,..]}}
 *     {"ask":{"info":{}}}                                 {"round":t,"info":{"violation":x,"price":x,..}}
 *     {"ask":{"sample":{}}}                               {"round":t,"sample":[x,..]}
 *     {"ask":{"decide":{}}}                               the decision; with a delay: one more, of a round of its own
 *     {"ask":{"decide":{"round":t}}}                      the same, if it is that of round t
 *
 * Beside "ask" there may be an "id", which the answer repeats. A vector is a matrix of one row, and of one row "row" may be left out. Read by the parser of feedback, in its room.
 */
#pragma once

#include "wire/ndjson.h"

#include <ofw/learner.h>

typedef enum ofw_ask_kind {
  OFW_ASK_ENTRIES,
  OFW_ASK_CELLS,
  OFW_ASK_ROW,
  OFW_ASK_DOT,
  OFW_ASK_TOP,
  OFW_ASK_INFO,
  OFW_ASK_SAMPLE,
  OFW_ASK_DECIDE /* which ofw_ask_answer has no answer to: it is the learner's */
} ofw_ask_kind;

typedef struct ofw_ask {
  ofw_ask_kind kind;
  uint64_t round;      /* that a decision is asked for of; 0: none is named */
  size_t row, k;       /* the row; how many of its largest, at most all of them */
  size_t n;            /* coordinates that are asked for, or columns that are left out */
  const size_t *index; /* that many */
  const ofw_vec *vec;  /* the linear form */
  const char *id;      /* as JSON; "": none */
  double *value;       /* room for the answer: its numbers */
  size_t *place;       /* and its columns */
} ofw_ask;

/* 1: the line is a request, a good one or a bad one, and no feedback. */
int ofw_is_ask(const char *line, size_t length);
/* OFW_BAD_DATA and a message without the line's number if it cannot be answered for a decision of the shape in n. What
 * *out points to is in n, until the next line. */
ofw_status ofw_ask_read(ofw_ndjson *n, const char *line, size_t length, ofw_ask *out, ofw_error *err);
/* The answer, with its newline, at the end of the text; `info` is the account of the learner whose decision x is. Of a sample
 * the numbers are in ask->value already: they are the learner's. A number that is not finite is null. */
ofw_status ofw_ask_answer(const ofw_ask *ask, const ofw_info *info, const ofw_point *x, ofw_text *out, ofw_error *err);
