/* play.c — one play of an experiment, in this process
 *
 * A worker calls this for one play after the other, so everything that a play makes is freed at its end and nothing is
 * remembered between two plays. The messages of failed plays are those of 'ofw run': results databases keep them.
 */
#include "lab/play.h"

#include "base/option_table.h"
#include "base/plain.h"
#include "lab/scale.h"
#include "lab/tune.h"
#include "run/metrics.h"
#include "run/run_state.h"
#include "stream/generator.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- settings ---- */

/* What every learner takes beside its own options. */
static const struct {
  const char *key;
  size_t offset;
} settings[] = {{"horizon", offsetof(ofw_learner_settings, horizon)},
                {"lipschitz", offsetof(ofw_learner_settings, lipschitz)},
                {"loss-bound", offsetof(ofw_learner_settings, loss_bound)},
                {"strong-convexity", offsetof(ofw_learner_settings, strong_convexity)}};

/* Its place in the table; -1: there is none. */
static int find_setting(const char *key)
{
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
    if (strcmp(settings[i].key, key) == 0)
      return (int)i;
  return -1;
}

static ofw_status read_setting(int which, const char *value, ofw_learner_settings *out, ofw_error *err)
{
  const char *key = settings[which].key;
  void *at = (char *)out + settings[which].offset;
  if (strcmp(key, "horizon") != 0)
    return ofw_read_real(value, at) ? OFW_OK : ofw_fail(err, OFW_USAGE, "%s=%.80s is not a finite number", key, value);
  out->horizon = OFW_HORIZON_AUTO;
  if (strcmp(value, "auto") == 0 || (ofw_read_count(value, at) == 1 && out->horizon != OFW_HORIZON_AUTO))
    return OFW_OK;
  return ofw_fail(err, OFW_USAGE, "horizon=%.80s: expected a whole number >= 1 or 'auto'", value);
}

/* An option as the learner itself will read it; NULL: as any will. */
static ofw_status check_option(const ofw_type *type, const char *pair, ofw_error *err)
{
  static const ofw_option none[] = {{0}};
  ofw_options own[] = {{.table = type ? type->options : none}, {.table = ofw_learner_common_options()}};
  ofw_status st = OFW_OK;
  for (size_t i = 0; i < 2; i++)
    if (!(own[i].values = calloc(1, ofw_options_size(own[i].table))))
      st = ofw_fail_memory(err, ofw_options_size(own[i].table));
  if (st == OFW_OK)
    st = ofw_options_set(own, 2, type ? type->name : "every learner", pair, strlen(pair), err);
  for (size_t i = 0; i < 2; i++) {
    if (own[i].values)
      ofw_options_free(own[i]);
    free(own[i].values);
  }
  return st;
}

ofw_status lab_setting_check(const ofw_type *learner, const char *key, const char *value, ofw_error *err)
{
  ofw_text pair = {0};
  ofw_learner_settings read;
  if (find_setting(key) >= 0)
    return read_setting(find_setting(key), value, &read, err);
  ofw_text_add(&pair, "%s=%s", key, value);
  ofw_status st = pair.failed ? ofw_fail_memory(err, strlen(value)) : check_option(learner, pair.chars, err);
  free(pair.chars);
  return st;
}

static int is_alpha(const char *name)
{
  return strcmp(name, "strong-convexity") == 0;
}

static ofw_status refuse_constant(const ofw_type *learner, const char *name, ofw_error *err)
{
  return ofw_fail(err, OFW_USAGE, "%s: %s is not a number, so it cannot be tuned", learner->name, name);
}

ofw_status lab_constant_check(const ofw_type *learner, const char *name, ofw_error *err)
{
  const ofw_option *const table[] = {learner->options, ofw_learner_common_options()};
  if (is_alpha(name))
    return OFW_OK;
  for (size_t i = 0; i < 2; i++)
    for (const ofw_option *o = table[i]; o->name; o++)
      if (strcmp(o->name, name) == 0)
        return o->kind == OFW_REAL ? OFW_OK : refuse_constant(learner, name, err);
  return find_setting(name) >= 0 ? refuse_constant(learner, name, err) : lab_setting_check(learner, name, "", err);
}

/* ---- what is made for a play ---- */

typedef struct game {
  ofw_domain *K;
  ofw_stream *s;
  ofw_learner *l;
  ofw_run *run;
  ofw_learner_settings settings;
  lab_options options;
} game;

static void close_game(game *g)
{
  ofw_run_free(g->run);
  ofw_learner_free(g->l);
  ofw_stream_free(g->s);
  ofw_domain_free(g->K);
}

/* What the experiment says goes before what the stream knows. */
static ofw_status read_settings(const lab_arm *arm, const results_cell *c, game *g, ofw_error *err)
{
  const ofw_constants *known = ofw_stream_constants(g->s);
  const ofw_promise *p = lab_promise(arm->player->own, arm->player->learner);
  int told = p && p->anytime;
  g->settings = (ofw_learner_settings){.size = sizeof g->settings,
                                       .horizon = c->rounds,
                                       .lipschitz = known->lipschitz,
                                       .loss_bound = known->loss_bound,
                                       .strong_convexity = known->strong_convexity,
                                       .seed = c->seed,
                                       .threads = 1,
                                       .terms = known->terms};
  for (size_t i = 0; i < arm->player->axes; i++) {
    const char *key = arm->player->axis[i].key, *pair = arm->option[i];
    told |= strcmp(key, "lipschitz") == 0;
    if (find_setting(key) >= 0)
      OFW_TRY(read_setting(find_setting(key), pair + strlen(key) + 1, &g->settings, err));
    else
      OFW_TRY(lab_options_add(&g->options, pair, err));
  }
  if (!told && known->lipschitz == 0.0)
    return ofw_fail(err, OFW_USAGE, "the stream does not know its Lipschitz constant; give it by --lipschitz G");
  return OFW_OK;
}

static ofw_status make_learner(const lab_arm *arm, game *g, ofw_error *err)
{
  g->settings.options = g->options.sets;
  g->settings.option = g->options.set;
  ofw_learner_free(g->l);
  g->l = ofw_registry_learner(arm->player->own, arm->player->learner, ofw_stream_domain(g->s), &g->settings, err);
  return g->l ? OFW_OK : err->status;
}

/* Once more if a factor is not 1, with that multiple of what the learner had. */
static ofw_status scale_learner(const lab_arm *arm, const results_cell *c, game *g, ofw_error *err)
{
  const char *learner = arm->player->learner, *const *constant = arm->player->constant;
  OFW_TRY(make_learner(arm, g, err));
  if (c->factor[0] == 1.0 && c->factor[1] == 1.0)
    return OFW_OK;
  if (!constant[0])
    return ofw_fail(err, OFW_USAGE, "%s has no constants to tune", learner);
  for (size_t k = 0; k < 2; k++)
    if (c->factor[k] != 1.0 && is_alpha(constant[k]))
      g->settings.strong_convexity *= c->factor[k];
    else if (c->factor[k] != 1.0)
      OFW_TRY(lab_options_scale(&g->options, k, learner, ofw_learner_config(g->l), constant[k], c->factor[k], err));
  return make_learner(arm, g, err);
}

static ofw_status open_game(const lab_arm *arm, const results_cell *c, game *g, ofw_error *err)
{
  const lab_source *from = arm->source;
  if (from->domain && !(g->K = ofw_registry_domain(from->own, from->domain, err)))
    return err->status;
  g->s = ofw_stream_create(from->spec, g->K, c->rounds, c->seed, err);
  if (!g->s)
    return err->status;
  OFW_TRY(read_settings(arm, c, g, err));
  OFW_TRY(scale_learner(arm, c, g, err));
  g->run = ofw_run_create(g->l, g->s, err);
  return g->run ? OFW_OK : err->status;
}

/* Every resolved setting: the learner's line, the stream's, its note. */
static ofw_status read_config(const game *g, char **out, ofw_error *err)
{
  const char *note = ofw_stream_note(g->s), *line[] = {ofw_learner_config(g->l), ofw_stream_config(g->s), note};
  ofw_text text = {0};
  for (size_t i = 0; i < (*note ? 3 : 2); i++) {
    char *plain = ofw_copy_text(line[i]);
    ofw_make_plain(plain, "\t");
    ofw_text_add(&text, "%s%s%s", i ? "\n" : "", i == 2 ? "note=" : "", plain ? plain : "");
    text.failed |= !plain;
    free(plain);
  }
  *out = text.failed ? NULL : text.chars;
  if (text.failed)
    free(text.chars);
  return text.failed ? ofw_fail_memory(err, text.room) : OFW_OK;
}

ofw_status lab_play_config(const lab_arm *arm, const results_cell *cell, char **out, ofw_error *err)
{
  game g = {0};
  ofw_status st = open_game(arm, cell, &g, err);
  *out = NULL;
  if (st == OFW_OK)
    st = read_config(&g, out, err);
  close_game(&g);
  return st;
}

/* ---- the rounds ---- */

typedef struct watch {
  ofw_account account;
  uint64_t every; /* 0: none is kept */
  lab_outcome *out;
} watch;

static int on_round(void *ctx, const ofw_trace_row *row)
{
  watch *w = ctx;
  ofw_account_add(&w->account, row);
  if (w->every && ofw_trace_due(w->every, row->round, w->out->cell.rounds))
    w->out->point[w->out->points++] = *row;
  return 0;
}

/* Every n-th round and the last, so that there are about `series`. */
static ofw_status begin_series(watch *w, uint64_t series, ofw_error *err)
{
  uint64_t rounds = w->out->cell.rounds;
  if (w->out->cell.tune)
    return OFW_OK;
  w->every = lab_series_every(rounds, series);
  size_t most = (size_t)((rounds + w->every - 1) / w->every);
  w->out->point = ofw_array(most, sizeof *w->out->point);
  return w->out->point ? OFW_OK : ofw_fail_memory(err, most * sizeof *w->out->point);
}

/* ---- what came of it ---- */

void lab_outcome_free(lab_outcome *o)
{
  free(o->cell.config);
  free(o->cell.error);
  free(o->point);
  *o = (lab_outcome){0};
}

ofw_status lab_outcome_fail(lab_outcome *o, int code, const char *why, ofw_error *err)
{
  results_cell c = o->cell;
  c.config = NULL;
  c.error = ofw_copy_text(why);
  c.exit_code = code;
  c.loss = c.regret = c.ccv = c.soft_violation = c.held_out_rmse = c.G = c.D = c.seconds = NAN;
  c.interval_regret = c.dynamic_regret = NAN;
  c.oracle_calls = c.passes = c.projections = c.interval_first = c.interval_last = 0;
  ofw_make_plain(c.error, "\t"); /* a file's name may be in it, which may be any bytes */
  lab_outcome_free(o);
  o->cell = c;
  return c.error ? OFW_OK : ofw_fail_memory(err, strlen(why));
}

static double finite_or_nan(double x)
{
  return isfinite(x) ? x : NAN;
}

static void sum_up(const game *g, const ofw_metrics *m, results_cell *c)
{
  double G = ofw_stream_constants(g->s)->lipschitz;
  ofw_info info = {.size = sizeof info};
  ofw_learner_info(g->l, &info);
  c->G = finite_or_nan(G > 0.0 ? G : g->settings.lipschitz);
  c->D = finite_or_nan(2.0 * ofw_stream_domain(g->s)->R);
  c->held_out_rmse = NAN; /* and so it stays if nothing is held out */
  ofw_run_held_out(g->run, &c->held_out_rmse);
  c->held_out_rmse = finite_or_nan(c->held_out_rmse);
  c->projections = info.projections;
  c->loss = m->loss;
  c->regret = m->regret;
  c->ccv = m->ccv;
  c->soft_violation = m->soft_violation;
  c->interval_regret = m->interval_regret;
  c->interval_first = m->interval_first;
  c->interval_last = m->interval_last;
  c->dynamic_regret = m->dynamic_regret;
  c->oracle_calls = m->oracle_calls;
  c->passes = m->passes;
  c->seconds = m->seconds;
}

static ofw_status play(const lab_arm *arm, game *g, uint64_t series, lab_outcome *out, ofw_error *err)
{
  watch w = {.out = out};
  OFW_TRY(open_game(arm, &out->cell, g, err));
  OFW_TRY(read_config(g, &out->cell.config, err)); /* now: a learner that restarts changes its own */
  OFW_TRY(begin_series(&w, series, err));
  ofw_account_begin(&w.account);
  ofw_status st = ofw_run_play(g->run, out->cell.rounds, on_round, &w);
  if (st != OFW_OK)
    return ofw_fail(err, st, "%s", ofw_run_error(g->run));
  sum_up(g, &w.account.so_far, &out->cell);
  return OFW_OK;
}

/* An outcome that is whole, or why it is none. */
static ofw_status settle(lab_outcome *out, ofw_status st, const ofw_error *why, ofw_error *err)
{
  /* as the command's; a stream that ends early has too little data */
  static const int code[] = {
      [OFW_FAILED] = 1, [OFW_USAGE] = 2, [OFW_UNSUPPORTED] = 2, [OFW_BAD_DATA] = 3, [OFW_END] = 3, [OFW_NUMERICAL] = 4};
  return st == OFW_OK ? st : lab_outcome_fail(out, code[st], why->message, err);
}

ofw_status lab_play(const lab_arm *arm, const results_cell *cell, uint64_t series, lab_outcome *out, ofw_error *err)
{
  game g = {0};
  ofw_error why = {0};
  *out = (lab_outcome){.cell = *cell};
  ofw_status st = play(arm, &g, series, out, &why);
  close_game(&g);
  return settle(out, st, &why, err);
}

ofw_status lab_play_nothing(const lab_arm *arm, const results_cell *cell, lab_outcome *out, ofw_error *err)
{
  ofw_error why = {0};
  *out = (lab_outcome){.cell = *cell};
  return settle(out, lab_play_config(arm, cell, &out->cell.config, &why), &why, err);
}
