/* claims.h — compares the claims of an experiment with its results
 *
 * A claim says that one learner is below others in some metrics on some streams. Each of these comparisons is tested over the
 * seeds that both have played (lab/paired.h), and p is corrected for all comparisons of a report together. Then a claim
 *
 *     holds            p < 0.05, the difference is below 0 and at least 5% of the larger side
 *     does not         the same with the other sign
 *     is negligible    p < 0.05, and the difference is below 5%: sure, and too small to matter
 *     is not decided   else
 */
#pragma once

#include "lab/experiment.h"
#include "lab/paired.h"
#include "lab/results.h"

#define LAB_WORTH_NAMING 0.05 /* the least relative difference that a claim may rest on */

typedef enum lab_verdict { LAB_HOLDS, LAB_DOES_NOT, LAB_NEGLIGIBLE, LAB_NOT_DECIDED } lab_verdict;
/* "holds", "does not", "negligible", "not decided" */
const char *lab_verdict_name(lab_verdict v);
/* `p` corrected, the mean difference, and what lab_relative gives. */
lab_verdict lab_verdict_of(double p, double difference, double relative);
/* (better - than) / max(|better|, |than|), 0 if both are 0 */
double lab_relative(double better, double than);

/* One metric of one pair on one stream. The texts are the experiment's. */
typedef struct lab_judgement {
  const lab_claim *claim;
  const char *stream, *metric, *than;
  double mean[2], deviation[2]; /* of the learner that is claimed to be better, and of the other; NaN: not known */
  const char
      *unclear; /* the learner that does not play there, or with several options: nothing is decided; NULL: none */
  ofw_paired paired;
  double p_holm, relative;
  lab_verdict verdict;
} lab_judgement;

/* All of them in the experiment's order; free() returns them. A stream that one of the two does not play is left out.
 * OFW_BAD_DATA: more than OFW_MOST_JUDGED plays are to be compared. If it fails there are none. */
ofw_status lab_claims_judge(const lab_experiment *e, results *from, lab_judgement **out, size_t *n, ofw_error *err);

/* Corrects p for these n judgements together and decides them; one that is unclear is no test and keeps p = 1. */
ofw_status lab_claims_correct(lab_judgement *const *of, size_t n, ofw_error *err);

/* Whether n judgements can be decided at all. */
typedef struct lab_power {
  size_t tests;  /* all that are made together */
  size_t games;  /* the most that one of them is over: seeds that both have played */
  int too_few;   /* 1: even if the games of one all agreed, its corrected p would not be below the level */
  size_t needed; /* then: how many games could decide it; 0: no number of them */
} lab_power;
lab_power lab_claims_power(const lab_judgement *judged, size_t n);
