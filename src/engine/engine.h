/* engine.h — where x, the decision, and d, the gradient of the regularised sum, live
 *
 * Every method is a few calls of pull, minimise, segment and step, with e = v - x:
 *
 *     OFW-TVC     pull(keep or 0, 0, eta p)                          step(sig, 2)
 *      keep,track pull(rho, 2 (1 - rho), eta p - 2 (1 - rho) x_1)    step(sig, 2)
 *     SCOFW-TVC   pull(1, 0, p)                                      step(sig, 2 C1 t)
 *     BFW-TVC     block end: pull(keep or 0, 0, K terms eta h u)     steps(sig, 2) until the gap is small
 *     SCBFW-TVC   every round pull(1, 0, h u); block end             L steps(sig, gamma beta alpha K m)
 *     OFW-Ada     pull(1, 0, p)                                      lead step_both(sig, keep, 2 B / D^2 + A)
 *     BFW-Ada     every round pull(1, 0, h u); block end             step(sig, 2 B / D^2)
 *     OFW, OPDP   pull(1, 0, eta p)                                  step(sig, 2)
 *     SCOFW       pull(1, 0, p)                                      step(sig, alpha t)
 *     LPM, LBPM   with d = x - y: every round pull(1, 0, eta p); block end: pull(1/k, 1 - 1/k, 0) for y / k,
 *                 steps(sig, 1), pull(3^-j, 0, 0) for a y nearer to x
 *     OGD, COCO   pull(0, 1, -step p), x = project(d)
 *
 * so a learner never sees where the vectors are. These and what makes and ends an engine are its core, six operations; all
 * else is a capability that a caller asks for by name before it plays (storage.c, epochs.c).
 */
#pragma once

#include "domain/set.h"

#include <ofw/feedback.h>
#include <ofw/point.h>

typedef struct ofw_engine ofw_engine;

/* What a factored engine holds, and how far that is from what it was asked to hold. */
typedef struct ofw_extent {
  size_t left, right; /* vectors of the two bases */
  size_t entries;     /* of d that are kept one by one */
  uint64_t compressions;
  double lost_x, lost_d; /* bounds on what compressions have changed x and d by, in the Frobenius norm */
} ofw_extent;

/* ---- capabilities: what some callers ask for; NULL in the operations: this engine has it not ---- */

/* x as its readers see it (point.h). */
typedef struct ofw_engine_view {
  ofw_status (*dot)(const ofw_engine *E, ofw_sum a, double *out); /* <a, x> */
  /* of x + probe; they are there */
  ofw_status (*entries)(const ofw_engine *E, ofw_sum probe, size_t n, const size_t *index, double *out);
  ofw_status (*row)(const ofw_engine *E, size_t row, double *out); /* of x: cols numbers; the row is there */
  /* All of x; OFW_UNSUPPORTED: it is too large for that. NULL: nothing is written, only said whether it could be. */
  ofw_status (*dense)(const ofw_engine *E, double *out);
} ofw_engine_view;

/* y = x - a mean of the decisions, for learners that measure how convex the losses are (ada.h). */
typedef struct ofw_engine_lead {
  ofw_status (*keep)(ofw_engine *E, ofw_error *err); /* from now on; y = 0 */
  /* e = v - x, before x goes that way: y = keep y + sig e; |y|^2 */
  double (*step)(ofw_engine *E, ofw_sum v, double sig, double keep);
  /* the same, and then the engine's own step, in one go; NULL: it is no faster so */
  double (*step_both)(ofw_engine *E, ofw_sum v, double sig, double keep, double curv);
  double (*dot)(const ofw_engine *E, ofw_sum a); /* <a, y> */
} ofw_engine_lead;

typedef struct ofw_engine_ops {
  /* d = a d + b x + c terms; a = 0 clears whatever d held */
  void (*pull)(ofw_engine *E, double a, double b, double c, ofw_sum terms);
  /* d as an oracle reads it; NULL: d = 0, and no call is needed */
  const ofw_direction *(*direction)(const ofw_engine *E);
  /* <d, e> and |e|^2 for e = v - x */
  void (*segment)(ofw_engine *E, ofw_sum v, double *slope, double *length2);
  /* x += sig e, d += curv sig e */
  void (*step)(ofw_engine *E, ofw_sum v, double sig, double curv);
  ofw_status (*visit)(ofw_engine *E, ofw_visitor *v);
  void (*close)(ofw_engine *E);

  const ofw_engine_view *view;
  const ofw_engine_lead *lead;
  /* feedback of some kinds only: whether this can be pulled, and room for it; nothing else changes. NULL: all can */
  ofw_status (*admit)(ofw_engine *E, const ofw_full *fb, ofw_error *err);
  /* what x and d are kept in can fail: whether it has, and why. NULL: it cannot */
  ofw_status (*alive)(const ofw_engine *E, ofw_error *err);
  double (*norm)(const ofw_engine *E); /* |d| */
  /* |a|, of neither x nor d, if not all of it is here; NULL: ofw_sum_norm will do */
  double (*length)(const ofw_engine *E, ofw_sum a);
  double (*apart)(const ofw_engine *E); /* |x - d|, for infeasible projections (cip.c) */
  /* <a, b>, of neither x nor d, for probes in all directions */
  double (*inner)(const ofw_engine *E, ofw_sum a, ofw_sum b);
  void (*restart)(ofw_engine *E, const double *x); /* a new x, d = 0: for epochs */
  /* x = the point of K nearest to d; K has a projection, work room for it, and x and d are doubles */
  ofw_status (*project)(ofw_engine *E, const ofw_domain *K, void *work, ofw_error *err);
  ofw_extent (*extent)(const ofw_engine *E); /* of what is compressed */
} ofw_engine_ops;

struct ofw_engine {
  const ofw_engine_ops *ops;
  size_t dim, rows, cols; /* as ofw_domain_rows says */
};

/* x at K's centre or at the origin, d = 0, both as dim numbers, doubles or floats. So many threads, the caller's among
 * them, work if that is worth it; they change no bit. */
ofw_engine *ofw_engine_open_dense(const ofw_domain *K, int from_centre, int floats, size_t threads, ofw_error *err);

/* The same without ever forming them: over bases of at most `rank` vectors after a compression (factored.h). K is a set
 * of matrices about 0 whose atoms are of rank one and whose oracle reads d by passes. */
extern const ofw_engine_ops ofw_factored_ops; /* to ask what it can do before it is opened */
ofw_engine *ofw_engine_open_factored(const ofw_domain *K, size_t rank, size_t threads, ofw_error *err);

/* As the dense one, with doubles on a GPU (cuda.c). K is a set of matrices whose oracle reads d by passes. */
ofw_engine *ofw_engine_open_cuda(const ofw_domain *K, int from_centre, int floats, ofw_error *err);

enum { OFW_LARGE = 1 << 16 }; /* coordinates: below that another thread is not worth waking */

struct ofw_point {
  const ofw_engine *at;
  ofw_sum probe; /* x + probe is what is played; 0 terms: x itself */
  int moved;     /* 1: the probe is no probe but a part of the decision (learner/hint.h) */
};

/* |a| of a gradient, or a bound (ofw_sum_norm), over all ranks that share it. */
double ofw_engine_length(const ofw_engine *E, ofw_sum a);

/* copied.c: a decision that was copied, rows * cols numbers, as a point. Both stay the caller's. */
typedef struct ofw_copied {
  ofw_engine base;
  const double *number;
} ofw_copied;
ofw_point ofw_copied_point(ofw_copied *c, size_t rows, size_t cols, const double *number);

/* top.c: the k largest of n numbers and where they are, the largest first and of equal ones the first. NaN is none of
 * them. How many there were. No memory but what is handed out, and n log k comparisons. */
size_t ofw_top(size_t n, const double *number, size_t k, size_t *index, double *value);
