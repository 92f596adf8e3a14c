/* own_method.h — a caller's method (own.h) as the handle sees it: an ofw_method whose functions call the caller's */
#pragma once

#include "learner/method.h"

#include <ofw/own.h>

#include <stdatomic.h>

struct ofw_own_method {
  ofw_method method;
  ofw_learner_callbacks own;
  uint32_t content; /* the checksum of the plugin that it is from; 0: it is from none */
  atomic_int references;
};

/* NULL if it cannot be one; err says why. `content` is of a plugin; 0: it is from none. */
ofw_own_method *ofw_own_method_make(const ofw_learner_callbacks *own, uint32_t content, ofw_error *err);
/* Each learner keeps the one that it plays by. NULL is accepted by all three. */
ofw_own_method *ofw_own_method_keep(ofw_own_method *m);
void ofw_own_method_free(ofw_own_method *m);
uint32_t ofw_own_method_content(const ofw_own_method *m);

static inline ofw_method_by ofw_method_by_own(ofw_own_method *m)
{
  return (ofw_method_by){m ? &m->method : NULL, m};
}

/* Before its start: what it is told, and room for what it is shown. */
ofw_status ofw_own_method_open(ofw_learner *l, const ofw_domain *K);
