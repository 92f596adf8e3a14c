/* ndjson.c — feedback lines: what is accepted holds finite numbers, and reads the same again
 *
 * Input: a byte for the mode, then the line.
 */
#include "fuzz.h"

#include "stream/ndjson.h"

#include <math.h>

static void must_same_vec(const ofw_vec *a, const ofw_vec *b)
{
  MUST(a->kind == b->kind && a->scale == b->scale && a->offset == b->offset);
  if (a->kind == OFW_VEC_DENSE) {
    MUST(a->as.dense.n == b->as.dense.n);
    for (size_t i = 0; i < a->as.dense.n; i++)
      MUST(isfinite(a->as.dense.value[i]) && a->as.dense.value[i] == b->as.dense.value[i]);
    return;
  }
  MUST(a->kind == OFW_VEC_SPARSE && a->as.sparse.nnz == b->as.sparse.nnz);
  for (size_t i = 0; i < a->as.sparse.nnz; i++) {
    MUST(isfinite(a->as.sparse.value[i]) && a->as.sparse.value[i] == b->as.sparse.value[i]);
    MUST(a->as.sparse.index[i] == b->as.sparse.index[i] && a->as.sparse.index[i] <= (size_t)1 << 53);
  }
}

static void must_same_sum(ofw_sum a, ofw_sum b)
{
  MUST(a.n == b.n);
  for (size_t k = 0; k < a.n; k++)
    must_same_vec(&a.term[k], &b.term[k]);
}

static void must_same(ofw_ndjson_mode mode, const ofw_full *a, const ofw_full *b)
{
  MUST(isfinite(a->values.loss) && a->values.loss == b->values.loss);
  MUST(a->values.constraints == b->values.constraints);
  for (size_t i = 0; i < a->values.constraints; i++)
    MUST(isfinite(a->values.constraint[i]) && a->values.constraint[i] == b->values.constraint[i]);
  must_same_sum(a->loss_gradient, b->loss_gradient);
  if (mode == OFW_NDJSON_VALUES)
    MUST(a->loss_gradient.n == 0);
  if (mode == OFW_NDJSON_FULL)
    MUST(a->loss_gradient.n == 1);
  for (size_t i = 0; i < a->values.constraints && mode == OFW_NDJSON_FULL; i++)
    must_same_sum(a->constraint_gradient[i], b->constraint_gradient[i]);
}

/* Observing says which of what was read does not fit, and never reads beyond it. */
static void observe(const ofw_full *fb)
{
  ofw_error err;
  (void)ofw_sum_check(fb->loss_gradient, 5, "loss_gradient", &err);
  for (size_t i = 0; i < fb->values.constraints; i++)
    (void)ofw_sum_check(fb->constraint_gradient[i], 5, "constraint_gradient", &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static ofw_ndjson used; /* by earlier lines: what they left must not matter */
  ofw_ndjson fresh = {0};
  ofw_full first = {0}, second = {0};
  ofw_error why_first = {0}, why_second = {0};
  if (size == 0)
    return 0;
  ofw_ndjson_mode mode = (ofw_ndjson_mode)(data[0] % 3);
  size_t length = size - 1;
  char *line = malloc(length ? length : 1); /* without an end of its own */
  MUST(line);
  memcpy(line, data + 1, length);
  ofw_status st = ofw_ndjson_read(&used, line, length, mode, &first, &why_first);
  MUST(ofw_ndjson_read(&fresh, line, length, mode, &second, &why_second) == st);
  if (st == OFW_OK) {
    must_same(mode, &first, &second);
    if (mode == OFW_NDJSON_FULL)
      observe(&first);
  } else {
    must_explain(st, why_first.message);
    MUST(st == OFW_BAD_DATA && strcmp(why_first.message, why_second.message) == 0);
  }
  free(line);
  ofw_ndjson_free(&fresh);
  return 0;
}
