/* claims.h — what an experiment claims, held against its results
 *
 * A claim says that one learner is below others in some metrics on some streams. Each of these is tested by itself, over the
 * seeds that both have played: the claim holds where the difference of the means is below 0 and chance would not make it so
 * (lab/paired.h), does not hold where that is so the other way round, and is not decided else.
 */
#ifndef OFW_LAB_CLAIMS_H
#define OFW_LAB_CLAIMS_H

#include "lab/experiment.h"
#include "lab/paired.h"
#include "lab/results.h"

typedef enum lab_verdict { LAB_HOLDS, LAB_DOES_NOT, LAB_NOT_DECIDED } lab_verdict;
/* "holds", "does not", "not decided" */
const char *lab_verdict_name(lab_verdict v);

/* One metric of one pair on one stream. The texts are the experiment's. */
typedef struct lab_judgement {
  const lab_claim *claim;
  const char *stream, *metric, *than;
  double mean[2], deviation[2]; /* of the learner that is claimed to be better, and of the other; NaN: not known */
  const char
      *unclear; /* the learner that does not play there, or with several options: nothing is decided; NULL: none */
  ofw_paired paired;
  lab_verdict verdict;
} lab_judgement;

/* All of them in the experiment's order; free() returns them. A stream that one of the two does not play is left out.
 * OFW_BAD_DATA: more than OFW_MOST_JUDGED plays are to be compared. If it fails there are none. */
ofw_status lab_claims_judge(const lab_experiment *e, results *from, lab_judgement **out, size_t *n, ofw_error *err);

#endif
