/* probe.h — where a bandit learner looks: x + delta u, u uniform on the unit sphere of K's affine hull
 *
 *     u = (z - sum_i <z, n_i> n_i) / |..|     z standard normal, n_i the hull's orthonormal normals
 *
 * z is never stored: it is drawn again from (seed, round) wherever it is read. What is kept of a probe are the scales
 * of its 1 + normals terms.
 */
#pragma once

#include "learner/method.h"

/* The c at which the two parts of a bandit method's regret that depend on it are equal, if it probes at the distance
 * delta = c T^(-1/4) and losses are of size m G: c (D/r + 3 + 2D/(n m)) = n m D / c. At most r T^(1/4)/2. */
double ofw_probe_balanced(const ofw_learner *l, double m);
/* Sets delta, which c gives; refused if a probe would leave the set. */
ofw_status ofw_probe_reach(ofw_learner *l, double c, double delta);

/* Another delta from the next probe on, with the set shrunk by that; y must be in it. */
void ofw_probe_set(ofw_learner *l, double delta);

/* Room for the terms. */
ofw_status ofw_probe_open(ofw_learner *l, const ofw_domain *K);
/* Makes l->probe that of round t, and the point to play with it; no more than once per round. */
void ofw_probe_make(ofw_learner *l, uint64_t t);
/* Estimates of this size fill d alone; larger ones are cut, since they could overflow it. */
double ofw_probe_most(const ofw_learner *l);
/* The scales of the current probe's terms. */
void ofw_probe_scales(const ofw_learner *l, double *scale);
/* d += c delta u_t, from the scales that u_t had */
void ofw_probe_pull(ofw_learner *l, uint64_t t, const double *scale, double c);
