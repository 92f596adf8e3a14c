/* crate_plugin.c — a plugin with a learner and two sets, for test_plugin.py; -D changes what it is */
#include <ofw/plugin.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef NAME
#define NAME "push"
#endif
#ifndef SHARE
#define SHARE 0.5
#endif

/* ---- a learner: half of the way to the best point for the last gradient, times `share` ---- */

typedef struct push_options {
  double share, damp;
} push_options;

static ofw_status start(ofw_own *me)
{
  me->mine = ofw_own_array(me, "v", me->dim);
  return OFW_OK;
}

static ofw_status observe(ofw_own *me, const ofw_own_round *now)
{
  const push_options *o = (const push_options *)me->options;
  double *v = (double *)me->mine;
#ifdef CRASH
  abort();
#endif
  ofw_status st = ofw_own_minimise(me, now->violation > 0.0 ? now->constraint_gradient : now->loss_gradient, 1e-9, v);
  me->sigma = SHARE * o->share / (1.0 + o->damp * (double)me->round);
  for (size_t i = 0; i < me->dim && st == OFW_OK; i++)
    me->x[i] += me->sigma * (v[i] - me->x[i]);
  return st;
}

static const ofw_option options[] = {
    OFW_REAL_ROW(offsetof(push_options, share), "share", "1", NULL, 0, 1, "of the way"),
    OFW_REAL_ROW(offsetof(push_options, damp), "damp", "0.1", NULL, 0, 1e6, "how fast that shrinks"),
    {0},
};

static const ofw_promise promise = {{0, 0}, {0, 0}, NULL, {"share", "damp"}, 1};

static const ofw_learner_callbacks push = {
    .size = sizeof push,
    .name = NAME,
    .summary = "steps towards the answer for the last gradient",
    .options = options,
    .promise = &promise,
    .start = start,
    .observe = observe,
};

/* ---- a set: a box whose sides are 1, 2, 3, .. times `side` ---- */

typedef struct crate_options {
  uint64_t dim;
  double side;
} crate_options;

typedef struct crate {
  size_t dim;
  double side;
} crate;

static int least(void *ctx, const double *d, double *v)
{
  const crate *c = (const crate *)ctx;
  for (size_t i = 0; i < c->dim; i++)
    v[i] = copysign(c->side * (double)(i + 1), -d[i]);
  return 0;
}

static double excess(void *ctx, const double *x)
{
  const crate *c = (const crate *)ctx;
  double out = 0.0;
  for (size_t i = 0; i < c->dim; i++)
    out = fmax(out, fabs(x[i]) - c->side * (double)(i + 1));
  return out;
}

static int clip(void *ctx, const double *y, double *x)
{
  const crate *c = (const crate *)ctx;
  for (size_t i = 0; i < c->dim; i++)
    x[i] = fmax(-c->side * (double)(i + 1), fmin(y[i], c->side * (double)(i + 1)));
  return 0;
}

static ofw_status make_crate(void *ctx, const void *values, ofw_domain_callbacks *out, ofw_error *err)
{
  const crate_options *o = (const crate_options *)values;
  crate *c = (crate *)malloc(sizeof *c);
  double square = 0.0;
  (void)ctx;
  if (o->dim == 13 || !c) {
    free(c);
    snprintf(err->message, sizeof err->message, "dim=13 is bad luck");
    return OFW_USAGE;
  }
  c->dim = (size_t)o->dim;
  c->side = o->side;
  for (size_t i = 0; i < c->dim; i++)
    square += pow(c->side * (double)(i + 1), 2.0);
  out->dim = c->dim;
  out->R = sqrt(square);
  out->r = c->side;
  out->minimise = least;
  out->excess = excess;
  out->project = clip;
  out->ctx = c;
  out->close = free;
  return OFW_OK;
}

static const ofw_option crate_table[] = {
    OFW_COUNT_ROW(offsetof(crate_options, dim), "dim", NULL, NULL, 1, 1e6, "dimension n"),
    OFW_POSITIVE_ROW(offsetof(crate_options, side), "side", "1", NULL, "half of the first side"),
    {0},
};

static const ofw_domain_factory crates = {
    .size = sizeof crates,
    .name = "crate",
    .summary = "a box of sides 1, 2, 3, ..",
    .example = "crate:dim=3",
    .options = crate_table,
    .make = make_crate,
};

/* ---- a set that is none: its answers are the wrong corner in one coordinate ---- */

static int worst(void *ctx, const double *d, double *v)
{
  least(ctx, d, v);
  v[0] = -v[0];
  return 0;
}

static ofw_status make_broken(void *ctx, const void *values, ofw_domain_callbacks *out, ofw_error *err)
{
  ofw_status st = make_crate(ctx, values, out, err);
  out->minimise = worst;
  return st;
}

static const ofw_domain_factory broken = {
    .size = sizeof broken, .name = "broken-crate", .options = crate_table, .make = make_broken};

OFW_PLUGIN(registry, err)
{
#ifdef NOTHING
  (void)registry, (void)err;
  return OFW_OK;
#elif defined(REFUSES)
  (void)registry;
  snprintf(err->message, sizeof err->message, "not today\nsaid on two lines");
  return OFW_FAILED;
#else
  ofw_status st = ofw_registry_add_learner(registry, &push, err);
  if (st == OFW_OK)
    st = ofw_registry_add_domain(registry, &crates, err);
  return st == OFW_OK ? ofw_registry_add_domain(registry, &broken, err) : st;
#endif
}
