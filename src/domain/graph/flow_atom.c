#include "domain/graph/flow_atom.h"

#include <stdlib.h>
#include <string.h>

ofw_status ofw_flow_atom_open(const ofw_network *n, void **work, ofw_error *err)
{
  ofw_flow_atom *w = calloc(1, sizeof *w);
  *work = w;
  if (!w)
    return ofw_fail_memory(err, sizeof *w);
  OFW_TRY(ofw_flow_open(n, &w->flow, err));
  if (n->numbered < n->edges && !(w->cost = ofw_doubles(n->edges))) /* the others cost nothing */
    return ofw_fail_memory(err, n->edges * sizeof *w->cost);
  return ofw_sparse_atom_make(n->numbered, &w->atom, err);
}

void ofw_flow_atom_close(void *work)
{
  ofw_flow_atom *w = work;
  ofw_flow_close(&w->flow);
  ofw_sparse_atom_drop(&w->atom);
  free(w->cost);
  free(w);
}

ofw_status ofw_flow_atom_minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_accuracy wanted,
                                  ofw_answer *out, ofw_error *err)
{
  (void)wanted, (void)err;
  ofw_flow_atom *w = work;
  double sum = 0.0;
  if (w->cost)
    memcpy(w->cost, d->dense, K->dim * sizeof *w->cost);
  double error = ofw_flow_minimise(&w->flow, w->cost ? w->cost : d->dense);
  w->atom.count = 0;
  for (size_t e = 0; e < K->dim; e++) {
    double x = w->flow.x[e];
    if (x == 0.0)
      continue;
    w->atom.index[w->atom.count] = e;
    w->atom.value[w->atom.count++] = x;
    sum += x * d->dense[e];
  }
  *out = ofw_sparse_atom_answer(&w->atom, sum);
  out->error = error;
  return OFW_OK;
}
