/* requests.h — ofw run --ask FILE --answers FILE: requests about the last decision of a run */
#pragma once

#include "cli.h"

#include "wire/ask.h"

/* Start it as {0}. */
typedef struct requests {
  const char *path, *answers; /* NULL: nothing is asked */
  ofw_text lines;             /* each of them good, with its newline */
  ofw_ndjson parser;
  FILE *out; /* FILE.part, until there are answers */
} requests;

/* --ask and --answers, which need each other. 0, or an exit code after a complaint, here and below. */
int read_requests(const command *self, const arguments *args, requests *r);
/* Reads them, so that a bad one is found before anything is played over K, and opens the file of the answers. */
int open_requests(const command *self, requests *r, const ofw_domain *K);
/* The answers at x, the learner's decision, as a whole file. */
int answer_requests(const command *self, requests *r, ofw_learner *l, const ofw_point *x);
void close_requests(requests *r);

/* One answer at x, the learner's decision, at the end of the text. */
ofw_status answer_ask(const ofw_ask *ask, ofw_learner *l, const ofw_point *x, ofw_text *out, ofw_error *err);
