/* processor_narrow.c — the blocks of a narrow search, one after the other at every stage */
#include "processor_narrow.h"

#include "body_narrow.h"

#include <stdlib.h>
#include <string.h>

#define OFW_EACH(phases, call)                                                                        \
  for (uint32_t block = 0; block < p->narrow; block++) {                                              \
    const ofw_narrow b = ofw_narrow_block(&p->of, p->wide, block, p->narrow, shared + block * bytes); \
    for (int phase = 0; phase < (phases); phase++)                                                    \
      for (uint32_t thread = 0; thread < OFW_WIDE; thread++) {                                        \
        call;                                                                                         \
      }                                                                                               \
  }

static void step(const ofw_search_plan *p, uint32_t slot, char *shared, size_t bytes)
{
  const ofw_search_at at = ofw_search_step(p, slot, 0);
  ofw_narrow_own own[OFW_WIDE];
  OFW_EACH(OFW_NARROW_PASS_PHASES, ofw_narrow_pass(&p->of, &b, at, 0, thread, &own[thread], phase))
  OFW_EACH(OFW_NARROW_ORTHO_PHASES, ofw_narrow_ortho(&p->of, &b, at, thread, phase))
  OFW_EACH(OFW_NARROW_TELL_PHASES, if (block == p->narrow - 1) ofw_narrow_tell(&p->of, &b, at, thread, phase))
}

/* It ends as a GPU's does that has waited too long for grants. */
static void end(const ofw_search_plan *p, uint32_t slot)
{
  uint64_t ticket = ofw_search_step(p, slot, 0).ticket;
  if (slot < p->most)
    ofw_answer_now(&p->of.reply[ticket % p->of.replies], OFW_NARROW_LEFT, OFW_NARROW_LEFT, ticket);
  ofw_answer_now(p->left, 0.0, 0.0, p->left_ticket);
}

/* NaN is in what is not there yet. */
int ofw_processor_narrow(const ofw_search_plan *p, uint32_t slots)
{
  size_t bytes = ofw_narrow_bytes(p->of.rows, p->of.cols, p->wide, p->narrow);
  char *shared = bytes <= OFW_NARROW_BYTES ? malloc(p->narrow * bytes) : NULL;
  uint32_t slot = p->first.slot;
  if (!shared)
    return 0;
  memset(shared, 0xff, p->narrow * bytes);
  OFW_EACH(OFW_NARROW_LOAD_PHASES, ofw_narrow_open(&p->of, &b, p->first, thread); (void)phase)
  if (p->first.draw)
    OFW_EACH(1, ofw_narrow_begin(&p->of, &b, thread); (void)phase)
  for (; slot < slots && slot < p->most; slot++)
    step(p, slot, shared, bytes);
  end(p, slot);
  free(shared);
  return 1;
}
