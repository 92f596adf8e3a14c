#include "learner/method.h"

#include "base/threads.h"
#include "learner/epochs.h"
#include "learner/probe.h"
#include "learner/projected.h"
#include "learner/storage.h"
#include "vector/vec_arithmetic.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const ofw_option common_options[] = {
    OFW_CHOICE_ROW(
        offsetof(ofw_common, constraints), "constraints", "max", NULL, "max|sum",
        "several constraints in a round: the largest counts, or the sum of the positive parts (G must then bound "
        "the sum's gradient)"),
    OFW_REAL_ROW(
        offsetof(ofw_common, oracle_tolerance), "oracle-tolerance", NULL,
        "1e-2, (1e-3/sigma)^2 for a step sigma, or what the analysis allows, whichever is smallest", 1e-15, 1,
        "relative accuracy of an iterative oracle's <d, v>; what is certain of it is in the trace, oracle_error"),
    OFW_CHOICE_ROW(offsetof(ofw_common, sample), "sample", "no", NULL, "no|yes",
                   "keep a vertex of the domain whose expectation is the decision, for ofw_learner_sample"),
    OFW_CHOICE_ROW(
        offsetof(ofw_common, storage), "storage", NULL,
        "factored for large matrices whose gradients are known to be sparse or of rank one, and for what "
        "would not fit into memory; else double",
        "double|float|factored",
        "what a learner over a matrix keeps: its numbers as doubles or, in half the memory and each rounded to "
        "24 bits whenever it changes, as floats (docs/algorithms.md); or factors, and never the matrix "
        "(docs/scale.md)"),
    OFW_COUNT_ROW(
        offsetof(ofw_common, rank), "rank", NULL, "factored: 2^25 / (rows + cols), 128 to 512", 1, OFW_MOST_BASIS,
        "factored: the vectors, of users and of items, that a compression leaves at most; what it loses is in "
        "the account"),
    {0},
};

const ofw_option *ofw_learner_common_options(void)
{
  return common_options;
}

size_t ofw_learner_types(void)
{
  return ofw_methods_count;
}

const ofw_type *ofw_learner_type(size_t i)
{
  return i < ofw_methods_count ? &ofw_methods[i]->type : NULL;
}

/* ---- creation ---- */

static ofw_status check_settings(const ofw_method *m, const ofw_learner_settings *s, ofw_error *err)
{
  const char *name = m->type.name;
  if (!s || s->size != sizeof *s)
    return ofw_fail(err, OFW_USAGE, "%s: the settings' size is not that of this version", name);
  if (!ofw_method_anytime(m) && (!(s->lipschitz > 0.0) || !isfinite(s->lipschitz)))
    return ofw_fail(err, OFW_USAGE, "%s: the Lipschitz constant must be a positive number", name);
  if (!(s->strong_convexity >= 0.0) || !isfinite(s->strong_convexity))
    return ofw_fail(err, OFW_USAGE, "%s: the strong convexity must be 0 or a positive number", name);
  if (s->threads > OFW_MOST_THREADS)
    return ofw_fail(err, OFW_USAGE, "%s: %zu threads are more than %d", name, s->threads, OFW_MOST_THREADS);
  if (!(s->loss_bound >= 0.0) || !isfinite(s->loss_bound))
    return ofw_fail(err, OFW_USAGE, "%s: the loss bound must be 0 or a positive number", name);
  return OFW_OK;
}

static ofw_status read_options(ofw_learner *l, const ofw_learner_settings *s)
{
  const char *name = l->method->type.name;
  ofw_options o[] = {{l->method->type.options, l->options, 0}, {common_options, &l->common, 0}};
  ofw_options_default(o[0]);
  ofw_options_default(o[1]);
  for (size_t i = 0; i < s->sets; i++)
    OFW_TRY(ofw_options_set(o, 2, name, s->set[i], strlen(s->set[i]), &l->err));
  return OFW_OK;
}

static ofw_status describe(ofw_learner *l, const ofw_domain *K)
{
  ofw_text text = {0};
  char content[32] = "", G[OFW_REAL_TEXT], M[OFW_REAL_TEXT], alpha[OFW_REAL_TEXT];
  if (K->content)
    snprintf(content, sizeof content, " domain-content=%08lx", (unsigned long)K->content);
  ofw_text_add(&text, "learner=%s domain=%s%s horizon=%.0f lipschitz=%s loss-bound=%s strong-convexity=%s seed=%llu",
               l->method->type.name, K->spec, content, l->T, ofw_print_real(l->G, G), ofw_print_real(l->M, M),
               ofw_print_real(l->alpha, alpha), (unsigned long long)l->seed);
  ofw_options_print((ofw_options){l->method->type.options, l->options, 0}, &text);
  ofw_options_print((ofw_options){common_options, &l->common, 0}, &text);
  l->config = text.chars;
  return text.failed ? ofw_fail_memory(&l->err, text.length) : OFW_OK;
}

/* The set that the oracle is asked about: K itself, or pulled in by delta/r so that the probe stays in K; counted. */
static ofw_status open_domain(ofw_learner *l, const ofw_domain *K)
{
  ofw_domain *inner =
      l->method->bandit ? ofw_domain_create_shrunk(K, 1.0 - l->delta / l->r, &l->err) : ofw_domain_keep(K);
  if (!inner)
    return l->err.status;
  l->K = ofw_domain_create_counted(inner, &l->err);
  ofw_domain_free(inner);
  if (!l->K)
    return l->err.status;
  l->shrunk = l->method->bandit ? inner : NULL;
  OFW_TRY(l->K->ops->open(l->K, l->seed, &l->work, &l->err));
  return l->projects ? ofw_projected_open(l) : OFW_OK;
}

static ofw_status build(ofw_learner *l, const ofw_domain *K, const ofw_learner_settings *s)
{
  const char *name = l->method->type.name;
  l->T = ofw_method_anytime(l->method) ? 0.0 : (double)s->horizon;
  l->G = ofw_method_anytime(l->method) ? 0.0 : s->lipschitz;
  l->M = s->loss_bound;
  l->alpha = s->strong_convexity;
  l->D = 2.0 * K->R;
  l->r = K->r;
  l->n = (double)(K->dim - K->normals);
  l->seed = s->seed;
  l->from_centre = K->from_centre || l->method->bandit;
  l->info.log2_guess = NAN;
  l->options = calloc(1, l->method->options_size);
  l->state = calloc(1, l->method->state_size);
  if (!l->options || !l->state)
    return ofw_fail_memory(&l->err, l->method->options_size + l->method->state_size);
  if (l->method->bandit && !(K->r > 0.0))
    return ofw_fail(&l->err, OFW_USAGE,
                    "%s: no ball about the centre of %.200s is known to lie in it, so there is no room to probe", name,
                    K->spec);
  if (l->method->bandit)
    OFW_TRY(ofw_probe_open(l, K));
  OFW_TRY(read_options(l, s));
  OFW_TRY(l->method->start(l));
  OFW_TRY(ofw_storage_choose(l, K, s->terms));
  OFW_TRY(ofw_options_check((ofw_options){l->method->type.options, l->options, 0}, name, &l->err));
  OFW_TRY(open_domain(l, K));
  OFW_TRY(describe(l, K));
  OFW_TRY(ofw_storage_open(l, K, s->threads));
  l->point.at = l->engine;
  l->info.delta = l->delta;
  if (!l->common.sample)
    return OFW_OK;
  l->vertex = ofw_doubles(K->dim);
  return l->vertex ? l->engine->ops->dense(l->engine, l->vertex) : ofw_fail_memory(&l->err, K->dim * sizeof(double));
}

ofw_learner *ofw_learner_build(const char *name, const ofw_domain *K, const ofw_learner_settings *settings,
                               ofw_error *err)
{
  int i = ofw_type_find(name, strlen(name), ofw_methods_count, ofw_learner_type, "learner", err);
  if (i < 0 || check_settings(ofw_methods[i], settings, err) != OFW_OK)
    return NULL;
  ofw_learner *l = calloc(1, sizeof *l);
  if (!l) {
    ofw_fail_memory(err, sizeof *l);
    return NULL;
  }
  l->method = ofw_methods[i];
  if (build(l, K, settings) != OFW_OK) {
    if (err)
      *err = l->err;
    ofw_learner_free(l);
    return NULL;
  }
  return l;
}

ofw_learner *ofw_learner_create(const char *name, const ofw_domain *K, const ofw_learner_settings *settings,
                                ofw_error *err)
{
  if (!name || !K) {
    ofw_fail(err, OFW_USAGE, "a learner needs a name and a domain");
    return NULL;
  }
  if (!settings || settings->size != sizeof *settings || settings->horizon != OFW_HORIZON_AUTO)
    return ofw_learner_build(name, K, settings, err);
  ofw_learner_settings first = *settings;
  first.horizon = ofw_epochs_first();
  int i = ofw_type_find(name, strlen(name), ofw_methods_count, ofw_learner_type, "learner", NULL);
  if (i >= 0 && !ofw_method_anytime(ofw_methods[i]))
    first.terms = OFW_TERMS_DENSE; /* epochs keep all of a decision: no factors, unless they are asked for */
  ofw_learner *l = ofw_learner_build(name, K, &first, err);
  if (l && !ofw_method_anytime(l->method) && ofw_epochs_open(l, name, K, settings) != OFW_OK) {
    if (err)
      *err = l->err;
    ofw_learner_free(l);
    return NULL;
  }
  return l;
}

void ofw_learner_free(ofw_learner *l)
{
  if (!l)
    return;
  if (l->engine)
    l->engine->ops->close(l->engine);
  if (l->work)
    l->K->ops->close(l->work);
  ofw_domain_free(l->K);
  if (l->state && l->method->release)
    l->method->release(l);
  if (l->options)
    ofw_options_free((ofw_options){l->method->type.options, l->options, 0});
  free(l->options);
  free(l->state);
  free(l->probe);
  free(l->anchor);
  free(l->vertex);
  ofw_epochs_close(l->epochs);
  free(l->config);
  free(l);
}

/* ---- play ---- */

/* The message of a failure stays, since the failure does. */
static void clear_error(ofw_learner *l)
{
  if (!l->failed)
    l->err = (ofw_error){0};
}

static ofw_status check_alive(ofw_learner *l)
{
  clear_error(l);
  if (l->failed && !l->err.message[0])
    ofw_fail(&l->err, OFW_NUMERICAL, "%s: it had failed when this state was saved", l->method->type.name);
  return l->failed ? OFW_NUMERICAL : OFW_OK;
}

ofw_status ofw_learner_decide(ofw_learner *l, const ofw_point **x)
{
  OFW_TRY(check_alive(l));
  OFW_TRY(ofw_epochs_advance(l));
  if (l->method->bandit)
    ofw_probe_make(l, l->t + 1);
  l->asked = 1;
  *x = &l->point;
  return OFW_OK;
}

static ofw_status check_values(ofw_learner *l, const ofw_values *v)
{
  if (!isfinite(v->loss))
    return ofw_fail(&l->err, OFW_BAD_DATA, "loss is not a finite number");
  for (size_t i = 0; i < v->constraints; i++)
    if (!isfinite(v->constraint[i]))
      return ofw_fail(&l->err, OFW_BAD_DATA, "constraint: number %zu is not finite", i + 1);
  return OFW_OK;
}

static ofw_status check_gradients(ofw_learner *l, const ofw_full *fb)
{
  OFW_TRY(ofw_sum_check(fb->loss_gradient, l->K->dim, "loss_gradient", &l->err));
  for (size_t i = 0; i < fb->values.constraints; i++) {
    char what[64] = "constraint_gradient";
    if (fb->values.constraints > 1)
      snprintf(what, sizeof what, "constraint_gradient: vector %zu", i + 1);
    OFW_TRY(ofw_sum_check(fb->constraint_gradient[i], l->K->dim, what, &l->err));
  }
  return OFW_OK;
}

static ofw_round combine(const ofw_learner *l, const ofw_values *v)
{
  ofw_round now = {.loss = v->loss, .Q_before = l->Q, .last = v->constraints};
  const double *g = v->constraint;
  if (l->common.constraints == OFW_SUM) {
    for (size_t i = 0; i < now.last; i++)
      now.violation += fmax(g[i], 0.0);
    now.constraint = now.violation;
  } else if (now.last > 0) {
    for (size_t i = 1; i < now.last; i++)
      if (g[i] > g[now.first])
        now.first = i;
    now.last = now.first + 1;
    now.constraint = g[now.first];
    now.violation = fmax(g[now.first], 0.0);
  }
  return now;
}

/* Gradients longer than G void the guarantees, but not the play: they are counted. */
static int is_steep(const ofw_learner *l, const ofw_full *fb)
{
  double limit = ofw_method_anytime(l->method) ? INFINITY : l->G * (1.0 + 1e-9);
  int steep = ofw_sum_norm(fb->loss_gradient) > limit;
  for (size_t i = 0; i < fb->values.constraints; i++)
    steep |= ofw_sum_norm(fb->constraint_gradient[i]) > limit;
  return steep;
}

/* fb is NULL where only numbers were seen. */
static ofw_status observe(ofw_learner *l, const ofw_values *values, const ofw_full *fb)
{
  OFW_TRY(check_alive(l));
  if (l->method->bandit && fb)
    return ofw_fail(&l->err, OFW_USAGE, "%s is a bandit learner: it takes numbers, not gradients",
                    l->method->type.name);
  if (!l->method->bandit && !fb)
    return ofw_fail(&l->err, OFW_USAGE, "%s needs gradients, not numbers alone", l->method->type.name);
  if (!l->asked)
    return ofw_fail(&l->err, OFW_USAGE, "feedback without a decision: ask for round %llu's first",
                    (unsigned long long)l->t + 1);
  OFW_TRY(check_values(l, values));
  if (fb)
    OFW_TRY(check_gradients(l, fb));
  if (fb && l->engine->ops->admit)
    OFW_TRY(l->engine->ops->admit(l->engine, fb, &l->err));
  ofw_round now = combine(l, values);
  now.fb = fb;
  l->asked = 0;
  l->t++;
  l->Q = fmin(l->Q + now.violation, DBL_MAX);
  l->info.steep += fb ? (uint64_t)is_steep(l, fb) : 0;
  if (l->method->bandit)
    ofw_probe_make(l, l->t); /* it is there already, but for a learner loaded since it decided */
  ofw_status st = l->method->observe(l, &now);
  l->failed = st != OFW_OK;
  return st;
}

ofw_status ofw_learner_observe(ofw_learner *l, const ofw_full *feedback)
{
  return observe(l, &feedback->values, feedback);
}

ofw_status ofw_learner_observe_values(ofw_learner *l, const ofw_values *values)
{
  return observe(l, values, NULL);
}

int ofw_learner_is_bandit(const ofw_learner *l)
{
  return l->method->bandit;
}

ofw_status ofw_learner_sample(ofw_learner *l, double *vertex)
{
  OFW_TRY(check_alive(l));
  if (!l->vertex)
    return ofw_fail(&l->err, OFW_UNSUPPORTED, "%s: no vertex is kept; set sample=yes", l->method->type.name);
  memcpy(vertex, l->vertex, l->engine->dim * sizeof *vertex);
  return OFW_OK;
}

ofw_status ofw_learner_info(const ofw_learner *l, ofw_info *info)
{
  if (info->size != sizeof *info)
    return OFW_USAGE;
  *info = l->info;
  info->size = sizeof *info;
  info->round = l->t + 1;
  info->violation = l->Q;
  ofw_counts counts = ofw_counted_read(l->work);
  info->oracle_calls = counts.calls;
  info->oracle_passes = counts.passes;
  info->oracle_seconds = counts.seconds;
  info->projections = counts.projections;
  ofw_storage_report(l, info);
  return OFW_OK;
}

const char *ofw_learner_error(const ofw_learner *l)
{
  return l->err.message;
}

const char *ofw_learner_config(const ofw_learner *l)
{
  return l->config;
}

/* ---- state ---- */

static ofw_status visit(void *object, ofw_visitor *v)
{
  ofw_learner *l = object;
  uint64_t horizon = (uint64_t)l->T;
  OFW_TRY(ofw_visit_u64(v, "horizon", &horizon, 1)); /* first, so that load can look at it */
  OFW_TRY(ofw_visit_u64(v, "since", &l->since, 1));
  OFW_TRY(ofw_visit_u64(v, "t", &l->t, 1));
  OFW_TRY(ofw_visit_f64(v, "Q", &l->Q, 1));
  OFW_TRY(ofw_visit_u64(v, "asked", &l->asked, 1));
  OFW_TRY(ofw_visit_u64(v, "failed", &l->failed, 1));
  OFW_TRY(ofw_visit_f64(v, "log_price", &l->info.log_price, 1));
  OFW_TRY(ofw_visit_f64(v, "log2_guess", &l->info.log2_guess, 1));
  OFW_TRY(ofw_visit_f64(v, "sigma", &l->info.sigma, 1));
  OFW_TRY(ofw_visit_f64(v, "gap", &l->info.gap, 1));
  OFW_TRY(ofw_visit_f64(v, "oracle_error", &l->info.oracle_error, 1));
  uint64_t proven = (uint64_t)l->info.oracle_proven;
  OFW_TRY(ofw_visit_u64(v, "oracle_proven", &proven, 1));
  l->info.oracle_proven = proven != 0;
  OFW_TRY(ofw_visit_u64(v, "steep", &l->info.steep, 1));
  OFW_TRY(ofw_visit_u64(v, "capped", &l->info.capped, 1));
  OFW_TRY(l->method->visit(l, v));
  OFW_TRY(l->engine->ops->visit(l->engine, v));
  OFW_TRY(ofw_visit_u64(v, "steps", &l->steps, 1));
  if (l->vertex)
    OFW_TRY(ofw_visit_f64(v, "vertex", l->vertex, l->engine->dim));
  if (l->anchor)
    OFW_TRY(ofw_visit_f64(v, "anchor", l->anchor, l->engine->dim));
  return l->K->ops->visit(l->work, v);
}

enum { MOST_PARTS = 3 };

/* The learner's walk, before those of what is saved with it. */
static size_t gather(ofw_learner *l, const ofw_saved *more, size_t n, ofw_saved part[MOST_PARTS])
{
  part[0] = (ofw_saved){l, visit, l->config};
  for (size_t i = 0; i < n; i++)
    part[i + 1] = more[i];
  return n + 1;
}

ofw_status ofw_learner_save_with(ofw_learner *l, const ofw_saved *more, size_t n, ofw_state *state, ofw_error *err)
{
  ofw_saved part[MOST_PARTS];
  return ofw_state_save(part, gather(l, more, n, part), state, err);
}

/* A state of another epoch is loaded into a learner of that epoch, which then takes l's place. */
ofw_status ofw_learner_load_with(ofw_learner *l, const ofw_saved *more, size_t n, const ofw_state *state,
                                 ofw_error *err)
{
  ofw_saved part[MOST_PARTS];
  uint64_t horizon;
  ofw_learner *before = NULL;
  if (l->epochs && ofw_state_first(state, "horizon", &horizon) && horizon != (uint64_t)l->T) {
    if (horizon < ofw_epochs_first() || horizon > (uint64_t)1 << 53)
      return ofw_fail(err, OFW_BAD_DATA, "a state of an epoch of %llu rounds", (unsigned long long)horizon);
    OFW_TRY(ofw_epochs_enter(l, horizon, &before, err));
  }
  ofw_status st = ofw_state_load(part, gather(l, more, n, part), state, err);
  if (before)
    ofw_epochs_settle(l, before, st == OFW_OK);
  return st;
}

ofw_status ofw_learner_save(ofw_learner *l, ofw_state *state)
{
  clear_error(l);
  return ofw_learner_save_with(l, NULL, 0, state, l->failed ? NULL : &l->err);
}

ofw_status ofw_learner_load(ofw_learner *l, const ofw_state *state)
{
  ofw_error err = {0};
  ofw_status st = ofw_learner_load_with(l, NULL, 0, state, &err);
  if (st != OFW_OK || !l->failed)
    l->err = err;
  return st;
}
