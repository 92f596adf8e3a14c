#include "base/base.h"

#include <ofw/trace.h>

#include <math.h>

int ofw_trace_due(uint64_t every, uint64_t round, uint64_t last)
{
  if (round == last)
    return 1;
  uint64_t step = every;
  if (!every)
    for (step = 1; step <= round / 10;)
      step *= 10;
  return round % step == 0;
}

static ofw_status written(FILE *out)
{
  return ferror(out) ? OFW_FAILED : OFW_OK;
}

ofw_status ofw_trace_begin(FILE *out, size_t n, const char *const *header)
{
  for (size_t i = 0; i < n; i++)
    fprintf(out, "# %s\n", header[i]);
  fputs("round,loss,constraint,loss_sum,ccv,comparator_loss_sum,target_loss_sum,price,sigma,gap,oracle_calls,passes,"
        "oracle_error,seconds\n",
        out);
  return written(out);
}

static void real(FILE *out, double x)
{
  char text[OFW_REAL_TEXT];
  fputc(',', out);
  if (!isnan(x))
    fputs(ofw_print_real(x, text), out);
}

ofw_status ofw_trace_write(FILE *out, const ofw_trace_row *row)
{
  fprintf(out, "%llu", (unsigned long long)row->round);
  real(out, row->loss);
  real(out, row->constraint);
  real(out, row->loss_sum);
  real(out, row->ccv);
  real(out, row->comparator_loss_sum);
  real(out, row->target_loss_sum);
  real(out, row->price);
  real(out, row->sigma);
  real(out, row->gap);
  fprintf(out, ",%llu,%llu", (unsigned long long)row->oracle_calls, (unsigned long long)row->passes);
  real(out, row->oracle_error);
  real(out, row->seconds);
  fputc('\n', out);
  return written(out);
}
