/* report_streams.c — what each stream of the results is, in the words of its option table
 *
 *     streams [{stream, kind, summary, options [{name, value, help}]}]
 *
 * The options are those that the spec gives, and choices that it leaves at their default, since a reader meets their names in
 * the results. A stream that this ofw does not know has neither summary nor options.
 */
#include "report.h"

#include "base/option_table.h"
#include "stream/generator.h"

#include <stdlib.h>
#include <string.h>

/* The value that the pairs give to an option; NULL: none, or no memory. free() returns it. */
static char *given_value(const char *pairs, const char *name)
{
  size_t length, key = strlen(name);
  for (; *pairs; pairs += length + (pairs[length] == ',')) {
    if (ofw_pair_length(pairs, "", &length, NULL) != OFW_OK)
      return NULL;
    if (length > key && pairs[key] == '=' && strncmp(pairs, name, key) == 0)
      return ofw_format("%.*s", (int)(length - key - 1), pairs + key + 1);
  }
  return NULL;
}

static void write_options(json *j, const ofw_type *type, const char *pairs)
{
  json_open_list(j, "options");
  for (const ofw_option *o = type ? type->options : NULL; o && o->name; o++) {
    char *value = given_value(pairs, o->name);
    if (value || (o->kind == OFW_CHOICE && o->value)) {
      json_open(j, NULL);
      json_text(j, "name", o->name);
      json_text(j, "value", value ? value : o->value);
      json_text(j, "help", o->help);
      json_close(j);
    }
    free(value);
  }
  json_close_list(j);
}

static void write_stream(json *j, const results_arm *arm)
{
  size_t length;
  const char *pairs = ofw_spec_split(arm->stream_spec, &length);
  int i = ofw_type_find(arm->stream_spec, length, ofw_stream_types(), ofw_stream_type, "stream", NULL);
  const ofw_type *type = i >= 0 ? ofw_stream_type((size_t)i) : NULL;
  json_open(j, NULL);
  json_text(j, "stream", arm->stream);
  json_text(j, "kind", type ? type->name : NULL);
  json_text(j, "summary", type ? type->summary : NULL);
  write_options(j, type, pairs);
  json_close(j);
}

void report_streams(json *j, const results_arm *arm, size_t n)
{
  json_open_list(j, "streams");
  for (size_t i = 0; i < n; i++) {
    size_t k = 0;
    while (k < i && strcmp(arm[k].stream, arm[i].stream) != 0)
      k++;
    if (k == i)
      write_stream(j, &arm[i]);
  }
  json_close_list(j);
}
