/* fuzz_ndjson.c — lines of the pipe: feedback that is accepted holds finite numbers, requests are answered truly, and both read
 * the same again
 *
 * Input: a byte for the mode, then the line, for decisions of 2 rows and 3 columns.
 */
#include "fuzz.h"

#include "engine/engine.h"
#include "vector/vec_arithmetic.h"
#include "wire/ask.h"

#include <math.h>

enum { ROWS = 2, COLS = 3, DIM = ROWS * COLS };

static void must_same_numbers(size_t n, const double *a, const double *b)
{
  for (size_t i = 0; i < n; i++)
    MUST(isfinite(a[i]) && a[i] == b[i]);
}

static void must_same_vec(const ofw_vec *a, const ofw_vec *b)
{
  MUST(a->kind == b->kind && a->scale == b->scale && a->offset == b->offset);
  if (a->kind == OFW_VEC_DENSE) {
    MUST(a->as.dense.n == b->as.dense.n);
    must_same_numbers(a->as.dense.n, a->as.dense.value, b->as.dense.value);
    return;
  }
  if (a->kind == OFW_VEC_RANK_ONE) {
    MUST(a->as.rank_one.rows == ROWS && a->as.rank_one.cols == COLS && isfinite(a->scale));
    must_same_numbers(ROWS, a->as.rank_one.u, b->as.rank_one.u);
    must_same_numbers(COLS, a->as.rank_one.v, b->as.rank_one.v);
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

static void must_same_hint(ofw_ndjson_mode mode, const ofw_hint *a, const ofw_hint *b)
{
  MUST(a->size == b->size && (a->size == 0 || (mode == OFW_NDJSON_FULL && a->size == sizeof *a)));
  MUST(a->constraints == b->constraints);
  must_same_numbers(a->constraints, a->constraint, b->constraint);
  for (size_t i = 0; i < a->constraints; i++)
    must_same_sum(a->constraint_gradient[i], b->constraint_gradient[i]);
}

/* Observing says which of what was read does not fit, and never reads beyond it. */
static void observe(const ofw_full *fb)
{
  ofw_error err;
  (void)ofw_sum_check(fb->loss_gradient, DIM, "loss_gradient", &err);
  for (size_t i = 0; i < fb->values.constraints; i++)
    (void)ofw_sum_check(fb->constraint_gradient[i], DIM, "constraint_gradient", &err);
}

static ofw_status read_feedback(ofw_ndjson *used, ofw_ndjson *fresh, const char *line, size_t length,
                                ofw_ndjson_mode mode, ofw_error why[2])
{
  ofw_full first = {0}, second = {0};
  ofw_status st = ofw_ndjson_read(used, line, length, mode, &first, &why[0]);
  MUST(ofw_ndjson_read(fresh, line, length, mode, &second, &why[1]) == st);
  if (st == OFW_OK) {
    must_same(mode, &first, &second);
    must_same_hint(mode, &used->hint, &fresh->hint);
    if (mode == OFW_NDJSON_FULL)
      observe(&first);
  }
  return st;
}

static const double decision[DIM] = {0.5, -1, 0.5, 0.25, 0.25, 0.25};

static const ofw_point *point(void)
{
  static ofw_point x;
  if (!x.at) {
    ofw_domain *K = ofw_domain_create("trace-ball:rows=2,cols=3", NULL);
    MUST(K);
    ofw_engine *E = ofw_engine_open_dense(K, 0, 0, 1, NULL);
    MUST(E);
    E->ops->restart(E, decision);
    x.at = E; /* which does not need K any more */
    ofw_domain_free(K);
  }
  return &x;
}

/* None that is left out, none twice, and each no larger than the one before. */
static void must_be_top(const ofw_ask *a)
{
  size_t found = 0, index[COLS];
  double value[COLS];
  int out[COLS] = {0}, left = COLS;
  for (size_t i = 0; i < a->n; i++) {
    left -= !out[a->index[i]];
    out[a->index[i]] = 1;
  }
  MUST(ofw_point_top(point(), a->row, a->k, a->n, a->index, index, value, &found) == OFW_OK);
  MUST(found == (a->k < (size_t)left ? a->k : (size_t)left));
  for (size_t i = 0; i < found; i++) {
    MUST(!out[index[i]]++ && value[i] == decision[a->row * COLS + index[i]]);
    MUST(i == 0 || value[i] < value[i - 1] || (value[i] == value[i - 1] && index[i] > index[i - 1]));
  }
}

static ofw_status read_request(ofw_ndjson *used, ofw_ndjson *fresh, const char *line, size_t length, ofw_error why[2])
{
  ofw_ask first, second;
  ofw_text out[2] = {{0}};
  ofw_status st = ofw_ask_read(used, line, length, &first, &why[0]);
  MUST(ofw_ask_read(fresh, line, length, &second, &why[1]) == st);
  if (st != OFW_OK)
    return st;
  MUST(ofw_ask_answer(&first, &(ofw_info){.round = 1}, point(), &out[0], NULL) == OFW_OK);
  MUST(ofw_ask_answer(&second, &(ofw_info){.round = 1}, point(), &out[1], NULL) == OFW_OK);
  MUST(strcmp(out[0].chars, out[1].chars) == 0 && strchr(out[0].chars, '\n') == out[0].chars + out[0].length - 1);
  for (size_t i = 0; i < first.n && (first.kind == OFW_ASK_ENTRIES || first.kind == OFW_ASK_CELLS); i++)
    MUST(first.value[i] == decision[first.index[i]]);
  if (first.kind == OFW_ASK_ROW)
    must_same_numbers(COLS, first.value, decision + first.row * COLS);
  if (first.kind == OFW_ASK_TOP)
    must_be_top(&first);
  free(out[0].chars);
  free(out[1].chars);
  return st;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static ofw_ndjson used = {.rows = ROWS, .cols = COLS}; /* by earlier lines: what they left must not matter */
  ofw_ndjson fresh = {.rows = ROWS, .cols = COLS};
  ofw_error why[2] = {{0}};
  if (size == 0)
    return 0;
  size_t length = size - 1;
  char *line = malloc(length ? length : 1); /* without an end of its own */
  MUST(line);
  memcpy(line, data + 1, length);
  ofw_status st = ofw_is_ask(line, length)
                      ? read_request(&used, &fresh, line, length, why)
                      : read_feedback(&used, &fresh, line, length, (ofw_ndjson_mode)(data[0] % 3), why);
  if (st != OFW_OK) {
    must_explain(st, why[0].message);
    MUST(st == OFW_BAD_DATA && strcmp(why[0].message, why[1].message) == 0);
  }
  free(line);
  ofw_ndjson_free(&fresh);
  return 0;
}
