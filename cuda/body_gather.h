/* body_gather.h — the kernel that reads entries of x, or of x + probe, for this program */
#pragma once

#include "reply.h"
#include "term.h"

typedef struct ofw_gather_args {
  uint32_t n;
  const uint32_t *index;
  const void *x;
  int floats;
  ofw_term probe; /* of draws; n = 0: none */
  double *out;
  ofw_report to; /* NULL for its reply: nobody waits for this kernel */
} ofw_gather_args;

enum { OFW_GATHER_PHASES = 2 };

static inline OFW_BOTH void ofw_gather(const ofw_gather_args *k, ofw_lane l, ofw_nothing *s, int phase)
{
  (void)s;
  if (phase == 0) {
    OFW_EACH_ITEM(i, l, k->n)
    {
      uint32_t at = k->index[i], within = at - k->probe.offset;
      k->out[i] = ofw_get(k->x, at, k->floats);
      if (at >= k->probe.offset && within < k->probe.n)
        k->out[i] += ofw_term_at(&k->probe, within);
    }
    ofw_fence_all();
  } else if (k->to.reply && l.thread == 0 && ofw_is_last(k->to.counter, l.blocks))
    ofw_answer_now(k->to.reply, 0.0, 0.0, k->to.ticket);
}
