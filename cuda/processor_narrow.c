/* processor_narrow.c — the blocks of a narrow search, one after the other at every stage */
#include "processor_narrow.h"

#include "body_narrow.h"

#include <stdlib.h>
#include <string.h>

static size_t bytes_of(const ofw_search_plan *p)
{
  return ofw_narrow_bytes(p->of.rows, p->of.cols, p->wide, p->narrow);
}

#define OFW_EACH(phases, call)                                                                            \
  for (uint32_t block = 0; block < n->plan.narrow; block++) {                                             \
    const ofw_search_args *k = &n->plan.of;                                                               \
    const ofw_narrow b =                                                                                  \
        ofw_narrow_block(k, n->plan.wide, block, n->plan.narrow, n->shared + block * bytes_of(&n->plan)); \
    for (int phase = 0; phase < (phases); phase++)                                                        \
      for (uint32_t thread = 0; thread < OFW_WIDE; thread++) {                                            \
        call;                                                                                             \
      }                                                                                                   \
  }

static void step(const ofw_processor_narrow *n)
{
  const ofw_search_at at = ofw_search_step(&n->plan, n->slot, 0);
  ofw_narrow_own own[OFW_WIDE];
  OFW_EACH(OFW_NARROW_PASS_PHASES, ofw_narrow_pass(k, &b, at, 0, thread, &own[thread], phase))
  OFW_EACH(OFW_NARROW_ORTHO_PHASES, ofw_narrow_ortho(k, &b, at, thread, phase))
  OFW_EACH(OFW_NARROW_TELL_PHASES, if (block == n->plan.narrow - 1) ofw_narrow_tell(k, &b, at, thread, phase))
}

void ofw_processor_narrow_grant(ofw_processor_narrow *n, uint32_t slots)
{
  for (; n->slot < slots && n->slot < n->plan.most; n->slot++)
    step(n);
}

/* One of a play that shares this machine cannot wait for its grants: it ends, as a GPU's does that has waited too long. */
static void end(const ofw_processor_narrow *n)
{
  const ofw_search_plan *p = &n->plan;
  uint64_t ticket = ofw_search_step(p, n->slot, 0).ticket;
  if (n->slot < p->most)
    ofw_answer_now(&p->of.reply[ticket % p->of.replies], OFW_NARROW_LEFT, OFW_NARROW_LEFT, ticket);
  ofw_answer_now(p->left, 0.0, 0.0, p->left_ticket);
}

/* NaN is in what is not there yet. */
int ofw_processor_narrow_begin(ofw_processor_narrow *n, const ofw_search_plan *plan, uint32_t slots)
{
  free(n->shared);
  *n = (ofw_processor_narrow){*plan, plan->first.slot, malloc(plan->narrow * bytes_of(plan))};
  if (!n->shared)
    return 0;
  memset(n->shared, 0xff, plan->narrow * bytes_of(plan));
  OFW_EACH(OFW_NARROW_LOAD_PHASES, ofw_narrow_open(k, &b, n->plan.first, thread); (void)phase)
  if (plan->first.draw)
    OFW_EACH(1, ofw_narrow_begin(k, &b, thread); (void)phase)
  ofw_processor_narrow_grant(n, slots);
  if (plan->left)
    end(n);
  return 1;
}
