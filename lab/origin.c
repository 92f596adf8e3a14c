/* origin.c — the first difference between two experiments, told by its line */
#include "lab/origin.h"

#include "base/basics.h"
#include "base/plain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 60 }; /* bytes of a line in a message */

/* The line that begins at `text`, fit for a message. */
static const char *line_of(const char *text, char out[LINE])
{
  size_t length = strcspn(text, "\n");
  snprintf(out, LINE, "%.*s", (int)(length < LINE ? length : LINE), text);
  ofw_make_plain(out, "");
  return out;
}

static ofw_status refuse_text(const results *r, const char *found, const lab_origin *wanted, ofw_error *err)
{
  const char *is = found, *should = wanted->experiment;
  char there[LINE], here[LINE];
  size_t line = 1;
  for (size_t i = 0; found[i] && found[i] == wanted->experiment[i]; i++)
    if (found[i] == '\n') {
      line++;
      is = found + i + 1;
      should = wanted->experiment + i + 1;
    }
  return ofw_fail(err, OFW_USAGE, "%.120s is of another experiment than %.120s: line %zu is '%s', not '%s'",
                  results_path(r), wanted->of, line, line_of(is, there), line_of(should, here));
}

/* `who` plays with the wanted one. */
static ofw_status check(results *r, const char *key, const char *who, const char *wanted, ofw_error *err)
{
  char *found;
  ofw_status st = OFW_OK;
  OFW_TRY(results_meta(r, key, &found, err));
  ofw_make_plain(found, "");
  if (strcmp(found, wanted) != 0)
    st = ofw_fail(err, OFW_USAGE, "%.160s was played with %s %.40s, but %.160s with %.40s", results_path(r), key, found,
                  who, wanted);
  free(found);
  return st;
}

ofw_status lab_origin_check(results *r, const lab_origin *wanted, ofw_error *err)
{
  char *text;
  OFW_TRY(check(r, "version", "this ofw plays", ofw_version(), err));
  OFW_TRY(check(r, "kernel", wanted->player, wanted->kernel, err));
  OFW_TRY(results_meta(r, "experiment", &text, err));
  ofw_status st = strcmp(text, wanted->experiment) == 0 ? OFW_OK : refuse_text(r, text, wanted, err);
  free(text);
  return st;
}
