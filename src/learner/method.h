/* method.h — the handle that every method works on, and the steps that methods share
 *
 * A new method is one file that defines an ofw_method, one row in learners.c, and one test file.
 */
#pragma once

#include "base/fields.h"
#include "base/option_table.h"
#include "base/owned.h"
#include "domain/wrapper/wrapper.h"
#include "engine/engine.h"
#include "learner/accounts.h"
#include "learner/open_rounds.h"
#include "persist/walk.h"

#include <ofw/learner.h>

/* One round's feedback, checked and combined: g = max_i g_i, or the sum of the positive parts. */
typedef struct ofw_round {
  double loss;                           /* f */
  double constraint;                     /* g, which a sum of positive parts is already; 0: no constraint */
  double violation;                      /* g^+ */
  double Q_before;                       /* Q_{t-1} */
  const ofw_full *fb;                    /* NULL for bandit learners */
  double loss_length, constraint_length; /* of the gradients: f's, and the longest of the constraints' */
  size_t first, last;                    /* of these constraints the gradients count, if g_i > 0 */
  const double *weight;                  /* of each, with whatever sign g_i has; NULL: 1 if g_i > 0 */
} ofw_round;

/* What the gradient of constraint i is multiplied by; 0: it does not count. */
static inline double ofw_round_weight(const ofw_round *now, size_t i)
{
  return now->weight ? now->weight[i] : now->fb->values.constraint[i] > 0.0 ? 1.0 : 0.0;
}

/* Where the oracle points: the segment from x to v. */
typedef struct ofw_move {
  ofw_sum v;
  double slope, length2; /* <d, v - x>, |v - x|^2; both 0: no step (d = 0) */
  double error;          /* what <d, v> may be above the minimum */
  size_t chances;        /* at which that may be wrong */
} ofw_move;

typedef struct ofw_method {
  ofw_type type;
  size_t options_size, state_size;
  int bandit;   /* sees numbers only, and probes around x */
  int hinted;   /* uses what is told of the coming round (hint.h) */
  int accounts; /* takes constraints=each and constraints=budgets */
  int delays;   /* takes delay=N */
  /* How often its decisions for the same feedback have changed since the first release that had it. States and logs of
   * another revision are refused. */
  unsigned revision;
  /* Resolves the options and sets the constants; a bandit method also sets delta, one that projects says so, and each may
   * ask for memory of its own. */
  ofw_status (*start)(ofw_learner *l);
  ofw_status (*observe)(ofw_learner *l, const ofw_round *now);
  const ofw_field *fields;        /* those of its state that are saved; NULL: x and d are all there is */
  void (*loaded)(ofw_learner *l); /* what follows from them elsewhere; NULL: nothing */
  /* of a caller's method (own_method.c), whose memory is known at run time only; NULL: nothing */
  ofw_status (*visit)(ofw_learner *l, ofw_visitor *v); /* what is saved beside the fields */
  void (*stop)(ofw_learner *l);                        /* returns what start has made and nobody else returns */
} ofw_method;

typedef struct ofw_common {
  int constraints; /* OFW_MAX, OFW_SUM, OFW_EACH, OFW_BUDGETS */
  int sample;      /* a vertex is kept */
  double oracle_tolerance;
  int storage;     /* of x and d */
  int start;       /* OFW_START_VERTEX, or unset */
  uint64_t rank;   /* of OFW_STORE_FACTORED */
  uint64_t period; /* of OFW_BUDGETS, in rounds; 0: none */
  uint64_t delay;  /* decisions that may be without feedback when the next one is asked for */
} ofw_common;
enum { OFW_MAX, OFW_SUM, OFW_EACH, OFW_BUDGETS };
enum { OFW_START_ZERO, OFW_START_VERTEX };
enum { OFW_STORE_DOUBLE, OFW_STORE_FLOAT, OFW_STORE_FACTORED, OFW_STORE_CUDA, OFW_STORE_CUDA_FLOAT };

/* What limits that are told in advance have done to the decision (hint.h). */
typedef struct ofw_hinted ofw_hinted;

/* If the horizon is not known: what the next epoch's learner is made from (epochs.c). */
typedef struct ofw_epochs ofw_epochs;

/* A caller's method, counted (own_method.h). */
typedef struct ofw_own_method ofw_own_method;

struct ofw_learner {
  const ofw_method *method;
  ofw_own_method *by; /* that the method is part of; NULL: it is registered */
  ofw_domain *K;      /* counted; for bandit methods shrunk, so that the probe stays in the set */
  ofw_domain *shrunk; /* what K counts the calls of, and keeps; NULL if nothing is shrunk */
  void *work;         /* K's */
  ofw_engine *engine;
  size_t dim;
  ofw_point point;
  int from_centre; /* start=zero: x_1 is the centre, not the origin */
  ofw_common common;
  void *options, *state; /* the method's own */
  ofw_owned own;         /* all arrays here, and what start asked for */
  /* the problem, by the paper's letters */
  double T, G, M, alpha, D;
  double r, n; /* of the set in its affine hull: inner radius and dimension */
  uint64_t seed;
  int projects; /* set by start: x is projected on K, and its oracle is not asked */
  int leads;    /* set by start: the engine keeps y */
  int returns;  /* set by start: d is pulled back towards x_1, which is therefore kept */
  /* bandit play: x + delta u is played */
  double delta;
  size_t normals; /* of the hull, which u is taken back into */
  ofw_vec *probe; /* delta u: a random vec, then the hull's normals; NULL: nothing is probed */
  uint64_t probe_round;
  ofw_hinted *hinted; /* NULL: no hint has come */
  /* an unknown horizon: epochs of T = 64, 128, .. rounds */
  ofw_epochs *epochs; /* NULL: T is the horizon */
  uint64_t since;     /* rounds before this epoch */
  /* x_1 of this epoch, or u, v and c of one that is c u v'; NULL: it is the origin or the centre, or nobody asks */
  double *anchor;
  size_t anchor_words;
  /* the vertex that ofw_learner_sample gives; NULL: none is kept */
  double *vertex;
  uint64_t steps; /* taken, each with a draw of its own */
  /* the account */
  uint64_t t;             /* rounds observed */
  double Q;               /* sum of g^+, or the worst account */
  ofw_accounts *accounts; /* of OFW_EACH and OFW_BUDGETS; NULL: all constraints are one */
  double sigma;           /* the last step */
  uint64_t asked;         /* 1: the decision of round t + 1 has been given out; with a delay: some decision is open */
  ofw_open_rounds *open;  /* with a delay; NULL: one decision at a time */
  uint64_t failed;        /* 1: arithmetic or an oracle failed */
  ofw_info info;          /* what the last round did */
  ofw_error err;
  char *config;
};

extern const ofw_method *const ofw_methods[];
extern const size_t ofw_methods_count;
size_t ofw_learner_types(void);
/* The options that every learner has. */
const ofw_option *ofw_learner_common_options(void);

/* It asks neither for T nor for G. */
static inline int ofw_method_anytime(const ofw_method *m)
{
  return m->type.promise && m->type.promise->anytime;
}

/* The round being observed, counted within its epoch. */
static inline uint64_t ofw_learner_tau(const ofw_learner *l)
{
  return l->t - l->since;
}

/* The message of a failure stays, since the failure does. */
static inline void ofw_learner_clear_error(ofw_learner *l)
{
  if (!l->failed) {
    l->err.status = OFW_OK;
    l->err.message[0] = 0;
  }
}

/* d += cf grad f + cg grad g^+ */
void ofw_learner_pull_gradients(ofw_learner *l, const ofw_round *now, double cf, double cg);
/* d = a d + b (x - x_1) for the first decision x_1, of this epoch */
void ofw_learner_pull_back(ofw_learner *l, double a, double b);
/* first_decision.c: x_1 as the option `start` says, before the first round; nothing else of the learner changes. */
ofw_status ofw_learner_begin(ofw_learner *l);
/* x_1, for learners that return to it. */
ofw_sum ofw_first_decision(const ofw_learner *l, ofw_vec *room);
/* v = LMO(d) and the segment to it. `allowed` is the error in <d, v> that the analysis permits; `unit` is what d is to
 * be multiplied by to be the gradient of the method's own sum, for the account. The relative accuracy is 1e-2, or
 * (1e-3 / sigma)^2 for a step sigma longer than 0.01. sigma is the next step or, if a line search is still to find that, the
 * last one, l->sigma: then answers sharper than 1e-3 are first asked for twice as laxly, and if the search with this `curv`
 * (0: none follows) finds a step that needs a sharper one, the oracle answers again, which is not another call. */
ofw_status ofw_learner_minimise(ofw_learner *l, double sigma, double allowed, double unit, double curv, ofw_move *move);
/* x += sig (v - x), d += curv sig (v - x) */
void ofw_learner_step(ofw_learner *l, const ofw_move *move, double sig, double curv);
/* The same after y = keep y + sig (v - x), for learners that lead: |y|^2 */
double ofw_learner_step_leading(ofw_learner *l, const ofw_move *move, double sig, double curv, double keep);
/* argmin over [0, 1] of the parabola with this slope at 0 and second derivative curv |v - x|^2 */
static inline double ofw_line_search(const ofw_move *move, double curv)
{
  return move->slope < 0.0 ? ofw_at_most(-move->slope / (curv * move->length2), 1.0) : 0.0;
}

/* Refuses a method for strongly convex losses if alpha is 0, by the name of what to use instead. */
ofw_status ofw_learner_need_alpha(ofw_learner *l, const char *instead);

/* A step of this length leaves nothing of the point it is taken from; longer ones are cut, since they could overflow. */
double ofw_learner_far(const ofw_learner *l);

/* For a method that takes accounts, in its start: opens them if the constraints have any. `gain` is as in accounts.h, and
 * `sums` says that the sums of gradients are kept, of budgets. */
ofw_status ofw_learner_open_accounts(ofw_learner *l, double gain, int sums);

/* A round's numbers as one constraint, which is 0 if there is none: the largest of those with accounts of their own. */
ofw_round ofw_learner_combine(const ofw_learner *l, const ofw_values *v);

/* Whether such feedback would be accepted for an open round; it is not. Memory may be taken for it. fb is NULL if only
 * numbers were seen. */
ofw_status ofw_learner_admit(ofw_learner *l, const ofw_values *values, const ofw_full *fb, const ofw_hint *hint);

/* tier_one.c: a learner by its spec, "name:key=value,..", over K; and the table of the settings that such a spec may have
 * beside the learner's own options. */
ofw_learner *ofw_learner_create_spec(const char *learner, const ofw_domain *K, ofw_error *err);
const ofw_option *ofw_learner_settings_options(void);

/* storage.c: where x and d are kept. Sets the option `storage` if it was not set, and refuses what this learner cannot
 * have over K, or this machine cannot hold, before any of it is taken. */
ofw_status ofw_storage_choose(ofw_learner *l, const ofw_domain *K, ofw_terms terms);
ofw_status ofw_storage_open(ofw_learner *l, const ofw_domain *K, size_t threads);
/* What a factored engine holds, into *info; and no bounds if storage has rounded x or d to less than doubles. */
void ofw_storage_report(const ofw_learner *l, ofw_info *info);
/* What the option says, and whether x and d are floats by it. */
const char *ofw_storage_name(const ofw_learner *l);
int ofw_storage_has_floats(const ofw_learner *l);

/* A method, and what keeps it, as learners take it: {.of = a registered one}, or both of a caller's. */
typedef struct ofw_method_by {
  const ofw_method *of;
  ofw_own_method *by;
} ofw_method_by;

/* The learner of the library by this name; `of` is NULL and err says so if there is none. */
ofw_method_by ofw_method_find(const char *name, ofw_error *err);
/* As ofw_learner_create_over. */
ofw_learner *ofw_learner_create_by(ofw_method_by method, const ofw_domain *K, const ofw_learner_settings *settings,
                                   ofw_error *err);
/* Everything but the epochs: a learner whose horizon is settings->horizon. */
ofw_learner *ofw_learner_build(ofw_method_by method, const ofw_domain *K, const ofw_learner_settings *settings,
                               ofw_error *err);
/* Its state together with that of up to two more parts, in one. */
ofw_status ofw_learner_save_with(ofw_learner *l, const ofw_saved *more, size_t n, ofw_state *state, ofw_error *err);
ofw_status ofw_learner_load_with(ofw_learner *l, const ofw_saved *more, size_t n, const ofw_state *state,
                                 ofw_error *err);
