/* epochs.c — an unknown horizon by doubling: a new learner of twice the horizon takes over the handle
 *
 * It is built by the same function as any other, so methods know nothing of epochs; what goes on is carried over here.
 */
#include "learner/epochs.h"

#include <stdlib.h>
#include <string.h>

struct ofw_epochs {
  ofw_owned own;
  ofw_method_by method; /* kept by the learner of the epoch */
  ofw_domain *K;
  ofw_learner_settings settings; /* options are texts of its own */
};

void ofw_epochs_close(ofw_epochs *e)
{
  if (!e)
    return;
  ofw_domain_free(e->K);
  ofw_owned_free(&e->own);
  free(e);
}

static const char *copy(ofw_epochs *e, const char *text)
{
  return ofw_owned_take(&e->own, ofw_copy_text(text), strlen(text) + 1);
}

/* What makes a learner one epoch of several: where it began, and a word in its configuration. */
static ofw_status make_epoch(ofw_learner *l)
{
  static const char word[] = " epoch=yes";
  size_t length = strlen(l->config);
  if (!l->engine->ops->restart)
    return ofw_fail(&l->err, OFW_UNSUPPORTED,
                    "%s: storage=factored needs a horizon: without one, every epoch stores a whole decision",
                    l->method->type.name);
  char *config = realloc(l->config, length + sizeof word);
  if (!config)
    return ofw_fail_memory(&l->err, length + sizeof word);
  memcpy(config + length, word, sizeof word);
  l->config = config;
  l->anchor_words = l->dim;
  if (!l->anchor)
    l->anchor = ofw_owned_doubles(&l->own, l->dim);
  OFW_TRY(ofw_owned_check(&l->own, &l->err));
  return l->engine->ops->view->dense(l->engine, l->anchor);
}

ofw_status ofw_epochs_open(ofw_learner *l, const ofw_domain *K, const ofw_learner_settings *settings)
{
  ofw_epochs *e = calloc(1, sizeof *e);
  l->epochs = e;
  if (!e)
    return ofw_fail_memory(&l->err, sizeof *e);
  e->K = ofw_domain_keep(K);
  e->settings = *settings;
  e->method = (ofw_method_by){l->method, l->by};
  const char **option = ofw_owned_array(&e->own, settings->options, sizeof *option);
  for (size_t i = 0; option && i < settings->options; i++)
    option[i] = copy(e, settings->option[i]);
  e->settings.option = option;
  OFW_TRY(ofw_owned_check(&e->own, &l->err));
  return make_epoch(l);
}

/* A learner of this horizon, without epochs of its own. */
static ofw_status build(const ofw_epochs *e, uint64_t horizon, ofw_learner **out, ofw_error *err)
{
  ofw_error why = {0};
  ofw_learner_settings s = e->settings;
  s.horizon = horizon;
  ofw_learner *next = ofw_learner_build(e->method, e->K, &s, &why);
  if (next && make_epoch(next) != OFW_OK) {
    why = next->err;
    ofw_learner_free(next);
    next = NULL;
  }
  *out = next;
  return next ? OFW_OK : ofw_fail(err, why.status, "%s", why.message);
}

/* The two handles change places, but for the epochs, which stay with l. No handle points into itself. */
static void swap(ofw_learner *l, ofw_learner *other)
{
  ofw_epochs *epochs = l->epochs;
  ofw_learner kept = *l;
  *l = *other;
  *other = kept;
  l->epochs = epochs;
  other->epochs = NULL;
}

/* What goes on from one epoch to the next. */
static void carry_over(ofw_learner *from, ofw_learner *to)
{
  from->engine->ops->view->dense(from->engine, to->anchor);
  to->engine->ops->restart(to->engine, to->anchor);
  to->t = to->since = from->t;
  to->Q = from->Q;
  to->sigma = from->sigma;
  to->steps = from->steps;
  if (to->open)
    ofw_open_rounds_copy(from->open, to->open);
  to->asked = from->asked;
  if (to->accounts)
    ofw_accounts_move(from->accounts, to->accounts);
  if (to->vertex)
    memcpy(to->vertex, from->vertex, to->dim * sizeof *to->vertex);
  double delta = to->info.delta;
  to->info = from->info;
  to->info.delta = delta;
  ofw_counted_write(to->work, ofw_counted_read(from->work));
}

ofw_status ofw_epochs_advance(ofw_learner *l)
{
  if (!l->epochs || (l->asked && !l->open) || (double)ofw_learner_tau(l) < l->T)
    return OFW_OK;
  ofw_learner *next;
  OFW_TRY(build(l->epochs, 2 * (uint64_t)l->T, &next, &l->err));
  carry_over(l, next);
  swap(l, next);
  ofw_learner_free(next);
  return OFW_OK;
}

ofw_status ofw_epochs_enter(ofw_learner *l, uint64_t horizon, ofw_learner **before, ofw_error *err)
{
  OFW_TRY(build(l->epochs, horizon, before, err));
  swap(l, *before);
  return OFW_OK;
}

void ofw_epochs_settle(ofw_learner *l, ofw_learner *before, int keep)
{
  if (!keep)
    swap(l, before);
  ofw_learner_free(before);
}
