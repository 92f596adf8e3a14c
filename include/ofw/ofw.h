/* ofw.h — decide, see the cost of the decision, decide again: all that most programs need
 *
 *     ofw_error err;
 *     ofw_learner *l = ofw_learner_create("ofw-ada", "simplex:dim=3", &err);
 *     for (;;) {
 *       ofw_learner_ask(l, x);                         the decision, as numbers
 *       ...                                            play it; find out the loss, the constraint and their gradients
 *       ofw_learner_tell(l, loss, gradient, constraint, constraint_gradient);
 *     }
 *     ofw_learner_free(l);
 *
 * The loss is the cost of the decision. The constraint is satisfied if it is 0 or less; else it is violated by that much.
 * A bandit learner sees no gradients: use ofw_learner_tell_values.
 *
 * A call checks all feedback before it changes anything. After a refusal (OFW_BAD_DATA, OFW_USAGE) the learner is unchanged,
 * and you can answer the same round again. After OFW_NUMERICAL you can only save and free the learner.
 * One learner belongs to one thread at a time; two learners may run in two threads.
 *
 * learner.h has several constraints per round, gradients that are sparse or of rank one, and decisions too large to write
 * out. domain.h has your own sets and the linear oracles alone. run.h plays a learner on a stream.
 */
#ifndef OFW_OFW_H
#define OFW_OFW_H

#include <ofw/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A handle on a learner with its memory. */
typedef struct ofw_learner ofw_learner;

/* Makes a learner from its spec and the spec of a set, such as "ofw-ada" and "l1-ball:dim=9,radius=3".
 * Both have the form name:key=value,key=value; `ofw list` prints the names, `ofw help NAME` the keys. Every learner also
 * takes these keys:
 *
 *     horizon            T, the number of rounds to be played; left out or "auto": not known
 *     lipschitz          G, a bound on the length of all gradients. ofw-ada, ofw-ada-sc and bfw-ada need neither T nor G
 *     loss-bound         M, a bound on the losses; left out: not known
 *     strong-convexity   alpha of the losses; left out: 0
 *     seed               seed of all random numbers; left out: 1
 *     threads            threads that share the work on large arrays; left out: 1. No bit depends on it
 *
 * Returns NULL on failure; err (may be NULL) says why. */
OFW_API ofw_learner *ofw_learner_create(const char *learner, const char *domain, ofw_error *err);
/* NULL is accepted. */
OFW_API void ofw_learner_free(ofw_learner *l);

/* The number of coordinates of a decision. */
OFW_API size_t ofw_learner_dim(const ofw_learner *l);
/* Writes the decision of this round to x, ofw_learner_dim numbers; asking twice gives the same. OFW_UNSUPPORTED: it is too
 * large to write out (see ofw_learner_decide). */
OFW_API ofw_status ofw_learner_ask(ofw_learner *l, double *x);
/* Tells the learner f_t(x) and its gradient at x, g_t(x) and its gradient at x. Gradients have ofw_learner_dim numbers.
 * If the round has no constraint, pass 0 and NULL. */
OFW_API ofw_status ofw_learner_tell(ofw_learner *l, double loss, const double *gradient, double constraint,
                                    const double *constraint_gradient);
/* The same for the decision of this round, counted from 1, of a learner whose feedback may come late ("ofw-ada:delay=20").
 * With a delay every ask is a new round; up to 20 earlier ones may wait for their feedback, which may come in any order. */
OFW_API ofw_status ofw_learner_tell_round(ofw_learner *l, uint64_t round, double loss, const double *gradient,
                                          double constraint, const double *constraint_gradient);
/* The same for a bandit learner (bfw-ada, bfw-tvc, scbfw-tvc, lbpm), which sees only numbers. No constraint: pass 0. */
OFW_API ofw_status ofw_learner_tell_values(ofw_learner *l, double loss, double constraint);
/* Why the last call on this handle failed; "" if it did not. */
OFW_API const char *ofw_learner_error(const ofw_learner *l);

/* Writes the learner's state to a file, bit for bit. When this returns, the file is on the disk and the previous one is
 * path.1; on failure the old file is unchanged. */
OFW_API ofw_status ofw_learner_save(ofw_learner *l, const char *path);
/* Reads a state into a learner made from the same specs. A damaged file, or one of another learner, is refused and changes
 * nothing (OFW_BAD_DATA). OFW_END: there is no such file. */
OFW_API ofw_status ofw_learner_load(ofw_learner *l, const char *path);

#ifdef __cplusplus
}
#endif
#endif
