/* scene.h — shared by generated rounds: a loss that is linear or quadratic, and often a half-space (half_space.h)
 *
 *     f_t(x) = <a_t, x>      or      f_t(x) = (alpha/2) |x - a_t|^2
 */
#pragma once

#include "stream/half_space.h"

typedef struct ofw_loss {
  double alpha;     /* 0: it is linear */
  double *a;        /* a_t, which the stream makes again for each round */
  double *gradient; /* at the decision; of a linear loss it is a */
  ofw_vec term;
} ofw_loss;

/* The stream's own, whose data begin with it; the constants are those of such losses with gradients up to G. */
ofw_status ofw_loss_open(ofw_loss *l, ofw_stream *s, double alpha, double G, ofw_error *err);
/* At x, into the loss part of out. */
ofw_status ofw_loss_reveal(ofw_loss *l, const ofw_point *x, ofw_full *out);
double ofw_loss_at(const ofw_loss *l, const double *x);
/* That at the stream's best point: its `comparator`. */
ofw_status ofw_loss_comparator(ofw_stream *s, uint64_t t, double *loss);

/* What the data of a stream begin with that has both, and its `reveal`. */
typedef struct ofw_scene {
  ofw_loss loss;
  ofw_half_space half;
} ofw_scene;

ofw_status ofw_scene_open(ofw_stream *s, double alpha, double G, double tight, ofw_error *err);
ofw_status ofw_scene_reveal(ofw_stream *s, uint64_t t, const ofw_point *x, ofw_full *out);
