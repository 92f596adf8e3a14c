#include "lab/setting.h"

#include "base/option_table.h"

#include <ofw/learner.h>

#include <stdlib.h>
#include <string.h>

int lab_is_setting(const char *key)
{
  static const char *const settings[] = {"horizon", "lipschitz", "loss-bound", "strong-convexity"};
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
    if (strcmp(settings[i], key) == 0)
      return 1;
  return 0;
}

/* How large a structure is that the table's options point into. */
static size_t extent(const ofw_option *table)
{
  size_t end = 1;
  for (const ofw_option *o = table; o->name; o++)
    end = o->offset + sizeof(uint64_t) > end ? o->offset + sizeof(uint64_t) : end;
  return end;
}

/* An option as the learner itself will read it. */
static ofw_status check_option(const ofw_type *type, const char *pair, ofw_error *err)
{
  ofw_options own[] = {{.table = type->options}, {.table = ofw_learner_common_options()}};
  ofw_status st = OFW_OK;
  for (size_t i = 0; i < 2; i++)
    if (!(own[i].values = calloc(1, extent(own[i].table))))
      st = ofw_fail_memory(err, extent(own[i].table));
  if (st == OFW_OK)
    st = ofw_options_set(own, 2, type->name, pair, strlen(pair), err);
  for (size_t i = 0; i < 2; i++) {
    if (own[i].values)
      ofw_options_free(own[i]);
    free(own[i].values);
  }
  return st;
}

static ofw_status check_setting(const char *key, const char *value, ofw_error *err)
{
  double x;
  uint64_t n;
  if (strcmp(key, "horizon") != 0)
    return ofw_read_real(value, &x) ? OFW_OK : ofw_fail(err, OFW_USAGE, "%s=%.80s is not a finite number", key, value);
  if (strcmp(value, "auto") == 0 || (ofw_read_count(value, &n) == 1 && n > 0))
    return OFW_OK;
  return ofw_fail(err, OFW_USAGE, "horizon=%.80s is neither a whole number from 1 on nor 'auto'", value);
}

ofw_status lab_setting_check(const ofw_type *learner, const char *key, const char *value, ofw_error *err)
{
  ofw_text pair = {0};
  if (lab_is_setting(key))
    return check_setting(key, value, err);
  ofw_text_add(&pair, "%s=%s", key, value);
  ofw_status st = pair.failed ? ofw_fail_memory(err, strlen(value)) : check_option(learner, pair.chars, err);
  free(pair.chars);
  return st;
}
