/* ada.h — the rounds of the learners that are told nothing: ofw-ada, ofw-ada-sc; and what bfw-ada shares with them
 *
 *     p = grad f + w (Gf / Gg) grad g^+                                 Gf, Gg: the longest gradients so far
 *     a = 3 mean <p, y> / mean |y|^2 - alpha, A >= 0                    y = x - the mean of the decisions before
 *     Phi(x) = sum <p_s, x> + (beta_s / D^2 + (alpha + a_s) / 2) |x - x_s|^2
 *     v = LMO(Phi'(x)), line search, dec = what that takes off Phi
 *     the next beta = kappa dec, dec alone where mean <p, y> <= 0; and first D times what Gf grows by
 *     w = exp(q / 1.5b),  q = sum g^+ / Gg,  b: the most that (B + sum dec + gap - dec) / (Gf (1 + w)) has been
 *
 * B = sum beta_s, A = sum a_s, A+ what A was raised by. sum <p_s, x_s - x*> is at most B + A+ D^2/2 + sum dec + gap, so B
 * follows what was lost, not what might be: steps stay long as long as that costs nothing. A follows what the mean of the
 * decisions would have saved: where decisions that go after every round are worse than their mean, losses are taken for as
 * strongly convex as that shows, and where the mean is behind, that is taken back. A+ stays within
 * A+ D^2/2 <= 32 Gf D t^(3/4). In a mean over the rounds s weighs s (s + 1).
 *
 * A new term adds nothing to Phi' at x, so d = Phi'(x) is carried forward as it is. d, B, A and the rest of their unit are
 * kept over a power of two: the unit of the loss is anybody's, and the price has no bound where no point keeps the
 * constraints.
 */
#pragma once

#include "learner/method.h"

typedef struct ofw_ada_options {
  double kappa, first;
} ofw_ada_options;

/* The first member of a method's state. */
typedef struct ofw_ada {
  double c;     /* a constant: w = exp(q / cb) */
  double alpha; /* another: the strong convexity of the losses, as far as it is known */
  double Gf, Gg;
  double shift, k;      /* d and the next six are kept over 2^(shift + k): for the unit, and for the price */
  double B, A, raised;  /* raised: A+ */
  double told, taken;   /* the sums of the alphas and of dec */
  double pays;          /* <p, y>, averaged */
  double spread, lead2; /* |y|^2, averaged; the last */
  double b, log_w;
} ofw_ada;

/* What a loss is measured in, over 2^shift: Gf, or 1 before there is one. Of all units it has the same digits. */
double ofw_ada_unit(const ofw_ada *s);
/* 1/G, or 0 for a G so small that it counts as none */
double ofw_ada_inverse(double G);
/* The first Gf sets the unit, in which what came before counts. */
void ofw_ada_set_unit(ofw_learner *l, double Gf);
/* w over 2^k, which is raised where w has outgrown it. */
double ofw_ada_price(ofw_learner *l);
/* b grows until Gf b (1 + exp(q / cb)) is this much, over 2^(shift + k); the price falls with it. */
void ofw_ada_certify(ofw_learner *l, double certain);

ofw_status ofw_ada_start(ofw_learner *l);
ofw_status ofw_ada_observe(ofw_learner *l, const ofw_round *now);
extern const ofw_field ofw_ada_fields[];
extern const ofw_promise ofw_ada_promise;

#define OFW_KAPPA_ROW(value)                                                                                         \
  OFW_POSITIVE_ROW(offsetof(ofw_ada_options, kappa), "kappa", value, NULL,                                           \
                   "how much of what a round cost is held against longer steps, where the mean of the decisions is " \
                   "better than they are")
#define OFW_FIRST_ROW                                                      \
  OFW_POSITIVE_ROW(offsetof(ofw_ada_options, first), "first", "1.5", NULL, \
                   "what may be lost before steps shorten, in rounds: B at the start over Gf D")
