/* learner_handle.c — the handle of a learner: made from settings, described, freed
 *
 * All that can be refused is refused here, before the first round: settings, options, what a method asks of its domain.
 * learner_play.c plays its rounds, learner_state.c saves and loads it.
 */
#include "learner/method.h"

#include "base/threads.h"
#include "learner/epochs.h"
#include "learner/hint.h"
#include "learner/own_method.h"
#include "learner/probe.h"
#include "learner/projected.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const ofw_option common_options[] = {
    OFW_CHOICE_ROW(
        offsetof(ofw_common, constraints), "constraints", "max", NULL, "max|sum|each|budgets",
        "how several constraints per round count. max: the largest; sum: the sum of the positive parts (G must then "
        "bound the sum's gradient); each: every constraint has its own price, by its own violation; budgets: its own "
        "price by its signed sum, so that one round may spend what another saved. each and budgets know a constraint "
        "by its place in the list and work with ofw-ada and ofw-tvc"),
    OFW_REAL_ROW(offsetof(ofw_common, oracle_tolerance), "oracle-tolerance", NULL,
                 "the smallest of 1e-2, (1e-3/sigma)^2 for a step sigma, and what the analysis allows", 1e-15, 1,
                 "relative accuracy of an iterative oracle's <d, v>; the trace has a bound on the error, oracle_error"),
    OFW_CHOICE_ROW(offsetof(ofw_common, sample), "sample", "no", NULL, "no|yes",
                   "yes: keep a random vertex of the domain whose expectation is the decision, for ofw_learner_sample"),
    OFW_CHOICE_ROW(offsetof(ofw_common, start), "start", NULL, "zero", "zero|vertex",
                   "the first decision. zero: the origin, or the set's centre if the origin is not in the set or the "
                   "learner probes; vertex: a vertex drawn by the seed (bandit learners: of the shrunk set), whose "
                   "oracle call is not counted"),
    OFW_CHOICE_ROW(
        offsetof(ofw_common, storage), "storage", NULL,
        "factored if the matrix is large and its gradients are known to be sparse or of rank one, or if it "
        "would not fit into memory; else double",
        "double|float|factored|cuda|cuda-float",
        "how a learner over matrices stores its numbers. double: as doubles; float: as floats, in half the "
        "memory and with about 7 digits (docs/algorithms.md); factored: as factors, "
        "never the whole matrix (docs/scale.md); cuda, cuda-float: as doubles or floats on a GPU (docs/gpu.md)"),
    OFW_COUNT_ROW(offsetof(ofw_common, rank), "rank", NULL, "factored: 2^25 / (rows + cols), 128 to 512", 1,
                  OFW_MOST_BASIS,
                  "storage=factored: the most vectors per side, rows and columns, after a compression; the account has "
                  "the error of the compression"),
    OFW_COUNT_ROW(offsetof(ofw_common, period), "period", NULL, "none: one account for all rounds", 2, OFW_MOST_ROUNDS,
                  "constraints=budgets: every budget restarts after so many rounds; savings and overspending are "
                  "spread over the remaining rounds"),
    OFW_COUNT_ROW(offsetof(ofw_common, delay), "delay", NULL, "none: feedback comes before the next decision", 1,
                  OFW_MOST_DELAY,
                  "feedback may come late, in any order: the most decisions that may still be without it when the next "
                  "one is asked for. Every feedback names its round. Works with ofw-ada and ofw-tvc"),
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

static ofw_status check_settings(const ofw_method *m, const ofw_learner_settings *s, ofw_error *err)
{
  const char *name = m->type.name;
  if (!ofw_method_anytime(m) && (!(s->lipschitz > 0.0) || !isfinite(s->lipschitz)))
    return ofw_fail(err, OFW_USAGE, "%s: the Lipschitz constant is %g, expected a number above 0; set lipschitz", name,
                    s->lipschitz);
  if (!(s->strong_convexity >= 0.0) || !isfinite(s->strong_convexity))
    return ofw_fail(err, OFW_USAGE, "%s: the strong convexity is %g, expected 0 or more", name, s->strong_convexity);
  if (s->threads > OFW_MOST_THREADS)
    return ofw_fail(err, OFW_USAGE, "%s: %zu threads, expected at most %d", name, s->threads, OFW_MOST_THREADS);
  if (!(s->loss_bound >= 0.0) || !isfinite(s->loss_bound))
    return ofw_fail(err, OFW_USAGE, "%s: the loss bound is %g, expected 0 or more", name, s->loss_bound);
  return OFW_OK;
}

static ofw_status read_options(ofw_learner *l, const ofw_learner_settings *s)
{
  const char *name = l->method->type.name;
  ofw_options o[] = {{l->method->type.options, l->options, 0}, {common_options, &l->common, 0}};
  ofw_options_default(o[0]);
  ofw_options_default(o[1]);
  for (size_t i = 0; i < s->options; i++)
    OFW_TRY(ofw_options_set(o, 2, name, s->option[i], strlen(s->option[i]), &l->err));
  OFW_TRY(ofw_options_require(o[0], name, &l->err));
  if (l->common.start == OFW_START_ZERO)
    l->common.start = -1; /* not a part of the configuration: states from before there was a choice still load */
  return OFW_OK;
}

ofw_status ofw_learner_open_accounts(ofw_learner *l, double gain, int sums)
{
  const ofw_common *c = &l->common;
  int credit = c->constraints == OFW_BUDGETS;
  if (c->constraints < OFW_EACH)
    return OFW_OK;
  l->accounts = ofw_owned_array(&l->own, 1, sizeof *l->accounts);
  if (l->accounts)
    *l->accounts =
        (ofw_accounts){.credit = credit, .period = c->period, .gain = gain, .wide = credit && sums ? l->dim : 0};
  return ofw_owned_check(&l->own, &l->err);
}

static ofw_status check_constraints(ofw_learner *l)
{
  const ofw_common *c = &l->common;
  const char *name = l->method->type.name;
  if (c->constraints >= OFW_EACH && !l->method->accounts)
    return ofw_fail(&l->err, OFW_UNSUPPORTED, "%s: constraints=%s works only with ofw-ada and ofw-tvc", name,
                    c->constraints == OFW_EACH ? "each" : "budgets");
  if (c->period && c->constraints != OFW_BUDGETS)
    return ofw_fail(&l->err, OFW_USAGE, "%s: period needs constraints=budgets", name);
  return OFW_OK;
}

static ofw_status open_rounds(ofw_learner *l)
{
  const char *name = l->method->type.name;
  size_t most = l->common.delay + 1;
  if (l->common.delay == 0)
    return OFW_OK;
  if (!l->method->delays)
    return ofw_fail(&l->err, OFW_UNSUPPORTED, "%s: delay works only with ofw-ada and ofw-tvc", name);
  if (l->common.period)
    return ofw_fail(&l->err, OFW_USAGE, "%s: delay does not work with period: late feedback belongs to no period",
                    name);
  l->open = ofw_owned_array(&l->own, 1, sizeof *l->open);
  ofw_open_round *list = ofw_owned_array(&l->own, most, sizeof *list);
  OFW_TRY(ofw_owned_check(&l->own, &l->err));
  *l->open = (ofw_open_rounds){.most = most, .list = list, .near = INFINITY};
  return OFW_OK;
}

static ofw_status describe(ofw_learner *l, const ofw_domain *K)
{
  ofw_text text = {0};
  char content[32] = "", revision[32] = "", plugin[32] = "", G[OFW_REAL_TEXT], M[OFW_REAL_TEXT], alpha[OFW_REAL_TEXT];
  if (K->content)
    snprintf(content, sizeof content, " domain-content=%08lx", (unsigned long)K->content);
  if (l->method->revision)
    snprintf(revision, sizeof revision, " revision=%u", l->method->revision);
  if (ofw_own_method_content(l->by))
    snprintf(plugin, sizeof plugin, " plugin=%08lx", (unsigned long)ofw_own_method_content(l->by));
  ofw_text_add(&text,
               "learner=%s%s%s domain=%s%s horizon=%.0f lipschitz=%s loss-bound=%s strong-convexity=%s seed=%llu",
               l->method->type.name, revision, plugin, K->spec, content, l->T, ofw_print_real(l->G, G),
               ofw_print_real(l->M, M), ofw_print_real(l->alpha, alpha), (unsigned long long)l->seed);
  ofw_options_print((ofw_options){l->method->type.options, l->options, 0}, &text);
  ofw_options_print((ofw_options){common_options, &l->common, 0}, &text);
  l->config = text.chars;
  return text.failed ? ofw_fail_memory(&l->err, text.length) : OFW_OK;
}

/* The set that the oracle is asked about: K itself, or pulled in by delta/r so that the probe stays in K; counted. */
static ofw_status open_domain(ofw_learner *l, const ofw_domain *K)
{
  ofw_domain *inner = l->probe ? ofw_domain_create_shrunk(K, 1.0 - l->delta / l->r, &l->err) : ofw_domain_keep(K);
  if (!inner)
    return l->err.status;
  l->K = ofw_domain_create_counted(inner, &l->err);
  ofw_domain_free(inner);
  if (!l->K)
    return l->err.status;
  l->shrunk = l->probe ? inner : NULL;
  OFW_TRY(l->K->ops->open(l->K, l->seed, &l->work, &l->err));
  return l->projects ? ofw_projected_open(l) : OFW_OK;
}

static ofw_status open_probe(ofw_learner *l, const ofw_domain *K)
{
  if (!(K->r > 0.0))
    return ofw_fail(&l->err, OFW_USAGE,
                    "%s: no ball around the centre of %.200s is known to lie inside it, so there is no room to probe; "
                    "choose another set",
                    l->method->type.name, K->spec);
  l->from_centre = 1;
  return ofw_probe_open(l, K);
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
  l->dim = K->dim;
  l->n = (double)(K->dim - K->normals);
  l->seed = s->seed;
  l->from_centre = K->from_centre;
  l->info.log2_guess = l->info.regret_bound = l->info.ccv_bound = l->info.bound_failure = NAN;
  l->options = ofw_owned_doubles(&l->own, l->method->options_size / sizeof(double) + 1);
  l->state = ofw_owned_doubles(&l->own, l->method->state_size / sizeof(double) + 1);
  OFW_TRY(ofw_owned_check(&l->own, &l->err));
  if (l->method->bandit && !l->by)
    OFW_TRY(open_probe(l, K));
  OFW_TRY(read_options(l, s));
  OFW_TRY(check_constraints(l));
  OFW_TRY(open_rounds(l));
  if (l->by)
    OFW_TRY(ofw_own_method_open(l, K));
  OFW_TRY(l->method->start(l));
  if (l->by && l->delta > 0.0) /* of a caller's method only start knows whether it probes */
    OFW_TRY(open_probe(l, K));
  OFW_TRY(ofw_storage_choose(l, K, s->terms));
  OFW_TRY(ofw_options_check((ofw_options){l->method->type.options, l->options, 0}, name, &l->err));
  OFW_TRY(open_domain(l, K));
  OFW_TRY(describe(l, K));
  OFW_TRY(ofw_storage_open(l, K, s->threads));
  l->point.at = l->engine;
  l->info.delta = l->delta;
  if (!l->common.sample)
    return OFW_OK;
  l->vertex = ofw_owned_doubles(&l->own, K->dim);
  return ofw_owned_check(&l->own, &l->err);
}

static ofw_learner *refuse(ofw_learner *l, ofw_error *err)
{
  if (err)
    *err = l->err;
  ofw_learner_free(l);
  return NULL;
}

ofw_learner *ofw_learner_build(ofw_method_by method, const ofw_domain *K, const ofw_learner_settings *settings,
                               ofw_error *err)
{
  if (check_settings(method.of, settings, err) != OFW_OK)
    return NULL;
  ofw_learner *l = calloc(1, sizeof *l);
  if (!l) {
    ofw_fail_memory(err, sizeof *l);
    return NULL;
  }
  l->method = method.of;
  l->by = ofw_own_method_keep(method.by);
  return build(l, K, settings) == OFW_OK ? l : refuse(l, err);
}

/* A learner that was built, at its first decision. */
static ofw_learner *begin(ofw_learner *l, ofw_error *err)
{
  return !l || ofw_learner_begin(l) == OFW_OK ? l : refuse(l, err);
}

ofw_method_by ofw_method_find(const char *name, ofw_error *err)
{
  int i = ofw_type_find(name, strlen(name), ofw_methods_count, ofw_learner_type, "learner", err);
  return (ofw_method_by){.of = i < 0 ? NULL : ofw_methods[i]};
}

ofw_learner *ofw_learner_create_by(ofw_method_by method, const ofw_domain *K, const ofw_learner_settings *given,
                                   ofw_error *err)
{
  ofw_learner_settings settings;
  if (ofw_take_sized(&settings, sizeof settings, given, "ofw_learner_settings", err) != OFW_OK)
    return NULL;
  if (settings.horizon != OFW_HORIZON_AUTO)
    return begin(ofw_learner_build(method, K, &settings, err), err);
  ofw_learner_settings first = settings;
  first.horizon = OFW_FIRST_EPOCH;
  if (!ofw_method_anytime(method.of))
    first.terms = OFW_TERMS_DENSE; /* epochs keep all of a decision: no factors, unless they are asked for */
  ofw_learner *l = begin(ofw_learner_build(method, K, &first, err), err);
  if (l && !ofw_method_anytime(l->method) && ofw_epochs_open(l, K, &settings) != OFW_OK)
    return refuse(l, err);
  return l;
}

ofw_learner *ofw_learner_create_over(const char *name, const ofw_domain *K, const ofw_learner_settings *given,
                                     ofw_error *err)
{
  ofw_learner_settings settings;
  if (!name || !K) {
    ofw_fail(err, OFW_USAGE, "expected a learner's name and a domain, found NULL");
    return NULL;
  }
  if (ofw_take_sized(&settings, sizeof settings, given, "ofw_learner_settings", err) != OFW_OK)
    return NULL; /* before the name is looked up */
  ofw_method_by method = ofw_method_find(name, err);
  return method.of ? ofw_learner_create_by(method, K, given, err) : NULL;
}

void ofw_learner_free(ofw_learner *l)
{
  if (!l)
    return;
  if (l->method->stop)
    l->method->stop(l);
  if (l->engine)
    l->engine->ops->close(l->engine);
  if (l->work)
    l->K->ops->close(l->work);
  ofw_domain_free(l->K);
  if (l->options)
    ofw_options_free((ofw_options){l->method->type.options, l->options, 0});
  if (l->accounts)
    ofw_accounts_close(l->accounts);
  ofw_owned_free(&l->own);
  ofw_epochs_close(l->epochs);
  ofw_hint_close(l->hinted);
  ofw_own_method_free(l->by); /* last: what is above reads the method's tables */
  free(l->config);
  free(l);
}

ofw_status ofw_learner_info(ofw_learner *l, ofw_info *out)
{
  ofw_info info;
  OFW_TRY(ofw_take_sized(&info, sizeof info, out, "ofw_info", l->failed ? NULL : &l->err));
  info = l->info;
  info.size = out->size;
  info.open = l->open ? l->open->count : l->asked;
  info.round = l->t + 1 + (l->open ? l->open->count : 0);
  info.violation = l->Q;
  info.sigma = l->sigma;
  ofw_counts counts = ofw_counted_read(l->work);
  info.oracle_calls = counts.calls;
  info.oracle_passes = counts.passes;
  info.oracle_seconds = counts.seconds;
  info.projections = counts.projections;
  ofw_storage_report(l, &info);
  memcpy(out, &info, info.size);
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
