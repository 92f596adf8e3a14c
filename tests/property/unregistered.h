/* unregistered.h — parts that no walk over a registry comes to: by callbacks, from files, nested
 *
 * Each takes memory where others do not.
 */
#ifndef OFW_TEST_UNREGISTERED_H
#define OFW_TEST_UNREGISTERED_H

#include "learner/method.h"
#include "run/run_state.h"
#include "run/trace.h"
#include "stream/generator.h"

#include <ofw/own.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { OWN_DIM = 6, FILE_ROUNDS = 8 };

/* The box [-3/4, 5/4]^n. */
static int own_minimise(void *ctx, const double *d, double *v)
{
  (void)ctx;
  for (size_t i = 0; i < OWN_DIM; i++)
    v[i] = 0.25 - copysign(1.0, d[i]);
  return 0;
}

static double own_excess(void *ctx, const double *x)
{
  (void)ctx;
  double most = 0.0;
  for (size_t i = 0; i < OWN_DIM; i++)
    most = fmax(most, fabs(x[i] - 0.25) - 1.0);
  return most;
}

/* Unsorted indices are checked aside; three constraints. */
static int own_reveal(void *ctx, uint64_t t, const ofw_point *x, ofw_full *out)
{
  static const size_t index[] = {2, 0, 1};
  static const double value[] = {1.0, -0.5, 0.25}, constraint[] = {0.5, -0.5, 0.125};
  static ofw_vec vec;
  static ofw_sum sum[3];
  (void)ctx, (void)x;
  vec = ofw_vec_sparse(3, index, value);
  sum[0] = sum[1] = sum[2] = (ofw_sum){1, &vec};
  *out = (ofw_full){{(double)(t % 5), 3, constraint}, sum[0], sum};
  return 0;
}

/* Steps of a tenth towards the best point for all gradients so far. */
static ofw_status own_start(ofw_own *me)
{
  me->mine = ofw_own_array(me, "sum and v", 2 * me->dim);
  return OFW_OK;
}

static ofw_status own_observe(ofw_own *me, const ofw_own_round *now)
{
  double *sum = me->mine, *v = sum + me->dim;
  for (size_t i = 0; i < me->dim; i++)
    sum[i] += now->loss_gradient[i] + now->constraint_gradient[i];
  ofw_status st = ofw_own_minimise(me, sum, 1e-6, v);
  for (size_t i = 0; i < me->dim && st == OFW_OK; i++)
    me->x[i] += 0.1 * (v[i] - me->x[i]);
  return st;
}

static const ofw_learner_callbacks own_learner = {
    .size = sizeof own_learner, .name = "own", .start = own_start, .observe = own_observe};

static const double own_centre[OWN_DIM] = {0.25, 0.25, 0.25, 0.25, 0.25, 0.25};
static const ofw_domain_callbacks own_domain = {.size = sizeof own_domain,
                                                .dim = OWN_DIM,
                                                .R = 3.1,
                                                .r = 1.0,
                                                .centre = own_centre,
                                                .minimise = own_minimise,
                                                .excess = own_excess};
static const ofw_stream_callbacks own_stream = {
    .size = sizeof own_stream, .constants = {2.0, 5.0, 0.0, 0}, .reveal = own_reveal};

/* An atom of many terms; a set that still holds the origin. */
#define NESTED \
  "shrunk:factor=0.9,of=(shrunk:factor=0.9,of=(shrunk:factor=0.9,of=(shrunk:factor=0.9,of=(simplex:dim=5))))"
#define SHRUNK "shrunk:factor=0.9,of=(box:dim=6,lower=-1,upper=2)"

static char bounds_file[] = "/tmp/ofw-bounds-XXXXXX", feedback_file[] = "/tmp/ofw-feedback-XXXXXX";
static char ratings_file[] = "/tmp/ofw-ratings-XXXXXX", trace_file[] = "/tmp/ofw-trace-XXXXXX";
static char box[64], replay[64], ratings[128]; /* their specs */

/* A line of feedback over six coordinates with n constraints. */
static void write_round(int file, int t, int n)
{
  dprintf(file, "{\"loss\":%d,\"loss_gradient\":{\"index\":[2,0],\"value\":[1,-1]},\"constraint\":[0.5", t);
  for (int k = 1; k < n; k++)
    dprintf(file, ",-0.5");
  dprintf(file, "],\"constraint_gradient\":[[1,0,0,0,0,0]");
  for (int k = 1; k < n; k++)
    dprintf(file, ",{\"index\":[3,1],\"value\":[0.5,0.25]}");
  dprintf(file, "]}\n");
}

/* More headers and rows than there is room for at first. */
static inline void write_trace(void)
{
  FILE *out = fdopen(mkstemp(trace_file), "w");
  const char *header[20];
  for (size_t i = 0; i < 20; i++)
    header[i] = i % 2 ? "short" : "much longer than what a line has had room for before, so that it grows";
  ofw_trace_begin(out, 20, header);
  for (uint64_t t = 1; t <= 40; t++)
    ofw_trace_write(out, &(ofw_trace_row){.round = t, .ccv = (double)t});
  fclose(out);
}

/* In the first two a later line is much longer than those before; the third has more rows than its reader has room for
 * at first, and some twice. */
static inline void write_files(void)
{
  int file = mkstemp(bounds_file);
  dprintf(file, "-1\n-1.5\n-1.25000000000000000000000000000000000000\n-1\n");
  close(file);
  file = mkstemp(feedback_file);
  for (int t = 1; t <= FILE_ROUNDS; t++)
    write_round(file, t, t == 2 ? 20 : 1);
  close(file);
  file = mkstemp(ratings_file);
  for (int k = 0; k < 600; k++)
    dprintf(file, "%d,%d,%d,%d\n", 1 + k % 6, 1 + k % 5, 1 + k % 4, k % 7);
  close(file);
  write_trace();
  snprintf(box, sizeof box, "box:lower=@%s,upper=2", bounds_file);
  snprintf(replay, sizeof replay, "replay:file=%s", feedback_file);
  snprintf(ratings, sizeof ratings, "matrix-completion:file=%s,batch=7,order=time,holdout=0.2,constraint=exposure",
           ratings_file);
}

static inline void remove_files(void)
{
  unlink(bounds_file);
  unlink(feedback_file);
  unlink(ratings_file);
  unlink(trace_file);
}

#endif
