/* stated.h — what an oracle states of its answers about d, beside the largest singular value of d by a full decomposition */
#pragma once

#include "engine/engine.h"
#include "unit/linalg/full_svd.h"
#include "vector/vec_arithmetic.h"

/* How often an answer was wrong, not as sharp as it was asked for, and of a copy, which is not d. */
typedef struct stated {
  double wrong, far, narrow;
} stated;

/* So many questions of five accuracies by turns, and sharper ones about the same d, about the matrix that E has in d; `atom` is room. */
static inline void ask_about(const ofw_domain *K, ofw_engine *E, const double *numbers, double sigma,
                             const double relatives[5], int questions, double *atom, stated *out)
{
  ofw_direction d = *E->ops->direction(E);
  void *work = NULL;
  assert_int_equal(K->ops->open(K, 5, &work, NULL), OFW_OK);
  for (int t = 0; t < questions; t++) {
    ofw_answer got;
    d.wanted = (ofw_accuracy){relatives[t % 5], t % 2 ? 1e-2 * sigma : INFINITY, 0};
    for (int again = 0; again < 2; again++) { /* sharper the second time */
      assert_int_equal(K->ops->minimise(K, work, &d, &got, NULL), OFW_OK);
      ofw_sum_dense(got.atom, K->dim, atom);
      long double value = slow_dot(K->dim, numbers, atom), missing = value + 2.0L * sigma;
      out->wrong += missing > got.error + 1e-13L * sigma;
      out->far += missing > 4.0L * sigma * d.wanted.relative + 1e-13L * sigma;
      out->narrow += fabsl(value - got.value) > 1e-9L * sigma;
      assert_near(value, got.value, got.error + 1e-13L * sigma);
      assert_at_most(got.error, fmax(d.wanted.absolute, 1e-12 * sigma));
      d.wanted.relative /= 30.0;
      d.wanted.again = 1;
    }
  }
  K->ops->close(work);
}
