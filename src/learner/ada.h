/* ada.h — the rounds of the parameter-free learners ofw-ada and ofw-ada-sc; bfw-ada shares parts of them
 *
 *     n = grad g^+ / |grad g^+|,  q += Gf g^+ / |grad g^+|              Gf: the longest loss gradient so far
 *     p = grad f + w Gf n,  w = exp(q / 1.5b)                           ofw-ada-sc: w = (1 + q / 6b)^3
 *     a = 3 mean <p, y> / mean |y|^2 - alpha, A >= 0                    y = x - the mean of the decisions before
 *     Phi(x) = sum <p_s, x> + (beta_s / D^2 + (alpha + a_s + e_s) / 2) |x - x_s|^2
 *     v = LMO(Phi'(x)), line search, dec = what that takes off Phi
 *     the next beta = dec, and first D times what Gf grows by; e = 2 (kappa - 1) dec / D^2, 0 if mean <p, y> <= 0
 *     b grows until b (1 + P) >= B + sum dec + left                     P = w, or w^(4/3) in ofw-ada-sc
 *     left: what Phi is above its minimum, at most gap - dec and what the round before left and this one threw back
 *     if that would let 1 + P fall below a quarter of its highest value: a new epoch, with Phi = 0, q = 0 and 2b;
 *     if Gf has grown 8-fold since the first violation after the last time: a new epoch with the first b
 *
 * B = sum beta_s, A = sum a_s. sum <p_s, x_s - x*> is at most B + sum dec + left and what a and e were raised by, so B follows
 * what was lost, not what might be: steps stay long as long as that costs nothing. A follows what the mean of the decisions
 * would have saved: if decisions that go after every round are worse than their mean, losses are taken for as strongly convex
 * as that shows, and if the mean is behind, that is taken back. e shortens steps in the same case. What a and e are raised by,
 * times D^2/2, stays within 32 D Gf t^(3/4) over all epochs (ofw-ada-sc: t^(2/3)), so it is no part of b and does not slow the
 * price. In a mean over the rounds s weighs s (s + 1).
 *
 * Each constraint counts by its distance: a g that is small because its unit is must not be cheap. Within an epoch the price
 * stays within a constant of its highest value, but for growth of Gf, so that no gradient is longer than b is made for: that is
 * what the theorem in docs/theory.md needs.
 *
 * With delay=N the gradients of round s are those at x_s, and x has moved since: by at most what open_rounds.h says, which
 * counts in B, in b and in the bound on the regret (docs/theory.md, Lemma D2).
 *
 * A new term adds nothing to Phi' at x, so d = Phi'(x) is carried forward as it is. d, B, A and the rest of their unit are
 * kept over a power of two: the unit of the loss is anybody's, and the price has no bound if no point keeps the constraints.
 */
#pragma once

#include "learner/price.h"
#include "learner/watch.h"

/* experiments/ada/README.md has how these were chosen */
#define OFW_ADA_STRONGER 3.0 /* than was seen */
#define OFW_ADA_ROOM     32.0

#define OFW_ADA_SHORTEST 1e-290 /* of shorter gradients the inverse would not be finite: they count as none */
#define OFW_ADA_MOST     1e290

typedef struct ofw_ada_options {
  double kappa, first;
  uint64_t window; /* rounds; 0: no restart; OFW_ADA_WATCH: as long as the losses do not change */
} ofw_ada_options;
#define OFW_ADA_WATCH UINT64_MAX

typedef struct ofw_ada {
  int cubic;    /* a constant: which w */
  double alpha; /* another: the strong convexity of the losses, as far as it is known */
  double Gf;
  double since;             /* Gf at the first violation since it last grew so far, 1 if it was 0; 0: none yet */
  double shift, k;          /* d and the next ten are kept over 2^(shift + k): for the unit, and for the price */
  double B, A, extra;       /* extra: the e's, as D^2/2 times their sum */
  double told, taken, paid; /* the sums of the alphas, of dec, of w Gf g^+ / |grad g^+| */
  double left, left_sure;   /* what Phi is above its minimum at most; and if the oracle's error is counted */
  double C;                 /* its curvature in the last round, times D^2/2 */
  double pays;              /* <p, y>, averaged */
  double spread, lead2;     /* |y|^2, averaged; the last */
  double q, b;              /* these and the next four over 2^shift */
  double raised, before;    /* by a and e, times D^2/2, over all epochs; and before this one */
  double bound, ended;      /* what the regret is at most: so far; and when this epoch began */
  double reach;             /* what the distances to broken constraints add up to at most, in this epoch */
  double limit;             /* the same before this epoch; NaN: they were more */
  double Gg;                /* the longest gradient of a broken constraint */
  uint64_t unproven;        /* calls whose error was not proven */
  uint64_t chances;         /* at which an oracle's error may have been wrong */
  double log_w, log_top;    /* the price, and its highest in this epoch */
  uint64_t epochs;          /* that have ended */
  ofw_watch watch;          /* if the window is watched for */
  double *late;             /* sum of |p| |x_s - x| in this epoch, kept as B is; NULL: no feedback is late */
  size_t lates;             /* 1 */
} ofw_ada;

/* B at the start over Gf, which is a number and not 0 whatever the option and the domain's size are. */
double ofw_ada_first_weight(const ofw_learner *l);
/* What a loss is measured in, over 2^shift: Gf, or 1 before there is one. Of all units it has the same digits. */
static inline double ofw_ada_unit(const ofw_ada *s)
{
  return s->Gf > 0.0 ? s->Gf * ofw_two_to(-s->shift) : 1.0;
}
/* The first Gf sets the unit, in which what came before counts. */
void ofw_ada_set_unit(ofw_learner *l, double Gf);
/* A Gf that is so much longer than the first one needs another power of two, or what is kept would leave all doubles. What
 * everything over 2^shift was multiplied by is returned. */
double ofw_ada_keep_units(ofw_learner *l, double length);
/* 1/G, or 0 for a G so small that it counts as none */
static inline double ofw_ada_inverse(double G)
{
  return G > OFW_ADA_SHORTEST ? 1.0 / G : 0.0;
}
/* w over 2^k, which is raised if w has outgrown it. */
double ofw_ada_scaled_price(ofw_learner *l, double log_w);
/* The least b, at least this one, with b (1 + P(b)) >= exp(log_certain), to rounding. pay_at(with, b) is ln P(b): at least 0 and not
 * rising with b, and b (1 + P) is convex. */
double ofw_ada_least(double b, double log_certain, double (*pay_at)(const void *with, double b), const void *with);

/* ---- for the files of the round: ada.c, ada_units.c, ada_price.c ---- */

/* What is over 2^(shift + k) as if it were over 2^shift, and back. */
static inline double ofw_ada_without_price(const ofw_ada *s, double x)
{
  return ofw_times_two_to(x, s->k);
}

static inline double ofw_ada_with_price(const ofw_ada *s, double x)
{
  return ofw_times_two_to(x, -s->k);
}
/* The q_i, multiplied. */
void ofw_ada_set_levels(ofw_accounts *a, double by);
/* What came before the first loss with a gradient, which is this long, was in the unit 1. */
void ofw_ada_begin_units(ofw_learner *l, double length);
/* ln P of this ln w; ln P at this b, `with` being the learner; ln(1 + e^x) */
double ofw_ada_log_pay(const ofw_ada *s, double log_w);
double ofw_ada_log_pay_at(const void *with, double b);
double ofw_ada_log_one_more(double x);

/* What a round's constraints weigh in p: w over 2^k, and what their gradients, as weighted, are multiplied by. */
typedef struct ofw_ada_priced {
  double w, times;
  int counts; /* one has a gradient */
} ofw_ada_priced;
ofw_ada_priced ofw_ada_see_constraints(ofw_learner *l, const ofw_round *now);

/* ---- the rounds ---- */

ofw_status ofw_ada_start(ofw_learner *l);
ofw_status ofw_ada_observe(ofw_learner *l, const ofw_round *now);
/* ada_budgets.c: the round with constraints=budgets. */
ofw_status ofw_ada_budgets_observe(ofw_learner *l, const ofw_round *now);
/* What the account says of its bounds, from its state. */
void ofw_ada_report(ofw_learner *l);
extern const ofw_field ofw_ada_fields[];
extern const ofw_promise ofw_ada_promise, ofw_ada_sc_promise;

#define OFW_KAPPA_ROW(value)                                                                          \
  OFW_POSITIVE_ROW(offsetof(ofw_ada_options, kappa), "kappa", value, NULL,                            \
                   "how much the progress of a step adds to the regulariser, while the mean of past " \
                   "decisions does better than the decisions; larger: shorter steps")
#define OFW_FIRST_ROW                                                      \
  OFW_POSITIVE_ROW(offsetof(ofw_ada_options, first), "first", "1.5", NULL, \
                   "weight of the regulariser at the start, over Gf D; larger: shorter first steps")
#define OFW_WINDOW_ROW                                                                         \
  {                                                                                            \
    "window", OFW_COUNT, NULL, "no restart", "auto", 2, 1e15,                                  \
        "restart at the current decision after so many rounds, for losses that change; auto: " \
        "when a block of rounds shows a change",                                               \
        offsetof(ofw_ada_options, window)                                                      \
  }
