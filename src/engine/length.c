/* length.c — how long a gradient is, wherever its numbers are */
#include "engine/engine.h"

#include "vector/vec_arithmetic.h"

double ofw_engine_length(const ofw_engine *E, ofw_sum a)
{
  return E->ops->length ? E->ops->length(E, a) : ofw_sum_norm(a);
}
