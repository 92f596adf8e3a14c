/* product.c — K_1 x K_2 x ..: the coordinates of several sets one after the other
 *
 * Oracle  each part's of its own coordinates of d, asked for the same relative accuracy and for an equal share of the
 *         absolute one; values, errors, passes and seconds add up, and proven is what is proven of all parts
 * Project each part's, if all have one
 * R = sqrt(sum R_k^2)   r = min r_k   centre (c_1, c_2, ..)
 */
#include "base/source.h"
#include "domain/set.h"

#include "vector/vec_arithmetic.h"

#include <math.h>
#include <stdlib.h>

/* An atom of more terms is written out: an engine looks at all terms for each 512 coordinates of its own. */
enum { MOST_TERMS = 64 };

typedef struct product {
  size_t count, room;
  ofw_domain **part;
} product;

typedef struct product_work {
  ofw_owned own;
  const product *of;
  void **inner;  /* the parts' workspaces */
  ofw_vec *term; /* those of the parts' atoms, in their places; or one */
  double *whole; /* what that one is of; NULL: they are */
} product_work;

static ofw_status open(const ofw_domain *K, uint64_t seed, void **work, ofw_error *err)
{
  const product *p = K->data;
  OFW_TRY(ofw_work_open(sizeof(product_work), work, err));
  product_work *w = *work;
  w->of = p;
  w->term = ofw_owned_array(&w->own, 1 + K->shifts, sizeof *w->term);
  if (1 + K->shifts > MOST_TERMS)
    w->whole = ofw_owned_doubles(&w->own, K->dim);
  w->inner = ofw_owned_take(&w->own, calloc(p->count, sizeof *w->inner), p->count * sizeof *w->inner);
  OFW_TRY(ofw_owned_check(&w->own, err));
  for (size_t i = 0; i < p->count; i++)
    OFW_TRY(p->part[i]->ops->open(p->part[i], seed, &w->inner[i], err));
  return OFW_OK;
}

static void close(void *work)
{
  product_work *w = work;
  for (size_t i = 0; w->inner && i < w->of->count; i++)
    if (w->inner[i])
      w->of->part[i]->ops->close(w->inner[i]);
  ofw_work_close(w);
}

/* A part's atom behind the n terms that are there already; gives how many there are. */
static size_t add_atom(product_work *w, size_t n, ofw_sum atom, size_t at, size_t dim)
{
  if (w->whole) {
    ofw_sum_dense(atom, dim, w->whole + at);
    return n;
  }
  for (size_t k = 0; k < atom.n; k++) {
    w->term[n] = atom.term[k];
    w->term[n++].offset += at;
  }
  return n;
}

static ofw_status minimise(const ofw_domain *K, void *work, const ofw_direction *d, ofw_answer *out, ofw_error *err)
{
  const product *p = K->data;
  product_work *w = work;
  size_t at = 0, n = 0;
  *out = (ofw_answer){.proven = 1};
  ofw_accuracy wanted = d->wanted;
  wanted.absolute /= (double)p->count;
  for (size_t i = 0; i < p->count; at += p->part[i++]->dim) {
    ofw_direction slice = ofw_direction_dense(p->part[i], d->dense + at, wanted);
    ofw_answer one = {0};
    OFW_TRY(p->part[i]->ops->minimise(p->part[i], w->inner[i], &slice, &one, err));
    n = add_atom(w, n, one.atom, at, p->part[i]->dim);
    out->value += one.value;
    out->error += one.error;
    out->proven &= one.proven;
    out->chances += one.chances;
    out->passes += one.passes;
    out->seconds += one.seconds;
  }
  if (w->whole)
    w->term[n++] = ofw_vec_dense(K->dim, w->whole);
  out->atom = (ofw_sum){n, w->term};
  return OFW_OK;
}

static ofw_status visit(void *work, ofw_visitor *v)
{
  product_work *w = work;
  for (size_t i = 0; i < w->of->count; i++)
    if (w->of->part[i]->ops->visit)
      OFW_TRY(w->of->part[i]->ops->visit(w->inner[i], v));
  return OFW_OK;
}

/* That of the part that is farthest out. */
static double excess(const ofw_domain *K, const double *x)
{
  const product *p = K->data;
  double most = 0.0;
  for (size_t i = 0; i < p->count; x += p->part[i++]->dim) {
    double out = ofw_domain_excess(p->part[i], x);
    if (out < 0.0)
      return out;
    most = fmax(most, out);
  }
  return most;
}

static ofw_status project(const ofw_domain *K, void *work, double *x, ofw_error *err)
{
  const product *p = K->data;
  product_work *w = work;
  for (size_t i = 0; i < p->count; x += p->part[i++]->dim)
    OFW_TRY(p->part[i]->ops->project(p->part[i], w->inner[i], x, err));
  return OFW_OK;
}

static ofw_status reserve(const ofw_domain *K, void *work, ofw_error *err)
{
  const product *p = K->data;
  product_work *w = work;
  for (size_t i = 0; i < p->count; i++)
    if (p->part[i]->ops->reserve)
      OFW_TRY(p->part[i]->ops->reserve(p->part[i], w->inner[i], err));
  return OFW_OK;
}

static void destroy(void *data)
{
  product *p = data;
  if (!p)
    return;
  for (size_t i = 0; i < p->count; i++)
    ofw_domain_free(p->part[i]);
  free(p->part);
  free(p);
}

static const ofw_domain_ops ops[2] = {{open, minimise, visit, close, excess, NULL, NULL, destroy},
                                      {open, minimise, visit, close, excess, project, reserve, destroy}};

/* ---- building ---- */

static ofw_status add_part(void *ctx, const ofw_source *s, char *spec, ofw_error *err)
{
  ofw_domain *K = ctx;
  product *p = K->data;
  char owner[40];
  if (!spec)
    return p->count ? OFW_OK : ofw_fail(err, OFW_USAGE, "product: expected at least one part, found none");
  if (p->count == OFW_MOST_PARTS)
    return ofw_source_refuse(s, err, "more than %d parts", OFW_MOST_PARTS);
  OFW_TRY(ofw_grow(&p->part, p->count, 1, &p->room, sizeof(ofw_domain *), err));
  snprintf(owner, sizeof owner, "product: part %zu", p->count + 1);
  OFW_TRY(ofw_domain_create_nested(K, spec, owner, &p->part[p->count], err));
  const ofw_domain *part = p->part[p->count++];
  if (part->dim > (size_t)OFW_MOST_DIM - K->dim)
    return ofw_fail(err, OFW_USAGE, "product: more than %lld coordinates", (long long)OFW_MOST_DIM);
  K->dim += part->dim;
  return OFW_OK;
}

/* If a part has a centre that is not the origin, so has the product. */
static ofw_status join_centres(ofw_domain *K, const product *p, ofw_error *err)
{
  int any = 0;
  for (size_t i = 0; i < p->count; i++)
    any |= p->part[i]->centre != NULL;
  if (!any)
    return OFW_OK;
  OFW_TRY(ofw_domain_set_even_centre(K, 0.0, err));
  for (size_t i = 0, at = 0; i < p->count; at += p->part[i++]->dim)
    ofw_domain_centre(p->part[i], K->centre + at);
  return OFW_OK;
}

static ofw_status join_normals(ofw_domain *K, const product *p, ofw_error *err)
{
  size_t normals = 0, n = 0;
  for (size_t i = 0; i < p->count; i++)
    normals += p->part[i]->normals;
  ofw_vec *normal = ofw_owned_array(&K->own, normals, sizeof *normal);
  OFW_TRY(ofw_owned_check(&K->own, err));
  for (size_t i = 0, at = 0; i < p->count; at += p->part[i++]->dim)
    for (size_t k = 0; k < p->part[i]->normals; k++) {
      normal[n] = p->part[i]->normal[k];
      normal[n++].offset += at;
    }
  K->normals = normals;
  K->normal = normal;
  return OFW_OK;
}

static void join(ofw_domain *K, const product *p)
{
  int projects = 1;
  K->rows = K->dim;
  K->cols = 1;
  K->r = INFINITY;
  for (size_t i = 0; i < p->count; i++) {
    const ofw_domain *part = p->part[i];
    K->R = hypot(K->R, part->R);
    K->r = fmin(K->r, part->r);
    K->from_centre |= part->from_centre;
    K->shifts += part->shifts + (i > 0);
    projects &= part->ops->project != NULL;
    if (part->content)
      ofw_content_add(&K->content, part->content);
  }
  K->ops = &ops[projects];
}

typedef struct product_options {
  char *parts;
} product_options;

static ofw_status build(ofw_domain *K, const void *options, ofw_error *err)
{
  K->ops = &ops[0];
  K->data = calloc(1, sizeof(product));
  if (!K->data)
    return ofw_fail_memory(err, sizeof(product));
  const char *parts = ((const product_options *)options)->parts;
  OFW_TRY(ofw_source_read("product", parts, &K->content, add_part, K, err));
  join(K, K->data);
  OFW_TRY(join_centres(K, K->data, err));
  return join_normals(K, K->data, err);
}

static const ofw_option options[] = {
    OFW_TEXT_ROW(offsetof(product_options, parts), "parts", "the sets, as (spec;spec;..) or @FILE with one per line"),
    {0},
};

const ofw_domain_kind ofw_product_kind = {
    {.name = "product",
     .summary = "the Cartesian product of other sets, their coordinates one after the other",
     .example = "product:parts=(simplex:dim=4,sum=2;l1-ball:dim=3,radius=2;box:dim=3,lower=-1,upper=0.5)",
     .options = options},
    build};
