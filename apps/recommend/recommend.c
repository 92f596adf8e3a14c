/* recommend.c — the public interface, ofw/recommend.h: a spec, errors on the handle, files
 *
 * Everything here is made of calls of recommender.h, so that a program and `ofw recommend` predict alike.
 */
#include "recommender.h"

#include "base/limits.h"
#include "persist/checkpoint.h"

#include <stdio.h>
#include <stdlib.h>

struct ofw_recommender {
  recommender_settings s;
  recommender *r;
  ofw_error err; /* of the last call */
};

/* What a spec has beside the constants. */
typedef struct shape {
  uint64_t users, items;
  double lowest, highest;
  uint64_t seed;
} shape;

#define AT(field) offsetof(shape, field)
static const ofw_option shape_table[] = {
    OFW_COUNT_ROW(AT(users), "users", NULL, NULL, 1, OFW_MOST_SIDE, "how many there are"),
    OFW_COUNT_ROW(AT(items), "items", NULL, NULL, 1, OFW_MOST_SIDE, "how many there are"),
    OFW_REAL_ROW(AT(lowest), "lowest", "1", NULL, -1e100, 1e100, "lowest rating of the scale"),
    OFW_REAL_ROW(AT(highest), "highest", "5", NULL, -1e100, 1e100, "highest rating of the scale"),
    OFW_COUNT_ROW(AT(seed), "seed", "1", NULL, 0, 18446744073709551615.0, "of the oracle's start vectors"),
    {0},
};
static const char owner[] = "recommender", kept_as[] = "ofw_recommender"; /* the latter: in files */

/* ---- making one ---- */

static ofw_status read_spec(const char *spec, recommender_settings *s, ofw_error *err)
{
  shape given;
  *s = (recommender_settings){0};
  ofw_options o[] = {{shape_table, &given, 0}, {recommender_options, &s->constants, 0}};
  ofw_options_default(o[0]);
  ofw_options_default(o[1]);
  OFW_TRY(ofw_options_set_all(o, 2, owner, spec, err));
  OFW_TRY(ofw_options_require(o[0], owner, err));
  s->users = (size_t)given.users;
  s->items = (size_t)given.items;
  s->lowest = given.lowest;
  s->highest = given.highest;
  s->seed = given.seed;
  return OFW_OK;
}

ofw_recommender *ofw_recommender_create(const char *spec, ofw_error *err)
{
  recommender_settings s;
  if (!spec) {
    ofw_fail(err, OFW_USAGE, "%s: expected a spec such as users=943,items=1682, found none", owner);
    return NULL;
  }
  if (read_spec(spec, &s, err) != OFW_OK)
    return NULL;
  ofw_recommender *h = calloc(1, sizeof *h);
  if (!h) {
    ofw_fail_memory(err, sizeof *h);
    return NULL;
  }
  h->s = s;
  h->r = recommender_create(&s, err);
  if (h->r)
    return h;
  free(h);
  return NULL;
}

void ofw_recommender_free(ofw_recommender *h)
{
  if (!h)
    return;
  recommender_free(h->r);
  free(h);
}

/* Where a call puts its words; those of the call before are gone. */
static ofw_error *words_of(ofw_recommender *h)
{
  h->err.status = OFW_OK;
  h->err.message[0] = 0;
  return &h->err;
}

/* A recommender with the cap takes the place of the one without, which has learned nothing. */
ofw_status ofw_recommender_cap(ofw_recommender *h, double cap, size_t items, const size_t *item, size_t per_round)
{
  ofw_error *err = words_of(h);
  uint64_t ratings = recommender_accounts(h->r)->ratings;
  if (ratings > 0)
    return ofw_fail(err, OFW_USAGE, "%s: expected the cap before the first rating, found %llu ratings learned", owner,
                    (unsigned long long)ratings);
  if (items < 1 || items > h->s.items)
    return ofw_fail(err, OFW_USAGE, "%s: a group of %zu items, expected 1 to %zu", owner, items, h->s.items);
  for (size_t k = 0; k < items; k++)
    if (item[k] >= h->s.items)
      return ofw_fail(err, OFW_USAGE, "%s: item %zu in the group, expected one below %zu", owner, item[k], h->s.items);
  uint32_t *group = ofw_array(items, sizeof *group);
  if (!group)
    return ofw_fail_memory(err, items * sizeof *group);
  recommender_settings s = h->s;
  for (size_t k = 0; k < items; k++)
    group[k] = (uint32_t)item[k];
  s.cap = cap;
  s.group = items;
  s.grouped = group;
  s.round = per_round;
  recommender *capped = recommender_create(&s, err);
  free(group);
  if (!capped)
    return err->status;
  recommender_free(h->r);
  h->r = capped;
  return OFW_OK;
}

/* ---- scores and ratings ---- */

ofw_status ofw_recommender_predict(ofw_recommender *h, size_t user, size_t item, double *score)
{
  OFW_TRY(recommender_check_pair(h->r, user, item, words_of(h)));
  *score = recommender_predict(h->r, user, item);
  return OFW_OK;
}

ofw_status ofw_recommender_rate(ofw_recommender *h, size_t user, size_t item, double rating, double *prediction)
{
  return recommender_rate(h->r, user, item, rating, prediction, words_of(h));
}

ofw_status ofw_recommender_top(ofw_recommender *h, size_t user, size_t k, size_t *item, double *score, size_t *n)
{
  OFW_TRY(recommender_check_pair(h->r, user, 0, words_of(h)));
  return recommender_top(h->r, user, k, item, score, n, &h->err);
}

const ofw_recommender_account *ofw_recommender_accounts(const ofw_recommender *h)
{
  return recommender_accounts(h->r);
}

const char *ofw_recommender_error(const ofw_recommender *h)
{
  return h->err.message;
}

/* ---- files ---- */

ofw_status ofw_recommender_save(ofw_recommender *h, const char *path)
{
  ofw_error *err = words_of(h);
  ofw_state state = {0};
  char about[64];
  snprintf(about, sizeof about, "ofw %s\n", ofw_version());
  ofw_status st = recommender_save(h->r, kept_as, &state, err);
  if (st == OFW_OK)
    st = ofw_checkpoint_write(&ofw_real_disk, path, &state, about, err);
  ofw_state_free(&state);
  return st;
}

ofw_status ofw_recommender_load(ofw_recommender *h, const char *path)
{
  ofw_error *err = words_of(h), why = {0};
  ofw_checkpoint found = {0};
  ofw_status st = ofw_checkpoint_read(&ofw_real_disk, path, &found, err);
  if (st == OFW_OK && (st = recommender_load(h->r, kept_as, &found.state, &why)) != OFW_OK)
    ofw_fail(err, st, "%.200s: %s", path, why.message);
  ofw_checkpoint_free(&found);
  return st;
}
