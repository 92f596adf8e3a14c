/* registry.c — names that plugins add, looked up before those of the library, which none of them may be */
#include "learner/registry.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_NAMES = 64 };

/* ---- adding ---- */

static ofw_status refuse_taken(const char *what, const char *name, ofw_error *err)
{
  return ofw_fail(err, OFW_USAGE, "own %s %s: a plugin has added one of this name already; rename one of them", what,
                  name);
}

static ofw_own_method *find_method(const ofw_registry *r, const char *name, size_t length)
{
  for (size_t i = 0; r && i < r->methods; i++) {
    const char *known = r->method[i]->method.type.name;
    if (strlen(known) == length && memcmp(known, name, length) == 0)
      return r->method[i];
  }
  return NULL;
}

ofw_status ofw_registry_add_learner(ofw_registry *r, const ofw_learner_callbacks *learner, ofw_error *err)
{
  ofw_error why = {0};
  ofw_own_method *m = ofw_own_method_make(learner, r->content, &why);
  ofw_status st = m ? OFW_OK : why.status;
  if (st == OFW_OK && find_method(r, m->own.name, strlen(m->own.name)))
    st = refuse_taken("learner", m->own.name, &why);
  if (st == OFW_OK)
    st = ofw_grow(&r->method, r->methods, 1, &r->methods_room, sizeof *r->method, &why);
  if (st == OFW_OK) {
    r->method[r->methods++] = m;
    return OFW_OK;
  }
  ofw_own_method_free(m);
  return ofw_fail(err, st, "%s", why.message);
}

static ofw_status add_set(ofw_registry *r, const ofw_domain_factory *domain, ofw_own_set *set, ofw_error *err)
{
  set->content = r->content;
  OFW_TRY(ofw_own_set_check(domain, set, err));
  const char *name = set->type.name;
  if (ofw_own_set_find(&r->sets, name, strlen(name)))
    return refuse_taken("domain", name, err);
  if (ofw_type_find(name, strlen(name), ofw_domain_kinds_count, ofw_domain_type, "domain", NULL) >= 0)
    return ofw_fail(err, OFW_USAGE, "own domain %s: the library has a set of this name; choose another", name);
  OFW_TRY(ofw_grow(&r->sets.set, r->sets.count, 1, &r->sets_room, sizeof *r->sets.set, err));
  r->sets.set[r->sets.count++] = set;
  return OFW_OK;
}

ofw_status ofw_registry_add_domain(ofw_registry *r, const ofw_domain_factory *domain, ofw_error *err)
{
  ofw_own_set *set = calloc(1, sizeof *set);
  ofw_status st = set ? add_set(r, domain, set, err) : ofw_fail_memory(err, sizeof *set);
  if (st != OFW_OK)
    free(set);
  return st;
}

void ofw_registry_close(ofw_registry *r)
{
  for (size_t i = 0; i < r->methods; i++)
    ofw_own_method_free(r->method[i]);
  for (size_t i = 0; i < r->sets.count; i++)
    free(r->sets.set[i]);
  free(r->method);
  free(r->sets.set);
  *r = (ofw_registry){0};
}

/* ---- looking up ---- */

/* "no learner 'x'", with the nearest of the names from outside if one of them is near. */
static void suggest(const char *what, const char *name, size_t length, const char *const *names, size_t n,
                    ofw_error *err)
{
  char word[MOST_NAMES];
  size_t keep = length < sizeof word ? length : sizeof word - 1;
  memcpy(word, name, keep);
  word[keep] = 0;
  const char *near = ofw_nearest(word, names, n);
  if (near)
    ofw_fail(err, OFW_USAGE, "no %s '%s'; did you mean '%s'?", what, word, near);
}

ofw_method_by ofw_registry_method(const ofw_registry *r, const char *name, size_t length, ofw_error *err)
{
  const char *names[MOST_NAMES];
  size_t n = 0;
  ofw_own_method *own = find_method(r, name, length);
  if (own)
    return ofw_method_by_own(own);
  int i = ofw_type_find(name, length, ofw_methods_count, ofw_learner_type, "learner", err);
  if (i >= 0)
    return (ofw_method_by){.of = ofw_methods[i]};
  for (; r && n < r->methods && n < MOST_NAMES; n++)
    names[n] = r->method[n]->method.type.name;
  suggest("learner", name, length, names, n, err);
  return (ofw_method_by){0};
}

ofw_status ofw_registry_check_set(const ofw_registry *r, const char *spec, ofw_error *err)
{
  const char *names[MOST_NAMES];
  size_t n = 0, length;
  ofw_spec_split(spec, &length);
  if (r && ofw_own_set_find(&r->sets, spec, length))
    return OFW_OK;
  if (ofw_type_find(spec, length, ofw_domain_kinds_count, ofw_domain_type, "domain", err) >= 0)
    return OFW_OK;
  for (; r && n < r->sets.count && n < MOST_NAMES; n++)
    names[n] = r->sets.set[n]->type.name;
  suggest("domain", spec, length, names, n, err);
  return OFW_USAGE;
}

ofw_learner *ofw_registry_learner(const ofw_registry *r, const char *name, const ofw_domain *K,
                                  const ofw_learner_settings *settings, ofw_error *err)
{
  ofw_method_by method = ofw_registry_method(r, name, strlen(name), err);
  return method.of ? ofw_learner_create_by(method, K, settings, err) : NULL;
}

ofw_domain *ofw_registry_domain(const ofw_registry *r, const char *spec, ofw_error *err)
{
  return ofw_domain_create_among(r ? &r->sets : NULL, spec, err);
}
