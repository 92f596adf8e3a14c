/* metrics.c — the metrics of a trace, row by row
 *
 * Rows alone go in, never a learner: so metrics of a file are those of the run that wrote it.
 */
#include "run/metrics.h"

#include "base/basics.h"

#include <math.h>
#include <stddef.h>

#define AT(field) offsetof(ofw_metrics, field)

const ofw_column ofw_metric_table[] = {
    {"rounds", OFW_COUNT, AT(rounds), "T, the last recorded round"},
    {"loss", OFW_REAL, AT(loss), "the sum of the losses of rounds 1 to T"},
    {"regret", OFW_REAL, AT(regret), "the loss minus the loss of the best fixed point that satisfies every constraint"},
    {"interval_regret", OFW_REAL, AT(interval_regret),
     "the worst window: the largest regret of rounds a + 1 to b against that point, over recorded rounds a < b"},
    {"interval_first", OFW_COUNT, AT(interval_first), "the first round of the worst window; 0: not known"},
    {"interval_last", OFW_COUNT, AT(interval_last), "the last round of the worst window; 0: not known"},
    {"dynamic_regret", OFW_REAL, AT(dynamic_regret), "the loss minus the loss of the stream's target, which may move"},
    {"ccv", OFW_REAL, AT(ccv), "the cumulative constraint violation, the sum of the constraints' positive parts"},
    {"soft_violation", OFW_REAL, AT(soft_violation),
     "the positive part of the constraints' sum, in which good rounds make up for bad ones; known only if every round "
     "is recorded"},
    {"oracle_calls", OFW_COUNT, AT(oracle_calls), "calls of the linear oracle"},
    {"passes", OFW_COUNT, AT(passes), "reads of the whole direction by an iterative oracle"},
    {"seconds", OFW_REAL, AT(seconds), "seconds since the run began"},
};
const size_t ofw_metric_count = sizeof ofw_metric_table / sizeof *ofw_metric_table;

static double regret_of(const ofw_trace_row *row)
{
  return row->loss_sum - row->comparator_loss_sum;
}

void ofw_account_begin(ofw_account *a)
{
  *a = (ofw_account){.so_far = {.interval_regret = NAN}};
}

static void keep_worst(ofw_metrics *m, double cost, uint64_t first, uint64_t last)
{
  if (isnan(cost) || cost <= m->interval_regret)
    return;
  m->interval_regret = cost;
  m->interval_first = first;
  m->interval_last = last;
}

/* The worst window that ends here began where the regret was least. */
static void add_window(ofw_account *a, uint64_t round)
{
  ofw_metrics *m = &a->so_far;
  keep_worst(m, m->regret - a->least, a->least_round + 1, round);
  if (m->regret < a->least) {
    a->least = m->regret;
    a->least_round = round;
  }
}

void ofw_account_add(ofw_account *a, const ofw_trace_row *row)
{
  ofw_metrics *m = &a->so_far;
  a->gaps |= row->round != m->rounds + 1;
  if (!isnan(row->constraint))
    a->constraints += row->constraint;
  m->rounds = row->round;
  m->loss = row->loss_sum;
  m->regret = regret_of(row);
  add_window(a, row->round);
  m->dynamic_regret = row->loss_sum - row->target_loss_sum;
  m->ccv = row->ccv;
  m->soft_violation = a->gaps ? NAN : fmax(a->constraints, 0.0);
  m->oracle_calls = row->oracle_calls;
  m->passes = row->passes;
  m->seconds = row->seconds;
}

/* The worst of the windows of one length whose two ends are recorded; round 0 is, as the beginning. */
static void fixed_window(const ofw_trace_row *row, size_t n, uint64_t window, ofw_metrics *out)
{
  out->interval_regret = NAN;
  out->interval_first = out->interval_last = 0;
  size_t from = 0; /* rows before the window; the last of them is its beginning */
  for (size_t i = 0; i < n; i++) {
    if (row[i].round < window)
      continue;
    uint64_t begin = row[i].round - window;
    while (row[from].round <= begin)
      from++;
    if (begin > 0 && (from == 0 || row[from - 1].round != begin))
      continue;
    double before = begin > 0 ? regret_of(&row[from - 1]) : 0.0;
    keep_worst(out, regret_of(&row[i]) - before, begin + 1, row[i].round);
  }
}

ofw_status ofw_metrics_of(const ofw_trace_row *row, size_t n, uint64_t window, ofw_metrics *out)
{
  ofw_account a;
  if (n == 0)
    return OFW_USAGE;
  ofw_account_begin(&a);
  for (size_t i = 0; i < n; i++)
    ofw_account_add(&a, &row[i]);
  *out = a.so_far;
  if (window)
    fixed_window(row, n, window, out);
  return OFW_OK;
}
