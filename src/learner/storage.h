/* storage.h — where a learner keeps x and d: the option `storage`, what it needs, and what is chosen where it is not set */
#ifndef OFW_SRC_STORAGE_H
#define OFW_SRC_STORAGE_H

#include "learner/method.h"

/* Sets the option where it was not set, and refuses what this learner cannot have over K, or this machine cannot hold,
 * before any of it is taken. */
ofw_status ofw_storage_choose(ofw_learner *l, const ofw_domain *K, ofw_terms terms);
ofw_status ofw_storage_open(ofw_learner *l, const ofw_domain *K, size_t threads);
/* What a factored engine holds, into *info. */
void ofw_storage_report(const ofw_learner *l, ofw_info *info);

#endif
