/* learner.h — the second tier: structured gradients, several constraints, decisions that are never written out
 *
 *     ofw_learner *l = ofw_learner_create_over("ofw-tvc", K, &settings, &err);
 *     for (;;) {
 *       ofw_learner_decide(l, &x);         the decision, read through an ofw_point
 *       ...                                play it; find out the loss, the constraints and their gradients
 *       ofw_learner_observe(l, &feedback);      a bandit learner: ofw_learner_observe_values(l, &values)
 *     }
 *     ofw_learner_free(l);
 *
 * It is the same learner as in ofw.h: the calls of both may be mixed, and what ofw.h says of refusals and threads holds.
 * Several learners may share one domain, also in several threads.
 *
 * A struct that begins with `size` may grow in later versions. A program that was compiled with a smaller one goes on
 * working: the fields that it does not know have their defaults. A larger one than the library knows is refused.
 */
#ifndef OFW_LEARNER_H
#define OFW_LEARNER_H

#include <ofw/domain.h>
#include <ofw/feedback.h>
#include <ofw/ofw.h>
#include <ofw/point.h>
#include <ofw/state.h>

#ifdef __cplusplus
extern "C" {
#endif

/* No horizon is known: epochs of 64, 128, 256, .. rounds, each with the constants of its own length. */
#define OFW_HORIZON_AUTO 0

/* What every learner is told when it is made. */
typedef struct ofw_learner_settings {
  size_t size;       /* sizeof(ofw_learner_settings) */
  uint64_t horizon;  /* T, the number of rounds that the constants are chosen for; play may go on after it.
                              OFW_HORIZON_AUTO: not known, see docs/algorithms.md */
  double lipschitz;  /* G, of the losses and of the constraints (of their sum with constraints=sum). ofw-ada, ofw-ada-sc
                              and bfw-ada use neither this nor the horizon */
  double loss_bound; /* M, |f_t| <= M; 0: not given */
  double strong_convexity;   /* alpha of the losses; 0: none */
  uint64_t seed;             /* of all random numbers that it draws */
  size_t options;            /* how many options follow: the learner's own, and those that all learners have */
  const char *const *option; /* each as "key=value" */
  size_t threads;            /* that share the work over large arrays, the caller's among them; 0 is 1. The bits do not
                              depend on it, and states go from any number to any other */
  ofw_terms terms;           /* what its gradients will be made of: for storage, where that is not set */
} ofw_learner_settings;

/* What a learner is doing, after the last observe. */
typedef struct ofw_info {
  size_t size;      /* sizeof(ofw_info), set by the caller */
  uint64_t round;   /* of the pending or next decision, from 1 */
  double violation; /* Q, the sum of g^+ so far. constraints=each: of the constraint where that is largest; budgets: the
                              largest signed sum, if it is above 0 (docs/algorithms.md) */
  double
      log_price; /* ln Phi'(beta Q), or ln lambda where a method has a multiplier; -infinity: no price. constraints=each:
                              of their mean; budgets of ofw-ada: the highest, in units of loss per unit of that budget */
  double log2_guess; /* log2 of Gt, the guessed gradient bound; NaN where a method has none */
  double sigma;      /* the last step, 0..1 */
  double gap; /* <d, x - v>, the Frank-Wolfe gap before the last step, in units of the regularised sum's gradient */
  double oracle_error;    /* what <d, v> may have been above the minimum, in the same units */
  int oracle_proven;      /* 1: that is a bound; 0: it holds with the probability that the domain's page states */
  uint64_t oracle_calls;  /* so far */
  uint64_t oracle_passes; /* reads of the whole direction by iterative oracles */
  double oracle_seconds;  /* that the oracle took, since the learner was made; 0 where the domain is not timed */
  uint64_t projections;   /* on the domain, so far; 0 for the projection-free */
  uint64_t steep;         /* rounds with a gradient longer than G, which the guarantees exclude */
  double delta;           /* how far a bandit learner probes; 0: it is none and needs gradients */
  uint64_t capped;        /* blocks whose inner loop was ended by a limit on its oracle calls, not by its gap */
  size_t left, right;     /* storage=factored, here and below, and 0 for others: the vectors of its two bases */
  size_t entries;         /* of the direction that are kept one by one */
  uint64_t compressions;  /* of the bases, so far */
  double lost;            /* by which they have moved the decision, at most, in the Frobenius norm */
  double lost_direction;  /* and the direction, relative to its norm */
  /* What the regret is proved to be at most, against any point that keeps every constraint, by numbers that the learner
   * measured (docs/theory.md). NaN, here and below: it measures none, or storage has rounded what it measured, or the play has
   * shown that no point keeps every constraint. */
  double regret_bound;
  /* And the violation, if no loss was steeper at that point than the steepest up to then was at a decision. */
  double ccv_bound;
  /* The probability that this is wrong, at most, because an iterative oracle's error was; 0 for exact ones. */
  double bound_failure;
} ofw_info;

/* The learner of that name over K, which it keeps by reference. NULL where it cannot be made; err says why. */
OFW_API ofw_learner *ofw_learner_create_over(const char *name, const ofw_domain *K,
                                             const ofw_learner_settings *settings, ofw_error *err);

/* The decision of this round; asking twice gives it twice. *x is valid until the next observe, load or free. */
OFW_API ofw_status ofw_learner_decide(ofw_learner *l, const ofw_point **x);
/* What the decision cost. A bandit learner takes numbers only, others the gradients too: the wrong one of the two is
 * OFW_USAGE. */
OFW_API ofw_status ofw_learner_observe(ofw_learner *l, const ofw_full *feedback);
/* The same with what is told of the constraints of the coming round. hint = NULL: nothing is. A hint may be wrong; a learner
 * that uses none checks it and ignores it. */
OFW_API ofw_status ofw_learner_observe_hinted(ofw_learner *l, const ofw_full *feedback, const ofw_hint *hint);
/* The same for a bandit learner. */
OFW_API ofw_status ofw_learner_observe_values(ofw_learner *l, const ofw_values *values);

/* A vertex of the domain whose expectation is the decision x, for those who must play one: with each step it is
 * replaced by the oracle's atom with probability sigma. The learner must have been made with sample=yes; before the
 * first replacement it is the first decision. */
OFW_API ofw_status ofw_learner_sample(ofw_learner *l, double *vertex);
/* Fills in *info, as much of it as its size says. */
OFW_API ofw_status ofw_learner_info(ofw_learner *l, ofw_info *info);
/* Every setting and option with its resolved value, "learner=ofw-tvc domain=... horizon=... beta=...". Where the horizon is not
 * known, these are the current epoch's, and " epoch=yes" ends it; valid until the next decide or load. */
OFW_API const char *ofw_learner_config(const ofw_learner *l);

/* What ofw_learner_save writes, to memory. */
OFW_API ofw_status ofw_learner_save_state(ofw_learner *l, ofw_state *state);
/* Loading needs a learner made with the same configuration; a state that does not fit is refused and changes nothing. */
OFW_API ofw_status ofw_learner_load_state(ofw_learner *l, const ofw_state *state);

/* The i-th registered learner, in alphabetical order; NULL beyond the last. */
OFW_API const ofw_type *ofw_learner_type(size_t i);

#ifdef __cplusplus
}
#endif
#endif
