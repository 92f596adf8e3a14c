/* own.c — a caller's set: a dimension, a radius and a minimise function, perhaps a projection; or such sets by name */
#include "domain/set.h"

#include "base/source.h"
#include "linalg/kernels.h"

#include <stdlib.h>
#include <string.h>

/* ---- its functions ---- */

static ofw_status minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_answer *out, ofw_error *err)
{
  const ofw_domain_callbacks *own = K->data;
  ofw_dense_atom *w = work;
  int failed = own->minimise(own->ctx, d->dense, w->value);
  if (failed)
    return ofw_fail(err, OFW_NUMERICAL, "the domain's own minimise returned %d, expected 0", failed);
  size_t bad = ofw_first_not_finite(K->dim, w->value);
  if (bad < K->dim)
    return ofw_fail(err, OFW_NUMERICAL,
                    "the domain's own minimise returned a number that is not finite at coordinate %zu", bad + 1);
  *out = ofw_dense_atom_answer(w, ofw_dot(K->dim, d->dense, w->value));
  return OFW_OK;
}

/* Room for pairs, and for which coordinates were seen. */
typedef struct sparse_work {
  ofw_owned own;
  ofw_sparse_atom atom;
  unsigned char *seen; /* all 0 between two calls */
} sparse_work;

static ofw_status open_sparse(const ofw_domain *K, uint64_t seed, void **work, ofw_error *err)
{
  (void)seed;
  OFW_TRY(ofw_work_open(sizeof(sparse_work), work, err));
  sparse_work *w = *work;
  w->seen = ofw_owned_take(&w->own, calloc(K->dim, 1), K->dim);
  return ofw_sparse_atom_make(&w->own, K->dim, &w->atom, err);
}

/* What is wrong with the k-th pair; NULL: nothing. */
static const char *pair_fault(const ofw_domain *K, const sparse_work *w, size_t k)
{
  const ofw_sparse_atom *a = &w->atom;
  if (a->index[k] >= K->dim)
    return "an index that is not below the dimension";
  if (w->seen[a->index[k]])
    return "an index twice";
  return ofw_first_not_finite(1, &a->value[k]) == 0 ? "a number that is not finite" : NULL;
}

static ofw_status minimise_sparse(const ofw_domain *K, void *work, const ofw_direction *d, ofw_answer *out,
                                  ofw_error *err)
{
  const ofw_domain_callbacks *own = K->data;
  sparse_work *w = work;
  ofw_sparse_atom *a = &w->atom;
  a->count = 0;
  int failed = own->minimise_sparse(own->ctx, d->dense, &a->count, a->index, a->value);
  if (failed)
    return ofw_fail(err, OFW_NUMERICAL, "the domain's own minimise_sparse returned %d", failed);
  if (a->count > K->dim)
    return ofw_fail(err, OFW_NUMERICAL, "the domain's own minimise_sparse returned %zu pairs, expected at most %zu",
                    a->count, K->dim);
  const char *fault = NULL;
  size_t checked = 0;
  double dot = 0.0;
  for (; checked < a->count && !(fault = pair_fault(K, w, checked)); checked++) {
    w->seen[a->index[checked]] = 1;
    dot += d->dense[a->index[checked]] * a->value[checked];
  }
  for (size_t k = 0; k < checked; k++)
    w->seen[a->index[k]] = 0;
  if (fault)
    return ofw_fail(err, OFW_NUMERICAL, "the domain's own minimise_sparse returned %s in pair %zu", fault, checked + 1);
  *out = ofw_sparse_atom_answer(a, dot);
  return OFW_OK;
}

static double excess(const ofw_domain *K, const double *x)
{
  const ofw_domain_callbacks *own = K->data;
  double out = own->excess ? own->excess(own->ctx, x) : -1.0;
  return out < 0.0 ? -1.0 : out;
}

static ofw_status project(const ofw_domain *K, void *work, double *x, ofw_error *err)
{
  const ofw_domain_callbacks *own = K->data;
  double *y = own->minimise_sparse ? ((sparse_work *)work)->atom.value : ((ofw_dense_atom *)work)->value;
  memcpy(y, x, K->dim * sizeof *y);
  int failed = own->project(own->ctx, y, x);
  if (failed)
    return ofw_fail(err, OFW_NUMERICAL, "the domain's own project returned %d", failed);
  size_t bad = ofw_first_not_finite(K->dim, x);
  return bad < K->dim
             ? ofw_fail(err, OFW_NUMERICAL,
                        "the domain's own project returned a number that is not finite at coordinate %zu", bad + 1)
             : OFW_OK;
}

static void destroy(void *data)
{
  ofw_domain_callbacks *own = data;
  if (own && own->close)
    own->close(own->ctx);
  free(own);
}

/* By whether its answers are sparse, and whether it projects. */
static const ofw_domain_ops all_ops[2][2] = {
    {{.open = ofw_dense_atom_open, .minimise = minimise, .close = ofw_work_close, .excess = excess, .destroy = destroy},
     {.open = ofw_dense_atom_open,
      .minimise = minimise,
      .close = ofw_work_close,
      .excess = excess,
      .project = project,
      .destroy = destroy}},
    {{.open = open_sparse, .minimise = minimise_sparse, .close = ofw_work_close, .excess = excess, .destroy = destroy},
     {.open = open_sparse,
      .minimise = minimise_sparse,
      .close = ofw_work_close,
      .excess = excess,
      .project = project,
      .destroy = destroy}}};

/* ---- making one ---- */

static ofw_status build(ofw_domain *K, const ofw_domain_callbacks *own, ofw_error *err)
{
  ofw_domain_callbacks copy = *own;
  copy.centre = NULL; /* the caller's array may go away */
  copy.close = NULL;  /* until all went well */
  K->R = own->R;
  K->r = own->r;
  OFW_TRY(ofw_domain_set_vector(K, &all_ops[own->minimise_sparse != NULL][own->project != NULL], own->dim, &copy,
                                sizeof copy, err));
  if (own->centre)
    OFW_TRY(ofw_domain_set_centre(K, own->centre, err));
  OFW_TRY(ofw_domain_set_start(K, err));
  ((ofw_domain_callbacks *)K->data)->close = own->close;
  return OFW_OK;
}

static ofw_status check(const ofw_domain_callbacks *own, ofw_error *err)
{
  if (!(own->minimise || own->minimise_sparse) || own->dim == 0 ||
      !(own->R >= OFW_LEAST_RADIUS && own->R <= OFW_LARGEST_RADIUS) || !(own->r >= 0.0 && own->r <= own->R))
    return ofw_fail(err, OFW_USAGE,
                    "own domain: dim, minimise, an R in [1e-100, 1e100] and an r in [0, R] must be set");
  if (own->centre && ofw_first_not_finite(own->dim, own->centre) < own->dim)
    return ofw_fail(err, OFW_USAGE, "own domain: its centre is not finite");
  return OFW_OK;
}

ofw_domain *ofw_domain_create_own(const ofw_domain_callbacks *given, ofw_error *err)
{
  ofw_domain_callbacks own;
  if (ofw_take_sized(&own, sizeof own, given, "ofw_domain_callbacks", err) != OFW_OK || check(&own, err) != OFW_OK)
    return NULL;
  ofw_domain *K = ofw_domain_alloc("own", err);
  return K ? ofw_domain_built(K, build(K, &own, err)) : NULL;
}

/* ---- by name ---- */

ofw_status ofw_own_set_check(const ofw_domain_factory *given, ofw_own_set *out, ofw_error *err)
{
  static const ofw_option none[] = {{0}};
  *out = (ofw_own_set){.content = out->content};
  OFW_TRY(ofw_take_sized(&out->by, sizeof out->by, given, "ofw_domain_factory", err));
  const ofw_domain_factory *by = &out->by;
  out->type = (ofw_type){.name = by->name,
                         .summary = by->summary ? by->summary : "",
                         .source = by->source,
                         .example = by->example,
                         .options = by->options ? by->options : none};
  OFW_TRY(ofw_type_check(&out->type, NULL, "domain", err));
  return by->make ? OFW_OK : ofw_fail(err, OFW_USAGE, "own domain %s: make must be set", by->name);
}

const ofw_own_set *ofw_own_set_find(const ofw_own_sets *among, const char *name, size_t length)
{
  for (size_t i = 0; among && i < among->count; i++)
    if (strlen(among->set[i]->type.name) == length && memcmp(among->set[i]->type.name, name, length) == 0)
      return among->set[i];
  return NULL;
}

static ofw_status make(const ofw_own_set *set, const void *options, ofw_domain *K, ofw_error *err)
{
  ofw_domain_callbacks own = {.size = sizeof own};
  ofw_error why = {0};
  ofw_status st = set->by.make(set->by.ctx, options, &own, &why);
  if (st != OFW_OK) {
    ofw_status known = (int)st > OFW_OK && (int)st < OFW_END ? st : OFW_FAILED;
    why.message[sizeof why.message - 1] = 0;
    return ofw_fail(err, known, "%s: %.400s", set->type.name,
                    why.message[0] ? why.message : "make failed without a message");
  }
  st = check(&own, &why);
  if (st == OFW_OK)
    st = build(K, &own, &why);
  if (st != OFW_OK) {
    if (own.close)
      own.close(own.ctx);
    return ofw_fail(err, st, "%s: %.400s", set->type.name, why.message);
  }
  ofw_content_add(&K->content, set->content);
  return OFW_OK;
}

ofw_status ofw_own_set_build(const ofw_own_set *set, const char *pairs, ofw_domain *K, ofw_error *err)
{
  ofw_options o;
  ofw_status st = ofw_options_make(&set->type, pairs, &o, err);
  if (st == OFW_OK)
    st = make(set, o.values, K, err);
  ofw_options_drop(&o);
  return st;
}
