/* setting.h — one key of a learner's section: an option of the learner, or a setting that 'ofw run' gives every learner */
#ifndef OFW_LAB_SETTING_H
#define OFW_LAB_SETTING_H

#include <ofw/base.h>

/* OFW_USAGE where the learner has no such key, or takes no such value. */
ofw_status lab_setting_check(const ofw_type *learner, const char *key, const char *value, ofw_error *err);

#endif
