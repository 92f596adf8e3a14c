/* batches.c — a stream's rounds at X = 0, where the loss gradient is minus the ratings */
#include "bench/batches.h"

#include "base/basics.h"
#include "engine/engine.h"

#include <errno.h>
#include <string.h>

/* At X = 0 the gradient is -M. */
static ofw_status write_batch(const ofw_full *fb, size_t *batch, FILE *out, ofw_error *err)
{
  const ofw_vec *f = fb->loss_gradient.term;
  if (fb->loss_gradient.n != 1 || f->kind != OFW_VEC_SPARSE || (*batch && f->as.sparse.nnz != *batch))
    return ofw_fail(err, OFW_UNSUPPORTED, "the stream does not reveal ratings");
  const ofw_sum *g = fb->values.constraints == 1 ? fb->constraint_gradient : NULL;
  if (!g || g->n != 1 || g->term->kind != OFW_VEC_RANDOM || g->term->as.random.dist != OFW_UNIFORM)
    return ofw_fail(err, OFW_UNSUPPORTED, "the stream's constraint is not the uniform one");
  *batch = f->as.sparse.nnz;
  int done = 1;
  for (size_t k = 0; k < *batch && done; k++) {
    int64_t cell = (int64_t)(f->offset + f->as.sparse.index[k]);
    done = fwrite(&cell, sizeof cell, 1, out) == 1;
  }
  for (size_t k = 0; k < *batch && done; k++) {
    double rating = -f->scale * f->as.sparse.value[k];
    done = fwrite(&rating, sizeof rating, 1, out) == 1;
  }
  return done ? OFW_OK : ofw_fail(err, OFW_FAILED, "cannot write the ratings: %s", strerror(errno));
}

static ofw_status write_all(ofw_stream *s, uint64_t rounds, const ofw_point *zero, FILE *out, size_t *batch,
                            ofw_error *err)
{
  for (uint64_t t = 1; t <= rounds; t++) {
    ofw_full fb;
    ofw_status st = ofw_stream_reveal(s, t, zero, &fb);
    if (st != OFW_OK)
      return ofw_fail(err, st, "%s", ofw_stream_error(s));
    OFW_TRY(write_batch(&fb, batch, out, err));
  }
  return fflush(out) == 0 ? OFW_OK : ofw_fail(err, OFW_FAILED, "cannot write the ratings: %s", strerror(errno));
}

ofw_status batches_write(ofw_stream *s, uint64_t rounds, FILE *out, size_t *batch, ofw_error *err)
{
  ofw_engine *origin = ofw_engine_open_dense(ofw_stream_domain(s), 0, 0, 1, err);
  if (!origin)
    return err->status;
  const ofw_point zero = {.at = origin};
  *batch = 0;
  ofw_status st = write_all(s, rounds, &zero, out, batch, err);
  origin->ops->close(origin);
  return st;
}
