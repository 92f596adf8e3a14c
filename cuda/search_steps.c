/* search_steps.c — the stages of a search, as kernels in their order */
#include "search_steps.h"

void ofw_steps_grant(ofw_steps *s, ofw_machine *m, uint32_t slots)
{
  for (; s->slot < slots && s->slot < s->plan.most; s->slot++) {
    const ofw_search_task k = {s->plan.of, ofw_search_step(&s->plan, s->slot, 0)};
    ofw_run_pass_body(m, ofw_pass_bands(&k.of), &k);
    ofw_run_finish(m, ofw_ortho_blocks(&k.of), &k);
  }
}

void ofw_steps_begin(ofw_steps *s, ofw_machine *m, const ofw_search_plan *plan, uint32_t slots)
{
  *s = (ofw_steps){*plan, plan->first.slot};
  if (plan->first.draw) {
    const ofw_search_task k = {plan->of, ofw_search_step(plan, s->slot, 1)};
    if (s->slot > 0)
      ofw_run_direction(m, ofw_ortho_blocks(&k.of), &k);
    ofw_run_finish(m, ofw_ortho_blocks(&k.of), &k);
  }
  ofw_steps_grant(s, m, slots);
}
