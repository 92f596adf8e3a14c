/* own.h — your own learner: a published method, or a new one, as a table of functions
 *
 *     static ofw_status start(ofw_own *me)
 *     {
 *       me->mine = ofw_own_array(me, "sum", me->dim);      zeros, which are saved and loaded with the learner
 *       return OFW_OK;
 *     }
 *
 *     static ofw_status observe(ofw_own *me, const ofw_own_round *now)
 *     {
 *       ...                                                me->x is the decision that was played; leave the next one there
 *     }
 *
 *     static const ofw_learner_callbacks leader = {
 *         .size = sizeof leader, .name = "leader", .start = start, .observe = observe};
 *     ofw_learner *l = ofw_learner_create_own(&leader, K, &settings, &err);
 *
 * The result is a learner like any other (ofw.h, learner.h). The same calls play it. The library checks feedback before the
 * method sees it, and counts violations and oracle calls. The learner can be saved at any moment and resumed bit for bit,
 * and need not know its horizon. examples/own_learner.c is a complete program; plugin.h adds a method to the command.
 *
 * A method keeps its memory in arrays from ofw_own_array, or saves it by its own functions (save, load). Anything else is
 * lost when the learner is saved. One table may serve many learners, also in several threads.
 */
#ifndef OFW_OWN_H
#define OFW_OWN_H

#include <ofw/learner.h>
#include <ofw/option.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The learner as its method sees it: the library fills it in and passes it to every function. Later versions may add fields
 * at its end. */
typedef struct ofw_own {
  void *ctx;               /* ctx of the callbacks */
  void *options;           /* the struct with the values of the options; start may compute those that were not set */
  const ofw_domain *K;     /* the set */
  size_t dim;              /* its dimension */
  double horizon;          /* T; of this epoch if the horizon is not known (learner.h); 0: the method is anytime */
  double lipschitz;        /* G; 0: the method is anytime */
  double loss_bound;       /* M; 0: not given */
  double strong_convexity; /* alpha; 0: none */
  uint64_t seed;           /* of all random numbers that it draws */
  uint64_t round;          /* t, of the round that is being observed, from 1 in each epoch; 0 in start */
  double *x;               /* dim numbers: the decision. observe leaves the next one here, a point of K */
  void *mine;              /* the method's own memory: start sets it, save, load and drop manage it */
  double delta; /* a bandit method may set it in start, above 0 and below K's inner radius: then the library plays
                              x + delta u, with a random unit vector u in each round, and shrinks the set for x so that
                              this stays in K. 0: the library plays x */
  double sigma; /* for ofw_info and traces observe may set this and the next two: the last step; 0 before each round */
  double gap;   /* the Frank-Wolfe gap, which ofw_own_minimise sets; 0 before each round */
  double log_price; /* ln of the price of violations; -infinity (no price) before each round */
} ofw_own;

/* A round as a method sees it: finite numbers of the right length, valid until observe returns. Later versions may add
 * fields at its end. */
typedef struct ofw_own_round {
  double loss;                       /* f at the played point */
  double constraint;                 /* g there: the largest or, with constraints=sum, the sum of the positive parts;
                                        0: no constraint this round */
  double violation;                  /* g^+ */
  double total_violation;            /* Q, including this round's g^+ */
  const double *loss_gradient;       /* of f: dim numbers; NULL for a bandit method */
  const double *constraint_gradient; /* of g: dim numbers, zeros without a constraint; NULL for a bandit method */
  const ofw_full *full;              /* the feedback as it was given: structured gradients, every constraint; NULL for
                                        a bandit method */
  const double *played;              /* the played point, dim numbers: me->x, or x + delta u if the method probes */
} ofw_own_round;

/* A method. Only name and observe are required. Texts, options, promise and the memory behind ctx belong to the caller and
 * must outlive every learner of this method; the rest is copied. */
typedef struct ofw_learner_callbacks {
  size_t size;               /* sizeof(ofw_learner_callbacks) */
  const char *name;          /* small letters, digits and '-', beginning with a letter; not a name of the library */
  const char *summary;       /* one line; NULL: none */
  const char *source;        /* its publication; NULL: none */
  const ofw_option *options; /* ends with {0}; NULL: none */
  const ofw_promise
      *promise;      /* what is proved and which options to tune; .anytime: it needs neither T nor G. NULL: nothing */
  int bandit;        /* 1: it sees numbers only */
  int projects;      /* 1: it projects, and sets without a projection are refused */
  unsigned revision; /* raise it when the method decides differently: states of another revision are refused */
  void *ctx;         /* for all functions */
  /* Computes constants and asks for memory, before the first round and again for every epoch. May be NULL. */
  ofw_status (*start)(ofw_own *me);
  /* Learns from a round and leaves the next decision in me->x. After a failure the learner can only be saved and freed. */
  ofw_status (*observe)(ofw_own *me, const ofw_own_round *now);
  /* Returns the size of the saved form of me->mine, and writes it if `bytes` is not NULL. NULL: nothing of it is saved. */
  size_t (*save)(const ofw_own *me, unsigned char *bytes);
  /* Makes a new me->mine from n bytes that save wrote, which may be damaged, and returns it; *me does not change. It returns
   * NULL to refuse the bytes. Set both of save and load, or neither. */
  void *(*load)(const ofw_own *me, const unsigned char *bytes, size_t n);
  void (*drop)(void *mine); /* frees what start or load made; may be NULL */
} ofw_learner_callbacks;

/* Makes a learner of this method over K, which it keeps by reference. Returns NULL on failure; err says why. Its decisions
 * are dense arrays: it refuses every storage but double, and sample=yes. */
OFW_API ofw_learner *ofw_learner_create_own(const ofw_learner_callbacks *own, const ofw_domain *K,
                                            const ofw_learner_settings *settings, ofw_error *err);

/* Only for start: returns n zeros that belong to the learner and are part of its states under this name, which is copied.
 * Returns NULL if memory is out or if the caller is not start; then start need not report an error. */
OFW_API double *ofw_own_array(ofw_own *me, const char *name, size_t n);
/* Only for observe: v = argmin of <d, v> over K (over the shrunk set if the method probes), with the relative accuracy
 * `tolerance`, or with the learner's oracle-tolerance if that is set. It counts as an oracle call and sets me->gap. If d = 0,
 * every point is a minimiser: then v is x, and nothing is counted. */
OFW_API ofw_status ofw_own_minimise(ofw_own *me, const double *d, double tolerance, double *v);
/* Only for observe, of a method that projects: x = the point of K nearest to y; x may be y. It is counted. */
OFW_API ofw_status ofw_own_project(ofw_own *me, const double *y, double *x);
/* Sets the message of a failed start or observe, one line, and returns the status: return ofw_own_fail(me, OFW_USAGE, ".."); */
OFW_API ofw_status ofw_own_fail(ofw_own *me, ofw_status status, const char *message);

#ifdef __cplusplus
}
#endif
#endif
