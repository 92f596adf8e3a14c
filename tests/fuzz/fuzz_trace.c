/* fuzz_trace.c — traces: what is accepted can be written and read again to the same bits, and metrics come of it */
#include "fuzz.h"

#include <math.h>

static int same(double a, double b)
{
  return a == b || (isnan(a) && isnan(b));
}

static void must_same_row(const ofw_trace_row *a, const ofw_trace_row *b)
{
  MUST(a->round == b->round && a->oracle_calls == b->oracle_calls && a->passes == b->passes);
  MUST(same(a->loss, b->loss) && same(a->constraint, b->constraint) && same(a->loss_sum, b->loss_sum));
  MUST(same(a->ccv, b->ccv) && same(a->comparator_loss_sum, b->comparator_loss_sum));
  MUST(same(a->target_loss_sum, b->target_loss_sum) && same(a->price, b->price) && same(a->sigma, b->sigma));
  MUST(same(a->gap, b->gap) && same(a->oracle_error, b->oracle_error) && same(a->seconds, b->seconds));
}

static void read_again(const ofw_trace *t)
{
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  MUST(out && ofw_trace_begin(out, t->headers, (const char *const *)t->header) == OFW_OK);
  for (size_t i = 0; i < t->rows; i++)
    MUST(ofw_trace_write(out, &t->row[i]) == OFW_OK);
  MUST(fclose(out) == 0);
  fuzz_file file = fuzz_keep(text, length);
  ofw_trace again;
  ofw_error err = {0};
  MUST(ofw_trace_read(file.path, &again, &err) == OFW_OK);
  MUST(again.headers == t->headers && again.rows == t->rows);
  for (size_t i = 0; i < t->headers; i++) {
    MUST(strlen(again.header[i]) == strlen(t->header[i]));
    for (size_t k = 0; t->header[i][k]; k++) { /* a control character is written as '?' */
      unsigned char byte = (unsigned char)t->header[i][k];
      MUST(again.header[i][k] == ((byte < ' ' && byte != '\t') || byte == 127 ? '?' : t->header[i][k]));
    }
  }
  for (size_t i = 0; i < t->rows; i++)
    must_same_row(&again.row[i], &t->row[i]);
  ofw_trace_free(&again);
  fuzz_drop(file);
  free(text);
}

static void measure(const ofw_trace *t, uint64_t window)
{
  ofw_metrics m;
  ofw_status st = ofw_metrics_of(t->row, t->rows, window, &m);
  MUST(st == (t->rows ? OFW_OK : OFW_USAGE));
  if (st != OFW_OK)
    return;
  MUST(m.rounds == t->row[t->rows - 1].round);
  MUST(isnan(m.interval_regret) == (m.interval_first == 0) && (m.interval_first == 0) == (m.interval_last == 0));
  MUST(m.interval_first <= m.interval_last && m.interval_last <= m.rounds);
  if (window && m.interval_last)
    MUST(m.interval_last - m.interval_first + 1 == window);
  MUST(!(m.soft_violation < 0.0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  fuzz_file file = fuzz_keep(data, size);
  ofw_trace t;
  ofw_error err = {0};
  ofw_status st = ofw_trace_read(file.path, &t, &err);
  if (st == OFW_OK) {
    for (size_t i = 0; i < t.rows; i++)
      MUST(t.row[i].round > (i ? t.row[i - 1].round : 0));
    read_again(&t);
    measure(&t, 0);
    measure(&t, t.rows > 1 ? t.row[1].round - t.row[0].round : 1);
    measure(&t, UINT64_MAX);
    ofw_trace_free(&t);
  } else
    must_explain(st, err.message);
  fuzz_drop(file);
  return 0;
}
