/* own.h — a learner of the caller's own: a published method, or a new one, as a table of functions
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
 * From then on it is a learner like any other (ofw.h, learner.h): the same calls play it, its feedback is checked before it
 * sees it, violations and oracle calls are counted, it can be saved at any moment and resumed bit for bit, and it does not
 * have to know its horizon. examples/own_learner.c is a whole one; plugin.h hands one to the command.
 *
 * A method keeps what it remembers in arrays that it asked for, or saves it itself (save, load). What it keeps elsewhere is
 * lost when a learner is saved. One table may serve many learners, also in several threads.
 */
#ifndef OFW_OWN_H
#define OFW_OWN_H

#include <ofw/learner.h>
#include <ofw/option.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a method knows of the learner that it is: the library fills it in and passes it to every function. It may grow at
 * its end. */
typedef struct ofw_own {
  void *ctx;           /* that of the callbacks */
  void *options;       /* their values, where the table's offsets say; start may work out those that were not given */
  const ofw_domain *K; /* the set */
  size_t dim;          /* of it */
  double horizon;      /* T, of this epoch if it is not known (learner.h); 0: the method is anytime */
  double lipschitz;    /* G; 0: the method is anytime */
  double loss_bound;   /* M; 0: not given */
  double strong_convexity; /* alpha; 0: none */
  uint64_t seed;           /* of all random numbers that it draws */
  uint64_t round;          /* t, of the round that is being observed, from 1 in each epoch; 0 in start */
  double *x;               /* dim numbers: the decision. observe leaves the next one here, a point of K */
  void *mine;              /* for start to set and for nobody else to look at, but for save, load and drop */
  double delta; /* a bandit method may set it in start, above 0 and below K's inner radius: then x + delta u is
                              played, with a random unit vector u in each round, and x is kept where that is in K. 0: x is */
  double sigma; /* observe may set it and the next two, for ofw_info and traces: the last step; 0 before each round */
  double gap;   /* the Frank-Wolfe gap, which ofw_own_minimise sets; 0 before each round */
  double log_price; /* ln of the price of violations; -infinity, none, before each round */
} ofw_own;

/* A round as a method sees it: finite numbers of the right length. All of it is valid until observe returns. It may grow at
 * its end. */
typedef struct ofw_own_round {
  double loss;                       /* f, at what was played */
  double constraint;                 /* g there: the largest or, with constraints=sum, the sum of the positive parts;
                                        0: no constraint this round */
  double violation;                  /* g^+ */
  double total_violation;            /* Q, this round's g^+ in it */
  const double *loss_gradient;       /* of f: dim numbers; NULL for a bandit method */
  const double *constraint_gradient; /* of g: dim numbers, zeros without a constraint; NULL for a bandit method */
  const ofw_full *full;              /* all as it was told, structured and one by one; NULL for a bandit method */
  const double *played;              /* me->x or, if the method probes, x + delta u: dim numbers */
} ofw_own_round;

/* A method. name and observe are all it must bring. Texts, options, promise and what ctx points to stay the caller's and
 * must outlive every learner that is made from it; the rest is copied. */
typedef struct ofw_learner_callbacks {
  size_t size;               /* sizeof(ofw_learner_callbacks) */
  const char *name;          /* small letters, digits and '-', from a letter on; none that the library has */
  const char *summary;       /* one line; NULL: none */
  const char *source;        /* where it is published; NULL: nowhere */
  const ofw_option *options; /* ends with {0}; NULL: none */
  const ofw_promise
      *promise;      /* what is proved and what is to tune; .anytime: it needs neither T nor G. NULL: nothing */
  int bandit;        /* 1: it sees numbers only */
  int projects;      /* 1: it projects, and sets without a projection are refused */
  unsigned revision; /* how often its decisions for the same feedback have changed: states of another are refused */
  void *ctx;         /* for all functions */
  /* Before the first round, and again for every epoch: works out constants, asks for memory. NULL: nothing is to be done. */
  ofw_status (*start)(ofw_own *me);
  /* A round. If it fails, the learner has failed: it can only be saved and freed. */
  ofw_status (*observe)(ofw_own *me, const ofw_own_round *now);
  /* What me->mine points to as bytes: how many, and writes them if `bytes` is not NULL. NULL: nothing there is saved. */
  size_t (*save)(const ofw_own *me, unsigned char *bytes);
  /* What me->mine is to be instead, made from bytes of save, as whatever may have become of them. *me does not change. NULL: it
   * refuses them. Together with save. */
  void *(*load)(const ofw_own *me, const unsigned char *bytes, size_t n);
  void (*drop)(void *mine); /* returns what start or load made; NULL: nothing is to be returned */
} ofw_learner_callbacks;

/* A learner by that method over K, which it keeps by reference. NULL if it cannot be made; err says why. Its decisions are
 * dense arrays: storage=float, storage=factored and sample=yes are not for it. */
OFW_API ofw_learner *ofw_learner_create_own(const ofw_learner_callbacks *own, const ofw_domain *K,
                                            const ofw_learner_settings *settings, ofw_error *err);

/* For start alone: n zeros that belong to the learner and are a part of its states by this name, which is copied. NULL: there
 * is no memory, or it is not start that asks; start then need not say so itself. */
OFW_API double *ofw_own_array(ofw_own *me, const char *name, size_t n);
/* For observe alone: v = argmin over K of <d, v> (over what the probes leave of it), to the relative accuracy `tolerance`, or to the
 * learner's oracle-tolerance if that was set. It counts as an oracle call and sets me->gap. d = 0 has no minimiser to ask for:
 * then v is x, and nothing is counted. */
OFW_API ofw_status ofw_own_minimise(ofw_own *me, const double *d, double tolerance, double *v);
/* For observe alone, of a method that projects: x = the point of K nearest to y; x may be y. It is counted. */
OFW_API ofw_status ofw_own_project(ofw_own *me, const double *y, double *x);
/* Says why start or observe fails, in one line, and returns the status: return ofw_own_fail(me, OFW_USAGE, "..."); */
OFW_API ofw_status ofw_own_fail(ofw_own *me, ofw_status status, const char *message);

#ifdef __cplusplus
}
#endif
#endif
