/* learner.h — the second tier: structured gradients, several constraints, large decisions
 *
 *     ofw_learner *l = ofw_learner_create_over("ofw-tvc", K, &settings, &err);
 *     for (;;) {
 *       ofw_learner_decide(l, &x);            the decision, read through an ofw_point
 *       ...                                   play it; find out the loss, the constraints and their gradients
 *       ofw_learner_observe(l, &feedback);    a bandit learner: ofw_learner_observe_values(l, &values)
 *     }
 *     ofw_learner_free(l);
 *
 * It is the same learner as in ofw.h: you may mix the calls of both, and the rules on refusals and threads are the same.
 * Several learners may share one domain, also in several threads.
 *
 * A struct that begins with `size` may grow in later versions. A program that was compiled with a smaller one still works:
 * fields that it does not know have their defaults. The library refuses a struct that is larger than it knows.
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

/* The horizon is not known: epochs of 64, 128, 256, .. rounds, each with the constants of its own length. */
#define OFW_HORIZON_AUTO 0

/* The settings of every learner. */
typedef struct ofw_learner_settings {
  size_t size;       /* sizeof(ofw_learner_settings) */
  uint64_t horizon;  /* T, the number of rounds that constants are chosen for; play may continue after it.
                              OFW_HORIZON_AUTO: not known, see docs/algorithms.md */
  double lipschitz;  /* G, of the losses and of the constraints (of their sum with constraints=sum). ofw-ada, ofw-ada-sc
                              and bfw-ada use neither this nor the horizon */
  double loss_bound; /* M, |f_t| <= M; 0: not given */
  double strong_convexity;   /* alpha of the losses; 0: none */
  uint64_t seed;             /* of all its random numbers */
  size_t options;            /* number of options below: the learner's own, and those of all learners */
  const char *const *option; /* each as "key=value" */
  size_t threads;            /* threads that share the work on large arrays, including the caller; 0 means 1. No bit
                              depends on it, and a state may be loaded with any number */
  ofw_terms terms;           /* the form of its gradients, which chooses the storage if that option is not set */
} ofw_learner_settings;

/* The account of a learner after the last observe. */
typedef struct ofw_info {
  size_t size;      /* sizeof(ofw_info), set by the caller */
  uint64_t round;   /* of the pending or next decision, from 1; with a delay: of the next decision */
  double violation; /* Q, the sum of g^+ so far. constraints=each: the largest one; budgets: the
                              largest signed sum, if it is above 0 (docs/algorithms.md) */
  double
      log_price; /* ln Phi'(beta Q), or ln lambda if the method has a multiplier; -infinity: no price. constraints=each:
                              of their mean; budgets of ofw-ada: the highest, in units of loss per unit of that budget */
  double log2_guess; /* log2 of Gt, the guessed gradient bound; NaN if the method has none */
  double sigma;      /* the last step, 0..1 */
  double gap; /* <d, x - v>, the Frank-Wolfe gap before the last step, in units of the regularised sum's gradient */
  double oracle_error;    /* how far <d, v> may be above the minimum, in the same units */
  int oracle_proven;      /* 1: that is a bound; 0: it holds with the probability in docs/domains.md */
  uint64_t oracle_calls;  /* so far */
  uint64_t oracle_passes; /* reads of the whole direction by iterative oracles */
  double oracle_seconds;  /* time of the oracle since the learner was made; 0 if the domain is not timed */
  uint64_t projections;   /* onto the domain, so far; 0 for projection-free learners */
  uint64_t steep;         /* rounds with a gradient longer than G, which the guarantees exclude */
  double delta;           /* the length of a bandit learner's probes; 0: the learner needs gradients */
  uint64_t capped;        /* blocks whose inner loop reached its limit on oracle calls before its gap was small */
  size_t left, right;     /* storage=factored, here and below, else 0: the vectors of its two bases */
  size_t entries;         /* entries of the direction that are stored one by one */
  uint64_t compressions;  /* of the bases, so far */
  double lost;            /* bound on how far they moved the decision, in the Frobenius norm */
  double lost_direction;  /* the same for the direction, relative to its norm */
  /* Certificate: a proved bound on the regret against any point that satisfies every constraint, from numbers that the
   * learner measured (docs/theory.md). NaN, here and below: it measures none, the storage rounded them, or the play showed
   * that no point satisfies every constraint. */
  double regret_bound;
  /* The same for the violation, if no loss was steeper at that point than the steepest loss at a decision up to then. */
  double ccv_bound;
  /* The largest probability that a bound fails because an iterative oracle failed; 0 for exact oracles. */
  double bound_failure;
  uint64_t open; /* decisions that wait for their feedback */
} ofw_info;

/* Makes the learner of that name over K, which it keeps by reference. Returns NULL on failure; err says why. */
OFW_API ofw_learner *ofw_learner_create_over(const char *name, const ofw_domain *K,
                                             const ofw_learner_settings *settings, ofw_error *err);

/* The decision of this round; asking twice gives the same. *x is valid until the next observe, load or free.
 * With the option delay=N every call is a decision of a round of its own, counted from 1, and up to N earlier ones may wait
 * for their feedback; one more is OFW_USAGE. */
OFW_API ofw_status ofw_learner_decide(ofw_learner *l, const ofw_point **x);
/* Tells the learner the loss, the constraints and their gradients. A bandit learner takes only numbers, by
 * ofw_learner_observe_values; the wrong one of the two is OFW_USAGE. */
OFW_API ofw_status ofw_learner_observe(ofw_learner *l, const ofw_full *feedback);
/* The same with a hint about the constraints of the coming round; NULL: no hint. A hint may be wrong. A learner that uses
 * no hints checks it and ignores it. */
OFW_API ofw_status ofw_learner_observe_hinted(ofw_learner *l, const ofw_full *feedback, const ofw_hint *hint);
/* The same for the decision of this round, whose feedback may be late (option delay): gradients at that decision, wherever the
 * learner is by now. A round that has not been decided, or has been answered, is OFW_USAGE. The calls that name no round
 * are for the one that is open; if there are several, they are refused. */
OFW_API ofw_status ofw_learner_observe_round(ofw_learner *l, uint64_t round, const ofw_full *feedback);
/* The same for a bandit learner. */
OFW_API ofw_status ofw_learner_observe_values(ofw_learner *l, const ofw_values *values);

/* A random vertex of the domain whose expectation is the decision x, for callers that must play a vertex: each step
 * replaces it by the oracle's atom with probability sigma. The learner must have been made with sample=yes; before the
 * first replacement it is the first decision. */
OFW_API ofw_status ofw_learner_sample(ofw_learner *l, double *vertex);
/* Fills in *info, up to its size. */
OFW_API ofw_status ofw_learner_info(ofw_learner *l, ofw_info *info);
/* Every setting and option with its resolved value, "learner=ofw-tvc domain=... horizon=... beta=...". If the horizon is not
 * known, these are of the current epoch, and the text ends with " epoch=yes". Valid until the next decide or load. */
OFW_API const char *ofw_learner_config(const ofw_learner *l);

/* Like ofw_learner_save, but to memory. */
OFW_API ofw_status ofw_learner_save_state(ofw_learner *l, ofw_state *state);
/* Loads a state into a learner of the same configuration; any other state is refused and changes nothing. */
OFW_API ofw_status ofw_learner_load_state(ofw_learner *l, const ofw_state *state);

/* The i-th registered learner, in alphabetical order; NULL after the last. */
OFW_API const ofw_type *ofw_learner_type(size_t i);

#ifdef __cplusplus
}
#endif
#endif
