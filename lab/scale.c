/* scale.c — an option times a factor, by the value that the learner's own configuration shows
 *
 * So a default that depends on the domain and the horizon can be multiplied without knowing its formula.
 */
#include "lab/scale.h"

#include "base/basics.h"

#include <stdio.h>
#include <string.h>

enum { NAME_TEXT = LAB_SCALED_TEXT - OFW_REAL_TEXT };

ofw_status lab_options_add(lab_options *o, const char *pair, ofw_error *err)
{
  if (o->sets == LAB_MOST_SETS - LAB_MOST_SCALES)
    return ofw_fail(err, OFW_USAGE, "more than %d options", LAB_MOST_SETS - LAB_MOST_SCALES);
  o->set[o->sets++] = pair;
  return OFW_OK;
}

/* The number behind " name=" in a configuration. */
static int configured(const char *config, const char *name, double *out)
{
  char key[NAME_TEXT + 2], number[OFW_REAL_TEXT];
  snprintf(key, sizeof key, " %s=", name);
  const char *at = strstr(config, key);
  if (!at)
    return 0;
  at += strlen(key);
  snprintf(number, sizeof number, "%.*s", (int)strcspn(at, " "), at);
  return ofw_read_real(number, out);
}

static int sets_key(const char *pair, const char *name)
{
  size_t length = strlen(name);
  return strncmp(pair, name, length) == 0 && pair[length] == '=';
}

/* In 15 digits if they read back to the same bits, for readers. */
static const char *print_short(double x, char out[OFW_REAL_TEXT])
{
  double back;
  snprintf(out, OFW_REAL_TEXT, "%.15g", x);
  return ofw_read_real(out, &back) && back == x ? out : ofw_print_real(x, out);
}

ofw_status lab_options_scale(lab_options *o, size_t k, const char *learner, const char *config, const char *name,
                             double factor, ofw_error *err)
{
  double value;
  char number[OFW_REAL_TEXT];
  size_t kept = 0;
  if (!configured(config, name, &value))
    return ofw_fail(err, OFW_USAGE, "%s: %s is not a number", learner, name);
  snprintf(o->scaled[k], sizeof o->scaled[k], "%.*s=%s", NAME_TEXT - 2, name, print_short(factor * value, number));
  for (size_t i = 0; i < o->sets; i++)
    if (!sets_key(o->set[i], name))
      o->set[kept++] = o->set[i];
  o->set[kept++] = o->scaled[k];
  o->sets = kept;
  return OFW_OK;
}

void lab_option_text(const char *config, const char *name, char out[LAB_SCALED_TEXT])
{
  double value;
  char number[OFW_REAL_TEXT];
  out[0] = 0;
  if (configured(config, name, &value))
    snprintf(out, LAB_SCALED_TEXT, "%.*s=%s", NAME_TEXT - 2, name, print_short(value, number));
}
