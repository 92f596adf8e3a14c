/* record.c — ofw run --record-directions: writes the oracle's directions to a file */
#include "cli.h"

#include "bench/directions/directions.h"

/* So that a run of any length leaves a file that fits on a disk. */
#define MOST_BYTES ((double)((uint64_t)256 << 20))

/* What is asked before the first round, to start from a vertex, is of no round. */
static ofw_status see(void *ctx, const double *d, ofw_error *err)
{
  recording *r = ctx;
  if (!r->file || !ofw_trace_due(r->every, r->round, r->rounds))
    return OFW_OK;
  return directions_put(r->file, r->round, d, err);
}

int prepare_recording(const command *self, const arguments *args, uint64_t rounds, recording *r)
{
  int code = read_count_in(self, args, OPT_RECORD_EVERY, 0, 1, UINT64_MAX, &r->every);
  r->path = args->value[OPT_RECORD_DIRECTIONS];
  r->rounds = rounds;
  r->round = 1;
  if (!code && r->every && !r->path)
    code = complain(self, EXIT_USAGE, "--record-every needs --record-directions FILE");
  return code;
}

ofw_domain *record_from(recording *r, const ofw_domain *of, ofw_error *err)
{
  double bytes = (double)r->rounds * (double)ofw_domain_dim(of) * sizeof(double);
  if (!r->every)
    r->every = 1 + (uint64_t)(bytes / MOST_BYTES);
  return recorded_domain(of, see, r, err);
}

int begin_recording(const command *self, recording *r, const ofw_domain *of)
{
  ofw_error err = {0};
  size_t rows, cols;
  ofw_domain_shape(of, &rows, &cols);
  r->file = directions_open(r->path, rows, cols, &err);
  return r->file ? 0 : refuse(self, &err);
}

int end_recording(const command *self, recording *r, int code)
{
  ofw_error err = {0};
  ofw_status st = directions_close(r->file, &err);
  r->file = NULL;
  if (code || st == OFW_OK)
    return code;
  if (st == OFW_END)
    return complain(self, 0, "no direction was recorded: no recorded round called the oracle; see --record-every");
  return refuse(self, &err);
}
