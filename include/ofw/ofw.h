/* ofw.h — decide, see what the decision cost, decide again: all that most programs need
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
 * The loss is what the decision cost. The constraint is kept if it is 0 or less, and violated by that much if it is more.
 * A bandit learner sees no gradients: ofw_learner_tell_values.
 *
 * Feedback is checked as a whole before anything changes: after a refusal (OFW_BAD_DATA, OFW_USAGE) the learner is as it
 * was, and the same round can be answered again. After OFW_NUMERICAL the learner can only be saved and freed.
 * One learner belongs to one thread at a time; two learners may run in two threads.
 *
 * learner.h has several constraints per round, gradients that are sparse or of rank one, and decisions too large to be
 * written out. domain.h has sets of your own and the linear oracles alone. run.h plays a learner against a stream.
 */
#ifndef OFW_OFW_H
#define OFW_OFW_H

#include <ofw/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A handle on a learner and all that it remembers. */
typedef struct ofw_learner ofw_learner;

/* The learner that the first spec describes, over the set that the second one does: "ofw-ada" and "l1-ball:dim=9,radius=3".
 * Both have the form name:key=value,key=value; `ofw list` prints the names, `ofw help NAME` the keys. Beside its own keys
 * every learner takes
 *
 *     horizon            T, how many rounds will be played; left out or "auto": not known
 *     lipschitz          G, a bound on the length of all gradients. ofw-ada, ofw-ada-sc and bfw-ada need neither T nor G
 *     loss-bound         M, a bound on the losses; left out: not known
 *     strong-convexity   alpha of the losses; left out: 0
 *     seed               of all random numbers; left out: 1
 *     threads            that share the work over large arrays; left out: 1. No bit depends on it
 *
 * NULL if it cannot be made; err (may be NULL) says why. */
OFW_API ofw_learner *ofw_learner_create(const char *learner, const char *domain, ofw_error *err);
/* NULL is accepted. */
OFW_API void ofw_learner_free(ofw_learner *l);

/* How many numbers a decision has. */
OFW_API size_t ofw_learner_dim(const ofw_learner *l);
/* The decision of this round, ofw_learner_dim numbers; asking twice gives it twice. OFW_UNSUPPORTED: it is too large to be
 * written out (see ofw_learner_decide). */
OFW_API ofw_status ofw_learner_ask(ofw_learner *l, double *x);
/* What the decision cost: f_t(x) and its gradient there, g_t(x) and its gradient there. Gradients have ofw_learner_dim
 * numbers. No constraint this round: 0 and NULL. */
OFW_API ofw_status ofw_learner_tell(ofw_learner *l, double loss, const double *gradient, double constraint,
                                    const double *constraint_gradient);
/* The same for a bandit learner (bfw-ada, bfw-tvc, scbfw-tvc, lbpm), which sees numbers only. No constraint this round: 0. */
OFW_API ofw_status ofw_learner_tell_values(ofw_learner *l, double loss, double constraint);
/* Why the last call on this handle failed; "" if it did not. */
OFW_API const char *ofw_learner_error(const ofw_learner *l);

/* Writes all that the learner remembers to a file, bit for bit. The file is on the disk when this returns, and the one
 * before it is kept as path.1; if it fails, the old file is unchanged. */
OFW_API ofw_status ofw_learner_save(ofw_learner *l, const char *path);
/* Reads it back into a learner that was made from the same specs. A file that is damaged or does not fit is refused and
 * changes nothing (OFW_BAD_DATA). OFW_END: there is no such file. */
OFW_API ofw_status ofw_learner_load(ofw_learner *l, const char *path);

#ifdef __cplusplus
}
#endif
#endif
