/* held_out.c — the held-out error at some rounds, and the two baselines for it */
#include "held_out.h"

#include <math.h>
#include <stdio.h>

int read_held_out(const command *self, const arguments *args, held_errors *h)
{
  *h = (held_errors){.mean = NAN, .item_mean = NAN};
  return read_count_in(self, args, OPT_HELD_OUT_EVERY, 0, 1, UINT64_MAX, &h->every);
}

int begin_held_out(const command *self, held_errors *h, ofw_stream *s)
{
  ofw_status st = ofw_stream_held_out_baselines(s, &h->mean, &h->item_mean);
  if (st == OFW_UNSUPPORTED && !h->every)
    return 0;
  if (st != OFW_OK)
    return complain(self, exit_code(st), "%s%s", st == OFW_UNSUPPORTED ? "--held-out-every: " : "",
                    ofw_stream_error(s));
  if (h->every)
    fprintf(stderr, "held-out rmse %.6g of the mean, %.6g of each item's mean\n", h->mean, h->item_mean);
  return 0;
}

int report_held_out(const command *self, ofw_run *run, uint64_t round)
{
  double rmse;
  ofw_status st = ofw_run_held_out(run, &rmse);
  if (st != OFW_OK)
    return complain(self, exit_code(st), "%s", ofw_run_error(run));
  fprintf(stderr, "held-out rmse %.6g after round %llu\n", rmse, (unsigned long long)round);
  return 0;
}
