/* hint.h — limits known in advance by hints: a decision z that keeps them, beside the learner's own x
 *
 *     h_i(y) = g_i(x_t) + <grad g_i, y - x_t>                     what is told of the coming round's constraint i
 *     Psi(y) = Phi(y) - <N, y>                                    N: what prices of constraints have added to Phi's slope
 *     z = x, then at most STEPS times  v = LMO(Psi'(z) + m sum n_i over the i with h_i(z) >= 0), and z goes towards v
 *       if an h_i(z) > 0: until the sum of h_i^+ / |grad g_i| is least on the segment
 *       else: until Psi is least on it, or an h_i is 0
 *
 * with n_i = grad g_i/|grad g_i| and m = 4 (|Psi'(z)| + 1e-6 c D), c the curvature of Phi: more than the limits are worth, so
 * that an atom that is gone towards keeps them, and among such it is a cheap one.
 *
 * z is played. The learner goes on from x as if it had played that: it sees each f_t and g_t by what is linear of them at z.
 * So all that is proved of x holds, and the regret and the violation of z are those of x and two sums that are measured:
 *
 *     U = sum <grad f_t, z_t - x_t>        V = sum (delta_t(z_t) - delta_t(x_t))        delta: the distance to the limit, at most D
 *
 * A hint is used as long as U + 4 Gf V <= Gf D, U <= max(0, the regret's bound) and V <= sum delta_t(x_t). So wrong ones cost
 * about one round, and a constant factor of what is proved at most (docs/theory.md).
 */
#pragma once

#include "learner/method.h"

struct ofw_hinted {
  size_t dim;
  double *by;              /* z - x */
  double *price;           /* N, in d's unit */
  uint64_t moved;          /* 1: by is not 0 */
  double cost, worse, own; /* U, V, and the sum of the delta_t(x_t) */
  double more;             /* the sum of g_t^+(z_t) - g_t^+(x_t) */
  double longest;          /* loss gradient since the first hint */
  double curvature;        /* of Phi, in d's unit, after the last round */
  /* of this round alone */
  double bound;         /* on the regret of x */
  ofw_vec term;         /* by, as a term */
  double *at, *room;    /* x; a direction, then an atom */
  ofw_full seen;        /* the feedback as the learner sees it at x */
  double *value;        /* its constraints */
  double *limit, *rise; /* h_i(z) over |grad g_i|, and its slope towards v */
  double *inverse;      /* 1 / |grad g_i| */
  size_t value_room, limit_room;
};

/* Room for a round with this hint (NULL: none) and so many constraints; nothing else changes. */
ofw_status ofw_hint_open(ofw_learner *l, size_t constraints, const ofw_hint *hint);
/* Before the learner sees the round: *now becomes what it is at x, and what that is less than at z is counted. */
ofw_status ofw_hint_see(ofw_learner *l, ofw_round *now, const ofw_hint *hint);
/* After it has: the bounds of what was played, and the next z. */
void ofw_hint_use(ofw_learner *l, const ofw_hint *hint);

/* What the method says of its d: it was multiplied; prices added so much of the broken constraints' gradients; Phi's
 * curvature. They do nothing as long as no hint has come. */
void ofw_hint_scale(ofw_learner *l, double by);
void ofw_hint_price(ofw_learner *l, const ofw_round *now, double c);
static inline void ofw_hint_curve(ofw_learner *l, double curvature)
{
  if (l->hinted)
    l->hinted->curvature = curvature;
}

static inline void ofw_hint_bound(ofw_learner *l, double bound) /* on the regret of x, after each round */
{
  if (l->hinted)
    l->hinted->bound = bound;
}

/* For states: as if no hint had come, or room for the first; what follows from what was loaded. */
ofw_status ofw_hint_make(ofw_learner *l, ofw_error *err);
void ofw_hint_report(ofw_learner *l);
extern const ofw_field ofw_hinted_fields[];
void ofw_hint_close(ofw_hinted *h);
