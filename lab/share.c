/* share.c — plays dealt to shards, by the plan alone: no shard has to know what the others do */
#include "lab/share.h"

/* Which shard, from 0, has the j-th of what is dealt. */
static size_t shard_of(size_t j, size_t shards)
{
  return (j % shards + j / shards % shards) % shards;
}

int lab_share_has(const lab_share *share, const lab_plan *plan, const lab_arm *arm, size_t k)
{
  int tune = k < arm->tune;
  if (share->stage == LAB_WHOLE)
    return 1;
  if (tune != (share->stage == LAB_TUNE))
    return 0;
  size_t before = (size_t)(arm - plan->arm) * arm->play; /* every arm has as many plays */
  return shard_of(tune ? arm->tunings : before + (k - arm->tune), share->shards) == share->shard - 1;
}

size_t lab_shards_used(const lab_plan *plan, lab_stage stage, size_t shards)
{
  size_t dealt = 0;
  for (const lab_arm *arm = plan->arm; arm < plan->arm + plan->arms; arm++)
    dealt += stage == LAB_TUNE ? arm->tune > 0 : arm->play;
  return dealt < shards ? dealt : shards;
}
