/* share.h — the part of an experiment's plays that one of n shards plays, in one of two stages
 *
 * A tuning decides what to play next by what it has played, so a shard has whole tunings: every n-th tuned arm. Reported plays
 * depend on nothing but the constants that were chosen, so they are dealt one by one. Both are dealt in laps of n, and each lap
 * begins one shard later than the one before: else a plan whose period divides n would give one shard all plays of one learner.
 */
#pragma once

#include "lab/plan.h"

typedef enum lab_stage { LAB_WHOLE, LAB_TUNE, LAB_PLAY } lab_stage;

/* {0} is all of it. */
typedef struct lab_share {
  lab_stage stage;
  size_t shard, shards; /* the shard-th of so many, from 1 */
} lab_share;

/* 1: the k-th cell of that arm, from 0, is the share's. */
int lab_share_has(const lab_share *share, const lab_plan *plan, const lab_arm *arm, size_t k);
/* How many of `shards` shards have anything to do in a stage: they are the first ones. */
size_t lab_shards_used(const lab_plan *plan, lab_stage stage, size_t shards);
