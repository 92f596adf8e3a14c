/* tier_one.c — a learner made from two specs, with decisions and feedback as plain arrays
 *
 * Everything here is made of calls of the second tier (learner.h), so that both play the same rounds: a dense array is one
 * vec, one constraint is a list of one, a file is a checkpoint of the saved state.
 */
#include "learner/method.h"

#include "base/limits.h"
#include "persist/checkpoint.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(size_t) == sizeof(uint64_t), "a row of counts is read into settings.threads");

#define AT(field) offsetof(ofw_learner_settings, field)
#define UNKNOWN   "horizon=auto" /* as the command has it: the default */

/* What a spec may tell a learner beside its own options. The seed is the command's, so that both decide alike. */
static const ofw_option settings_table[] = {
    OFW_COUNT_ROW(AT(horizon), "horizon", "0", NULL, 0, 9007199254740992,
                  "number of rounds to be played; 0: not known"),
    OFW_REAL_ROW(AT(lipschitz), "lipschitz", "0", NULL, 0, 1e300, "bound on the gradients' length"),
    OFW_REAL_ROW(AT(loss_bound), "loss-bound", "0", NULL, 0, 1e300, "bound on the losses; 0: not known"),
    OFW_REAL_ROW(AT(strong_convexity), "strong-convexity", "0", NULL, 0, 1e300, "strong convexity of the losses"),
    OFW_COUNT_ROW(AT(seed), "seed", "1", NULL, 0, 18446744073709551615.0, "seed of all random numbers"),
    OFW_COUNT_ROW(AT(threads), "threads", "1", NULL, 1, OFW_MOST_THREADS,
                  "threads that share the work on large arrays"),
    {0},
};

const ofw_option *ofw_learner_settings_options(void)
{
  return settings_table;
}

static int is_setting(const char *pair, size_t length)
{
  for (const ofw_option *o = settings_table; o->name; o++)
    if (strlen(o->name) < length && strncmp(pair, o->name, strlen(o->name)) == 0 && pair[strlen(o->name)] == '=')
      return 1;
  return 0;
}

/* Reads the settings of "key=value,..."; the other pairs become the options. */
static ofw_status read_pairs(char *pairs, const char **option, ofw_learner_settings *out, const char *name,
                             ofw_error *err)
{
  ofw_options settings = {settings_table, out, 0};
  ofw_options_default(settings);
  out->size = sizeof *out;
  out->option = option;
  while (*pairs) {
    size_t length;
    OFW_TRY(ofw_pair_length(pairs, name, &length, err));
    if (length == strlen(UNKNOWN) && strncmp(pairs, UNKNOWN, length) == 0)
      out->horizon = OFW_HORIZON_AUTO;
    else if (is_setting(pairs, length))
      OFW_TRY(ofw_options_set(&settings, 1, name, pairs, length, err));
    else
      option[out->options++] = pairs;
    pairs += length;
    if (*pairs)
      *pairs++ = 0;
  }
  return OFW_OK;
}

static size_t count_commas(const char *text)
{
  size_t n = 0;
  for (; *text; text++)
    n += *text == ',';
  return n;
}

/* `learner` is cut into its name and its options, for which `option` has room. */
static ofw_learner *create(char *learner, const char **option, const ofw_domain *K, ofw_error *err)
{
  ofw_learner_settings settings = {0};
  char *pairs = learner + strcspn(learner, ":");
  if (*pairs)
    *pairs++ = 0;
  if (read_pairs(pairs, option, &settings, learner, err) != OFW_OK)
    return NULL;
  return ofw_learner_create_over(learner, K, &settings, err);
}

ofw_learner *ofw_learner_create_spec(const char *learner, const ofw_domain *K, ofw_error *err)
{
  ofw_learner *l = NULL;
  char *copy = ofw_copy_text(learner);
  const char **option = ofw_array(count_commas(learner) + 1, sizeof *option);
  if (copy && option)
    l = create(copy, option, K, err);
  else
    ofw_fail_memory(err, strlen(learner));
  free((void *)(uintptr_t)option);
  free(copy);
  return l;
}

ofw_learner *ofw_learner_create(const char *learner, const char *domain, ofw_error *err)
{
  if (!learner || !domain) {
    ofw_fail(err, OFW_USAGE, "expected two specs, a learner's and a domain's, found NULL");
    return NULL;
  }
  ofw_domain *K = ofw_domain_create(domain, err);
  ofw_learner *l = K ? ofw_learner_create_spec(learner, K, err) : NULL;
  ofw_domain_free(K);
  return l;
}

size_t ofw_learner_dim(const ofw_learner *l)
{
  return l->engine->dim;
}

ofw_status ofw_learner_ask(ofw_learner *l, double *x)
{
  const ofw_point *point;
  OFW_TRY(ofw_learner_decide(l, &point));
  ofw_status st = ofw_point_dense(point, x);
  if (st == OFW_UNSUPPORTED)
    return ofw_fail(&l->err, st, "%s: the decision's %zu numbers are too many to write out; use ofw_learner_decide",
                    l->method->type.name, l->engine->dim);
  return st == OFW_OK ? st : ofw_fail_memory(&l->err, l->engine->dim * sizeof *x);
}

/* The words stay those of a failure, since the failure does. */
static ofw_error *error_of(ofw_learner *l)
{
  return l->failed ? NULL : &l->err;
}

/* round is NULL if none is named. */
static ofw_status tell(ofw_learner *l, const uint64_t *round, double loss, const double *gradient, double constraint,
                       const double *constraint_gradient)
{
  if (!gradient && !l->method->bandit)
    return ofw_fail(error_of(l), OFW_USAGE, "%s: the gradient of the loss is missing", l->method->type.name);
  if (!constraint_gradient && !(constraint <= 0.0))
    return ofw_fail(error_of(l), OFW_USAGE, "%s: constraint=%g is violated and its gradient is missing",
                    l->method->type.name, constraint);
  const ofw_vec df = ofw_vec_dense(l->engine->dim, gradient), dg = ofw_vec_dense(l->engine->dim, constraint_gradient);
  const ofw_sum constraint_sum = {1, &dg};
  const ofw_full fb = {{loss, constraint_gradient != NULL, &constraint}, {1, &df}, &constraint_sum};
  return round ? ofw_learner_observe_round(l, *round, &fb) : ofw_learner_observe(l, &fb);
}

ofw_status ofw_learner_tell(ofw_learner *l, double loss, const double *gradient, double constraint,
                            const double *constraint_gradient)
{
  return tell(l, NULL, loss, gradient, constraint, constraint_gradient);
}

ofw_status ofw_learner_tell_round(ofw_learner *l, uint64_t round, double loss, const double *gradient,
                                  double constraint, const double *constraint_gradient)
{
  return tell(l, &round, loss, gradient, constraint, constraint_gradient);
}

ofw_status ofw_learner_tell_values(ofw_learner *l, double loss, double constraint)
{
  return ofw_learner_observe_values(l, &(ofw_values){loss, 1, &constraint});
}

ofw_status ofw_learner_save(ofw_learner *l, const char *path)
{
  ofw_state state = {0};
  ofw_status st = ofw_learner_save_state(l, &state);
  if (st == OFW_OK)
    st = ofw_checkpoint_write(&ofw_real_disk, path, &state, "ofw " OFW_VERSION "\n", error_of(l));
  ofw_state_free(&state);
  return st;
}

ofw_status ofw_learner_load(ofw_learner *l, const char *path)
{
  ofw_checkpoint found = {0};
  ofw_error err = {0};
  ofw_status st = ofw_checkpoint_read(&ofw_real_disk, path, &found, &err);
  if (st == OFW_OK)
    st = ofw_learner_load_state(l, &found.state);
  else if (!l->failed)
    l->err = err;
  ofw_checkpoint_free(&found);
  return st;
}
