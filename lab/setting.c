#include "lab/setting.h"

#include "base/option_table.h"
#include "lab/play.h"

#include <stdlib.h>
#include <string.h>

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

ofw_status lab_setting_check(const ofw_type *learner, const char *key, const char *value, ofw_error *err)
{
  ofw_text pair = {0};
  ofw_learner_settings read;
  if (lab_is_setting(key))
    return lab_setting_read(key, value, &read, err);
  ofw_text_add(&pair, "%s=%s", key, value);
  ofw_status st = pair.failed ? ofw_fail_memory(err, strlen(value)) : check_option(learner, pair.chars, err);
  free(pair.chars);
  return st;
}
