/* trace.c — a trace as CSV: one table of columns for the names, the rows, the saved account and the manual */
#include "run/trace.h"

#include "base/basics.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define AT(field) offsetof(ofw_trace_row, field)

const ofw_column ofw_trace_columns[] = {
    {"round", OFW_COUNT, AT(round), "the round's number t, from 1"},
    {"loss", OFW_REAL, AT(loss), "f_t(x_t), the loss of the decision"},
    {"constraint", OFW_REAL, AT(constraint),
     "g_t(x_t), above 0 if the constraint is violated; several are combined as the learner combines them; empty: no "
     "constraint in this round"},
    {"loss_sum", OFW_REAL, AT(loss_sum), "the sum of the losses of rounds 1 to t"},
    {"ccv", OFW_REAL, AT(ccv),
     "the cumulative constraint violation Q, the sum of the constraints' positive parts in rounds 1 to t; with "
     "constraints=each that of the worst constraint; with constraints=budgets the largest signed sum, if it is above "
     "0"},
    {"comparator_loss_sum", OFW_REAL, AT(comparator_loss_sum),
     "the loss in these rounds of the best fixed point that satisfies every constraint; loss_sum minus this is the "
     "regret; empty: not known"},
    {"target_loss_sum", OFW_REAL, AT(target_loss_sum),
     "the loss in these rounds of the point behind generated data, at its place in each round; if it moves, loss_sum "
     "minus this is the dynamic regret; it need not satisfy the constraints; empty: not known"},
    {"price", OFW_REAL, AT(price),
     "the price of violation, Phi'(beta Q) or the multiplier lambda of a primal-dual learner, at most 1.8e308; 0 if "
     "the learner ignores constraints"},
    {"sigma", OFW_REAL, AT(sigma), "the last step towards the oracle's answer, 0 to 1"},
    {"gap", OFW_REAL, AT(gap), "<d, x - v>, the Frank-Wolfe gap before that step, for the learner's direction d"},
    {"oracle_calls", OFW_COUNT, AT(oracle_calls), "calls of the linear oracle in rounds 1 to t"},
    {"passes", OFW_COUNT, AT(passes), "reads of the whole direction by an iterative oracle in rounds 1 to t"},
    {"oracle_error", OFW_REAL, AT(oracle_error),
     "bound on how far <d, v> was above the minimum at the last call; 0: exact"},
    {"seconds", OFW_REAL, AT(seconds), "seconds since the run began"},
};
const size_t ofw_trace_columns_count = sizeof ofw_trace_columns / sizeof *ofw_trace_columns;

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

/* Numbers may be below 0. */
int ofw_trace_is_quoted(const char *cell)
{
  return *cell && (strchr("'=+@\t", *cell) || (*cell == '-' && !strchr("0123456789.", cell[1])));
}

static void put_comment(FILE *out, const char *text)
{
  fputs("# ", out);
  for (; *text; text++) {
    int is_control = ((unsigned char)*text < ' ' && *text != '\t') || *text == 127;
    fputc(is_control ? '?' : *text, out); /* one line, whatever is in it */
    if (*text == ',' && ofw_trace_is_quoted(text + 1))
      fputc('\'', out);
  }
  fputc('\n', out);
}

ofw_status ofw_trace_begin(FILE *out, size_t n, const char *const *header)
{
  for (size_t i = 0; i < n; i++)
    put_comment(out, header[i]);
  for (size_t i = 0; i < ofw_trace_columns_count; i++)
    fprintf(out, "%s%s", i ? "," : "", ofw_trace_columns[i].name);
  fputc('\n', out);
  return written(out);
}

static void write_cell(FILE *out, const ofw_column *column, const ofw_trace_row *row)
{
  char text[OFW_REAL_TEXT];
  const void *at = (const char *)row + column->offset;
  if (column->kind == OFW_COUNT)
    fprintf(out, "%llu", (unsigned long long)*(const uint64_t *)at);
  else if (!isnan(*(const double *)at))
    fputs(ofw_print_real(*(const double *)at, text), out);
}

ofw_status ofw_trace_write(FILE *out, const ofw_trace_row *row)
{
  for (size_t i = 0; i < ofw_trace_columns_count; i++) {
    if (i)
      fputc(',', out);
    write_cell(out, &ofw_trace_columns[i], row);
  }
  fputc('\n', out);
  return written(out);
}
