/* choices.h — the runs that other rules would have chosen from the same tuning plays, and the claims under them
 *
 * A results database keeps every run of a tuning (lab/tune.h), for every tuning seed. From these plays alone:
 *
 *     by loss     the run of the least mean loss, whatever its violation
 *     by score    the run that the experiment takes
 *     by front    the run that dominates the largest area by itself, in the plane of loss and CCV, both divided by G D T
 *
 * The area is below a reference point that all learners of a stream share. It is the largest loss and the largest CCV of
 * all runs chosen by loss or by score and of all untuned learners there, moved away by LAB_CHOICE_MARGIN of the distance
 * from the least loss and CCV of all runs, so that the worst learner has an area too. (Not the run that adds most to the
 * area of the others: the grid plays one pair of factors twice, and twins add nothing to each other.) Every rule treats
 * ties as lab/tune.h does: within 1% of the best, the run nearest to the defaults. Only runs that were played can be chosen.
 *
 * Under each rule the two sides of every claim are compared again, by the means of the chosen runs over the tuning seeds.
 * By front each pair is also compared by hypervolume, the area that all runs of a learner dominate together: one choice of
 * constants is one point of a front, and this compares the fronts.
 *
 * The same seeds choose a run and judge it, so the means flatter every tuned learner, and there are few of them. A
 * verdict is therefore a direction and no test. p is known if both sides played the same 6 seeds or more, so that it can
 * be below 0.05; it is not corrected for many comparisons. An untuned learner has no tuning plays. Its reported plays, at
 * the horizon that the others are tuned at, stand for it; their seeds are others, so p is not known.
 *
 * The tuning seeds are a choice too. For each of them: the run that it alone would have chosen, by score, and what that
 * run comes to over all tuning seeds.
 */
#pragma once

#include "lab/claims.h"
#include "lab/plays.h"

typedef enum lab_rule { LAB_BY_LOSS, LAB_BY_SCORE, LAB_BY_FRONT, LAB_RULES } lab_rule;
/* "by-loss", "by-score", "by-front" */
const char *lab_rule_name(lab_rule rule);

/* NaN: not known, for instance because a play failed. */
typedef struct lab_range {
  double least, mean, largest;
} lab_range;

/* A run and its results over the tuning seeds. */
typedef struct lab_pick {
  const lab_run *run; /* NULL: the arm is not tuned, or no run can be chosen */
  lab_range loss, ccv;
} lab_pick;

typedef struct lab_chosen {
  const lab_measured *of;
  lab_pick by[LAB_RULES]; /* untuned: no runs, and the ranges of its reported plays */
  double hypervolume;     /* of all runs; NaN: not known */
  lab_pick *seed; /* seed[k]: what the k-th tuning seed alone chooses, which is a run if by score there is one */
  size_t seeds;
  lab_pick spread; /* the ranges of the means of these choices */
} lab_chosen;

#define LAB_CHOICE_MARGIN 0.1
/* Relative differences below LAB_WORTH_NAMING are about the same. */
typedef enum lab_direction { LAB_LESS, LAB_MORE, LAB_ABOUT_THE_SAME, LAB_NOT_KNOWN } lab_direction;
/* "less", "more", "about the same", "not known" */
const char *lab_direction_name(lab_direction d);

/* One metric of one pair on one stream under one rule. */
typedef struct lab_compared {
  lab_rule rule;
  const lab_judgement *of;
  const char *metric;      /* its own, or "hypervolume" */
  double mean[2];          /* of the learner that is claimed to be better, and of the other */
  double relative;         /* lab_relative */
  lab_direction direction; /* of mean[0] from mean[1] */
  int agrees;              /* 1: that is what the claim says; 0: the opposite; -1: neither. More hypervolume agrees with
                              claims that name both loss and ccv; of others it says nothing. */
  double effect, p;        /* lab/paired.h; NaN: not known */
} lab_compared;

typedef struct lab_choices {
  lab_rows rows;
  lab_chosen *arm; /* one per row */
  lab_compared *compared;
  size_t n; /* compared, in the order of rules, then of claims */
  lab_pick *picks;
} lab_choices;

/* From the database and the comparisons that lab_claims_judge makes of it, which must outlive the choices.
 * OFW_BAD_DATA: more than OFW_MOST_JUDGED plays are to be compared. lab_choices_free returns it, also if this failed. */
ofw_status lab_choices_read(results *from, const lab_judgement *judged, size_t n, lab_choices *out, ofw_error *err);
void lab_choices_free(lab_choices *c);
