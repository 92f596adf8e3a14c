/* registry.h — names beside those of the library: learners and sets that plugins add (plugin.h)
 *
 * Whoever makes learners or sets by name and has a registry passes it on; NULL is one without any names of its own. Nothing
 * of it is global, so that two plays of one program may know different names.
 */
#pragma once

#include "learner/own_method.h"

#include <ofw/plugin.h>

struct ofw_registry {
  ofw_own_method **method;
  size_t methods, methods_room;
  ofw_own_sets sets;
  size_t sets_room;
  uint32_t content; /* the checksum of the plugin that is adding */
};

/* Start one as {0}. Learners and sets that were made by it stay. */
void ofw_registry_close(ofw_registry *r);

/* The method of this name, from outside or the library's. `of` is NULL: there is none, err says so with the nearest name. */
ofw_method_by ofw_registry_method(const ofw_registry *r, const char *name, size_t length, ofw_error *err);
/* Refuses a spec that begins with no set's name. */
ofw_status ofw_registry_check_set(const ofw_registry *r, const char *spec, ofw_error *err);
/* As ofw_learner_create_over and ofw_domain_create. */
ofw_learner *ofw_registry_learner(const ofw_registry *r, const char *name, const ofw_domain *K,
                                  const ofw_learner_settings *settings, ofw_error *err);
ofw_domain *ofw_registry_domain(const ofw_registry *r, const char *spec, ofw_error *err);
